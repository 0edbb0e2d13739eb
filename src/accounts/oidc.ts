/** Requests to the identity provider and their responses, for sign-in, confirmation and linking. */
import { Refusal } from '../core/refusal.ts'
import {
  CLOCK_TOLERANCE_S,
  type Claims,
  claimsOf,
  discover,
  ProviderError,
  type ProviderFacts,
  type ProviderFailure,
  requestAddress,
} from '../lib/openid-connect.ts'
import { keyedToken, randomToken, sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { type OpenIdConnect, readOpenIdConnect } from '../settings/openid-connect.ts'
import * as queries from './oidc-queries.ts'
import { claimNameOf } from './oidc-role.ts'
import { confirmSession, type SignInMethod, type User } from './queries.ts'

export const REQUEST_MINUTES = 10

/** The token of the browser's forms: another browser cannot bring the response. */
interface Browser {
  browser: string
}

export interface Question extends Browser {
  purpose: queries.Purpose
  /** Who confirms or links; undefined before the sign-in. */
  userId?: string
  /** The page to open after it. */
  next: string
}

/** @throws Refusal `not_found` */
export async function demandProvider(app: App): Promise<OpenIdConnect> {
  const settings = await readOpenIdConnect(app)
  if (settings) return settings
  throw new Refusal('not_found', 'No identity provider is set up for this service.')
}

/** Nonce and verifier follow from the state, of which the row has a hash: no row reveals them. */
const secretsOf = ({ linkKey }: App, state: string) => ({
  state,
  nonce: keyedToken(linkKey, 'oidc nonce', state),
  verifier: keyedToken(linkKey, 'oidc verifier', state),
})

/** Returns the address at the provider. @throws Refusal `unauthorized` if it cannot be asked */
export async function askProvider(app: App, { browser, purpose, userId, next }: Question): Promise<string> {
  const { registration, scopes } = await demandProvider(app)
  const state = randomToken(app.random)
  const address = await orRefusal(app, async () => {
    const provider = await discover(registration, app)
    return requestAddress(provider, secretsOf(app, state), { scopes, isAgain: purpose === 'confirmation' })
  })
  const createdAt = app.now()
  const expiresAt = new Date(createdAt.getTime() + REQUEST_MINUTES * 60_000)
  const hashes = { stateSha256: sha256Hex(state), browserSha256: sha256Hex(browser) }
  const row = { ...hashes, issuer: registration.issuer, purpose, subject: userId, next, createdAt, expiresAt }
  await app.write(tx => queries.insertRequest(tx, row), { wake: false })
  return address
}

/** Of the provider, by way of the browser. */
export interface ProviderResponse extends Browser {
  query: URLSearchParams
}

/**
 * The request that the response answers, which is open no longer.
 * @throws Refusal `unauthorized`
 */
export async function takeRequest(app: App, { browser, query }: ProviderResponse): Promise<queries.AuthRequest> {
  const hashes = { stateSha256: sha256Hex(query.get('state') ?? ''), browserSha256: sha256Hex(browser) }
  const request = await app.write(tx => queries.takeRequest(tx, hashes, app.now()), { wake: false })
  if (request) return request
  throw new Refusal(
    'unauthorized',
    `This sign-in is no longer open: it was begun more than ${REQUEST_MINUTES} minutes ago or in another browser, or was used. Please start again.`,
  )
}

export interface Proof {
  settings: OpenIdConnect
  claims: Claims
}

/** What the provider signed about the person. @throws Refusal `unauthorized` */
export async function proofOf(app: App, { query }: ProviderResponse, { issuer }: queries.AuthRequest): Promise<Proof> {
  const settings = await demandProvider(app)
  const { registration, roleRule } = settings
  if (registration.issuer !== issuer) {
    throw new Refusal('unauthorized', 'An administrator has changed the identity provider meanwhile. Please start again.')
  }
  const wanted = ['email', ...(roleRule ? [claimNameOf(roleRule)] : [])]
  const claims = await orRefusal(app, async () => {
    const provider = await discover(registration, app)
    return claimsOf(provider, query, secretsOf(app, query.get('state') ?? ''), wanted)
  })
  return { settings, claims }
}

/**
 * Confirms the session if the person has just signed in at the provider again.
 * @throws Refusal `forbidden`
 */
export async function confirmByProvider(
  app: App,
  session: { user: User; token: string },
  { settings, claims }: Proof,
  { createdAt }: queries.AuthRequest,
): Promise<void> {
  const identity = await queries.identityBy(app.db, settings.registration.issuer, claims.sub)
  if (identity?.userId !== session.user.id) {
    throw new Refusal('forbidden', 'You signed in at the identity provider as somebody else. Nothing was confirmed.')
  }
  const { auth_time: authTime } = claims
  if (typeof authTime !== 'number') {
    throw new Refusal(
      'forbidden',
      'The identity provider does not say when you signed in there. Please use a passkey or your password instead.',
    )
  }
  if (authTime < createdAt.getTime() / 1000 - CLOCK_TOLERANCE_S) {
    throw new Refusal('forbidden', 'The identity provider did not ask you to sign in again. Nothing was confirmed.')
  }
  await app.write(tx => confirmSession(tx, sha256Hex(session.token), app.now()))
}

const SENTENCES: Record<ProviderFailure, string> = {
  unreachable: 'The identity provider cannot be reached. Please try again later, or sign in another way.',
  'no provider': 'The identity provider does not answer as one should. Please tell your administrator.',
  'another issuer': 'The identity provider gives another name than the one that is set up here. Please tell your administrator.',
  cancelled: 'You cancelled the sign-in at the identity provider.',
  'request refused': 'The identity provider refused the request of this service. Please tell your administrator.',
  'client refused':
    'The identity provider does not accept the client ID or secret of this service. Please tell your administrator.',
  'code refused': 'The identity provider no longer accepts this sign-in: it took too long, or was used. Please start again.',
  'wrong sender': 'The response was refused: it comes from another identity provider than the one that was asked.',
  'wrong issuer': 'The response was refused: another identity provider has issued it. Please tell your administrator.',
  'wrong audience': 'The response was refused: it is meant for another service. Please tell your administrator.',
  'wrong nonce': 'The response was refused: it belongs to another sign-in. Please start again.',
  'wrong time':
    'The response was refused: it has expired or is not valid yet. Please start again; if that does not help, a clock is wrong.',
  'wrong signature':
    'The response was refused: it is not signed with a key of the identity provider. Please tell your administrator.',
  invalid: 'The response of the identity provider was refused: it is not as the standard says. Please tell your administrator.',
}

/** Administrators keep every way in, for when the provider is down. */
export async function mustUseProvider(app: App, { role }: User, method: SignInMethod): Promise<boolean> {
  if (role === 'admin' || method === 'oidc' || method === 'oidc_with_factor') return false
  return (await readOpenIdConnect(app))?.isOnlyWay ?? false
}

/** A failure of the provider becomes a sentence; the log has the details. */
async function orRefusal<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    app.log('warn', 'identity provider', { failure: error.failure, detail: error.detail })
    throw new Refusal('unauthorized', SENTENCES[error.failure])
  }
}

export type ProviderTest = { facts: ProviderFacts } | { failure: ProviderFailure; detail: string }

/** Asks the provider what it can do, with the settings in force. */
export async function testProvider(app: App): Promise<ProviderTest> {
  const { registration } = await demandProvider(app)
  try {
    return { facts: (await discover(registration, app)).facts }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { failure: error.failure, detail: error.detail }
  }
}
