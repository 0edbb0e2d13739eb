/** A program with an API token: it repeats what was not answered, with the same idempotency key. */
import { ConnectionLostError } from './instance.ts'
import type { Access } from './nodes.ts'
import { Life, type World } from './world.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
  headers: Headers
  /** True time when the request was sent first, and when this answer came. */
  fromMs: number
  toMs: number
  /** Until this answer. One: nothing of it was asked before. */
  tries: number
}

/** What a client knows of a change that it asked for. */
export type Outcome = 'no' | 'unknown' | 'yes'

const MAX_TRIES = 4
const TIMEOUT_MS = 60_000

export class Client {
  readonly life: Life

  constructor(
    readonly world: World,
    readonly access: Access,
    readonly token: string,
    readonly name: string,
    readonly noteAnswer: (what: string, answer: Answer) => void,
  ) {
    this.life = new Life(name)
  }

  /** One try. Undefined: the connection ended, or nothing came in time. */
  async once(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer | undefined> {
    const { world } = this
    await world.wait(this.life, `${method} ${path.replace(/\?.*/, '')}`)
    const fromMs = world.nowMs
    const init: RequestInit = { method, headers: { authorization: `Bearer ${this.token}`, ...headers } }
    if (body !== undefined) {
      init.body = JSON.stringify(body)
      init.headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) }
    }
    const response = await world.within(this.life, TIMEOUT_MS, this.#send(path, init))
    if (response === undefined) return undefined
    const read = await world.settle(async () =>
      response.headers.get('content-type')?.startsWith('application/json') ? response.json() : response.bytes(),
    )
    if ('error' in read) throw read.error
    const answer = { status: response.status, body: read.value, headers: response.headers, fromMs, toMs: world.nowMs, tries: 1 }
    this.noteAnswer(`${method} ${path}`, answer)
    return answer
  }

  async #send(path: string, init: RequestInit): Promise<Response | undefined> {
    try {
      return await this.access.fetch(`/api/v1${path}`, init)
    } catch (error) {
      if (error instanceof ConnectionLostError) return undefined
      throw error
    }
  }

  /** Tries again after a lost connection and a 503. Undefined: nobody knows whether it was done. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer | undefined> {
    let fromMs: number | undefined
    for (let i = 0; i < MAX_TRIES; i++) {
      fromMs ??= this.world.nowMs
      const answer = await this.once(method, path, body, headers)
      if (
        answer &&
        answer.status !== 503 &&
        answer.status !== 429 &&
        !(answer.status === 409 && answer.body?.error?.code === 'idempotency_in_progress')
      )
        return { ...answer, fromMs, tries: i + 1 }
      await this.world.sleep(this.life, this.world.chance.between(500, 20_000))
    }
    return undefined
  }
}
