/**
 * Verifies `audit.json` of an evidence pack: each member against its chained entry, and the chain.
 */
import { canonicalJson, chainHash, commitment } from '../../core/document/audit-chain.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../../core/document/document-members.ts'
import { type Json, presentType } from '../../core/document/event.ts'
import { differencesFrom, isJsonObject, type JsonObject } from '../../core/document/logged-facts.ts'
import { FIELD_MEMBERS } from '../../core/field/field.ts'
import type { Kind, Members } from '../../core/members.ts'
import { maySign, type Role } from '../../core/signing/routing.ts'
import { sameMailbox } from '../../core/text.ts'
import { isSha256Hex, sha256Hex } from '../../lib/token.ts'
import { PackError } from './open-pack.ts'
import type { PackCheck, PackPerson } from './report.ts'

// The form of `document` in audit.json: its members, which are those of the API's `Document`, and
// their types. Most of them are proven by the log; for the others, the form is all there is.

interface FormProblems {
  /** Paths of members of another type, such as `recipients[0].fields[1].x`. */
  wrong: string[]
  /** Paths of members that this release does not know. */
  unknown: string[]
}

/** Adds what is wrong with the value at the path. */
type Form = (value: unknown, path: string, found: FormProblems) => void

const valueThat =
  (isRight: (value: unknown) => boolean): Form =>
  (value, path, { wrong }) => {
    if (!isRight(value)) wrong.push(path)
  }

const matching = (pattern: RegExp) => valueThat(value => typeof value === 'string' && pattern.test(value))

const text = matching(/^/)
const flag = valueThat(value => typeof value === 'boolean')
const number = valueThat(Number.isFinite)
const whole = valueThat(Number.isSafeInteger)
const time = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const sha256 = valueThat(isSha256Hex)

/** Or null. */
const optional =
  (form: Form): Form =>
  (value, path, found) => {
    if (value !== null) form(value, path, found)
  }

const list =
  (form: Form): Form =>
  (value, path, found) => {
    if (Array.isArray(value)) for (const [i, item] of value.entries()) form(item, `${path}[${i}]`, found)
    else found.wrong.push(path)
  }

/** An object. `formOf`: of the member with a name; undefined for one that is not known. */
const object =
  (formOf: (name: string) => Form | undefined): Form =>
  (value, path, found) => {
    if (!isJsonObject(value)) {
      found.wrong.push(path)
      return
    }
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      const form = formOf(name)
      if (form) form(member, inner, found)
      else found.unknown.push(inner)
    }
  }

const members = (forms: Readonly<Record<string, Form>>) => object(name => (Object.hasOwn(forms, name) ? forms[name] : undefined))

const AREA = { page: whole, x: number, y: number, width: number, height: number }

const CHOICE = members({ value: text, ...AREA })

const FORMS: Partial<Record<Kind, Form>> = {
  line: text,
  text,
  flag,
  number,
  whole,
  'one of': text,
  'some of': list(text),
  time,
}

/** Of the plain members of a table. */
function formsOf(table: Members): Record<string, Form> {
  const forms = Object.entries(table).flatMap(([name, { is, isOptional }]) => {
    const form = FORMS[is]
    return form ? [[name, isOptional ? optional(form) : form]] : []
  })
  return Object.fromEntries(forms)
}

const FIELD = members({
  ...{ id: text, type: text },
  ...formsOf(FIELD_MEMBERS),
  showIf: optional(members({ field: text, is: text })),
  options: list((value, path, found) => (typeof value === 'string' ? undefined : CHOICE(value, path, found))),
  ...{ maxBytes: whole, rule: flag },
  file: optional(members({ fileName: text, mediaType: text, bytes: whole, sha256 })),
  covers: list(members(AREA)),
})

const RECIPIENT = members({
  id: text,
  ...formsOf(RECIPIENT_MEMBERS),
  ...formsOf(RECIPIENT_STATE),
  ...{ hasAccessCode: flag, codeLocked: flag },
  fields: list(FIELD),
})

/** Releases before wrote fewer members. */
const DOCUMENT = members({
  ...{ id: text, status: text },
  ...formsOf(DRAFT_MEMBERS),
  ...formsOf(DOCUMENT_STATE),
  reminders: optional(members({ firstAfterDays: whole, everyDays: whole, max: whole })),
  ...{ metadata: object(() => text), labels: list(text), heldSince: optional(time) },
  sha256: members({ original: sha256, sealed: optional(sha256) }),
  files: list(members({ fileName: text, sha256, pageCount: whole })),
  senderFields: list(FIELD),
  recipients: list(RECIPIENT),
})

export function documentFormProblems(document: unknown): FormProblems {
  const found: FormProblems = { wrong: [], unknown: [] }
  DOCUMENT(document, '', found)
  return found
}

// Events against their entries, and the chain.

/** An event whose members were compared with its entry. */
export interface PackEvent {
  sequence: number
  id: string
  type: string
  at: string
  recipientId: string | null
  actor: string
  data: JsonObject
  personal: JsonObject | null
  hash: string
  isErased: boolean
}

export interface AuditFile {
  instanceId: string
  environment: string
  document: JsonObject
  events: PackEvent[]
  checks: PackCheck[]
}

const MEMBERS = ['instanceId', 'environment', 'document', 'events', 'eventCount', 'lastEventHash', 'chainHead']
const EVENT_MEMBERS = [
  ...['sequence', 'id', 'type', 'at', 'recipientId', 'actor', 'data', 'personal', 'ip', 'userAgent'],
  ...['entry', 'salt', 'hash', 'previousHash'],
]

/** More of the same kind are counted. */
const MAX_PROBLEMS = 20

class Problems {
  readonly found: string[] = []

  add(text: string): void {
    this.found.push(text)
  }

  /** What failed; or, if nothing did, that it passed. */
  conclude(passed: string): PackCheck[] {
    if (this.found.length === 0) return [{ outcome: 'passed', text: passed }]
    const more = this.found.length - MAX_PROBLEMS
    const listed = [...this.found.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`And ${more} more of this kind.`] : [])]
    return listed.map(text => ({ outcome: 'failed', text }))
  }
}

/** @throws PackError if the file has another form */
export function readAuditFile(bytes: Uint8Array): AuditFile {
  const { file, isAsWritten } = parse(bytes)
  const { document, events, instanceId, environment } = file
  if (!isJsonObject(document) || typeof document.id !== 'string') throw new PackError('audit.json in it names no document')
  if (!Array.isArray(events) || events.length === 0) throw new PackError('audit.json in it has no events')
  const members = new Problems()
  const commitments = new Problems()
  const read = events.map((event, i) => readEvent(event, i, document.id as string, members, commitments))
  const erased = read.filter(({ isErased }) => isErased).length
  // Nobody makes a pack of an erased document: who removes the data wants to change the names
  // beside it.
  const text = `The personal data of ${erased} entries is missing: names, addresses and values in audit.json cannot all be compared.`
  const notes: PackCheck[] = erased > 0 ? [{ outcome: 'not-checked', text }] : []
  const form = documentFormProblems(document)
  return {
    instanceId: typeof instanceId === 'string' ? instanceId : '',
    environment: typeof environment === 'string' ? environment : '',
    document,
    events: read,
    checks: [
      ...members.conclude(`Every member of the ${read.length} events in audit.json is that of its chained entry.`),
      ...chainChecks(file, events as JsonObject[], read),
      ...commitments.conclude('The personal data is what the entries commit to, and each consent text has its hash.'),
      ...documentChecks(document, read, form.wrong),
      ...unknownMembers(file, events as JsonObject[], form.unknown),
      ...(isAsWritten ? [] : [REWRITTEN]),
      ...notes,
    ],
  }
}

const REWRITTEN: PackCheck = {
  outcome: 'failed',
  text: 'audit.json is not written as Signet writes it. Other programs may read something else in it, such as a member that it has twice.',
}

function parse(bytes: Uint8Array): { file: JsonObject; isAsWritten: boolean } {
  let text: string
  let file: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    file = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error
    throw new PackError('audit.json in it is not JSON')
  }
  if (!isJsonObject(file)) throw new PackError('audit.json in it is no object')
  return { file, isAsWritten: text === `${JSON.stringify(file, null, 2)}\n` }
}

function entryOf(event: JsonObject, number: number): JsonObject {
  const { entry, hash, previousHash } = event
  if (typeof entry !== 'string' || !isSha256Hex(hash) || !isSha256Hex(previousHash))
    throw new PackError(`event ${number} of audit.json in it has no entry or no hash`)
  try {
    const parsed: unknown = JSON.parse(entry)
    // Another form of the same JSON, such as a member twice, other programs read differently.
    if (isJsonObject(parsed) && canonicalJson(parsed) === entry) return parsed
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  throw new PackError(`the entry of event ${number} of audit.json in it is not canonical JSON`)
}

function readEvent(value: unknown, i: number, documentId: string, members: Problems, commitments: Problems): PackEvent {
  const number = i + 1
  if (!isJsonObject(value)) throw new PackError(`event ${number} of audit.json in it is no object`)
  const entry = entryOf(value, number)
  const { sequence, personal, hash } = value
  const { type, at, data } = entry
  if (!Number.isSafeInteger(sequence) || typeof type !== 'string' || typeof at !== 'string' || !isJsonObject(data))
    throw new PackError(`event ${number} of audit.json in it is not complete`)
  compareMembers(value, { ...entry, type: presentType(type) }, `Event ${number} (${type})`, members)
  if (entry.documentId !== documentId) members.add(`Event ${number} (${type}) belongs to another document than audit.json names.`)
  const isErased = entry.personal !== null && personal === null
  checkPersonal(value, entry, `Event ${number} (${type})`, commitments)
  const known = isJsonObject(personal) ? personal : null
  return {
    ...{ sequence: sequence as number, id: String(entry.id), type: presentType(type), at, actor: String(entry.actor), data },
    ...{ recipientId: typeof entry.recipientId === 'string' ? entry.recipientId : null, personal: known },
    ...{ hash: hash as string, isErased },
  }
}

function compareMembers(event: JsonObject, entry: JsonObject, which: string, problems: Problems): void {
  for (const name of ['id', 'type', 'at', 'recipientId', 'actor', 'data'])
    if (canonicalJson(event[name] ?? null) !== canonicalJson(entry[name] ?? null))
      problems.add(`${which}: ${name} is not that of its entry.`)
}

/** Data that is missing is counted elsewhere. */
function checkPersonal({ personal = null, salt = null }: JsonObject, entry: JsonObject, which: string, problems: Problems): void {
  const isMissing = personal === null && entry.personal !== null
  if (!isMissing && !isCommitted(entry, personal, salt))
    problems.add(`${which}: its personal data is not what its entry commits to.`)
  const text = isJsonObject(personal) ? personal.consentText : undefined
  const sha256 = isJsonObject(entry.data) ? entry.data.consentSha256 : undefined
  if (typeof text === 'string' && sha256Hex(text) !== sha256)
    problems.add(`${which}: its consent text has another hash than its entry says.`)
}

function isCommitted(entry: JsonObject, personal: Json, salt: Json): boolean {
  if (personal === null) return entry.personal === null
  return (
    isJsonObject(personal) &&
    typeof salt === 'string' &&
    /^[0-9a-f]+$/.test(salt) &&
    commitment(salt, personal) === entry.personal
  )
}

/** `raw` are the events as they were written. */
function chainChecks(
  { eventCount, lastEventHash, chainHead }: JsonObject,
  raw: readonly JsonObject[],
  events: readonly PackEvent[],
): PackCheck[] {
  const problems = new Problems()
  raw.forEach((event, i) => {
    const before = raw[i - 1]
    const entry = JSON.parse(String(event.entry)) as JsonObject
    if (chainHash(String(event.previousHash), String(event.entry)) !== event.hash)
      problems.add(`Event ${i + 1} (${entry.type}): its hash is not that of its entry.`)
    const isNext = entry.documentSequence === i + 1
    // Old entries lack the hash before. Removing it from an entry would change the entry's hash.
    const isLinked = !('documentPreviousHash' in entry) || entry.documentPreviousHash === (before?.hash ?? null)
    if (!isNext || !isLinked) problems.add(`The entry before event ${i + 1} (${entry.type}) is missing.`)
    if (before !== undefined && !isInOrder(before, event))
      problems.add(`Event ${i + 1} (${entry.type}) is out of order in the log.`)
  })
  const last = events.at(-1)
  if (eventCount !== events.length || lastEventHash !== last?.hash)
    problems.add('Events are missing at the end: audit.json names another number of them, or another last hash.')
  const { sequence, hash } = isJsonObject(chainHead) ? chainHead : {}
  const isHead =
    typeof sequence === 'number' &&
    isSha256Hex(hash) &&
    last &&
    (sequence > last.sequence || (sequence === last.sequence && hash === last.hash))
  if (!isHead) problems.add('The head of the log in audit.json is older than its last event, or another.')
  return problems.conclude('The chain is whole: each hash is that of its entry, and no entry of the document is missing.')
}

/** Entries of other documents may lie between, and then their hashes as well. */
function isInOrder(before: JsonObject, event: JsonObject): boolean {
  const apart = Number(event.sequence) - Number(before.sequence)
  return apart > 1 || (apart === 1 && event.previousHash === before.hash)
}

/** Members that no entry has: they are settings, and prove nothing. */
export const SETTINGS: readonly string[] = [
  ...['locale', 'redirectUrl', 'allowDelegation', 'reminders', 'updatedAt', 'expiresInDays', 'sealingError', 'metadata'],
  ...['labels', 'heldSince', 'senderFields'],
]
/** Members of rows that the API, and so audit.json, does not show. */
const NOT_IN_JSON = /^(ownerId|heldAt|holdReason)$|\.(consentVersion|consentSha256|signature|initials)$/

export const isShown = (member: string): boolean => !NOT_IN_JSON.test(member)

/** `ofOtherType`: the paths of members that are not of the type that Signet writes. */
function documentChecks(document: JsonObject, events: readonly PackEvent[], ofOtherType: readonly string[]): PackCheck[] {
  const problems = new Problems()
  for (const path of ofOtherType) problems.add(`The document in audit.json: ${path} is not of the type that Signet writes.`)
  for (const { member, logged, found } of differencesFrom(events, document, isShown))
    problems.add(`The document in audit.json: ${member} is ${found ?? 'missing'}, and the log says ${logged}.`)
  return [
    ...problems.conclude(
      'The document in audit.json is that of the log: title, files, state, times, recipients with their names and addresses, and values.',
    ),
    {
      outcome: 'note',
      text: `The log does not have these settings of the document: ${SETTINGS.join(', ')}; of recipients language, delivery, codes and what became of their mails; places and labels of fields. The sealed file shows the fields.`,
    },
  ]
}

function unknownMembers(file: JsonObject, events: readonly JsonObject[], ofDocument: readonly string[]): PackCheck[] {
  const names = [
    ...Object.keys(file).filter(name => !MEMBERS.includes(name)),
    ...new Set(events.flatMap(event => Object.keys(event).filter(name => !EVENT_MEMBERS.includes(name)))),
    ...ofDocument.map(path => `document.${path}`),
  ]
  if (names.length === 0) return []
  const listed = names.slice(0, MAX_PROBLEMS).join(', ')
  return [{ outcome: 'not-checked', text: `audit.json has members that this release of Signet does not know: ${listed}.` }]
}

/** Who signed or approved, in the order of the log. */
export function peopleOf({ document, events }: AuditFile): PackPerson[] {
  const recipients = (Array.isArray(document.recipients) ? document.recipients : []).filter(isJsonObject)
  const openedFromApp = (recipientId: string, before: number) =>
    ownEvents(events, recipientId).some(({ type, sequence }) => type === 'recipient.opened_from_app' && sequence < before)
  return events.flatMap(({ type, recipientId, at, sequence, data, personal }): PackPerson[] => {
    if (type !== 'recipient.signed' || recipientId === null) return []
    const recipient = recipients.find(({ id }) => id === recipientId)
    const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
    return [
      {
        ...{ recipientId, at, entry: sequence, name: text(recipient?.name), email: text(recipient?.email) },
        ...{ hasSigned: maySign(recipient?.role as Role), consentVersion: text(data.consentVersion), ip: text(personal?.ip) },
        openedFromApp: openedFromApp(recipientId, sequence),
      },
    ]
  })
}

/** Of who has the recipient's place now: what somebody else did before is not theirs. */
function ownEvents(events: readonly PackEvent[], recipientId: string): PackEvent[] {
  const own = events.filter(event => event.recipientId === recipientId)
  return own.slice(own.findLastIndex(isReplacement) + 1)
}

function isReplacement({ type, personal }: PackEvent): boolean {
  if (type !== 'recipient.corrected') return type === 'recipient.delegated'
  const [from, to] = [personal?.from, personal?.to].map(each => (isJsonObject(each) ? each.email : undefined))
  return !(typeof from === 'string' && typeof to === 'string' && sameMailbox(from, to))
}
