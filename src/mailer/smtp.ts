/**
 * Sends a mail to one SMTP server, over a connection of its own, and returns the server's reply. No
 * queue, no retries. RFC 5321, RFC 3207 (STARTTLS), RFC 8314 (TLS), RFC 4954 (login).
 */
import type { NodemailerError } from 'nodemailer/lib/errors'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { formatSeconds } from '../lib/clock-format.ts'
import type { Timers } from '../lib/machine.ts'
import { reasons } from '../locales/en/reasons.ts'
import { type ComposedMail, compose, type Mailer, type MailProblem, type MailVerdict } from './message.ts'

/** With `starttls` and `tls`, a server without encryption gets neither mail nor password. */
export type Security = 'starttls' | 'tls' | 'none'

export interface SmtpServer {
  host: string
  port: number
  security: Security
  user?: string
  password?: string
}

/** Reaching any of them is a temporary refusal. */
export interface SmtpTimeouts {
  /** Name resolution, connection, greeting and STARTTLS together. */
  connectMs: number
  greetingMs: number
  /** Between two replies. RFC 5321 §4.5.3.2: minutes, because filters read the mail first. */
  socketMs: number
  totalMs: number
}

export type SmtpOptions = ({ url: string } | SmtpServer) & {
  timeouts?: Partial<SmtpTimeouts>
  /** Certificates (PEM) trusted in place of the built-in ones. */
  ca?: string
  /** Host name for EHLO; the system's host name by default. */
  clientName?: string
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 30_000, greetingMs: 30_000, socketMs: 120_000, totalMs: 300_000 }
const DEFAULT_PORT: Record<Security, number> = { starttls: 587, tls: 465, none: 25 }
const MAX_REPLY_LENGTH = 1000

/**
 * Parses `smtp://user:password@host:587` (STARTTLS), `smtps://…` (TLS) or
 * `smtp://host:25?security=none`. User name and password are percent-decoded. Throws an `Error`
 * whose message contains neither of them.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const escapes =
    'write special characters in the user name or password as %XX: @ is %40, : is %3A, / is %2F, # is %23, ? is %3F, % is %25'
  const scheme = /^(smtps?):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (!scheme) throw new Error('The mail server address must begin with smtp:// (STARTTLS) or smtps:// (TLS from the start).')
  if (/\s/.test(text))
    throw new Error(`The mail server address must not contain spaces or line breaks; ${escapes}, a space is %20.`)
  if (!URL.canParse(text)) throw new Error(`The mail server address cannot be read; ${escapes}.`)
  const url = new URL(text)
  // An unescaped / ? or # in a password ends the host: the rest looks like path, query or fragment.
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '' || url.search.includes('@')) {
    throw new Error(`The mail server address must end after the port; ${escapes}.`)
  }
  const host = hostOf(url.hostname)
  if (host === undefined) throw new Error('The mail server address must name a host, such as smtp://mail.example.com:587.')
  const port = url.port === '' ? undefined : Number(url.port)
  if (port === 0) throw new Error('The mail server address must not name port 0.')
  const security = securityOf(scheme, url.searchParams)
  const server: SmtpServer = { host, port: port ?? DEFAULT_PORT[security], security }
  if (url.username === '' && url.password === '') return server
  const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)]
  if (user === undefined || password === undefined) {
    throw new Error(`The mail server address holds a % that is no escape; ${escapes}.`)
  }
  if (user === '') throw new Error('The mail server address has a password but no user name.')
  return { ...server, user, password }
}

/** The address that `parseSmtpUrl` reads as this server. */
export function smtpUrlOf({ host, port, security, user, password }: SmtpServer): string {
  const login = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return security === 'tls' ? `smtps://${login}${place}` : `smtp://${login}${place}?security=${security}`
}

function hostOf(hostname: string): string | undefined {
  if (hostname === '' || !URL.canParse(`http://${hostname}/`)) return undefined
  return new URL(`http://${hostname}/`).hostname.replace(/^\[(.*)\]$/, '$1')
}

function securityOf(scheme: string, query: URLSearchParams): Security {
  const unknown = [...query.keys()].some(name => name !== 'security')
  const named = query.get('security')
  if (unknown || query.getAll('security').length > 1 || (named !== null && !['starttls', 'tls', 'none'].includes(named))) {
    throw new Error('The mail server address may only add ?security=starttls, ?security=tls or ?security=none.')
  }
  if (scheme === 'smtp') return (named as Security | null) ?? 'starttls'
  if (named !== null && named !== 'tls')
    throw new Error(`smtps:// means TLS from the start; write smtp:// for security=${named}.`)
  return 'tls'
}

/** RFC 3986 §2.1; undefined for a `%` that begins no escape. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

export function smtpMailer(options: SmtpOptions, timers: Timers): Mailer {
  const server: SmtpServer = 'url' in options ? parseSmtpUrl(options.url) : options
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const running = new Set<(verdict: MailVerdict) => void>()
  const stopped = () => temporaryRefusal({ problem: 'other', reply: reasons.mail_stopped({ server: placeOf(server) }) })
  let isClosed = false
  return {
    async send(message) {
      const mail = await compose(message)
      const { default: Connection } = await import('nodemailer/lib/smtp-connection')
      if (isClosed) return stopped()
      const connection = new Connection(connectionOptions(server, timeouts, options))
      const { promise, resolve } = Promise.withResolvers<MailVerdict>()
      running.add(resolve)
      const cancel = timers.after(timeouts.totalMs, () => resolve(tooLate(server, timeouts)))
      converse(connection, server, timeouts, mail, resolve)
      const verdict = await promise
      cancel()
      running.delete(resolve)
      if (verdict.outcome === 'accepted') connection.quit()
      else connection.close()
      return verdict
    },
    close() {
      isClosed = true
      for (const end of running) end(stopped())
    },
  }
}

type ConnectionOptions = NonNullable<ConstructorParameters<typeof SMTPConnection>[0]>

function connectionOptions(
  { host, port, security }: SmtpServer,
  timeouts: SmtpTimeouts,
  { ca, clientName }: SmtpOptions,
): ConnectionOptions {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    ...(clientName === undefined ? {} : { name: clientName }),
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.socketMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: 65_536,
  }
}

type SmtpError = Error & Pick<NodemailerError, 'code' | 'originalCode' | 'command' | 'response' | 'responseCode' | 'timeoutType'>

/** `setup` ends with greeting, EHLO and STARTTLS. */
type Phase = 'setup' | 'session'

/** Connects, logs in and sends. The first call of `settle` decides; later ones have no effect. */
function converse(
  connection: SMTPConnection,
  server: SmtpServer,
  timeouts: SmtpTimeouts,
  { raw, envelope }: ComposedMail,
  settle: (verdict: MailVerdict) => void,
): void {
  let phase: Phase = 'setup'
  const failed = (error: SmtpError) => settle(verdictOf(error, phase, server, timeouts))
  const transmit = () => {
    const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
    connection.send({ from: envelope.from, to: [envelope.to] }, bytes, (error, info) => {
      if (error) return failed(error)
      const reply = cleaned(info.response, server)
      const queueId = queueIdOf(reply)
      settle({ outcome: 'accepted', reply, ...(queueId === undefined ? {} : { queueId }) })
    })
  }
  connection.on('error', failed)
  connection.connect(error => {
    if (error) return failed(error)
    phase = 'session'
    if (server.user === undefined) return transmit()
    // Otherwise the mail would be sent without login, and be refused for a misleading reason.
    if (!connection.allowsAuth)
      return settle(temporaryRefusal({ problem: 'no_login', reply: reasons.mail_without_login({ server: placeOf(server) }) }))
    connection.login({ user: server.user, pass: server.password ?? '' }, error => (error ? failed(error) : transmit()))
  })
}

interface Cause {
  problem: MailProblem
  /** A sentence that begins with the server. */
  reply: string
}

type Refused = MailVerdict & { outcome: 'refused' }

const placeOf = ({ host, port }: SmtpServer) => `${host}:${port}`

/** `said` is the server's reply. */
function temporaryRefusal(cause: Cause, said?: string): Refused {
  return { outcome: 'refused', permanent: false, ...cause, ...(said === undefined ? {} : { said }) }
}

function tooLate(server: SmtpServer, { totalMs }: SmtpTimeouts): MailVerdict {
  const reply = reasons.mail_slow({ server: placeOf(server), time: formatSeconds(totalMs) })
  return { ...temporaryRefusal({ problem: 'silent', reply }), timedOut: true }
}

interface Step {
  problem: MailProblem
  refused: (params: { server: string; said: string }) => string
}

const STEPS: Record<string, Step> = {
  'MAIL FROM': { problem: 'sender_refused', refused: reasons.mail_refuses_sender },
  'RCPT TO': { problem: 'recipient_refused', refused: reasons.mail_refuses_recipient },
  DATA: { problem: 'mail_refused', refused: reasons.mail_refuses_mail },
}
const CONNECTION: Step = { problem: 'other', refused: reasons.mail_refuses_connection }

/** Login demanded, or wrong order of commands (RFC 4954 §6, RFC 5321 §4.2.2). */
const CONFIGURATION_CODES = new Set([503, 530, 535, 538])

function verdictOf(error: SmtpError, phase: Phase, server: SmtpServer, timeouts: SmtpTimeouts): MailVerdict {
  const { response, responseCode, command = '' } = error
  const place = placeOf(server)
  const said = response ? cleaned(response, server) : undefined
  if (error.code === 'EAUTH') {
    const words = said ?? cleaned(error.message, server)
    const reply = reasons.mail_refuses_login({ server: place, said: words })
    return temporaryRefusal({ problem: 'login_refused', reply }, words)
  }
  if (said !== undefined && error.code !== 'ETLS') {
    const code = responseCode ?? 0
    const isPermanent =
      (command === 'RCPT TO' || command === 'DATA') && code >= 500 && code < 600 && !CONFIGURATION_CODES.has(code)
    const { problem, refused } = STEPS[command] ?? CONNECTION
    return { outcome: 'refused', permanent: isPermanent, reply: refused({ server: place, said }), problem, said }
  }
  if (said !== undefined) {
    const reply = reasons.mail_without_starttls({ server: place, hint: SECURITY_HINTS.starttls, said })
    return temporaryRefusal({ problem: 'no_starttls', reply }, said)
  }
  if (error.code === 'ETIMEDOUT') {
    const verdict = temporaryRefusal(timedOut(error, phase, server, timeouts))
    return phase === 'session' ? { ...verdict, timedOut: true } : verdict
  }
  return temporaryRefusal(causeOf(error, server))
}

function causeOf(error: SmtpError, server: SmtpServer): Cause {
  const [place, text] = [placeOf(server), cleaned(error.message, server)]
  if (/wrong.version.number/i.test(text)) {
    return { problem: 'not_tls', reply: reasons.mail_not_tls({ server: place, hint: SECURITY_HINTS.tls }) }
  }
  if (error.code === 'ETLS' || /certificate|\bSSL\b|\bTLS\b/i.test(text)) {
    return { problem: 'certificate', reply: reasons.mail_tls_failed({ server: place, words: text, name: server.host }) }
  }
  if (error.code === 'EDNS') {
    const params = { server: place, name: server.host, errno: error.originalCode ?? text }
    return { problem: 'name_not_found', reply: reasons.mail_not_found(params) }
  }
  if (/ECONNREFUSED/.test(`${error.originalCode} ${text}`)) {
    return { problem: 'connection_refused', reply: reasons.mail_connection_refused({ server: place, errno: 'ECONNREFUSED' }) }
  }
  if (error.code === 'ECONNECTION') {
    return { problem: 'closed', reply: reasons.mail_closed({ server: place, hint: SECURITY_HINTS[server.security] }) }
  }
  const words = text || error.originalCode || error.code || error.name
  return { problem: 'other', reply: reasons.mail_unusable({ server: place, words }) }
}

/** What to change when the security does not match the port. */
const SECURITY_HINTS: Record<Security, string> = {
  tls: 'change the security to STARTTLS (smtp://, usually port 587), or the port to 465',
  starttls:
    'change the security to TLS (smtps://) if the port is 465, or to none (?security=none) for a relay without encryption',
  none: 'change the security to TLS (smtps://) if the port is 465',
}

function timedOut({ timeoutType }: SmtpError, phase: Phase, server: SmtpServer, timeouts: SmtpTimeouts): Cause {
  const place = placeOf(server)
  const after = (ms: number) => ({ server: place, time: formatSeconds(ms) })
  if (phase === 'session') return { problem: 'silent', reply: reasons.mail_silent(after(timeouts.socketMs)) }
  if (timeoutType === 'CONNECT_TIMEOUT')
    return { problem: 'unreachable', reply: reasons.mail_unreachable(after(timeouts.connectMs)) }
  const waitedMs = Math.min(timeouts.greetingMs, timeouts.connectMs, timeouts.socketMs)
  return {
    problem: 'no_greeting',
    reply: reasons.mail_without_greeting({ ...after(waitedMs), hint: SECURITY_HINTS[server.security] }),
  }
}

/** The text without control characters, with the password masked: a server may repeat it. */
function cleaned(text: string, { user, password }: SmtpServer): string {
  const base64 = (secret: string) => Buffer.from(secret).toString('base64')
  const secrets = password
    ? [password, base64(password), base64(`\0${user ?? ''}\0${password}`), encodeURIComponent(password)]
    : []
  const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  return masked
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY_LENGTH)
}

const QUEUE_IDS = [
  /\bqueued as ([\w.-]+)/i, // Postfix, Amavis
  /\bid=([\w.-]+)/i, // Exim
  /\bqueued \(([\w.-]+)\)/i, // Haraka
  /<([^<>\s]+)> \[InternalId=/i, // Exchange
  /^250 2\.\d\.\d ([\w-]{6,}) Message accepted/i, // Sendmail, OpenSMTPD
  /^250 2\.\d\.\d OK +(?:\d+ )?([\w.-]+) - gsmtp/i, // Gmail
]

/** The id of the mail in the server's log, if its last reply contains one. */
export function queueIdOf(reply: string): string | undefined {
  return QUEUE_IDS.map(pattern => pattern.exec(reply)?.[1]).find(id => id !== undefined)
}
