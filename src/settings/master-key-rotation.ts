/**
 * Replaces the master key. The database holds the new key, encrypted with the former one, until
 * the key file has it: killed at any moment, the installation starts with the key that it finds.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import { DEAD_AFTER_MS, livingNodes } from '../db/nodes.ts'
import type { Database, Db, Tx } from '../db/open.ts'
import { errorMessage, type Log } from '../lib/log.ts'
import type { Random } from '../lib/machine.ts'
import { type SecretBox, secretBox } from '../lib/secret-box.ts'
import { MasterKeyError, type NewKeyFile, newMasterKey, replacingFile } from '../master-key.ts'
import type { App, Origin } from '../ports.ts'
import { recordedKey, recordKey, requireMatchingKey } from './master-key-match.ts'
import * as queries from './queries.ts'
import { dropInstanceFact, instanceFact, setInstanceFact } from './queries.ts'
import { nameOfRow, SEALED, type SealedColumn, secretName } from './sealed.ts'

const NEW_KEY = 'new-master-key'
const NAME = secretName('stored', NEW_KEY)

/** The new key, if the key file still has the former one. */
export async function unfinishedRotation(db: Db | Tx, former: SecretBox): Promise<Uint8Array | undefined> {
  const sealed = await instanceFact(db, NEW_KEY)
  if (sealed === undefined) return undefined
  const bytes = Buffer.from(sealed, 'base64')
  return former.opens(NAME, bytes) ? former.decrypt(NAME, bytes) : undefined
}

/** Whether a key file with the former key still opens the secrets. */
export const isRotationUnfinished = async (db: Db): Promise<boolean> => (await instanceFact(db, NEW_KEY)) !== undefined

interface OpenOptions {
  /** Of the key in the file. */
  found: SecretBox
  keyFile: string
  /** No other process may be replacing the file. */
  mayFinish: boolean
  log: Log
  random: Random
}

/** Opens the secrets of the database, and finishes a rotation that was interrupted. */
export async function openSecrets(database: Database, options: OpenOptions): Promise<SecretBox> {
  const { found, keyFile, mayFinish, log, random } = options
  const newKey = await unfinishedRotation(database.db, found)
  const secrets = newKey ? secretBox(newKey, random) : found
  await requireMatchingKey(database, secrets)
  if (newKey === undefined) await forgetNewKey(database)
  else if (mayFinish) await finishInterrupted(database, { newKey, former: found.fingerprint, keyFile, log })
  return secrets
}

/** Without it the former key opens nothing any more, also in what deleted rows leave. */
async function forgetNewKey({ db, write, compact }: Pick<Database, 'db' | 'write' | 'compact'>): Promise<void> {
  if ((await instanceFact(db, NEW_KEY)) === undefined) return
  await write(tx => dropInstanceFact(tx, NEW_KEY))
  await compact?.()
}

async function finishInterrupted(
  database: Database,
  { newKey, former, keyFile, log }: { newKey: Uint8Array; former: string; keyFile: string; log: Log },
): Promise<void> {
  try {
    const file = replacingFile(keyFile, newKey)
    file.prepare()
    file.finish(former)
  } catch (error) {
    // The file may be one that only a person can replace: the service goes on with the new key.
    log('warn', 'the key file has the former master key', { keyFile, error: errorMessage(error) })
    return
  }
  await forgetNewKey(database)
  log('info', 'an interrupted rotation of the master key was finished', { keyFile })
}

export interface Rotation {
  /** How many were encrypted anew; undefined if an earlier run that was killed had done it. */
  secrets: number | undefined
  /** Fingerprints. */
  from: string
  to: string
  newKeyFile: string
  /** Undefined: the key file has the former key until a person replaces it. */
  formerKeyFile: string | undefined
}

interface RotateOptions {
  /** Of the key in the file. */
  found: SecretBox
  /** Where the new key goes. */
  fileFor(key: Uint8Array): NewKeyFile
  origin: Origin
}

/**
 * The next start with the new key forgets what the former one opens. This process must write
 * nothing any more.
 * @throws MasterKeyError with a sentence; nothing was changed then
 */
export async function rotateMasterKey(app: App, { found, fileFor, origin }: RotateOptions): Promise<Rotation> {
  const begun = await unfinishedRotation(app.db, found)
  const newKey = begun ?? newMasterKey(app.random)
  const to = secretBox(newKey, app.random)
  const file = fileFor(newKey)
  file.prepare()
  const secrets = begun ? undefined : await encryptAnew(app, { to, newKey, file, origin })
  const formerKeyFile = file.finish(found.fingerprint)
  return { secrets, from: found.fingerprint, to: to.fingerprint, newKeyFile: file.path, formerKeyFile }
}

interface Change {
  to: SecretBox
  newKey: Uint8Array
  file: NewKeyFile
  origin: Origin
}

async function encryptAnew(app: App, { to, newKey, file, origin }: Change): Promise<number | undefined> {
  try {
    return await app.write(tx => replaceKey(tx, app, { to, newKey, origin }), { wake: false })
  } catch (error) {
    // The connection may have ended during COMMIT. While that is unknown, the file stays.
    if ((await recordedKey(app.db)) === to.fingerprint) return undefined
    file.discard()
    throw error
  }
}

async function replaceKey(tx: Tx, app: App, { to, newKey, origin }: Omit<Change, 'file'>): Promise<number> {
  const from = app.secrets
  // A folder has a lock instead. The transaction keeps others from joining.
  if (app.db.engine === 'postgresql') await requireNoNode(tx)
  await requireSameKey(tx, from)
  let secrets = 0
  for (const column of Object.values(SEALED)) secrets += await encryptColumn(tx, column, { from, to })
  await recordKey(tx, to)
  await setInstanceFact(tx, NEW_KEY, Buffer.from(from.encrypt(NAME, newKey)).toString('base64'))
  const data = { from: from.fingerprint, to: to.fingerprint, secrets }
  await appendInstanceEvent(tx, app, { type: 'master_key.rotated', data }, origin)
  return secrets
}

async function requireNoNode(tx: Tx): Promise<void> {
  const names = await livingNodes(tx)
  if (names.length === 0) return
  throw new MasterKeyError(
    `These nodes serve the database: ${names.join(', ')}. Stop them; a node that was killed counts as living for ${DEAD_AFTER_MS / 1000} s. Nothing was changed.`,
  )
}

/** What a process with the former key writes, nobody could read: it must end. */
export async function requireSameKey(tx: Tx, secrets: SecretBox): Promise<void> {
  if ((await recordedKey(tx)) === secrets.fingerprint) return
  throw new MasterKeyError('The master key was replaced while this process ran: start it again. Nothing was changed.')
}

async function encryptColumn(tx: Tx, column: SealedColumn, { from, to }: { from: SecretBox; to: SecretBox }): Promise<number> {
  let count = 0
  for (const keys of await queries.sealedKeys(tx, column)) {
    const name = nameOfRow(column, keys)
    for (const sealed of await queries.sealedBytes(tx, column, keys)) {
      if (!from.opens(name, sealed)) throw unreadable(column, keys)
      await queries.replaceSealed(tx, column, keys, { from: sealed, to: to.encrypt(name, from.decrypt(name, sealed)) })
      count++
    }
  }
  return count
}

function unreadable({ table, keys }: SealedColumn, values: readonly string[]): MasterKeyError {
  const row = keys.map((key, i) => `${key} ${values[i]}`).join(', ')
  return new MasterKeyError(
    `A secret in the table ${table} (${row}) cannot be decrypted: its row was changed from outside. Remove what it belongs to, or restore a backup. Nothing was changed.`,
  )
}
