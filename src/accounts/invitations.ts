/** Invites people: an account exists only once the invited person has chosen a password. */
import { appendInstanceEvent } from '../audit/log.ts'
import { APP_LANGUAGES, type AppLanguage } from '../core/language.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { INVITATION_DAYS } from '../core/service-limits.ts'
import { cleanLine, emailError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { keyedToken, randomToken } from '../lib/token.ts'
import { failedNotices } from '../outbox/queries.ts'
import { type App, type Client, type Origin, ROLES, type Role, SYSTEM } from '../ports.ts'
import { tell } from './account-mail.ts'
import { passwordError } from './password-rule.ts'
import * as queries from './people-queries.ts'
import { personNameError } from './person-name.ts'
import { insertUser, type User, userByEmail } from './queries.ts'
import { requireAdministrator } from './rights.ts'

export const INVITATION_MS = INVITATION_DAYS * DAY_MS

export interface NewInvitation {
  name: string
  email: string
  role: string
  /** Of the mail and of the web app for this person. */
  language: string
}

/** `link`: the administrator gives it to the person; no mail is sent. */
export type Delivery = 'mail' | 'link'

/** Returned once for `link`; it is not stored. */
export type InvitationLink = string | undefined

interface Link {
  token: string
  keyedBy: string[]
}

/** The mail makes the token again when it is sent: rows contain its hash alone. */
function newLink({ linkKey, random }: Pick<App, 'linkKey' | 'random'>, invitationId: string): Link {
  const keyedBy = ['invitation', invitationId, randomToken(random)]
  return { token: keyedToken(linkKey, ...keyedBy), keyedBy }
}

/** @throws Refusal `validation_failed` */
function parse(app: App, { name, email, role, language }: NewInvitation) {
  const known = ROLES.find(each => each === role)
  const tag = APP_LANGUAGES.find(each => each === language)
  const address = email.trim()
  refuseIfInvalid(
    errorsIn([
      ['name', personNameError(app, name)],
      ['email', emailError(address)],
      ['role', known === undefined ? violation('not_chosen') : undefined],
      ['language', tag === undefined ? violation('not_chosen') : undefined],
    ]),
  )
  return { name: cleanLine(name), email: address, role: known as Role, language: tag }
}

/** @throws Refusal `validation_failed`, `forbidden` */
export async function invitePerson(app: App, input: NewInvitation, delivery: Delivery, origin: Origin): Promise<InvitationLink> {
  const person = parse(app, input)
  const id = app.newId('inv')
  const link = newLink(app, id)
  await app.write(async tx => {
    const by = await requireInviter(tx, origin)
    await refuseKnownAddress(tx, person.email)
    const invitation = { ...person, id, invitedBy: by.id, createdAt: app.now(), ...termsOf(app, link) }
    await queries.insertInvitation(tx, invitation)
    await appendInstanceEvent(tx, app, eventOf('user.invited', invitation, delivery), origin)
    if (delivery === 'mail') await sendInvitation(tx, app, invitation, by, link)
  })
  return delivery === 'link' ? addressOf(app, link) : undefined
}

async function requireInviter(tx: Tx, origin: Origin): Promise<queries.Person> {
  const by = await requireAdministrator(tx, origin)
  if (!by) throw new Refusal('forbidden', violation('inviter_not_a_person'))
  return by
}

const termsOf = (app: App, { token }: Link) => ({
  tokenSha256: sha256Hex(token),
  expiresAt: new Date(app.now().getTime() + INVITATION_MS),
})

const addressOf = ({ config }: App, { token }: Link) => `${config.baseUrl}/invitation/${token}`

function eventOf(type: 'user.invited' | 'user.invitation_renewed', invitation: queries.Invitation, delivery: Delivery) {
  const { id, role, name, email } = invitation
  return { type, data: { invitationId: id, role, delivery }, personal: { name, email } }
}

async function refuseKnownAddress(tx: Tx, email: string): Promise<void> {
  if (await userByEmail(tx, email)) refuseIfInvalid([{ path: 'email', ...violation('address_has_account') }])
  if (await queries.invitationByEmail(tx, email)) refuseIfInvalid([{ path: 'email', ...violation('invited_already') }])
}

async function sendInvitation(tx: Tx, app: App, to: queries.Invitation, by: queries.Person, { keyedBy }: Link) {
  await tell(tx, app, to, (texts, organisation) => {
    const { subject, paragraphs, button } = texts.invitation(by.name, organisation, to.role, INVITATION_DAYS)
    return { subject, paragraphs, link: { text: button, path: '/invitation/', keyedBy } }
  })
}

/** The earlier link no longer works. @throws Refusal `not_found`, `forbidden` */
export async function renewInvitation(app: App, id: string, delivery: Delivery, origin: Origin): Promise<InvitationLink> {
  const link = newLink(app, id)
  await app.write(async tx => {
    const by = await requireInviter(tx, origin)
    const invitation = { ...(await loadInvitation(tx, id)), invitedBy: by.id, ...termsOf(app, link) }
    await queries.renewInvitation(tx, invitation)
    await appendInstanceEvent(tx, app, eventOf('user.invitation_renewed', invitation, delivery), origin)
    if (delivery === 'mail') await sendInvitation(tx, app, invitation, by, link)
  })
  return delivery === 'link' ? addressOf(app, link) : undefined
}

/** By id: what the mail server answered to the mail of an open invitation that it refused. */
export async function refusedInvitations(db: Db, invitations: readonly queries.Invitation[]): Promise<Map<string, string>> {
  const failed = await failedNotices(
    db,
    invitations.map(({ email }) => email),
  )
  return new Map(
    invitations.flatMap(({ id, email, expiresAt }) => {
      const sentAt = new Date(expiresAt.getTime() - INVITATION_MS)
      const refused = failed.find(mail => mail.email === email && mail.createdAt >= sentAt)
      return refused ? [[id, refused.reply ?? ''] as const] : []
    }),
  )
}

/** @throws Refusal `not_found` */
export async function loadInvitation(db: Parameters<typeof queries.invitationById>[0], id: string): Promise<queries.Invitation> {
  const invitation = await queries.invitationById(db, id)
  if (!invitation) throw new Refusal('not_found', violation('invitation_over'))
  return invitation
}

export async function withdrawInvitation(app: App, id: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    await requireAdministrator(tx, origin)
    const invitation = await loadInvitation(tx, id)
    await queries.deleteInvitation(tx, id)
    await recordWithdrawal(tx, app, invitation, origin)
  })
}

/** For a person who can invite no more: a link of their own would lead back in. */
export async function withdrawInvitationsBy(tx: Tx, app: App, userId: string, origin: Origin): Promise<void> {
  for (const invitation of await queries.deleteInvitationsBy(tx, userId)) await recordWithdrawal(tx, app, invitation, origin)
}

async function recordWithdrawal(tx: Tx, app: App, { id, name, email }: queries.Invitation, origin: Origin): Promise<void> {
  const event = { type: 'user.invitation_withdrawn', data: { invitationId: id }, personal: { name, email } } as const
  await appendInstanceEvent(tx, app, event, origin)
}

/** @throws Refusal `not_found` */
export async function invitationOfLink(app: App, token: string): Promise<queries.Invitation> {
  const invitation = await queries.invitationByToken(app.db, sha256Hex(token), app.now())
  if (!invitation) throw linkRefusal()
  return invitation
}

const linkRefusal = () => new Refusal('not_found', violation('invitation_link_spent'))

interface Acceptance {
  name: string
  password: string
  /** In which the person read the page. */
  language: AppLanguage
}

/**
 * Creates the account. @throws Refusal `not_found`; `validation_failed`: the link stays valid;
 * `invalid_state` for an address that got an account in another way
 */
export async function acceptInvitation(
  app: App,
  token: string,
  { name, password, language }: Acceptance,
  client: Client,
): Promise<User> {
  // Checked before the password is hashed: only a valid link may cause that work.
  await invitationOfLink(app, token)
  refuseIfInvalid(
    errorsIn([
      ['name', personNameError(app, name)],
      ['password', await passwordError(password)],
    ]),
  )
  const passwordHash = await app.passwords.hash(password)
  const id = app.newId('usr')
  return app.write(async tx => {
    const invitation = await queries.invitationByToken(tx, sha256Hex(token), app.now())
    if (!invitation) throw linkRefusal()
    const { email, role } = invitation
    if (await userByEmail(tx, email)) throw new Refusal('invalid_state', violation('account_exists', { email }))
    const user: User = { id, email, name: cleanLine(name), role, passwordHash, language, warningMails: true }
    await queries.deleteInvitation(tx, invitation.id)
    await insertUser(tx, user, app.now())
    const origin: Origin = { actor: { ...SYSTEM.actor, label: `user:${id}`, userId: id }, ...client }
    const data = { userId: id, role, invitationId: invitation.id }
    await appendInstanceEvent(tx, app, { type: 'user.created', data }, origin)
    return user
  })
}
