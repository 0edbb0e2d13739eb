/** Which roles may open a page. A page without an access word does not compile. */
import { SECOND_FACTOR_PATH, SIGN_IN_PATH } from '../../core/page-paths.ts'
import { Refusal } from '../../core/refusal.ts'
import { type Violation, violation } from '../../core/violation.ts'
import { ROLES, type Role } from '../../ports.ts'

interface Rule {
  roles: readonly Role[]
  refusal: Violation | undefined
}

/** Who may open a page that needs a session, and what others read. */
const SIGNED_IN = {
  session: { roles: ROLES, refusal: undefined },
  sender: { roles: ['admin', 'member'], refusal: violation('auditors_only_read') },
  auditor: { roles: ['admin', 'auditor'], refusal: violation('readers_of_settings_only') },
  admin: { roles: ['admin'], refusal: violation('administrators_only') },
} as const satisfies Record<string, Rule>

/** `link`: the action checks a secret in the URL or a cookie. */
export type PageAccess = 'public' | 'link' | keyof typeof SIGNED_IN

export const needsSession = (access: PageAccess): access is keyof typeof SIGNED_IN => Object.hasOwn(SIGNED_IN, access)

/** What a role may open. */
export function accessOf(role: Role): (keyof typeof SIGNED_IN)[] {
  const rules = Object.entries(SIGNED_IN) as [keyof typeof SIGNED_IN, Rule][]
  return rules.flatMap(([access, { roles }]) => (roles.includes(role) ? [access] : []))
}

/** Whether the signed-in person may open such pages. */
export const mayOpen = (
  { session }: { session: { user: { role: Role } } | undefined },
  access: keyof typeof SIGNED_IN,
): boolean => session !== undefined && accessOf(session.user.role).includes(access)

/** @throws Refusal `forbidden` */
export function requireRole(access: PageAccess, signedIn: { user: { role: Role } } | undefined): void {
  if (!needsSession(access) || !signedIn) return
  const { roles, refusal }: Rule = SIGNED_IN[access]
  if (refusal && !roles.includes(signedIn.user.role)) throw new Refusal('forbidden', refusal)
}

interface Opened {
  access: PageAccess
  method: string
  isForSecondFactor?: true
}

/** The page that the visitor has to pass first, if any. */
export function pageBefore(
  { access, method, isForSecondFactor }: Opened,
  signedIn: { lacksSecondFactor: boolean } | undefined,
  url: URL,
): string | undefined {
  if (!needsSession(access)) return undefined
  if (!signedIn) return `${SIGN_IN_PATH}${method === 'GET' ? `?next=${encodeURIComponent(url.pathname)}` : ''}`
  return signedIn.lacksSecondFactor && !isForSecondFactor ? SECOND_FACTOR_PATH : undefined
}
