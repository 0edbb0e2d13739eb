/** Passkeys of people: registered, used at sign-in and before sensitive changes, removed. */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent } from '../core/document/event.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { cleanLine } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import {
  type CreationOptions,
  creationOptions,
  namedIn,
  type PasskeySite,
  passkeySiteOf,
  type RequestOptions,
  requestOptions,
  verifyAssertion,
  verifyCreation,
} from '../lib/web-authn.ts'
import type { AppTexts } from '../locales/app.ts'
import type { App, Client, Origin } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { type Letter, mailPerson } from './account-mail.ts'
import { countRecoveryCodes, dropRecoveryCodes } from './factor-queries.ts'
import { requireAnotherWay } from './oidc-identity.ts'
import * as queries from './passkey-queries.ts'
import { refuseDisabled } from './people.ts'
import { personNameError } from './person-name.ts'
import { confirmSession, type User, userById } from './queries.ts'
import { actorOfUser } from './rights.ts'
import { hasAnyFactor, newCodes, secondStepOf } from './second-factor.ts'

const CHALLENGE_MS = 5 * MINUTE_MS
/** Browsers send the ids of all of them to the authenticator. */
const MAX_PASSKEYS = 20

/** The token of the browser's forms: another browser cannot answer the challenge. */
interface Browser {
  browser: string
}

type Purpose = 'registration' | 'sign-in' | 'confirmation'

interface Asked extends Browser {
  purpose: Purpose
  userId: string | undefined
}

function challengeRow(challenge: string, { browser, purpose, userId }: Asked): Omit<queries.Challenge, 'expiresAt'> {
  return { challengeSha256: sha256Hex(challenge), browserSha256: sha256Hex(browser), purpose, userId }
}

/** Stored, so that another node can verify the response. */
async function keepChallenge(app: App, challenge: string, asked: Asked): Promise<void> {
  const expiresAt = new Date(app.now().getTime() + CHALLENGE_MS)
  await app.write(tx => queries.insertChallenge(tx, { ...challengeRow(challenge, asked), expiresAt }), { wake: false })
}

const takeChallenge = (app: App, asked: Asked) => (challenge: string) =>
  app.write(tx => queries.takeChallenge(tx, challengeRow(challenge, asked), app.now()), { wake: false })

/** @throws Refusal `invalid_state` where browsers make no passkeys */
function demandSite({ config }: App): PasskeySite {
  const site = passkeySiteOf(config.baseUrl)
  if (site) return site
  throw new Refusal('invalid_state', violation('passkey_site'))
}

type Mails = AppTexts['passkeys']['mails']

/** Entry of the audit chain and mail, of which the person's own name for the passkey is part. */
async function record(
  tx: Tx,
  app: App,
  user: User,
  { type, names, letter }: { type: InstanceEvent; names: Record<string, string>; letter: (mails: Mails) => Letter },
  origin: Origin,
): Promise<void> {
  await appendInstanceEvent(tx, app, { type, data: { userId: user.id }, personal: names }, origin)
  await mailPerson(tx, app, user, ({ passkeys }) => letter(passkeys.mails))
}

/** What the browser is asked in order to make a passkey for the person. */
export async function startRegistration(app: App, user: User, { browser }: Browser): Promise<CreationOptions> {
  const site = demandSite(app)
  const known = await queries.passkeysOf(app.db, user.id)
  const { name } = await readOrganisation(app.db)
  const options = await creationOptions(site, name, user, known, app.random)
  await keepChallenge(app, options.challenge, { browser, purpose: 'registration', userId: user.id })
  return options
}

export interface Registration extends Browser {
  name: string
  /** JSON, as the browser gave it. */
  response: string
}

const nameErrors = (app: App, name: string) => errorsIn([['name', personNameError(app, name)]])

/**
 * Returns recovery codes if the passkey is the second factor that the organisation requires, and
 * the person has none: a lost device would lock them out.
 * @throws Refusal `validation_failed`, `invalid_state`
 */
export async function register(app: App, user: User, input: Registration, origin: Origin): Promise<string[] | undefined> {
  const { browser, response } = input
  refuseIfInvalid(nameErrors(app, input.name))
  const asked: Asked = { browser, purpose: 'registration', userId: user.id }
  const credential = await verifyCreation(demandSite(app), response, takeChallenge(app, asked))
  if (!credential) throw new Refusal('validation_failed', violation('passkey_not_registered'))
  const name = cleanLine(input.name)
  return app.write(async tx => {
    if ((await queries.passkeysOf(tx, user.id)).length >= MAX_PASSKEYS) {
      throw new Refusal('validation_failed', violation('too_many_passkeys', { max: MAX_PASSKEYS }))
    }
    if (await queries.passkeyById(tx, credential.id)) throw new Refusal('validation_failed', violation('passkey_not_registered'))
    const use = { createdAt: app.now(), lastUsedAt: undefined }
    await queries.insertPasskey(tx, { ...credential, ...use, userId: user.id, name })
    const letter = (mails: Mails) => mails.added(app.config.baseUrl, name)
    await record(tx, app, user, { type: 'user.passkey_added', names: { name }, letter }, origin)
    const isNeeded = (await secondStepOf(tx, user.id)) === 'passkey' && (await countRecoveryCodes(tx, user.id)) === 0
    return isNeeded ? newCodes(tx, app, user.id) : undefined
  })
}

/** The browser offers the passkeys that it has for this service. */
export async function startSignIn(app: App, { browser }: Browser): Promise<RequestOptions> {
  const options = requestOptions(demandSite(app), app.random)
  await keepChallenge(app, options.challenge, { browser, purpose: 'sign-in', userId: undefined })
  return options
}

/** As `startSignIn`, for the passkeys of the signed-in person only. */
export async function startConfirmation(app: App, user: User, { browser }: Browser): Promise<RequestOptions> {
  const options = requestOptions(demandSite(app), app.random, await queries.passkeysOf(app.db, user.id))
  await keepChallenge(app, options.challenge, { browser, purpose: 'confirmation', userId: user.id })
  return options
}

interface Response extends Browser {
  /** JSON, as the browser gave it. */
  response: string
}

/**
 * The person whose passkey signed in. Unknown passkey and wrong signature are refused alike.
 * @throws Refusal `unauthorized`, `forbidden` for a disabled person
 */
export async function verifyPasskeySignIn(app: App, { browser, response }: Response, client: Client): Promise<User> {
  const user = await verify(app, response, { browser, purpose: 'sign-in', userId: undefined }, client)
  if (user) {
    refuseDisabled(user)
    return user
  }
  app.log('warn', 'sign-in by passkey failed', { ip: client.ip })
  throw new Refusal('unauthorized', violation('passkey_refused'))
}

/** Confirms the session as a password does. @throws Refusal `validation_failed` */
export async function confirmByPasskey(
  app: App,
  session: { user: User; token: string },
  { browser, response }: Response,
  client: Client,
): Promise<void> {
  const { user, token } = session
  if (!(await verify(app, response, { browser, purpose: 'confirmation', userId: user.id }, client))) {
    throw new Refusal('validation_failed', violation('passkey_not_confirmed'))
  }
  await app.write(tx => confirmSession(tx, sha256Hex(token), app.now()))
}

async function verify(app: App, response: string, asked: Asked, client: Client): Promise<User | undefined> {
  const named = namedIn(response)
  const passkey = named && (await queries.passkeyById(app.db, named.id))
  // The authenticator knows for whom the passkey was made.
  if (!passkey || (named.userId !== undefined && named.userId !== passkey.userId)) return undefined
  if (asked.userId !== undefined && asked.userId !== passkey.userId) return undefined
  const assertion = await verifyAssertion(demandSite(app), response, passkey, takeChallenge(app, asked))
  if (!assertion) return undefined
  return app.write(async tx => {
    const user = await userById(tx, passkey.userId)
    if (!user || (await queries.storePasskeyUse(tx, passkey.id, { ...assertion, at: app.now() }))) return user
    await reportCopy(tx, app, user, passkey.name, client)
    return undefined
  })
}

/** Two devices sign with one key if the counter went back: one of them may be a thief's. */
async function reportCopy(tx: Tx, app: App, user: User, name: string, client: Client): Promise<void> {
  const letter = (mails: Mails) => mails.refused(app.config.baseUrl, name)
  const origin = { actor: actorOfUser(user), ...client }
  await record(tx, app, user, { type: 'user.passkey_refused', names: { name }, letter }, origin)
}

/** @throws Refusal `not_found` */
export async function demandPasskey(db: Parameters<typeof queries.passkeyById>[0], userId: string, id: string) {
  const passkey = await queries.passkeyById(db, id)
  if (passkey?.userId !== userId) throw new Refusal('not_found', violation('passkey_removed'))
  return passkey
}

/** Writes nothing if the name is the same. @throws Refusal `validation_failed`, `not_found` */
export async function renamePasskey(app: App, user: User, id: string, entered: string, origin: Origin): Promise<void> {
  refuseIfInvalid(nameErrors(app, entered))
  const to = cleanLine(entered)
  await app.write(async tx => {
    const { name: from } = await demandPasskey(tx, user.id, id)
    if (from === to) return
    await queries.setPasskeyName(tx, id, to)
    const letter = (mails: Mails) => mails.renamed(app.config.baseUrl, from, to)
    await record(tx, app, user, { type: 'user.passkey_renamed', names: { from, to }, letter }, origin)
  })
}

/** @throws Refusal `not_found`; `forbidden` for the only way to sign in */
export async function removePasskey(app: App, user: User, id: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    const { name } = await demandPasskey(tx, user.id, id)
    await requireAnotherWay(tx, app, user.id)
    await queries.dropPasskey(tx, user.id, id)
    if (!(await hasAnyFactor(tx, user.id))) await dropRecoveryCodes(tx, user.id)
    const letter = (mails: Mails) => mails.removed(app.config.baseUrl, name)
    await record(tx, app, user, { type: 'user.passkey_removed', names: { name }, letter }, origin)
  })
}
