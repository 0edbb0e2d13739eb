/** What the first start stores and nobody changes. Of nodes that start together, one stores it. */
import type { Database } from '../db/open.ts'
import { idFactory } from '../lib/id.ts'
import type { Machine, Random } from '../lib/machine.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { addInstanceFact, addSecret, instanceFact, sealedSecret } from './queries.ts'
import { secretName } from './sealed.ts'

const LINK_KEY = secretName('stored', 'link-key')

type Deps = Pick<Database, 'db' | 'write'>

/** `environment` is that of the first start. */
export async function firstFacts(
  { db, write }: Deps,
  environment: string,
  { now, random }: Pick<Machine, 'now' | 'random'>,
): Promise<{ id: string; environment: string }> {
  const known = { id: await instanceFact(db, 'id'), environment: await instanceFact(db, 'environment') }
  if (known.id !== undefined && known.environment !== undefined) return { id: known.id, environment: known.environment }
  const id = idFactory(() => now().getTime(), random)('ins')
  return write(async tx => ({
    id: await addInstanceFact(tx, 'id', id),
    environment: await addInstanceFact(tx, 'environment', environment),
  }))
}

/** The key from which signing links and access codes are derived. */
export async function linkKey({ db, write }: Deps, secrets: SecretBox, random: Random): Promise<Uint8Array> {
  const known = await sealedSecret(db, 'link-key')
  if (known) return secrets.decrypt(LINK_KEY, known)
  const fresh = secrets.encrypt(LINK_KEY, random(32))
  return secrets.decrypt(LINK_KEY, await write(tx => addSecret(tx, 'link-key', fresh)))
}
