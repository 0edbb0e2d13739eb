/** Refuses a master key other than the one whose fingerprint the database holds. */
import type { Database, Db, Tx } from '../db/open.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { MasterKeyError } from '../master-key.ts'
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
