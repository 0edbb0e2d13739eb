/** Requests to the identity provider and their responses, for sign-in, confirmation and linking. */
import { Refusal } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import { MINUTE_MS } from '../lib/duration.ts'
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
import { sha256Hex } from '../lib/sha256.ts'
import { keyedToken, randomToken } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { type OpenIdConnect, readOpenIdConnect } from '../settings/openid-connect.ts'
import * as queries from './oidc-queries.ts'
import { claimNameOf } from './oidc-sign-in.ts'
import { confirmSession, type SignInMethod, type User } from './queries.ts'

const REQUEST_MINUTES = 10

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
  throw new Refusal('not_found', violation('provider_missing'))
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
  const expiresAt = new Date(createdAt.getTime() + REQUEST_MINUTES * MINUTE_MS)
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
  throw new Refusal('unauthorized', violation('provider_request_over', { minutes: REQUEST_MINUTES }))
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
    throw new Refusal('unauthorized', violation('provider_changed'))
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
    throw new Refusal('forbidden', violation('provider_somebody_else'))
  }
  const { auth_time: authTime } = claims
  if (typeof authTime !== 'number') {
    throw new Refusal('forbidden', violation('provider_time_missing'))
  }
  if (authTime < createdAt.getTime() / 1000 - CLOCK_TOLERANCE_S) {
    throw new Refusal('forbidden', violation('provider_not_asked_again'))
  }
  await app.write(tx => confirmSession(tx, sha256Hex(session.token), app.now()))
}

const SENTENCES: Record<ProviderFailure, Violation> = {
  unreachable: violation('provider_unreachable'),
  'no provider': violation('provider_unusual'),
  'another issuer': violation('provider_other_name'),
  cancelled: violation('provider_cancelled'),
  'request refused': violation('provider_refused_request'),
  'client refused': violation('provider_refused_client'),
  'code refused': violation('provider_refused_code'),
  'wrong sender': violation('provider_wrong_sender'),
  'wrong issuer': violation('provider_wrong_issuer'),
  'wrong audience': violation('provider_wrong_audience'),
  'wrong nonce': violation('provider_wrong_nonce'),
  'wrong time': violation('provider_wrong_time'),
  'wrong signature': violation('provider_wrong_signature'),
  invalid: violation('provider_response_invalid'),
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
