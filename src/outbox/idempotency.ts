/** Rows behind `Idempotency-Key`: a reservation, then the first answer, encrypted because it may hold a secret shown once. draft-ietf-httpapi-idempotency-key-header. */
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import type { App } from '../ports.ts'

export interface Reservation {
  owner: string
  value: string
  /** SHA-256 of method, path and body bytes. */
  fingerprint: string
}

export interface StoredAnswer {
  status: number
  body: string
}

const KEPT_MS = 24 * 3_600_000

const nameOf = ({ owner, value }: Reservation) => `idempotency:${owner}:${value}`

/** Takes the key for this request, or answers what the first request was answered. Throws `idempotency_key_reused` or `idempotency_in_progress`. */
export async function reserve(app: App, reservation: Reservation): Promise<StoredAnswer | undefined> {
  const { owner, value, fingerprint } = reservation
  const now = app.now()
  return app.write(async tx => {
    // One statement decides who is first: a row of an older boot that never finished, or one past its time, counts as none.
    const row = {
      owner,
      value,
      fingerprint,
      boot: app.instance.bootId,
      status: null,
      sealed_body: null,
      created_at: now.toISOString(),
      expires_at: null,
    }
    const taken = await tx
      .insertInto('idempotency_keys')
      .values(row)
      .onConflict(c =>
        c
          .columns(['owner', 'value'])
          .doUpdateSet(row)
          .where(eb =>
            eb.or([
              eb('idempotency_keys.expires_at', '<=', now.toISOString()),
              eb.and([eb('idempotency_keys.status', 'is', null), eb('idempotency_keys.boot', '!=', app.instance.bootId)]),
            ]),
          ),
      )
      .executeTakeFirst()
    if ((taken.numInsertedOrUpdatedRows ?? 0n) > 0n) return undefined
    const first = await tx
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('owner', '=', owner)
      .where('value', '=', value)
      .executeTakeFirstOrThrow()
    if (first.fingerprint !== fingerprint) {
      throw new Refusal(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request: send a fresh value for each new operation.',
      )
    }
    if (first.status === null || first.sealed_body === null) {
      throw new Refusal(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key is still running: try again in a moment.',
        [],
        1,
      )
    }
    return { status: first.status, body: app.secrets.open(nameOf(reservation), first.sealed_body).toString() }
  })
}

/** Stores the first answer; inside the transaction of the change where there is one. */
export async function settle(tx: Tx, app: App, reservation: Reservation, answer: StoredAnswer): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({
      status: answer.status,
      sealed_body: app.secrets.close(nameOf(reservation), Buffer.from(answer.body)),
      expires_at: new Date(app.now().getTime() + KEPT_MS).toISOString(),
    })
    .where('owner', '=', reservation.owner)
    .where('value', '=', reservation.value)
    .execute()
}

/** The request came to nothing that is stored: the key is free again. */
export async function release(tx: Tx, reservation: Reservation): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('owner', '=', reservation.owner)
    .where('value', '=', reservation.value)
    .where('status', 'is', null)
    .execute()
}

export async function dropExpired(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('expires_at', '<=', now.toISOString()).execute()
}
