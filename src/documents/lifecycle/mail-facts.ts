/**
 * What an e-mail shows of the organisation, the document and its recipient, without the link; and
 * what an administrator does with one e-mail.
 */
import { userByEmail, userById } from '../../accounts/queries.ts'
import { type Document, type Recipient, recordMailOutcome } from '../../core/document/document.ts'
import { type Language, languageOf } from '../../core/language.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { MAX_RETURN_REASON, SERVICE_NAME } from '../../core/service-limits.ts'
import { cleanLine, sameMailbox } from '../../core/text.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import { readableTime } from '../../lib/clock-format.ts'
import { catalogueOf } from '../../locales/index.ts'
import type { Attachment, Mailbox } from '../../mailer/message.ts'
import { MAIL_LANE } from '../../outbox/outbox.ts'
import { type Mail, mailById, retryMailNow, setMailStatus } from '../../outbox/queries.ts'
import type { App, MailLogoFile, Origin } from '../../ports.ts'
import { mailLogo } from '../../settings/logo.ts'
import { type Organisation, readOrganisation } from '../../settings/organisation.ts'
import { readServiceSetting } from '../../settings/service-settings.ts'
import { find } from '../queries.ts'
import { record } from '../record.ts'

type Person = Pick<Recipient, 'name' | 'email'>

/** `replyTo`: the sender, else the organisation's contact. */
export async function letterFacts(app: App, from: Organisation, to: Person, language: Language, sender?: Mailbox) {
  const { name: organisation, contact, colour, logoSha256 } = from
  const { environment, isProduction } = app.instance
  const asked = [sender, contact === undefined ? undefined : { name: organisation, address: contact }]
  // Nobody is sent to their own address.
  const replyTo = asked.find(mailbox => mailbox !== undefined && !sameMailbox(mailbox.address, to.email))
  const texts = catalogueOf(language).mail
  const { host } = new URL(app.config.baseUrl)
  const file = logoSha256 === undefined ? undefined : await mailLogo(app, logoSha256)
  const logo = file && { ...file, src: `cid:${file.contentId}` }
  return { language, texts, organisation, replyTo, host, environment, isProduction, name: to.name, colour, logo }
}

/** `recipient` is undefined for a mail to the sender, in the language of their web app. */
export async function documentFacts(app: App, person: Person, document: Document, recipient: Recipient | undefined) {
  const organisation = await readOrganisation(app.db)
  const wanted = recipient ? (recipient.locale ?? document.locale) : (await userByEmail(app.db, person.email))?.language
  const language = languageOf(wanted, organisation.language)
  const sender = recipient && (await senderOf(app, document))
  return {
    ...(await letterFacts(app, organisation, person, language, sender)),
    title: document.title,
    role: recipient?.role,
    hasFinished: recipient?.status === 'signed',
    sender: sender?.name,
    message: document.message,
    expires: document.expiresAt ? readableTime(document.expiresAt, organisation.timeZone, language) : undefined,
    toSender: recipient === undefined,
  }
}

/** The owner; `undefined` if the document belongs to a program, or the person has left. */
export async function senderOf(app: App, { ownerId }: Pick<Document, 'ownerId'>): Promise<Mailbox | undefined> {
  const owner = ownerId === undefined ? undefined : await userById(app.db, ownerId)
  return owner && !owner.disabledAt ? { name: owner.name, address: owner.email } : undefined
}

/** The logo that the HTML shows, as a part of the e-mail. */
export function inlineLogo({ logo }: { logo: MailLogoFile | undefined }): Attachment[] {
  if (logo === undefined) return []
  const { contentId, content } = logo
  return [{ fileName: 'logo.png', contentType: 'image/png', contentId, content }]
}

/** The configured address and name; without a name the organisation's, as Signet sends for it. */
export async function fromMailbox(app: App, organisation: string): Promise<Mailbox> {
  const { name, address } = await readServiceSetting(app, 'mailFrom')
  return { name: name || sentVia(organisation), address }
}

export const sentVia = (organisation: string) =>
  organisation === SERVICE_NAME ? SERVICE_NAME : `${organisation} via ${SERVICE_NAME}`

// What an administrator does with one e-mail: sends it again, or marks it as not delivered.

async function load(tx: Tx, id: string): Promise<Mail> {
  const mail = await mailById(tx, id)
  if (!mail) throw new Refusal('not_found', violation('email_missing'))
  return mail
}

/** @throws Refusal `invalid_state` if it was sent */
export async function retryMail(app: App, id: string): Promise<void> {
  await app.write(async tx => {
    const mail = await load(tx, id)
    if (mail.status === 'accepted') throw new Refusal('invalid_state', violation('email_sent_already'))
    await setMailStatus(tx, id, 'queued', mail.reply ?? '', app.now())
    const { documentId } = mail
    const job = { id: app.newId('job'), kind: 'mail', subject: id, lane: MAIL_LANE, documentId, dueAt: app.now() } as const
    await retryMailNow(tx, job, app.now())
  })
}

/**
 * After a message that it bounced: the server had accepted it, and says so too late for us. The
 * recipient counts as not reached, and whoever is informed of failures is.
 */
export async function markMailFailed(app: App, origin: Origin, id: string, reason: string): Promise<void> {
  const words = cleanLine(reason)
  if (words === '') refuseIfInvalid(errorsIn([['reason', violation('empty')]]))
  if (words.length > MAX_RETURN_REASON) {
    refuseIfInvalid(errorsIn([['reason', violation('too_long', { max: MAX_RETURN_REASON })]]))
  }
  const reply = `Marked as not delivered: ${words}`
  await app.write(async tx => {
    const mail = await load(tx, id)
    if (mail.status !== 'accepted') throw new Refusal('invalid_state', violation('email_not_sent'))
    await setMailStatus(tx, id, 'failed', reply, app.now())
    const document = mail.documentId === undefined ? undefined : await find(tx, mail.documentId)
    const recipient = document?.recipients.find(r => r.id === mail.recipientId)
    // The place may be a colleague's meanwhile.
    if (!document || !recipient || !sameMailbox(recipient.email, mail.email)) return
    await record(tx, app, document, recordMailOutcome(document, recipient.id, 'recipient.email_failed', reply), origin)
  })
}
