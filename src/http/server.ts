/** Registers all routes. `api/pipeline.ts` and `page.tsx` define the steps of a request. */
import { Elysia } from 'elysia'
import { BunAdapter } from 'elysia/adapter/bun'
import { Refusal } from '../core/refusal.ts'
import { isStorable } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { ServiceMetrics } from '../lib/service-metrics.ts'
import type { App } from '../ports.ts'
import { batchRoutes } from './api/batches.ts'
import { documentRoutes } from './api/documents.ts'
import { meRoutes } from './api/me.ts'
import { createRequestLimits, failureResponse, handleApiRequest, type RequestLimits } from './api/pipeline.ts'
import { openApi } from './api/reference/openapi.ts'
import { templateRoutes } from './api/templates.ts'
import { verifyRoutes } from './api/verify.ts'
import { eventRoutes, webhookRoutes } from './api/webhooks.ts'
import { witnessRoutes } from './api/witness.ts'
import { assetResponse } from './assets.ts'
import { FixedText } from './compression.ts'
import { errorPage, handlePage } from './frame/page.tsx'
import { healthResponse, Readiness, revocationListResponse, sealCertificateResponse } from './health.ts'
import { mayReadMetrics, metricsResponse } from './metrics.ts'
import { PAGES } from './page-routes.ts'
import { referencePage } from './pages/reference/reference.tsx'
import { hasBaseUrlHost, hostError, type IncomingRequest, ipAddressOf, pathOf, searchOf } from './request.ts'
import type { ApiRoute } from './route.ts'

export const API_PREFIX = '/api/v1'
export const API_ROUTES: ApiRoute[] = [
  ...documentRoutes,
  ...templateRoutes,
  ...batchRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...verifyRoutes,
  ...witnessRoutes,
  ...meRoutes,
]

export interface ServerState {
  /** Set when the process was asked to stop: balancers shall send nothing more. */
  leaving: boolean
  /** Set when the process stops: new requests are refused, running ones finish. */
  stopping: boolean
  activeRequests: number
}

type Handler = (incoming: IncomingRequest) => Promise<Response> | Response
/** Handlers by path and method. */
type Handlers = Map<string, Map<string, Handler>>

export function buildServer(
  app: App,
  limits: RequestLimits = createRequestLimits(app),
  state: ServerState = { leaving: false, stopping: false, activeRequests: 0 },
) {
  const handlers: Handlers = new Map()
  const add = (method: string, path: string, handler: Handler) => {
    const byMethod = handlers.get(path) ?? new Map<string, Handler>()
    handlers.set(path, byMethod.set(method, handler))
  }
  for (const route of API_ROUTES) {
    add(route.method, API_PREFIX + route.path, incoming => handleApiRequest(app, limits, route, incoming))
  }
  // Built on the first request: until the server listens, a port chosen by the OS is unknown.
  let apiDescription: ReturnType<typeof openApi> | undefined
  let serialized: FixedText | undefined
  const describeApi = () => {
    apiDescription ??= openApi(app, API_ROUTES)
    return apiDescription
  }
  add('GET', `${API_PREFIX}/openapi.json`, ({ request }) => {
    serialized ??= new FixedText(JSON.stringify(describeApi()))
    return serialized.response(request, new Headers({ 'content-type': 'application/json' }))
  })
  for (const page of [...PAGES, referencePage(describeApi)]) {
    add(page.method, page.path, incoming => handlePage(app, limits, page, incoming))
  }
  add('GET', '/static/*', ({ request }) => assetResponse(app, request))
  add('GET', '/healthz', () => healthResponse())
  add('GET', '/seal-certificate.pem', () => sealCertificateResponse(app, 'certificates'))
  add('GET', '/seal-chain.pem', () => sealCertificateResponse(app, 'issuers'))
  add('GET', '/seal.crl', ({ request }) => revocationListResponse(app, searchOf(request).get('root') ?? undefined))
  const readiness = new Readiness(app, state)
  add('GET', '/readyz', () => readiness.response())
  add('GET', METRICS_PATH, ({ request, socketAddress, requestId }) =>
    mayReadMetrics(request, socketAddress, app.config)
      ? metricsResponse(app, state, request)
      : errorResponse(app, request, nothingHere(), requestId),
  )
  return register(app, state, handlers)
}

const METRICS_PATH = '/metrics'
const nothingHere = () => new Refusal('not_found', violation('nothing_here'))

/** With `isWebStandard`, Elysia answers HEAD itself, with Content-Length 0. */
const ADAPTER = { ...BunAdapter, isWebStandard: false }

/** Registers every handler, HEAD for each GET, 405 for other methods, 404 for other paths. */
function register(app: App, state: ServerState, handlers: Handlers) {
  // Hooks before routes: Elysia applies a hook only to routes that are registered after it.
  const elysia = new Elysia({ aot: true, normalize: false, adapter: ADAPTER })
    .onRequest(({ request }) => {
      const error = hostError(request)
      return error && errorResponse(app, request, error, app.newId('req'))
    })
    .onError(({ request, code, error }) => {
      const cause = code === 'NOT_FOUND' ? nothingHere() : error
      return errorResponse(app, request, cause, app.newId('req'))
    })
  for (const [path, byMethod] of handlers) {
    const observe = observerOf(app.metrics, path)
    const allowed = [...byMethod.keys(), ...(byMethod.has('GET') ? ['HEAD'] : [])]
    // HEAD is registered for every path: Elysia does not pass it to ALL. ALL has no handler: 405.
    for (const method of new Set([...allowed, 'HEAD', 'ALL'])) {
      const handler = byMethod.get(method === 'HEAD' ? 'GET' : method) ?? refuseMethod(app, allowed)
      elysia.route(
        method as 'GET',
        path,
        // biome-ignore lint/suspicious/noExplicitAny: Elysia's type depends on its own schemas
        ({ request, params = {}, server }: any) =>
          serve(app, state, path, handler, observe, request, params, server?.requestIP(request)?.address),
        { parse: 'none' },
      )
    }
  }
  return elysia
}

/** The response to an error that no handler caught. Elysia's own would show the error's text. */
export async function errorResponse(app: App, request: Request, error: unknown, requestId: string): Promise<Response> {
  const isApi = pathOf(request).startsWith('/api/')
  try {
    const response = isApi ? failureResponse(app, error, requestId) : await errorPage(app, request, error, requestId)
    return withCommonHeaders(response, requestId)
  } catch {
    // Logging or rendering failed too, so this response depends on neither.
    const message = `Internal error. Try again, or give your administrator request ID ${requestId}.`
    const body = isApi ? JSON.stringify({ error: { code: 'internal', message, requestId } }) : `${message}\n`
    const type = isApi ? 'application/json' : 'text/plain; charset=utf-8'
    return withCommonHeaders(new Response(body, { status: 500, headers: { 'content-type': type } }), requestId)
  }
}

/** Sets the headers of every response. Files and assets have their own Cache-Control. */
function withCommonHeaders(response: Response, requestId: string): Response {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  response.headers.set('x-request-id', requestId)
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}

/** JSON for pages too: their links and forms never use a method that is missing. */
function refuseMethod(app: App, allowed: string[]): Handler {
  return ({ request, requestId }) => {
    // HEAD must report GET's Content-Length (RFC 9110 §9.3.2), so the message names GET.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const refusal = new Refusal('method_not_allowed', violation('method_not_allowed', { method, allowed }))
    return failureResponse(app, refusal, requestId, { allow: allowed.join(', ') })
  }
}

/** No id and no token contains what no database can store, and none is empty. */
function refuseAddress(app: App): Handler {
  return ({ request, requestId }) => errorResponse(app, request, nothingHere(), requestId)
}

/** RFC 9110 §9.3.2: no body, but the length of the response to GET, which Bun would set to 0. */
async function toHeadResponse(response: Response): Promise<Response> {
  const { status, headers } = response
  if (response.body !== null && !headers.has('content-length')) {
    headers.set('content-length', String((await response.bytes()).length))
  }
  return new Response(null, { status, headers })
}

/**
 * Runs a handler, counts and logs the request, without the token of a link. Refuses it, in JSON,
 * while the process stops.
 */
async function serve(
  app: App,
  state: ServerState,
  path: string,
  handler: Handler,
  observe: Observe,
  request: Request,
  params: Record<string, string>,
  socketAddress: string | undefined,
): Promise<Response> {
  const requestId = app.newId('req')
  const startedMs = app.steadyMs()
  const ipAddress = ipAddressOf(request, socketAddress, app.config.trustProxy)
  const isRefused = state.stopping && path !== '/healthz' && path !== '/readyz'
  state.activeRequests++
  try {
    const response = isRefused
      ? failureResponse(app, new Refusal('shutting_down', SHUTTING_DOWN, [], RETRY_AFTER_S), requestId)
      : await (areStorable(params) && !hasLastSlash(request) ? handler : refuseAddress(app))({
          request,
          params,
          requestId,
          ipAddress,
          socketAddress,
          hasBaseUrlHost: () => hasBaseUrlHost(request, socketAddress, app.config),
        })
    const ms = app.steadyMs() - startedMs
    observe(response.status, ms)
    // Asked every few seconds, by a program of the administrator.
    if (path !== METRICS_PATH) {
      app.log('info', 'request', {
        requestId,
        method: request.method,
        path: params.token === undefined ? pathOf(request) : path.replace(':token', '…'),
        status: response.status,
        ms: Math.round(ms * 10) / 10,
        ip: ipAddress,
      })
    }
    return withCommonHeaders(request.method === 'HEAD' ? await toHeadResponse(response) : response, requestId)
  } finally {
    state.activeRequests--
  }
}

/** In the API an empty id would make a list of a document: `/documents/`. */
function hasLastSlash(request: Request): boolean {
  const path = pathOf(request)
  return path.startsWith('/api/') && path.endsWith('/')
}

function areStorable(params: Record<string, string>): boolean {
  for (const name in params) if (!isStorable(params[name] ?? '')) return false
  return true
}

type Observe = (status: number, ms: number) => void

/** Counts the requests for one path. */
function observerOf({ requests, requestSeconds }: ServiceMetrics, path: string): Observe {
  const kind = requestClassOf(path)
  const seconds = requestSeconds.of(kind)
  const counters: ReturnType<typeof requests.of>[] = []
  return (status, ms) => {
    counters[status] ??= requests.of(kind, status)
    counters[status].add()
    seconds.observe(ms / 1000)
  }
}

/** `path`: of the route. */
function requestClassOf(path: string): string {
  if (path.startsWith('/api/')) return 'api'
  if (path.startsWith('/s/') || path.startsWith('/sign/')) return 'signing'
  if (path.startsWith('/static/')) return 'asset'
  return path === '/healthz' || path === '/readyz' || path === METRICS_PATH ? 'probe' : 'page'
}

const RETRY_AFTER_S = 5
const SHUTTING_DOWN = violation('shutting_down')
