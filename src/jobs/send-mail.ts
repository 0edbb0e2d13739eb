/** Composes and sends one mail. The signing link is added here: no row contains it. */
import { type ComposedText, composeLetter, composeMail, type MailFacts, noticeLetter } from '../../views/mail/mail.tsx'
import { type AuditEvent, auditEventsOf } from '../audit/log.ts'
import { type Document, type MailOutcome, type Recipient, recordMailOutcome } from '../core/document/document.ts'
import type { EventType, Json } from '../core/document/event.ts'
import { chooseAppLanguage, type Language } from '../core/language.ts'
import { Refusal } from '../core/refusal.ts'
import { isMailed } from '../core/signing/routing.ts'
import { sameMailbox } from '../core/text.ts'
import type { Db, Tx } from '../db/open.ts'
import { receiptOf } from '../documents/evidence/receipts.ts'
import { sealedOf } from '../documents/files/named-file.ts'
import { renaming } from '../documents/lifecycle/correct-recipient.ts'
import { documentFacts, fromMailbox, inlineLogo, letterFacts } from '../documents/lifecycle/mail-facts.ts'
import { find } from '../documents/queries.ts'
import { record } from '../documents/record.ts'
import { linkAddress } from '../documents/signing/link.ts'
import { codeToMail } from '../documents/signing/one-time-code.ts'
import { fileBytes } from '../files/queries.ts'
import { errorMessage } from '../lib/log.ts'
import { keyedToken } from '../lib/token.ts'
import { appTextsOf } from '../locales/app.ts'
import { type MailMessage, type MailVerdict, MessageError } from '../mailer/message.ts'
import {
  eraseMailFiles,
  MAIL_BULK_LANE,
  MAIL_LANE,
  MAIL_PAUSES_S,
  MAIL_SLOW_LANE,
  messageIdOf,
  retryTime,
} from '../outbox/outbox.ts'
import { dropMail, finishJob, type LeasedJob, type Mail, mailById, postponeJob, setMailStatus } from '../outbox/queries.ts'
import { type App, SYSTEM } from '../ports.ts'
import { compactWhenDue, noteCompactionDue } from '../settings/compaction.ts'
import { readOrganisation } from '../settings/organisation.ts'

const MAX_ATTACHMENT_BYTES = 10_000_000

export async function sendMail(app: App, job: LeasedJob): Promise<void> {
  const mail = await mailById(app.db, job.subject)
  const document = mail && (await documentOf(app.db, mail))
  if (!mail || (await isOutdated(app, mail, document))) {
    await app.write(async tx => {
      if (mail) await setMailStatus(tx, mail.id, 'failed', 'Not sent: it had become pointless before its turn came.', app.now())
      await finishJob(tx, job, 'done')
    })
    return
  }
  await settle(app, job, mail, await attempt(app, mail, document))
}

/** Never throws: a mail that cannot be composed is retried like one that the server refused. */
async function attempt(app: App, mail: Mail, document: Document | undefined): Promise<MailVerdict> {
  try {
    return await app.mailer.send(await messageOf(app, mail, document))
  } catch (error) {
    const message = errorMessage(error)
    if (error instanceof MessageError) return { outcome: 'refused', permanent: true, reply: `This cannot be a mail: ${message}.` }
    app.log('error', 'mail could not be made', { mailId: mail.id, error: message })
    return { outcome: 'refused', permanent: false, reply: `The mail could not be made: ${message}` }
  }
}

const documentOf = async (db: Db | Tx, { documentId }: Mail) => (documentId === undefined ? undefined : find(db, documentId))

/**
 * Whether the recipient has signed, declined or delegated since, or the document has ended. After a
 * delegation the link would be the colleague’s.
 */
async function isOutdated(app: App, mail: Mail, document: Document | undefined): Promise<boolean> {
  if (mail.notice) return false
  if (!document) return true
  const recipient = document.recipients.find(r => r.id === mail.recipientId)
  const isTheirs = recipient !== undefined && sameMailbox(recipient.email, mail.email)
  // The mail of the completion has the receipt, too.
  if (mail.kind === 'receipt') return !isTheirs || document.status === 'completed'
  if (mail.kind === 'one_time_code') return !isTheirs || (await codeToMail(app, app.db, recipient, mail.createdAt)) === undefined
  if (!isRequest(mail)) return false
  if (document.status !== 'sent' || !isTheirs) return true
  return recipient.status === 'signed' || recipient.status === 'declined'
}

async function settle(app: App, job: LeasedJob, mail: Mail, verdict: MailVerdict): Promise<void> {
  const accepted = verdict.outcome === 'accepted'
  const pauseS = accepted || verdict.permanent ? undefined : MAIL_PAUSES_S[job.attempts]
  const outcome = accepted ? 'accepted' : pauseS === undefined ? 'failed' : 'postponed'
  const exists = await app.write(async tx => {
    app.afterCommit(tx, () => app.metrics.mails.of(outcome).add())
    // The document and its mails may have been deleted during the attempt.
    if (!(await mailById(tx, mail.id))) return false
    if (pauseS !== undefined) {
      await setMailStatus(tx, mail.id, 'queued', verdict.reply, app.now())
      await postponeJob(tx, job, retryTime(app, pauseS), verdict.reply, nextLane(job, verdict))
      return true
    }
    if (mail.notice?.isLast) {
      await dropMail(tx, mail.id)
      // Otherwise the pages of the row would keep the name and the address.
      await noteCompactionDue(tx)
      await finishJob(tx, job, 'done')
      return true
    }
    await setMailStatus(tx, mail.id, accepted ? 'accepted' : 'failed', verdict.reply, app.now())
    await finishJob(tx, job, accepted ? 'done' : 'failed', verdict.reply)
    const document = await documentOf(tx, mail)
    const recipient = document?.recipients.find(r => r.id === mail.recipientId)
    // The outcome of a mail to a recipient who has delegated is not the colleague's.
    // That a code arrived is proven by its entry, but not that it was sent.
    const isCode = mail.kind === 'one_time_code'
    const isProvenLater = isCode && outcomeOf(verdict) === 'recipient.email_accepted'
    // A receipt proves itself, and says nothing about how the document reached the recipient.
    const isRecorded = mail.kind !== 'receipt' && !isProvenLater
    if (document && recipient && isRecorded && sameMailbox(recipient.email, mail.email))
      await record(
        tx,
        app,
        document,
        recordMailOutcome(document, recipient.id, outcomeOf(verdict), verdict.reply, isCode),
        SYSTEM,
      )
    return true
  })
  if (!accepted) logRefusal(app, mail, verdict, { attempt: job.attempts + 1, willRetry: pauseS !== undefined })
  if (!exists) await eraseMailFiles(app, [mail])
  if (mail.notice?.isLast && pauseS === undefined) await compactWhenDue(app)
}

/**
 * At once: the alert comes an hour later. The words of the server may name people: they stay with
 * the mail.
 */
function logRefusal(app: App, { id, kind }: Mail, { problem }: Refused, facts: { attempt: number; willRetry: boolean }): void {
  app.log('warn', 'mail not delivered', { mailId: id, kind, problem: problem ?? 'other', ...facts })
}

type Refused = MailVerdict & { outcome: 'refused' }

function nextLane({ lane }: LeasedJob, verdict: MailVerdict): string {
  if ('timedOut' in verdict) return MAIL_SLOW_LANE
  return lane === MAIL_BULK_LANE ? MAIL_BULK_LANE : MAIL_LANE
}

function outcomeOf(verdict: MailVerdict): MailOutcome {
  if (verdict.outcome === 'refused') return 'recipient.email_failed'
  return verdict.isWrittenToFolder ? 'recipient.email_written' : 'recipient.email_accepted'
}

async function messageOf(app: App, mail: Mail, document: Document | undefined): Promise<MailMessage> {
  const sealed = document && mail.kind === 'completed' ? await sealedFile(app, document) : []
  const receipt = document ? await receiptFile(app, document, mail) : []
  const attached = { attached: sealed.length > 0, hasReceipt: receipt.length > 0 }
  const { facts, composed } = await composedText(app, mail, document, attached)
  const { subject, text, html } = composed
  return {
    messageId: messageIdOf(app, mail.id),
    from: await fromMailbox(app, facts.organisation),
    to: { name: mail.name, address: mail.email },
    ...(facts.replyTo ? { replyTo: facts.replyTo } : {}),
    subject: subject.slice(0, 250),
    text,
    html,
    attachments: [...inlineLogo(facts), ...ownAttachment(mail), ...sealed, ...receipt],
    date: mail.createdAt,
  }
}

type Facts = Awaited<ReturnType<typeof letterFacts>>

function ownAttachment({ notice }: Mail) {
  if (notice?.attachment === undefined) return []
  const { fileName, contentType, text } = notice.attachment
  return [{ fileName, contentType, content: Buffer.from(text) }]
}

async function sealedFile(app: App, document: Document) {
  const { sha256, fileName } = await sealedOf(app.db, document)
  const bytes = sha256 === undefined ? undefined : await fileBytes(app.db, sha256)
  if (sha256 === undefined || bytes === undefined || bytes > MAX_ATTACHMENT_BYTES) return []
  return [{ fileName, contentType: 'application/pdf', content: await app.storage.read(sha256) }]
}

/** Of who has signed or approved. It is made now if nobody has asked for it before. */
async function receiptFile(app: App, document: Document, { kind, recipientId }: Mail) {
  const recipient = document.recipients.find(({ id }) => id === recipientId)
  if (recipient?.status !== 'signed' || (kind !== 'receipt' && kind !== 'completed')) return []
  try {
    const { fileName, text } = await receiptOf(app, document, recipient.id)
    // As bytes: some mail servers write attached messages anew, which breaks the signature.
    return [{ fileName, contentType: 'application/octet-stream', content: Buffer.from(text) }]
  } catch (error) {
    // The sealed document does not wait for it.
    if (kind === 'completed' && error instanceof Refusal) return []
    throw error
  }
}

type Attached = Pick<MailFacts, 'attached' | 'hasReceipt'>

async function composedText(
  app: App,
  mail: Mail,
  document: Document | undefined,
  attached: Attached,
): Promise<{ facts: Facts; composed: ComposedText }> {
  if (mail.notice) {
    const { subject, paragraphs, link, language = 'en' } = mail.notice
    const token = link?.keyedBy === undefined ? '' : keyedToken(app.linkKey, ...link.keyedBy)
    const href = link && { text: link.text, href: app.config.baseUrl + link.path + token }
    const facts = await letterFacts(app, await readOrganisation(app.db), mail, language)
    return { facts, composed: composeLetter(noticeLetter({ subject, paragraphs, link: href }), facts) }
  }
  if (!document) throw new Error('a mail that is no notice belongs to a document')
  const recipient = document.recipients.find(r => r.id === mail.recipientId)
  const facts = await factsOf(app, mail, document, recipient, attached)
  return { facts, composed: composeMail(mail.kind, facts) }
}

async function factsOf(
  app: App,
  mail: Mail,
  document: Document,
  recipient: Recipient | undefined,
  attached: Attached,
): Promise<MailFacts & Facts> {
  const link = recipient ? linkAddress(app, recipient) : `${app.config.baseUrl}/documents/${document.id}`
  const facts = await documentFacts(app, mail, document, recipient)
  return {
    ...facts,
    link,
    ...attached,
    code: recipient && mail.kind === 'one_time_code' ? await codeToMail(app, app.db, recipient, mail.createdAt) : undefined,
    ...(await cause(app, mail, document, facts.language)),
  }
}

type Cause = Pick<MailFacts, 'by' | 'to' | 'reason' | 'unlock'>

/** Who caused the event the mail reports, and why, from the audit log. */
async function cause(app: App, mail: Mail, document: Document, language: Language): Promise<Cause> {
  const type = isOfFirstLink(mail, document) ? undefined : REPORTED_EVENTS[mail.kind]
  // The last such event before the mail was queued: later ones have mails of their own.
  const queuedAt = mail.createdAt.toISOString()
  const event =
    type && (await auditEventsOf(app.db, document.id)).findLast(e => e.type === type && e.at <= queuedAt && isAbout(mail, e))
  const { from, to, reason, reply, cause } = { ...event?.data, ...event?.personal }
  // People's own words stay as they are.
  const { storedText } = appTextsOf(chooseAppLanguage(language, null))
  const said = reply ?? cause
  const why = reason ?? (typeof said === 'string' ? storedText(said) : undefined)
  const recipient = document.recipients.find(r => r.id === event?.recipientId)
  return {
    by: nameIn(from) ?? recipient?.name,
    to: nameIn(to),
    reason: typeof why === 'string' ? why : undefined,
    unlock: recipient && unlockOf(recipient),
  }
}

function unlockOf(recipient: Recipient): MailFacts['unlock'] {
  if (recipient.verify) return 'oneTimeCode'
  return isMailed(recipient) ? 'accessCode' : 'signingLink'
}

const isRequest = ({ kind }: Mail) => kind === 'invitation' || kind === 'reminder'

/** A delegation makes a new link: an invitation with the first one has none to tell of. */
function isOfFirstLink(mail: Mail, { recipients }: Document): boolean {
  return isRequest(mail) && recipients.find(r => r.id === mail.recipientId)?.linkVersion === 1
}

/** An invitation tells of the delegation to this person, not of those of others. */
function isAbout(mail: Mail, event: AuditEvent): boolean {
  if (!isRequest(mail)) return true
  const { to } = renaming(event) ?? {}
  return event.recipientId === mail.recipientId && to !== undefined && sameMailbox(to.email, mail.email)
}

const REPORTED_EVENTS: Partial<Record<string, EventType>> = {
  invitation: 'recipient.delegated',
  reminder: 'recipient.delegated',
  declined: 'document.declined',
  voided: 'document.voided',
  delegated: 'recipient.delegated',
  access_code_locked: 'recipient.access_code_locked',
  mail_failed: 'recipient.email_failed',
  sealing_failed: 'document.sealing_failed',
  link_requested: 'recipient.link_requested',
}

function nameIn(person: Json | undefined): string | undefined {
  const name = typeof person === 'object' && person !== null && !Array.isArray(person) ? person.name : undefined
  return typeof name === 'string' ? name : undefined
}
