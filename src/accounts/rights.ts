/**
 * What each role permits, and who may manage people. Which pages a role may open:
 * `http/frame/page-access.ts`.
 */
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { type Actor, type Origin, type Role, SCOPES, type Scope } from '../ports.ts'
import * as queries from './people-queries.ts'
import type { User } from './queries.ts'

// Who may manage people, checked in the transaction of the change.

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

// The rights of each role.

const READING_SCOPES = SCOPES.filter(scope => scope.endsWith(':read'))

/** The rights of a person, which also limit the keys of that person. */
export function rightsOf(role: Role): Pick<Actor, 'seesAll' | 'isAdmin' | 'scopes'> {
  return { seesAll: role !== 'member', isAdmin: role === 'admin', scopes: role === 'auditor' ? READING_SCOPES : SCOPES }
}

/** @throws Refusal `forbidden` with the scope that is missing */
export function requireScope({ scopes }: Pick<Actor, 'scopes'>, scope: Scope): void {
  if (!scopes.includes(scope)) throw new Refusal('forbidden', violation('scope_missing', { scope }))
}

export function actorOfUser({ id, role }: Pick<User, 'id' | 'role'>): Actor {
  return { label: `user:${id}`, userId: id, idempotencyOwner: id, ...rightsOf(role) }
}
