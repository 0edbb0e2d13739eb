/** Copies the database for a backup, and checks a copy that a backup contained. */
import { auditHead, verifyChain } from '../audit/log.ts'
import { checkSnapshot } from '../db/check.ts'
import { checkSchema } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { copyDatabase, openSnapshot, openUnchanged, type Snapshot } from '../db/sqlite.ts'
import { partsOf } from '../lib/files.ts'
import type { FileSystem } from '../lib/machine.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import { matchesKey } from '../settings/master-key-match.ts'
import { instanceFact, sealedSecret } from '../settings/queries.ts'
import { secretName } from '../settings/sealed.ts'
import { BackupError } from './error.ts'
import { isSameSum, type Manifest, sumOfFiles } from './manifest.ts'
import { documentCount } from './queries.ts'

/** A copy whose file has no name: the system removes it with the process, however that ends. */
export interface NamelessCopy extends Snapshot {
  /** All bytes, from the first one on. May be called again. */
  read(): AsyncIterable<Uint8Array>
}

/** `scratch`: where the copy has a name for a moment. The next start removes what is left there. */
export async function copyForBackup(fileSystem: FileSystem, path: string, scratch: string): Promise<NamelessCopy> {
  const source = openUnchanged(path)
  try {
    copyDatabase(source, scratch)
    return await openNameless(fileSystem, scratch)
  } finally {
    source.close()
    await fileSystem.unlink(scratch).catch(() => undefined)
  }
}

async function openNameless(fileSystem: FileSystem, path: string): Promise<NamelessCopy> {
  const handle = await fileSystem.open(path, 'r')
  const snapshot = openSnapshot(path)
  // SQLite opens the file at the first statement that reads it, so this comes before the removal.
  checkSchema(snapshot.raw)
  return {
    ...snapshot,
    read: () => partsOf(handle),
    async close() {
      await snapshot.close()
      await handle.close()
    },
  }
}

/** The members of a manifest that come from the database. */
export async function factsOf({ db, raw }: Snapshot) {
  const { sequence, hash } = await auditHead(db)
  return {
    schema: checkSchema(raw),
    environment: (await instanceFact(db, 'environment')) ?? '',
    instance: (await instanceFact(db, 'id')) ?? '',
    documents: await documentCount(db),
    audit: { entries: sequence, head: hash },
    files: await sumOfFiles(db),
  }
}

/** Checks the database of a backup against its manifest, and that the key opens its secrets. */
export async function examineDatabase(path: string, manifest: Manifest, secrets: SecretBox): Promise<void> {
  const snapshot = openSnapshot(path)
  try {
    const problems = checkSnapshot(snapshot.raw)
    if (problems.length > 0) throw damaged(`SQLite reports: ${problems.join('; ')}`)
    const facts = await factsOf(snapshot)
    for (const name of ['schema', 'environment', 'instance', 'documents'] as const) {
      if (facts[name] !== manifest[name]) throw damaged(`its ${name} is ${facts[name]}, not ${manifest[name]}`)
    }
    if (!isSameSum(facts.files, manifest.files)) throw damaged('it refers to other files')
    const chain = await verifyChain(snapshot.db)
    if ('firstInvalid' in chain) throw damaged(`entry ${chain.firstInvalid} of the audit log does not follow from the one before`)
    if (chain.head !== manifest.audit.head || chain.count !== manifest.audit.entries) throw damaged('its audit log is another')
    if (!(await opensSecrets(snapshot.db, secrets))) throw damaged('the master key does not open its secrets')
  } finally {
    await snapshot.close()
  }
}

async function opensSecrets(db: Db, secrets: SecretBox): Promise<boolean> {
  const linkKey = await sealedSecret(db, 'link-key')
  return (await matchesKey(db, secrets)) && (linkKey === undefined || secrets.opens(secretName('stored', 'link-key'), linkKey))
}

const damaged = (problem: string) => new BackupError(diagnosis('backup_database_differs', { problem }))
