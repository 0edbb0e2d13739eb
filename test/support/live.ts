/** Reads a stream of server-sent events block by block. */

export interface LiveEvent {
  event: string
  id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any
}

export class LiveReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''

  constructor(response: Response) {
    if (!response.body) throw new Error('no stream')
    this.#reader = response.body.getReader()
  }

  /** The next block, or `undefined` at the end of the stream. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += new TextDecoder().decode(value)
    }
  }

  /** The next event; heartbeats and `retry` are skipped. */
  async next(): Promise<LiveEvent | undefined> {
    for (;;) {
      const block = await this.block()
      if (block === undefined) return undefined
      const members = new Map(
        block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const event = members.get('event')
      if (event !== undefined) return { event, id: members.get('id'), data: JSON.parse(members.get('data') || 'null') }
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}
