/** Links, finds and unlinks the identity that a person has at the OpenID Connect provider. */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent } from '../core/document/event.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import type { AppTexts } from '../locales/app.ts'
import type { App, Origin } from '../ports.ts'
import { readOpenIdConnect } from '../settings/openid-connect.ts'
import { type Letter, mailPerson } from './account-mail.ts'
import type { Proof } from './oidc.ts'
import { dropIdentity, type Identity, identityBy, identityOf, insertIdentity } from './oidc-queries.ts'
import { passkeysOf } from './passkey-queries.ts'
import { hasPassword, type User, userById } from './queries.ts'

type Mails = AppTexts['openIdConnect']['mails']

/** Appends to the audit log, and tells the person by e-mail. */
async function recordAndMail(
  tx: Tx,
  app: App,
  user: User,
  { type, email, letter }: { type: InstanceEvent; email: string; letter: (mails: Mails) => Letter },
  origin: Origin,
): Promise<void> {
  await appendInstanceEvent(tx, app, { type, data: { userId: user.id }, personal: { email } }, origin)
  await mailPerson(tx, app, user, ({ openIdConnect }) => letter(openIdConnect.mails))
}

/** Links without a check: the caller knows that the identity belongs to this person. */
export async function insertLink(tx: Tx, app: App, user: User, { settings, claims }: Proof, origin: Origin): Promise<void> {
  const { issuer } = settings.registration
  const email = typeof claims.email === 'string' ? claims.email : ''
  const now = app.now()
  await insertIdentity(tx, { issuer, subject: claims.sub, userId: user.id, email, linkedAt: now, lastUsedAt: now })
  const letter = (mails: Mails) => mails.linked(app.config.baseUrl, settings.name, email)
  await recordAndMail(tx, app, user, { type: 'user.identity_linked', email, letter }, origin)
}

/** For a person who is signed in here and at the provider. @throws Refusal `forbidden` */
export async function linkOwnIdentity(app: App, user: User, proof: Proof, origin: Origin): Promise<void> {
  const { issuer } = proof.settings.registration
  await app.write(async tx => {
    const known = await identityBy(tx, issuer, proof.claims.sub)
    if (known?.userId === user.id) return
    if (known) throw new Refusal('forbidden', violation('provider_identity_taken'))
    if (await identityOf(tx, issuer, user.id)) {
      throw new Refusal('forbidden', violation('provider_linked_to_other'))
    }
    await insertLink(tx, app, user, proof, origin)
  })
}

/** The identity of a person at the provider that is set up now, with the provider's name. */
export async function linkedIdentity(
  app: App,
  userId: string,
  db: App['db'] | Tx = app.db,
): Promise<(Identity & { provider: string }) | undefined> {
  const settings = await readOpenIdConnect(app, db)
  const identity = settings && (await identityOf(db, settings.registration.issuer, userId))
  return identity && { ...identity, provider: settings.name }
}

/** @throws Refusal `not_found`; `forbidden` for the only way to sign in */
export async function unlinkIdentity(app: App, user: User, origin: Origin): Promise<void> {
  await app.write(async tx => {
    const identity = await linkedIdentity(app, user.id, tx)
    if (!identity) throw new Refusal('not_found', violation('provider_not_linked'))
    await requireAnotherWay(tx, app, user.id)
    await dropIdentity(tx, identity.issuer, user.id)
    const { email, provider } = identity
    const letter = (mails: Mails) => mails.unlinked(app.config.baseUrl, provider, email)
    await recordAndMail(tx, app, user, { type: 'user.identity_unlinked', email, letter }, origin)
  })
}

/**
 * Comes before the removal of a passkey or of the identity: a person keeps a way to sign in.
 * @throws Refusal `forbidden` for the last way
 */
export async function requireAnotherWay(tx: Tx, app: App, userId: string): Promise<void> {
  const others = (await passkeysOf(tx, userId)).length + ((await linkedIdentity(app, userId, tx)) ? 1 : 0)
  if (hasPassword(await userById(tx, userId)) || others > 1) return
  throw new Refusal('forbidden', violation('provider_only_way'))
}
