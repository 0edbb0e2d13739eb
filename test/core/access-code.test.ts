/** The access code: growing pauses, a last try, and the notice to the sender. */
import { describe, expect, test } from 'bun:test'
import {
  changeRecipient,
  type Document,
  MAX_ACCESS_CODE_ATTEMPTS,
  recipientOf,
  remind,
} from '../../src/core/document/document.ts'
import { codeWaitS } from '../../src/core/signing/one-time-code.ts'
import { acceptAccessCode, accessCodeWaitS, countAccessCodeAttempt, rejectAccessCode } from '../../src/core/signing/signing.ts'
import { documentsByStatus, frozen, hoursAfter, NOW, refusalOf } from './sample.ts'

const DOCUMENTS = documentsByStatus()

describe('access codes', () => {
  const tried = (document: Document, now: Date) => frozen(countAccessCodeAttempt(document, 'ada', now).document)

  test('each wrong try but the first makes the next pause longer; a fifth try is possible, a sixth is not', () => {
    let document = DOCUMENTS.sent
    let now = NOW
    const pauses: number[] = []
    for (let i = 0; i < MAX_ACCESS_CODE_ATTEMPTS; i++) {
      document = tried(document, now)
      const waitS = accessCodeWaitS(recipientOf(document, 'ada'), now)
      pauses.push(waitS)
      if (waitS > 0) {
        const early = refusalOf(() => countAccessCodeAttempt(document, 'ada', new Date(now.getTime() + waitS * 1000 - 1)))
        expect([early.reason, early.messageRef?.key, early.retryAfterS]).toEqual(['rate_limited', 'codePause', 1])
      }
      now = new Date(now.getTime() + waitS * 1000)
    }
    expect(pauses).toEqual([0, 5, 30, 300, 0])
    expect(refusalOf(() => countAccessCodeAttempt(document, 'ada', hoursAfter(now, 1000))).messageRef?.key).toBe('codeLocked')
    expect(recipientOf(countAccessCodeAttempt(document, 'ben', now).document, 'ben').accessCodeAttempts).toBe(1)
  })

  test('a pause that a clock far ahead has noted is over when the clock is right again', () => {
    const ahead = hoursAfter(NOW, 24 * 365)
    const document = tried(tried(DOCUMENTS.sent, ahead), ahead)
    expect(accessCodeWaitS(recipientOf(document, 'ada'), ahead)).toBe(5)
    expect(accessCodeWaitS(recipientOf(document, 'ada'), NOW)).toBe(0)
    const asked = { id: 'code', recipientId: 'ada', linkVersion: 1, browserHash: '', attempts: 0, usedAt: undefined }
    const waitS = (now: Date) => codeWaitS([{ ...asked, createdAt: ahead }], { linkVersion: 1 }, now)
    expect([waitS(ahead), waitS(NOW)]).toEqual([60, 0])
    // A node whose clock is a second behind, or a small correction, ends no pause.
    expect(waitS(new Date(ahead.getTime() - 1000))).toBe(60)
  })

  test('the right code resets the count; the last wrong one informs the sender', () => {
    const once = tried(DOCUMENTS.sent, NOW)
    const accepted = acceptAccessCode(once, 'ada')
    expect(recipientOf(accepted.document, 'ada')).toMatchObject({ accessCodeAttempts: 0, accessCodeWaitUntil: undefined })
    expect(accepted.events).toEqual([{ type: 'recipient.access_code_accepted', recipientId: 'ada' }])
    expect(rejectAccessCode(once, 'ada').events.map(e => e.type)).toEqual(['recipient.access_code_failed'])
    const locked = changeRecipient(once, 'ada', { accessCodeAttempts: MAX_ACCESS_CODE_ATTEMPTS })
    expect(rejectAccessCode(locked, 'ada').events.map(e => e.type)).toEqual([
      'recipient.access_code_failed',
      'recipient.access_code_locked',
    ])
  })

  test('a reminder gives new tries, even within the hour, and mails no other recipient', () => {
    const locked = changeRecipient(DOCUMENTS.sent, 'ada', { accessCodeAttempts: MAX_ACCESS_CODE_ATTEMPTS, lastMailedAt: NOW })
    const { document, events } = remind(frozen(locked), NOW)
    expect(recipientOf(document, 'ada').accessCodeAttempts).toBe(0)
    expect(events).toEqual([{ type: 'recipient.reminded', recipientId: 'ada' }])
  })
})
