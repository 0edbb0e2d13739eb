/**
 * Open server-sent event streams (WHATWG HTML §9.2), bounded in number and memory. Knows neither
 * documents nor sessions.
 */
import type { Cancel, Timers } from './machine.ts'

/** What a stream sends. */
export interface EventSource {
  /** The blocks since the last call, each with its blank line; `undefined` ends the stream. */
  take(): Promise<string[] | undefined>
  /** Called once, when the stream has ended. */
  ended(): void
}

export interface EventStreamOptions {
  maxStreams: number
  /** Of one owner. The oldest stream is closed for a new one. */
  maxPerOwner: number
  heartbeatMs: number
  /** Changes within this time are sent together. */
  delayMs: number
}

const DEFAULTS: EventStreamOptions = { maxStreams: 1000, maxPerOwner: 6, heartbeatMs: 20_000, delayMs: 100 }
/** Unsent bytes of a stream. Further events wait in its source. */
const MAX_UNSENT_BYTES = 16_384
/** After a lost connection, browsers wait this long. */
const RETRY_MS = 3000
const HEARTBEAT = ':\n\n'
/** Tells the script that it was closed for a newer stream: reconnecting would close another one. */
const REPLACED = 'event: replaced\ndata:\n\n'

export class EventStreams {
  readonly #timers: Timers
  readonly #options: EventStreamOptions
  /** In the order in which they were opened. */
  readonly #streams = new Set<EventStream>()
  #stopHeartbeat: Cancel | undefined
  #isClosed = false

  constructor(timers: Timers, options: Partial<EventStreamOptions> = {}) {
    this.#timers = timers
    this.#options = { ...DEFAULTS, ...options }
  }

  get size(): number {
    return this.#streams.size
  }

  /** `undefined` when there are too many. `source` gets the function to call when it has events. */
  open(owner: string, source: (wake: () => void) => EventSource): ReadableStream<Uint8Array> | undefined {
    const own = [...this.#streams].filter(stream => stream.owner === owner)
    if (own.length >= this.#options.maxPerOwner) own[0]?.end(REPLACED)
    if (this.#isClosed || this.#streams.size >= this.#options.maxStreams) return undefined
    const stream = new EventStream(owner, source, this.#delayed, () => this.#remove(stream))
    this.#streams.add(stream)
    this.#stopHeartbeat ??= this.#timers.every(this.#options.heartbeatMs, () => void this.beat())
    return stream.body
  }

  readonly #delayed = (run: () => void): Cancel => this.#timers.after(this.#options.delayMs, run)

  /** Sends a heartbeat to every stream, and drops those whose client has stopped reading. */
  async beat(): Promise<void> {
    await Promise.all([...this.#streams].map(stream => stream.beat()))
  }

  /** Ends every stream and refuses new ones. */
  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#streams]) stream.end()
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#stopHeartbeat?.()
    this.#stopHeartbeat = undefined
  }
}

class EventStream {
  readonly owner: string
  readonly body: ReadableStream<Uint8Array>
  readonly #source: EventSource
  readonly #delayed: (run: () => void) => Cancel
  readonly #onEnd: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #cancel: Cancel | undefined
  #sending: Promise<void> | undefined
  /** Events wait in the source until the client reads. */
  #isBlocked = false
  #isStalled = false
  #isEnded = false

  constructor(owner: string, source: (wake: () => void) => EventSource, delayed: (run: () => void) => Cancel, onEnd: () => void) {
    this.owner = owner
    this.#delayed = delayed
    this.#onEnd = onEnd
    this.#source = source(() => this.#wake())
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#controller = controller
      this.#write(`retry: ${RETRY_MS}\n\n`)
      void this.#send()
    }
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNSENT_BYTES })
    this.body = new ReadableStream({ start, pull: () => this.#continue(), cancel: () => this.#finish() }, strategy)
  }

  /** Dropped when it could not take anything since the heartbeat before. */
  async beat(): Promise<void> {
    if (this.#isFull()) {
      if (this.#isStalled) this.#drop()
      this.#isStalled = true
      return
    }
    this.#isStalled = false
    // Also checks whether the stream may continue.
    await this.#send()
    if (!this.#isEnded) this.#write(HEARTBEAT)
  }

  end(last = ''): void {
    if (this.#isEnded) return
    if (this.#isFull()) this.#drop()
    else {
      if (last !== '') this.#write(last)
      this.#finish()
      this.#controller?.close()
    }
  }

  #drop(): void {
    this.#finish()
    this.#controller?.error(new Error('the client stopped reading'))
  }

  #wake(): void {
    if (!this.#isEnded) this.#cancel ??= this.#delayed(() => void this.#send())
  }

  #continue(): void {
    if (this.#isBlocked) this.#wake()
  }

  /** One at a time: a source may have to ask the database. */
  async #send(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    await this.#sending
    this.#isBlocked = this.#isFull()
    if (this.#isEnded || this.#isBlocked) return
    this.#sending = this.#sendTaken()
    await this.#sending
  }

  async #sendTaken(): Promise<void> {
    const blocks = await this.#source.take().catch(() => undefined)
    if (this.#isEnded) return
    if (blocks === undefined) return this.end()
    if (blocks.length > 0) this.#write(blocks.join(''))
  }

  #write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text))
  }

  #isFull(): boolean {
    return (this.#controller?.desiredSize ?? 0) <= 0
  }

  #finish(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#cancel?.()
    this.#source.ended()
    this.#onEnd()
  }
}
