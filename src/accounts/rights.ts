/** What each role permits. Which pages it may open: `http/frame/page-access.ts`. */
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { type Actor, type Role, SCOPES, type Scope } from '../ports.ts'
import type { User } from './queries.ts'

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
