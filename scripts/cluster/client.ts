/** A client of the API and a signer without a browser; both repeat as a sensible client does. */
import { formsOf, openVisitor, type Page, textOf } from '../../test/support/browser-less.ts'
import { SIGNATURE, samplePdf } from '../../test/support/sample.ts'
import { type Balancer, NoAnswerError } from './balancer.ts'
import type { SignetNode } from './node.ts'
import type { MailSink } from './sinks.ts'

/** After this a client gives up: what it wanted was lost. */
const GIVE_UP_MS = 240_000
const MAX_PAUSE_MS = 5_000
const MIN_PAUSE_MS = 200

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route
  body: any
}

export interface Signer {
  email: string
  name: string
}

/** What the service has answered with 2xx, and must never take back. */
export interface Promised {
  created: Map<string, { key: string; title: string }>
  sent: Set<string>
  /** Document id and address. */
  signed: { documentId: string; email: string }[]
}

export interface FormVisit {
  finish(name: string): Promise<Page>
  /** One attempt. */
  finishOnce(name: string): Promise<Page>
}

export class GaveUpError extends Error {}

export interface ClientOptions {
  balancer: Balancer
  mails: MailSink
  baseUrl: string
  apiKey: string
}

export class ClusterClient {
  readonly promised: Promised = { created: new Map(), sent: new Set(), signed: [] }
  readonly balancer: Balancer
  readonly #mails: MailSink
  readonly #baseUrl: string
  readonly authorization: string
  #visitors = 0

  constructor({ balancer, mails, baseUrl, apiKey }: ClientOptions) {
    this.balancer = balancer
    this.#mails = mails
    this.#baseUrl = baseUrl
    this.authorization = `Bearer ${apiKey}`
  }

  /** One attempt, at a node or at the next one. */
  async once(method: string, path: string, options: { body?: unknown; key?: string; node?: SignetNode } = {}): Promise<Answer> {
    const { body, key, node } = options
    const headers: Record<string, string> = { authorization: this.authorization }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (key !== undefined) headers['idempotency-key'] = key
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await this.balancer.fetch(`/api/v1${path}`, init, node)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? await response.json() : Buffer.from(await response.bytes()),
    }
  }

  /** Repeats while the answer says that it may help. */
  async call(method: string, path: string, options: { body?: unknown; key?: string } = {}): Promise<Answer> {
    return this.#repeated(`${method} ${path}`, () => this.once(method, path, options), mayRepeat)
  }

  async #repeated<T extends { status: number; headers: Headers }>(
    what: string,
    attempt: () => Promise<T>,
    isTransient: (answer: T) => boolean,
  ): Promise<T> {
    const deadline = performance.now() + GIVE_UP_MS
    for (;;) {
      let answer: T | undefined
      try {
        answer = await attempt()
        if (!isTransient(answer)) return answer
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error
      }
      if (performance.now() > deadline)
        throw new GaveUpError(`${what}: no answer within ${GIVE_UP_MS} ms; last ${answer?.status}`)
      const asked = Number(answer?.headers.get('retry-after') ?? 0) * 1000
      await Bun.sleep(Math.min(Math.max(asked, MIN_PAUSE_MS), MAX_PAUSE_MS))
    }
  }

  async create(title: string, signers: Signer[], key = crypto.randomUUID()): Promise<string> {
    const { status, body } = await this.call('POST', '/documents', { body: await documentOf(title, signers), key })
    if (status !== 201) throw new Error(`create answered ${status} ${JSON.stringify(body)}`)
    this.promised.created.set(body.id, { key, title })
    return body.id
  }

  async send(id: string): Promise<void> {
    const { status, body } = await this.call('POST', `/documents/${id}/send`, { key: `send-${id}` })
    if (status !== 200) throw new Error(`send answered ${status} ${JSON.stringify(body)}`)
    this.promised.sent.add(id)
  }

  /** Waits for the mail, opens its link, reads the form and signs. */
  async sign(documentId: string, { email, name }: Signer): Promise<void> {
    const visit = await this.openForm(email)
    const page = await visit.finish(name)
    if (page.status !== 200 || !isThanks(page)) throw new Error(`signing answered ${page.status}: ${textOf(page).slice(0, 400)}`)
    this.promised.signed.push({ documentId, email })
  }

  /** Waits for the mail. */
  async linkTo(email: string): Promise<string> {
    const deadline = performance.now() + GIVE_UP_MS
    for (;;) {
      const link = await this.#mails.linkTo(email)
      if (link !== undefined) return link
      if (performance.now() > deadline) throw new GaveUpError(`no mail came to ${email}`)
      await Bun.sleep(50)
    }
  }

  /** A visit at the form, ready to finish once or twice. */
  async openForm(email: string): Promise<FormVisit> {
    return this.openLink(await this.linkTo(email))
  }

  async openLink(link: string): Promise<FormVisit> {
    // Limits count by address: every signer has one.
    const address = `10.${(++this.#visitors >> 16) & 255}.${(this.#visitors >> 8) & 255}.${this.#visitors & 255}`
    const visitor = openVisitor((path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address)
      return this.balancer.fetch(path, { ...init, headers })
    }, this.#baseUrl)
    const landing = await this.#repeated('the link', () => visitor.get(link), mayRepeat)
    const form = await this.#repeated('the button of the link', () => visitor.submit(landing), mayRepeat)
    const values = (name: string) => ({ signature: name, consent: 'on' })
    const finishOnce = (name: string) => visitor.submit(form, values(name), '/finish')
    return { finishOnce, finish: name => this.#repeated('finishing', () => finishOnce(name), mayRepeat) }
  }

  /** From nothing to two signatures. Answers the document's id. */
  async wholeStory(title: string, signers: Signer[]): Promise<string> {
    const id = await this.create(title, signers)
    await this.send(id)
    await Promise.all(signers.map(signer => this.sign(id, signer)))
    return id
  }

  async status(id: string): Promise<string> {
    return (await this.call('GET', `/documents/${id}`)).body.status
  }

  /** Waits until these documents are sealed. Answers those that are not. */
  async untilCompleted(ids: string[], limitMs: number): Promise<string[]> {
    const deadline = performance.now() + limitMs
    let open = ids
    while (open.length > 0 && performance.now() < deadline) {
      const still: string[] = []
      for (const id of open) if ((await this.status(id)) !== 'completed') still.push(id)
      open = still
      if (open.length > 0) await Bun.sleep(250)
    }
    return open
  }
}

function mayRepeat({ status, body }: { status: number; body?: unknown }): boolean {
  if (status === 429 || status === 502 || status === 503 || status === 504) return true
  return status === 409 && (body as { error?: { code?: string } } | undefined)?.error?.code === 'idempotency_in_progress'
}

const isThanks = (page: Page) => formsOf(page.html).every(({ action }) => !action.endsWith('/finish'))

export const signersOf = (name: string): Signer[] => [
  { email: `ada-${name}@example.com`, name: 'Ada Lovelace' },
  { email: `bob-${name}@example.com`, name: 'Bob Søndergård' },
]

export async function documentOf(title: string, signers: Signer[]): Promise<Record<string, unknown>> {
  const recipients = signers.map((signer, i) => ({ ...signer, fields: [{ ...SIGNATURE, x: 10 + 45 * (i % 2) }] }))
  return { title, fileName: 'agreement.pdf', file: await samplePdf(), recipients }
}
