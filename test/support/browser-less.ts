/** A browser without scripts: keeps cookies, reads forms out of pages, posts them. */
import { ORIGIN } from './test-app.ts'

/** They are on every page of a signed-in person. */
const FRAME_FORMS = new Set(['/sign-out', '/language'])

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

export interface Page {
  status: number
  html: string
  url: string
  headers: Headers
}

export interface Visitor {
  get(path: string): Promise<Page>
  /** Posts the page's form with this action, with its hidden inputs. Follows the redirect. */
  submit(page: Page, values?: Record<string, string>, action?: string): Promise<Page>
  /** The same for the form that takes a file. */
  upload(
    page: Page,
    action: string,
    file: { name: string; bytes: Uint8Array } | undefined,
    values?: Record<string, string>,
  ): Promise<Page>
  post(path: string, values: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  cookies: Map<string, string>
}

/** Text as a reader sees it. */
export function textOf(page: Page): string {
  return decode(page.html.replace(/<style.*?<\/style>/gs, '').replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ')
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** The form by which a recipient finishes, and the address of their page. */
export function finishForm({ html }: Pick<Page, 'html'>): { action: string; base: string; values: Record<string, string> } {
  const { action, values } = formsOf(html).find(form => form.action.endsWith('/finish')) ?? { action: '', values: {} }
  return { action, base: action.replace(/\/finish$/, ''), values }
}

/** A request beyond those of a page, with the cookies of the visitor. */
export const fetchAs = (
  { fetch }: { fetch: Fetch },
  visitor: Pick<Visitor, 'cookies'>,
  path: string,
  { headers = {}, ...init }: { method?: string; body?: FormData; headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(path, { redirect: 'manual', ...init, headers: { cookie: cookieOf(visitor), origin: ORIGIN, ...headers } })

/** Posts a file, as scripts of pages do. */
export function postFile(
  service: { fetch: Fetch },
  visitor: Pick<Visitor, 'cookies'>,
  path: string,
  members: Record<string, string>,
  bytes: Uint8Array,
  { name = 'a.png', headers = {} }: { name?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = new FormData()
  for (const [member, value] of Object.entries(members)) body.set(member, value)
  body.set('file', new File([new Uint8Array(bytes)], name))
  return fetchAs(service, visitor, path, { method: 'POST', body, headers })
}

/** The token of the first form of a page. */
export const csrfOf = ({ html }: Pick<Page, 'html'>): string => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** As the header of a request. */
export const cookieOf = ({ cookies }: Pick<Visitor, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Every form of a page: where it posts to and the values it would send untouched. */
export function formsOf(html: string): { action: string; method: string; values: Record<string, string> }[] {
  const shown = html.replace(/<template[^>]*>.*?<\/template>/gs, '')
  return [...shown.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', inner = '']) => {
    const id = attribute(attributes, 'id')
    const outside = id === undefined ? [] : [...shown.matchAll(/<input[^>]*>/g)].map(([input]) => input)
    const values = controlsIn([inner, ...outside.filter(input => attribute(input, 'form') === id)].join(''))
    return { action: attribute(attributes, 'action') ?? '', method: attribute(attributes, 'method') ?? 'get', values }
  })
}

function controlsIn(html: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, input = ''] of html.matchAll(/<input([^>]*)>/g)) {
    const name = attribute(input, 'name')
    if (name === undefined) continue
    const isChoice = /^(checkbox|radio)$/.test(attribute(input, 'type') ?? '')
    if (!isChoice) values[name] = attribute(input, 'value') ?? ''
    else if (/\schecked/.test(input)) values[name] = attribute(input, 'value') ?? 'on'
  }
  for (const [, select = '', inner = ''] of html.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const options = [...inner.matchAll(/<option([^>]*)>/g)].map(([, option = '']) => option)
    const chosen = options.find(option => /\sselected/.test(option)) ?? options[0]
    if (chosen !== undefined) values[attribute(select, 'name') ?? ''] = attribute(chosen, 'value') ?? ''
  }
  for (const [, area = '', text = ''] of html.matchAll(/<textarea([^>]*)>(.*?)<\/textarea>/gs))
    values[attribute(area, 'name') ?? ''] = decode(text)
  return values
}

function attribute(text: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}(?:="([^"]*)"|(?=[\\s/]|$))`).exec(text)
  return found ? decode(found[1] ?? '') : undefined
}

/** `always`: headers of each request, as of a browser that prefers a language or shows a frame. */
export function openVisitor(fetch: Fetch, origin = ORIGIN, always: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  const request = async (path: string, init: RequestInit): Promise<Page> => {
    const headers = new Headers({ ...always, ...Object.fromEntries(new Headers(init.headers)) })
    headers.set('user-agent', 'Mozilla/5.0 (test)')
    if (cookies.size > 0) headers.set('cookie', cookieOf({ cookies }))
    const response = await fetch(path, { ...init, headers, redirect: 'manual' })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/Max-Age=0/.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (response.status === 303 && location !== null) return request(location, { method: 'GET' })
    return { status: response.status, html: await response.text(), url: path, headers: response.headers }
  }
  const post: Visitor['post'] = (path, values, headers = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
      body: new URLSearchParams(values).toString(),
    })
  /** A form of the page, by the end of its action, or its only one. */
  const formOf = (page: Page, action: string | undefined) => {
    const forms = formsOf(page.html).filter(f => f.method === 'post')
    const own = forms.filter(f => !FRAME_FORMS.has(f.action))
    const form = action === undefined ? own[0] : forms.find(f => f.action.endsWith(action))
    if (!form) throw new Error(`no form ${action ?? ''} on ${page.url}:\n${textOf(page)}`)
    return form
  }
  return {
    cookies,
    get: path => request(path, { method: 'GET' }),
    post,
    submit(page, values = {}, action) {
      const form = formOf(page, action)
      return post(form.action || page.url, { ...form.values, ...values })
    },
    upload(page, action, file, values = {}) {
      const form = formOf(page, action)
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...form.values, ...values })) if (name !== 'file') body.set(name, value)
      body.set('file', new File(file ? [new Uint8Array(file.bytes)] : [], file?.name ?? ''))
      return request(form.action, { method: 'POST', headers: { origin }, body })
    },
  }
}
