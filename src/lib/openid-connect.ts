/**
 * OpenID Connect Core 1.0 with PKCE (RFC 7636) and the `iss` parameter (RFC 9207), by
 * openid-client: discovery, the authentication request, and the claims of a verified response.
 */
import type { ClientAuth, ClientMetadata, Configuration, CustomFetch } from 'openid-client'
import type { SendResult } from './fetch-limited.ts'
import type { Machine } from './machine.ts'
import { ANY_NETWORK, type Network } from './net-guard.ts'

/** How this service is registered at the provider. */
export interface Registration {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** What the sentence about a failure is chosen by. */
export type ProviderFailure =
  | 'unreachable'
  | 'no provider'
  | 'another issuer'
  | 'cancelled'
  | 'request refused'
  | 'client refused'
  | 'code refused'
  | 'wrong sender'
  | 'wrong issuer'
  | 'wrong audience'
  | 'wrong nonce'
  | 'wrong time'
  | 'wrong signature'
  | 'invalid'

/** `detail` is for administrators: it never holds a secret, a code or a token. */
export class ProviderError extends Error {
  constructor(
    readonly failure: ProviderFailure,
    readonly detail: string,
  ) {
    super(`${failure}: ${detail}`)
  }
}

/** RFC 6761 §6.3, RFC 8252 §8.3. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

const LIMITS = { connectTimeoutMs: 5000, totalTimeoutMs: 10_000, maxResponseBytes: 500_000 }
const NOWHERE: Network[] = []
/** Of the clocks of provider and service. */
export const CLOCK_TOLERANCE_S = 60
const EMPTY_STATUS = new Set([101, 103, 204, 205, 304])

/**
 * Follows no redirect. An administrator has named the host of the issuer, so it may be in a private
 * network; other hosts, which discovery names, may not.
 */
function limitedFetch(issuer: URL, send: Machine['send']): CustomFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) {
      throw new ProviderError('no provider', `${url.origin} is named without https`)
    }
    const asked = { method, headers: Object.fromEntries(new Headers(headers).entries()) }
    const allow = url.hostname === issuer.hostname ? ANY_NETWORK : NOWHERE
    const content = typeof body === 'string' || body instanceof URLSearchParams ? { body: String(body) } : {}
    return responseOf(url.host, await send({ url: url.href, ...asked, ...content, ...LIMITS, allow }))
  }
}

function responseOf(host: string, result: SendResult): Response {
  if (result.outcome === 'failed') throw new ProviderError('unreachable', result.reason)
  const { status, headers, body, truncated } = result
  if (truncated) throw new ProviderError('no provider', `${host} answered with more than 500 kB`)
  if (status >= 500) throw new ProviderError('unreachable', `${host} answered ${status}`)
  return new Response(EMPTY_STATUS.has(status) ? null : new Uint8Array(body), { status, headers })
}

/** Loaded with the first use: most services sign in without a provider. */
const loadLibrary = () => import('openid-client')
type Library = Awaited<ReturnType<typeof loadLibrary>>

/** What a provider says of itself. */
export interface ProviderFacts {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  /** It says in each response who it is (RFC 9207). */
  namesItself: boolean
}

/** A provider that was asked for what it can do. */
export interface Provider {
  facts: ProviderFacts
  registration: Registration
  configuration: Configuration
  library: Library
  /** The clock that tokens are compared with. */
  now(): Date
}

/** @throws ProviderError */
export async function discover(registration: Registration, { now, send }: Pick<Machine, 'now' | 'send'>): Promise<Provider> {
  const library = await loadLibrary()
  const issuer = new URL(registration.issuer)
  // The library reads the clock of the machine itself.
  const skewS = Math.round((now().getTime() - Date.now()) / 1000)
  const authentication = authenticationBy(library, registration.clientSecret)
  const configuration = await orProviderError(library, 'no provider', async () =>
    library.discovery(issuer, registration.clientId, clientOf(library, skewS), authentication, {
      execute: issuer.protocol === 'http:' ? [library.allowInsecureRequests] : [],
      [library.customFetch]: limitedFetch(issuer, send),
    }),
  )
  // Verifies the signature of the ID token by the provider's keys, although it comes over TLS.
  library.enableNonRepudiationChecks(configuration)
  const metadata = configuration.serverMetadata()
  // The library accepts the templates of multi-tenant providers, whose tenants could pretend any
  // address.
  if (new URL(metadata.issuer).href !== issuer.href) throw new ProviderError('another issuer', metadata.issuer)
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
  for (const [name, address] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri }))
    demandEndpoint(name, address)
  return {
    facts: {
      issuer: metadata.issuer,
      authorizationEndpoint: authorization_endpoint ?? '',
      tokenEndpoint: token_endpoint ?? '',
      namesItself: metadata.authorization_response_iss_parameter_supported === true,
    },
    registration,
    configuration,
    library,
    now,
  }
}

function clientOf(library: Library, skewS: number): Partial<ClientMetadata> {
  return { [library.clockSkew]: skewS, [library.clockTolerance]: CLOCK_TOLERANCE_S }
}

/** The library takes it as the provider sent it: it may be of any type. */
function demandEndpoint(name: string, address: unknown): void {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return
  throw new ProviderError('no provider', `${name} is ${url ? 'without https' : 'missing'}`)
}

/** Some providers do not expect that Basic authentication encodes the secret: it comes second. */
function authenticationBy(library: Library, clientSecret: string): ClientAuth {
  return (server, ...rest) => {
    const isPosted = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    const authenticate = isPosted ? library.ClientSecretPost(clientSecret) : library.ClientSecretBasic(clientSecret)
    authenticate(server, ...rest)
  }
}

/** Of one authentication request; the last two never leave this service and the provider. */
export interface RequestSecrets {
  state: string
  nonce: string
  verifier: string
}

export interface Asked {
  scopes: readonly string[]
  /** The person has to sign in at the provider again, even with a session there. */
  isAgain: boolean
}

/** The address at the provider that the browser is sent to. */
export async function requestAddress({ library, configuration, registration }: Provider, secrets: RequestSecrets, asked: Asked) {
  const parameters = {
    redirect_uri: registration.redirectUri,
    scope: ['openid', 'email', 'profile', ...asked.scopes].join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(asked.isAgain ? { prompt: 'login', max_age: '0' } : {}),
  }
  return library.buildAuthorizationUrl(configuration, parameters).href
}

/** OpenID Connect Core 1.0 §2. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

/** An access token, RFC 6749 §A.12, without the spaces that a header cannot end with. */
const VISIBLE = /^[\x21-\x7e]+$/

/** Signed by the provider, or, for what the ID token lacks, from its UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string }

/**
 * Exchanges the code of a response, and verifies the ID token. `wanted`: claims that are asked for
 * at UserInfo if the token lacks them. @throws ProviderError
 */
export async function claimsOf(
  { library, configuration, registration, facts, now }: Provider,
  query: URLSearchParams,
  { state, nonce, verifier }: RequestSecrets,
  wanted: readonly string[],
): Promise<Claims> {
  const address = new URL(registration.redirectUri)
  address.search = query.toString()
  return orProviderError(library, 'invalid', async () => {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await library.authorizationCodeGrant(configuration, address, checks)
    const claims = tokens.claims()
    if (!claims) throw new ProviderError('invalid', 'the response has no ID token')
    // The library compares it only in tokens for several audiences.
    if (claims.azp !== undefined && claims.azp !== registration.clientId) {
      throw new ProviderError('wrong audience', 'azp names another client')
    }
    // The library checks only that it is a number (RFC 7519 §4.1.6).
    if (claims.iat > now().getTime() / 1000 + CLOCK_TOLERANCE_S) throw new ProviderError('wrong time', 'iat is in the future')
    // A database may store others shortened, or as one another.
    if (!SUBJECT.test(claims.sub)) throw new ProviderError('invalid', 'sub is not 1 to 255 ASCII characters')
    const isComplete = wanted.every(name => claims[name] !== undefined)
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
    if (!VISIBLE.test(tokens.access_token))
      throw new ProviderError('invalid', 'the access token has other characters than a header')
    const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return { ...more, ...claims, iss: facts.issuer }
  })
}

/** `otherwise`: for an error of the provider that has no kind of its own. */
async function orProviderError<T>(library: Library, otherwise: ProviderFailure, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw providerError(library, otherwise, error)
  }
}

function providerError(library: Library, otherwise: ProviderFailure, error: unknown): unknown {
  const chain = causesOf(error)
  const own = chain.find(cause => cause instanceof ProviderError)
  if (own) return own
  const [first] = chain
  if (first instanceof library.AuthorizationResponseError) {
    return new ProviderError(first.error === 'access_denied' ? 'cancelled' : 'request refused', codeIn(first.error))
  }
  if (first instanceof library.WWWAuthenticateChallengeError) return new ProviderError('client refused', `status ${first.status}`)
  if (first instanceof library.ResponseBodyError) return new ProviderError(tokenFailure(first.error), codeIn(first.error))
  if (first && isUndecodable(first)) return new ProviderError(otherwise, first.message)
  if (!(first instanceof library.ClientError)) return error
  const facts = factsIn(chain)
  if (facts.attribute === 'issuer') return new ProviderError('another issuer', issuerIn(facts.body))
  const messages = [...chain.map(({ message }) => message), ...statusIn(chain)].join(': ')
  return new ProviderError(failureIn(messages, facts.claim) ?? otherwise, messages)
}

const UNDECODABLE: readonly unknown[] = ['ERR_INVALID_ARG_VALUE', 'ERR_INVALID_URL']

/** The library decodes addresses, tokens and keys late, and throws as decoding does. */
const isUndecodable = (error: Error): boolean => error instanceof TypeError && 'code' in error && UNDECODABLE.includes(error.code)

/** RFC 6749 §5.2. */
function tokenFailure(code: string): ProviderFailure {
  if (code === 'invalid_client' || code === 'unauthorized_client') return 'client refused'
  return code === 'invalid_grant' ? 'code refused' : 'request refused'
}

/** Anybody can write it into the address of the response. */
const codeIn = (text: string): string => (/^[\w.-]{1,60}$/.test(text) ? text : 'unreadable error code')

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 5; next = next.cause) chain.push(next)
  return chain
}

/** The library keeps the response that it did not expect as the cause. */
function statusIn(chain: readonly Error[]): string[] {
  const cause = chain.at(-1)?.cause
  return cause instanceof Response ? [`${cause.status} ${cause.headers.get('content-type') ?? ''}`.trim()] : []
}

/** What the library says was not as it should be. */
interface Facts {
  claim?: unknown
  attribute?: unknown
  body?: unknown
}

function factsIn(chain: readonly Error[]): Facts {
  const facts = chain.at(-1)?.cause
  return typeof facts === 'object' && facts !== null ? facts : {}
}

function issuerIn(body: unknown): string {
  const { issuer } = body as { issuer?: unknown }
  return typeof issuer === 'string' ? issuer.slice(0, 300) : 'no issuer'
}

const CLAIM_FAILURES: Record<string, ProviderFailure> = {
  iss: 'wrong issuer',
  aud: 'wrong audience',
  azp: 'wrong audience',
  nonce: 'wrong nonce',
  exp: 'wrong time',
  iat: 'wrong time',
  nbf: 'wrong time',
}

function failureIn(messages: string, claim: unknown): ProviderFailure | undefined {
  const byClaim = typeof claim === 'string' ? CLAIM_FAILURES[claim] : undefined
  if (byClaim) return byClaim
  if (/"iss" \(issuer\)/.test(messages)) return 'wrong sender'
  return /"alg"|signature|verification key|JWS algorithm|unsupported operation/.test(messages) ? 'wrong signature' : undefined
}
