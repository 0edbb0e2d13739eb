/**
 * Rows behind `Idempotency-Key`: a reservation, then the first answer, encrypted because it may
 * hold a secret shown once. draft-ietf-httpapi-idempotency-key-header.
 */
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import * as queries from './idempotency-queries.ts'

export type Reservation = queries.Reservation

export interface StoredResponse {
  status: number
  body: string
}

const KEPT_MS = 24 * 3_600_000

const nameOf = ({ owner, value }: Reservation) => `idempotency:${owner}:${value}`

/**
 * Takes the key for this request, or answers what the first request was answered. Throws
 * `idempotency_key_reused` or `idempotency_in_progress`.
 */
export async function reserve(app: App, reservation: Reservation): Promise<StoredResponse | undefined> {
  return app.write(
    async tx => {
      if (await queries.takeIdempotencyKey(tx, reservation, app.instance.bootId, app.now())) return undefined
      const first = await queries.idempotencyKey(tx, reservation)
      if (first.fingerprint !== reservation.fingerprint) {
        const message = 'This Idempotency-Key was used for another request: send a fresh value for each new operation.'
        throw new Refusal('idempotency_key_reused', message)
      }
      if (first.status === null || first.sealed_body === null) {
        const message = 'The first request with this Idempotency-Key is still running: try again in a moment.'
        throw new Refusal('idempotency_in_progress', message, [], 1)
      }
      return { status: first.status, body: app.secrets.decrypt(nameOf(reservation), first.sealed_body).toString() }
    },
    { wake: false },
  )
}

/** Stores the first answer; inside the transaction of the change where there is one. */
export async function settle(tx: Tx, app: App, reservation: Reservation, answer: StoredResponse): Promise<void> {
  const sealedBody = app.secrets.encrypt(nameOf(reservation), Buffer.from(answer.body))
  await queries.settleIdempotencyKey(tx, reservation, answer.status, sealedBody, new Date(app.now().getTime() + KEPT_MS))
}

/** The request came to nothing that is stored: the key is free again. */
export const release = queries.releaseIdempotencyKey
