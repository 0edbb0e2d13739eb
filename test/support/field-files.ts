/** A recipient whose document asks for files, and the requests of their browser. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cookieOf, formsOf, type Visitor } from './browser-less.ts'
import { ADA, SIGNATURE } from './sample.ts'
import { openLinkAs, sentDocument } from './story.ts'
import type { TestApp } from './test-app.ts'

export const SCAN = { type: 'attachment', page: 1, x: 10, y: 20, width: 40, height: 4, label: 'Passport' }
export const PHOTO = { type: 'image', page: 1, x: 10, y: 30, width: 30, height: 20, label: 'Photo', required: false }

/** A document for one recipient. */
export const withFiles = (fields: object[] = [SCAN, PHOTO, SIGNATURE]) => ({ recipients: [{ ...ADA, fields }] })

export interface Answer {
  status: number
  body: { errors?: { path: string; message: string }[]; fileName?: string; mediaType?: string; bytes?: number; sha256?: string }
}

export interface FileSigner {
  documentId: string
  visitor: Visitor
  /** `/sign/rcp_…` */
  base: string
  cookie: string
  /** The members of the form for `finish`, without files. */
  values: Record<string, string>
  /** By field id: the hash of the file that the page shows. */
  shown: Record<string, string>
  idOf(label: string): string
  /** As the script of the page sends it. */
  upload(label: string, bytes: Uint8Array, name?: string): Promise<Answer>
  remove(label: string): Promise<number>
  read(label: string, headers?: Record<string, string>): Promise<Response>
  /** As a browser without a script sends the form; without a signature it cannot be complete. */
  finish(files?: [label: string, bytes: Uint8Array, name: string][], more?: Record<string, string>): Promise<Response>
}

export async function openSigner(
  t: TestApp,
  overrides: Record<string, unknown> = withFiles(),
  email = ADA.email,
): Promise<FileSigner> {
  const documentId = await sentDocument(t, overrides)
  return openOnceMore(t, documentId, email)
}

export async function openOnceMore(t: TestApp, documentId: string, email = ADA.email): Promise<FileSigner> {
  const { visitor, page } = await openLinkAs(t, email)
  const form = formsOf(page.html).find(f => f.action.endsWith('/finish'))
  const base = form?.action.replace(/\/finish$/, '') ?? ''
  const { csrf = '', sha256 = '', consentVersion = '' } = form?.values ?? {}
  const shown = shownIn(form?.values)
  const cookie = cookieOf(visitor)
  const { body } = await t.api('GET', `/documents/${documentId}`)
  const fields = body.recipients.flatMap((r: { fields: object[] }) => r.fields) as { id: string; label: string | null }[]
  const idOf = (label: string) => fields.find(field => field.label === label)?.id ?? ''
  const values = { csrf, sha256, consentVersion, consent: 'on', signature: 'Ada Lovelace' }
  const send = (path: string, body: FormData) =>
    t.fetch(path, { method: 'POST', body, headers: { cookie, origin: t.app.config.baseUrl } })
  const fileOf = (bytes: Uint8Array, name: string) => new File([bytes as Uint8Array<ArrayBuffer>], name)
  return {
    documentId,
    visitor,
    base,
    cookie,
    values,
    shown,
    idOf,
    async upload(label, bytes, name = 'file') {
      const form = new FormData()
      form.set('csrf', csrf)
      form.set('file', fileOf(bytes, name))
      const response = await send(`${base}/files/${idOf(label)}`, form)
      const text = await response.text()
      if (response.ok) shown[idOf(label)] = JSON.parse(text).sha256
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
    },
    async remove(label) {
      const { status } = await visitor.post(`${base}/files/${idOf(label)}/remove`, { csrf })
      if (status === 204) shown[idOf(label)] = ''
      return status
    },
    read: (label, headers = {}) => t.fetch(`${base}/files/${idOf(label)}`, { headers: { cookie, ...headers } }),
    async finish(files = [], more = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...values, ...more })) form.set(name, value)
      for (const [id, sha256] of Object.entries(shown)) form.set(`shown.${id}`, sha256)
      for (const [label, bytes, name] of files) form.set(`fields.${idOf(label)}`, fileOf(bytes, name))
      const response = await send(`${base}/finish`, form)
      // The page that comes back shows the files that are stored now.
      const back = response.status === 422 ? await response.clone().text() : ''
      Object.assign(shown, shownIn(formsOf(back).find(f => f.action.endsWith('/finish'))?.values))
      return response
    },
  }
}

const shownIn = (values: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (name.startsWith('shown.') ? [[name.slice('shown.'.length), value]] : [])),
  )

/** The names of the stored files. */
export function storedFiles(t: TestApp): string[] {
  return readdirSync(join(t.app.config.dataFolder, 'files'))
    .filter(name => name.endsWith('.pdf'))
    .map(name => name.replace(/\.pdf$/, ''))
    .sort()
}
