/**
 * Rows of what recipients enter: values, drawings and pictures, files and one-time codes; and of
 * the consent texts they were shown.
 */
import type { Selectable } from 'kysely'
import type { FieldFile } from '../../core/field/field.ts'
import { type Language, languageOf } from '../../core/language.ts'
import type { OneTimeCode } from '../../core/signing/one-time-code.ts'
import type { Role } from '../../core/signing/routing.ts'
import type { MarkKind } from '../../core/signing/signature-mark.ts'
import type { Db, Tx } from '../../db/open.ts'
import type { Wanted } from '../../db/read-cache.ts'
import { rowMapper } from '../../db/row-mapper.ts'
import type { Schema } from '../../db/schema.ts'
import { type Change, insertions } from '../../db/together.ts'
import { inWords } from '../../db/words.ts'

/** By the name of the form field. */
export async function formValuesOf(db: Db | Tx, recipientId: string): Promise<Record<string, string>> {
  const rows = await db.selectFrom('drafts').select(['name', 'value']).where('recipient_id', '=', recipientId).execute()
  return Object.fromEntries(rows.map(row => [row.name, row.value]))
}

export async function upsertFormValues(tx: Tx, recipientId: string, entries: Record<string, string>): Promise<void> {
  const rows = Object.entries(entries).map(([name, value]) => ({ recipient_id: recipientId, name, value }))
  if (rows.length === 0) return
  await tx
    .insertInto('drafts')
    .values(rows)
    .onConflict(c => c.columns(['recipient_id', 'name']).doUpdateSet(eb => ({ value: eb.ref('excluded.value') })))
    .execute()
}

export const formValueDeletion = (tx: Tx, recipientId: string): Change =>
  tx.deleteFrom('drafts').where('recipient_id', '=', recipientId)

export async function dropFormValues(tx: Tx, recipientId: string): Promise<void> {
  await formValueDeletion(tx, recipientId).execute()
}

export async function dropFormValue(tx: Tx, recipientId: string, name: string): Promise<void> {
  await tx.deleteFrom('drafts').where('recipient_id', '=', recipientId).where('name', '=', name).execute()
}

/** In order of their ids, after `after`. */
export async function recipientsWithFormValues(db: Db, after: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('drafts').select('recipient_id').distinct().where('recipient_id', '>', after)
  return (await query.orderBy('recipient_id').limit(limit).execute()).map(row => row.recipient_id)
}

export interface ClosedRecipient {
  id: string
  signed_at: string | null
}

/** Those of these recipients whose document can no longer be signed. It never opens again. */
export async function closedRecipientsOf(db: Db, recipientIds: string[]): Promise<ClosedRecipient[]> {
  return db
    .selectFrom('recipients')
    .innerJoin('documents', 'documents.id', 'recipients.document_id')
    .select(['recipients.id', 'recipients.signed_at'])
    .where('recipients.id', 'in', recipientIds)
    .where('documents.status', 'not in', ['draft', 'sent'])
    .execute()
}

export interface MarkContent {
  sha256: string
  kind: Exclude<MarkKind, 'typed'>
  content: Uint8Array
}

export function markInsertion(tx: Tx, recipientId: string, { sha256, kind, content }: MarkContent): Change {
  return tx
    .insertInto('mark_contents')
    .values({ recipient_id: recipientId, sha256, kind, content })
    .onConflict(c => c.columns(['recipient_id', 'sha256']).doNothing())
}

export async function saveMarkContent(tx: Tx, recipientId: string, content: MarkContent): Promise<void> {
  await markInsertion(tx, recipientId, content).execute()
}

export async function markContent(db: Db | Tx, recipientId: string, sha256: string): Promise<Uint8Array | undefined> {
  const found = db.selectFrom('mark_contents').select('content')
  return (await found.where('recipient_id', '=', recipientId).where('sha256', '=', sha256).executeTakeFirst())?.content
}

export function markDeletion(tx: Tx, recipientId: string, kept: readonly string[]): Change {
  const own = tx.deleteFrom('mark_contents').where('recipient_id', '=', recipientId)
  return kept.length > 0 ? own.where('sha256', 'not in', kept) : own
}

export async function dropMarkContentsExcept(tx: Tx, recipientId: string, kept: readonly string[]): Promise<void> {
  await markDeletion(tx, recipientId, kept).execute()
}

// Documents that wait for somebody at an address.

const WAITING = inWords(
  ({ indexedBy, sameText }) => `SELECT DISTINCT d.id, d.version FROM recipients r ${indexedBy('recipients_to_sign')}
    JOIN documents d ON d.id = r.document_id
    WHERE ${sameText('r.email', '?')} AND r.status IN ('sent', 'viewed') AND d.status = 'sent' ORDER BY d.id DESC LIMIT ?`,
)

/** Newest first. Viewers, and people of the same address, are among them. */
export async function waitingForAddress(db: Db, email: string, limit: number): Promise<Wanted[]> {
  return (await db.reads.all(WAITING(db), [email, limit])) as Wanted[]
}

// Rows of one-time codes.

const CODES = rowMapper<OneTimeCode, Selectable<Schema['one_time_codes']>>()({
  id: 'id',
  recipientId: 'recipient_id',
  linkVersion: 'link_version',
  browserHash: 'browser_hash',
  attempts: 'attempts',
  createdAt: ['created_at', 'time'],
  usedAt: ['used_at', 'optional time'],
})

export async function codesOf(db: Db | Tx, recipientId: string): Promise<OneTimeCode[]> {
  const rows = await db.selectFrom('one_time_codes').selectAll().where('recipient_id', '=', recipientId).execute()
  return rows.map(CODES.read)
}

export const codeInsertion = (tx: Tx, code: OneTimeCode): Change[] => insertions(tx, 'one_time_codes', [CODES.write(code)])

export const codeUpdate = (tx: Tx, code: OneTimeCode): Change =>
  tx.updateTable('one_time_codes').set(CODES.write(code)).where('id', '=', code.id)

export const codeDeletions = (tx: Tx, codes: readonly OneTimeCode[]): Change[] =>
  codes.map(({ id }) => tx.deleteFrom('one_time_codes').where('id', '=', id))

// Rows of the consent texts that were shown.

export interface ShownConsent {
  /** Version and SHA-256. */
  id: string
  /** What it agrees to: to sign, or to approve without a mark. */
  kind: 'signing' | 'approval'
  language: Language
  text: string
  /** The sentence above the button. */
  intents: Record<Role, string>
}

export async function isConsentStored(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('consent_texts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function insertConsent(tx: Tx, { id, kind, language, text, intents }: ShownConsent, at: Date): Promise<void> {
  await tx
    .insertInto('consent_texts')
    .values({ id, kind, language, text, intents: JSON.stringify(intents), shown_at: at.toISOString() })
    .onConflict(c => c.column('id').doNothing())
    .execute()
}

export async function storedConsent(db: Db, id: string): Promise<ShownConsent | undefined> {
  const row = await db.selectFrom('consent_texts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { id, kind: row.kind, language: languageOf(row.language), text: row.text, intents: JSON.parse(row.intents) }
}

// Rows of the files that recipients added to fields.

export interface AddedFile {
  recipientId: string
  fieldId: string
  file: FieldFile
  /** It may contain scripts or other files. */
  hasActiveContent: boolean
}

const ofField = (db: Db | Tx) => db.selectFrom('field_files').selectAll('field_files')

type Row = Awaited<ReturnType<ReturnType<typeof ofField>['execute']>>[number]

function toFile(row: Row): AddedFile {
  return {
    recipientId: row.recipient_id,
    fieldId: row.field_id,
    file: { fileName: row.file_name, mediaType: row.media_type, bytes: row.bytes, sha256: row.sha256 },
    hasActiveContent: row.active_content === 1,
  }
}

export async function filesOfRecipient(db: Db | Tx, recipientId: string): Promise<AddedFile[]> {
  return (await ofField(db).where('recipient_id', '=', recipientId).orderBy('field_id').execute()).map(toFile)
}

export async function filesOfDocument(db: Db | Tx, documentId: string): Promise<AddedFile[]> {
  const rows = ofField(db).innerJoin('recipients', 'recipients.id', 'field_files.recipient_id')
  const ordered = rows.where('recipients.document_id', '=', documentId).orderBy('recipients.position').orderBy('field_id')
  return (await ordered.execute()).map(toFile)
}

export async function upsertFile(tx: Tx, { recipientId, fieldId, file, hasActiveContent }: AddedFile, now: Date): Promise<void> {
  const columns = {
    sha256: file.sha256,
    file_name: file.fileName,
    media_type: file.mediaType,
    bytes: file.bytes,
    active_content: hasActiveContent ? 1 : 0,
    added_at: now.toISOString(),
  } as const
  await tx
    .insertInto('field_files')
    .values({ recipient_id: recipientId, field_id: fieldId, ...columns })
    .onConflict(c => c.columns(['recipient_id', 'field_id']).doUpdateSet(columns))
    .execute()
}

export async function deleteFile(tx: Tx, recipientId: string, fieldId: string): Promise<void> {
  await tx.deleteFrom('field_files').where('recipient_id', '=', recipientId).where('field_id', '=', fieldId).execute()
}

/** The ids of the fields of a document whose files may contain scripts or other files. */
export async function fieldsWithActiveContent(db: Db, documentId: string): Promise<Set<string>> {
  const files = await filesOfDocument(db, documentId)
  return new Set(files.flatMap(({ fieldId, hasActiveContent }) => (hasActiveContent ? [fieldId] : [])))
}
