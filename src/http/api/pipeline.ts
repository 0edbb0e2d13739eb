/**
 * What every API request passes, in this order: key, rate limit, scope, body within its limit, schema, idempotency, action, answer.
 * Nothing of a request is read before its key is known.
 */
import { actorOf, authenticate, storeUse } from '../../accounts/keys.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Tx } from '../../db/open.ts'
import { RateLimiter } from '../../lib/rate-limit.ts'
import { sha256Hex } from '../../lib/token.ts'
import * as idempotency from '../../outbox/idempotency.ts'
import type { App } from '../../ports.ts'
import { type BodyBudget, UploadSlots } from '../body-budget.ts'
import { errorBody, errorHeaders, toProblem } from '../errors.ts'
import { countAttempt } from '../limits.ts'
import { withJson } from '../receive.ts'
import { type IncomingRequest, pathOf, requireMediaType, searchOf } from '../request.ts'
import { type ApiRoute, type Call, JsonText } from '../route.ts'
import { dropNulls, parseQuery, requireSizes, validate } from '../validate.ts'
import { NoBody, NoQuery } from './requests.ts'

export interface RequestLimits extends BodyBudget {
  perKey: RateLimiter
}

export function createRequestLimits({ config }: Pick<App, 'config'>): RequestLimits {
  const quota = { perMinute: config.requestsPerMinute, burst: Math.ceil(config.requestsPerMinute / 5) }
  return { perKey: new RateLimiter(quota), inFlightBytes: 0, uploads: new UploadSlots() }
}

const BASE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

interface Reply {
  status: number
  body: string | Response
  headers: Record<string, string>
}

/** Answers one request; never throws. */
export async function handle(app: App, gate: RequestLimits, route: ApiRoute, incoming: IncomingRequest): Promise<Response> {
  const headers: Record<string, string> = { 'x-request-id': incoming.requestId }
  try {
    const reply = await answer(app, gate, route, incoming, headers)
    return toResponse(reply, headers)
  } catch (error) {
    return failure(app, error, incoming.requestId, headers)
  }
}

export function failure(app: App, error: unknown, requestId: string, headers: Record<string, string> = {}): Response {
  const told = toProblem(error, app, requestId)
  return new Response(errorBody(told, requestId), {
    status: told.status,
    headers: {
      ...BASE_HEADERS,
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...headers,
      ...errorHeaders(told),
    },
  })
}

function toResponse({ status, body, headers: own }: Reply, headers: Record<string, string>): Response {
  if (typeof body === 'string') {
    return new Response(body, { status, headers: { ...BASE_HEADERS, 'content-type': 'application/json', ...headers, ...own } })
  }
  for (const [name, value] of Object.entries({ ...BASE_HEADERS, ...headers })) {
    if (!body.headers.has(name)) body.headers.set(name, value)
  }
  return body
}

async function answer(
  app: App,
  gate: RequestLimits,
  route: ApiRoute,
  incoming: IncomingRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  const { request, params, address } = incoming
  const key = admit(app, request, address)
  limitRate(app, gate, key.id, headers)
  storeUse(app, key, address).catch(error => app.log('warn', 'key use not stored', { error: String(error) }))
  const actor = actorOf(key)
  if (route.access !== 'any key' && !actor.scopes.includes(route.access)) {
    throw new Refusal('forbidden', `This API key lacks the scope ${route.access}: use another key, or create one that has it.`)
  }
  const origin = { actor, ip: address, userAgent: request.headers.get('user-agent')?.slice(0, 500) }
  const call = { app, actor, keyName: key.name, origin, params, request }
  const search = searchOf(request)
  if (route.method !== 'POST') {
    const query = parseQuery(route.query ?? NoQuery, search)
    return present(route, await route.run({ ...call, query, body: undefined, file: noFile }))
  }
  if (!route.isSafe) await app.disk.requireSpaceForChange()
  demandJson(request)
  const value = idempotencyValue(request)
  const expected = { prefix: `${route.method} ${pathOf(request)}\n`, maxFileBytes: route.maxFileBytes?.(app) }
  return withJson(app, gate, request, expected, async received => {
    const query = parseQuery(route.query ?? NoQuery, search)
    const body = bodyOf(route, received.value)
    const parsed = { ...call, query, body, file: received.file }
    if (value === undefined || route.isSafe) return present(route, await route.run(parsed))
    // Of a route without members, whatever says nothing is the same request.
    const fingerprint = route.body === NoBody ? sha256Hex(expected.prefix) : received.sha256
    return once(app, route, { owner: actor.idempotencyOwner, value, fingerprint }, parsed)
  })
}

function noFile(): never {
  throw new Error('this route takes no file')
}

/** Throws `validation_failed`. */
function bodyOf(route: ApiRoute, value: unknown): unknown {
  const schema = route.body ?? NoBody
  const body = value === undefined || (value === null && schema === NoBody) ? {} : value
  requireSizes(schema, body)
  dropNulls(schema, body)
  validate(schema, body)
  return body
}

/** The key behind the request. Failures are counted by address, so that guessing gets slow. */
function admit(app: App, request: Request, address: string | undefined) {
  try {
    return authenticate(app, /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1])
  } catch (error) {
    countAttempt(app, 'key', address, 'Too many failed authentications from this address: wait a little.')
    throw error
  }
}

/** draft-ietf-httpapi-ratelimit-headers: the policy and what is left of it, on every authed answer. */
function limitRate(app: App, gate: RequestLimits, keyId: string, headers: Record<string, string>): void {
  const taken = gate.perKey.take(keyId, app.now().getTime())
  const { requestsPerMinute } = app.config
  headers['ratelimit-policy'] = `"default";q=${requestsPerMinute};w=60`
  headers.ratelimit = `"default";r=${taken.remaining};t=${taken.resetS}`
  if (!taken.allowed)
    throw new Refusal(
      'rate_limited',
      `More than ${requestsPerMinute} requests a minute: wait ${taken.resetS} s.`,
      [],
      taken.resetS,
    )
}

function demandJson(request: Request): void {
  const told = Number(request.headers.get('content-length') ?? 0)
  const hasBody = told > 0 || (!request.headers.has('content-length') && request.body !== null)
  if (hasBody) requireMediaType(request, 'application/json')
}

/** 1–255 printable ASCII, bare or as the draft's quoted string: the same key. */
function idempotencyValue(request: Request): string | undefined {
  const header = request.headers.get('idempotency-key')
  if (header === null) return undefined
  const value = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new Refusal('validation_failed', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', [
      { path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' },
    ])
  }
  return value
}

function present(route: ApiRoute, result: unknown): Reply {
  const shown = route.present(result)
  if (shown instanceof Response) return { status: shown.status, body: shown, headers: {} }
  const body = shown instanceof JsonText ? shown.text : JSON.stringify(shown)
  return { status: route.success.status, body, headers: {} }
}

/**
 * Runs the action so that its answer is stored in the transaction of its change; a repeated request gets the stored answer. What changes nothing
 * is not stored: the key is free again, for the corrected request or another attempt.
 */
async function once(
  app: App,
  route: ApiRoute,
  reservation: idempotency.Reservation,
  call: Call<unknown, unknown>,
): Promise<Reply> {
  const stored = await idempotency.reserve(app, reservation)
  if (stored) return { ...stored, headers: { 'idempotency-replayed': 'true' } }
  let settled = false
  const write = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    app.write(async tx => {
      const result = await work(tx)
      const reply = present(route, result)
      await idempotency.settle(tx, app, reservation, { status: reply.status, body: String(reply.body) })
      settled = true
      return result
    })
  try {
    const reply = present(route, await route.run({ ...call, app: { ...app, write } }))
    if (!settled) throw new Error(`${route.method} ${route.path} answered without a transaction: its answer could not be stored`)
    return reply
  } catch (error) {
    await app.writeEventually(tx => idempotency.release(tx, reservation))
    throw error
  }
}
