/** A TCP proxy before PostgreSQL that delays, falls silent, and cuts, also exactly at a COMMIT. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** `before`: the server never sees the COMMIT. `after`: it commits, and its answer is dropped. */
export type CommitCut = 'before' | 'after'

interface Link {
  client: Socket
  server: Socket
  reader: MessageReader
  answers: MessageReader
  /** Set from a COMMIT that was forwarded to its answer: cuts. */
  atCommitted: (() => void) | undefined
  /** What each awaited ReadyForQuery is the answer to. */
  awaited: ('lock' | 'commit' | 'other')[]
  heldSinceMs: number | undefined
  /** Statements since the last COMMIT or ROLLBACK. */
  transaction: string[]
  /** Runs before the next answer is forwarded. */
  atAnswer: (() => void) | undefined
}

interface Message {
  type: string
  body: Buffer
}

/** Reads the messages of one direction of a connection (PostgreSQL protocol 3.0). */
class MessageReader {
  #rest: Buffer = Buffer.alloc(0)
  /** The first message of a client has no type byte. */
  #untyped: number

  constructor(untyped: 0 | 1) {
    this.#untyped = untyped
  }

  /** The messages that these bytes complete. */
  read(bytes: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const found: Message[] = []
    for (;;) {
      const head = this.#untyped > 0 ? 0 : 1
      if (this.#rest.length < head + 4) return found
      const size = head + this.#rest.readInt32BE(head)
      if (this.#rest.length < size) return found
      found.push({ type: this.#rest.toString('latin1', 0, head), body: this.#rest.subarray(head + 4, size) })
      this.#untyped = 0
      this.#rest = this.#rest.subarray(size)
    }
  }
}

function kindOf(type: string, body: Buffer): 'lock' | 'commit' | 'other' {
  const text = type === 'Q' ? body.toString('utf8') : ''
  if (/for update/i.test(text)) return 'lock'
  return COMMIT.test(text) ? 'commit' : 'other'
}

/** The SQL of Query and Parse. */
const statementsIn = (messages: Message[]): string[] =>
  messages.filter(({ type }) => type === 'Q' || type === 'P').map(({ body }) => body.toString('utf8'))

const ROLLBACK = /(^|[\0;]\s*)rollback\b/i
const COMMIT = /(^|[\0;]\s*)commit\b/i

export class PostgresProxy {
  readonly #server: Server
  readonly #links = new Set<Link>()
  #upstreamPort: number
  #delayMs = 0
  #isSilent = false
  #isRefusing = false
  #commitCut: { cut: CommitCut; of: RegExp; done: () => void } | undefined
  #awaited: { pattern: RegExp; act: () => void } | undefined
  /** Connections that clients opened. */
  opened = 0
  /** Statements that clients sent, and how often they began to wait for an answer. */
  statements = 0
  roundTrips = 0
  /** Transactions that held the writer row, and for how long, from its answer to that of COMMIT. */
  commits = 0
  heldMs = 0
  onStatement: ((text: string) => void) | undefined

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

  /** Cuts at the next COMMIT of a transaction with a statement like this. Resolves then. */
  cutAtCommit(cut: CommitCut, of = /./): Promise<void> {
    return new Promise(resolve => {
      this.#commitCut = { cut, of, done: resolve }
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
    const link: Link = {
      client,
      server,
      reader: new MessageReader(1),
      answers: new MessageReader(0),
      atCommitted: undefined,
      transaction: [],
      awaited: [],
      heldSinceMs: undefined,
      atAnswer: undefined,
    }
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
    const messages = link.reader.read(bytes)
    const statements = statementsIn(messages)
    // What is sent while an answer is awaited is pipelined: it waits for nothing of its own.
    if (link.awaited.length === 0 && statements.length > 0) this.roundTrips++
    for (const { type, body } of messages) if (type === 'Q' || type === 'S') link.awaited.push(kindOf(type, body))
    this.statements += statements.length
    for (const text of statements) this.onStatement?.(text)
    const awaited = this.#awaited
    if (awaited !== undefined && statements.some(text => awaited.pattern.test(text))) {
      this.#awaited = undefined
      link.atAnswer = awaited.act
    }
    const isCommit = statements.some(text => COMMIT.test(text))
    const armed = this.#commitCut
    if (isCommit && armed !== undefined && link.transaction.some(text => armed.of.test(text))) {
      this.#commitCut = undefined
      link.atCommitted = () => {
        drop(link)
        armed.done()
      }
      if (armed.cut === 'before') {
        link.atCommitted()
        return
      }
    }
    if (isCommit || statements.some(text => ROLLBACK.test(text))) link.transaction = []
    else link.transaction.push(...statements)
    this.#forward(link.server, bytes)
  }

  #fromServer(link: Link, bytes: Buffer): void {
    for (const { type } of link.answers.read(bytes)) if (type === 'Z') this.#noteAnswer(link)
    // CommandComplete: the transaction is durable, and the client will not learn it.
    if (link.atCommitted !== undefined && bytes.includes('COMMIT\0')) {
      link.atCommitted()
      return
    }
    link.atAnswer?.()
    link.atAnswer = undefined
    this.#forward(link.client, bytes)
  }

  #noteAnswer(link: Link): void {
    const kind = link.awaited.shift()
    // The first one ends the log-in.
    if (kind === undefined) return
    if (kind === 'lock') link.heldSinceMs = performance.now()
    if (kind !== 'commit' || link.heldSinceMs === undefined) return
    this.commits++
    this.heldMs += performance.now() - link.heldSinceMs
    link.heldSinceMs = undefined
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
