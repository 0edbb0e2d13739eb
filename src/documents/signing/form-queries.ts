/** Rows of the values entered in a signing form, and of the drawings and pictures of marks. */
import type { MarkKind } from '../../core/signing/signature-mark.ts'
import type { Db, Tx } from '../../db/open.ts'
import type { Change } from '../../db/together.ts'

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
