/**
 * The steps of every API request, in order: key, rate limit, scope, body within its limit, schema,
 * idempotency, action, response. Reads nothing of a body before the key is known.
 */
import { actorOf, authenticate, storeUse } from '../../accounts/keys.ts'
import { requireScope } from '../../accounts/rights.ts'
import { errorAt, InvalidInputError, Refusal, UnreachableError } from '../../core/refusal.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../core/service-limits.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import { RateLimiter } from '../../lib/rate-limit.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import * as idempotency from '../../outbox/idempotency.ts'
import type { Actor, App } from '../../ports.ts'
import { accountOwner, asOwner } from '../../sandbox/task-owner.ts'
import { type BodyBudget, UploadSlots } from '../body/body-budget.ts'
import { type Received, withJson, withRawBody } from '../body/receive.ts'
import { withJsonForm } from '../body/receive-form.ts'
import { parseInput, parseQuery } from '../body/validate.ts'
import { mayCompress, textResponse } from '../compression.ts'
import { errorBody, errorHeaders, toProblem } from '../errors.ts'
import { matches } from '../file-response.ts'
import { countAttempt } from '../limits.ts'
import { type IncomingRequest, mediaType, pathOf, requireMediaType, searchOf, userAgentOf } from '../request.ts'
import { type ApiRoute, type Call, hasBody, JsonText, takesIdempotencyKey } from '../route.ts'
import { etagOf, ifMatchOf } from '../version-headers.ts'
import { NoBody, NoQuery } from './schema/requests.ts'

export interface RequestLimits extends BodyBudget {
  perKey: RateLimiter
}

export function createRequestLimits({ config, steadyMs, timers }: Pick<App, 'config' | 'steadyMs' | 'timers'>): RequestLimits {
  const quota = { perMinute: config.requestsPerMinute, burst: Math.ceil(config.requestsPerMinute / 5) }
  return { perKey: new RateLimiter(quota), inFlightBytes: 0, uploads: new UploadSlots(timers), machine: { steadyMs, timers } }
}

const FORM_TYPE = 'multipart/form-data'

interface Reply {
  status: number
  body: string | Response
  headers: Record<string, string>
}

/** Responds to one request. Never throws. */
export async function handleApiRequest(
  app: App,
  limits: RequestLimits,
  route: ApiRoute,
  incoming: IncomingRequest,
): Promise<Response> {
  const headers: Record<string, string> = {}
  try {
    const reply = await respond(app, limits, route, incoming, headers)
    return toResponse(route, incoming.request, reply, headers)
  } catch (error) {
    return failureResponse(app, error, incoming.requestId, headers)
  }
}

export function failureResponse(app: App, error: unknown, requestId: string, headers: Record<string, string> = {}): Response {
  const problem = toProblem(error, app, requestId)
  return new Response(errorBody(problem, requestId), {
    status: problem.status,
    headers: { 'content-type': 'application/json', ...headers, ...errorHeaders(problem) },
  })
}

function toResponse(
  route: ApiRoute,
  request: Request,
  { status, body, headers: own }: Reply,
  headers: Record<string, string>,
): Response {
  if (typeof body === 'string') {
    const all = { 'content-type': 'application/json', ...headers, ...own }
    return mayCompress(route) ? textResponse(request, body, status, all) : new Response(body, { status, headers: all })
  }
  for (const [name, value] of Object.entries({ ...headers, ...own })) body.headers.set(name, value)
  return body
}

async function respond(
  app: App,
  limits: RequestLimits,
  route: ApiRoute,
  incoming: IncomingRequest,
  headers: Record<string, string>,
): Promise<Reply> {
  const { request, params, ipAddress } = incoming
  const { actor, name } = await callerOf(app, limits, route, incoming, headers)
  const origin = { actor, ip: ipAddress, userAgent: userAgentOf(request) }
  const ifMatch = route.takesIfMatch ? ifMatchOf(request) : undefined
  const call = { app, actor, keyName: name, origin, params, request, ifMatch }
  const search = searchOf(request)
  return asOwner(accountOwner(actor.idempotencyOwner), async () => {
    if (hasBody(route)) return respondToBody(app, limits, route, { ...call, search })
    const query = parseQuery(route.query ?? NoQuery, search)
    return present(route, await route.run({ ...call, query, body: undefined, raw: undefined, files: () => [] }), request)
  })
}

/** Without a key: the action decides by the signature in the body. */
const ANYONE: Actor = {
  label: 'system',
  userId: undefined,
  seesAll: false,
  isAdmin: false,
  idempotencyOwner: 'anyone',
  scopes: [],
}

async function callerOf(
  app: App,
  limits: RequestLimits,
  { access }: ApiRoute,
  { request, ipAddress }: IncomingRequest,
  headers: Record<string, string>,
): Promise<{ actor: Actor; name: string }> {
  if (access === 'anyone') {
    countAttempt(app, 'no key', ipAddress, violation('too_many_authentications'))
    return { actor: ANYONE, name: '' }
  }
  const key = await requireKey(app, request, ipAddress)
  limitRate(app, limits, key.id, headers)
  storeUse(app, key, ipAddress)?.catch(error => app.log('warn', 'key use not stored', { error: String(error) }))
  const actor = actorOf(key)
  if (access !== 'any key') requireScope(actor, access)
  return { actor, name: key.name }
}

type CallWithBody = Omit<Call<unknown, unknown>, 'query' | 'body' | 'raw' | 'files'> & { search: URLSearchParams }

async function respondToBody(app: App, limits: RequestLimits, route: ApiRoute, call: CallWithBody): Promise<Reply> {
  const { request, actor, search, ...rest } = call
  if (!route.isSafe) await app.disk.requireSpaceForChange()
  const receive = receiverOf(app, limits, route, request)
  const value = idempotencyKeyOf(request)
  const prefix = `${route.method} ${pathOf(request)}\n`
  return receive(prefix, async received => {
    const query = parseQuery(route.query ?? NoQuery, search)
    const { raw, files } = received
    const parsed = { ...rest, request, actor, query, body: raw ? undefined : bodyOf(route, received), raw, files }
    if (!takesIdempotencyKey(route)) return present(route, await route.run(parsed), request)
    if (value === undefined) return runAction(app, route, parsed)
    // Without members, an empty body, `{}` and `null` are the same request.
    const fingerprint = route.body === NoBody ? sha256Hex(prefix) : received.sha256
    return runOnce(app, route, { owner: actor.idempotencyOwner, value, fingerprint, boot: app.node.boot }, parsed)
  })
}

type Receive = (prefix: string, work: (received: Received) => Promise<Reply>) => Promise<Reply>

/** Receives the body by its media type. Throws `unsupported_media_type`. */
function receiverOf(app: App, limits: RequestLimits, route: ApiRoute, request: Request): Receive {
  const { form, rawBody, maxFiles, largeBody: large } = route
  const type = mediaType(request)
  if (rawBody?.mediaType === type) {
    requireMediaType(request, type)
    return (prefix, work) => withRawBody(limits, request, { prefix, maxBytes: rawBody.maxBytes }, work)
  }
  const maxFileBytes = route.maxFileBytes?.(app)
  if (form && type === FORM_TYPE) {
    requireMediaType(request, FORM_TYPE)
    return (prefix, work) => withJsonForm(app, limits, request, { prefix, maxFileBytes, maxFiles, part: form.part }, work)
  }
  requireJsonBody(request)
  return (prefix, work) => withJson(app, limits, request, { prefix, maxFileBytes, maxFiles, large }, work)
}

function bodyOf({ body = NoBody, otherBodies = {}, form }: ApiRoute, { value, isForm }: Received): unknown {
  const members = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const other = members.find(member => Object.hasOwn(otherBodies, member))
  const schema = (isForm ? form?.schema : otherBodies[other ?? '']) ?? body
  return parseInput(schema, value === undefined || (value === null && schema === NoBody) ? {} : value)
}

/** Authenticates the key. Failures are counted by IP address, so that guessing becomes slow. */
async function requireKey(app: App, request: Request, ipAddress: string | undefined) {
  try {
    return await authenticate(app, /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1])
  } catch (error) {
    if (error instanceof Refusal) countAttempt(app, 'key', ipAddress, violation('too_many_authentications'))
    throw error
  }
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers, also on a refusal. */
function limitRate(app: App, limits: RequestLimits, keyId: string, headers: Record<string, string>): void {
  const taken = limits.perKey.take(keyId, app.now().getTime())
  const { quota, windowS } = limits.perKey.policy
  headers['ratelimit-policy'] = `"default";q=${quota};w=${windowS}`
  headers.ratelimit = `"default";r=${taken.remaining};t=${taken.fullS}`
  if (!taken.allowed)
    throw new Refusal(
      'rate_limited',
      violation('too_many_requests', { count: quota, seconds: windowS, waitS: taken.resetS }),
      [],
      taken.resetS,
    )
}

function requireJsonBody(request: Request): void {
  const length = Number(request.headers.get('content-length') ?? 0)
  const hasBody = length > 0 || (!request.headers.has('content-length') && request.body !== null)
  if (hasBody) requireMediaType(request, 'application/json')
}

/** The bare value and the draft's quoted string are the same key. */
function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.headers.get('idempotency-key')
  if (header === null) return undefined
  const value = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (!/^[\x20-\x7e]+$/.test(value) || value.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    const error = errorAt('Idempotency-Key', violation('malformed_idempotency_key'))
    throw new InvalidInputError('validation_failed', [error], clause => `${error.path} ${clause}.`)
  }
  return value
}

/** Generated clients know bytes by this type alone: who accepts no other gets files as it. */
export const ANY_BYTES = 'application/octet-stream'

/** RFC 9110 §12.5.1. */
function negotiateType(response: Response, request: Request): Response {
  const type = response.headers.get('content-type') ?? ''
  const accepted = (request.headers.get('accept') ?? '*/*')
    .split(',')
    .map(range => (range.split(';')[0] ?? '').trim().toLowerCase())
  response.headers.append('vary', 'Accept')
  const isAccepted = [type, `${type.split('/')[0]}/*`, '*/*'].some(range => accepted.includes(range))
  if (type !== '' && !isAccepted && accepted.includes(ANY_BYTES)) response.headers.set('content-type', ANY_BYTES)
  return response
}

/** RFC 9110 §10.2.2. */
function locationIn({ creates }: ApiRoute, body: string): Record<string, string> {
  return creates ? { location: `/api/v1${creates}/${(JSON.parse(body) as { id: string }).id}` } : {}
}

function present(route: ApiRoute, result: unknown, request: Request): Reply {
  const headers = route.version ? { etag: etagOf(route.version(result)) } : {}
  if (route.method === 'GET' && headers.etag !== undefined && matches(request.headers.get('if-none-match'), headers.etag))
    return { status: 304, body: new Response(null, { status: 304 }), headers }
  const shown = route.present(result)
  if (shown instanceof Response) return { status: shown.status, body: negotiateType(shown, request), headers }
  const body = shown instanceof JsonText ? shown.text : JSON.stringify(shown)
  return { status: route.success.status, body, headers: { ...headers, ...locationIn(route, body) } }
}

/** Runs the action of a POST. `settle` stores the response in its one transaction. */
async function runAction(
  app: App,
  route: ApiRoute,
  call: Call<unknown, unknown>,
  settle?: (tx: Tx, reply: Reply) => Promise<void>,
): Promise<Reply> {
  let isCommitted = false
  const write: App['write'] = async work => {
    if (isCommitted) throw new Error(`${route.operationId} makes a second transaction: its answer is stored with the first`)
    const result = await app.write(async tx => {
      const result = await work(tx)
      await settle?.(tx, present(route, result, call.request))
      return result
    })
    isCommitted = true
    return result
  }
  return present(route, await route.run({ ...call, app: { ...app, write } }), call.request)
}

/**
 * Stores the response in the transaction of the change, and replays it for a repeated request.
 * A request that changes nothing releases the key, so the client can correct or repeat it.
 */
async function runOnce(
  app: App,
  route: ApiRoute,
  reservation: idempotency.Reservation,
  call: Call<unknown, unknown>,
): Promise<Reply> {
  const release = () => app.writeEventually(tx => idempotency.release(tx, reservation))
  const stored = await idempotency.reserve(app, reservation).catch(async error => {
    if (error instanceof UnreachableError && error.outcome === 'unknown') await release()
    throw error
  })
  if (stored) return { ...stored, headers: { ...locationIn(route, String(stored.body)), 'idempotency-replayed': 'true' } }
  try {
    return await runAction(app, route, call, (tx, { status, body }) =>
      idempotency.settle(tx, app, reservation, { status, body: String(body) }),
    )
  } catch (error) {
    // Keeps a stored response: COMMIT may have arrived, although its answer was lost.
    await release()
    throw error
  }
}
