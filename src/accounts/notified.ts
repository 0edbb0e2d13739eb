/** Decides who is mailed what concerns an owner: a document's or a webhook's. The one place that does. */
import type { Tx } from '../db/open.ts'
import type { Address } from '../outbox/outbox.ts'
import { organisation } from '../settings/organisation.ts'
import * as queries from './queries.ts'

/** The owner; without one the organisation's contact; without a contact every administrator. Nobody before the set-up. */
export async function addressesForOwner(tx: Tx, ownerId: string | undefined): Promise<readonly Address[]> {
  const owner = ownerId === undefined ? undefined : await queries.userById(tx, ownerId)
  if (owner) return [owner]
  const { name, contact } = await organisation(tx)
  return contact === undefined ? queries.administrators(tx) : [{ name, email: contact }]
}
