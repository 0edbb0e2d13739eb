/** Speaks as much of PostgreSQL's protocol as a connection needs, and fails when it is asked to. */
import { createServer, type Server, type Socket } from 'node:net'

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(body)
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}

const READY = message('Z', 'I')
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY])
/** Ssl requests have this number in place of a version. */
const SSL_REQUEST = 80_877_103

/** A row with one text, under the name `n`. */
function answer(value: string): Buffer {
  const description = Buffer.concat([Buffer.from([0, 1]), Buffer.from('n\0'), Buffer.alloc(6), Buffer.alloc(12)])
  const length = Buffer.alloc(4)
  length.writeInt32BE(value.length)
  const row = Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(value)])
  return Buffer.concat([message('T', description), message('D', row), message('C', 'SELECT 1\0'), READY])
}

function failure(code: string): Buffer {
  return message('E', `SFATAL\0VFATAL\0C${code}\0Mended\0\0`)
}

const notice = (code: string) => message('N', `SWARNUNG\0VWARNING\0C${code}\0Mnoticed\0\0`)

export class PgServer {
  /** What happens to the next statements; afterwards they are answered. */
  readonly next: ('end' | 'silence' | { code: string } | { notice: string })[] = []
  /** Settings that clients sent when they connected. */
  readonly started: string[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  connections = 0
  /** Replays the log of another server. */
  isStandby = false

  private constructor() {
    this.#server = createServer(socket => this.#serve(socket))
  }

  static async open(): Promise<PgServer> {
    const server = new PgServer()
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** As a server that is stopped at once: no message, only the end of every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    let isStarted = false
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (data: Buffer) => {
      if (!isStarted && data.readInt32BE(4) === SSL_REQUEST) return void socket.write('N')
      if (isStarted) return this.#answer(socket, data)
      isStarted = true
      this.connections++
      this.started.push(data.toString('latin1', 8))
      socket.write(Buffer.concat([message('S', `in_hot_standby\0${this.isStandby ? 'on' : 'off'}\0`), WELCOME]))
    })
  }

  #answer(socket: Socket, data: Buffer): void {
    // A simple query; X ends the connection.
    if (data.toString('latin1', 0, 1) !== 'Q') return
    const what = this.next.shift()
    if (what === 'end') socket.destroy()
    else if (what === undefined) socket.write(answer(String(this.connections)))
    else if (what === 'silence') return
    else if ('code' in what) socket.end(failure(what.code))
    else socket.write(Buffer.concat([notice(what.notice), answer(String(this.connections))]))
  }
}
