/** The page of people of a draft. Each button saves what was typed, then does its own part. */
import { DraftPeoplePage, type PersonRow } from '../../../../views/drafting/draft-people.tsx'
import { contactByEmail, recentContacts } from '../../../accounts/contact-queries.ts'
import { type Document, isTemplate } from '../../../core/document/document.ts'
import type { RecipientRow } from '../../../core/draft/recipient-rows.ts'
import * as rowsOf from '../../../core/draft/recipient-rows.ts'
import { LANGUAGES, languageOf } from '../../../core/language.ts'
import { SIGNING_ORDERS, type SigningOrder } from '../../../core/signing/routing.ts'
import { cleanLine, emailError, sameMailbox } from '../../../core/text.ts'
import type { ViolationCode } from '../../../core/violation.ts'
import type { NamedChange } from '../../../documents/draft/draft-version.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { mayHandOutLinks } from '../../../documents/signing/signing-link.ts'
import type { ShownError } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { actorOf } from '../documents/sender-visit.ts'
import { changesInWords, draftPath, saveDraft } from './draft-access.ts'
import { contextOf, headOf, kindOf } from './draft-kind.ts'

const MAX_ROWS = 200
/** Contacts that a page offers. */
export const MAX_COMPLETIONS = 300

interface Typed {
  title: string | undefined
  signingOrder: SigningOrder
  rows: RecipientRow[]
}

interface PageState extends Typed {
  errors?: ShownError[]
  changes?: string[]
  status?: number
  focus?: string | undefined
  /** Adds an empty row. */
  adds?: boolean
  /** The person whose removal needs a confirmation. */
  removing?: string | undefined
}

function storedRows({ recipients }: Document): RecipientRow[] {
  return recipients.map(({ id, name, email, role, order, locale, verify, deliverBy }) => ({
    ...rowsOf.blankRow(id, order),
    name,
    email,
    role,
    locale: locale ?? '',
    verify: verify ?? '',
    deliverBy,
  }))
}

function storedState(document: Document): Typed {
  return { title: undefined, signingOrder: document.signingOrder, rows: storedRows(document) }
}

async function show(visit: Visit, { document, version }: EditedDocument, state: PageState): Promise<PageResponse> {
  const { app, url, session } = visit
  const { language } = visit.organisation
  const isRoles = isTemplate(document)
  const { rows, signingOrder, errors = [], changes } = state
  const { people: t } = contextOf(visit, document, '').texts.sending
  const known = new Map(document.recipients.map(r => [r.id, r]))
  const shown = (row: RecipientRow): PersonRow => {
    const recipient = known.get(row.id)
    return { ...row, hasCode: recipient?.accessCodeHash !== undefined, fieldCount: recipient?.fields.length ?? 0 }
  }
  const nextOrder = Math.max(0, ...rows.map(row => rowsOf.orderOf(row) ?? 0)) + 1
  const added = rows.length === 0 || state.adds ? rowsOf.blankRow(app.newId(isRoles ? 'rol' : 'rcp'), nextOrder) : undefined
  return {
    html: (
      <DraftPeoplePage
        context={contextOf(visit, document, document.title, { errors: inWords(errors, t) })}
        draft={headOf({ document, version }, state.title)}
        isRoles={isRoles}
        rows={[...rows, ...(added ? [added] : [])].map(shown)}
        blank={shown(rowsOf.blankRow('', nextOrder))}
        signingOrder={signingOrder}
        mayHandOut={!isRoles && (await mayHandOutLinks(app))}
        me={isRoles ? undefined : senderUnlessIn(visit, rows)}
        contacts={isRoles ? [] : await recentContacts(app.db, session?.user.id ?? '', MAX_COMPLETIONS)}
        languages={LANGUAGES.map(value => ({ value, text: catalogueOf(value).name }))}
        languageDefault={catalogueOf(languageOf(document.locale, language)).name}
        notice={madeNotice(visit)}
        warnings={foundBy(url.searchParams, document)}
        conflict={changes && { changes }}
        removing={state.removing}
        focus={errors.length > 0 ? undefined : (added?.id ?? state.focus)}
      />
    ),
    status: state.status ?? 200,
  }
}

const MAX_FOUND = 30

/** As `foundIn` writes them. */
function foundBy(query: URLSearchParams, { files = [] }: Document): { code: string; files: string[] }[] {
  const found = query.get('found')?.split(',', MAX_FOUND) ?? []
  return found.map(each => {
    const [code = '', ...indices] = each.split('.')
    return { code, files: indices.flatMap(index => files[Number(index)]?.fileName ?? []) }
  })
}

/** A document was just made into a template. */
function madeNotice(visit: Visit): string | undefined {
  const { created, createdByLink } = visit.texts.templates.notices
  return visit.noticeIn({ created, createdByLink })
}

function senderUnlessIn({ session }: Visit, rows: readonly RecipientRow[]): { name: string; email: string } | undefined {
  const { name = '', email = '' } = session?.user ?? {}
  return rows.some(row => sameMailbox(row.email.trim(), email)) ? undefined : { name, email }
}

type PeopleTexts = ReturnType<Visit['context']>['texts']['sending']['people']

/** The usual errors of this page have texts of their own. */
export function inWords(errors: readonly ShownError[], t: PeopleTexts): ShownError[] {
  const own: Partial<Record<ViolationCode, string>> = {
    not_an_email: t.emailWrong,
    mailbox_of_recipient: t.emailTwice,
    verify_beside_link: t.verifyByLink,
    verify_beside_access_code: t.verifyTwice,
    access_code_too_short: t.codeShort,
  }
  return errors.map((error): ShownError => {
    const message = error.code && own[error.code]
    return message === undefined ? error : { path: error.path, message }
  })
}

function typedIn({ form }: Visit): Typed {
  const rows: RecipientRow[] = []
  for (let i = 0; i < MAX_ROWS && form[`recipients[${i}].id`] !== undefined; i++) {
    const text = (member: string) => form[`recipients[${i}].${member}`] ?? ''
    rows.push({
      id: text('id'),
      name: text('name'),
      email: text('email'),
      role: text('role'),
      order: text('order') || String(i + 1),
      locale: LANGUAGES.find(language => language === text('locale')) ?? '',
      accessCode: text('accessCode'),
      removesCode: text('removesCode') === 'on',
      verify: text('verify'),
      deliverBy: text('deliverBy'),
    })
  }
  return { title: form.title, rows, signingOrder: SIGNING_ORDERS.find(order => order === form.signingOrder) ?? 'parallel' }
}

/** The pressed button, such as `up:rcp_…`. */
function pressed({ form }: Visit): { act: string; id: string } {
  const [act = '', id = ''] = (form.do ?? '').split(':')
  return { act, id }
}

/** What was typed, after the button has done its part. */
async function arranged(visit: Visit, document: Document, { rows, signingOrder }: Typed): Promise<RecipientRow[]> {
  const { act, id } = pressed(visit)
  const newId = () => visit.app.newId(isTemplate(document) ? 'rol' : 'rcp')
  const withFields = new Set(document.recipients.filter(r => r.fields.length > 0).map(r => r.id))
  const filled = rows.filter(row => !rowsOf.isBlank(row) || withFields.has(row.id))
  const people = isTemplate(document) ? filled : await completed(visit, rowsOf.splitRows(filled, newId))
  const sorted = rowsOf.sortRows(people, signingOrder)
  if (act === 'up' || act === 'down') return rowsOf.moveRow(sorted, id, act === 'up' ? -1 : 1)
  if (act === 'removeAll' || (act === 'remove' && !withFields.has(id))) return sorted.filter(row => row.id !== id)
  if (act !== 'me') return sorted
  const { name = '', email = '' } = visit.session?.user ?? {}
  return [...sorted, { ...rowsOf.blankRow(newId(), sorted.length + 1), name, email }]
}

/** A person who is known by their address needs no name. */
export async function completed({ app, session }: Visit, rows: RecipientRow[]): Promise<RecipientRow[]> {
  const userId = session?.user.id
  const unnamed = userId === undefined ? [] : rows.filter(row => cleanLine(row.name) === '' && !emailError(row.email.trim()))
  const found = await Promise.all(unnamed.map(row => contactByEmail(app.db, userId ?? '', row.email.trim())))
  const known = found.filter(contact => contact !== undefined)
  return rows.map(row => rowsOf.completeRow(row, known))
}

function orderErrors({ rows, signingOrder }: Typed, t: PeopleTexts): ShownError[] {
  if (signingOrder === 'parallel') return []
  return rows.flatMap((row, i) =>
    rowsOf.orderOf(row) === undefined ? [{ path: `recipients[${i}].order`, message: t.orderWrong }] : [],
  )
}

/** What was typed, and the people whom somebody else has added or changed meanwhile. */
function withTheirs(rows: RecipientRow[], document: Document, changes: readonly NamedChange[]): RecipientRow[] {
  const changed = new Set(changes.map(({ path }) => path))
  const typed = new Set(rows.map(({ id }) => id))
  return [...rows, ...storedRows(document).filter(({ id }) => changed.has(`recipients/${id}`) && !typed.has(id))]
}

export async function post(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { act, id } = pressed(visit)
  const t = contextOf(visit, draft.document, '').texts.sending.people
  const typed = typedIn(visit)
  const wrongOrders = orderErrors(typed, t)
  if (wrongOrders.length > 0) return show(visit, draft, { ...typed, errors: wrongOrders, status: 422 })
  const rows = await arranged(visit, draft.document, typed)
  const state = { ...typed, rows, adds: act === 'add' }
  const { title, signingOrder } = typed
  const recipients = rowsOf.recipientEdits(rows)
  const result = await saveDraft(visit, draft, { ...(title === undefined ? {} : { title }), signingOrder, recipients })
  if ('errors' in result) return show(visit, draft, { ...state, ...result })
  if ('changes' in result) {
    const now = await kindOf(draft.document).load(visit.app, actorOf(visit), draft.document.id)
    const changes = changesInWords(visit, now.document, result.changes)
    return show(visit, now, { ...state, rows: withTheirs(rows, now.document, result.changes), changes, status: 412 })
  }
  if (act === 'remove' && rows.some(row => row.id === id))
    return show(visit, result.saved, { ...state, removing: id, status: 422 })
  if (act === 'continue') return proceed(visit, result.saved, t)
  return { redirect: `${draftPath(draft.document, 'people')}${afterwards(act, id)}` }
}

function afterwards(act: string, id: string): string {
  if (act === 'add') return '?add=1'
  return act === 'up' || act === 'down' ? `?focus=${encodeURIComponent(id)}` : ''
}

/** Everything is saved. The next page follows when each person has a name and an address. */
async function proceed(visit: Visit, saved: EditedDocument, t: PeopleTexts): Promise<PageResponse> {
  const { recipients } = saved.document
  const errors = recipients.flatMap(({ name, email }, i) => [
    ...(name === '' ? [{ path: `recipients[${i}].name`, message: t.nameMissing }] : []),
    ...(email === '' && !isTemplate(saved.document) ? [{ path: `recipients[${i}].email`, message: t.emailMissing }] : []),
  ])
  if (recipients.length === 0) errors.push({ path: 'recipients[0].name', message: t.nobody })
  if (errors.length === 0) return { redirect: draftPath(saved.document, 'fields') }
  return show(visit, saved, { ...storedState(saved.document), errors, status: 422 })
}

export async function get(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { add, focus } = visit.query
  const state = { adds: add !== undefined, focus }
  return show(visit, draft, { ...storedState(draft.document), ...state })
}
