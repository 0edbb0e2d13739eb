/** What each role permits. Which pages it may open: `http/page-access.ts`. */
import { type Actor, type Role, SCOPES } from '../ports.ts'
import type { User } from './queries.ts'

const READING_SCOPES = SCOPES.filter(scope => scope.endsWith(':read'))

/** The rights of a person, which also limit the keys of that person. */
export function rightsOf(role: Role): Pick<Actor, 'seesAll' | 'isAdmin' | 'scopes'> {
  return { seesAll: role !== 'member', isAdmin: role === 'admin', scopes: role === 'auditor' ? READING_SCOPES : SCOPES }
}

export function actorOfUser({ id, role }: Pick<User, 'id' | 'role'>): Actor {
  return { label: `user:${id}`, userId: id, idempotencyOwner: id, ...rightsOf(role) }
}
