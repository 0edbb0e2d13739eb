/** The list of templates, and the page on which one is made. */
import { listAddress } from '../../../../views/parts/list.tsx'
import { NewTemplatePage, type TemplateRow, TemplatesPage } from '../../../../views/templates/templates.tsx'
import { userById } from '../../../accounts/queries.ts'
import type { Document } from '../../../core/document/document.ts'
import { TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { PAGE_SIZE } from '../../../core/service-limits.ts'
import { MAX_FILES, type NamedUpload } from '../../../documents/files/store-files.ts'
import { listDocuments } from '../../../documents/lists/list-queries.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { Actor, App } from '../../../ports.ts'
import { createTemplate } from '../../../templates/create.ts'
import { mayChange } from '../../../templates/edit.ts'
import { lastUses, listTemplates } from '../../../templates/queries.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { mayOpen } from '../../frame/page-access.ts'
import { idIn, searchIn } from '../../frame/query.ts'
import { actorOf, originOf } from '../documents/sender-visit.ts'
import { draftPath } from '../drafting/draft-access.ts'
import { foundIn } from '../drafting/new-document.tsx'
import { titleOfUploads } from '../drafting/upload-routes.ts'

/** What the page of a template and its row say about it beside itself. */
export async function aboutTemplates(visit: Visit, templates: readonly Document[]): Promise<TemplateRow[]> {
  const { app } = visit
  const actor = actorOf(visit)
  const names = await ownerNames(app, templates)
  const uses = await lastUses(
    app.db,
    templates.map(({ id }) => id),
  )
  return templates.map(template => ({
    template,
    may: actsOf(actor, template, mayOpen(visit, 'sender')),
    isOwn: template.ownerId !== undefined && template.ownerId === actor.userId,
    ownerName: names.get(template.ownerId) ?? '',
    usedAt: uses.get(template.id),
  }))
}

/** Who reads templates may not all use them: auditors change nothing. */
function actsOf(actor: Actor, template: Document, isSender: boolean) {
  return { use: isSender, change: isSender && mayChange(actor, template) }
}

async function ownerNames({ db }: App, templates: readonly Document[]): Promise<Map<string | undefined, string>> {
  const ids = [...new Set(templates.flatMap(({ ownerId }) => ownerId ?? []))]
  const owners = await Promise.all(ids.map(id => userById(db, id)))
  return new Map(owners.flatMap(owner => (owner ? [[owner.id, owner.name]] : [])))
}

export async function list(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const context = visit.context(visit.texts.templates.title)
  const q = searchIn(visit)
  const after = idIn(visit.query, 'after', 'tpl')
  const page = await listTemplates(app, actorOf(visit), q === '' ? {} : { q }, { limit: PAGE_SIZE, after })
  const next = page.next && listAddress(TEMPLATES_PATH, { q }, page.next)
  const rows = await aboutTemplates(
    visit,
    page.templates.map(({ document }) => document),
  )
  const notice = visit.noticeIn(visit.texts.templates.notices)
  return { html: <TemplatesPage context={context} rows={rows} q={q} next={next} notice={notice} /> }
}

// The page on which a template is made: from PDFs, or from one of the newest documents.

const MAX_DOCUMENTS = 10

export async function newTemplatePage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app } = visit
  const context = visit.context(visit.texts.templates.make.title, { errors })
  const q = searchIn(visit)
  const filter = { metadata: {}, ...(q && { q }) }
  const { documents } = await listDocuments(app, actorOf(visit), filter, { limit: MAX_DOCUMENTS, after: undefined })
  return {
    html: (
      <NewTemplatePage
        context={context}
        maxBytes={app.config.maxPdfBytes}
        maxFiles={MAX_FILES}
        documents={documents.map(({ document }) => document)}
        q={q}
      />
    ),
    status,
  }
}

export async function makeTemplate(visit: Visit, uploads: NamedUpload[]): Promise<string> {
  const input = { title: titleOfUploads(uploads), roles: [] }
  const { template, warnings } = await createTemplate(visit.app, input, uploads, originOf(visit))
  return `${draftPath(template, 'people')}${foundIn(warnings)}`
}
