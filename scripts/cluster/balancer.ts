/** Sends each request to a node that `/readyz` calls ready, and counts what clients meet. */
import type { SignetNode } from './node.ts'

const CHECK_EVERY_MS = 250
const REQUEST_MS = 15_000

/** What a client saw of one attempt, apart from an answer of the service. */
export type ClientError = '503' | '429' | '5xx' | 'connection' | 'timeout' | 'no node'

export class Balancer {
  readonly #nodes: SignetNode[]
  readonly #ready = new Set<SignetNode>()
  readonly #timers: ReturnType<typeof setInterval>[] = []
  #turn = 0
  /** Errors since the last `reset`. */
  readonly errors = new Map<ClientError, number>()
  /** The texts of 5xx answers other than 503. */
  readonly broken: string[] = []
  attempts = 0

  constructor(nodes: SignetNode[]) {
    this.#nodes = nodes
  }

  async open(): Promise<void> {
    await this.check()
    for (const node of this.#nodes) this.#timers.push(setInterval(() => void this.#ask(node), CHECK_EVERY_MS))
  }

  async check(): Promise<void> {
    await Promise.all(this.#nodes.map(node => this.#ask(node)))
  }

  async #ask(node: SignetNode): Promise<void> {
    if (await node.isReady()) this.#ready.add(node)
    else this.#ready.delete(node)
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  readyCount(): number {
    return this.#ready.size
  }

  reset(): void {
    this.errors.clear()
    this.broken.length = 0
    this.attempts = 0
  }

  errorText(): string {
    const text = [...this.errors].map(([error, count]) => `${count} × ${error}`).join(', ')
    return `${text || 'none'} in ${this.attempts} requests`
  }

  #pick(): SignetNode | undefined {
    const ready = this.#nodes.filter(node => this.#ready.has(node))
    this.#turn++
    return ready[this.#turn % Math.max(ready.length, 1)]
  }

  /** One attempt at the next ready node, or at this one. Throws `NoAnswerError`. */
  async fetch(path: string, init: RequestInit = {}, only?: SignetNode): Promise<Response> {
    this.attempts++
    const node = only ?? this.#pick()
    if (node === undefined) throw this.#noAnswer('no node')
    let response: Response
    try {
      response = await fetch(node.url + path, { redirect: 'manual', signal: AbortSignal.timeout(REQUEST_MS), ...init })
      // The body belongs to the answer: a node may be killed while it sends it.
      response = new Response(await response.bytes(), response)
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError'
      if (!isTimeout) this.#ready.delete(node)
      throw this.#noAnswer(isTimeout ? 'timeout' : 'connection')
    }
    if (response.status === 503) this.#count('503')
    else if (response.status === 429) this.#count('429')
    else if (response.status >= 500) {
      this.#count('5xx')
      this.broken.push(`${init.method ?? 'GET'} ${path}: ${response.status} ${(await response.clone().text()).slice(0, 300)}`)
    }
    return response
  }

  #noAnswer(error: ClientError): NoAnswerError {
    this.#count(error)
    return new NoAnswerError(error)
  }

  #count(error: ClientError): void {
    this.errors.set(error, (this.errors.get(error) ?? 0) + 1)
  }
}

export class NoAnswerError extends Error {
  constructor(readonly met: ClientError) {
    super(`no answer: ${met}`)
  }
}
