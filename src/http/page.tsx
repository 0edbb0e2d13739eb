/**
 * What every page request passes: access, form within its limit, CSRF, handler, HTML with its headers. A page without an access word does not
 * compile. GET changes nothing.
 */
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { MessagePage, type PageContext } from '../../views/layout.tsx'
import { type SignedIn, sessionUser } from '../accounts/people.ts'
import { listAlerts } from '../alerts/queries.ts'
import { isHttps } from '../config.ts'
import { localized } from '../core/message.ts'
import { Refusal, type ValidationError } from '../core/refusal.ts'
import { isSameSecret, keyedToken, randomToken } from '../lib/token.ts'
import type { App, Origin } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { assetPath } from './assets.ts'
import { type BodyBudget, withBody } from './body-budget.ts'
import { ERROR_CODES } from './error-codes.ts'
import { type ErrorResponse, errorHeaders, toProblem } from './errors.ts'
import { type SentFile, type SentForm, withMultipart } from './receive-form.ts'
import { cookie, type IncomingRequest, mediaType, requireMediaType } from './request.ts'

/** `public`: anyone; `link`: whoever holds the secret in the address or its cookie, checked by the action; `session`: signed in. */
export type PageAccess = 'public' | 'link' | 'session'

export interface PageRoute {
  method: 'GET' | 'POST'
  path: string
  access: PageAccess
  /** Takes a form with one file, `file`, up to so many bytes. */
  upload?: (app: App) => number
  /** The file goes to the disk as it arrives. */
  isToDisk?: boolean
  /** How the page says what `run` did not answer; by default as every page does. */
  refused?: (visit: Visit, refusal: Refusal) => Promise<PageResponse>
  run(visit: Visit): Promise<PageResponse>
}

export type PageResponse =
  | { html: VNode; status?: number; cookies?: string[]; headers?: Record<string, string>; isScripted?: boolean }
  | { redirect: string; cookies?: string[] }
  | { response: Response }

export interface Visit {
  app: App
  request: Request
  url: URL
  params: Record<string, string>
  client: Pick<Origin, 'ip' | 'userAgent'>
  /** Empty for GET. */
  form: Record<string, string>
  /** What was uploaded, where the page takes it and something was chosen. */
  file: SentFile | undefined
  /** What the page's forms carry. */
  csrf: string
  context(title: string): PageContext
  cookieNamed(name: string): string | undefined
  setCookie(name: string, value: string, maxAgeS: number | undefined): string
  /** The signed-in person; present on `session` pages. */
  session: (SignedIn & { token: string }) | undefined
}

/** Two drawn marks, written in a form, take most of it. */
const FORM_LIMIT = 1024 * 1024
export const SESSION = 'signet_session'
const VISIT = 'signet_visit'

/** On https with the prefix that browsers bind to this host; plain http on loopback cannot have it. */
function cookieName(app: App, name: string): string {
  return isHttps(app.config) ? `__Host-${name}` : name
}

/** RFC 6265 §4.1. Without an age it ends with the browser. */
function cookieText(app: App, name: string, value: string, maxAgeS: number | undefined): string {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  return `${cookieName(app, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps(app.config) ? '; Secure' : ''}${age}`
}

/** `isScripted`: the page loads parts of its script and a worker from us as it needs them. */
function securityHeaders(app: App, nonce: string, isScripted = false): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'${isScripted ? ` ${app.config.baseUrl}/static/` : ''}`,
    ...(isScripted ? ["worker-src 'self'"] : []),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
  return {
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(isHttps(app.config) ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function contextOf(app: App, nonce: string, title: string, alerts: readonly string[] = []): PageContext {
  const { environment, isProduction } = app.instance
  return { title, css: assetPath('app.css'), nonce, environment, isProduction, alerts }
}

const MAX_ALERTS_SHOWN = 5

/** The open alerts, for administrators alone. */
async function alertsFor(app: App, signedIn: SignedIn | undefined): Promise<string[]> {
  if (!signedIn?.actor.seesAll) return []
  return (await listAlerts(app.db, MAX_ALERTS_SHOWN)).map(({ message }) => message)
}

function htmlResponse(
  app: App,
  nonce: string,
  html: VNode,
  status: number,
  requestId: string,
  cookies: string[],
  isScripted = false,
): Response {
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'x-request-id': requestId,
    ...securityHeaders(app, nonce, isScripted),
  })
  for (const text of cookies) headers.append('set-cookie', text)
  return new Response(`<!DOCTYPE html>${renderToString(html)}`, { status, headers })
}

/** Answers one page request; never throws. */
export async function handlePage(app: App, budget: BodyBudget, page: PageRoute, incoming: IncomingRequest): Promise<Response> {
  const nonce = randomToken()
  try {
    return incoming.hasBaseUrlHost() ? await answer(app, budget, page, incoming, nonce) : misdirected(app, page, incoming, nonce)
  } catch (error) {
    return failurePage(app, toProblem(error, app, incoming.requestId), nonce, incoming.requestId)
  }
}

/** RFC 9110 §15.5.20. A foreign name that leads here gets to see no page of ours, only where they are. */
function misdirected(app: App, page: PageRoute, { requestId }: IncomingRequest, nonce: string): Response {
  const { baseUrl } = app.config
  const title = 'Another address'
  if (page.method === 'POST') throw new Refusal('forbidden', `This form was not sent to our own address: please open ${baseUrl}.`)
  const message = `This service is reached at ${baseUrl}, not under the name your browser asked for.`
  const link = { href: baseUrl, text: `Go to ${baseUrl}` }
  const hint =
    'Whoever runs it behind a proxy: let the proxy hand on the visitor’s host in Host, or in X-Forwarded-Host from an address in SIGNET_TRUST_PROXY.'
  const html = <MessagePage context={contextOf(app, nonce, title)} title={title} message={message} hint={hint} link={link} />
  return htmlResponse(app, nonce, html, 421, requestId, [])
}

async function answer(
  app: App,
  budget: BodyBudget,
  page: PageRoute,
  { request, params, requestId, address }: IncomingRequest,
  nonce: string,
): Promise<Response> {
  const url = new URL(request.url)
  const known = cookie(request, cookieName(app, VISIT))
  const visitor = known ?? randomToken()
  const cookies = known === undefined ? [cookieText(app, VISIT, visitor, undefined)] : []
  const token = cookie(request, cookieName(app, SESSION))
  const signedIn = token === undefined ? undefined : await sessionUser(app, token)
  if (page.access === 'session' && !signedIn) {
    const next = page.method === 'GET' ? `?next=${encodeURIComponent(url.pathname)}` : ''
    return redirectResponse(app, nonce, `/sign-in${next}`, cookies)
  }
  const csrf = keyedToken(app.linkKey, 'csrf', visitor)
  const alerts = await alertsFor(app, signedIn)
  const visit: Visit = {
    app,
    request,
    url,
    params,
    client: { ip: address, userAgent: request.headers.get('user-agent')?.slice(0, 500) },
    form: {},
    file: undefined,
    csrf,
    context: title => contextOf(app, nonce, title, alerts),
    cookieNamed: name => cookie(request, cookieName(app, name)),
    setCookie: (name, value, maxAgeS) => cookieText(app, name, value, maxAgeS),
    session: signedIn && token !== undefined ? { ...signedIn, token } : undefined,
  }
  const result = await resultOf(budget, page, visit)
  if ('response' in result) return result.response
  const all = [...cookies, ...(result.cookies ?? [])]
  if ('redirect' in result) return redirectResponse(app, nonce, result.redirect, all)
  const response = htmlResponse(app, nonce, result.html, result.status ?? 200, requestId, all, result.isScripted)
  for (const [name, value] of Object.entries(result.headers ?? {})) response.headers.set(name, value)
  return response
}

async function resultOf(budget: BodyBudget, page: PageRoute, visit: Visit): Promise<PageResponse> {
  const isForm = page.method === 'POST'
  try {
    return await (isForm ? withForm(budget, page, visit, sent => page.run({ ...visit, ...sent })) : page.run(visit))
  } catch (error) {
    if (!(page.refused && error instanceof Refusal)) throw error
    return page.refused(visit, error)
  }
}

function redirectResponse(app: App, nonce: string, location: string, cookies: string[]): Response {
  const headers = new Headers({ location, ...securityHeaders(app, nonce) })
  for (const text of cookies) headers.append('set-cookie', text)
  return new Response(null, { status: 303, headers })
}

/** Works on a form of our own page: right type, same origin, with the visitor's token. */
async function withForm<T>(
  budget: BodyBudget,
  { upload, isToDisk = false, access }: PageRoute,
  { app, request, csrf }: Visit,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  const foreign = new Refusal('forbidden', localized('foreignForm'))
  const type = upload ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  // A page of another site can send any type, a program any coding: neither is a form of ours.
  if (mediaType(request) !== type) throw foreign
  requireMediaType(request, type)
  if (!upload && access === 'link') await app.disk.requireSpaceForChange()
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  // Under no-referrer browsers send `Origin: null` with a form. So does a page in a sandboxed frame of a foreign site: then only Sec-Fetch-Site
  // tells the two apart.
  if (site !== null ? site !== 'same-origin' : origin !== app.config.baseUrl) throw foreign
  const checked = (sent: SentForm) => {
    if (!isSameSecret(sent.form.csrf ?? '', csrf)) throw foreign
    return work(sent)
  }
  if (!upload) return withBody(budget, request, FORM_LIMIT, async bytes => checked(urlEncoded(bytes)))
  const expected = { maxKeptBytes: FORM_LIMIT, maxFileBytes: upload(app), isToDisk }
  return withMultipart(app, budget, request, expected, async sent => checked(sent))
}

function urlEncoded(bytes: Uint8Array): SentForm {
  return { form: Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))), file: undefined }
}

const TITLES: Partial<Record<ErrorResponse['code'], string>> = {
  not_found: 'Not found',
  forbidden: 'Not possible',
  validation_failed: 'Not possible',
  rate_limited: 'Please wait',
  invalid_state: 'Not possible any more',
}

/** Left out when it cannot be read: a failure must be told also without a database. */
async function contactOf(app: App): Promise<string | undefined> {
  try {
    return (await organisation(app.db)).contact
  } catch (error) {
    app.log('error', 'contact not read', { error: String(error) })
    return undefined
  }
}

async function failurePage(app: App, told: ErrorResponse, nonce: string, requestId: string): Promise<Response> {
  const title = TITLES[told.code] ?? 'Something went wrong'
  const contact = await contactOf(app)
  const hint = contact ? `Questions? Ask ${contact}.` : undefined
  const html = <MessagePage context={contextOf(app, nonce, title)} title={title} message={told.message} hint={hint} />
  const response = htmlResponse(app, nonce, html, told.status, requestId, [])
  for (const [name, value] of Object.entries(errorHeaders(told))) response.headers.set(name, value)
  return response
}

/** A page for addresses that lead nowhere. */
export function notFoundPage(app: App, error: unknown, requestId: string): Promise<Response> {
  return failurePage(app, toProblem(error, app, requestId), randomToken(), requestId)
}

/** The context's right side for a signed-in person. */
export function signedInUser({ session, csrf }: Visit, section: string): { name: string; csrf: string; section: string } {
  return { name: session?.user.name ?? '', csrf, section }
}

/** Refusals that belong beside the form. */
const SHOWN = new Set<Refusal['reason']>(['validation_failed', 'unauthorized', 'rate_limited', 'forbidden'])

/** Runs an action on a form; what the rules refuse is shown on the same page again, with what was entered. */
export async function runFormAction<T>(
  action: () => Promise<T>,
): Promise<{ done: T } | { errors: ValidationError[]; status: number }> {
  try {
    return { done: await action() }
  } catch (error) {
    if (!(error instanceof Refusal && SHOWN.has(error.reason))) throw error
    const errors = error.details.length > 0 ? error.details : [{ path: 'main', message: error.message }]
    return { errors, status: ERROR_CODES[error.reason].status }
  }
}
