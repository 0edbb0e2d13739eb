/** The rows that a new or changed document inserts, updates and deletes. */
import { sql } from 'kysely'
import { attentionSpan } from '../core/document/attention.ts'
import { type Document, isTemplate, type Recipient } from '../core/document/document.ts'
import type { PlacedField } from '../core/field/visibility.ts'
import type { Tx } from '../db/open.ts'
import { type Change, insertions } from '../db/together.ts'
import { type LastNumber, searchChanges, searchInsertions } from './lists/search-queries.ts'
import { DOCUMENTS, FIELDS, RECIPIENTS } from './queries.ts'

/** With the span of time in which the sender has to look at it. */
function documentRow(document: Document) {
  const span = attentionSpan(document)
  return {
    ...DOCUMENTS.write(document),
    attention_from: span ? (span.from?.toISOString() ?? ALWAYS) : null,
    attention_until: span ? (span.until?.toISOString() ?? NEVER) : null,
  }
}

function recipientRow(document: Document, recipient: Recipient, position: number) {
  return { ...RECIPIENTS.write(recipient), document_id: document.id, position }
}

/** Sort before and after every time. */
const ALWAYS = '0'
const NEVER = '9'

const IDS_AT_ONCE = 500

/**
 * With recipients, fields and texts for the search, in which no template is. `last`: the row of
 * `lastNumber`, if any.
 */
export async function documentInsertions(tx: Tx, document: Document, last: LastNumber | undefined): Promise<Change[]> {
  const placed = document.recipients.flatMap(({ id, fields }) => fields.map(field => ({ field, recipientId: id })))
  return [
    ...insertions(tx, 'documents', [documentRow(document)]),
    ...insertions(
      tx,
      'recipients',
      document.recipients.map((recipient, i) => recipientRow(document, recipient, i)),
    ),
    ...insertions(tx, 'fields', fieldRows(document.id, 0, placed)),
    ...(isTemplate(document) ? [] : await searchInsertions(tx, document, last)),
  ]
}

function fieldRows(documentId: string, firstPosition: number, placed: PlacedField[]) {
  return placed.map(({ field, recipientId }, i) => ({
    ...FIELDS.write(field),
    recipient_id: recipientId,
    document_id: documentId,
    position: firstPosition + i,
  }))
}

/**
 * The document, its recipients and fields, also added and removed ones. Where rows come, go or
 * move, their order matters: then the changes are made here, and none is returned.
 */
export async function documentChanges(tx: Tx, before: Document, after: Document): Promise<Change[]> {
  const search = isTemplate(after) ? [] : await searchChanges(tx, before, after)
  const changes = [documentUpdate(tx, before, after), ...search]
  if (after.recipients === before.recipients) return changes
  const fields = fieldChanges(before, after)
  const isSameRows = fields.arriving.length === 0 && fields.gone.length === 0 && isSameOrder(before, after)
  const updates = fieldUpdates(tx, after.id, fields.changed)
  if (isSameRows) return [...changes, ...recipientUpdates(tx, before, after), ...updates]
  for (const change of changes) await change.execute()
  await saveRecipients(tx, before, after)
  await removeRows(tx, 'fields', [...fields.gone, ...fields.moved])
  const position = await nextPosition(tx, after.id)
  const arriving = insertions(tx, 'fields', fieldRows(after.id, position, fields.arriving))
  for (const change of [...arriving, ...updates]) await change.execute()
  // Last: it also removes the fields that are still theirs.
  await removeRows(tx, 'recipients', missing(before.recipients, after.recipients))
  return []
}

const isSameOrder = ({ recipients }: Document, after: Document) =>
  recipients.length === after.recipients.length && recipients.every(({ id }, i) => after.recipients[i]?.id === id)

/** The columns that differ; those derived by rules of this version are always among them. */
function documentUpdate(tx: Tx, before: Document, after: Document): Change {
  const { attention_from, attention_until, ...row } = documentRow(after)
  const changed = { ...differing(documentRow(before), row), attention_from, attention_until }
  return tx.updateTable('documents').set(changed).where('id', '=', after.id)
}

function differing<R extends object>(before: R, after: R): Partial<R> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof R])) as Partial<R>
}

/** One statement for recipients who change alike. */
function recipientUpdates(tx: Tx, before: Document, after: Document): Change[] {
  const changed = after.recipients.flatMap((recipient, i) => {
    const old = before.recipients[i]
    if (old === undefined || old === recipient) return []
    return [{ id: recipient.id, columns: differing(recipientRow(before, old, i), recipientRow(after, recipient, i)) }]
  })
  const alike = Map.groupBy(changed, ({ columns }) => JSON.stringify(columns))
  return [...alike.values()].flatMap(some => {
    const { columns = {} } = some[0] ?? {}
    const ids = some.map(({ id }) => id)
    return Object.keys(columns).length > 0 ? [tx.updateTable('recipients').set(columns).where('id', 'in', ids)] : []
  })
}

const missing = (before: { id: string }[], after: { id: string }[]) => {
  const kept = new Set(after.map(({ id }) => id))
  return before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
}

async function removeRows(tx: Tx, table: 'recipients' | 'fields', ids: string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE)
    await tx
      .deleteFrom(table)
      .where('id', 'in', ids.slice(i, i + IDS_AT_ONCE))
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
function fieldChanges(before: Document, after: Document) {
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
  return { arriving, changed, gone, moved: arriving.flatMap(({ field }) => (known.has(field.id) ? [field.id] : [])) }
}

/** As insertions that meet the existing rows: one statement for many fields. */
function fieldUpdates(tx: Tx, documentId: string, changed: PlacedField[]): Change[] {
  const rows = fieldRows(documentId, 0, changed)
  const [first] = rows
  if (first === undefined) return []
  const { position: _, recipient_id: __, document_id: ___, ...columns } = first
  const names = Object.keys(columns) as (keyof typeof columns)[]
  return insertions(tx, 'fields', rows, insertion =>
    insertion.onConflict(c =>
      c.column('id').doUpdateSet(eb => Object.fromEntries(names.map(name => [name, eb.ref(`excluded.${name}`)]))),
    ),
  )
}

async function nextPosition(tx: Tx, documentId: string): Promise<number> {
  const newest = tx.selectFrom('fields').select('position').where('document_id', '=', documentId)
  return ((await newest.orderBy('position', 'desc').limit(1).executeTakeFirst())?.position ?? -1) + 1
}
