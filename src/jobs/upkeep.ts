/** Deletes expired rows of several modules. */
import { dropChangesBefore } from '../accounts/address-queries.ts'
import { dropPendingSignInsBefore } from '../accounts/factor-queries.ts'
import { dropRequestsBefore } from '../accounts/oidc-queries.ts'
import { dropChallengesBefore } from '../accounts/passkey-queries.ts'
import { dropFailuresBefore, dropSessionsBefore } from '../accounts/queries.ts'
import { dropAlertMailCounts } from '../alerts/queries.ts'
import { daysAfter } from '../core/document/document.ts'
import type { Tx } from '../db/open.ts'
import { dropIdempotencyKeys } from '../outbox/idempotency-queries.ts'
import type { App } from '../ports.ts'
import { dropDeletionsBefore, fillTypes } from '../webhooks/delivery-queries.ts'
import { dropFormerSecrets, dropRemainsOfWebhooks } from '../webhooks/queries.ts'

export async function sweepAccounts(app: App): Promise<void> {
  const yesterday = daysAfter(app.now(), -1)
  await inSlices(app, tx => dropIdempotencyKeys(tx, app.now(), AT_ONCE))
  await inSlices(app, tx => dropSessionsBefore(tx, yesterday, AT_ONCE))
  await inSlices(app, tx => dropPendingSignInsBefore(tx, app.now(), AT_ONCE))
  await inSlices(app, tx => dropChallengesBefore(tx, app.now(), AT_ONCE))
  await inSlices(app, tx => dropRequestsBefore(tx, app.now(), AT_ONCE))
  await inSlices(app, tx => dropChangesBefore(tx, app.now(), AT_ONCE))
  await inSlices(app, tx => dropFailuresBefore(tx, yesterday, AT_ONCE))
  await app.write(tx => dropAlertMailCounts(tx, app.now()), { wake: false })
}

export async function sweepWebhooks(app: App): Promise<void> {
  await app.write(tx => dropFormerSecrets(tx, app.now()), { wake: false })
  await inSlices(app, tx => dropRemainsOfWebhooks(tx, AT_ONCE))
  const before = daysAfter(app.now(), -DELETIONS_KEPT_DAYS)
  await inSlices(app, tx => dropDeletionsBefore(tx, before, AT_ONCE))
}

/** Of rows that a node of the release before wrote. */
export async function fillDeliveryTypes(app: App): Promise<void> {
  await inSlices(app, tx => fillTypes(tx, AT_ONCE))
}

const AT_ONCE = 200
const DELETIONS_KEPT_DAYS = 90

/** One transaction per slice, until nothing is left. */
async function inSlices(app: App, remove: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await app.write(remove, { wake: false })) > 0) await app.timers.yield()
}
