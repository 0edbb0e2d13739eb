/** Rows of idempotency keys: a reservation, then the response to the first request. */
import { sql } from 'kysely'
import type { Tx } from '../db/open.ts'

/** An `Idempotency-Key` that one owner sent. */
export interface Reservation {
  owner: string
  value: string
  /** SHA-256 of method, path and body bytes. */
  fingerprint: string
}

/** One statement decides between concurrent requests. Replaces expired and abandoned rows. */
export async function takeIdempotencyKey(
  tx: Tx,
  { owner, value, fingerprint }: Reservation,
  boot: string,
  now: Date,
): Promise<boolean> {
  const fresh = { fingerprint, boot, status: null, sealed_body: null, created_at: now.toISOString(), expires_at: null }
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ owner, value, ...fresh })
    .onConflict(c =>
      c
        .columns(['owner', 'value'])
        .doUpdateSet(fresh)
        .where(eb =>
          eb.or([
            eb('idempotency_keys.expires_at', '<=', now.toISOString()),
            eb.and([eb('idempotency_keys.status', 'is', null), eb('idempotency_keys.boot', '!=', boot)]),
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

export async function settleIdempotencyKey(
  tx: Tx,
  { owner, value }: Reservation,
  status: number,
  sealedBody: Uint8Array,
  expiresAt: Date,
): Promise<void> {
  const settled = { status, sealed_body: sealedBody, expires_at: expiresAt.toISOString() }
  await tx.updateTable('idempotency_keys').set(settled).where('owner', '=', owner).where('value', '=', value).execute()
}

export async function releaseIdempotencyKey(tx: Tx, { owner, value }: Reservation): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('owner', '=', owner)
    .where('value', '=', value)
    .where('status', 'is', null)
    .execute()
}

/** At most `limit` expired responses and unfinished keys of earlier boots each. */
export async function dropIdempotencyKeys(tx: Tx, now: Date, boot: string, limit: number): Promise<number> {
  const expired = sql`SELECT owner, value FROM idempotency_keys WHERE expires_at <= ${now.toISOString()} LIMIT ${limit}`
  // Two ranges instead of "unequal", which would look at every key of a running request.
  const unfinished = (than: '<' | '>') =>
    sql`SELECT owner, value FROM idempotency_keys INDEXED BY idempotency_keys_open
      WHERE status IS NULL AND boot ${sql.raw(than)} ${boot} LIMIT ${limit}`
  let deleted = 0
  for (const keys of [expired, unfinished('<'), unfinished('>')]) {
    const result = await sql`DELETE FROM idempotency_keys WHERE (owner, value) IN (${keys})`.execute(tx)
    deleted += Number(result.numAffectedRows ?? 0n)
  }
  return deleted
}
