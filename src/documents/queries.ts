/** Rows of documents, recipients and fields ↔ the core's Document value. The one place that knows their columns. */
import { type Selectable, sql } from 'kysely'
import type { Document, DocumentStatus, EmailStatus, Recipient, RecipientStatus, ReminderPlan } from '../core/document.ts'
import type { Field, FieldType } from '../core/field.ts'
import type { Role, SigningOrder } from '../core/routing.ts'
import type { PersonalMark } from '../core/signature-mark.ts'
import { type Db, prepared, readSnapshot, type Tx } from '../db/open.ts'
import type { Versioned } from '../db/read-cache.ts'
import type { Schema } from '../db/schema.ts'
import { CachedDocument } from './cached-document.ts'
import { insertSearch, updateSearch } from './search-queries.ts'

type DocumentRow = Selectable<Schema['documents']>
type RecipientRow = Selectable<Schema['recipients']>
type FieldRow = Selectable<Schema['fields']>

const moment = (text: string | null) => (text === null ? undefined : new Date(text))
const time = (date: Date | undefined) => date?.toISOString() ?? null

const markOf = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as PersonalMark))

function fieldOf(row: FieldRow): Field {
  const { id, page, x, y, width, height } = row
  return {
    id,
    type: row.type as FieldType,
    page,
    x,
    y,
    width,
    height,
    required: row.required === 1,
    readOnly: row.read_only === 1,
    label: row.label ?? undefined,
    placeholder: row.placeholder ?? undefined,
    value: row.value ?? undefined,
    options: row.options === '[]' ? [] : (JSON.parse(row.options) as string[]),
    maxLength: row.max_length ?? undefined,
  }
}

function recipientOf(row: RecipientRow, fields: Field[]): Recipient {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    status: row.status as RecipientStatus,
    order: row.signing_order,
    locale: row.locale ?? undefined,
    accessCodeHash: row.access_code_hash ?? undefined,
    accessCodeTries: row.access_code_tries,
    accessCodeWaitUntil: moment(row.access_code_wait_until),
    emailStatus: row.email_status as EmailStatus,
    linkVersion: row.link_version,
    sentAt: moment(row.sent_at),
    viewedAt: moment(row.viewed_at),
    signedAt: moment(row.signed_at),
    declinedAt: moment(row.declined_at),
    declineReason: row.decline_reason ?? undefined,
    signature: markOf(row.signature),
    initials: markOf(row.initials),
    consentVersion: row.consent_version ?? undefined,
    consentSha256: row.consent_sha256 ?? undefined,
    remindersSent: row.reminders_sent,
    lastMailedAt: moment(row.last_mailed_at),
    nextReminderAt: moment(row.next_reminder_at),
    fields,
  }
}

function documentOf(row: DocumentRow, recipients: Recipient[]): Document {
  return {
    id: row.id,
    ownerId: row.owner_id ?? undefined,
    title: row.title,
    fileName: row.file_name,
    status: row.status as DocumentStatus,
    pageCount: row.page_count,
    message: row.message ?? undefined,
    signingOrder: row.signing_order as SigningOrder,
    locale: row.locale ?? undefined,
    redirectUrl: row.redirect_url ?? undefined,
    allowDelegation: row.allow_delegation === 1,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    reminders: row.reminders === null ? undefined : (JSON.parse(row.reminders) as ReminderPlan),
    expiresInDays: row.expires_in_days,
    createdAt: new Date(row.created_at),
    sentAt: moment(row.sent_at),
    completedAt: moment(row.completed_at),
    expiresAt: moment(row.expires_at),
    sealingError: row.sealing_error ?? undefined,
    sha256Original: row.sha256_original,
    sha256Uploaded: row.sha256_uploaded ?? undefined,
    sha256Sealed: row.sha256_sealed ?? undefined,
    sealLevel: (row.seal_level as Document['sealLevel'] | null) ?? undefined,
    recipients,
  }
}

function assemble(row: DocumentRow, recipients: RecipientRow[], fields: FieldRow[]): Document {
  const byRecipient = Map.groupBy(fields, f => f.recipient_id)
  return documentOf(
    row,
    recipients.map(r => recipientOf(r, (byRecipient.get(r.id) ?? []).map(fieldOf))),
  )
}

/** The whole document. Outside a transaction it may be a cached value: callers must not change it. */
export async function find(db: Db | Tx, id: string): Promise<Document | undefined> {
  if (!db.isTransaction) return findCached(db as Db, id)?.document
  const row = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const recipients = await db.selectFrom('recipients').selectAll().where('document_id', '=', id).orderBy('position').execute()
  const fields = await db.selectFrom('fields').selectAll().where('document_id', '=', id).orderBy('position').execute()
  return assemble(row, recipients, fields)
}

/** Estimate of the memory that a document and its JSON texts take. */
const bytesOf = ({ recipients }: Document) => recipients.reduce((sum, { fields }) => sum + 2000 + 1500 * fields.length, 3000)

/** Reads the version first: a document is read and assembled once per version. */
export function findCached(db: Db, id: string): CachedDocument | undefined {
  const version = prepared(db, 'SELECT version FROM documents WHERE id = ?').pluck().get(id) as number | undefined
  return findAtVersion(db, id, version)
}

/** The document if it still has this version, otherwise as it is now. */
export function findAtVersion(db: Db, id: string, version: number | undefined): CachedDocument | undefined {
  return db.cache.get('document', id, version, () => readSnapshot(db, () => findPrepared(db, id)))
}

function findPrepared(db: Db, id: string): Versioned<CachedDocument> | undefined {
  const row = prepared(db, 'SELECT * FROM documents WHERE id = ?').get(id) as DocumentRow | undefined
  if (!row) return undefined
  // With a bare `?` SQLite prepares the statement again at every run, at ten times the cost: it
  // looks at the value to choose an index.
  const recipients = prepared(db, 'SELECT * FROM recipients WHERE document_id = +? ORDER BY position').all(id) as RecipientRow[]
  const fields = prepared(db, 'SELECT * FROM fields WHERE document_id = +? ORDER BY position').all(id) as FieldRow[]
  const document = assemble(row, recipients, fields)
  return { version: row.version, value: new CachedDocument(document), bytes: bytesOf(document) }
}

export async function documentIdOfRecipient(db: Db | Tx, recipientId: string): Promise<string | undefined> {
  return (await db.selectFrom('recipients').select('document_id').where('id', '=', recipientId).executeTakeFirst())?.document_id
}

/** The version is the database's own. */
function documentRow(document: Document): Omit<DocumentRow, 'version'> {
  return {
    id: document.id,
    owner_id: document.ownerId ?? null,
    title: document.title,
    file_name: document.fileName,
    status: document.status,
    page_count: document.pageCount,
    message: document.message ?? null,
    signing_order: document.signingOrder,
    locale: document.locale ?? null,
    redirect_url: document.redirectUrl ?? null,
    allow_delegation: document.allowDelegation ? 1 : 0,
    metadata: JSON.stringify(document.metadata),
    reminders: document.reminders ? JSON.stringify(document.reminders) : null,
    expires_in_days: document.expiresInDays,
    created_at: document.createdAt.toISOString(),
    sent_at: time(document.sentAt),
    completed_at: time(document.completedAt),
    expires_at: time(document.expiresAt),
    sealing_error: document.sealingError ?? null,
    sha256_original: document.sha256Original,
    sha256_uploaded: document.sha256Uploaded ?? null,
    sha256_sealed: document.sha256Sealed ?? null,
    seal_level: document.sealLevel ?? null,
  }
}

function recipientRow(document: Document, recipient: Recipient, position: number): RecipientRow {
  return {
    id: recipient.id,
    document_id: document.id,
    position,
    email: recipient.email,
    name: recipient.name,
    role: recipient.role,
    status: recipient.status,
    signing_order: recipient.order,
    locale: recipient.locale ?? null,
    access_code_hash: recipient.accessCodeHash ?? null,
    access_code_tries: recipient.accessCodeTries,
    access_code_wait_until: time(recipient.accessCodeWaitUntil),
    email_status: recipient.emailStatus,
    link_version: recipient.linkVersion,
    sent_at: time(recipient.sentAt),
    viewed_at: time(recipient.viewedAt),
    signed_at: time(recipient.signedAt),
    declined_at: time(recipient.declinedAt),
    decline_reason: recipient.declineReason ?? null,
    signature: recipient.signature ? JSON.stringify(recipient.signature) : null,
    initials: recipient.initials ? JSON.stringify(recipient.initials) : null,
    consent_version: recipient.consentVersion ?? null,
    consent_sha256: recipient.consentSha256 ?? null,
    reminders_sent: recipient.remindersSent,
    last_mailed_at: time(recipient.lastMailedAt),
    next_reminder_at: time(recipient.nextReminderAt),
  }
}

function fieldRow(document: Document, recipient: Recipient, field: Field, position: number): FieldRow {
  const { id, type, page, x, y, width, height } = field
  return {
    id,
    recipient_id: recipient.id,
    document_id: document.id,
    position,
    type,
    page,
    x,
    y,
    width,
    height,
    required: field.required ? 1 : 0,
    read_only: field.readOnly ? 1 : 0,
    label: field.label ?? null,
    placeholder: field.placeholder ?? null,
    value: field.value ?? null,
    options: JSON.stringify(field.options),
    max_length: field.maxLength ?? null,
  }
}

/** Rows a statement takes at once: SQLite allows 32,766 parameters, a field has 17 columns. */
const ROWS_AT_ONCE = 500

export async function insert(tx: Tx, document: Document): Promise<void> {
  await tx.insertInto('documents').values(documentRow(document)).execute()
  await tx
    .insertInto('recipients')
    .values(document.recipients.map((r, i) => recipientRow(document, r, i)))
    .execute()
  let position = 0
  const fields = document.recipients.flatMap(r => r.fields.map(f => fieldRow(document, r, f, position++)))
  for (let i = 0; i < fields.length; i += ROWS_AT_ONCE) {
    await tx
      .insertInto('fields')
      .values(fields.slice(i, i + ROWS_AT_ONCE))
      .execute()
  }
  await insertSearch(tx, document)
}

/** Writes what differs between the two values of one document: its row, its recipients, their fields' values. */
export async function save(tx: Tx, before: Document, after: Document): Promise<void> {
  await tx.updateTable('documents').set(documentRow(after)).where('id', '=', after.id).execute()
  for (const [i, recipient] of after.recipients.entries()) {
    const old = before.recipients[i]
    if (old === recipient) continue
    await tx
      .updateTable('recipients')
      .set(recipientRow(after, recipient, i))
      .where('id', '=', recipient.id)
      .execute()
    for (const [j, field] of recipient.fields.entries()) {
      if (old?.fields[j] === field) continue
      await tx
        .updateTable('fields')
        .set({ value: field.value ?? null })
        .where('id', '=', field.id)
        .execute()
    }
  }
  await updateSearch(tx, before, after)
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('fields').where('document_id', '=', id).execute()
  await tx.deleteFrom('recipients').where('document_id', '=', id).execute()
  await tx.deleteFrom('documents').where('id', '=', id).execute()
}

/** A document that is due, and its place in the order of what is due. */
export interface DueDocument {
  documentId: string
  at: string
  id: string
}

export type DuePlace = Pick<DueDocument, 'at' | 'id'>

/** Sent documents whose time is over, by that time, behind the place `after`. */
export async function dueForExpiry(db: Db, now: Date, after: DuePlace, limit: number): Promise<DueDocument[]> {
  const query = sql<DueDocument>`SELECT id AS documentId, expires_at AS at, id FROM documents INDEXED BY documents_expiry
    WHERE status = 'sent' AND (expires_at, id) > (${after.at}, ${after.id}) AND expires_at <= ${now.toISOString()}
    ORDER BY expires_at, id LIMIT ${limit}`
  return (await query.execute(db)).rows
}

/** Documents with a recipient to remind, by the time of the reminder, behind the place `after`. One with several recipients may come repeatedly. */
export async function dueForReminder(db: Db, now: Date, after: DuePlace, limit: number): Promise<DueDocument[]> {
  const query = sql<DueDocument>`SELECT document_id AS documentId, next_reminder_at AS at, id FROM recipients INDEXED BY recipients_reminder
    WHERE next_reminder_at IS NOT NULL AND (next_reminder_at, id) > (${after.at}, ${after.id}) AND next_reminder_at <= ${now.toISOString()}
    ORDER BY next_reminder_at, id LIMIT ${limit}`
  return (await query.execute(db)).rows
}

/** The documents that a stored file is the original or the newest sealed version of, at most five. */
export async function documentsOfFile(db: Db | Tx, sha256: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where(eb => eb.or([eb('sha256_original', '=', sha256), eb('sha256_sealed', '=', sha256)]))
    .orderBy('id')
    .limit(5)
    .execute()
  return rows.map(row => row.id)
}
