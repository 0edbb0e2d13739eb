/** The page of people of a draft. Each button saves what was typed, then does its own part. */
import { DraftPeoplePage, nameOfRow, type PersonRow } from '../../../../views/drafting/draft-people.tsx'
import { contactByEmail, recentContacts } from '../../../accounts/contact-queries.ts'
import { type Document, isTemplate } from '../../../core/document/document.ts'
import type { DraftEdit } from '../../../core/draft/edit-draft.ts'
import type { RecipientRow } from '../../../core/draft/recipient-rows.ts'
import * as rowsOf from '../../../core/draft/recipient-rows.ts'
import { LANGUAGES, languageOf } from '../../../core/language.ts'
import { errorsIn } from '../../../core/refusal.ts'
import { SIGNING_ORDERS, type SigningOrder } from '../../../core/signing/routing.ts'
import { cleanLine, emailError, lineError, sameMailbox } from '../../../core/text.ts'
import type { ViolationCode } from '../../../core/violation.ts'
import type { NamedChange } from '../../../documents/draft/draft-version.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { mayHandOutLinks } from '../../../documents/signing/signing-link.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { SendingTexts } from '../../../locales/en/app/sending.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { actorOf } from '../documents/sender-visit.ts'
import { changesInWords, draftPath, saveDraft, versionOf } from './draft-access.ts'
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
  announcement?: string | undefined
  /** It was saved beside changes of others. */
  isMerged?: boolean
  /** The person whose removal needs a confirmation. */
  removing?: string | undefined
}

function storedRows({ recipients }: Document): RecipientRow[] {
  return recipients.map(({ id, name, email, role, order, locale, verify, deliverBy, deviceKey }) => ({
    ...rowsOf.blankRow(id, order),
    name,
    email,
    role,
    locale: locale ?? '',
    verify: verify ?? '',
    deliverBy,
    deviceKey: deviceKey ?? '',
  }))
}

function storedState(document: Document): Typed {
  return { title: undefined, signingOrder: document.signingOrder, rows: storedRows(document) }
}

async function show(visit: Visit, { document, version }: EditedDocument, state: PageState): Promise<PageResponse> {
  const { app, url, session } = visit
  const { language } = visit.organisation
  const isRoles = isTemplate(document)
  const { signingOrder, errors = [], changes } = state
  const { inPlace } = visit.form
  const rows = inPlace === 'version' ? [] : state.rows
  const { people: t, saving } = contextOf(visit, document, '').texts.sending
  const known = new Map(document.recipients.map(r => [r.id, r]))
  const shown = (row: RecipientRow): PersonRow => {
    const recipient = known.get(row.id)
    return { ...row, hasCode: recipient?.accessCodeHash !== undefined, fieldCount: recipient?.fields.length ?? 0 }
  }
  const isAdding = rows.length === 0 || state.adds
  const added = isAdding ? rowsOf.blankRow(app.newId(isRoles ? 'rol' : 'rcp'), rowsOf.nextOrder(rows)) : undefined
  return {
    html: (
      <DraftPeoplePage
        context={contextOf(visit, document, document.title, { errors: inWords(errors, t) })}
        draft={headOf({ document, version }, state.title)}
        isRoles={isRoles}
        rows={[...rows, ...(added ? [added] : [])].map(shown)}
        signingOrder={signingOrder}
        mayHandOut={!isRoles && (await mayHandOutLinks(app))}
        me={isRoles ? undefined : senderUnlessIn(visit, rows)}
        contacts={isRoles || inPlace !== undefined ? [] : await recentContacts(app.db, session?.user.id ?? '', MAX_COMPLETIONS)}
        languages={LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))}
        languageDefault={LANGUAGE_NAMES[languageOf(document.locale, language)]}
        notice={madeNotice(visit)}
        savedNotice={state.isMerged ? saving.merged : visit.noticeIn({ merged: saving.merged })}
        announcement={state.announcement}
        warnings={foundBy(url.searchParams, document)}
        conflict={changes && { changes }}
        removing={state.removing}
        focus={added?.id ?? state.focus}
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
      deviceKey: text('deviceKey'),
    })
  }
  return { title: form.title, rows, signingOrder: SIGNING_ORDERS.find(order => order === form.signingOrder) ?? 'parallel' }
}

interface Press {
  act: string
  id: string
  /** Of `place`: the place from 0. */
  place: number
}

/** The pressed button, such as `up:rcp_…` or `place:rcp_…:2`. */
function pressed({ form }: Visit): Press {
  const [act = '', id = '', place] = (form.do ?? '').split(':')
  return { act, id, place: Number(place) }
}

/** What was typed, after the button has done its part. */
async function arranged(visit: Visit, document: Document, typed: Typed): Promise<RecipientRow[]> {
  const newId = () => visit.app.newId(isTemplate(document) ? 'rol' : 'rcp')
  const isTyped = ({ id, email }: RecipientRow) => typed.rows.some(row => row.id === id && row.email === email)
  const split = rowsOf.splitRows(typed.rows, newId)
  // More than a page takes stay as they were typed.
  const isKept = isTemplate(document) || split.length > MAX_ROWS
  const people = isKept ? typed.rows : await completed(visit, split, row => !isTyped(row))
  const rows = rowsOf.sortRows(people, typed.signingOrder)
  const { act, id, place } = pressed(visit)
  const at = rows.findIndex(row => row.id === id)
  if (act === 'place') return rowsOf.placeRow(rows, id, place)
  if (act === 'up' || act === 'down') return rowsOf.placeRow(rows, id, act === 'up' ? at - 1 : at + 1)
  if (act === 'removeAll' || (act === 'remove' && !withFields(document).has(id))) return rows.filter(row => row.id !== id)
  return act === 'me' ? withSender(visit, document, rows, newId) : rows
}

const withFields = ({ recipients }: Document) => new Set(recipients.filter(r => r.fields.length > 0).map(r => r.id))

/** In the first empty row. */
function withSender(visit: Visit, document: Document, rows: RecipientRow[], newId: () => string): RecipientRow[] {
  const sender = senderUnlessIn(visit, rows)
  if (!sender) return rows
  const empty = rows.find(row => isEmpty(document, row))
  if (empty) return rows.map(row => (row === empty ? { ...row, ...sender } : row))
  return [...rows, { ...rowsOf.blankRow(newId(), rowsOf.nextOrder(rows)), ...sender }]
}

/** Rows that hold nothing are not saved. */
const isEmpty = (document: Document, row: RecipientRow) => rowsOf.isBlank(row) && !withFields(document).has(row.id)

/** Who is known by their address needs no name. `isChosen`: their language is taken too. */
export async function completed(
  { app, session }: Visit,
  rows: RecipientRow[],
  isChosen: (row: RecipientRow) => boolean = () => false,
): Promise<RecipientRow[]> {
  const userId = session?.user.id ?? ''
  const isKnown = (row: RecipientRow) => (cleanLine(row.name) === '' || isChosen(row)) && !emailError(row.email.trim())
  const found = await Promise.all(rows.filter(isKnown).map(row => contactByEmail(app.db, userId, row.email.trim())))
  const known = found.filter(contact => contact !== undefined)
  return rows.map(row => (isKnown(row) ? rowsOf.completeRow(row, known) : row))
}

/** What is left out when the rest is saved. */
function entryErrors({ title, rows, signingOrder }: Typed, t: PeopleTexts): ShownError[] {
  const ofRow = (row: RecipientRow): [member: string, message: string | false][] => [
    ['order', signingOrder === 'sequential' && rowsOf.orderOf(row) === undefined && t.orderWrong],
    ['email', rowsOf.isWrongEmail(row) && t.emailWrong],
    ['accessCode', rowsOf.isShortCode(row) && t.codeShort],
  ]
  return [
    ...(title === undefined ? [] : errorsIn([['title', lineError(title)]])),
    ...rows.flatMap((row, i) =>
      ofRow(row).flatMap(([member, message]) => (message ? [{ path: `recipients[${i}].${member}`, message }] : [])),
    ),
  ]
}

/** The errors of an edit, at the rows that it was made of. */
function atRows(errors: readonly ShownError[], rows: readonly RecipientRow[], saved: readonly RecipientRow[]): ShownError[] {
  const places = saved.map(row => rows.indexOf(row))
  return errors.map(error => ({
    ...error,
    path: error.path.replace(/^recipients\[(\d+)\]/, (_, index: string) => `recipients[${places[Number(index)]}]`),
  }))
}

/** Whether others changed only other parts. What goes with a person is asked about again. */
function isElsewhere(visit: Visit, changes: readonly NamedChange[], edit: DraftEdit): boolean {
  if (changes.length === 0 || pressed(visit).act === 'removeAll') return false
  return changes.every(({ path }) => !((path.split('/')[0] ?? '') in edit))
}

/** What was typed, and the people whom somebody else has added or changed meanwhile. */
function withTheirs(rows: RecipientRow[], document: Document, changes: readonly NamedChange[]): RecipientRow[] {
  const changed = new Set(changes.map(({ path }) => path))
  const typed = new Set(rows.map(({ id }) => id))
  return [...rows, ...storedRows(document).filter(({ id }) => changed.has(`recipients/${id}`) && !typed.has(id))]
}

export const post = (visit: Visit, draft: EditedDocument): Promise<PageResponse> => save(visit, draft, versionOf(visit))

/** `isMerged`: others have changed other parts meanwhile, which stay. */
async function save(visit: Visit, draft: EditedDocument, ifMatch: number | undefined, isMerged = false): Promise<PageResponse> {
  const press = pressed(visit)
  const { sending } = contextOf(visit, draft.document, '').texts
  const typed = typedIn(visit)
  const rows = await arranged(visit, draft.document, typed)
  const errors = entryErrors({ ...typed, rows }, sending.people)
  const filled = rows.filter(row => !isEmpty(draft.document, row))
  const edit = editOf({ ...typed, rows: filled })
  const result = await saveDraft(visit, draft, edit, ifMatch)
  const state = { ...typed, ...shownAfter(visit, typed.rows, rows, sending), rows }
  if ('errors' in result)
    return show(visit, draft, { ...state, errors: [...errors, ...atRows(result.errors, rows, filled)], status: result.status })
  if ('changes' in result) {
    const now = await kindOf(draft.document).load(visit.app, actorOf(visit), draft.document.id)
    if (!isMerged && isElsewhere(visit, result.changes, edit)) return save(visit, now, result.version, true)
    const changes = changesInWords(visit, now.document, result.changes)
    return show(visit, now, { ...state, rows: withTheirs(rows, now.document, result.changes), changes, status: 412 })
  }
  const shown = { ...state, errors, isMerged, status: errors.length > 0 ? 422 : 200 }
  if (press.act === 'remove' && rows.some(row => row.id === press.id))
    return show(visit, result.saved, { ...shown, removing: press.id })
  if (errors.length > 0) return show(visit, result.saved, shown)
  if (press.act === 'continue') return proceed(visit, result.saved, sending.people)
  // The script takes the rows in, or the version alone, and keeps the contacts.
  if (visit.form.inPlace !== undefined) return show(visit, result.saved, shown)
  return { redirect: `${draftPath(draft.document, 'people')}${afterwards(press, isMerged)}` }
}

function editOf({ title, signingOrder, rows }: Typed): DraftEdit {
  const isTitled = title !== undefined && lineError(title) === undefined
  return { ...(isTitled ? { title } : {}), signingOrder, recipients: rowsOf.recipientEdits(rows) }
}

/** Where the focus goes after the press of a button, and what is read out. */
function shownAfter(visit: Visit, before: readonly RecipientRow[], after: readonly RecipientRow[], t: SendingTexts) {
  const { act, id } = pressed(visit)
  const { announcements } = t.people
  const [was, is] = [before, after].map(rows => rows.findIndex(row => row.id === id)) as [number, number]
  const [gone, row] = [before[was], after[is]]
  if (act === 'add') return { adds: true, announcement: announcements.added }
  if (act === 'me') return { focus: after.find(({ email }) => sameMailbox(email, visit.session?.user.email ?? ''))?.id }
  if (gone && !row)
    return { focus: after[Math.min(was, after.length - 1)]?.id, announcement: announcements.removed(nameOfRow(gone, was, t)) }
  if (row && act !== 'remove')
    return { focus: id, announcement: announcements.moved(nameOfRow(row, is, t), is + 1, after.length) }
  const n = after.length - before.length + 1
  return n > 1 ? { announcement: announcements.split(n) } : {}
}

function afterwards({ act, id }: Press, isMerged: boolean): string {
  const query = new URLSearchParams({
    ...(act === 'add' ? { add: '1' } : {}),
    ...(act === 'up' || act === 'down' ? { focus: id } : {}),
    ...(isMerged ? { notice: 'merged' } : {}),
  })
  return query.size > 0 ? `?${query}` : ''
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
