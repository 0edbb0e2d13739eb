/** Reminders: planned ones catch up once, manual ones are sent at most once an hour. */
import { describe, expect, test } from 'bun:test'
import { type Document, daysAfter, recipientOf, remind, remindDue } from '../../src/core/document/document.ts'
import { after, draftOf, finished, frozen, hoursAfter, NOW, recipient, sent, viewed } from './sample.ts'

const reminded = (step: { events: { recipientId?: string }[] }) => step.events.map(e => e.recipientId)
const open = after(draftOf(), sent(), viewed('ada'))

describe('planned reminders', () => {
  test('are sent when due and not before', () => {
    expect(reminded(remindDue(open, new Date(daysAfter(NOW, 3).getTime() - 1)))).toEqual([])
    expect(reminded(remindDue(open, daysAfter(NOW, 3)))).toEqual(['ada', 'ben'])
  })

  test('are sent once after a downtime, and the next is planned from now', () => {
    const late = daysAfter(NOW, 20)
    const step = remindDue(open, late)
    expect(reminded(step)).toEqual(['ada', 'ben'])
    expect(recipientOf(step.document, 'ada')).toMatchObject({
      remindersSent: 1,
      lastMailedAt: late,
      nextReminderAt: daysAfter(late, 3),
      emailStatus: 'queued',
    })
    expect(reminded(remindDue(frozen(step.document), late))).toEqual([])
  })

  test('never go to a recipient who has finished', () => {
    const waiting = after(open, finished('ada'))
    expect(reminded(remindDue(waiting, daysAfter(NOW, 3)))).toEqual(['ben'])
    expect(recipientOf(waiting, 'ada').nextReminderAt).toBeUndefined()
  })

  test('end after the planned number', () => {
    const short = after(draftOf({ reminders: { firstAfterDays: 1, everyDays: 2, max: 3 } }), sent())
    let document: Document = short
    const days: number[] = []
    for (let day = 0; day <= 20; day++) {
      const step = remindDue(document, daysAfter(NOW, day))
      if (reminded(step).includes('ada')) days.push(day)
      document = frozen(step.document)
    }
    expect(days).toEqual([1, 3, 5])
    expect(recipientOf(document, 'ada').remindersSent).toBe(3)
    expect(recipientOf(document, 'ada').nextReminderAt).toBeUndefined()
  })

  test('are not planned if the sender wants none', () => {
    const quiet = after(draftOf({ reminders: undefined }), sent())
    expect(quiet.recipients.every(r => r.nextReminderAt === undefined)).toBe(true)
    expect(reminded(remindDue(quiet, daysAfter(NOW, 29)))).toEqual([])
  })

  test('are not planned for viewers, so that the query for due ones finds none', () => {
    expect(recipientOf(open, 'vera').nextReminderAt).toBeUndefined()
  })

  test('wait for the turn of the recipient', () => {
    const document = after(
      draftOf({
        signingOrder: 'sequential',
        recipients: [recipient('ada', 'signer', { order: 1 }), recipient('ben', 'signer', { order: 2 })],
      }),
      sent(),
    )
    expect(reminded(remindDue(document, daysAfter(NOW, 3)))).toEqual(['ada'])
    const later = daysAfter(NOW, 5)
    const next = after(document, viewed('ada', later), finished('ada', later))
    expect(recipientOf(next, 'ben').nextReminderAt).toEqual(daysAfter(later, 3))
  })
})

describe('manual reminders', () => {
  test('go to those whose turn it is, at most once an hour', () => {
    const moment = hoursAfter(NOW, 1)
    expect(reminded(remind(open, new Date(moment.getTime() - 1)))).toEqual([])
    const step = remind(open, moment)
    expect(reminded(step)).toEqual(['ada', 'ben'])
    expect(reminded(remind(frozen(step.document), hoursAfter(moment, 0.99)))).toEqual([])
    expect(reminded(remind(frozen(step.document), hoursAfter(moment, 1)))).toEqual(['ada', 'ben'])
  })

  test('change nothing if nobody is due', () => {
    const step = remind(open, NOW)
    expect(step.document).toBe(open)
  })

  test('leave out viewers and those who have finished', () => {
    expect(reminded(remind(after(open, finished('ada')), hoursAfter(NOW, 2)))).toEqual(['ben'])
  })

  test('work without a reminder plan', () => {
    const quiet = after(draftOf({ reminders: undefined }), sent())
    const step = remind(quiet, hoursAfter(NOW, 2))
    expect(reminded(step)).toEqual(['ada', 'ben'])
    expect(recipientOf(step.document, 'ada').nextReminderAt).toBeUndefined()
  })
})
