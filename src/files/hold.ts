/** Keeps all stored files while a backup reads them; what is removed meanwhile is removed after. */
import { randomToken } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { deleteHold, HOLD_MS, saveHold } from './claim-queries.ts'

const RENEW_MS = 30_000

/** While `work` runs, no bytes are deleted. It must check `isLost` before it relies on that. */
export async function whileFilesHeld<T>(
  app: Pick<App, 'now' | 'steadyMs' | 'timers' | 'random' | 'writeUnsynced' | 'log'>,
  work: (hold: { isLost(): boolean }) => Promise<T>,
): Promise<T> {
  const id = randomToken(app.random)
  let heldUntilMs = 0
  const renew = async () => {
    const now = app.now()
    const sinceMs = app.steadyMs()
    await app.writeUnsynced(tx => saveHold(tx, id, now, new Date(now.getTime() + HOLD_MS)))
    heldUntilMs = sinceMs + HOLD_MS
  }
  await renew()
  const stop = app.timers.every(RENEW_MS, () => {
    renew().catch(error => app.log('warn', 'the hold on files could not be renewed', { error: String(error) }))
  })
  try {
    return await work({ isLost: () => app.steadyMs() > heldUntilMs })
  } finally {
    stop()
    await app.writeUnsynced(tx => deleteHold(tx, id))
  }
}
