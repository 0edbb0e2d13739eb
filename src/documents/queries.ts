/** Rows of documents, recipients and fields, as they are read. `change-queries.ts` writes them. */
import type { Selectable } from 'kysely'
import type { Document, Recipient } from '../core/document/document.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../core/document/document-members.ts'
import { FIELD_MEMBERS, type Field, isMark } from '../core/field/field.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Versioned, Wanted } from '../db/read-cache.ts'
import { columnsOf, rowMapper, validTime } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { readTogether } from '../db/together.ts'
import { inWords } from '../db/words.ts'
import { CachedDocument } from './present.ts'

type DocumentRow = Selectable<Schema['documents']>
type RecipientRow = Selectable<Schema['recipients']>
type FieldRow = Selectable<Schema['fields']>

export const FIELDS = rowMapper<Field, FieldRow>()({ id: 'id', type: 'type', ...columnsOf(FIELD_MEMBERS) })

export const RECIPIENTS = rowMapper<Omit<Recipient, 'fields'>, RecipientRow>(validTime)({
  id: 'id',
  ...columnsOf(RECIPIENT_MEMBERS),
  ...columnsOf(RECIPIENT_STATE),
  order: 'signing_order',
  accessCodeHash: ['access_code_hash', 'optional'],
  accessCodeAttempts: 'access_code_tries',
  accessCodeWaitUntil: ['access_code_wait_until', 'optional time'],
  pendingLink: ['pending_link', 'optional'],
  linkVersion: 'link_version',
  signature: ['signature', 'optional json'],
  initials: ['initials', 'optional json'],
  consentVersion: ['consent_version', 'optional'],
  consentSha256: ['consent_sha256', 'optional'],
  remindersSent: 'reminders_sent',
  lastMailedAt: ['last_mailed_at', 'optional time'],
  nextReminderAt: ['next_reminder_at', 'optional time'],
})

/** Without the version: the database counts it. */
export const DOCUMENTS = rowMapper<Omit<Document, 'recipients'>, DocumentRow>(validTime)({
  id: 'id',
  ownerId: ['owner_id', 'optional'],
  status: 'status',
  ...columnsOf(DRAFT_MEMBERS),
  ...columnsOf(DOCUMENT_STATE),
  endedAt: ['ended_at', 'optional time'],
  heldAt: ['held_at', 'optional time'],
  holdReason: ['hold_reason', 'optional'],
  sha256Original: 'sha256_original',
  sha256Uploaded: ['sha256_uploaded', 'optional'],
  files: ['files', 'optional json'],
  sha256Sealed: ['sha256_sealed', 'optional'],
  senderFields: ['sender_fields', 'json'],
  isShared: ['shared', 'flag'],
})

/** A mark that an executable without the setting has stored: all of these had a rule. */
function readField(row: FieldRow): Field {
  const field = FIELDS.read(row)
  if (field.rule === undefined && isMark(field.type)) field.rule = true
  return field
}

function assemble(row: DocumentRow, recipients: RecipientRow[], fields: FieldRow[]): Document {
  const byRecipient = Map.groupBy(fields, f => f.recipient_id)
  // Assigned, not spread: a spread would copy every member.
  const document = DOCUMENTS.read(row) as Document
  document.recipients = recipients.map(recipientRow => {
    const recipient = RECIPIENTS.read(recipientRow) as Recipient
    recipient.fields = (byRecipient.get(recipient.id) ?? []).map(readField)
    return recipient
  })
  return document
}

/** Oldest first; templates too. */
export async function idsOfOwner(tx: Tx, ownerId: string, limit: number): Promise<string[]> {
  const own = tx.selectFrom('documents').select('id').where('owner_id', '=', ownerId)
  return (await own.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

/** Documents that they make from then on belong to the other person. */
export async function changeOwnerOfBatches(tx: Tx, fromId: string, toId: string): Promise<void> {
  await tx.updateTable('batches').set({ owner_id: toId }).where('owner_id', '=', fromId).execute()
}

/** Outside a transaction it may be a cached value: callers must not change it. */
export async function find(db: Db | Tx, id: string): Promise<Document | undefined> {
  if (!db.isTransaction) return (await findCached(db as Db, id))?.document
  const [[row], recipients, fields] = await readTogether(db as Tx, [
    db.selectFrom('documents').selectAll().where('id', '=', id),
    db.selectFrom('recipients').selectAll().where('document_id', '=', id).orderBy('position'),
    db.selectFrom('fields').selectAll().where('document_id', '=', id).orderBy('position'),
  ])
  return row && assemble(row, recipients, fields)
}

/** Estimate of the memory that a document and its JSON texts take. */
const bytesOf = ({ recipients }: Document) => recipients.reduce((sum, { fields }) => sum + 2000 + 1500 * fields.length, 3000)

export async function versionOf(db: Db | Tx, id: string): Promise<number | undefined> {
  return (await db.selectFrom('documents').select('version').where('id', '=', id).executeTakeFirst())?.version
}

/** Reads the version first: a document is read and assembled once per version. */
export async function findCached(db: Db, id: string): Promise<CachedDocument | undefined> {
  const version = (await db.reads.value('SELECT version FROM documents WHERE id = ?', [id])) as number | undefined
  return findAtVersion(db, { id, version })
}

/** @throws what is wrong with its rows: it is not missing */
async function findAtVersion(db: Db, wanted: Wanted): Promise<CachedDocument | undefined> {
  return db.cache.get('document', wanted, async () => {
    const { found, unreadable } = await readDocuments(db, [wanted.id])
    if (unreadable.has(wanted.id)) throw unreadable.get(wanted.id)
    return found.get(wanted.id)
  })
}

const VERSIONS = inWords(
  ({ listed, joinInOrder }) =>
    `SELECT d.id, d.version FROM ${listed} ${joinInOrder} documents d ON d.id = named.value ORDER BY named.key`,
)

/** As `findCached`, for several in their order. Missing and unreadable ones are left out. */
export async function findAllCached(db: Db, ids: readonly string[]): Promise<CachedDocument[]> {
  return findAtVersions(db, (await db.reads.all(VERSIONS(db), [JSON.stringify(ids)])) as Wanted[])
}

/** The documents that still have these versions, the others as they are now. */
export function findAtVersions(db: Db, wanted: readonly Wanted[]): Promise<CachedDocument[]> {
  return db.cache.getAll('document', wanted, async ids => (await readDocuments(db, ids)).found)
}

/** Documents, recipients and fields, from the tables that `of` gives and limits. */
function rowsOf(of: (table: string, documentId: string) => string): string[] {
  const inPosition = (table: string) => `SELECT t.* FROM ${of(table, 'document_id')} ORDER BY t.position`
  return [`SELECT t.* FROM ${of('documents', 'id')}`, inPosition('recipients'), inPosition('fields')]
}

const OF_ONE = inWords(({ bound }) => rowsOf((table, id) => `${table} t WHERE t.${id} = ${bound}`))
const OF_LISTED = inWords(({ listed, joinInOrder }) =>
  rowsOf((table, id) => `${listed} ${joinInOrder} ${table} t ON t.${id} = named.value`),
)

interface ReadDocuments {
  found: Map<string, Versioned<CachedDocument>>
  /** What is wrong with their rows, by id. One of them never breaks a list. */
  unreadable: Map<string, unknown>
}

async function readDocuments(db: Db, ids: string[]): Promise<ReadDocuments> {
  const [texts, values] = ids.length === 1 ? [OF_ONE(db), ids] : [OF_LISTED(db), [JSON.stringify(ids)]]
  const found = await db.reads.allAtOnce(texts.map(sql => ({ sql, values })))
  const [rows, recipients, fields] = found as [DocumentRow[], RecipientRow[], FieldRow[]]
  const recipientsOf = Map.groupBy(recipients, r => r.document_id)
  const fieldsOf = Map.groupBy(fields, f => f.document_id)
  const versioned = (row: DocumentRow) => {
    const document = assemble(row, recipientsOf.get(row.id) ?? [], fieldsOf.get(row.id) ?? [])
    return { version: row.version, value: new CachedDocument(document, row.version), bytes: bytesOf(document) }
  }
  const read: ReadDocuments = { found: new Map(), unreadable: new Map() }
  for (const row of rows) {
    try {
      read.found.set(row.id, versioned(row))
    } catch (error) {
      read.unreadable.set(row.id, error)
      db.onUnreadable(row.id, error)
    }
  }
  return read
}

const OF_RECIPIENT = `SELECT d.id, d.version FROM recipients r JOIN documents d ON d.id = r.document_id
  WHERE r.id = ? AND d.status <> 'template'`

/**
 * As the rows are now: a row that something else than this service changed has the same version.
 * `unreadable`: what is wrong with the rows of others, by id.
 */
export async function findUncached(
  db: Db,
  ids: readonly string[],
): Promise<{ documents: Document[]; unreadable: ReadonlyMap<string, unknown> }> {
  if (ids.length === 0) return { documents: [], unreadable: new Map() }
  const { found, unreadable } = await readDocuments(db, [...ids])
  return { documents: [...found.values()].map(({ value }) => value.document), unreadable }
}

/** Of documents and templates, in their order. */
export async function idsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('documents').select('id').where('id', '>', after).orderBy('id').limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}

/** As `findCached`, the document of a recipient. A role of a template is nobody's. */
export async function findOfRecipient(db: Db, recipientId: string): Promise<CachedDocument | undefined> {
  const wanted = (await db.reads.first(OF_RECIPIENT, [recipientId])) as Wanted | undefined
  return wanted && findAtVersion(db, wanted)
}

const IDS_AT_ONCE = 500

/** Those of these ids that a recipient or field of another document has. */
export async function idsInUse(tx: Tx, documentId: string, ids: string[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
    const some = ids.slice(i, i + IDS_AT_ONCE)
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

/** At most five documents whose original or newest sealed version is this file, or an added one. */
export async function documentsOfFile(db: Db | Tx, sha256: string): Promise<string[]> {
  const added = db
    .selectFrom('field_files')
    .innerJoin('recipients', 'recipients.id', 'field_files.recipient_id')
    .select('recipients.document_id')
    .where('field_files.sha256', '=', sha256)
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where(eb => eb.or([eb('sha256_original', '=', sha256), eb('sha256_sealed', '=', sha256), eb('id', 'in', added)]))
    .orderBy('id')
    .limit(5)
    .execute()
  return rows.map(row => row.id)
}

// Rows of the newest change of each path of a draft.

export interface DraftChange {
  path: string
  /** That the change led to. */
  version: number
  at: Date
  /** The label of the actor. */
  actor: string
}

const ROWS_AT_ONCE = 500

export async function upsertDraftChanges(tx: Tx, documentId: string, changes: DraftChange[]): Promise<void> {
  const rows = changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString(), document_id: documentId }))
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
    await tx
      .insertInto('draft_changes')
      .values(rows.slice(i, i + ROWS_AT_ONCE))
      .onConflict(c =>
        c.columns(['document_id', 'path']).doUpdateSet(eb => ({
          version: eb.ref('excluded.version'),
          at: eb.ref('excluded.at'),
          actor: eb.ref('excluded.actor'),
        })),
      )
      .execute()
  }
}

/** The path of what can no longer be listed. */
const WHOLE = 'document'

/** Keeps the newest half of more than `max` changes. For older versions `document` has changed. */
export async function trimDraftChanges(tx: Tx, documentId: string, max: number): Promise<void> {
  const own = tx.selectFrom('draft_changes').where('document_id', '=', documentId)
  const { count } = await own.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (count <= max) return
  const newestFirst = own.select(['version', 'at', 'actor']).orderBy('version', 'desc')
  const last = await newestFirst
    .offset(Math.floor(max / 2))
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('draft_changes').where('document_id', '=', documentId).where('version', '<=', last.version).execute()
  await tx
    .insertInto('draft_changes')
    .values({ ...last, document_id: documentId, path: WHOLE })
    .onConflict(c => c.columns(['document_id', 'path']).doUpdateSet(last))
    .execute()
}

/** In the order of the changes. */
export async function draftChangesSince(db: Db | Tx, documentId: string, version: number): Promise<DraftChange[]> {
  const rows = await db
    .selectFrom('draft_changes')
    .select(['path', 'version', 'at', 'actor'])
    .where('document_id', '=', documentId)
    .where('version', '>', version)
    .orderBy('version')
    .orderBy('path')
    .execute()
  return rows.map(row => ({ ...row, at: new Date(row.at) }))
}

export const draftChangeDeletion = (tx: Tx, documentId: string) =>
  tx.deleteFrom('draft_changes').where('document_id', '=', documentId)
