/**
 * Keeps what is entered on the server: one request at a time, in order, the last value of each
 * member wins; what could not be sent is tried again with growing pauses. Knows no form and no
 * page.
 */

export type Members = Record<string, string>

export interface ValidationError {
  /** The member, or the mark, it is about. */
  path: string
  message: string
}

/** `gone`: the server takes nothing more of this page. */
export type SaveState = 'saving' | 'saved' | 'offline' | 'gone'

interface Options {
  /** Sends the members. Rejects where there is no connection. */
  send(members: Members): Promise<Response>
  /** Calls back once after so many ms; answers what stops it. */
  later(delayMs: number, run: () => void): () => void
  onState(state: SaveState): void
  onSaved(names: string[]): void
  onErrors(errors: ValidationError[]): void
}

export interface FormSaver {
  /** To be saved soon, with what comes meanwhile. */
  put(members: Members): void
  /** Now. Answers the state reached when all is sent, or cannot be. */
  flush(): Promise<SaveState>
  /** What the server does not have for certain. */
  unsaved(): Members
}

const PAUSE_MS = 600
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000

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
      plan(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++))
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
      // While the connection is lost, the pause before the next try counts.
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

/** What was refused; nothing where all is kept. `again`: not now. `gone`: never. */
async function sent(send: Options['send'], members: Members): Promise<ValidationError[] | 'again' | 'gone'> {
  try {
    const response = await send(members)
    if (response.ok) return []
    if (response.status === 422) return ((await response.json()) as { errors: ValidationError[] }).errors
    return response.status === 429 || response.status >= 500 ? 'again' : 'gone'
  } catch (error) {
    // `fetch` tells a lost connection by a TypeError, a request broken off by an AbortError; a
    // broken answer is a SyntaxError.
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof DOMException) return 'again'
    throw error
  }
}
