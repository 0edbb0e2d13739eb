/**
 * The file that people see before the seal: the upload, byte for byte, and an update that disables
 * its active content as the seal will.
 */
import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBytes } from '../../../src/files/queries.ts'
import { SharedCache } from '../../../src/lib/lru-cache.ts'
import { openForUpdate } from '../../../src/pdf/inspect/open-for-update.ts'
import { cookieOf, textOf } from '../../support/browser-less.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'
import { hasQpdf, run } from '../../verify/tools.ts'

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const ACTIVE = makePdf({
  pages: [{ more: `/AA << /O ${SCRIPT} >> /Annots [50 0 R]` }],
  catalog: `/OpenAction ${SCRIPT}`,
  objects: {
    50: `<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /Contents (kept) /A ${SCRIPT} >>`,
    // Larger than what is answered without a stream.
    60: `<< /Length 2000000 >>\nstream\n${'x'.repeat(2_000_000)}\nendstream`,
  },
})

const t = useTestApp()

const send = (file: string) => sentDocument(t, { file, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
const kindsOf = (file: Uint8Array) => [...openForUpdate(file).activeContentEdits.kinds]

/** Requests as the signer, beyond what a page does. */
async function asAda() {
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const cookie = cookieOf(visitor)
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    t.fetch(`${page.url}/file`, { method, headers: { cookie, ...headers } })
  return { get, page, bytes: async () => Buffer.from(await (await get()).arrayBuffer()) }
}

describe('of an upload with scripts', () => {
  test('the signer gets the upload, byte for byte, and after it an update without anything active', async () => {
    await send(ACTIVE.toString('base64'))
    const { bytes, get } = await asAda()
    const shown = await bytes()
    expect(shown.subarray(0, ACTIVE.length).equals(ACTIVE)).toBe(true)
    expect(shown.length).toBeGreaterThan(ACTIVE.length)
    expect(kindsOf(ACTIVE)).toContain('javascript')
    expect(kindsOf(shown)).toEqual([])
    expect(shown.subarray(ACTIVE.length).toString('latin1')).toContain('(kept)')
    expect((await get({}, 'HEAD')).headers.get('content-length')).toBe(String(shown.length))
    if (!hasQpdf) return
    const path = join(t.folder, 'shown.pdf')
    await Bun.write(path, shown)
    expect(run(['qpdf', '--check', path]).text).toContain('No syntax or stream encoding errors')
  })

  test('ranges and the ETag are those of the whole, and of the same whole after a restart', async () => {
    await send(ACTIVE.toString('base64'))
    const { bytes, get } = await asAda()
    const shown = await bytes()
    const whole = await get()
    const [etag, length] = [whole.headers.get('etag') ?? '', shown.length]
    expect(etag).not.toContain('W/')
    const border = ACTIVE.length
    const spans = [
      [0, 9],
      [border - 5, border - 1],
      [border - 5, border],
      [border - 5, border + 5],
      [border, length - 1],
      [length - 1, length - 1],
      [100, length - 1],
      [100, border - 1],
    ]
    for (const [first = 0, last = 0] of spans) {
      const response = await get({ range: `bytes=${first}-${last}`, 'if-range': etag })
      expect([first, last, response.status, response.headers.get('content-range')]).toEqual([
        first,
        last,
        206,
        `bytes ${first}-${last}/${length}`,
      ])
      expect(Buffer.from(await response.arrayBuffer()).equals(shown.subarray(first, last + 1))).toBe(true)
    }
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    t.app.disablingUpdates = new SharedCache(1, update => update.length)
    expect((await get()).headers.get('etag')).toBe(etag)
    expect((await bytes()).equals(shown)).toBe(true)
  })

  test('the original of the API stays the upload, and it is what is hashed, stored and sealed', async () => {
    const id = await send(ACTIVE.toString('base64'))
    const stored = () => t.app.db.selectFrom('files').select('sha256').execute()
    const before = await stored()
    const { bytes, page } = await asAda()
    await bytes()
    for (const path of [`/documents/${id}/file`, `/documents/${id}/file?version=original`]) {
      expect(Buffer.from((await t.api('GET', path)).body).equals(ACTIVE)).toBe(true)
    }
    expect(await stored()).toEqual(before)
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(await fileBytes(t.app.db, body.sha256.original)).toBe(ACTIVE.length)
    // Who computes the fingerprint of a download learns of how many bytes it is.
    expect(textOf(page)).toContain(body.sha256.original)
    expect(textOf(page)).toContain(`from the first ${ACTIVE.length}`)
    await signAs(t, ADA.email, ADA.name)
    await t.drain()
    const sealed = Buffer.from((await t.api('GET', `/documents/${id}/file?version=sealed`)).body)
    expect(sealed.subarray(0, ACTIVE.length).equals(ACTIVE)).toBe(true)
    expect(kindsOf(sealed)).toEqual([])
    expect((await (await asAda()).bytes()).equals(sealed)).toBe(true)
  })

  test('the sender sees it as the signers do, and downloads the original as it was', async () => {
    const id = await send(ACTIVE.toString('base64'))
    const visitor = await newAdministrator(t)
    const cookie = cookieOf(visitor)
    const get = async (query: string) => {
      return Buffer.from(await (await t.fetch(`/documents/${id}/file${query}`, { headers: { cookie } })).arrayBuffer())
    }
    expect((await get('')).equals(await (await asAda()).bytes())).toBe(true)
    expect((await get('?version=original')).equals(ACTIVE)).toBe(true)
  })
})

test('a large one is sent while it is read, whole and in ranges', async () => {
  const filler = `<< /Length 17000000 >>\nstream\n${'x'.repeat(17_000_000)}\nendstream`
  const large = makePdf({ catalog: `/OpenAction ${SCRIPT}`, objects: { 60: filler } })
  await send(large.toString('base64'))
  const { bytes, get } = await asAda()
  const shown = await bytes()
  expect(shown.subarray(0, large.length).equals(large)).toBe(true)
  expect(kindsOf(shown)).toEqual([])
  const rest = await get({ range: 'bytes=10-' })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 10-${shown.length - 1}/${shown.length}`])
  expect(Buffer.from(await rest.arrayBuffer()).equals(shown.subarray(10))).toBe(true)
})

test('of an upload without active content the signer gets the upload itself, also by its ETag', async () => {
  const file = await samplePdf()
  const id = await send(file)
  const { bytes, get } = await asAda()
  expect((await bytes()).equals(Buffer.from(file, 'base64'))).toBe(true)
  const { body } = await t.api('GET', `/documents/${id}`)
  expect((await get()).headers.get('etag')).toBe(`"${body.sha256.original}"`)
})

test('requests at the same time share one child process, and a failure is not kept', async () => {
  await send(ACTIVE.toString('base64'))
  const { get } = await asAda()
  const real = t.app.pdf.disableActiveContent
  let runs = 0
  t.app.pdf.disableActiveContent = request => {
    if (++runs === 1) throw new Error('the child has died')
    return real(request)
  }
  expect((await get()).status).toBe(500)
  const answers = await Promise.all([get({ range: 'bytes=0-9' }), get({ range: 'bytes=10-19' }), get({}, 'HEAD')])
  expect(answers.map(({ status }) => status)).toEqual([206, 206, 200])
  expect(runs).toBe(2)
  // Nothing of it stays on the disk.
  const names = await Array.fromAsync(new Bun.Glob('**/*').scan(join(t.folder)))
  const contents = await Promise.all(names.map(name => readFile(join(t.folder, name), 'latin1').catch(() => '')))
  expect(contents.filter(content => content.includes('/Prev '))).toEqual([])
})
