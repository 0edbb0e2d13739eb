/** Saves form values: one request at a time, the last value wins, retries with pauses. */

export type Members = Record<string, string>

export interface ValidationError {
  /** The member or mark. */
  path: string
  message: string
}

/** `gone`: the server no longer accepts values of this page. */
export type SaveState = 'saving' | 'saved' | 'offline' | 'gone'

interface Options {
  /** Rejects without a connection. */
  send(members: Members): Promise<Response>
  /** Returns a function that cancels. */
  later(delayMs: number, run: () => void): () => void
  onState(state: SaveState): void
  onSaved(names: string[]): void
  onErrors(errors: ValidationError[]): void
}

export interface FormSaver {
  /** Saves soon, together with later values. */
  put(members: Members): void
  /** Saves now. Resolves with the state that is reached. */
  flush(): Promise<SaveState>
  /** Values that the server may not have. */
  unsaved(): Members
}

const PAUSE_MS = 600
const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 60_000

export function openFormSaver({ send, later, onState, onSaved, onErrors }: Options): FormSaver {
  let waiting: Members = {}
  let underway: Members | undefined
  let failures = 0
  let isGone = false
  let stop: (() => void) | undefined
  const reached: ((state: SaveState) => void)[] = []

  const tell = (state: SaveState) => {
    onState(state)
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
    const outcome = await sent(send, members)
    underway = undefined
    if (outcome === 'gone') isGone = true
    if (outcome === 'again') {
      waiting = { ...members, ...waiting }
      plan(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++))
      return tell('offline')
    }
    if (outcome === 'gone') return tell('gone')
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

/** Returns the refused members. `again`: retry later. `gone`: never. */
async function sent(send: Options['send'], members: Members): Promise<ValidationError[] | 'again' | 'gone'> {
  try {
    const response = await send(members)
    if (response.ok) return []
    if (response.status === 422) return ((await response.json()) as { errors: ValidationError[] }).errors
    return response.status === 429 || response.status >= 500 ? 'again' : 'gone'
  } catch (error) {
    // `fetch` throws a TypeError without a connection and an AbortError on a timeout; bad JSON is a
    // SyntaxError.
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException) return 'again'
    throw error
  }
}
