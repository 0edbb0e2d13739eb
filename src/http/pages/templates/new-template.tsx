/** The page on which a template is made: from PDFs, or from one of the newest documents. */
import { NewTemplatePage } from '../../../../views/templates/new-template.tsx'
import { MAX_QUERY_LENGTH } from '../../../core/document/document-limits.ts'
import { MAX_FILES, type NamedUpload } from '../../../documents/files/store-files.ts'
import { listDocuments } from '../../../documents/lists/list-queries.ts'
import type { ShownError } from '../../../locales/app.ts'
import { createTemplate } from '../../../templates/create.ts'
import { ERROR_CODES } from '../../error-codes.ts'
import { type PageResponse, type PageRoute, signedInUser, type Visit } from '../../frame/page.tsx'
import { actorOf, clockOf, originOf } from '../documents/sender-visit.ts'
import { draftPath } from '../drafting/draft-access.ts'
import { foundIn } from '../drafting/new-document.tsx'
import { titleOfUploads, uploadRoute } from '../drafting/upload-routes.ts'

const PATH = '/templates/new'
const MAX_DOCUMENTS = 10

async function show(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app, url } = visit
  const context = visit.context(visit.texts.templates.make.title)
  const q = url.searchParams.get('q')?.trim().slice(0, MAX_QUERY_LENGTH) ?? ''
  const filter = { metadata: {}, ...(q && { q }) }
  const { documents } = await listDocuments(app, actorOf(visit), filter, { limit: MAX_DOCUMENTS, after: undefined })
  return {
    html: (
      <NewTemplatePage
        context={context}
        user={signedInUser(visit, '/templates')}
        clock={await clockOf(visit, context.language)}
        errors={errors}
        maxBytes={app.config.maxPdfBytes}
        maxFiles={MAX_FILES}
        documents={documents.map(({ document }) => document)}
        q={q}
      />
    ),
    status,
  }
}

async function make(visit: Visit, uploads: NamedUpload[]): Promise<string> {
  const input = { title: titleOfUploads(uploads), roles: [] }
  const { template, warnings } = await createTemplate(visit.app, input, uploads, originOf(visit))
  return `${draftPath(template, 'people')}${foundIn(warnings)}`
}

export const newTemplatePages: PageRoute[] = [
  { method: 'GET', path: PATH, access: 'sender', run: visit => show(visit) },
  uploadRoute({
    path: PATH,
    make,
    show: (visit, { reason }, text) => show(visit, [{ path: 'file', message: text }], ERROR_CODES[reason].status),
  }),
]
