/**
 * What the audit log says about a document, and where a record of the document differs from it.
 * Pure. The record is a row of the database or the `document` of an evidence pack.
 */
import { sameMailbox } from '../text.ts'
import { canonicalJson } from './audit-chain.ts'
import type { Json } from './event.ts'

/** `personal`: null if the entry has no personal data or it was erased. */
export interface LoggedEvent {
  type: string
  at: string
  recipientId: string | null
  data: Record<string, Json>
  personal: Record<string, Json> | null
}

export interface Difference {
  /** Such as `title` or `recipients[rcp_1].name`. */
  member: string
  /** JSON texts; `found` is undefined if the record lacks the member. */
  logged: string
  found: string | undefined
}

/**
 * Milliseconds that a time may differ from that of its entry: the entry is made in the write that
 * follows.
 */
const TOLERANCE_MS = 60_000
/** A new file is read between the two. */
const UPLOAD_TOLERANCE_MS = 600_000

interface Fact {
  value: Json
  /** A time, which may differ by so much. */
  toleranceMs?: number
}

type Facts = Map<string, Fact>
export type JsonObject = Record<string, Json>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined)
const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

const pathOf = (recipientId: string, member: string) => `recipients[${recipientId}].${member}`

/** The members of recipients that the log knows by personal data alone. */
const PERSONAL = ['name', 'email', 'role', 'order'] as const

class FactReader {
  readonly facts: Facts = new Map()

  set(member: string, value: Json | undefined): void {
    if (value !== undefined) this.facts.set(member, { value })
  }

  /** Unless an item is missing, or all. */
  setList(member: string, values: readonly (Json | undefined)[]): void {
    const known = values.filter(value => value !== undefined)
    if (known.length > 0 && known.length === values.length) this.set(member, known)
  }

  setTime(member: string, at: string, toleranceMs = TOLERANCE_MS): void {
    this.facts.set(member, { value: at, toleranceMs })
  }

  /** What an entry that names no values may have changed. */
  forget(isForgotten: (member: string) => boolean): void {
    for (const member of this.facts.keys()) if (isForgotten(member)) this.facts.delete(member)
  }

  statusOf(recipientId: string): Json | undefined {
    return this.facts.get(pathOf(recipientId, 'status'))?.value
  }

  setRecipients(ids: readonly string[], personal: readonly JsonObject[]): void {
    if (ids.length > 0) this.set('recipients', [...ids])
    for (const id of ids) if (this.statusOf(id) === undefined) this.set(pathOf(id, 'status'), 'created')
    for (const person of personal)
      if (typeof person.id === 'string') for (const member of PERSONAL) this.set(pathOf(person.id, member), person[member])
  }

  /** Of those who had not acted. */
  close(status: 'voided' | 'expired'): void {
    for (const [member, { value }] of this.facts)
      if (
        /^recipients\[\w+\]\.status$/.test(member) &&
        typeof value === 'string' &&
        ['created', 'sent', 'viewed'].includes(value)
      )
        this.set(member, status)
  }
}

type Reader = (facts: FactReader, event: LoggedEvent, recipientId: string) => void

function readCreated(facts: FactReader, { data, personal, at }: LoggedEvent): void {
  facts.set('status', 'draft')
  facts.setTime('createdAt', at, UPLOAD_TOLERANCE_MS)
  facts.set('pageCount', data.pageCount)
  facts.set('sha256.original', data.originalSha256)
  const files = objectsIn(data.files)
  const several = files.length > 0
  facts.setList('files.sha256', several ? files.map(file => file.sha256) : [data.uploadedSha256])
  facts.setList('files.pageCount', several ? files.map(file => file.pageCount) : [data.pageCount])
  facts.setList('files.fileName', several ? textsIn(personal?.fileNames) : [personal?.fileName])
  facts.set('title', personal?.title)
  facts.set('fileName', personal?.fileName)
  facts.setRecipients(textsIn(data.recipientIds), objectsIn(personal?.recipients))
}

function readSent(facts: FactReader, { data, personal, at }: LoggedEvent): void {
  facts.set('status', 'sent')
  facts.setTime('sentAt', at, UPLOAD_TOLERANCE_MS)
  for (const member of ['signingOrder', 'expiresAt', 'fieldCount']) facts.set(member, data[member])
  facts.set('sha256.original', data.originalSha256)
  for (const member of ['title', 'message']) facts.set(member, personal?.[member])
  facts.setRecipients(textsIn(data.recipientIds), objectsIn(personal?.recipients))
}

function readReplacement(facts: FactReader, { type, personal, at }: LoggedEvent, id: string): void {
  const [from, to] = [objectOf(personal?.from), objectOf(personal?.to)]
  const addresses = [from?.email, to?.email]
  const isNewPerson =
    type === 'recipient.delegated' ||
    (typeof addresses[0] === 'string' && typeof addresses[1] === 'string' ? !sameMailbox(addresses[0], addresses[1]) : undefined)
  for (const member of ['name', 'email']) {
    facts.forget(path => path === pathOf(id, member))
    facts.set(pathOf(id, member), to?.[member])
  }
  if (isNewPerson === false) return
  facts.forget(path => path === pathOf(id, 'viewedAt') || path === pathOf(id, 'sentAt'))
  if (isNewPerson === undefined) {
    facts.forget(path => path === pathOf(id, 'status'))
    return
  }
  facts.set(pathOf(id, 'viewedAt'), null)
  if (type === 'recipient.delegated') facts.setTime(pathOf(id, 'sentAt'), at)
  if (facts.statusOf(id) !== 'created') facts.set(pathOf(id, 'status'), 'sent')
}

function readSigned(facts: FactReader, { data, personal, at }: LoggedEvent, id: string): void {
  facts.set(pathOf(id, 'status'), 'signed')
  facts.setTime(pathOf(id, 'signedAt'), at)
  for (const member of ['consentVersion', 'consentSha256']) facts.set(pathOf(id, member), data[member])
  for (const member of ['signature', 'initials']) facts.set(pathOf(id, member), personal?.[member])
  const values = objectOf(personal?.fieldValues)
  if (values === undefined) return
  facts.set(pathOf(id, 'fields'), Object.keys(values).sort())
  const files = objectOf(personal?.fieldFiles) ?? {}
  for (const [fieldId, value] of Object.entries(values)) {
    facts.set(pathOf(id, `fields[${fieldId}].value`), value)
    facts.set(pathOf(id, `fields[${fieldId}].file`), files[fieldId] ?? null)
  }
}

function readDeclined(facts: FactReader, { personal, at }: LoggedEvent, id: string): void {
  facts.set('status', 'declined')
  facts.set(pathOf(id, 'status'), 'declined')
  facts.setTime(pathOf(id, 'declinedAt'), at)
  facts.set(pathOf(id, 'declineReason'), personal?.reason)
}

function readClosed(status: 'voided' | 'expired'): Reader {
  return facts => {
    facts.set('status', status)
    facts.close(status)
  }
}

function readSealed(facts: FactReader, { data }: LoggedEvent): void {
  facts.set('sha256.sealed', data.sealedSha256)
  facts.set('sealLevel', data.sealLevel)
}

function readTemplate(facts: FactReader, { data, personal }: LoggedEvent): void {
  facts.set('sha256.original', data.originalSha256)
  facts.set('fileName', personal?.fileName)
}

const isDrafted = (member: string) => member === 'title' || member.startsWith('recipients')

const READERS: Readonly<Record<string, Reader>> = {
  'document.created': readCreated,
  // It does not say what was edited: the entry of the sending does.
  'document.updated': facts => facts.forget(isDrafted),
  'document.sent': readSent,
  'recipient.notified': (facts, { at }, id) => {
    if (facts.statusOf(id) !== 'created') return
    facts.set(pathOf(id, 'status'), 'sent')
    facts.setTime(pathOf(id, 'sentAt'), at, UPLOAD_TOLERANCE_MS)
  },
  'recipient.corrected': readReplacement,
  'recipient.delegated': readReplacement,
  'document.viewed': (facts, { at }, id) => {
    facts.set(pathOf(id, 'status'), 'viewed')
    facts.setTime(pathOf(id, 'viewedAt'), at)
  },
  'recipient.signed': readSigned,
  'document.declined': readDeclined,
  'document.voided': readClosed('voided'),
  'document.expired': readClosed('expired'),
  'document.sealing': facts => facts.set('status', 'sealing'),
  'document.completed': (facts, event) => {
    facts.set('status', 'completed')
    facts.setTime('completedAt', event.at)
    readSealed(facts, event)
  },
  'document.seal_augmented': readSealed,
  'document.legal_hold_set': (facts, { at, personal }) => {
    facts.setTime('heldAt', at)
    facts.set('holdReason', personal?.reason)
  },
  'document.legal_hold_lifted': facts => {
    facts.set('heldAt', null)
    facts.set('holdReason', null)
  },
  'document.owner_changed': (facts, { data }) => facts.set('ownerId', data.to),
  'template.owner_changed': (facts, { data }) => facts.set('ownerId', data.to),
  'template.created': (facts, event) => {
    facts.set('status', 'template')
    facts.set('pageCount', event.data.pageCount)
    facts.set('title', event.personal?.title)
    readTemplate(facts, event)
  },
  'template.updated': (facts, event) => {
    facts.forget(isDrafted)
    if (event.data.originalSha256 !== undefined) facts.forget(member => member === 'pageCount' || member.startsWith('files.'))
    readTemplate(facts, event)
  },
}

/** In the order of the log. Of personal data that was erased, nothing is known. */
function factsOf(events: readonly LoggedEvent[]): Facts {
  const reader = new FactReader()
  for (const event of events) READERS[event.type]?.(reader, event, event.recipientId ?? '')
  return reader.facts
}

/**
 * The members of a record in the names of the facts. Anything else than the JSON of a document
 * gives none.
 */
function membersOf(record: unknown): Map<string, Json> {
  const members = new Map<string, Json>()
  const document = objectOf(record)
  if (document === undefined) return members
  const { recipients, senderFields, files, sha256, ...own } = document
  for (const [name, value] of Object.entries(own)) members.set(name, value)
  for (const [name, value] of Object.entries(objectOf(sha256) ?? {})) members.set(`sha256.${name}`, value)
  for (const name of ['sha256', 'pageCount', 'fileName'])
    members.set(
      `files.${name}`,
      objectsIn(files).map(file => file[name] ?? null),
    )
  const people = objectsIn(recipients)
  members.set(
    'recipients',
    people.map(({ id }) => id ?? null),
  )
  let fieldCount = objectsIn(senderFields).length
  for (const { id, fields, ...person } of people) {
    for (const [name, value] of Object.entries(person)) members.set(pathOf(String(id), name), value)
    const listed = objectsIn(fields)
    fieldCount += listed.length
    members.set(pathOf(String(id), 'fields'), listed.map(field => String(field.id)).sort())
    for (const field of listed) {
      members.set(pathOf(String(id), `fields[${field.id}].value`), field.value ?? null)
      members.set(pathOf(String(id), `fields[${field.id}].file`), field.file ?? null)
    }
  }
  members.set('fieldCount', fieldCount)
  return members
}

function isAsLogged({ value, toleranceMs }: Fact, found: Json): boolean {
  if (toleranceMs === undefined) return canonicalJson(value) === canonicalJson(found)
  const apart = Date.parse(String(found)) - Date.parse(String(value))
  return Math.abs(apart) <= toleranceMs
}

/**
 * Where the record differs from the log. `isCompared`: whether the record should have the member.
 * The record has the shape of the API's `Document`.
 */
export function differencesFrom(
  events: readonly LoggedEvent[],
  record: unknown,
  isCompared: (member: string) => boolean = () => true,
): Difference[] {
  const members = membersOf(record)
  const differences: Difference[] = []
  for (const [member, fact] of factsOf(events)) {
    if (!isCompared(member)) continue
    const found = members.get(member)
    if (found !== undefined && isAsLogged(fact, found)) continue
    differences.push({
      member,
      logged: JSON.stringify(fact.value),
      found: found === undefined ? undefined : JSON.stringify(found),
    })
  }
  return differences
}
