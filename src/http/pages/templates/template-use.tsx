/** The first page of using a template: its entries make a draft. The draft's review follows. */
import { TemplateUsePage } from '../../../../views/templates/template-use.tsx'
import { recentContacts } from '../../../accounts/contact-queries.ts'
import type { Document } from '../../../core/document/document.ts'
import { LANGUAGES, languageOf } from '../../../core/language.ts'
import { DOCUMENTS_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { checkTemplate } from '../../../core/template/template.ts'
import { type TemplateUse, useOfDraft } from '../../../core/template/template-draft.ts'
import { showPlaceholders } from '../../../core/template/template-texts.ts'
import { emailError } from '../../../core/text.ts'
import { createDeps } from '../../../documents/draft/create.ts'
import { DraftChangedError } from '../../../documents/draft/draft-version.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { loadCached } from '../../../documents/record.ts'
import { mayHandOutLinks } from '../../../documents/signing/signing-link.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import type { App } from '../../../ports.ts'
import { loadTemplate } from '../../../templates/edit.ts'
import { changeUse, createDocumentFrom, MadeBeforeError, unfittingValues, validDocumentFrom } from '../../../templates/use.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { idIn } from '../../frame/query.ts'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { changesInWords, versionOf } from '../drafting/draft-access.ts'
import { DOCUMENT } from '../drafting/draft-kind.ts'
import { completed, inWords, MAX_COMPLETIONS } from '../drafting/draft-people.tsx'
import {
  blankEntries,
  entriesOf,
  firstErrors,
  pagePath,
  rowsOf,
  typedEntries,
  type UseEntries,
  unclearNumbers,
  useOf,
} from './use-form.ts'

const TOKEN = /^[\w-]{22}$/
const newToken = ({ random }: App) => Buffer.from(random(16)).toString('base64url')

interface PageState {
  /** Names the form: one that is sent again leads to the document it made. */
  token: string
  entries: UseEntries
  /** What was made from the entries before. */
  draft?: EditedDocument | undefined
  errors?: ShownError[]
  changes?: string[]
  status?: number
}

async function show(visit: Visit, template: Document, state: PageState): Promise<PageResponse> {
  const { app, session } = visit
  const { language } = visit.organisation
  const { id } = template
  const title = showPlaceholders(template.title)
  const { entries, draft, token, errors = [], changes } = state
  const { roles, senderValues } = rowsOf(template, entries)
  const nameOfLanguage = (locale: string | undefined) => LANGUAGE_NAMES[languageOf(locale ?? template.locale, language)]
  const context = visit.context(visit.texts.templates.use.title(title), { errors })
  return {
    html: (
      <TemplateUsePage
        context={context}
        template={{ id, title }}
        token={token}
        draft={draft && { id: draft.document.id, version: draft.version }}
        roles={roles.map((row, i) => ({
          ...row,
          hasCode: draft?.document.recipients[i]?.accessCodeHash !== undefined,
          languageDefault: nameOfLanguage(template.recipients[i]?.locale),
        }))}
        senderValues={senderValues}
        mayHandOut={await mayHandOutLinks(app)}
        me={ownMailbox(visit)}
        contacts={await recentContacts(app.db, session?.user.id ?? '', MAX_COMPLETIONS)}
        languages={LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))}
        changes={changes}
      />
    ),
    status: state.status ?? 200,
  }
}

/** Leads from an unfinished template to its page, which shows what it lacks. */
async function withTemplate(visit: Visit, answer: (template: Document) => Promise<PageResponse>): Promise<PageResponse> {
  const template = await loadTemplate(visit.app.db, actorOf(visit), idOf(visit), 'use')
  const { blocking } = checkTemplate(template, visit.app.now())
  return blocking.length > 0 ? { redirect: `${TEMPLATES_PATH}/${template.id}` } : answer(template)
}

export async function get(visit: Visit): Promise<PageResponse> {
  return withTemplate(visit, async template => {
    const id = idIn(visit.query, 'document', 'doc')
    if (id === undefined)
      return show(visit, template, {
        token: newToken(visit.app),
        entries: blankEntries(template, visit.language, visit.session?.user),
      })
    const draft = await loadCached(visit.app.db, actorOf(visit), id)
    if (!DOCUMENT.isOpen(draft.document)) return { redirect: DOCUMENT.closed(id) }
    const use = useOfDraft(template, draft.document)
    if (use === undefined) return { redirect: `${DOCUMENTS_PATH}/${id}/people` }
    return show(visit, template, { token: newToken(visit.app), draft, entries: entriesOf(template, use, visit.language) })
  })
}

export async function post(visit: Visit): Promise<PageResponse> {
  return withTemplate(visit, async template => {
    const typed = typedEntries(template, visit.form)
    const entries = { ...typed, people: await completed(visit, typed.people) }
    const id = idIn(visit.form, 'document', 'doc')
    const draft = id === undefined ? undefined : await loadCached(visit.app.db, actorOf(visit), id)
    if (draft && !DOCUMENT.isOpen(draft.document)) return { redirect: DOCUMENT.closed(draft.document.id) }
    const state: PageState = {
      token: TOKEN.exec(visit.form.token ?? '')?.[0] ?? newToken(visit.app),
      entries,
      draft: draft && { ...draft, version: versionOf(visit) ?? draft.version },
    }
    const [act, roleId] = (visit.form.do ?? '').split(':')
    if (act === 'me') return show(visit, template, { ...state, entries: fillWithMe(visit, entries, roleId) })
    return proceed(visit, template, state)
  })
}

function ownMailbox({ session }: Visit): { name: string; email: string } {
  const { name = '', email = '' } = session?.user ?? {}
  return { name, email }
}

function fillWithMe(visit: Visit, entries: UseEntries, roleId: string | undefined): UseEntries {
  const me = ownMailbox(visit)
  return { ...entries, people: entries.people.map(row => (row.id === roleId ? { ...row, ...me } : row)) }
}

async function proceed(visit: Visit, template: Document, state: PageState): Promise<PageResponse> {
  const use = useOf(template, state.entries, visit.language)
  const unclear = unclearNumbers(template, state.entries, visit.language)
  const errors = [...(await errorsOf(visit, template, use)), ...unclear]
  if (errors.length > 0) return show(visit, template, { ...state, errors, status: 422 })
  try {
    const document = await makeDraft(visit, template, use, state)
    return { redirect: `${DOCUMENTS_PATH}/${document.id}/review?from=${template.id}` }
  } catch (error) {
    if (error instanceof MadeBeforeError) return proceedWith(visit, template, state, error)
    if (!(error instanceof DraftChangedError) || !state.draft) throw error
    const changes = changesInWords(visit, state.draft.document, error.changes)
    return show(visit, template, { ...state, draft: { ...state.draft, version: error.version }, changes, status: 412 })
  }
}

/** The form was sent before, perhaps with other entries: they are for the same draft. */
async function proceedWith(visit: Visit, template: Document, state: PageState, { documentId, version }: MadeBeforeError) {
  const draft = await loadCached(visit.app.db, actorOf(visit), documentId)
  if (!DOCUMENT.isOpen(draft.document)) return { redirect: DOCUMENT.closed(documentId) }
  return proceed(visit, template, { ...state, draft: { ...draft, version } })
}

async function makeDraft(
  visit: Visit,
  template: Document,
  use: TemplateUse,
  { draft, entries, token }: PageState,
): Promise<Document> {
  const { app } = visit
  const origin = originOf(visit)
  if (!draft) {
    return (await createDocumentFrom(app, template.id, use, origin, { send: false, form: token })).document
  }
  const withoutCode = entries.people.flatMap(({ id, removesCode }) => (removesCode ? [id] : []))
  const options = { ifMatch: draft.version, origin, withoutCode }
  return (await changeUse(app, template.id, draft.document.id, use, options)).document
}

/** Everything that is wrong, beside its entry. */
async function errorsOf(visit: Visit, template: Document, use: TemplateUse): Promise<ShownError[]> {
  const { people, review } = visit.texts.sending
  const missing = use.recipients.flatMap(({ name, email }, i) => {
    const who = template.recipients[i]?.name ?? ''
    const word = (code: string) => review.findings[code]?.({ who, other: '', page: '', suggestion: '' }) ?? ''
    const emailCode = email === '' ? 'email_missing' : emailError(email) && 'email_invalid'
    return [
      ...(name === '' ? [{ path: `recipients[${i}].name`, message: word('name_missing') }] : []),
      ...(emailCode ? [{ path: `recipients[${i}].email`, message: word(emailCode) }] : []),
    ]
  })
  return firstErrors([...missing, ...inWords(await refusedIn(visit, template, use), people)])
}

async function refusedIn({ app }: Visit, template: Document, use: TemplateUse): Promise<ShownError[]> {
  const onPage = (error: ShownError) => ({ ...error, path: pagePath(template, error.path) })
  try {
    validDocumentFrom(template, use, createDeps(app))
    return (await unfittingValues(app, template, use)).map(onPage)
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    return errorsOfRefusal(error, 'main').map(onPage)
  }
}
