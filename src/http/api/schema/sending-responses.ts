/** The schemas of response bodies of sending: who is mailed, who is not, and signing links. */
import Type from 'typebox'
import { component, described, Id, openEnum, Time } from './schema-parts.ts'

export const NotificationResult = component('NotificationResult', {
  ok: Type.Boolean(),
  notified: Type.Integer({ description: 'Recipients whose mails were queued now.' }),
})

export const ReminderResult = component('ReminderResult', {
  ok: Type.Boolean(),
  notified: Type.Integer({ description: 'Recipients whose reminders were queued now.' }),
  skipped: Type.Array(
    component('SkippedRecipient', {
      id: Id('rec'),
      reason: openEnum(
        ['deliver_by_link', 'mailed_recently'],
        '`deliver_by_link`: no e-mails, your program hands out signing links. `mailed_recently`: within the last hour.',
      ),
    }),
    { description: 'Recipients whose turn it is too, and who get no reminder now.' },
  ),
})

export const SigningLink = component('SigningLink', {
  url: described('Opens once. Who has it can sign as this recipient: give it to nobody else, and do not store it.'),
  expiresAt: Time,
})
