/** Rows of documents, recipients and fields. No other file knows these columns. */
import { type Selectable, sql } from 'kysely'
import { attentionSpan } from '../core/attention.ts'
import type { Document, Recipient } from '../core/document.ts'
import type { Field } from '../core/field.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Versioned, Wanted } from '../db/read-cache.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { inWords } from '../db/words.ts'
import { CachedDocument } from './cached-document.ts'
import { insertSearch, updateSearch } from './search-queries.ts'

type DocumentRow = Selectable<Schema['documents']>
type RecipientRow = Selectable<Schema['recipients']>
type FieldRow = Selectable<Schema['fields']>

const FIELDS = rowMapper<Field, FieldRow>()({
  id: 'id',
  type: 'type',
  page: 'page',
  x: 'x',
  y: 'y',
  width: 'width',
  height: 'height',
  required: ['required', 'flag'],
  readOnly: ['read_only', 'flag'],
  label: ['label', 'optional'],
  placeholder: ['placeholder', 'optional'],
  value: ['value', 'optional'],
  options: ['options', 'json'],
  maxLength: ['max_length', 'optional'],
  fontSize: ['font_size', 'optional'],
  dateFormat: ['date_format', 'optional'],
  align: ['align', 'optional'],
  covers: ['covers', 'optional json'],
})

const RECIPIENTS = rowMapper<Omit<Recipient, 'fields'>, RecipientRow>()({
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  status: 'status',
  order: 'signing_order',
  locale: ['locale', 'optional'],
  accessCodeHash: ['access_code_hash', 'optional'],
  accessCodeAttempts: 'access_code_tries',
  accessCodeWaitUntil: ['access_code_wait_until', 'optional time'],
  emailStatus: 'email_status',
  linkVersion: 'link_version',
  sentAt: ['sent_at', 'optional time'],
  viewedAt: ['viewed_at', 'optional time'],
  signedAt: ['signed_at', 'optional time'],
  declinedAt: ['declined_at', 'optional time'],
  declineReason: ['decline_reason', 'optional'],
  signature: ['signature', 'optional json'],
  initials: ['initials', 'optional json'],
  consentVersion: ['consent_version', 'optional'],
  consentSha256: ['consent_sha256', 'optional'],
  remindersSent: 'reminders_sent',
  lastMailedAt: ['last_mailed_at', 'optional time'],
  nextReminderAt: ['next_reminder_at', 'optional time'],
})

/** Without the version: the database counts it. */
const DOCUMENTS = rowMapper<Omit<Document, 'recipients'>, DocumentRow>()({
  id: 'id',
  ownerId: ['owner_id', 'optional'],
  title: 'title',
  fileName: 'file_name',
  status: 'status',
  pageCount: 'page_count',
  message: ['message', 'optional'],
  signingOrder: 'signing_order',
  locale: ['locale', 'optional'],
  redirectUrl: ['redirect_url', 'optional'],
  allowDelegation: ['allow_delegation', 'flag'],
  metadata: ['metadata', 'json'],
  labels: ['labels', 'json'],
  reminders: ['reminders', 'optional json'],
  expiresInDays: 'expires_in_days',
  createdAt: ['created_at', 'time'],
  updatedAt: ['updated_at', 'time'],
  sentAt: ['sent_at', 'optional time'],
  completedAt: ['completed_at', 'optional time'],
  expiresAt: ['expires_at', 'optional time'],
  sealingError: ['sealing_error', 'optional'],
  sha256Original: 'sha256_original',
  sha256Uploaded: ['sha256_uploaded', 'optional'],
  files: ['files', 'optional json'],
  sha256Sealed: ['sha256_sealed', 'optional'],
  sealLevel: ['seal_level', 'optional'],
})

function assemble(row: DocumentRow, recipients: RecipientRow[], fields: FieldRow[]): Document {
  const byRecipient = Map.groupBy(fields, f => f.recipient_id)
  // Assigned, not spread: a spread would copy every member.
  const document = DOCUMENTS.read(row) as Document
  document.recipients = recipients.map(recipientRow => {
    const recipient = RECIPIENTS.read(recipientRow) as Recipient
    recipient.fields = (byRecipient.get(recipient.id) ?? []).map(FIELDS.read)
    return recipient
  })
  return document
}

/** Outside a transaction it may be a cached value: callers must not change it. */
export async function find(db: Db | Tx, id: string): Promise<Document | undefined> {
  if (!db.isTransaction) return (await findCached(db as Db, id))?.document
  const row = await db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const recipients = await db.selectFrom('recipients').selectAll().where('document_id', '=', id).orderBy('position').execute()
  const fields = await db.selectFrom('fields').selectAll().where('document_id', '=', id).orderBy('position').execute()
  return assemble(row, recipients, fields)
}

/** Estimate of the memory that a document and its JSON texts take. */
const bytesOf = ({ recipients }: Document) => recipients.reduce((sum, { fields }) => sum + 2000 + 1500 * fields.length, 3000)

export async function versionOf(db: Db | Tx, id: string): Promise<number | undefined> {
  return (await db.selectFrom('documents').select('version').where('id', '=', id).executeTakeFirst())?.version
}

/** Reads the version first: a document is read and assembled once per version. */
export async function findCached(db: Db, id: string): Promise<CachedDocument | undefined> {
  const row = (await db.reads.first('SELECT version FROM documents WHERE id = ?', [id])) as { version: number } | undefined
  return db.cache.get('document', { id, version: row?.version }, async () => (await readDocuments(db, [id])).get(id))
}

const VERSIONS = inWords(
  ({ listed, joinInOrder }) =>
    `SELECT d.id, d.version FROM ${listed} ${joinInOrder} documents d ON d.id = named.value ORDER BY named.key`,
)

/** As `findCached`, for several in their order. Missing ones are left out. */
export async function findAllCached(db: Db, ids: readonly string[]): Promise<CachedDocument[]> {
  return findAtVersions(db, (await db.reads.all(VERSIONS(db), [JSON.stringify(ids)])) as Wanted[])
}

/** The documents that still have these versions, the others as they are now. */
export function findAtVersions(db: Db, wanted: readonly Wanted[]): Promise<CachedDocument[]> {
  return db.cache.getAll('document', wanted, ids => readDocuments(db, ids))
}

const OF_DOCUMENTS = inWords(({ listed, joinInOrder }) => {
  const rowsOf = (table: string, documentId: string) =>
    `SELECT t.* FROM ${listed} ${joinInOrder} ${table} t ON t.${documentId} = named.value`
  const inPosition = (table: string) => `${rowsOf(table, 'document_id')} ORDER BY t.position`
  return [rowsOf('documents', 'id'), inPosition('recipients'), inPosition('fields')]
})

async function readDocuments(db: Db, ids: string[]): Promise<Map<string, Versioned<CachedDocument>>> {
  const values = [JSON.stringify(ids)]
  const found = await db.reads.allAtOnce(OF_DOCUMENTS(db).map(sql => ({ sql, values })))
  const [rows, recipients, fields] = found as [DocumentRow[], RecipientRow[], FieldRow[]]
  const recipientsOf = Map.groupBy(recipients, r => r.document_id)
  const fieldsOf = Map.groupBy(fields, f => f.document_id)
  const versioned = (row: DocumentRow) => {
    const document = assemble(row, recipientsOf.get(row.id) ?? [], fieldsOf.get(row.id) ?? [])
    return { version: row.version, value: new CachedDocument(document, row.version), bytes: bytesOf(document) }
  }
  return new Map(rows.map(row => [row.id, versioned(row)]))
}

export async function documentIdOfRecipient(db: Db | Tx, recipientId: string): Promise<string | undefined> {
  return (await db.selectFrom('recipients').select('document_id').where('id', '=', recipientId).executeTakeFirst())?.document_id
}

/** With the span of time in which the sender has to look at it. */
function documentRow(document: Document) {
  const span = attentionSpan(document)
  return {
    ...DOCUMENTS.write(document),
    attention_from: span?.from?.toISOString() ?? (span && ALWAYS),
    attention_until: span?.until?.toISOString() ?? (span && NEVER),
  }
}

function recipientRow(document: Document, recipient: Recipient, position: number) {
  return { ...RECIPIENTS.write(recipient), document_id: document.id, position }
}

/** Sort before and after every time. */
const ALWAYS = '0'
const NEVER = '9'

/** SQLite allows 32,766 parameters per statement; a field has 22 columns. */
const ROWS_AT_ONCE = 500

export async function insert(tx: Tx, document: Document): Promise<void> {
  await tx.insertInto('documents').values(documentRow(document)).execute()
  const recipients = document.recipients.map((r, i) => recipientRow(document, r, i))
  if (recipients.length > 0) await tx.insertInto('recipients').values(recipients).execute()
  await insertFields(
    tx,
    document.id,
    0,
    document.recipients.flatMap(({ id, fields }) => fields.map(field => ({ field, recipientId: id }))),
  )
  await insertSearch(tx, document)
}

interface PlacedField {
  field: Field
  recipientId: string
}

function fieldRows(documentId: string, firstPosition: number, placed: PlacedField[]) {
  return placed.map(({ field, recipientId }, i) => ({
    ...FIELDS.write(field),
    recipient_id: recipientId,
    document_id: documentId,
    position: firstPosition + i,
  }))
}

async function insertFields(tx: Tx, documentId: string, firstPosition: number, placed: PlacedField[]): Promise<void> {
  const rows = fieldRows(documentId, firstPosition, placed)
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    await tx
      .insertInto('fields')
      .values(rows.slice(i, i + ROWS_AT_ONCE))
      .execute()
  }
}

/** Writes what changed: the document, its recipients and fields, also added and removed ones. */
export async function save(tx: Tx, before: Document, after: Document): Promise<void> {
  await tx.updateTable('documents').set(documentRow(after)).where('id', '=', after.id).execute()
  if (after.recipients !== before.recipients) {
    await saveRecipients(tx, before, after)
    await saveFields(tx, before, after)
    // Last: it also removes the fields that are still theirs.
    await removeRows(tx, 'recipients', missing(before.recipients, after.recipients))
  }
  await updateSearch(tx, before, after)
}

const missing = (before: { id: string }[], after: { id: string }[]) => {
  const kept = new Set(after.map(({ id }) => id))
  return before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
}

async function removeRows(tx: Tx, table: 'recipients' | 'fields', ids: string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += ROWS_AT_ONCE)
    await tx
      .deleteFrom(table)
      .where('id', 'in', ids.slice(i, i + ROWS_AT_ONCE))
      .execute()
}

async function saveRecipients(tx: Tx, before: Document, after: Document): Promise<void> {
  const known = new Map(before.recipients.map(r => [r.id, r]))
  const isReordered = before.recipients.some(({ id }, i) => after.recipients[i]?.id !== id)
  if (isReordered) {
    // A position is unique in a document: each gets its new one while no other has it.
    await sql`UPDATE recipients SET position = -1 - position WHERE document_id = ${after.id}`.execute(tx)
  }
  for (const [i, recipient] of after.recipients.entries()) {
    const old = known.get(recipient.id)
    const row = recipientRow(after, recipient, i)
    if (old === undefined) await tx.insertInto('recipients').values(row).execute()
    else if (old !== recipient || isReordered)
      await tx.updateTable('recipients').set(row).where('id', '=', recipient.id).execute()
  }
}

/** Fields of a recipient are in the order of their positions: added and moved ones come last. */
async function saveFields(tx: Tx, before: Document, after: Document): Promise<void> {
  const known = new Map(before.recipients.flatMap(r => r.fields.map(field => [field.id, { field, recipientId: r.id }])))
  const unchanged = new Set(before.recipients)
  const arriving: PlacedField[] = []
  const changed: PlacedField[] = []
  for (const recipient of after.recipients) {
    if (unchanged.has(recipient)) continue
    for (const field of recipient.fields) {
      const old = known.get(field.id)
      if (old?.recipientId !== recipient.id) arriving.push({ field, recipientId: recipient.id })
      else if (old.field !== field) changed.push({ field, recipientId: recipient.id })
    }
  }
  const gone = missing(
    [...known.values()].map(({ field }) => field),
    after.recipients.flatMap(({ fields }) => fields),
  )
  const moved = arriving.flatMap(({ field }) => (known.has(field.id) ? [field.id] : []))
  await removeRows(tx, 'fields', [...gone, ...moved])
  if (arriving.length > 0) await insertFields(tx, after.id, await nextPosition(tx, after.id), arriving)
  await updateFields(tx, after.id, changed)
}

/** As insertions that meet the existing rows: one statement for many fields. */
async function updateFields(tx: Tx, documentId: string, changed: PlacedField[]): Promise<void> {
  for (let i = 0; i < changed.length; i += ROWS_AT_ONCE) {
    const rows = fieldRows(documentId, 0, changed.slice(i, i + ROWS_AT_ONCE))
    const { position: _, recipient_id: __, document_id: ___, ...columns } = rows[0]!
    await tx
      .insertInto('fields')
      .values(rows)
      .onConflict(c =>
        c
          .column('id')
          .doUpdateSet(eb =>
            Object.fromEntries(Object.keys(columns).map(name => [name, eb.ref(`excluded.${name as keyof typeof columns}`)])),
          ),
      )
      .execute()
  }
}

async function nextPosition(tx: Tx, documentId: string): Promise<number> {
  const newest = tx.selectFrom('fields').select('position').where('document_id', '=', documentId)
  return ((await newest.orderBy('position', 'desc').limit(1).executeTakeFirst())?.position ?? -1) + 1
}

/** Those of these ids that a recipient or field of another document has. */
export async function idsInUse(tx: Tx, documentId: string, ids: string[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (let i = 0; i < ids.length; i += ROWS_AT_ONCE) {
    const some = ids.slice(i, i + ROWS_AT_ONCE)
    for (const table of ['recipients', 'fields'] as const) {
      const rows = tx.selectFrom(table).select('id').where('id', 'in', some).where('document_id', '!=', documentId)
      for (const { id } of await rows.execute()) used.add(id)
    }
  }
  return used
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('fields').where('document_id', '=', id).execute()
  await tx.deleteFrom('recipients').where('document_id', '=', id).execute()
  await tx.deleteFrom('documents').where('id', '=', id).execute()
}

/** Due documents are ordered by `at` and `id`. */
export interface DueDocument {
  documentId: string
  at: string
  id: string
}

export type DuePlace = Pick<DueDocument, 'at' | 'id'>

const DUE_FOR_EXPIRY = inWords(
  ({ indexedBy }) => `SELECT id AS "documentId", expires_at AS at, id FROM documents ${indexedBy('documents_expiry')}
    WHERE status = 'sent' AND (expires_at, id) > (?, ?) AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
)

/** Sent documents past their expiry, after `after`. */
export async function dueForExpiry(db: Db, now: Date, after: DuePlace, limit: number): Promise<DueDocument[]> {
  return db.reads.all(DUE_FOR_EXPIRY(db), [after.at, after.id, now.toISOString(), limit]) as Promise<DueDocument[]>
}

const DUE_FOR_REMINDER = inWords(
  ({
    indexedBy,
  }) => `SELECT document_id AS "documentId", next_reminder_at AS at, id FROM recipients ${indexedBy('recipients_reminder')}
    WHERE next_reminder_at IS NOT NULL AND (next_reminder_at, id) > (?, ?) AND next_reminder_at <= ?
    ORDER BY next_reminder_at, id LIMIT ?`,
)

/** Documents with due reminders, after `after`; once per recipient. */
export async function dueForReminder(db: Db, now: Date, after: DuePlace, limit: number): Promise<DueDocument[]> {
  return db.reads.all(DUE_FOR_REMINDER(db), [after.at, after.id, now.toISOString(), limit]) as Promise<DueDocument[]>
}

/** At most five documents whose original or newest sealed version is this file. */
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
