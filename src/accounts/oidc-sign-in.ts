/**
 * Who signs in by the identity provider: the person linked to the identity, or, under the rules of
 * an administrator, one whom the verified e-mail address names. Trusts only verified claims.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { MAX_ACCOUNT_NAME } from '../core/service-limits.ts'
import { cleanLine, emailError, MAX_EMAIL_LENGTH } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import type { Claims } from '../lib/openid-connect.ts'
import { englishOfRefusal } from '../locales/violations.ts'
import { type App, type Client, type Role, SYSTEM } from '../ports.ts'
import { isListedDomain, type OpenIdConnect, type RoleRule } from '../settings/openid-connect.ts'
import { changeRoleIn } from './manage.ts'
import type { Proof } from './oidc.ts'
import { insertLink } from './oidc-identity.ts'
import { type Identity, identityBy, identityOf, touchIdentity } from './oidc-queries.ts'
import { refuseDisabled } from './people.ts'
import {
  countActiveAdmins,
  deleteInvitation,
  type Invitation,
  invitationByEmail,
  type Person,
  personById,
} from './people-queries.ts'
import { personNameError } from './person-name.ts'
import { insertUser, type SignInMethod, type User, userByEmail, userById } from './queries.ts'
import { actorOfUser } from './rights.ts'

export interface SignedInBy {
  user: User
  method: SignInMethod
  /** The provider gave another address than the last time. */
  hasNewEmail: boolean
}

interface Visitor {
  settings: OpenIdConnect
  claims: Claims
  email: string
  client: Client
}

/** @throws Refusal `forbidden`; nothing is changed then but an entry in the audit log */
export async function signInByProvider(app: App, { settings, claims }: Proof, client: Client): Promise<SignedInBy> {
  const newId = app.newId('usr')
  try {
    const email = verifiedEmail(settings, claims)
    const found = await app.write(tx => findOrMake(tx, app, { settings, claims, email, client }, newId))
    return { ...found, method: settings.asksSecondFactor ? 'oidc_with_factor' : 'oidc' }
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'forbidden')
      await recordRefusal(app, claims, englishOfRefusal(error), client)
    throw error
  }
}

/**
 * The address that the provider vouches for. `email_verified` is a text with some providers.
 * @throws Refusal `forbidden`
 */
function verifiedEmail(settings: OpenIdConnect, { email, email_verified: mark }: Claims): string {
  if (typeof email !== 'string' || emailError(email) !== undefined) {
    throw new Refusal('forbidden', violation('provider_without_email'))
  }
  const isVerified = mark === true || mark === 'true' || (mark === undefined && settings.acceptsUnmarked)
  if (!isVerified) {
    throw new Refusal('forbidden', violation('provider_email_unverified', { email }))
  }
  if (settings.domains.length > 0 && !isListedDomain(settings, email)) {
    throw new Refusal('forbidden', violation('provider_domain_unlisted', { email }))
  }
  return email
}

async function findOrMake(tx: Tx, app: App, visitor: Visitor, newId: string): Promise<Omit<SignedInBy, 'method'>> {
  const { settings, claims, email } = visitor
  const known = await identityBy(tx, settings.registration.issuer, claims.sub)
  if (known) return knownPerson(tx, app, visitor, known)
  const user = await userByEmail(tx, email)
  if (user) await linkByEmail(tx, app, visitor, user)
  const id = user?.id ?? (await makePerson(tx, app, visitor, newId))
  return { user: await withRole(tx, app, visitor, id), hasNewEmail: false }
}

async function knownPerson(tx: Tx, app: App, visitor: Visitor, identity: Identity): Promise<Omit<SignedInBy, 'method'>> {
  const { email } = visitor
  refuseDisabled(await userById(tx, identity.userId))
  const user = await withRole(tx, app, visitor, identity.userId)
  await touchIdentity(tx, identity, email, app.now())
  return { user, hasNewEmail: identity.email.toLowerCase() !== email.toLowerCase() }
}

/**
 * Whoever can make accounts at the provider must not become an administrator here, nor anybody of a
 * domain that no administrator has entrusted to the provider.
 */
async function linkByEmail(tx: Tx, app: App, { settings, claims, email, client }: Visitor, user: User): Promise<void> {
  refuseDisabled(user)
  if (await identityOf(tx, settings.registration.issuer, user.id)) {
    throw new Refusal('forbidden', violation('provider_account_other', { email }))
  }
  if (user.role === 'admin' || !isListedDomain(settings, email)) {
    throw new Refusal('forbidden', violation('provider_account_unlinked', { email }))
  }
  await insertLink(tx, app, user, { settings, claims }, { actor: actorOfUser(user), ...client })
}

async function makePerson(tx: Tx, app: App, visitor: Visitor, id: string): Promise<string> {
  const { settings, claims, email, client } = visitor
  const invitation = await openInvitation(tx, app, visitor)
  const role = invitation?.role ?? settings.unknownRole
  if (role === undefined || !isListedDomain(settings, email)) {
    throw new Refusal('forbidden', violation('provider_account_missing', { email }))
  }
  const name = invitation?.name ?? nameIn(app, claims, email)
  const user: User = { id, email, name, role, passwordHash: '', language: invitation?.language, warningMails: true }
  await insertUser(tx, user, app.now())
  const origin = { actor: actorOfUser(user), ...client }
  const data = { userId: id, role, ...(invitation ? { invitationId: invitation.id } : {}) }
  await appendInstanceEvent(tx, app, { type: 'user.created', data }, origin)
  await insertLink(tx, app, user, { settings, claims }, origin)
  return id
}

/** One for an administrator needs its link, which was sent to the mailbox. */
export function acceptsInvitation(settings: OpenIdConnect, { role, email }: Pick<Invitation, 'role' | 'email'>): boolean {
  return role !== 'admin' && isListedDomain(settings, email)
}

/** It is used up. */
async function openInvitation(tx: Tx, app: App, { settings, email }: Visitor): Promise<Invitation | undefined> {
  const invitation = await invitationByEmail(tx, email)
  if (!invitation) return undefined
  if (!acceptsInvitation(settings, invitation) || invitation.expiresAt <= app.now()) {
    throw new Refusal('forbidden', violation('provider_invitation_open', { email }))
  }
  await deleteInvitation(tx, invitation.id)
  return invitation
}

/** As the provider gives it, else what is before the @. */
function nameIn(app: App, { name }: Claims, email: string): string {
  const isUsable = typeof name === 'string' && name.trim() !== '' && personNameError(app, name) === undefined
  return isUsable ? cleanLine(name) : email.slice(0, Math.min(email.lastIndexOf('@'), MAX_ACCOUNT_NAME))
}

/** With a rule, somebody to whom it gives no role is treated as unknown. */
async function withRole(tx: Tx, app: App, { settings, claims }: Visitor, id: string): Promise<User> {
  const { roleRule, unknownRole, name } = settings
  const person = await personById(tx, id)
  if (roleRule && person) {
    const role = roleIn(claims, roleRule) ?? unknownRole
    if (role === undefined) throw new Refusal('forbidden', violation('provider_no_role'))
    await takeRole(tx, app, person, role, name)
  }
  const user = await userById(tx, id)
  if (!user) throw new Refusal('forbidden', violation('account_removed'))
  return user
}

async function takeRole(tx: Tx, app: App, person: Person, role: Role, by: string): Promise<void> {
  if (person.role === role) return
  if (person.role === 'admin' && (await countActiveAdmins(tx)) < 2) {
    app.log('warn', 'the identity provider would demote the last administrator', { userId: person.id })
    return
  }
  await changeRoleIn(tx, app, person, role, by, SYSTEM)
}

async function recordRefusal(app: App, { sub, email }: Claims, reason: string, client: Client): Promise<void> {
  app.log('warn', 'sign-in by the identity provider refused', { ip: client.ip })
  const personal = { subject: sub, reason, ...(typeof email === 'string' ? { email: email.slice(0, MAX_EMAIL_LENGTH) } : {}) }
  await app.write(tx => appendInstanceEvent(tx, app, { type: 'sign_in.refused', personal }, { ...SYSTEM, ...client }))
}

// The role that a claim of the identity provider gives.

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
function roleIn(claims: Claims, { claim, roles }: RoleRule): Role | undefined {
  const found = [valueIn(claims, claim)].flat().filter(value => typeof value === 'string')
  return roles.find(({ values }) => values.some(value => found.includes(value)))?.role
}
