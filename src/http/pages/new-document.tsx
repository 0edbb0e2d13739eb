/** The page that takes one or several PDFs and makes a draft of them. */
import { NewDocumentPage } from '../../../views/pages/new-document.tsx'
import { Refusal, type ValidationError } from '../../core/refusal.ts'
import { cleanLine } from '../../core/text.ts'
import { createDocument } from '../../documents/create.ts'
import { MAX_FILES } from '../../documents/store-files.ts'
import type { App } from '../../ports.ts'
import { ERROR_CODES } from '../error-codes.ts'
import { type PageResponse, type PageRoute, signedInUser, type Visit } from '../page.tsx'
import type { SentFile } from '../receive-form.ts'
import { draftPath } from './draft-access.ts'
import { originOf } from './sender-visit.ts'

const PATH = '/documents/new'
const MAX_NAME_BYTES = 255
const MAX_TITLE_LENGTH = 255

function show(visit: Visit, errors: ValidationError[] = [], status = 200): PageResponse {
  const context = visit.context(visit.context('').texts.sending.newDocument.title)
  const { maxPdfBytes } = visit.app.config
  return {
    html: (
      <NewDocumentPage
        context={context}
        user={signedInUser(visit, '/documents')}
        errors={errors}
        maxBytes={maxPdfBytes}
        maxFiles={MAX_FILES}
      />
    ),
    status,
  }
}

/** The script sends the form itself, to show how far the upload is. It gets the address as JSON. */
function isScript({ request }: Visit): boolean {
  return request.headers.get('accept') === 'application/json'
}

function json(body: object, status = 200): PageResponse {
  return { response: Response.json(body, { status, headers: { 'cache-control': 'no-store' } }) }
}

/** A name that the audit certificate can print, at most as long as a file name may be. */
function fileNameOf({ unprintable }: Pick<App, 'unprintable'>, { name }: SentFile): string {
  const line = cleanLine(name.replace(/[\r\n\0]/g, ' '))
  const printable = cleanLine(unprintable(line).reduce((text, character) => text.replaceAll(character, ''), line))
  const stem = printable.replace(/\.pdf$/i, '') || 'document'
  return `${shortened(stem, MAX_NAME_BYTES - 4)}.pdf`
}

function shortened(text: string, maxBytes: number): string {
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > maxBytes) characters.pop()
  return characters.join('').trim()
}

async function create(visit: Visit): Promise<PageResponse> {
  const { app, files } = visit
  const [first] = files
  if (!first) throw new Refusal('validation_failed', visit.context('').texts.sending.newDocument.none)
  const uploads = files.map(file => {
    if (!file.onDisk) throw new Error('the files of this form are written to disk')
    return { fileName: fileNameOf(app, file), upload: file.onDisk }
  })
  const title = [...fileNameOf(app, first).replace(/\.pdf$/, '')].slice(0, MAX_TITLE_LENGTH).join('')
  const { document, warnings } = await createDocument(app, { title, recipients: [] }, uploads, originOf(visit))
  const found = [...new Set(warnings.map(({ code }) => code))].join(',')
  const location = `${draftPath(document.id, 'people')}${found ? `?found=${found}` : ''}`
  return isScript(visit) ? json({ location }) : { redirect: location }
}

/** Translated. A refusal of one of several files begins with the name of the file. */
function refusalText(visit: Visit, { message, details: [about] }: Refusal): string {
  const { errors } = visit.context('').texts
  const isOfFile = about?.path.startsWith('files[') === true && message.endsWith(about.message)
  const name = isOfFile ? message.slice(0, message.length - about.message.length) : ''
  return `${name}${errors(isOfFile || about?.path === 'file' ? about.message : message)}`
}

/** Nothing was stored. The page says why, and takes another file. */
async function refused(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  const { reason } = refusal
  const { status } = ERROR_CODES[reason]
  const text = refusalText(visit, refusal)
  return isScript(visit)
    ? json({ error: { code: reason, message: text } }, status)
    : show(visit, [{ path: 'file', message: text }], status)
}

export const newDocumentPages: PageRoute[] = [
  { method: 'GET', path: PATH, access: 'sender', run: async visit => show(visit) },
  {
    method: 'POST',
    path: PATH,
    access: 'sender',
    upload: ({ config }) => config.maxPdfBytes,
    maxFiles: MAX_FILES,
    isToDisk: true,
    run: create,
    refused,
  },
]
