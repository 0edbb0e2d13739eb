/**
 * One mail as a value, its bytes by RFC 5322, and what every way of sending answers. Knows no server and no folder; texts come ready made.
 * nodemailer is loaded with the first mail.
 */
import { readFile } from 'node:fs/promises'
import { domainToASCII } from 'node:url'

export interface Mailbox {
  /** Shown to people; may be empty. */
  name: string
  address: string
}

export type Attachment = { fileName: string; contentType: string } & ({ content: Uint8Array } | { path: string })

export interface MailMessage {
  /** `<local@domain>`, the same for every attempt. RFC 5322 §3.6.4. */
  messageId: string
  from: Mailbox
  to: Mailbox
  replyTo?: Mailbox
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
  date: Date
  /** Further headers; those that this file sets cannot be named. */
  headers?: Record<string, string>
}

export type MailVerdict =
  /** `reply` holds the server's own words, `queueId` the name it gave the mail. Accepted is not delivered. `isFiled`: no server took it, it was written to a folder. */
  | { outcome: 'accepted'; reply: string; queueId?: string; isFiled?: true }
  /** `permanent`: the server will never take this mail for this recipient. Else trying again later makes sense. `timedOut`: it took the connection and then fell silent. */
  | { outcome: 'refused'; permanent: boolean; reply: string; timedOut?: true }

export interface Mailer {
  /** What server, network or disk say is a verdict. Throws `MessageError`, and what reading an attachment throws. */
  send(message: MailMessage): Promise<MailVerdict>
  /** Gives up what is under way, as refused for now. */
  close(): void
}

/** The message cannot be a mail: a line break in a header, an address that is none. The message names the part, never its value. */
export class MessageError extends Error {}

export interface ComposedMail {
  raw: Uint8Array
  /** RFC 5321 §2.3.1: bare addresses. */
  envelope: { from: string; to: string }
}

const LONGEST_HEADER = 900
const OWN_HEADERS = new Set(
  ['from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'auto-submitted', 'mime-version'].concat([
    'content-type',
    'content-transfer-encoding',
    'content-disposition',
    'return-path',
    'dkim-signature',
  ]),
)

/** The mail's bytes with CRLF line ends. Throws `MessageError`. */
export async function compose(message: MailMessage): Promise<ComposedMail> {
  checkMessage(message)
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const attachments = await Promise.all((message.attachments ?? []).map(readAttachment))
  const composer = new MailComposer({
    from: mailbox(message.from),
    to: mailbox(message.to),
    ...(message.replyTo ? { replyTo: mailbox(message.replyTo) } : {}),
    subject: message.subject,
    messageId: message.messageId,
    date: message.date,
    // RFC 3834 §5: nobody's out-of-office note should answer a machine.
    headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
    text: { content: message.text, contentTransferEncoding: 'quoted-printable' },
    html: { content: message.html, contentTransferEncoding: 'quoted-printable' },
    attachments,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const raw = await composer.compile().build()
  return { raw: new Uint8Array(raw), envelope: { from: bare(message.from), to: bare(message.to) } }
}

/** The address with its domain in the form every server knows. RFC 5890 §2.3.2.1. */
function bare({ address }: Mailbox): string {
  const at = address.indexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

function mailbox({ name, address }: Mailbox): string | Mailbox {
  return name === '' ? address : { name, address }
}

async function readAttachment(attachment: Attachment) {
  const bytes = 'content' in attachment ? attachment.content : await readFile(attachment.path)
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { filename: attachment.fileName, contentType: attachment.contentType, contentTransferEncoding: 'base64', content }
}

function checkMessage(message: MailMessage): void {
  checkMailbox('from', message.from)
  checkMailbox('to', message.to)
  if (message.replyTo) checkMailbox('replyTo', message.replyTo)
  checkHeaderValue('subject', message.subject)
  if (!/^<[^\s<>@]+@[^\s<>@]+>$/.test(message.messageId)) throw new MessageError('messageId: must look like <id@domain>')
  checkHeaderValue('messageId', message.messageId)
  if (Number.isNaN(message.date.getTime())) throw new MessageError('date: is no date')
  for (const { fileName, contentType } of message.attachments ?? []) {
    checkHeaderValue('attachments.fileName', fileName)
    if (!/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.-]+)*$/.test(contentType))
      throw new MessageError('attachments.contentType: is no media type')
  }
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) throw new MessageError('headers: a name must be letters, digits and hyphens')
    if (OWN_HEADERS.has(name.toLowerCase())) throw new MessageError(`headers: ${name} cannot be set here`)
    checkHeaderValue(`headers.${name}`, value)
  }
}

function checkMailbox(part: string, { name, address }: Mailbox): void {
  checkHeaderValue(`${part}.name`, name)
  checkHeaderValue(`${part}.address`, address)
  // Quoted local parts and domain literals are refused: what they would allow is worth less than what they could hide.
  const isAddress = /^[^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@[\\\]]{1,253}$/.test(address)
  const labels = isAddress ? domainToASCII(address.slice(address.indexOf('@') + 1)).split('.') : []
  if (!isAddress || !labels.every(label => /^[A-Za-z0-9_-]{1,63}$/.test(label)))
    throw new MessageError(`${part}.address: is no single mail address`)
}

/** A line break would end the header and begin another one of the sender's making. */
function checkHeaderValue(part: string, value: string): void {
  if (/[\r\n\0]/.test(value)) throw new MessageError(`${part}: must not contain line breaks or NUL`)
  // RFC 5322 §2.1.1: a line holds 998 characters, and a value without a space cannot be folded.
  if (value.length > LONGEST_HEADER) throw new MessageError(`${part}: must not be longer than ${LONGEST_HEADER} characters`)
}
