/**
 * Deletes the copies that migrations made: after their time, or once something in them was erased.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasErasedSince } from '../audit/queries.ts'
import { isSnapshotOld, listSnapshots } from '../db/snapshots.ts'
import type { App } from '../ports.ts'

export const snapshotFolder = ({ config }: Pick<App, 'config'>): string => join(config.dataFolder, 'backups')

/** The log says what was erased: so a crash after an erasure keeps no copy. */
export async function sweepSnapshots(app: Pick<App, 'config' | 'db' | 'now' | 'log'>): Promise<void> {
  for (const snapshot of listSnapshots(snapshotFolder(app))) {
    const isOver = isSnapshotOld(snapshot, app.now()) || (await hasErasedSince(app.db, snapshot.at))
    if (!isOver) continue
    rmSync(snapshot.path, { force: true })
    app.log('info', 'the copy from before a migration was deleted', { name: snapshot.name })
  }
}
