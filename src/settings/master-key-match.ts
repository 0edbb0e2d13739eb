/**
 * Refuses a master key other than the one whose fingerprint the database holds, and notes that
 * somebody has shown a copy of it.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Database, Db, Tx } from '../db/open.ts'
import { fingerprintOf, type SecretBox } from '../lib/secret-box.ts'
import { keyOfText, MasterKeyError } from '../master-key.ts'
import type { App, Origin } from '../ports.ts'
import { instanceFact, sealedSecret, setInstanceFact } from './queries.ts'
import { secretName } from './sealed.ts'

const FACT = 'master-key'

/** Of the key that the secrets are encrypted with. */
export const recordedKey = (db: Db | Tx) => instanceFact(db, FACT)

export const recordKey = (tx: Tx, { fingerprint }: SecretBox) => setInstanceFact(tx, FACT, fingerprint)

/** The first start records the fingerprint. Nothing is changed by a key that does not match. */
export async function requireMatchingKey({ db, write }: Pick<Database, 'db' | 'write'>, secrets: SecretBox): Promise<void> {
  const known = (await recordedKey(db)) ?? (await write(tx => record(tx, secrets)))
  if (known === secrets.fingerprint) return
  throw new MasterKeyError(
    'The master key is not the one that this database was made with: put the right key back (keys/master.key, or the file that SIGNET_MASTER_KEY_FILE names); after signet key rotate-master that is the new one. Nothing was changed.',
  )
}

/** Whether the database was made with this key. Changes nothing. */
export async function matchesKey(db: Db, secrets: SecretBox): Promise<boolean> {
  const known = await recordedKey(db)
  if (known !== undefined) return known === secrets.fingerprint
  const linkKey = await sealedSecret(db, 'link-key')
  return linkKey !== undefined && secrets.opens(secretName('stored', 'link-key'), linkKey)
}

/** Another node may have recorded its key since: the first one counts. Returns what is recorded. */
async function record(tx: Tx, secrets: SecretBox): Promise<string | undefined> {
  const known = await recordedKey(tx)
  if (known !== undefined) return known
  const linkKey = await sealedSecret(tx, 'link-key')
  // A database of a version that recorded no fingerprint: the key must open what it holds.
  if (linkKey !== undefined && !secrets.opens(secretName('stored', 'link-key'), linkKey)) return undefined
  await recordKey(tx, secrets)
  return secrets.fingerprint
}

// Whether somebody has shown a copy of the master key, which backups do not contain.

const MASTER_KEY_COPY_FACT = 'master-key-copy'

type Deps = Pick<App, 'config' | 'db' | 'secrets'>

/** Whether backups contain the master key: it is then in the data folder. */
export const isKeyInBackups = ({ masterKeyFile }: Deps['config']): boolean => masterKeyFile === undefined

/** Whether a copy is needed, and nobody has tested one of the present key. */
export async function isKeyCopyMissing({ config, db, secrets }: Deps): Promise<boolean> {
  return !isKeyInBackups(config) && (await instanceFact(db, MASTER_KEY_COPY_FACT)) !== secrets.fingerprint
}

/**
 * Records that a copy is right. `text`: as `signet key print` writes it, or as in the file; it is
 * not stored. @throws Refusal `validation_failed`
 */
export async function testKeyCopy(app: App, origin: Origin, text: string): Promise<void> {
  const key = keyOfText(text)
  if (key === undefined) {
    throw notACopy(violation('not_a_key_copy'))
  }
  if (fingerprintOf(key) !== app.secrets.fingerprint) {
    throw notACopy(violation('key_copy_differs'))
  }
  await app.write(async tx => {
    await setInstanceFact(tx, MASTER_KEY_COPY_FACT, app.secrets.fingerprint)
    const data = { key: app.secrets.fingerprint.slice(0, 8) }
    await appendInstanceEvent(tx, app, { type: 'master_key.copy_tested', data }, origin)
  })
}

const notACopy = (found: Violation) => new Refusal('validation_failed', found, [{ path: 'copy', ...found }])
