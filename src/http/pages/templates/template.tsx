/** The page of one template, and what its buttons do. */
import { type FieldPlace, type RoleWords, TemplatePage } from '../../../../views/templates/template.tsx'
import { visibleTo } from '../../../batches/batches.ts'
import { listBatches } from '../../../batches/queries.ts'
import { type Document, fileNamesOf, type Recipient } from '../../../core/document/document.ts'
import type { Field } from '../../../core/field/field.ts'
import { languageOf } from '../../../core/language.ts'
import { TEMPLATES_PATH } from '../../../core/page-paths.ts'
import type { Refusal } from '../../../core/refusal.ts'
import { isMailed } from '../../../core/signing/routing.ts'
import { checkTemplate } from '../../../core/template/template.ts'
import { showPlaceholders } from '../../../core/template/template-texts.ts'
import { originalOf } from '../../../documents/files/named-file.ts'
import type { NamedUpload } from '../../../documents/files/store-files.ts'
import { loadCached } from '../../../documents/record.ts'
import type { ShownError } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import { createTemplateFrom, duplicateTemplate } from '../../../templates/create.ts'
import { deleteTemplate, editTemplate, loadTemplate, replaceTemplateFile } from '../../../templates/edit.ts'
import { signingAssets } from '../../assets.ts'
import { ERROR_CODES } from '../../error-codes.ts'
import { fileResponse } from '../../file-response.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { contextOf } from '../drafting/draft-kind.ts'
import { fieldsInWords, findingsInWords } from '../drafting/review-words.ts'
import { aboutTemplates } from './templates.tsx'

const MAX_BATCHES = 3
const pathOf = (id: string) => `${TEMPLATES_PATH}/${id}`

interface PageState {
  errors?: ShownError[]
  open?: string
  status?: number
}

export async function show(visit: Visit, state: PageState = {}): Promise<PageResponse> {
  const { app } = visit
  const template = await loadTemplate(app.db, actorOf(visit), idOf(visit), 'use')
  const [about] = await aboutTemplates(visit, [template])
  if (!about) throw new Error('a template has its row')
  const context = contextOf(visit, template, showPlaceholders(template.title), state)
  const { sending, templates } = context.texts
  const { blocking, warnings } = checkTemplate(template, app.now())
  const notices: Record<string, string> = templates.notices
  const props = {
    ...about,
    context,
    file: templates.page.file(fileNamesOf(template), template.pageCount),
    roles: template.recipients.map(role => roleInWords(role, template, context.texts)),
    sender: senderInWords(template, context.texts),
    boxes: boxesOf(template, context.texts.sending.fields.types),
    blocking: findingsInWords(template, blocking, sending),
    warnings: findingsInWords(template, warnings, sending),
    viewer: { pdfjsUrl: signingAssets().pdfjsUrl, texts: catalogueOf(context.language).signer.view },
    maxBytes: app.config.maxPdfBytes,
    notice: visit.noticeIn(notices),
    open: state.open ?? visit.query.open,
    batches: await listBatches(
      app.db,
      { ...visibleTo(actorOf(visit)), templateId: template.id },
      { limit: MAX_BATCHES, after: undefined },
    ),
  }
  return { html: <TemplatePage {...props} />, status: state.status ?? 200, isScripted: true }
}

type Texts = Visit['texts']

function roleInWords(
  { id, name, role, order, locale, fields }: Recipient,
  template: Document,
  { templates, sending }: Texts,
): RoleWords {
  const { page } = templates
  const does = [
    page.does[role] ?? role,
    ...(template.signingOrder === 'sequential' && template.recipients.length > 1 ? [page.inTurn(order)] : []),
    ...(locale === undefined ? [] : [LANGUAGE_NAMES[languageOf(locale)]]),
  ]
  const names = namesOf(fields, sending.fields.types)
  return { id, name: name || '–', does: does.join(' · '), fields: fieldsInWords(fields, sending.review), names }
}

function senderInWords({ senderFields }: Document, { templates, sending }: Texts): RoleWords | undefined {
  if (senderFields.length === 0) return undefined
  const names = namesOf(senderFields, sending.fields.types)
  const fields = fieldsInWords(senderFields, sending.review)
  return { id: 'sender', name: templates.page.senderFields, does: '', fields, names }
}

type Kinds = Record<string, string>

/** How the sender named the field, or else its kind. */
const wordsOf = ({ label, name, type }: Field, kinds: Kinds) => label ?? name ?? kinds[type] ?? type

/** Fields of the same name are named once, with their number. */
function namesOf(fields: readonly Field[], kinds: Kinds): string[] {
  const groups = Map.groupBy(fields, field => wordsOf(field, kinds))
  return [...groups].map(([words, { length }]) => (length === 1 ? words : `${words} (${length})`))
}

function boxesOf({ recipients, senderFields }: Document, kinds: Kinds): FieldPlace[] {
  const of = (field: Field, index: number | undefined): FieldPlace[] => {
    const places = field.boxes.length > 0 ? field.boxes : [field]
    return places.map(({ page, x, y, width, height }, i) => {
      return { page, x, y, width, height, text: field.options[field.boxes.length > 0 ? i : -1] ?? wordsOf(field, kinds), index }
    })
  }
  return [
    ...recipients.flatMap((role, i) => role.fields.flatMap(field => of(field, i))),
    ...senderFields.flatMap(field => of(field, undefined)),
  ]
}

const back = (visit: Visit, notice: string): PageResponse => ({ redirect: `${pathOf(idOf(visit))}?notice=${notice}` })

export async function postShare(visit: Visit): Promise<PageResponse> {
  const shared = visit.form.shared === 'yes'
  await editTemplate(visit.app, idOf(visit), { shared }, { origin: originOf(visit) })
  return back(visit, shared ? 'shared' : 'unshared')
}

export async function postDuplicate(visit: Visit): Promise<PageResponse> {
  const { template } = await duplicateTemplate(visit.app, idOf(visit), originOf(visit), visit.texts.templates.copyTitle)
  return { redirect: `${pathOf(template.id)}?notice=duplicated` }
}

export async function postDelete(visit: Visit): Promise<PageResponse> {
  await deleteTemplate(visit.app, idOf(visit), originOf(visit))
  return { redirect: `${TEMPLATES_PATH}?notice=deleted` }
}

/** Asked for in the menu of a document, and on the page of a new template. */
export async function postFromDocument(visit: Visit): Promise<PageResponse> {
  const { roles } = visit.texts.templates
  const { document } = await loadCached(visit.app.db, actorOf(visit), idOf(visit))
  const { template } = await createTemplateFrom(visit.app, idOf(visit), originOf(visit), roles)
  const notice = document.recipients.every(isMailed) ? 'created' : 'createdByLink'
  return { redirect: `${pathOf(template.id)}/people?notice=${notice}` }
}

export async function replace(visit: Visit, uploads: NamedUpload[]): Promise<string> {
  const options = { origin: originOf(visit), dropsFields: visit.form.dropsFields === 'on' }
  await replaceTemplateFile(visit.app, idOf(visit), uploads, options)
  return `${pathOf(idOf(visit))}?notice=replaced`
}

/** Names the fields that the new file has no page for. They are removed if a person says so. */
export async function replaceRefused(visit: Visit, { reason, details }: Refusal, text: string): Promise<PageResponse> {
  const template = await loadTemplate(visit.app.db, actorOf(visit), idOf(visit), 'change')
  const { status } = ERROR_CODES[reason]
  const lost = new Set(details.flatMap(({ path }) => /^fields\/(fld_\w+)$/.exec(path)?.[1] ?? []))
  const { texts } = contextOf(visit, template, '')
  const all = [
    ...template.recipients.flatMap(({ name, fields }) => fields.map(field => ({ field, name }))),
    ...template.senderFields.map(field => ({ field, name: texts.templates.page.senderFields })),
  ]
  const errors = all.flatMap(({ field, name }) =>
    lost.has(field.id)
      ? [
          {
            path: `lost.${field.id}`,
            message: texts.templates.page.lost(wordsOf(field, texts.sending.fields.types), name, field.page),
          },
        ]
      : [],
  )
  return show(visit, { open: 'replace', errors: errors.length > 0 ? errors : [{ path: 'file', message: text }], status })
}

export const action = (path: string, run: (visit: Visit) => Promise<PageResponse>): PageRoute => ({
  method: 'POST',
  path,
  access: 'sender',
  run,
})

export async function getFile(visit: Visit): Promise<PageResponse> {
  const template = await loadTemplate(visit.app.db, actorOf(visit), idOf(visit), 'use')
  return { response: await fileResponse(visit.app, visit.request, originalOf(template)) }
}
