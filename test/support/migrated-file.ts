/** A SQLite file with all tables, no rows and no instance: migrations run once in a process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/db/migrate.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import type { Clock } from '../../src/lib/machine.ts'

const known = new Map<number, Uint8Array>()

export function writeMigratedFile(path: string, clock: Clock): void {
  const atMs = clock.now().getTime()
  const bytes = known.get(atMs) ?? migrated(clock)
  known.set(atMs, bytes)
  writeFileSync(path, bytes, { mode: 0o600 })
}

function migrated(clock: Clock): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'signet-schema-'))
  try {
    const path = join(folder, 'signet.db')
    const raw = openRaw(path)
    migrate(raw, clock)
    raw.pragma('wal_checkpoint(TRUNCATE)')
    raw.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
