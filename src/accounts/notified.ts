/** The only place that decides who receives mails about a document, a webhook or the instance. */
import type { Tx } from '../db/open.ts'
import type { Address } from '../outbox/outbox.ts'
import { readOrganisation } from '../settings/organisation.ts'
import * as queries from './queries.ts'

/** The owner unless disabled, or the organisation's contact, or all administrators. */
export async function addressesForOwner(tx: Tx, ownerId: string | undefined): Promise<readonly Address[]> {
  const owner = ownerId === undefined ? undefined : await queries.userById(tx, ownerId)
  if (owner && !owner.disabledAt) return [owner]
  const { name, contact } = await readOrganisation(tx)
  return contact === undefined ? queries.administrators(tx) : [{ name, email: contact }]
}

/** The administrators, or before the first one is created the organisation's contact. */
export async function addressesForAdministrators(tx: Tx): Promise<Address[]> {
  const found = await queries.administrators(tx)
  if (found.length > 0) return found
  const { name, contact } = await readOrganisation(tx)
  return contact === undefined ? [] : [{ name, email: contact }]
}
