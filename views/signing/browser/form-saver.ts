/**
 * Saves form values: one request at a time, the last value wins, retries with pauses. What is sent
 * by other files is repeated by the same rule.
 */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { format } from './data.ts'

export type Members = Record<string, string>

export interface ValidationError {
  /** The member or mark. */
  path: string
  message: string
}

/**
 * `offline`, `busy` and `failed`: not saved, and tried again. `gone`: the server no longer accepts
 * values of this page.
 */
export type SaveState = 'saving' | 'saved' | 'offline' | 'gone' | Trouble['kind']

interface Options {
  /** Rejects without a connection. */
  send(members: Members): Promise<Response>
  /** Returns a function that cancels. */
  later(delayMs: number, run: () => void): () => void
  /** `waitS`: until it is tried again. */
  onState(state: SaveState, waitS?: number): void
  onSaved(names: string[]): void
  onErrors(errors: ValidationError[]): void
}

export interface FormSaver {
  /** Saves soon, together with later values. */
  put(members: Members): void
  /** Saves it with the next values, or when the page is left. */
  keep(members: Members): void
  /** Saves now. Resolves with the state that is reached. */
  flush(): Promise<SaveState>
  /** Values that the server may not have. */
  unsaved(): Members
}

const PAUSE_MS = 600

export function openFormSaver({ send, later, onState, onSaved, onErrors }: Options): FormSaver {
  let waiting: Members = {}
  let underway: Members | undefined
  let failures = 0
  let isGone = false
  let stop: (() => void) | undefined
  const reached: ((state: SaveState) => void)[] = []

  const tell = (state: SaveState, waitS?: number) => {
    onState(state, waitS)
    if (state !== 'saving') for (const settle of reached.splice(0)) settle(state)
  }
  const plan = (delayMs: number) => {
    stop?.()
    stop = later(delayMs, () => void run())
  }

  async function run(): Promise<void> {
    if (underway !== undefined || isGone || Object.keys(waiting).length === 0) return
    stop?.()
    stop = undefined
    const members = waiting
    underway = members
    waiting = {}
    tell('saving')
    const outcome = await sent(send, members, failures)
    underway = undefined
    if (outcome === 'gone') {
      isGone = true
      return tell('gone')
    }
    if ('waitS' in outcome) {
      waiting = { ...members, ...waiting }
      failures++
      plan(outcome.waitS * 1000)
      return tell(outcome.kind, outcome.waitS)
    }
    failures = 0
    const refused = new Set(outcome.map(({ path }) => path))
    onSaved(Object.keys(members).filter(name => !refused.has(name)))
    if (outcome.length > 0) onErrors(outcome)
    if (Object.keys(waiting).length > 0) return run()
    tell('saved')
  }

  return {
    put(members) {
      if (isGone) return
      waiting = { ...waiting, ...members }
      // During an outage the retry decides.
      if (failures === 0) plan(PAUSE_MS)
    },
    keep(members) {
      if (!isGone) waiting = { ...waiting, ...members }
    },
    flush() {
      if (isGone) return Promise.resolve('gone')
      if (underway === undefined && Object.keys(waiting).length === 0) return Promise.resolve('saved')
      const settled = new Promise<SaveState>(resolve => reached.push(resolve))
      void run()
      return settled
    },
    unsaved: () => ({ ...underway, ...waiting }),
  }
}

type Later = Omit<Trouble, 'kind'> & { kind: Trouble['kind'] | 'offline' }

/** Returns the refused members, or when to try again. `gone`: never. */
async function sent(send: Options['send'], members: Members, failures: number): Promise<ValidationError[] | Later | 'gone'> {
  try {
    const response = await send(members)
    if (response.ok) return []
    if (response.status === 422) return ((await response.json()) as { errors: ValidationError[] }).errors
    return troubleOf(response.status, response.headers.get('retry-after'), failures) ?? 'gone'
  } catch (error) {
    // `fetch` throws a TypeError without a connection and an AbortError on a timeout; bad JSON is a
    // SyntaxError.
    const isLost = error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException
    if (!isLost) throw error
    return { kind: 'offline', waitS: waitAfter(failures) }
  }
}

// Why the service did not take what was sent, and when it is sent again.

export interface Trouble {
  /** `busy`: too many requests. `failed`: an error of the service. */
  kind: 'busy' | 'failed'
  waitS: number
}

/** Of a file. What is typed is sent again for as long as the page is open. */
export const MAX_TRIES = 4
const FIRST_WAIT_S = 2
const MAX_WAIT_S = 60

/** Seconds, growing with the number of failures. */
const waitAfter = (failures: number) => Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** failures)

/** Undefined for an answer that would be the same again. `tries`: those that failed before. */
export function troubleOf(status: number, retryAfter: string | null, tries: number): Trouble | undefined {
  if (status !== 429 && status < 500) return undefined
  return { kind: status === 429 ? 'busy' : 'failed', waitS: Math.max(Number(retryAfter) || 0, waitAfter(tries)) }
}

export function troubleText(
  { trouble }: ScriptTexts,
  { kind, waitS }: Trouble,
  sent: keyof ScriptTexts['trouble'][Trouble['kind']],
  lang: string,
): string {
  const seconds = new Intl.NumberFormat(lang, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  return format(trouble[kind][sent], { time: seconds.format(waitS) })
}
