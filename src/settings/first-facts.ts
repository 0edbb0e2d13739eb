/** What the first start stores and nobody changes. Of nodes that start together, one stores it. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { idFactory } from '../lib/id.ts'
import type { Clock } from '../lib/machine.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { addInstanceFact, addSecret, instanceFact, sealedSecret } from './queries.ts'
import { secretName } from './sealed.ts'

const LINK_KEY = secretName('stored', 'link-key')

type Deps = Pick<Database, 'db' | 'write'>

/** `environment` is that of the first start. */
export async function firstFacts(
  { db, write }: Deps,
  environment: string,
  { now }: Clock,
): Promise<{ id: string; environment: string }> {
  const known = { id: await instanceFact(db, 'id'), environment: await instanceFact(db, 'environment') }
  if (known.id !== undefined && known.environment !== undefined) return { id: known.id, environment: known.environment }
  const id = idFactory(() => now().getTime())('ins')
  return write(async tx => ({
    id: await addInstanceFact(tx, 'id', id),
    environment: await addInstanceFact(tx, 'environment', environment),
  }))
}

/** The key from which signing links and access codes are derived. */
export async function linkKey({ db, write }: Deps, secrets: SecretBox): Promise<Uint8Array> {
  const known = await sealedSecret(db, 'link-key')
  if (known) return secrets.decrypt(LINK_KEY, known)
  const fresh = secrets.encrypt(LINK_KEY, randomBytes(32))
  return secrets.decrypt(LINK_KEY, await write(tx => addSecret(tx, 'link-key', fresh)))
}
