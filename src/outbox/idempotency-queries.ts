/** Rows of idempotency keys: a reservation, then the response to the first request. */
import { sql } from 'kysely'
import type { Tx } from '../db/open.ts'
import { wordsOf } from '../db/words.ts'

/** An `Idempotency-Key` that one owner sent. */
export interface Reservation {
  owner: string
  value: string
  /** SHA-256 of method, path and body bytes. */
  fingerprint: string
  /** Of the node that runs the request. It counts while that node lives. */
  boot: string
}

/**
 * One statement decides between concurrent requests. Replaces abandoned rows. An answer that has
 * expired stays until it is swept, which no clock does that is doubted.
 */
export async function takeIdempotencyKey(tx: Tx, { owner, value, fingerprint, boot }: Reservation, now: Date): Promise<boolean> {
  const created_at = now.toISOString()
  const fresh = { fingerprint, boot, status: null, sealed_body: null, created_at, expires_at: null, document_id: null }
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ owner, value, ...fresh })
    .onConflict(c =>
      c
        .columns(['owner', 'value'])
        .doUpdateSet(fresh)
        .where(eb =>
          eb.and([
            eb('idempotency_keys.status', 'is', null),
            eb('idempotency_keys.boot', 'not in', eb.selectFrom('nodes').select('nodes.boot')),
          ]),
        ),
    )
    .executeTakeFirst()
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function idempotencyKey(tx: Tx, { owner, value }: Reservation) {
  return tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('owner', '=', owner)
    .where('value', '=', value)
    .executeTakeFirstOrThrow()
}

interface SealedResponse {
  status: number
  sealedBody: Uint8Array
  /** The document that it shows. */
  documentId: string | undefined
  expiresAt: Date
}

/** Returns whether the reservation was still this one. */
export async function settleIdempotencyKey(
  tx: Tx,
  { owner, value, boot }: Reservation,
  { status, sealedBody, documentId, expiresAt }: SealedResponse,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotency_keys')
    .set({ status, sealed_body: sealedBody, document_id: documentId ?? null, expires_at: expiresAt.toISOString() })
    .where('owner', '=', owner)
    .where('value', '=', value)
    .where('boot', '=', boot)
    .where('status', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The keys remain: the requests must not run again. */
export async function forgetResponses(tx: Tx, documentId: string): Promise<void> {
  await tx.updateTable('idempotency_keys').set({ sealed_body: null }).where('document_id', '=', documentId).execute()
}

export async function dropIdempotencyKey(tx: Tx, { owner, value }: Reservation): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('owner', '=', owner).where('value', '=', value).execute()
}

export async function releaseIdempotencyKey(tx: Tx, { owner, value, boot }: Reservation): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('owner', '=', owner)
    .where('value', '=', value)
    .where('boot', '=', boot)
    .where('status', 'is', null)
    .execute()
}

/** At most `limit` expired responses, and as many unfinished keys of nodes that are gone. */
export async function dropIdempotencyKeys(tx: Tx, now: Date, limit: number): Promise<number> {
  const expired = sql`SELECT owner, value FROM idempotency_keys WHERE expires_at <= ${now.toISOString()} LIMIT ${limit}`
  // The range leads SQLite to the index of the keys of running requests.
  const unfinished = sql`SELECT owner, value FROM idempotency_keys ${sql.raw(wordsOf(tx).indexedBy('idempotency_keys_open'))}
    WHERE status IS NULL AND boot > '' AND boot NOT IN (SELECT boot FROM nodes) LIMIT ${limit}`
  let deleted = 0
  for (const keys of [expired, unfinished]) {
    const named = sql<boolean>`(owner, value) IN (${keys})`
    deleted += Number((await tx.deleteFrom('idempotency_keys').where(named).executeTakeFirst()).numDeletedRows)
  }
  return deleted
}
