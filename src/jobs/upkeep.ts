/** Rows that have had their time: old idempotency records and sessions. */
import { dropSessionsBefore } from '../accounts/queries.ts'
import { dropExpired } from '../outbox/idempotency.ts'
import type { App } from '../ports.ts'

const DAY_MS = 86_400_000

export async function sweepAccounts(app: App): Promise<void> {
  await app.write(async tx => {
    await dropExpired(tx, app.now())
    await dropSessionsBefore(tx, new Date(app.now().getTime() - DAY_MS))
  })
}
