/**
 * Reminders: planned ones that catch up once, asked-for ones at most once an hour, none to those
 * who need none.
 */
import { describe, expect, test } from 'bun:test'
import { type Document, daysAfter, recipientOf, remind, remindDue } from '../../src/core/document.ts'
import { after, draftOf, finished, frozen, hoursAfter, NOW, recipient, sent, viewed } from './sample.ts'

const reminded = (step: { events: { recipientId?: string }[] }) => step.events.map(e => e.recipientId)
const open = after(draftOf(), sent(), viewed('ada'))

describe('planned reminders', () => {
  test('go out at their moment and not before', () => {
    expect(reminded(remindDue(open, new Date(daysAfter(NOW, 3).getTime() - 1)))).toEqual([])
    expect(reminded(remindDue(open, daysAfter(NOW, 3)))).toEqual(['ada', 'ben'])
  })

  test('once each however long the service was down, and the next is counted from now', () => {
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

  test('never reach one who has finished', () => {
    const waiting = after(open, finished('ada'))
    expect(reminded(remindDue(waiting, daysAfter(NOW, 3)))).toEqual(['ben'])
    expect(recipientOf(waiting, 'ada').nextReminderAt).toBeUndefined()
  })

  test('end after the number that was planned', () => {
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

  test('are not planned where the sender wanted none', () => {
    const quiet = after(draftOf({ reminders: undefined }), sent())
    expect(quiet.recipients.every(r => r.nextReminderAt === undefined)).toBe(true)
    expect(reminded(remindDue(quiet, daysAfter(NOW, 29)))).toEqual([])
  })

  test('are planned only for those who get one: a viewer has none, so that the look for due ones ends', () => {
    expect(recipientOf(open, 'vera').nextReminderAt).toBeUndefined()
  })

  test('wait for the turn of those who come later', () => {
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

describe('asked-for reminders', () => {
  test('reach those whose turn it is, at most once an hour each', () => {
    const moment = hoursAfter(NOW, 1)
    expect(reminded(remind(open, new Date(moment.getTime() - 1)))).toEqual([])
    const step = remind(open, moment)
    expect(reminded(step)).toEqual(['ada', 'ben'])
    expect(reminded(remind(frozen(step.document), hoursAfter(moment, 0.99)))).toEqual([])
    expect(reminded(remind(frozen(step.document), hoursAfter(moment, 1)))).toEqual(['ada', 'ben'])
  })

  test('are answered without a change when nobody is due', () => {
    const step = remind(open, NOW)
    expect(step.document).toBe(open)
  })

  test('leave out viewers and those who have finished', () => {
    expect(reminded(remind(after(open, finished('ada')), hoursAfter(NOW, 2)))).toEqual(['ben'])
  })

  test('work where no plan was made', () => {
    const quiet = after(draftOf({ reminders: undefined }), sent())
    const step = remind(quiet, hoursAfter(NOW, 2))
    expect(reminded(step)).toEqual(['ada', 'ben'])
    expect(recipientOf(step.document, 'ada').nextReminderAt).toBeUndefined()
  })
})
