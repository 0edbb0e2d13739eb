/** An app that waits for an administrator: after a restore, and because of its clock. */
import { saveDoubt } from '../../src/health/queries.ts'
import type { App } from '../../src/ports.ts'
import { pauseSending } from '../../src/settings/sending-pause.ts'

export async function pauseAll(app: App): Promise<void> {
  const at = app.now()
  await app.write(tx => pauseSending(tx, { since: at, backupMadeAt: at }))
  await app.write(tx => saveDoubt(tx, { direction: 'ahead', known: at, shown: at }))
  await app.write(tx => tx.updateTable('cluster').set({ feature_level: 0 }).execute())
}
