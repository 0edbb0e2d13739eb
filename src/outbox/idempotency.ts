/** Idempotency keys. Stored responses are encrypted: they may contain a secret shown once. */
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { DAY_MS } from '../lib/duration.ts'
import { idPattern } from '../lib/id.ts'
import type { App } from '../ports.ts'
import { secretName } from '../settings/sealed.ts'
import * as queries from './idempotency-queries.ts'

export type Reservation = queries.Reservation

export interface StoredResponse {
  status: number
  body: string
}

const RETENTION_MS = DAY_MS

const nameOf = ({ owner, value }: Reservation) => secretName('answer', owner, value)

/** Returns the first response, if any. Throws if it is not known yet or was another request. */
export async function reserve(app: App, reservation: Reservation): Promise<StoredResponse | undefined> {
  // A crash ends the reservation, too; the change is stored only over it.
  return app.writeUnsynced(async tx => {
    if (await queries.takeIdempotencyKey(tx, reservation, app.now())) return undefined
    const first = await queries.idempotencyKey(tx, reservation)
    if (first.fingerprint !== reservation.fingerprint) {
      throw new Refusal('idempotency_key_reused', violation('idempotency_key_reused'))
    }
    if (first.status === null) throw inProgress()
    if (first.sealed_body === null) throw new Refusal('not_found', violation('document_deleted_since'))
    return { status: first.status, body: app.secrets.decrypt(nameOf(reservation), first.sealed_body).toString() }
  })
}

const inProgress = () => new Refusal('idempotency_in_progress', violation('idempotency_in_progress'), [], 1)

/**
 * Stores the response in the transaction of the change. Throws if this node was taken for dead and
 * another one has the key since: only one of the two requests makes the change.
 */
export async function settle(tx: Tx, app: App, reservation: Reservation, response: StoredResponse): Promise<void> {
  const sealedBody = app.secrets.encrypt(nameOf(reservation), Buffer.from(response.body))
  const expiresAt = new Date(app.now().getTime() + RETENTION_MS)
  const [, documentId] = DOCUMENT_ID.exec(response.body) ?? []
  if (!(await queries.settleIdempotencyKey(tx, reservation, { status: response.status, sealedBody, documentId, expiresAt })))
    throw inProgress()
}

/**
 * Makes a change and stores its response in the same transaction. If that was done before with this
 * key, returns the first response instead; what was deleted since is made anew.
 */
export async function once(
  tx: Tx,
  app: App,
  reservation: Reservation,
  make: () => Promise<StoredResponse>,
): Promise<StoredResponse | undefined> {
  if (await queries.takeIdempotencyKey(tx, reservation, app.now())) {
    await settle(tx, app, reservation, await make())
    return undefined
  }
  const { status, sealed_body } = await queries.idempotencyKey(tx, reservation)
  if (status !== null && sealed_body !== null)
    return { status, body: app.secrets.decrypt(nameOf(reservation), sealed_body).toString() }
  await queries.dropIdempotencyKey(tx, reservation)
  return once(tx, app, reservation, make)
}

/** The first member of this form; a text would have its quotes escaped. */
const DOCUMENT_ID = new RegExp(`"id":"(${idPattern('doc')}|${idPattern('tpl')})"`)

/** Frees the key of a request that stored nothing. */
export const release = queries.releaseIdempotencyKey
