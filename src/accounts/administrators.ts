/** Who may manage people, checked in the transaction of the change. */
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import type { Origin } from '../ports.ts'
import * as queries from './people-queries.ts'

/**
 * The acting administrator; `undefined` for the command line. Two administrators may disable each
 * other at the same moment: the second is one no more. @throws Refusal `forbidden`
 */
export async function requireAdministrator(tx: Tx, { actor }: Origin): Promise<queries.Person | undefined> {
  if (actor.userId === undefined) return undefined
  const person = await queries.personById(tx, actor.userId)
  if (person?.role === 'admin' && !person.disabledAt) return person
  throw new Refusal('forbidden', violation('administrators_only'))
}

/** @throws Refusal `forbidden` */
export async function requireAnotherAdministrator(tx: Tx, { role, disabledAt, name }: queries.Person): Promise<void> {
  if (role !== 'admin' || disabledAt || (await queries.countActiveAdmins(tx)) > 1) return
  throw new Refusal('forbidden', violation('last_administrator', { name }))
}
