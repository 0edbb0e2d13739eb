/**
 * An SMTP server on loopback that records mails. It can refuse, defer, ask for a login, speak TLS
 * or, with its `silent` kinds, stop answering.
 */
import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface SinkMail {
  from: string
  to: string[]
  raw: Buffer
  /** Whether it came over TLS. */
  secure: boolean
  /** Who had logged in, if anyone. */
  user: string | undefined
}

export interface SmtpSinkOptions {
  /** Key and certificate (PEM): offers STARTTLS, or with `implicitTls` speaks TLS at once. */
  tls?: { key: string; cert: string }
  implicitTls?: boolean
  /** The one login that is accepted, which then is required. */
  login?: { user: string; password: string }
  /** Offers a login and refuses it with these words. */
  refuseLogin?: { code: number; message: string }
  refuseSender?: { code: number; message: string }
  refuseRecipient?: { code: number; message: string }
  refuseData?: { code: number; message: string }
  /** Falls silent: before the greeting, or with its answer to the mail's last line. */
  silent?: 'greeting' | 'data'
  /** Falls silent with its answer to the last line of a mail to this address. */
  isSilentFor?: (address: string) => boolean
  /** Called after each mail that was accepted. */
  onMessage?: () => void
}

export interface SmtpSink {
  port: number
  /** Mails accepted, oldest first. */
  messages: SinkMail[]
  /** Recipients named in `RCPT TO`, refused ones too. */
  recipients: string[]
  /** TCP connections ever opened. */
  connections(): number
  close(): Promise<void>
}

function refusal({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

type Seen = Pick<SmtpSink, 'messages' | 'recipients'>

function handlers(options: SmtpSinkOptions, { messages, recipients }: Seen): SMTPServerOptions {
  const answer = (reply: { code: number; message: string } | undefined, done: (error?: Error | null) => void) =>
    done(reply ? refusal(reply) : null)
  return {
    onAuth({ username, password }, _session, done) {
      if (options.refuseLogin) return done(refusal(options.refuseLogin))
      if (username === options.login?.user && password === options.login?.password) return done(null, { user: username })
      done(refusal({ code: 535, message: '5.7.8 Authentication credentials invalid' }))
    },
    onMailFrom: (_address, _session, done) => answer(options.refuseSender, done),
    onRcptTo({ address }, _session, done) {
      recipients.push(address)
      answer(options.refuseRecipient, done)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        if (options.silent === 'data' || to.some(address => options.isSilentFor?.(address))) return
        if (options.refuseData) return done(refusal(options.refuseData))
        const { mailFrom } = session.envelope
        messages.push({
          from: mailFrom ? mailFrom.address : '',
          to,
          raw: Buffer.concat(chunks),
          secure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        })
        done(null, `2.0.0 Ok: queued as SINK${messages.length}`)
        options.onMessage?.()
      })
    },
  }
}

export async function openSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const seen: Seen = { messages: [], recipients: [] }
  let connections = 0
  if (options.silent === 'greeting') return openSilent(seen)
  const offersLogin = options.login !== undefined || options.refuseLogin !== undefined
  const server = new SMTPServer({
    ...handlers(options, seen),
    secure: options.implicitTls === true,
    ...options.tls,
    disabledCommands: [...(options.tls ? [] : ['STARTTLS']), ...(offersLogin ? [] : ['AUTH'])],
    authOptional: options.login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 10,
    onConnect(_session, done) {
      connections++
      done()
    },
  })
  // A client that ends a handshake it does not trust is what some tests are about.
  server.on('error', () => {})
  const port = await new Promise<number>(resolve => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(address !== null && typeof address === 'object' ? address.port : 0)
    })
  })
  return {
    port,
    ...seen,
    connections: () => connections,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

async function openSilent(seen: Seen): Promise<SmtpSink> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    ...seen,
    connections: () => sockets.length,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
