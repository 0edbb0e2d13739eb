/**
 * The steps of every page request: access, form within its limit, CSRF, handler, HTML with its
 * headers. A page without an access word does not compile. GET changes nothing.
 */
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Brand, MessagePage, type PageAlert, type PageContext, type SignedInPerson } from '../../../views/layout.tsx'
import { type SignedIn, sessionUser } from '../../accounts/people.ts'
import { hasPassword } from '../../accounts/queries.ts'
import { listAlerts } from '../../alerts/queries.ts'
import { isHttps } from '../../config.ts'
import { ALERT_KINDS, type AlertKind, alertPath } from '../../core/alert.ts'
import { type AppLanguage, chooseAppLanguage } from '../../core/language.ts'
import { HEALTH_PATH, SIGN_IN_PATH } from '../../core/page-paths.ts'
import { errorsOfRefusal, Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { updateAlerts } from '../../health/watch.ts'
import { memoizePerObject } from '../../lib/lru-cache.ts'
import type { Clock } from '../../lib/relative-time.ts'
import { keyedToken, randomToken } from '../../lib/token.ts'
import { type AppTexts, appTextsOf, type ShownError } from '../../locales/app.ts'
import type { App, Client } from '../../ports.ts'
import { accountOwner, addressOwner, asOwner } from '../../sandbox/task-owner.ts'
import { defaultOrganisation, type Organisation, readOrganisation } from '../../settings/organisation.ts'
import { readServiceSetting } from '../../settings/service-settings.ts'
import { assetPath, iconAssets } from '../assets.ts'
import type { BodyBudget } from '../body/body-budget.ts'
import type { FormWithFiles, SentFile } from '../body/receive-form.ts'
import { FixedText } from '../compression.ts'
import { ERROR_CODES } from '../error-codes.ts'
import { type ErrorResponse, errorHeaders, toProblem } from '../errors.ts'
import { cookie, type IncomingRequest, pathOf, searchOf, userAgentOf } from '../request.ts'
import { PRIVATE } from '../version-headers.ts'
import { brandOf } from './brand.ts'
import { accessOf, type PageAccess, pageBefore, requireRole } from './page-access.ts'
import { requireStorableTexts, withForm } from './page-form.ts'
import { contentPolicy, type PolicyOptions } from './page-policy.ts'

export interface PageRoute {
  method: 'GET' | 'POST'
  path: string
  access: PageAccess
  /** Open to a person who has to set up the required second factor before anything else. */
  isForSecondFactor?: true
  /** Requested by scripts only: it does not keep an idle session alive. */
  isBackground?: true
  /**
   * Origins that an administrator has listed may show it in a frame, where browsers send no cookies
   * of ours. The `:token` in its path is secret, and takes their place.
   */
  isFramable?: true
  /** People without an account come here too: they see the organisation's face instead of ours. */
  isForOutsiders?: true
  /** Set where the form has files, all of the name `file`: the most bytes of all. */
  upload?: (app: App) => number
  /** Default 1. */
  maxFiles?: number
  /** Writes the files to disk as they arrive. */
  isToDisk?: boolean
  /** Set where the form may be sent with files in some of its fields, which go to disk. */
  filesInForm?: FormWithFiles
  /** Shows a refusal that `run` threw; default: the message page. */
  refused?: (visit: Visit, refusal: Refusal) => Promise<PageResponse>
  /** The same for all who read its language, without forms: made once for each. */
  isFixed?: true
  /** Runs before the form is received. A `Refusal` leaves the form unread. */
  admit?: (visit: Visit) => void | Promise<void>
  run(visit: Visit): Promise<PageResponse>
}

export type PageResponse =
  | ({ html: VNode; status?: number; cookies?: string[]; headers?: Record<string, string> } & PolicyOptions)
  | { redirect: string; cookies?: string[] }
  | { response: Response }

/** One request to a page. */
export interface Visit {
  app: App
  request: Request
  url: URL
  params: Record<string, string>
  /** Of the address. */
  query: Record<string, string | undefined>
  /** The text of the notice that a redirect asked for. */
  noticeIn(notices: Record<string, string>): string | undefined
  client: Client
  /** Empty for GET. */
  form: Record<string, string>
  /** The uploaded files that were chosen, in order. */
  files: SentFile[]
  /** The first of them. */
  file: SentFile | undefined
  /** The token that the forms of the page send. */
  csrf: string
  context(title: string, form?: FormState): PageContext
  /** Who may show the page in a frame is not said to somebody without a link. */
  hideFramers(): void
  /** Of the web app, in the person's language. */
  texts: AppTexts
  language: AppLanguage
  /** As it was when the request came. */
  organisation: Organisation
  /** Of the organisation's zone, in the language of the page. */
  clock: Clock
  /** Goes on in the language that a person who is not signed in has chosen. */
  speakTo(person: { language?: string | undefined }): Pick<Visit, 'texts' | 'language'>
  cookieNamed(name: string): string | undefined
  setCookie(name: string, value: string, maxAgeS: number | undefined): string
  /** The signed-in person; present on `session` pages. */
  session: (SignedIn & { token: string }) | undefined
}

/** How a page shows the form of the request again. */
export interface FormState {
  errors?: readonly ShownError[]
  /** By default, unless the person proved lately who they are. */
  asksForPassword?: boolean | undefined
  /** Of the response; 200 by default. */
  status?: number
}

/** Scripts set it on requests that no person made. */
const BACKGROUND_REQUEST = 'x-background-request'
export const SESSION = 'signet_session'
const VISIT = 'signet_visit'

const textOf = (html: VNode) => `<!DOCTYPE html>${renderToString(html)}`

/** Makes the responses to one page request, all with the same nonce. */
class Renderer {
  readonly nonce: string
  /** Of the web app. */
  language: AppLanguage
  #brand: Brand | undefined
  #timeZone = 'UTC'
  #framers: readonly string[] = []

  constructor(
    readonly app: App,
    readonly request: Request | undefined,
    nonce = randomToken(app.random),
  ) {
    this.nonce = nonce
    this.language = chooseAppLanguage(undefined, this.#accepted())
  }

  /** Takes the language that the person chose. */
  use(chosen: string | undefined): void {
    this.language = chooseAppLanguage(chosen, this.#accepted())
  }

  /** Those whom the organisation asks to sign see its face instead of ours, once it has one. */
  useOrganisation(organisation: Organisation, { access, isForOutsiders }: PageRoute, isSignedIn: boolean): void {
    this.#timeZone = organisation.timeZone
    if (access === 'link' || (isForOutsiders && !isSignedIn)) this.#brand = brandOf(organisation)
  }

  get clock(): Clock {
    return { now: this.app.now(), timeZone: this.#timeZone, language: this.language }
  }

  async useFramers({ isFramable }: PageRoute): Promise<void> {
    if (isFramable) this.#framers = await readServiceSetting(this.app, 'embedOrigins')
  }

  hideFramers(): void {
    this.#framers = []
  }

  #accepted(): string | null {
    return this.request?.headers.get('accept-language') ?? null
  }

  context(
    title: string,
    shown: Partial<Pick<PageContext, 'alerts' | 'csrf' | 'user' | 'errors' | 'asksForPassword'>> = {},
  ): PageContext {
    const { environment, isProduction } = this.app.instance
    const { language, nonce } = this
    const scripts = {
      script: assetPath('app.js'),
      bundles: {
        sending: assetPath('sending.js'),
        settings: assetPath('settings.js'),
        use: assetPath('use.js'),
        viewing: assetPath('viewing.js'),
        verify: assetPath('verify.js'),
      },
    }
    const assets = { css: assetPath('app.css'), ...scripts, icons: iconAssets() }
    const path = this.request?.method === 'GET' ? pathOf(this.request) : ''
    return {
      title,
      path,
      brand: this.#brand,
      ...(this.#framers.length > 0 ? { frame: { script: assetPath('frame.js'), origins: this.#framers } } : {}),
      ...assets,
      nonce,
      environment,
      isProduction,
      csrf: '',
      user: undefined,
      errors: [],
      asksForPassword: false,
      language,
      clock: this.clock,
      texts: appTextsOf(language),
      ...shown,
    }
  }

  html(html: VNode, status: number, cookies: string[] = [], may: PolicyOptions = {}): Response {
    const headers = this.#headers({ 'content-type': 'text/html; charset=utf-8' }, cookies, may)
    return new Response(textOf(html), { status, headers })
  }

  /** For all who read its language. */
  fixed(text: FixedText, request: Request): Response {
    const headers = this.#headers({ 'content-type': 'text/html; charset=utf-8', vary: 'accept-language, cookie' }, [])
    return text.response(request, headers)
  }

  redirect(location: string, cookies: string[]): Response {
    return new Response(null, { status: 303, headers: this.#headers({ location }, cookies) })
  }

  async error(error: unknown, requestId: string): Promise<Response> {
    const { code, message, ...problem } = toProblem(error, this.app, requestId, appTextsOf(this.language))
    const { frame } = appTextsOf(this.language)
    const title = frame.failure[TITLES[code] ?? 'other']
    const contact = await contactOf(this.app)
    const hint = contact ? frame.ask(contact) : undefined
    const html = <MessagePage context={this.context(title)} title={title} message={message} hint={hint} />
    const response = this.html(html, problem.status)
    for (const [name, value] of Object.entries(errorHeaders(problem))) response.headers.set(name, value)
    return response
  }

  /** RFC 9110 §15.5.20: under a foreign host name, nothing is shown but the right address. */
  misdirected(method: PageRoute['method']): Response {
    const { baseUrl } = this.app.config
    if (method === 'POST') throw new Refusal('forbidden', violation('form_of_other_address', { address: baseUrl }))
    const { title, message, hint, link } = appTextsOf(this.language).frame.otherAddress
    const props = {
      context: this.context(title),
      title,
      message: message(baseUrl),
      hint,
      link: { href: baseUrl, text: link(baseUrl) },
    }
    return this.html(<MessagePage {...props} />, 421)
  }

  #headers(own: Record<string, string>, cookies: string[], may: PolicyOptions = {}): Headers {
    const { config } = this.app
    const headers = new Headers({
      ...own,
      'content-security-policy': contentPolicy(this.nonce, config.baseUrl, may, this.#framers),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...(isHttps(config) ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    })
    for (const text of cookies) headers.append('set-cookie', text)
    return headers
  }
}

/** Responds to one page request. Never throws. */
export async function handlePage(app: App, budget: BodyBudget, page: PageRoute, incoming: IncomingRequest): Promise<Response> {
  const response = await answer(app, budget, page, incoming)
  if (page.path.startsWith(SIGN_IN_PATH) && response.status >= 400) app.metrics.signInsRefused.of().add()
  // An EventSource that is led to a page complains about its type in the browser's console.
  if (page.isBackground && response.status === 303) return new Response(null, { status: 204, headers: PRIVATE })
  return response
}

async function answer(app: App, budget: BodyBudget, page: PageRoute, incoming: IncomingRequest): Promise<Response> {
  // What never changes has one nonce: nobody's input is in it.
  const nonce = page.isFixed && keyedToken(app.linkKey, 'nonce', page.path)
  const renderer = new Renderer(app, incoming.request, nonce)
  try {
    if (!incoming.hasBaseUrlHost()) return renderer.misdirected(page.method)
    requireStorableTexts([...searchOf(incoming.request)].flat())
    return await respond(renderer, budget, page, incoming)
  } catch (error) {
    renderer.hideFramers()
    return renderer.error(error, incoming.requestId)
  }
}

const fixedTexts = memoizePerObject((_page: PageRoute) => new Map<AppLanguage, FixedText>())

async function fixedTextOf(page: PageRoute, visit: Visit): Promise<FixedText> {
  const texts = fixedTexts(page)
  const known = texts.get(visit.language)
  if (known) return known
  const result = await page.run(visit)
  if (!('html' in result)) throw new Error(`${page.path} is fixed and has no HTML`)
  const text = new FixedText(textOf(result.html))
  texts.set(visit.language, text)
  return text
}

async function signedInBy(app: App, token: string | undefined, options: { isUse: boolean }): Promise<SignedIn | undefined> {
  return token === undefined ? undefined : sessionUser(app, token, options)
}

async function respond(
  renderer: Renderer,
  budget: BodyBudget,
  page: PageRoute,
  { request, params, ipAddress }: IncomingRequest,
): Promise<Response> {
  const { app } = renderer
  const url = new URL(request.url)
  const known = page.isFramable ? params.token : cookie(request, cookieName(app, VISIT))
  const visitor = known ?? randomToken(app.random)
  const cookies = known === undefined ? [cookieText(app, VISIT, visitor, undefined)] : []
  const token = cookie(request, cookieName(app, SESSION))
  const signedIn = await signedInBy(app, token, { isUse: !page.isBackground && !request.headers.has(BACKGROUND_REQUEST) })
  const before = pageBefore(page, signedIn, url)
  if (before !== undefined) return renderer.redirect(before, cookies)
  renderer.use(signedIn?.user.language)
  requireRole(page.access, signedIn)
  const organisation = await organisationFor(app, page)
  renderer.useOrganisation(organisation, page, signedIn !== undefined)
  await renderer.useFramers(page)
  const csrf = keyedToken(app.linkKey, 'csrf', visitor)
  const alerts = await alertsFor(app, page.path, page.isFixed ? undefined : signedIn, appTextsOf(renderer.language))
  const visit: Visit = {
    app,
    request,
    url,
    params,
    query: Object.fromEntries(url.searchParams),
    noticeIn: notices => {
      const name = url.searchParams.get('notice') ?? ''
      return Object.hasOwn(notices, name) ? notices[name] : undefined
    },
    client: { ip: ipAddress, userAgent: userAgentOf(request) },
    form: {},
    files: [],
    file: undefined,
    csrf,
    context: (title, { errors = [], asksForPassword = !signedIn?.confirmed } = {}) =>
      renderer.context(title, { alerts, csrf, user: signedIn && personOf(signedIn), errors, asksForPassword }),
    hideFramers: () => renderer.hideFramers(),
    texts: appTextsOf(renderer.language),
    language: renderer.language,
    organisation,
    clock: renderer.clock,
    speakTo: person => {
      renderer.use(person.language)
      return { texts: appTextsOf(renderer.language), language: renderer.language }
    },
    cookieNamed: name => cookie(request, cookieName(app, name)),
    setCookie: (name, value, maxAgeS) => cookieText(app, name, value, maxAgeS),
    session: signedIn && token !== undefined ? { ...signedIn, token } : undefined,
  }
  if (page.isFixed) return renderer.fixed(await fixedTextOf(page, visit), request)
  const result = await asOwner(ownerOf(visit), () => run(budget, page, visit))
  return toResponse(renderer, page, result, cookies)
}

async function toResponse(renderer: Renderer, page: PageRoute, result: PageResponse, cookies: string[]): Promise<Response> {
  // What a setting has mended must not stay in the strip until the next minute.
  if (page.method === 'POST' && page.access === 'admin') await updateAlerts(renderer.app)
  if ('response' in result) return result.response
  const all = [...cookies, ...(result.cookies ?? [])]
  if ('redirect' in result) return renderer.redirect(result.redirect, all)
  const response = renderer.html(result.html, result.status ?? 200, all, result)
  for (const [name, value] of Object.entries(result.headers ?? {})) response.headers.set(name, value)
  return response
}

const ownerOf = ({ session, client }: Visit) => (session ? accountOwner(session.user.id) : addressOwner(client.ip))

async function run(budget: BodyBudget, page: PageRoute, visit: Visit): Promise<PageResponse> {
  const isForm = page.method === 'POST'
  try {
    return await (isForm ? withForm(budget, page, visit, sent => page.run({ ...visit, ...sent })) : page.run(visit))
  } catch (error) {
    if (!(page.refused && error instanceof Refusal)) throw error
    return page.refused(visit, error)
  }
}

const TITLES: Partial<Record<ErrorResponse['code'], keyof AppTexts['frame']['failure']>> = {
  not_found: 'notFound',
  forbidden: 'notPossible',
  validation_failed: 'notPossible',
  rate_limited: 'wait',
  storage_unavailable: 'wait',
  invalid_state: 'over',
}

/**
 * What never changes needs none. A signer's page runs with the default one while it cannot be read:
 * what the page reads next fails too, and says so in the language of the signer.
 */
async function organisationFor(app: App, { access, isFixed }: PageRoute): Promise<Organisation> {
  if (isFixed) return defaultOrganisation()
  try {
    return await readOrganisation(app.db)
  } catch (error) {
    if (access !== 'link') throw error
    app.log('error', 'organisation not read', { error: String(error) })
    return defaultOrganisation()
  }
}

/** Undefined when it cannot be read: an error page must not depend on the database. */
export async function contactOf(app: App): Promise<string | undefined> {
  try {
    return (await readOrganisation(app.db)).contact
  } catch (error) {
    app.log('error', 'organisation not read', { error: String(error) })
    return undefined
  }
}

/** The page that shows an error outside the page steps, such as a URL without a route. */
export function errorPage(app: App, request: Request, error: unknown, requestId: string): Promise<Response> {
  return new Renderer(app, request).error(error, requestId)
}

function personOf({ user, hasPasskey, provider }: SignedIn): SignedInPerson {
  const { name, email, role } = user
  return { name, email, hasPassword: hasPassword(user), hasPasskey, provider, opens: accessOf(role) }
}

/** Refusals that are shown beside the form. */
const SHOWN_IN_FORM = new Set<Refusal['reason']>([
  'validation_failed',
  'unauthorized',
  'rate_limited',
  'forbidden',
  'upgrade_unfinished',
])

/** Returns the errors of a refusal, to show the form again with the entered values. */
export async function runFormAction<T>(
  action: () => Promise<T>,
): Promise<{ done: T } | { errors: ShownError[]; status: number }> {
  try {
    return { done: await action() }
  } catch (error) {
    if (!(error instanceof Refusal && SHOWN_IN_FORM.has(error.reason))) throw error
    return { errors: errorsOfRefusal(error, 'main'), status: ERROR_CODES[error.reason].status }
  }
}

// The names and texts of the cookies of pages.

/** Browsers bind the `__Host-` prefix to this host. They refuse it on http. */
function cookieName({ config }: Pick<App, 'config'>, name: string): string {
  return isHttps(config) ? `__Host-${name}` : name
}

/** RFC 6265 §4.1. Without an age the cookie ends with the browser session. */
function cookieText({ config }: Pick<App, 'config'>, name: string, value: string, maxAgeS: number | undefined): string {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`
  return `${cookieName({ config }, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps(config) ? '; Secure' : ''}${age}`
}

// The strip at the top of every page of an administrator: the open alerts, each with its page.

const MAX_READ = 200
const MAX_SHOWN = 5

/** Their messages begin with what only an administrator understands, such as the name of a file. */
const SHOWN_BY_NAME: ReadonlySet<AlertKind> = new Set([
  'database_damaged',
  'audit_log_cut',
  'witness_disagrees',
  'witnessed_log_differs',
  'file_damaged',
  'document_unreadable',
  'backup_failed',
  'checkpoint_failed',
  'witness_silent',
  'webhook_disabled',
  'webhook_failing',
])

/**
 * For administrators; the Health page lists them itself. The most urgent kinds first; of each the
 * oldest, with how many there are.
 */
async function alertsFor(
  { db }: Pick<App, 'db'>,
  path: string,
  signedIn: SignedIn | undefined,
  { alerts: t, storedText }: AppTexts,
): Promise<PageAlert[]> {
  if (!signedIn?.actor.isAdmin || path === HEALTH_PATH) return []
  const open = await listAlerts(db, MAX_READ)
  const kinds = ALERT_KINDS.flatMap(kind => {
    const [first, ...others] = open.filter(alert => alert.kind === kind)
    if (!first) return []
    const message = SHOWN_BY_NAME.has(kind) ? `${t.kinds[kind]}.` : firstSentence(storedText(first.message))
    const link = { href: alertPath(kind, first.subject), text: t.links[kind] }
    return [{ name: t.kinds[kind], message, link, ...(others.length > 0 ? { more: t.more(others.length) } : {}) }]
  })
  return kinds.slice(0, MAX_SHOWN)
}

/** In a wide window. The page that mends it, and the mail, say the rest. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
