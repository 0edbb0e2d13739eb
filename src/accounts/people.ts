/** The people of the web app: first set-up, sign-in, sessions. */
import { appendInstanceEvent } from '../audit/log.ts'
import { unprintableError } from '../core/create-document.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { cleanLine, emailError, lineError } from '../core/text.ts'
import type { Db, Tx } from '../db/open.ts'
import { passwordError } from '../lib/password.ts'
import { randomToken, sha256Hex } from '../lib/token.ts'
import { type Actor, type App, COMMAND_LINE, type Origin, SCOPES, SYSTEM } from '../ports.ts'
import { organisationNameError, saveOrganisation, timeZoneError } from '../settings/organisation.ts'
import { prepareSealCertificate } from '../settings/seal-certificate.ts'
import { deviceOf, newDeviceToken } from './device.ts'
import * as queries from './queries.ts'
import { type Client, countFailure, forgetFailures } from './throttle.ts'

const SETUP_LINK_MS = 30 * 60_000
const SESSION_IDLE_MS = 30 * 60_000
export const SESSION_ABSOLUTE_MS = 12 * 3_600_000
const CONFIRMED_FOR_MS = 10 * 60_000
const STORE_EVERY_MS = 60_000

export interface NewUser {
  email: string
  name: string
  password: string
}

async function userErrors(app: App, user: NewUser): Promise<ValidationError[]> {
  const errors: [string, string | undefined][] = [
    ['email', emailError(user.email)],
    ['name', lineError(user.name) ?? unprintableError(user.name, app)],
    ['password', await passwordError(user.password)],
  ]
  return errors.flatMap(([path, message]) => (message ? [{ path, message }] : []))
}

export async function createAdmin(app: App, user: NewUser, origin: Origin = COMMAND_LINE): Promise<string> {
  refuseIfInvalid(await userErrors(app, user))
  const passwordHash = await app.passwords.hash(user.password)
  return app.write(async tx => {
    if (await queries.userByEmail(tx, user.email)) {
      refuseIfInvalid([{ path: 'email', message: 'somebody with this address has an account already' }])
    }
    return insertAdmin(tx, app, user, passwordHash, origin)
  })
}

/** Any administrator spends the set-up link. */
async function insertAdmin(tx: Tx, app: App, { email, name }: NewUser, passwordHash: string, origin: Origin): Promise<string> {
  const id = app.newId('usr')
  await queries.insertUser(tx, { id, email, name: cleanLine(name), role: 'admin', passwordHash }, app.now())
  await queries.dropSetupLinks(tx)
  await appendInstanceEvent(tx, app, { type: 'user.created', data: { userId: id, role: 'admin' } }, origin)
  return id
}

/** The one-time link's token while there is no administrator; every start makes a new one and the old one dies. */
export async function issueSetupToken(app: App): Promise<string | undefined> {
  const token = randomToken()
  return app.write(async tx => {
    if (await queries.anyAdmin(tx)) return undefined
    await queries.replaceSetupLink(tx, sha256Hex(token), new Date(app.now().getTime() + SETUP_LINK_MS))
    return token
  })
}

export function isSetupTokenValid(app: App, token: string): Promise<boolean> {
  return queries.isSetupLinkValid(app.db, sha256Hex(token), app.now())
}

/** Why a set-up link does not work any more, and what to do: a restart prints a new one only while there is no administrator. */
export async function setupLinkRefusal({ baseUrl }: Pick<App['config'], 'baseUrl'>, db: Db | Tx): Promise<Refusal> {
  const message = (await queries.anyAdmin(db))
    ? `This service is set up already: sign in at ${baseUrl}/sign-in. Who forgot the password can run signet admin reset on the server.`
    : 'This set-up link has expired or was replaced by a newer one. Restart signet serve: it prints a new one.'
  return new Refusal('not_found', message)
}

export interface Setup extends NewUser {
  organisation: string
  timeZone: string
}

/**
 * The first administrator, the organisation's name and the certificate that seals in that name: all of it or, when one cannot
 * be made or stored, nothing. The link is spent with it.
 */
export async function setUp(app: App, token: string, input: Setup): Promise<queries.User> {
  const errors = await userErrors(app, input)
  const named = organisationNameError(app, input.organisation)
  if (named) errors.push({ path: 'organisation', message: named })
  const zoned = timeZoneError(input.timeZone)
  if (zoned) errors.push({ path: 'timeZone', message: zoned })
  refuseIfInvalid(errors)
  const passwordHash = await app.passwords.hash(input.password)
  const name = cleanLine(input.organisation)
  const storeCertificate = await prepareSealCertificate(app, name)
  return app.write(async tx => {
    if (!(await queries.isSetupLinkValid(tx, sha256Hex(token), app.now())) || (await queries.anyAdmin(tx))) {
      throw await setupLinkRefusal(app.config, tx)
    }
    const id = await insertAdmin(tx, app, input, passwordHash, SYSTEM)
    await saveOrganisation(tx, { name, contact: input.email, timeZone: input.timeZone })
    await storeCertificate(tx)
    return { id, email: input.email, name: cleanLine(input.name), role: 'admin', passwordHash }
  })
}

export interface SignIn {
  email: string
  password: string
  /** The cookie of an earlier sign-in in this browser. */
  deviceToken: string | undefined
}

export interface SessionTokens {
  /** Of the new session. */
  token: string
  /** Recognises this browser next time. */
  deviceToken: string
}

/** Opens a session for the right address and password. A wrong address gets the same answer after the same time as a wrong password. */
export async function signIn(app: App, input: SignIn, origin: Pick<Origin, 'ip' | 'userAgent'>): Promise<SessionTokens> {
  const user = await queries.userByEmail(app.db, input.email)
  const device = deviceOf(app, user, input.deviceToken)
  const client: Client = device === undefined ? { address: origin.ip } : { device }
  if (!(await isRight(app, input.email, input.password, user, client)) || !user) {
    app.log('warn', 'sign-in failed', { ip: origin.ip })
    throw new Refusal('unauthorized', 'E-mail address or password is not right.')
  }
  return openSessionOf(app, user, origin)
}

/** A session, and a token by which this browser is recognised next time. */
export async function openSessionOf(
  app: App,
  user: queries.User,
  origin: Pick<Origin, 'ip' | 'userAgent'>,
): Promise<SessionTokens> {
  return { token: await openSession(app, user.id, origin), deviceToken: newDeviceToken(app, user) }
}

/** The name of a device that signed in to this account before; `undefined` for an unknown one. */
export async function knownDevice(app: App, email: string, deviceToken: string | undefined): Promise<string | undefined> {
  return deviceOf(app, await queries.userByEmail(app.db, email), deviceToken)
}

/** Verifies a password. The attempt counts as failed until the password proves right. @throws Refusal `rate_limited` */
async function isRight(
  app: App,
  email: string,
  password: string,
  user: queries.User | undefined,
  client: Client,
): Promise<boolean> {
  await app.write(tx => countFailure(tx, email, client, app.now()), { wake: false })
  const right = await app.passwords.verify(password, user?.passwordHash)
  if (right) await app.write(tx => forgetFailures(tx, email, client), { wake: false })
  return right
}

/** A fresh token after every sign-in; only its hash is stored. */
export async function openSession(app: App, userId: string, origin: Pick<Origin, 'ip' | 'userAgent'>): Promise<string> {
  const token = randomToken()
  const now = app.now()
  await app.write(async tx => {
    const session = { tokenSha256: sha256Hex(token), userId, createdAt: now, confirmedAt: now, lastSeenAt: now }
    await queries.insertSession(tx, session, origin.userAgent, origin.ip)
  })
  return token
}

export interface SignedIn {
  user: queries.User
  actor: Actor
  /** The password was asked for a short while ago: keys may be made. */
  confirmed: boolean
}

/** Stores that a session is in use, at most once a minute. A disk that is full does not prevent reading. */
async function noteVisit(app: App, session: queries.Session): Promise<void> {
  const now = app.now()
  const sinceMs = now.getTime() - app.lastUse.lastMs(session.tokenSha256, session.lastSeenAt)
  // Negative: the clock was set back.
  if (sinceMs >= 0 && sinceMs <= STORE_EVERY_MS) return
  app.lastUse.note(session.tokenSha256, now)
  try {
    await app.write(tx => queries.touchSession(tx, session.tokenSha256, now), { wake: false })
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'storage_unavailable')) throw error
    app.log('warn', 'visit not noted', { userId: session.userId })
  }
}

/** Who holds this session; `undefined` when it is unknown or over. */
export async function sessionUser(app: App, token: string): Promise<SignedIn | undefined> {
  const session = await queries.sessionBy(app.db, sha256Hex(token))
  const now = app.now().getTime()
  if (!session || now - session.createdAt.getTime() > SESSION_ABSOLUTE_MS) return undefined
  if (now - app.lastUse.lastMs(session.tokenSha256, session.lastSeenAt) > SESSION_IDLE_MS) return undefined
  const user = await queries.userById(app.db, session.userId)
  if (!user) return undefined
  await noteVisit(app, session)
  const actor: Actor = {
    label: `user:${user.id}`,
    userId: user.id,
    seesAll: user.role === 'admin',
    idempotencyOwner: user.id,
    scopes: SCOPES,
  }
  return { user, actor, confirmed: now - session.confirmedAt.getTime() < CONFIRMED_FOR_MS }
}

/** Asked again before keys and the like. */
export async function confirmPassword(app: App, token: string, user: queries.User, password: string): Promise<void> {
  if (!(await isRight(app, user.email, password, user, { session: sha256Hex(token) }))) {
    refuseIfInvalid([{ path: 'password', message: 'is not right' }])
  }
  await app.write(tx => queries.confirmSession(tx, sha256Hex(token), app.now()))
}

export async function signOut(app: App, token: string): Promise<void> {
  await app.write(tx => queries.dropSession(tx, sha256Hex(token)))
}
