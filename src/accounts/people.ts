/** Users of the web app: set-up of the first administrator, sign-in, sessions. */
import { appendInstanceEvent } from '../audit/log.ts'
import { APP_LANGUAGES, languageOf } from '../core/language.ts'
import { errorsIn, Refusal, refuseIfInvalid, type ValidationError, validationRefusal } from '../core/refusal.ts'
import { CONFIRMED_MINUTES, MAX_SESSION_HOURS, SETUP_MINUTES } from '../core/service-limits.ts'
import { cleanLine, emailError, lineError, unprintableError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { randomToken } from '../lib/token.ts'
import { isTotpForm } from '../lib/totp.ts'
import { type Actor, type App, type Client, COMMAND_LINE, type Origin, SYSTEM } from '../ports.ts'
import {
  organisationLanguageError,
  organisationNameError,
  saveOrganisation,
  saveOrganisationLanguage,
  timeZoneError,
} from '../settings/organisation.ts'
import { prepareSealCertificate } from '../settings/seal-certificate.ts'
import { readServiceSetting } from '../settings/service-settings.ts'
import { linkedIdentity } from './oidc-identity.ts'
import { anyPasskeyOf } from './passkey-queries.ts'
import { passwordError } from './password-rule.ts'
import * as queries from './queries.ts'
import { actorOfUser } from './rights.ts'
import { hasSecondFactor, lacksSecondFactor, verifySecondFactor } from './second-factor.ts'
import { type AttemptSource, countFailure, deviceOf, newDeviceToken, recordDelay, resetFailures } from './throttle.ts'

const SETUP_LINK_MS = SETUP_MINUTES * MINUTE_MS
/** Of sessions of a release without the setting. */
const FORMER_IDLE_MINUTES = 30
export const SESSION_ABSOLUTE_MS = MAX_SESSION_HOURS * HOUR_MS
const CONFIRMED_FOR_MS = CONFIRMED_MINUTES * MINUTE_MS
/** The use of a session or an API token is stored at most so often. */
export const STORE_EVERY_MS = MINUTE_MS

export interface NewUser {
  email: string
  name: string
  password: string
}

async function userErrors(app: App, user: NewUser): Promise<ValidationError[]> {
  return errorsIn([
    ['email', emailError(user.email)],
    ['name', lineError(user.name) ?? unprintableError(user.name, app)],
    ['password', await passwordError(user.password)],
  ])
}

/** `language`: of the organisation, with its first administrator only. */
export async function createAdmin(
  app: App,
  user: NewUser & { language?: string | undefined },
  origin: Origin = COMMAND_LINE,
): Promise<string> {
  const { language } = user
  const languageError = language === undefined ? undefined : organisationLanguageError(language)
  refuseIfInvalid([...(await userErrors(app, user)), ...errorsIn([['language', languageError]])])
  const passwordHash = await app.passwords.hash(user.password)
  return app.write(async tx => {
    if (language !== undefined) {
      if (await queries.anyAdmin(tx)) refuseIfInvalid([{ path: 'language', ...violation('language_of_organisation') }])
      await saveOrganisationLanguage(tx, languageOf(language))
    }
    if (await queries.userByEmail(tx, user.email)) {
      refuseIfInvalid([{ path: 'email', ...violation('address_has_account') }])
    }
    return insertAdmin(tx, app, user, passwordHash, origin)
  })
}

/** The first administrator, however created, invalidates the set-up link. */
async function insertAdmin(tx: Tx, app: App, { email, name }: NewUser, passwordHash: string, origin: Origin): Promise<string> {
  const id = app.newId('usr')
  await queries.insertUser(tx, { id, email, name: cleanLine(name), role: 'admin', passwordHash }, app.now())
  await queries.dropSetupLinks(tx)
  await appendInstanceEvent(tx, app, { type: 'user.created', data: { userId: id, role: 'admin' } }, origin)
  return id
}

/**
 * Returns the token of a new set-up link; `undefined` once there is an administrator. A restart
 * ends earlier links; each of several nodes prints its own.
 */
export async function issueSetupToken(app: App): Promise<string | undefined> {
  const token = randomToken(app.random)
  return app.write(async tx => {
    if (await queries.anyAdmin(tx)) return undefined
    if (app.node.isAlone) await queries.dropSetupLinks(tx)
    else await queries.dropExpiredSetupLinks(tx, app.now())
    await queries.insertSetupLink(tx, sha256Hex(token), new Date(app.now().getTime() + SETUP_LINK_MS))
    return token
  })
}

export function isSetupTokenValid(app: App, token: string): Promise<boolean> {
  return queries.isSetupLinkValid(app.db, sha256Hex(token), app.now())
}

/** A restart prints a new link only while there is no administrator. */
export async function setupLinkRefusal({ baseUrl }: Pick<App['config'], 'baseUrl'>, db: Db | Tx): Promise<Refusal> {
  const says = (await queries.anyAdmin(db))
    ? violation('already_set_up', { address: `${baseUrl}/sign-in` })
    : violation('setup_link_spent')
  return new Refusal('not_found', says)
}

export interface Setup extends NewUser {
  organisation: string
  timeZone: string
  /** Of the organisation's mails, pages and documents. */
  language: string
}

/** Creates administrator, organisation and seal certificate at once; deletes the link. */
export async function setUp(app: App, token: string, input: Setup, client: Client): Promise<queries.User> {
  const errors = errorsIn([
    ['organisation', organisationNameError(app, input.organisation)],
    ['timeZone', timeZoneError(input.timeZone)],
    ['language', organisationLanguageError(input.language)],
  ])
  refuseIfInvalid([...(await userErrors(app, input)), ...errors])
  const passwordHash = await app.passwords.hash(input.password)
  const name = cleanLine(input.organisation)
  const storeCertificate = await prepareSealCertificate(app, name)
  return app.write(async tx => {
    if (!(await queries.isSetupLinkValid(tx, sha256Hex(token), app.now())) || (await queries.anyAdmin(tx))) {
      throw await setupLinkRefusal(app.config, tx)
    }
    const id = await insertAdmin(tx, app, input, passwordHash, SYSTEM)
    await saveOrganisation(tx, {
      name,
      contact: input.email,
      timeZone: input.timeZone,
      language: languageOf(input.language),
    })
    const user: queries.User = {
      ...{ id, email: input.email, name: cleanLine(input.name), role: 'admin', passwordHash, warningMails: true },
    }
    const origin = { actor: actorOfUser(user), ...client }
    await appendInstanceEvent(tx, app, { type: 'instance.set_up' }, origin)
    await storeCertificate(tx, origin)
    return user
  })
}

export interface SignIn {
  email: string
  password: string
  /** From the cookie that an earlier sign-in set in this browser. */
  deviceToken: string | undefined
}

export interface SessionTokens {
  /** Identifies the new session. */
  token: string
  /** Identifies this browser at the next sign-in. */
  deviceToken: string
}

/** Opens no session. A wrong address is refused like a wrong password, after the same time. */
export async function verifySignIn(app: App, input: SignIn, client: Client): Promise<queries.User> {
  const user = await queries.userByEmail(app.db, input.email)
  const device = deviceOf(app, user, input.deviceToken)
  const source: AttemptSource = device === undefined ? { address: client.ip } : { device }
  if (!(await verifyPassword(app, input.email, input.password, user, source)) || !user) {
    app.log('warn', 'sign-in failed', { ip: client.ip })
    throw new Refusal('unauthorized', violation('credentials_wrong'))
  }
  refuseDisabled(user)
  return user
}

/**
 * Call in the transaction of what a password permitted: one that was verified before it was changed
 * permits nothing after. @throws Refusal `unauthorized`; `forbidden` for a disabled person
 */
export async function requireSamePassword(
  tx: Tx,
  { id, passwordHash }: Pick<queries.User, 'id' | 'passwordHash'>,
): Promise<queries.User> {
  const present = await queries.userById(tx, id)
  refuseDisabled(present)
  if (present?.passwordHash === passwordHash) return present
  throw new Refusal('unauthorized', violation('password_changed'))
}

/** Stores only the hash of the token. @throws as `requireSamePassword` */
export async function openSession(
  app: App,
  user: Pick<queries.User, 'id' | 'passwordHash'>,
  methods: queries.SignInMethod[],
  client: Client,
): Promise<SessionTokens> {
  const token = randomToken(app.random)
  const now = app.now()
  const times = { createdAt: now, confirmedAt: now, lastSeenAt: now }
  const idleMinutes = await readServiceSetting(app, 'sessionIdleMinutes')
  const session = { tokenSha256: sha256Hex(token), userId: user.id, methods, ...times, idleMinutes }
  await app.write(async tx => {
    const person = await requireSamePassword(tx, user)
    await queries.insertSession(tx, session, client)
    const event = { type: 'user.signed_in' as const, data: { userId: user.id, methods } }
    await appendInstanceEvent(tx, app, event, { actor: actorOfUser(person), ...client })
  })
  return { token, deviceToken: newDeviceToken(app, user) }
}

/** @throws Refusal `forbidden` */
export function refuseDisabled(user: queries.User | undefined): void {
  if (user && !user.disabledAt) return
  throw new Refusal('forbidden', violation('account_disabled'))
}

/** The id of a device that signed in to this account before; `undefined` for an unknown device. */
export async function knownDevice(app: App, email: string, deviceToken: string | undefined): Promise<string | undefined> {
  return deviceOf(app, await queries.userByEmail(app.db, email), deviceToken)
}

/** The attempt counts as failed until the password is verified. @throws Refusal `rate_limited` */
export async function verifyPassword(
  app: App,
  email: string,
  password: string,
  user: queries.User | undefined,
  source: AttemptSource,
): Promise<boolean> {
  const isDelayed = await app.write(tx => countFailure(tx, 'password', email, source, app.now()), { wake: false })
  const isRight = await app.passwords.verify(password, user?.passwordHash || undefined)
  if (isRight) await app.write(tx => resetFailures(tx, 'password', email, source), { wake: false })
  else if (isDelayed) await recordDelay(app, { email, user }, 'password', source)
  return isRight
}

export interface SignedIn {
  user: queries.User
  actor: Actor
  /** The person proved within the last 15 minutes who they are: sensitive actions are open. */
  confirmed: boolean
  /** A passkey can prove it again; read where that is needed. */
  hasPasskey: boolean
  /** So can the identity provider of this name; read where that is needed. */
  provider: string | undefined
  /** The person has to set up a second factor before anything else. */
  lacksSecondFactor: boolean
}

const lastSeenMs = ({ lastUse }: App, { tokenSha256, lastSeenAt }: queries.Session) =>
  Math.max(lastSeenAt.getTime(), lastUse.get(tokenSha256) ?? 0)

/**
 * `idleMinutes`: the setting. A shorter one counts at once, a longer one for sessions that begin
 * after it: a session that has ended stays ended.
 */
function isExpired(app: App, session: queries.Session, idleMinutes: number): boolean {
  const minutes = Math.min(idleMinutes, session.idleMinutes ?? FORMER_IDLE_MINUTES)
  const now = app.now().getTime()
  return now - session.createdAt.getTime() > SESSION_ABSOLUTE_MS || now - lastSeenMs(app, session) > minutes * MINUTE_MS
}

/** Without those that have expired and are not deleted yet. */
export async function sessionsInUse<T extends queries.Session>(app: App, sessions: T[]): Promise<T[]> {
  const idleMinutes = await readServiceSetting(app, 'sessionIdleMinutes')
  return sessions.filter(session => !isExpired(app, session, idleMinutes))
}

/** Stores the use of a session. A full disk does not prevent reading. */
async function storeVisit(app: App, session: queries.Session): Promise<void> {
  const now = app.now()
  const sinceMs = now.getTime() - lastSeenMs(app, session)
  // Negative: the clock was set back.
  if (sinceMs >= 0 && sinceMs <= STORE_EVERY_MS) return
  app.lastUse.set(session.tokenSha256, now.getTime())
  try {
    await app.write(tx => queries.touchSession(tx, session, now), { wake: false })
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'storage_unavailable')) throw error
    app.log('warn', 'session use not stored', { userId: session.userId })
  }
}

/**
 * The user of a session; `undefined` when it is unknown or has ended. A request that no person made
 * is no use: it does not keep an idle session alive.
 */
export async function sessionUser(app: App, token: string, { isUse = true } = {}): Promise<SignedIn | undefined> {
  const session = await queries.sessionBy(app.db, sha256Hex(token))
  const now = app.now().getTime()
  if (!session || isExpired(app, session, await readServiceSetting(app, 'sessionIdleMinutes'))) return undefined
  const user = await queries.userById(app.db, session.userId)
  if (!user || user.disabledAt) return undefined
  if (isUse) await storeVisit(app, session)
  const confirmed = now - session.confirmedAt.getTime() < CONFIRMED_FOR_MS
  const hasPasskey = !confirmed && (await anyPasskeyOf(app.db, user.id))
  const provider = confirmed ? undefined : (await linkedIdentity(app, user.id))?.provider
  const proof = { confirmed, hasPasskey, provider }
  return { user, actor: actorOfUser(user), ...proof, lacksSecondFactor: await lacksSecondFactor(app.db, session) }
}

/**
 * Confirms the session, as sensitive actions require: by the password, or by a code of the person's
 * app, which no password looks like.
 */
export async function confirmIdentity(app: App, token: string, user: queries.User, entered: string): Promise<void> {
  const source = { session: sha256Hex(token) }
  const isCode = isTotpForm(entered) && (await hasSecondFactor(app.db, user.id))
  const isRight = isCode
    ? await verifySecondFactor(app, user, { entered, source, origin: SYSTEM })
    : await verifyPassword(app, user.email, entered, user, source)
  if (!isRight) throw validationRefusal([{ path: 'password', ...violation('not_right') }])
  await app.write(tx => queries.confirmSession(tx, sha256Hex(token), app.now()))
}

export async function signOut(app: App, token: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    // Twice, as from two tabs: the second one ends nothing.
    if (!(await queries.dropSession(tx, sha256Hex(token)))) return
    const data = { userId: origin.actor.userId ?? null }
    await appendInstanceEvent(tx, app, { type: 'user.signed_out', data }, origin)
  })
}

/** Stores the language of the web app. Throws `validation_failed`. */
export async function chooseLanguage(app: App, user: queries.User, language: string): Promise<void> {
  const known = APP_LANGUAGES.find(each => each === language)
  if (known === undefined) return refuseIfInvalid([{ path: 'language', ...violation('not_one_of', { values: APP_LANGUAGES }) }])
  await app.write(tx => queries.setUserLanguage(tx, user.id, known), { wake: false })
}
