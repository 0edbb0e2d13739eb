/** The role that a claim of the identity provider gives. */
import type { Claims } from '../lib/openid-connect.ts'
import type { Role } from '../ports.ts'
import type { RoleRule } from '../settings/openid-connect.ts'

/** The claim that has to be in the token: the outermost, for `realm_access.roles`. */
export const claimNameOf = ({ claim }: RoleRule): string => (claim.includes('://') ? claim : (claim.split('.')[0] ?? claim))

/** Names of claims may have dots themselves, as those that are addresses do. */
function valueIn(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  return claim.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isObject ? (value as Record<string, unknown>)[name] : undefined
  }, claims)
}

/** The first that has one of the person's values; undefined if none has. */
export function roleIn(claims: Claims, { claim, roles }: RoleRule): Role | undefined {
  const found = [valueIn(claims, claim)].flat().filter(value => typeof value === 'string')
  return roles.find(({ values }) => values.some(value => found.includes(value)))?.role
}
