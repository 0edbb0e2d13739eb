/** What mail servers were given, against what clients know. */
import { type Change, current, endOfValue } from './changes.ts'
import type { KnownDocument, Model } from './model.ts'
import type { MailServer, ReceivedMail } from './network.ts'

const HOUR_MS = 3_600_000
/** Ten attempts span about two and a half days. */
const LONG_DOWNTIME_MS = 24 * HOUR_MS
/** By the schedule, in the time of one run. */
const MAX_REMINDERS = 12
/** A mail that was being sent at the change has arrived after so many steps. */
const UNDER_WAY_STEPS = 2_000

const INVITATION = 'Please sign: '
const REMINDER = 'Reminder: '
const COPY = 'Completed: '

export function checkMails(model: Model, { received, downtime }: MailServer): void {
  for (const known of model.documents) {
    if (model.madeAnew.has(known.title)) continue
    const mails = received.filter(({ subject }) => subject.endsWith(known.title))
    checkRepeats(model, known, mails)
    checkRequests(model, known, mails)
    // What a clock that jumped has made of the dates of a document is another question.
    if (downtime.longestMs <= LONG_DOWNTIME_MS && model.largestJumpMs <= HOUR_MS) checkAsked(model, known, mails)
  }
}

/** Without those that may have been asked for again when others had the place. */
const askedOnce = (addresses: readonly Change<string>[]): string[] =>
  addresses.flatMap(({ value }) => (addresses.filter(each => each.value === value).length === 1 ? [value] : []))

/** Each person is asked once for each reason: repeats have the same Message-ID. */
function checkRepeats(model: Model, { recipients, reminders }: KnownDocument, mails: readonly ReceivedMail[]): void {
  for (const email of recipients.flatMap(({ addresses }) => askedOnce(addresses))) {
    const ids = new Map<string, Set<string>>()
    for (const { to, subject, messageId } of mails)
      if (to === email) ids.set(subject, (ids.get(subject) ?? new Set()).add(messageId))
    for (const [subject, { size }] of ids) {
      const most = subject.includes(REMINDER) ? reminders + MAX_REMINDERS : 1
      if (size > most) model.violate(`${email} got ${size} mails “${subject}”`)
    }
  }
}

/** Nobody is asked to sign what is over, what they have signed, or what is another's now. */
function checkRequests(model: Model, known: KnownDocument, mails: readonly ReceivedMail[]): void {
  const never = Number.POSITIVE_INFINITY
  for (const { to, subject, step } of mails) {
    if (!(subject.includes(INVITATION) || subject.includes(REMINDER))) continue
    const recipient = known.recipients.find(({ addresses }) => addresses.some(({ value }) => value === to))
    const replacedAt = endOfValue(recipient?.addresses ?? [], to)
    const overAt = Math.min(known.voidedAtStep ?? never, recipient?.signedAtStep ?? never, replacedAt ?? never)
    if (step > overAt + UNDER_WAY_STEPS) model.violate(`${to} got “${subject}” when that was over`)
  }
}

/** Whoever was to sign was asked, and whoever has signed got the copy. */
function checkAsked(model: Model, known: KnownDocument, mails: readonly ReceivedMail[]): void {
  const { id, sent, voided, deleted, recipients } = known
  const isOver = voided !== 'no' || deleted !== 'no' || recipients.some(({ declined }) => declined !== 'no')
  if (id === undefined || sent !== 'yes' || isOver || model.erased.has(id)) return
  const isComplete = recipients.every(({ signed }) => signed === 'yes')
  for (const { addresses } of recipients) {
    const [email, other] = current(addresses)
    // Of two that may have the place, nobody knows who was asked.
    if (email === undefined || other !== undefined) continue
    for (const wanted of isComplete ? [INVITATION, COPY] : [INVITATION]) {
      const has = mails.some(({ to, subject }) => to === email && subject.includes(wanted))
      if (!has) model.violate(`${email} got no mail “${wanted}${known.title}”`)
    }
  }
}
