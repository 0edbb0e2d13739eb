/** The page that takes one or several PDFs and makes a draft of them. */
import { NewDocumentPage } from '../../../../views/drafting/upload-form.tsx'
import { createDocument } from '../../../documents/draft/create.ts'
import { MAX_FILES, type NamedUpload } from '../../../documents/files/store-files.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { PdfWarning } from '../../../pdf/inspect/report.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { draftPath } from './draft-access.ts'
import { titleOfUploads } from './upload-routes.ts'

export function show(visit: Visit, errors: ShownError[] = [], status = 200): PageResponse {
  const context = visit.context(visit.texts.sending.newDocument.title, { errors })
  const { maxPdfBytes } = visit.app.config
  return {
    html: <NewDocumentPage context={context} maxBytes={maxPdfBytes} maxFiles={MAX_FILES} />,
    status,
  }
}

export async function make(visit: Visit, uploads: NamedUpload[]): Promise<string> {
  const input = { title: titleOfUploads(uploads), recipients: [] }
  const { document, warnings } = await createDocument(visit.app, input, uploads, originOf(visit))
  return `${draftPath(document, 'people')}${foundIn(warnings)}`
}

/** The page of people says what was found in the PDF: `javascript,repaired.0.2`, by file. */
export function foundIn(warnings: readonly PdfWarning[]): string {
  const grouped = Map.groupBy(warnings, ({ code }) => code)
  const found = [...grouped]
    .map(([code, same]) => [code, ...new Set(same.flatMap(({ files = [] }) => files))].join('.'))
    .join(',')
  return found ? `?found=${found}` : ''
}
