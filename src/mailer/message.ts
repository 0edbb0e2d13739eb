/** The mail as a value and its bytes by RFC 5322, and the interface of all mailers. */
import { domainToASCII } from 'node:url'

export interface Mailbox {
  /** Display name; may be empty. */
  name: string
  address: string
}

/** `contentId`: the HTML shows it as `cid:` and this, without angle brackets. RFC 2392. */
export interface Attachment {
  fileName: string
  contentType: string
  contentId?: string
  content: Uint8Array
}

export interface MailMessage {
  /** `<local@domain>`, the same for each attempt. RFC 5322 §3.6.4. */
  messageId: string
  from: Mailbox
  to: Mailbox
  replyTo?: Mailbox
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
  date: Date
  /** Additional headers; none that this file sets. */
  headers?: Record<string, string>
}

/** Why a mail was not accepted, for pages that say what to try. */
export type MailProblem =
  | 'name_not_found'
  | 'unreachable'
  | 'connection_refused'
  | 'no_greeting'
  | 'closed'
  | 'no_starttls'
  | 'not_tls'
  | 'certificate'
  | 'roots'
  | 'no_login'
  | 'login_refused'
  | 'sender_refused'
  | 'recipient_refused'
  | 'mail_refused'
  | 'silent'
  | 'other'

export type MailVerdict =
  /** Accepted, not yet delivered. `queueId`: the id at the server, or the file name. */
  | { outcome: 'accepted'; reply: string; queueId?: string; isWrittenToFolder?: true }
  /**
   * `permanent`: never for this recipient. `timedOut`: the server stopped responding. `said`: the
   * server's own words, code and text.
   */
  | { outcome: 'refused'; permanent: boolean; reply: string; timedOut?: true; problem?: MailProblem; said?: string }

export interface Mailer {
  /** Throws `MessageError`; all others are verdicts. */
  send(message: MailMessage): Promise<MailVerdict>
  /** Ends running attempts as temporarily refused. */
  close(): void
}

/** The message is not a valid mail. The text names the wrong part, never its value. */
export class MessageError extends Error {}

export interface ComposedMail {
  raw: Uint8Array
  /** RFC 5321 §2.3.1: bare addresses. */
  envelope: { from: string; to: string }
}

const MAX_HEADER_LENGTH = 900
const OWN_HEADERS = new Set(
  `from sender to cc bcc reply-to subject date message-id auto-submitted mime-version content-type
  content-transfer-encoding content-disposition return-path dkim-signature`.split(/\s+/),
)

/** Loads nodemailer with the first mail. Throws `MessageError`. */
export async function compose(message: MailMessage): Promise<ComposedMail> {
  checkMessage(message)
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: mailbox(message.from),
    to: mailbox(message.to),
    ...(message.replyTo ? { replyTo: mailbox(message.replyTo) } : {}),
    subject: literal(message.subject),
    messageId: message.messageId,
    date: message.date,
    // RFC 3834 §5: suppresses out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
    // Its members `text` and `html` would set the content types.
    alternatives: [
      alternative('text/plain; charset=utf-8; format=flowed', flowed(message.text)),
      alternative('text/html; charset=utf-8', message.html.replace(/\r?\n/g, '\r\n')),
    ],
    attachments: (message.attachments ?? []).map(partOf),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const raw = await composer.compile().build()
  return { raw: new Uint8Array(raw), envelope: { from: bare(message.from), to: bare(message.to) } }
}

function alternative(contentType: string, content: string) {
  return { contentType, content, contentTransferEncoding: 'quoted-printable' as const }
}

/** The domain in ASCII, as servers without SMTPUTF8 need it. RFC 5890 §2.3.2.1. */
function bare({ address }: Mailbox): string {
  const at = address.indexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

function mailbox({ name, address }: Mailbox): string | Mailbox {
  return name === '' ? address : { name: literal(name), address }
}

/**
 * A text that looks like an encoded word (RFC 2047) would be decoded by readers into one that
 * nobody has checked. A word joiner in it makes the composer encode the whole.
 */
const literal = (text: string): string => text.replaceAll('=?', '=\u2060?')

function partOf({ fileName: filename, contentType, contentId: cid, content: bytes }: Attachment) {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const inline = cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }
  return { filename, contentType, contentTransferEncoding: 'base64' as const, content, ...inline }
}

function checkMessage(message: MailMessage): void {
  checkMailbox('from', message.from)
  checkMailbox('to', message.to)
  if (message.replyTo) checkMailbox('replyTo', message.replyTo)
  checkHeaderValue('subject', message.subject)
  if (!/^<[^\s<>@]+@[^\s<>@]+>$/.test(message.messageId)) throw new MessageError('messageId: must look like <id@domain>')
  checkHeaderValue('messageId', message.messageId)
  if (Number.isNaN(message.date.getTime())) throw new MessageError('date: is not a valid date')
  for (const attachment of message.attachments ?? []) checkAttachment(attachment)
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) throw new MessageError('headers: a name must be letters, digits and hyphens')
    if (OWN_HEADERS.has(name.toLowerCase())) throw new MessageError(`headers: ${name} cannot be set here`)
    checkHeaderValue(`headers.${name}`, value)
  }
}

function checkAttachment({ fileName, contentType, contentId }: Attachment): void {
  checkHeaderValue('attachments.fileName', fileName)
  if (!/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.-]+)*$/.test(contentType))
    throw new MessageError('attachments.contentType: is not a media type')
  if (contentId !== undefined && !/^[\w.-]+@[\w.-]+$/.test(contentId))
    throw new MessageError('attachments.contentId: must look like id@domain')
}

function checkMailbox(part: string, { name, address }: Mailbox): void {
  checkHeaderValue(`${part}.name`, name)
  checkHeaderValue(`${part}.address`, address)
  // Quoted local parts and domain literals are rare and could hide other syntax: refused.
  const isAddress = /^[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,253}$/.test(address)
  const labels = isAddress ? domainToASCII(address.slice(address.indexOf('@') + 1)).split('.') : []
  if (!isAddress || !labels.every(label => /^[A-Za-z0-9_-]{1,63}$/.test(label)))
    throw new MessageError(`${part}.address: is not a single mail address`)
}

/** A line break would let the value add headers. */
function checkHeaderValue(part: string, value: string): void {
  if (/[\r\n\0]/.test(value)) throw new MessageError(`${part}: must not contain line breaks or NUL`)
  // RFC 5322 §2.1.1: a line holds 998 characters, and a value without a space cannot be folded.
  if (value.length > MAX_HEADER_LENGTH) throw new MessageError(`${part}: must not be longer than ${MAX_HEADER_LENGTH} characters`)
}

// Breaks plain text into lines of 72 columns that programs join again: format=flowed, RFC 3676.

/** §4.2 recommends at most 78; replies add marks. */
const MAX_COLUMNS = 72
/** §4.3: a line that keeps its space at the end. */
const SIGNATURE_LINE = '-- '
const QUOTE_MARK = '> '

/** With CRLF, as mails have. Addresses stay in one piece. */
export function flowed(text: string): string {
  return text.split(/\r?\n/).flatMap(flowLine).join('\r\n')
}

function flowLine(line: string): string[] {
  if (line === SIGNATURE_LINE) return [line]
  // Not every program joins quoted lines correctly: these stay broken.
  if (line.startsWith(QUOTE_MARK))
    return broken(line.slice(QUOTE_MARK.length), MAX_COLUMNS - QUOTE_MARK.length).map(part => QUOTE_MARK + part)
  const parts = broken(line, MAX_COLUMNS - 1)
  return parts.map((part, i) => stuffed(i < parts.length - 1 ? `${part} ` : part))
}

/** At spaces, the last of each line left out. A longer word has a line of its own. */
function broken(line: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of line.trimEnd().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** §4.4: a space that programs take away, before what has a meaning at the start of a line. */
function stuffed(line: string): string {
  return /^( |>|From )/.test(line) ? ` ${line}` : line
}
