/** The JSON of documents, recipients and events in the API and in webhooks. */
import type { AuditEvent } from '../audit/log.ts'
import { type Document, isCodeLocked, type Recipient } from '../core/document/document.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../core/document/document-members.ts'
import { acceptedTypes, FIELD_MEMBERS, type Field, hasMember, isFile, maxBytesOf } from '../core/field/field.ts'
import { optionsOf } from '../core/field/new-field.ts'
import { type Members, namesOf, type Values } from '../core/members.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'

/** A document with its version and its JSON texts, each serialised once. */
export class CachedDocument {
  readonly document: Document
  readonly #texts = new Map<(document: Document) => unknown, string>()

  constructor(
    document: Document,
    /** Grows with every change of the document, its recipients and its fields. */
    readonly version: number,
  ) {
    this.document = document
  }

  json(present: (document: Document) => unknown): string {
    const text = this.#texts.get(present) ?? JSON.stringify(present(this.document))
    this.#texts.set(present, text)
    return text
  }
}

/** The message has the names of the files. */
export const presentWarning = ({ code, message }: PdfWarning) => ({ code, message })

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

type Presented = Record<string, unknown>

/**
 * Adds the members of a table to a response. `special`: what is shown in another form; undefined is
 * left out. Others are null without a value.
 */
export function presenter<T extends Members, V extends Values<T> = Values<T>>(
  table: T,
  special: { readonly [M in keyof T]?: (value: V) => unknown } = {},
): (value: V, presented?: Presented) => Presented {
  const parts = namesOf(table).map(name => {
    const plain = (value: V) => value[name] ?? null
    const timeIn = (value: V) => time(value[name] as Date | undefined)
    return { name, shown: special[name] ?? (table[name]?.is === 'time' ? timeIn : plain) }
  })
  return (value, presented = {}) => {
    for (const { name, shown } of parts) {
      const member = shown(value)
      if (member !== undefined) presented[name] = member
    }
    return presented
  }
}

type Shown = (field: Field) => unknown

const onlyWith =
  (member: Parameters<typeof hasMember>[1], shown: Shown): Shown =>
  field =>
    hasMember(field.type, member) ? shown(field) : undefined

const addMembers = presenter<typeof FIELD_MEMBERS, Field>(FIELD_MEMBERS, {
  options: onlyWith('options', optionsOf),
  boxes: () => undefined,
  min: onlyWith('min', ({ min = null }) => min),
  max: onlyWith('max', ({ max = null }) => max),
  accept: onlyWith('accept', acceptedTypes),
  maxBytes: onlyWith('maxBytes', maxBytesOf),
  file: ({ type, file }) => (isFile(type) ? (file ?? null) : undefined),
  rule: onlyWith('rule', ({ rule = false }) => rule),
  covers: ({ covers = [] }) => covers,
})

export function presentField(field: Field) {
  return addMembers(field, { id: field.id, type: field.type })
}

const presentPerson = presenter(RECIPIENT_MEMBERS)
const presentProgress = presenter(RECIPIENT_STATE)

/** Without fields: for webhooks and lists. */
export function presentRecipient(recipient: Recipient) {
  return {
    id: recipient.id,
    ...presentPerson(recipient),
    hasAccessCode: recipient.accessCodeHash !== undefined,
    codeLocked: isCodeLocked(recipient),
    ...presentProgress(recipient),
  }
}

/** A field shows the prefilled value until the recipient has signed. */
export function presentRecipientWithFields(recipient: Recipient) {
  return { ...presentRecipient(recipient), fields: recipient.fields.map(presentField) }
}

const presentDraft = presenter(DRAFT_MEMBERS)
const presentState = presenter(DOCUMENT_STATE)

function presentHead(document: Document) {
  return {
    id: document.id,
    status: document.status,
    ...presentDraft(document),
    ...presentState(document),
    sha256: { original: document.sha256Original, sealed: document.sha256Sealed ?? null },
    heldSince: time(document.heldAt),
  }
}

export function presentDocument(document: Document) {
  return {
    ...presentHead(document),
    files: filesOf(document),
    senderFields: document.senderFields.map(presentField),
    recipients: document.recipients.map(presentRecipientWithFields),
  }
}

/** The uploads in order, of which the PDF was made. */
export function filesOf({ files, fileName, sha256Uploaded, sha256Original, pageCount }: Document) {
  return files ?? [{ fileName, sha256: sha256Uploaded ?? sha256Original, pageCount }]
}

export function presentSummary(document: Document) {
  return { ...presentHead(document), recipients: document.recipients.map(presentRecipient) }
}

/** Includes everything the hash is computed from. IP address and browser are in `personal`. */
export function presentEvent({ ip: _ip, userAgent: _userAgent, ...event }: AuditEvent) {
  return event
}
