/**
 * Every door, in one list. Elysia routes; what a request passes behind its door stands in
 * `api/pipeline.ts` and `page.tsx`.
 */
import { Elysia } from 'elysia'
import { BunAdapter } from 'elysia/adapter/bun'
import { Refusal } from '../core/refusal.ts'
import { maskPath } from '../lib/log.ts'
import type { App } from '../ports.ts'
import { documentRoutes } from './api/documents.ts'
import { meRoutes } from './api/me.ts'
import { openApi } from './api/openapi.ts'
import { createRequestLimits, failureResponse, handleApiRequest, type RequestLimits } from './api/pipeline.ts'
import { verifyRoutes } from './api/verify.ts'
import { webhookRoutes } from './api/webhooks.ts'
import { assetResponse } from './assets.ts'
import { healthResponse, readinessResponse, revocationListResponse, sealCertificateResponse } from './health.ts'
import { handlePage, notFoundPage, type PageRoute } from './page.tsx'
import { accountPages } from './pages/account.tsx'
import { documentPages } from './pages/documents.tsx'
import { organisationPages } from './pages/organisation.tsx'
import { outboxPages } from './pages/outbox.tsx'
import { referencePage } from './pages/reference.tsx'
import { sealPages } from './pages/seal.tsx'
import { signingPages } from './pages/signing.tsx'
import { tokenPages } from './pages/tokens.tsx'
import { verifyPages } from './pages/verify.tsx'
import { addressOf, hasBaseUrlHost, hostError, type IncomingRequest, pathOf, searchOf } from './request.ts'
import type { ApiRoute } from './route.ts'

export const API = '/api/v1'
export const API_ROUTES: ApiRoute[] = [...documentRoutes, ...webhookRoutes, ...verifyRoutes, ...meRoutes]
export const PAGES: PageRoute[] = [
  ...accountPages,
  ...documentPages,
  ...tokenPages,
  ...organisationPages,
  ...sealPages,
  ...outboxPages,
  ...signingPages,
  ...verifyPages,
]

export interface ServerState {
  /** Set when the process begins to end: new work is refused, what runs is finished. */
  stopping: boolean
  /** Requests being answered. */
  running: number
}

type Door = (incoming: IncomingRequest) => Promise<Response> | Response

/** The whole HTTP surface over an App. */
export function buildServer(
  app: App,
  gate: RequestLimits = createRequestLimits(app),
  state: ServerState = { stopping: false, running: 0 },
) {
  const doors = new Map<string, Map<string, Door>>()
  const open = (method: string, path: string, door: Door) => {
    const byMethod = doors.get(path) ?? new Map<string, Door>()
    doors.set(path, byMethod.set(method, door))
  }
  for (const route of API_ROUTES) {
    open(route.method, API + route.path, incoming => handleApiRequest(app, gate, route, incoming))
  }
  // Described when first asked: only then is the port known that the system may have chosen.
  let description: ReturnType<typeof openApi> | undefined
  let spec: string | undefined
  const described = () => {
    description ??= openApi(app, API_ROUTES)
    return description
  }
  open('GET', `${API}/openapi.json`, () => {
    spec ??= JSON.stringify(described())
    return new Response(spec, { headers: { 'content-type': 'application/json' } })
  })
  for (const page of [...PAGES, referencePage(described)]) {
    open(page.method, page.path, incoming => handlePage(app, gate, page, incoming))
  }
  open('GET', '/static/*', ({ request }) => assetResponse(request))
  open('GET', '/healthz', () => healthResponse())
  open('GET', '/seal-certificate.pem', () => sealCertificateResponse(app))
  open('GET', '/seal.crl', ({ request }) => revocationListResponse(app, searchOf(request).get('root') ?? undefined))
  open('GET', '/readyz', () => readinessResponse(app, state))
  return mount(app, state, doors)
}

/**
 * Its other kind of adapter answers HEAD by itself, with the length of the body it was not given:
 * our own doors know better.
 */
const OWN_HEAD = { ...BunAdapter, isWebStandard: false }

/**
 * Registers every door, 405 for every other method of its path, HEAD beside each GET, and 404 for
 * the rest.
 */
function mount(app: App, state: ServerState, doors: Map<string, Map<string, Door>>) {
  // Before the doors: Elysia lets a handler speak only for what is registered after it.
  const elysia = new Elysia({ aot: true, normalize: false, adapter: OWN_HEAD })
    .onRequest(({ request }) => {
      const refusal = hostError(request)
      return refusal && failed(app, request, refusal, app.newId('req'))
    })
    .onError(({ request, code, error }) => {
      const isLost = code === 'NOT_FOUND'
      return failed(
        app,
        request,
        isLost ? new Refusal('not_found', 'There is nothing at this address.') : error,
        app.newId('req'),
      )
    })
  for (const [path, byMethod] of doors) {
    const allow = [...byMethod.keys(), ...(byMethod.has('GET') ? ['HEAD'] : [])]
    // A HEAD of its own also where there is no GET: Elysia would pass it to no other route.
    for (const method of new Set([...allow, 'HEAD', 'ALL'])) {
      const door = byMethod.get(method === 'HEAD' ? 'GET' : method) ?? refuseMethod(app, allow)
      elysia.route(
        method as 'GET',
        path,
        // biome-ignore lint/suspicious/noExplicitAny: Elysia's context type depends on schemas that are not given to it
        ({ request, params, server }: any) =>
          watched(app, state, path, request, params, server?.requestIP(request)?.address, door),
        { parse: 'none' },
      )
    }
  }
  return elysia
}

/**
 * What no door answered. Elysia's own last word would be the error's text, to anyone: ours is a
 * constant.
 */
export async function failed(app: App, request: Request, error: unknown, requestId: string): Promise<Response> {
  const isApi = pathOf(request).startsWith('/api/')
  try {
    return stamped(isApi ? failureResponse(app, error, requestId) : await notFoundPage(app, error, requestId), requestId)
  } catch {
    // Telling failed too, perhaps the log itself: there is nobody left to tell.
    const message = `Internal error. Try again, or give your administrator request ID ${requestId}.`
    const body = isApi ? JSON.stringify({ error: { code: 'internal', message, requestId } }) : `${message}\n`
    const type = isApi ? 'application/json' : 'text/plain; charset=utf-8'
    return stamped(new Response(body, { status: 500, headers: { 'content-type': type } }), requestId)
  }
}

/**
 * What every answer carries, whoever made it. Only what never changes at its address may be kept:
 * those answers say so themselves.
 */
function stamped(response: Response, requestId: string): Response {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
  response.headers.set('x-request-id', requestId)
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}

function refuseMethod(app: App, allow: string[]): Door {
  return ({ request, requestId }) => {
    // In the words of GET where it is HEAD: its answer tells the length of that one (RFC 9110
    // §9.3.2).
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const refusal = new Refusal('method_not_allowed', `${method} is not possible here; possible: ${allow.join(', ')}.`)
    return failureResponse(app, refusal, requestId, { allow: allow.join(', ') })
  }
}

/**
 * RFC 9110 §9.3.2: what GET would answer, without the body but with its length. Left to Bun, a
 * missing body would be told as one of 0 bytes.
 */
async function headOf(response: Response): Promise<Response> {
  const { status, headers } = response
  if (response.body !== null && !headers.has('content-length')) {
    headers.set('content-length', String((await response.bytes()).length))
  }
  return new Response(null, { status, headers })
}

/**
 * Counts and logs a request, keeps the answer of HEAD without its body, refuses new work while the
 * process ends.
 */
async function watched(
  app: App,
  state: ServerState,
  path: string,
  request: Request,
  params: Record<string, string>,
  socketAddress: string | undefined,
  door: Door,
): Promise<Response> {
  const requestId = app.newId('req')
  const startedMs = performance.now()
  const address = addressOf(request, socketAddress, app.config.trustProxy)
  state.running++
  try {
    const response =
      state.stopping && path !== '/healthz' && path !== '/readyz'
        ? refuseStopping(app, requestId)
        : await door({
            request,
            params,
            requestId,
            address,
            hasBaseUrlHost: () => hasBaseUrlHost(request, socketAddress, app.config),
          })
    app.log('info', 'request', {
      requestId,
      method: request.method,
      path: maskPath(pathOf(request)),
      status: response.status,
      ms: Math.round((performance.now() - startedMs) * 10) / 10,
      ip: address,
    })
    return stamped(request.method === 'HEAD' ? await headOf(response) : response, requestId)
  } finally {
    state.running--
  }
}

function refuseStopping(app: App, requestId: string): Response {
  return failureResponse(
    app,
    new Refusal('shutting_down', 'The service is restarting: try again in a few seconds.', [], 5),
    requestId,
  )
}
