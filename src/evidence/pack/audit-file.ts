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
import { isSha256Hex, sha256Hex } from '../../lib/sha256.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { DeviceKeyResult, VerifiedDeviceKey } from '../device-key.ts'
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
  readonly found: Remark[] = []

  add(problem: Remark): void {
    this.found.push(problem)
  }

  /** What failed; or, if nothing did, that it passed. */
  conclude(passed: Remark): PackCheck[] {
    if (this.found.length === 0) return [{ outcome: 'passed', remark: passed }]
    const count = this.found.length - MAX_PROBLEMS
    const listed = [...this.found.slice(0, MAX_PROBLEMS), ...(count > 0 ? [remark('problems_more', { count })] : [])]
    return listed.map(problem => ({ outcome: 'failed', remark: problem }))
  }
}

/** An event in audit.json, and the type of its entry. */
interface Which {
  number: number
  type: string
}

/** @throws PackError if the file has another form */
export function readAuditFile(bytes: Uint8Array): AuditFile {
  const { file, isAsWritten } = parse(bytes)
  const { document, events, instanceId, environment } = file
  if (!isJsonObject(document) || typeof document.id !== 'string') throw new PackError(remark('trail_without_document'))
  if (!Array.isArray(events) || events.length === 0) throw new PackError(remark('trail_without_events'))
  const members = new Problems()
  const commitments = new Problems()
  const read = events.map((event, i) => readEvent(event, i, document.id as string, members, commitments))
  const erased = read.filter(({ isErased }) => isErased).length
  // Nobody makes a pack of an erased document: who removes the data wants to change the names
  // beside it.
  const notes: PackCheck[] =
    erased > 0 ? [{ outcome: 'not-checked', remark: remark('trail_personal_missing', { count: erased }) }] : []
  const form = documentFormProblems(document)
  return {
    instanceId: typeof instanceId === 'string' ? instanceId : '',
    environment: typeof environment === 'string' ? environment : '',
    document,
    events: read,
    checks: [
      ...members.conclude(remark('trail_as_entries', { count: read.length })),
      ...chainChecks(file, events as JsonObject[], read),
      ...commitments.conclude(remark('trail_personal_committed')),
      ...documentChecks(document, read, form.wrong),
      ...unknownMembers(file, events as JsonObject[], form.unknown),
      ...(isAsWritten ? [] : [REWRITTEN]),
      ...notes,
    ],
  }
}

const REWRITTEN: PackCheck = { outcome: 'failed', remark: remark('trail_rewritten') }

function parse(bytes: Uint8Array): { file: JsonObject; isAsWritten: boolean } {
  let text: string
  let file: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    file = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error
    throw new PackError(remark('trail_not_json'))
  }
  if (!isJsonObject(file)) throw new PackError(remark('trail_no_object'))
  return { file, isAsWritten: text === `${JSON.stringify(file, null, 2)}\n` }
}

function entryOf(event: JsonObject, number: number): JsonObject {
  const { entry, hash, previousHash } = event
  if (typeof entry !== 'string' || !isSha256Hex(hash) || !isSha256Hex(previousHash))
    throw new PackError(remark('trail_event_without_entry', { number }))
  try {
    const parsed: unknown = JSON.parse(entry)
    // Another form of the same JSON, such as a member twice, other programs read differently.
    if (isJsonObject(parsed) && canonicalJson(parsed) === entry) return parsed
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  throw new PackError(remark('trail_entry_not_canonical', { number }))
}

function readEvent(value: unknown, i: number, documentId: string, members: Problems, commitments: Problems): PackEvent {
  const number = i + 1
  if (!isJsonObject(value)) throw new PackError(remark('trail_event_no_object', { number }))
  const entry = entryOf(value, number)
  const { sequence, personal, hash } = value
  const { type, at, data } = entry
  if (!Number.isSafeInteger(sequence) || typeof type !== 'string' || typeof at !== 'string' || !isJsonObject(data))
    throw new PackError(remark('trail_event_incomplete', { number }))
  const which = { number, type }
  compareMembers(value, { ...entry, type: presentType(type) }, which, members)
  if (entry.documentId !== documentId) members.add(remark('trail_event_elsewhere', which))
  const isErased = entry.personal !== null && personal === null
  checkPersonal(value, entry, which, commitments)
  const known = isJsonObject(personal) ? personal : null
  return {
    ...{ sequence: sequence as number, id: String(entry.id), type: presentType(type), at, actor: String(entry.actor), data },
    ...{ recipientId: typeof entry.recipientId === 'string' ? entry.recipientId : null, personal: known },
    ...{ hash: hash as string, isErased },
  }
}

function compareMembers(event: JsonObject, entry: JsonObject, which: Which, problems: Problems): void {
  for (const member of ['id', 'type', 'at', 'recipientId', 'actor', 'data'])
    if (canonicalJson(event[member] ?? null) !== canonicalJson(entry[member] ?? null))
      problems.add(remark('trail_member_differs', { ...which, member }))
}

/** Data that is missing is counted elsewhere. */
function checkPersonal({ personal = null, salt = null }: JsonObject, entry: JsonObject, which: Which, problems: Problems): void {
  const isMissing = personal === null && entry.personal !== null
  if (!isMissing && !isCommitted(entry, personal, salt)) problems.add(remark('trail_personal_differs', which))
  const text = isJsonObject(personal) ? personal.consentText : undefined
  const sha256 = isJsonObject(entry.data) ? entry.data.consentSha256 : undefined
  if (typeof text === 'string' && sha256Hex(text) !== sha256) problems.add(remark('trail_consent_differs', which))
}

function isCommitted(entry: JsonObject, personal: Json, salt: Json): boolean {
  if (personal === null) return entry.personal === null
  return (
    isJsonObject(personal) &&
    typeof salt === 'string' &&
    /^([0-9a-f]{2})+$/.test(salt) &&
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
    const which = { number: i + 1, type: String(entry.type) }
    if (chainHash(String(event.previousHash), String(event.entry)) !== event.hash)
      problems.add(remark('trail_hash_differs', which))
    const isNext = entry.documentSequence === i + 1
    // Old entries lack the hash before. Removing it from an entry would change the entry's hash.
    const isLinked = !('documentPreviousHash' in entry) || entry.documentPreviousHash === (before?.hash ?? null)
    if (!isNext || !isLinked) problems.add(remark('trail_entry_missing', which))
    if (before !== undefined && !isInOrder(before, event)) problems.add(remark('trail_out_of_order', which))
  })
  const last = events.at(-1)
  if (eventCount !== events.length || lastEventHash !== last?.hash) problems.add(remark('trail_end_missing'))
  const { sequence, hash } = isJsonObject(chainHead) ? chainHead : {}
  const isHead =
    typeof sequence === 'number' &&
    isSha256Hex(hash) &&
    last &&
    (sequence > last.sequence || (sequence === last.sequence && hash === last.hash))
  if (!isHead) problems.add(remark('trail_head_differs'))
  return problems.conclude(remark('trail_chain_whole'))
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
  for (const member of ofOtherType) problems.add(remark('trail_document_malformed', { member }))
  for (const which of unmatchedConsents(events)) problems.add(remark('trail_consent_unmatched', which))
  for (const { member, logged, found } of differencesFrom(events, document, isShown))
    problems.add(
      found === undefined
        ? remark('trail_document_lacks', { member, logged })
        : remark('trail_document_differs', { member, found, logged }),
    )
  return [
    ...problems.conclude(remark('trail_document_as_logged')),
    { outcome: 'note', remark: remark('trail_settings_unproven', { names: [...SETTINGS] }) },
  ]
}

/** A consent is recorded with the signature that names it: its text, and in which language. */
function unmatchedConsents(events: readonly PackEvent[]): Which[] {
  return events.flatMap((consented, i) => {
    if (consented.type !== 'recipient.consented') return []
    const signed = events[i + 1]
    const isSameAct = signed?.type === 'recipient.signed' && signed.recipientId === consented.recipientId
    const names = ['consentVersion', 'consentSha256', 'language']
    const isSame = isSameAct && names.every(name => signed.data[name] === consented.data[name])
    return isSame ? [] : [{ number: i + 1, type: consented.type }]
  })
}

function unknownMembers(file: JsonObject, events: readonly JsonObject[], ofDocument: readonly string[]): PackCheck[] {
  const names = [
    ...Object.keys(file).filter(name => !MEMBERS.includes(name)),
    ...new Set(events.flatMap(event => Object.keys(event).filter(name => !EVENT_MEMBERS.includes(name)))),
    ...ofDocument.map(path => `document.${path}`),
  ]
  if (names.length === 0) return []
  return [{ outcome: 'not-checked', remark: remark('trail_members_unknown', { names: names.slice(0, MAX_PROBLEMS) }) }]
}

/** Who signed or approved, in the order of the log. */
export function peopleOf({ document, events }: AuditFile, deviceKeys: ReadonlyMap<number, DeviceKeyResult>): PackPerson[] {
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
        deviceKey: verifiedOnly(deviceKeys.get(sequence)),
      },
    ]
  })
}

const verifiedOnly = (result: DeviceKeyResult | undefined): VerifiedDeviceKey | undefined =>
  result === undefined || 'problem' in result ? undefined : result

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
