/** A TCP proxy before PostgreSQL that delays, falls silent, and cuts, also exactly at a COMMIT. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `before`: the server never sees the COMMIT. `after`: it commits, and its answer is dropped. */
export type CommitCut = 'before' | 'after'

interface Link {
  client: Socket
  server: Socket
  reader: MessageReader
  /** Set from a COMMIT that was forwarded to its answer. */
  isAwaitingCommit: boolean
  /** Runs before the next answer is forwarded. */
  atAnswer: (() => void) | undefined
}

/** Reads the messages of a client (PostgreSQL protocol 3.0). */
class MessageReader {
  #rest = Buffer.alloc(0)
  #isStarted = false

  /** The SQL of the Query and Parse messages that these bytes complete. */
  statements(bytes: Buffer): string[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const found: string[] = []
    for (;;) {
      // The first message has no type byte.
      const head = this.#isStarted ? 1 : 0
      if (this.#rest.length < head + 4) return found
      const size = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < size) return found
      const type = this.#isStarted ? this.#rest.toString('latin1', 0, 1) : 'startup'
      if (type === 'Q' || type === 'P') found.push(this.#rest.toString('utf8', head + 4, size))
      this.#isStarted = true
      this.#rest = this.#rest.subarray(size)
    }
  }
}

const COMMIT = /(^|[\0;]\s*)commit\b/i

export class PostgresProxy {
  readonly #server: Server
  readonly #links = new Set<Link>()
  #upstreamPort: number
  #delayMs = 0
  #isSilent = false
  #isRefusing = false
  #commitCut: CommitCut | undefined
  #onCut: (() => void) | undefined
  #awaited: { pattern: RegExp; act: () => void } | undefined
  /** Connections that clients opened. */
  opened = 0

  constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort
    this.#server = createServer(client => this.#join(client))
  }

  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Later connections go there; those of now are cut. */
  switchTo(port: number): void {
    this.#upstreamPort = port
    this.cut()
  }

  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Accepts and forwards nothing more in either direction, and closes nothing. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
    for (const { client, server } of this.#links) {
      for (const socket of [client, server]) isSilent ? socket.pause() : socket.resume()
    }
  }

  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.cut()
  }

  cut(): void {
    for (const link of this.#links) drop(link)
  }

  /** Cuts the connection of the next COMMIT. Resolves when that has happened. */
  cutAtCommit(cut: CommitCut): Promise<void> {
    this.#commitCut = cut
    return new Promise(resolve => {
      this.#onCut = resolve
    })
  }

  /** Runs `act` when the next statement like this was done, before its answer is forwarded. */
  atAnswerTo(pattern: RegExp, act: () => void): Promise<void> {
    return new Promise(resolve => {
      this.#awaited = { pattern, act: () => resolve(act()) }
    })
  }

  /** Forgets what was to be done at a statement. */
  disarm(): void {
    this.#commitCut = undefined
    this.#awaited = undefined
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    this.cut()
    await closed
  }

  #join(client: Socket): void {
    this.opened++
    client.on('error', () => {})
    if (this.#isRefusing) {
      client.destroy()
      return
    }
    const server = connect({ host: '127.0.0.1', port: this.#upstreamPort, noDelay: true })
    client.setNoDelay(true)
    const link: Link = { client, server, reader: new MessageReader(), isAwaitingCommit: false, atAnswer: undefined }
    this.#links.add(link)
    server.on('error', () => drop(link))
    for (const socket of [client, server]) {
      socket.on('close', () => {
        drop(link)
        this.#links.delete(link)
      })
      if (this.#isSilent) socket.pause()
    }
    client.on('data', bytes => this.#fromClient(link, bytes as Buffer))
    server.on('data', bytes => this.#fromServer(link, bytes as Buffer))
  }

  #fromClient(link: Link, bytes: Buffer): void {
    const statements = link.reader.statements(bytes)
    const awaited = this.#awaited
    if (awaited !== undefined && statements.some(text => awaited.pattern.test(text))) {
      this.#awaited = undefined
      link.atAnswer = awaited.act
    }
    if (this.#commitCut !== undefined && statements.some(text => COMMIT.test(text))) {
      const cut = this.#commitCut
      this.#commitCut = undefined
      if (cut === 'before') {
        this.#finishCut(link)
        return
      }
      link.isAwaitingCommit = true
    }
    this.#forward(link.server, bytes)
  }

  #fromServer(link: Link, bytes: Buffer): void {
    // CommandComplete: the transaction is durable, and the client will not learn it.
    if (link.isAwaitingCommit && bytes.includes('COMMIT\0')) {
      this.#finishCut(link)
      return
    }
    link.atAnswer?.()
    link.atAnswer = undefined
    this.#forward(link.client, bytes)
  }

  #finishCut(link: Link): void {
    drop(link)
    this.#onCut?.()
    this.#onCut = undefined
  }

  #forward(to: Socket, bytes: Buffer): void {
    if (this.#delayMs === 0) to.write(bytes)
    else setTimeout(() => void to.write(bytes), this.#delayMs)
  }
}

function drop({ client, server }: Link): void {
  client.destroy()
  server.destroy()
}
