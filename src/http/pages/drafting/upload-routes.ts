/** Pages whose form takes one or several PDFs: by the script with progress, or as a plain form. */
import { MAX_FILE_NAME_BYTES, MAX_TITLE } from '../../../core/document/document-limits.ts'
import { Refusal } from '../../../core/refusal.ts'
import { cleanLine } from '../../../core/text.ts'
import { violation } from '../../../core/violation.ts'
import { MAX_FILES, type NamedUpload } from '../../../documents/files/store-files.ts'
import { errorText, refusalText } from '../../../locales/app.ts'
import type { App } from '../../../ports.ts'
import type { SentFile } from '../../body/receive-form.ts'
import { ERROR_CODES } from '../../error-codes.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'

interface UploadPage {
  /** The address of the form. */
  path: string
  /** Makes something of the files. Returns the address of its page. */
  make(visit: Visit, uploads: NamedUpload[]): Promise<string>
  /** The page again, with what was refused. */
  show(visit: Visit, refusal: Refusal, text: string): Promise<PageResponse>
}

export function uploadRoute({ path, make, show }: UploadPage): PageRoute {
  return {
    method: 'POST',
    path,
    access: 'sender',
    upload: ({ config }) => config.maxPdfBytes,
    maxFiles: MAX_FILES,
    isToDisk: true,
    run: async visit => {
      const location = await make(visit, uploadsOf(visit))
      return isScript(visit) ? json({ location }) : { redirect: location }
    },
    refused: async (visit, refusal) => {
      const text = textOf(visit, refusal)
      const { status } = ERROR_CODES[refusal.reason]
      return isScript(visit) ? json({ error: { code: refusal.reason, message: text } }, status) : show(visit, refusal, text)
    },
  }
}

function uploadsOf({ app, files }: Visit): NamedUpload[] {
  if (files.length === 0) throw new Refusal('validation_failed', violation('pdf_not_chosen'))
  return files.map(file => {
    if (!file.onDisk) throw new Error('the files of this form are written to disk')
    return { fileName: fileNameOf(app, file), upload: file.onDisk }
  })
}

/** The title of what is made of these files. */
export function titleOfUploads([first]: readonly NamedUpload[]): string {
  return [...(first?.fileName ?? '').replace(/\.pdf$/, '')].slice(0, MAX_TITLE).join('')
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
  return `${shortened(stem, MAX_FILE_NAME_BYTES - 4)}.pdf`
}

function shortened(text: string, maxBytes: number): string {
  const characters = [...text]
  while (Buffer.byteLength(characters.join('')) > maxBytes) characters.pop()
  return characters.join('').trim()
}

/** Translated. A refusal of one of several files begins with the name of the file. */
function textOf(visit: Visit, refusal: Refusal): string {
  const { texts } = visit.context('')
  const [about] = refusal.details
  return about?.path === 'file' ? errorText(texts, about) : refusalText(texts, refusal)
}
