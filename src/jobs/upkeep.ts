/** Rows that have had their time: old idempotency records, sessions and counts of failed sign-ins. */
import { dropFailuresBefore, dropSessionsBefore } from '../accounts/queries.ts'
import { daysAfter } from '../core/document.ts'
import { dropIdempotencyKeys } from '../outbox/queries.ts'
import type { App } from '../ports.ts'

export async function sweepAccounts(app: App): Promise<void> {
  await app.write(async tx => {
    const yesterday = daysAfter(app.now(), -1)
    await dropIdempotencyKeys(tx, app.now(), app.instance.bootId)
    await dropSessionsBefore(tx, yesterday)
    await dropFailuresBefore(tx, yesterday)
  })
}
