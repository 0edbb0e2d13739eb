/**
 * Copies of a SQLite database before its schema changes, for the way back to the release before.
 * They are encrypted, and go after two weeks or with the first erasure that concerns them.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../lib/duration.ts'
import { decryptFile, encryptFile } from '../lib/encrypted-file.ts'
import type { Machine } from '../lib/machine.ts'
import { copyDatabase, type Raw } from './sqlite.ts'

/** Days after which a copy is deleted. */
const SNAPSHOT_DAYS = 14

/**
 * `before-schema-34.20261123T161500Z.encrypted`, `after-` once somebody went back; of a release
 * before, plain and without a time.
 */
const NAME = /^(before|after)-schema-(\d+)(?:\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.encrypted|\.db)$/
const TEMPORARY = /^(before|after)-schema-.*\.tmp$/

export interface Snapshot {
  /** Before a migration, or after it, before somebody went back. */
  kind: 'before' | 'after'
  path: string
  name: string
  /** Before: that which the migration made. After: its own. */
  version: number
  at: Date
  isEncrypted: boolean
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The newest first. */
export function listSnapshots(folder: string): Snapshot[] {
  const found = namesIn(folder).flatMap((name): Snapshot[] => {
    const [, kind, version, year, month, day, hour, minute, second] = NAME.exec(name) ?? []
    if (kind !== 'before' && kind !== 'after') return []
    const path = join(folder, name)
    const at = year === undefined ? statSync(path).mtime : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return [{ kind, path, name, version: Number(version), at, isEncrypted: year !== undefined }]
  })
  return found.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** Made anew for each migration. A crash leaves at most files that the next call deletes. */
export function makeSnapshot(
  raw: Raw,
  folder: string,
  { kind, version }: Pick<Snapshot, 'kind' | 'version'>,
  masterKey: Uint8Array,
  { now, random }: Pick<Machine, 'now' | 'random'>,
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeLeftovers(folder)
  const former = listSnapshots(folder).filter(
    snapshot => (snapshot.kind === kind && snapshot.version === version) || !snapshot.isEncrypted,
  )
  const at = now().toISOString()
  const name = `${kind}-schema-${version}.${at.replaceAll(/[-:]|\.\d+/g, '')}.encrypted`
  const [plain, sealed] = [join(folder, `${kind}-schema-${version}.plain.tmp`), join(folder, `${name}.tmp`)]
  try {
    copyDatabase(raw, plain)
    encryptFile(masterKey, random, name, plain, sealed)
    renameSync(sealed, join(folder, name))
  } finally {
    removeLeftovers(folder)
  }
  for (const { path, name: formerName } of former) if (formerName !== name) rmSync(path, { force: true })
}

/** What a crash left: it may be a plain copy. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) if (TEMPORARY.test(name)) rmSync(join(folder, name), { force: true })
}

/** @throws EncryptedFileError */
export function readSnapshot({ path, name, isEncrypted }: Snapshot, masterKey: Uint8Array, to: string): void {
  rmSync(to, { force: true })
  if (!isEncrypted) throw new Error('a copy of the release before is a plain database: put it in the place of signet.db by hand')
  decryptFile(masterKey, name, path, to)
}

export const isSnapshotOld = ({ at }: Snapshot, now: Date): boolean => now.getTime() - at.getTime() >= SNAPSHOT_DAYS * DAY_MS
