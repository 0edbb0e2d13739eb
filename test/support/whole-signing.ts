/** The executable, a document of three pages for one signer, and what its sealed file must be. */
import { afterAll, beforeAll, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PercentBox } from '../../src/core/field/geometry.ts'
import { demandBinary, emptyFolder, run, type Serving, serve, until } from './executable.ts'
import { inkAgreement, pictureOfPng } from './ink-agreement.ts'
import { pictureOf } from './page-picture.ts'
import { client, letterTo, linkIn } from './people.ts'
import { samplePdf } from './sample.ts'

type PlacedField = PercentBox & { type: string; page: number }

const at = (type: string, page: number, y: number, more: Record<string, unknown> = {}): PlacedField => ({
  type,
  page,
  x: 12,
  y,
  width: 40,
  height: 5,
  ...more,
})
export const FIELDS = [
  at('text', 1, 30, { label: 'Town' }),
  at('checkbox', 1, 40, { label: 'Rules', width: 5, height: 4 }),
  at('date', 2, 30),
  at('signature', 2, 60, { height: 8 }),
  at('signature', 3, 60, { height: 8, x: 45 }),
  at('initials', 3, 30, { width: 12 }),
]

export interface WholeSigning {
  folder: string
  serving: Serving
  /** Sends a document of three pages to a person of this name; answers the link of their mail. */
  invite(name: string, more?: Record<string, unknown>): Promise<{ id: string; link: string }>
  /** The path of the sealed file. */
  sealedFile(id: string): Promise<string>
  /** Other tools accept the sealed file, and its pages look as they were shown. */
  demandAsShown(id: string, pages: Map<number, Buffer>): Promise<void>
}

/** Call it once in a test file. Serves nothing where the browser is missing. */
export function useWholeSigning(isSkipped: boolean): WholeSigning {
  const place = {} as WholeSigning
  let folder: ReturnType<typeof emptyFolder> | undefined
  beforeAll(async () => {
    if (isSkipped) return
    demandBinary()
    folder = emptyFolder()
    place.folder = folder.path
    place.serving = await serve(folder.path, { env: { SIGNET_RATE_PER_MINUTE: '10000000' } })
    const api = client(place.serving.url, run(folder.path, ['key', 'create', '--name', 'test']).out.trim())
    writeFileSync(join(folder.path, 'seal.pem'), await (await place.serving.fetch('/seal-certificate.pem')).bytes())
    place.invite = (name, more) => invite(place, api, name, more)
    place.sealedFile = id => sealedFile(place, api, id)
    place.demandAsShown = async (id, pages) => demandAsShown(place, await place.sealedFile(id), pages)
  }, 60_000)
  afterAll(async () => {
    await place.serving?.end('SIGTERM')
    folder?.remove()
  })
  return place
}

type Api = ReturnType<typeof client>

async function invite({ folder }: WholeSigning, api: Api, name: string, more: Record<string, unknown> = {}) {
  const email = `${name.toLowerCase()}@example.com`
  const recipients = [{ email, name: `${name} Lovelace`, fields: FIELDS, ...more }]
  const title = `Lease of ${name}`
  const { id } = await api('POST', '/documents', { title, fileName: 'a.pdf', file: await samplePdf(3), recipients })
  await api('POST', `/documents/${id}/send`)
  return { id: id as string, link: linkIn(await letterTo(join(folder, 'data'), email, title)) }
}

async function sealedFile({ folder, serving }: WholeSigning, api: Api, id: string): Promise<string> {
  await until('the seal', async () => ((await api('GET', `/documents/${id}`)).status === 'completed' ? true : undefined))
  const key = run(folder, ['key', 'create', '--name', 'file']).out.trim()
  const answer = await serving.fetch(`/api/v1/documents/${id}/file`, { headers: { authorization: `Bearer ${key}` } })
  const path = join(folder, `${id}.pdf`)
  writeFileSync(path, await answer.bytes())
  return path
}

async function demandAsShown({ folder }: WholeSigning, path: string, pages: Map<number, Buffer>): Promise<void> {
  const pdfsig = Bun.spawnSync(['pdfsig', path]).stdout.toString()
  expect(pdfsig).toContain('Signature is Valid')
  expect(pdfsig).toContain('Total document signed')
  expect(Bun.spawnSync(['qpdf', '--check', path]).exitCode).toBe(0)
  const own = run(folder, ['verify', path, '--trust', join(folder, 'seal.pem'), '--json'])
  expect([own.code, JSON.parse(own.out).verdict]).toEqual([0, 'valid'])
  for (const [number, png] of pages) {
    const screen = await pictureOfPng(png)
    const paper = pictureOf(path, number, (72 * screen.width) / 595.28)
    // Two renderers smooth edges each in their way: ink of one has ink of the other within two
    // pixels.
    expect([number, inkAgreement(screen, paper, 2) > 0.97]).toEqual([number, true])
  }
}

/** A page as it is shown, the document with the marks over it, as a data URL. For `evaluate`. */
export function pictureInBrowser(section: Element): string {
  const [paper, marks] = ['paper', 'marks'].map(kind => section.querySelector<HTMLCanvasElement>(`canvas.${kind}`))
  const whole = document.createElement('canvas')
  const context = whole.getContext('2d')
  if (!paper || !marks || !context) throw new Error('the page is not drawn')
  whole.width = paper.width
  whole.height = paper.height
  context.drawImage(paper, 0, 0)
  context.drawImage(marks, 0, 0, paper.width, paper.height)
  return whole.toDataURL('image/png')
}

export const bytesOfDataUrl = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
