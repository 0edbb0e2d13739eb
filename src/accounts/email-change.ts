/** Another e-mail address of an account: the new one confirms it, the old one can stop it. */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent, Json } from '../core/document/event.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { emailError, sameMailbox } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS, HOUR_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { keyedToken, randomToken } from '../lib/token.ts'
import type { AppTexts } from '../locales/app.ts'
import { type App, type Client, type Origin, SYSTEM } from '../ports.ts'
import { type Letter, mailPerson } from './account-mail.ts'
import * as changes from './address-queries.ts'
import { dropResetLink } from './factor-queries.ts'
import { invitationByEmail } from './people-queries.ts'
import { dropSessionsOf, type User, userByEmail, userById } from './queries.ts'
import { requireAdministrator } from './rights.ts'

const CONFIRM_HOURS = 24
const STOP_DAYS = 7
/** The mails go to addresses that are not verified yet. */
const MAX_A_DAY = 5

/** Made again when the mail is sent: rows contain only the hash of the token. */
const keysOf = (id: string) => ({ confirm: ['e-mail change', 'confirm', id], stop: ['e-mail change', 'stop', id] })
const after = (app: App, ms: number) => new Date(app.now().getTime() + ms)

async function addressError(tx: Tx, { id, email: old }: User, email: string): Promise<Violation | undefined> {
  const user = await userByEmail(tx, email)
  if (user?.id === id && email === old) return violation('present_address')
  if (user && user.id !== id) return violation('address_has_account')
  return (await invitationByEmail(tx, email)) ? violation('address_has_invitation') : undefined
}

async function append(
  tx: Tx,
  app: App,
  event: { type: InstanceEvent; data: Record<string, Json>; personal: Record<string, Json> },
  origin: Origin,
): Promise<void> {
  await appendInstanceEvent(tx, app, event, origin)
}

const eventOf = (type: InstanceEvent, { userId, oldEmail, newEmail }: changes.EmailChange, data: Record<string, Json> = {}) => ({
  type,
  data: { userId, ...data },
  personal: { from: oldEmail, to: newEmail },
})

type Mails = AppTexts['emailChange']['mails']

function send(tx: Tx, app: App, { name, language }: User, email: string, compose: (mails: Mails) => Letter): Promise<void> {
  return mailPerson(tx, app, { name, email, language }, ({ emailChange }) => compose(emailChange.mails))
}

const stopLink = (text: string, id: string) => ({ text, path: '/email/stop/', keyedBy: keysOf(id).stop })

/**
 * By the person, or by an administrator. It replaces a change that waits. Mails a link to the new
 * address, and a notice to the old one.
 * @throws Refusal `validation_failed`, `rate_limited`, `forbidden`
 */
export async function requestEmailChange(app: App, userId: string, entered: string, origin: Origin): Promise<void> {
  const newEmail = entered.trim()
  refuseIfInvalid(errorsIn([['email', emailError(newEmail)]]))
  const id = randomToken(app.random)
  const { confirm, stop } = keysOf(id)
  await app.write(async tx => {
    const user = await demandUser(tx, userId)
    if (origin.actor.userId !== userId) await requireAdministrator(tx, origin)
    const error = await addressError(tx, user, newEmail)
    refuseIfInvalid(errorsIn([['email', error]]))
    if ((await changes.countChangesSince(tx, userId, after(app, -DAY_MS))) >= MAX_A_DAY) throw tooMany()
    await changes.endOpenChangesOf(tx, userId, app.now())
    const change: changes.EmailChange = {
      ...{ id, userId, oldEmail: user.email, newEmail, requestedAt: app.now(), confirmedAt: undefined },
      confirmSha256: sha256Hex(keyedToken(app.linkKey, ...confirm)),
      stopSha256: sha256Hex(keyedToken(app.linkKey, ...stop)),
      confirmUntil: after(app, CONFIRM_HOURS * HOUR_MS),
      stopUntil: after(app, STOP_DAYS * DAY_MS),
    }
    await changes.insertChange(tx, change)
    await append(tx, app, eventOf('user.email_change_requested', change), origin)
    const { baseUrl } = app.config
    await send(tx, app, user, newEmail, mails => {
      const { button, ...mail } = mails.confirm(user.name, baseUrl, CONFIRM_HOURS)
      return { ...mail, link: { text: button, path: '/email/confirm/', keyedBy: confirm } }
    })
    await send(tx, app, user, user.email, mails => {
      const { button, ...mail } = mails.requested(baseUrl, newEmail, STOP_DAYS)
      return { ...mail, link: stopLink(button, id) }
    })
  })
}

const tooMany = () => new Refusal('rate_limited', violation('email_changed_often', { times: MAX_A_DAY }), [], DAY_MS / 1000)

async function demandUser(db: Db | Tx, userId: string): Promise<User> {
  const user = await userById(db, userId)
  if (!user) throw new Refusal('not_found', violation('account_not_found'))
  return user
}

const linkRefusal = () => new Refusal('not_found', violation('email_link_spent'))

/** The change that a link of either kind is about. @throws Refusal `not_found` */
export async function changeOfLink(app: App, kind: 'confirm' | 'stop', token: string): Promise<changes.EmailChange> {
  return demandChange(app, app.db, kind, token)
}

async function demandChange(app: App, db: Db | Tx, kind: 'confirm' | 'stop', token: string): Promise<changes.EmailChange> {
  const find = kind === 'confirm' ? changes.changeToConfirm : changes.changeToStop
  const change = await find(db, sha256Hex(token), app.now())
  if (!change) throw linkRefusal()
  return change
}

/** Whoever has the link reads the mail of that address: more is not known of them. */
const byLink = (client: Client): Origin => ({ ...SYSTEM, ...client })

/**
 * The new address is the account's. Links for a new password that went to the old one end.
 * @throws Refusal `not_found`; `forbidden` if the address was taken meanwhile
 */
export async function confirmEmailChange(app: App, token: string, client: Client): Promise<changes.EmailChange> {
  return app.write(async tx => {
    const change = await demandChange(app, tx, 'confirm', token)
    const user = await demandUser(tx, change.userId)
    if (await addressError(tx, user, change.newEmail)) throw taken(change.newEmail)
    await changes.setEmail(tx, user.id, change.newEmail)
    await changes.markConfirmed(tx, change.id, app.now(), after(app, STOP_DAYS * DAY_MS))
    await dropResetLink(tx, user.id)
    await append(tx, app, eventOf('user.email_changed', change), byLink(client))
    await send(tx, app, user, change.oldEmail, mails => {
      const { button, ...mail } = mails.changed(app.config.baseUrl, change.newEmail, STOP_DAYS)
      return { ...mail, link: stopLink(button, change.id) }
    })
    return change
  })
}

const taken = (email: string) => new Refusal('forbidden', violation('address_taken', { email }))

/**
 * By the old address: the change ends, or is taken back, with every session, since somebody else
 * may have made it. @throws Refusal `not_found`; `forbidden` if the address was taken meanwhile
 */
export async function stopEmailChange(app: App, token: string, client: Client): Promise<changes.EmailChange> {
  return app.write(async tx => {
    const change = await demandChange(app, tx, 'stop', token)
    const user = await demandUser(tx, change.userId)
    await changes.endChangesFrom(tx, change, app.now())
    const isBack = change.confirmedAt !== undefined
    await append(tx, app, eventOf('user.email_change_stopped', change, { takenBack: isBack }), byLink(client))
    if (!isBack) return change
    if (!sameMailbox(user.email, change.oldEmail) && (await addressError(tx, user, change.oldEmail))) throw taken(change.oldEmail)
    await changes.setEmail(tx, user.id, change.oldEmail)
    await dropSessionsOf(tx, user.id)
    await dropResetLink(tx, user.id)
    await send(tx, app, user, change.newEmail, mails => mails.takenBack(app.config.baseUrl, change.oldEmail))
    return change
  })
}

/** Ends the change that waits, if one does. @throws Refusal `forbidden` */
export async function withdrawEmailChange(app: App, userId: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    if (origin.actor.userId !== userId) await requireAdministrator(tx, origin)
    const change = await changes.openChangeOf(tx, userId, app.now())
    if (!change) return
    await changes.endOpenChangesOf(tx, userId, app.now())
    await append(tx, app, eventOf('user.email_change_stopped', change, { takenBack: false }), origin)
  })
}
