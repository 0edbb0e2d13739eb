/** Whose turn it is: parallel, sequential, groups of equal numbers, viewers. */
import { describe, expect, test } from 'bun:test'
import { type Document, recipientOf } from '../../src/core/document/document.ts'
import {
  isComplete,
  maySign,
  mustAct,
  reachedRecipients,
  recipientsToNotify,
  recipientsToRemind,
} from '../../src/core/signing/routing.ts'
import { finish } from '../../src/core/signing/signing.ts'
import { actOf, after, draftOf, finished, NOW, recipient, sent, viewed } from './sample.ts'

const ids = (list: { id: string }[]) => list.map(r => r.id)
const notified = (document: Document) => ids(document.recipients.filter(r => r.status !== 'created'))

describe('in parallel', () => {
  test('everyone is notified at once, whatever their numbers', () => {
    const recipients = [recipient('ada', 'signer', { order: 9 }), recipient('ben', 'signer', { order: 1 })]
    expect(notified(after(draftOf({ recipients }), sent()))).toEqual(['ada', 'ben'])
  })
})

describe('in sequence', () => {
  const document = draftOf({
    signingOrder: 'sequential',
    recipients: [
      recipient('ada', 'signer', { order: 1 }),
      recipient('ben', 'approver', { order: 2 }),
      recipient('cyd', 'signer', { order: 2 }),
      recipient('dan', 'signer', { order: 5 }),
    ],
  })

  test('only the first group is notified when sending', () => {
    const open = after(document, sent())
    expect(notified(open)).toEqual(['ada'])
    expect(recipientOf(open, 'ben')).toMatchObject({ status: 'created', emailStatus: 'none' })
    expect(recipientOf(open, 'ben').nextReminderAt).toBeUndefined()
    expect(ids(recipientsToRemind(open))).toEqual(['ada'])
  })

  test('equal numbers are notified together, and the next group waits for all of them', () => {
    const second = after(document, sent(), viewed('ada'), finished('ada'))
    expect(notified(second)).toEqual(['ada', 'ben', 'cyd'])
    const half = finish(after(second, viewed('cyd')), 'cyd', actOf(), NOW)
    expect(half.events.map(e => e.type)).toEqual(['recipient.consented', 'recipient.signed'])
    expect(recipientOf(half.document, 'dan').status).toBe('created')
    const whole = finish(after(half.document, viewed('ben')), 'ben', actOf(), NOW)
    expect(whole.events.map(e => [e.type, e.recipientId])).toEqual([
      ['recipient.consented', 'ben'],
      ['recipient.signed', 'ben'],
      ['recipient.notified', 'dan'],
    ])
    expect(isComplete(whole.document)).toBe(false)
  })

  test('nobody is notified twice', () => {
    const open = after(document, sent(), viewed('ada'), finished('ada'))
    expect(recipientsToNotify(open)).toEqual([])
  })

  test('the numbers decide, not the order of the list', () => {
    const backwards = draftOf({
      signingOrder: 'sequential',
      recipients: [recipient('ada', 'signer', { order: 2 }), recipient('ben', 'signer', { order: 1 })],
    })
    expect(notified(after(backwards, sent()))).toEqual(['ben'])
  })
})

describe('viewers', () => {
  const document = draftOf({
    signingOrder: 'sequential',
    recipients: [
      recipient('vic', 'viewer', { order: 1 }),
      recipient('ada', 'signer', { order: 2 }),
      recipient('vera', 'viewer', { order: 3 }),
    ],
  })

  test('never delay the next group', () => {
    expect(notified(after(document, sent()))).toEqual(['vic', 'ada'])
  })

  test('never delay completion', () => {
    const done = after(document, sent(), viewed('ada'), finished('ada'))
    expect(done.status).toBe('sealing')
    expect(recipientOf(done, 'vic').status).toBe('sent')
  })

  test('are never reminded', () => {
    expect(ids(recipientsToRemind(after(document, sent())))).toEqual(['ada'])
  })
})

describe('roles', () => {
  test('signers and approvers must act, only signers place marks', () => {
    expect((['signer', 'approver', 'viewer'] as const).map(role => [mustAct({ role }), maySign(role)])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ])
  })

  test('a document without anyone to act is never complete', () => {
    expect(isComplete(draftOf({ recipients: [recipient('vera', 'viewer')] }))).toBe(false)
    expect(isComplete(draftOf({ recipients: [] }))).toBe(false)
  })

  test('an approver is routed like a signer', () => {
    const open = after(draftOf({ recipients: [recipient('ada', 'signer'), recipient('ben', 'approver')] }), sent(), viewed('ada'))
    const waiting = after(open, finished('ada'))
    expect(waiting.status).toBe('sent')
    expect(after(waiting, viewed('ben'), finished('ben')).status).toBe('sealing')
  })

  test('in parallel all are reached', () => {
    expect(ids(reachedRecipients(draftOf()))).toEqual(['ada', 'ben', 'vera'])
  })
})
