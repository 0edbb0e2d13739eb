/** What an administrator does with one e-mail: sends it again, or marks it as not delivered. */
import { recordMailOutcome } from '../../core/document/document.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { cleanLine, sameMailbox } from '../../core/text.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import { MAIL_LANE } from '../../outbox/outbox.ts'
import { type Mail, mailById, retryMailNow, setMailStatus } from '../../outbox/queries.ts'
import type { App, Origin } from '../../ports.ts'
import { find } from '../queries.ts'
import { record } from '../record.ts'

const MAX_REASON_LENGTH = 500

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
  if (words.length > MAX_REASON_LENGTH) {
    refuseIfInvalid(errorsIn([['reason', violation('too_long', { max: MAX_REASON_LENGTH })]]))
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
