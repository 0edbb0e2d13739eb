/** The access code: pauses that grow, a last try, and the sender who is told. */
import { describe, expect, test } from 'bun:test'
import { ACCESS_CODE_TRIES, changeRecipient, type Document, recipientOf, remind } from '../../src/core/document.ts'
import { codeAccepted, codeRefused, codeWaitS, countCodeTry } from '../../src/core/signing.ts'
import { documentsByStatus, frozen, hoursAfter, NOW, refusalOf } from './sample.ts'

const DOCUMENTS = documentsByStatus()

describe('access codes', () => {
  const tried = (document: Document, now: Date) => frozen(countCodeTry(document, 'ada', now).document)

  test('each wrong try but the first makes the pause before the next longer; a fifth is taken, a sixth never', () => {
    let document = DOCUMENTS.sent
    let now = NOW
    const pauses: number[] = []
    for (let i = 0; i < ACCESS_CODE_TRIES; i++) {
      document = tried(document, now)
      const waitS = codeWaitS(recipientOf(document, 'ada'), now)
      pauses.push(waitS)
      if (waitS > 0) {
        const early = refusalOf(() => countCodeTry(document, 'ada', new Date(now.getTime() + waitS * 1000 - 1)))
        expect([early.reason, early.messageRef?.key, early.retryAfterS]).toEqual(['rate_limited', 'codePause', 1])
      }
      now = new Date(now.getTime() + waitS * 1000)
    }
    expect(pauses).toEqual([0, 5, 30, 300, 0])
    expect(refusalOf(() => countCodeTry(document, 'ada', hoursAfter(now, 1000))).messageRef?.key).toBe('codeLocked')
    expect(recipientOf(countCodeTry(document, 'ben', now).document, 'ben').accessCodeTries).toBe(1)
  })

  test('the right code begins anew; the last wrong one is told to the sender', () => {
    const once = tried(DOCUMENTS.sent, NOW)
    const accepted = codeAccepted(once, 'ada')
    expect(recipientOf(accepted.document, 'ada')).toMatchObject({ accessCodeTries: 0, accessCodeWaitUntil: undefined })
    expect(accepted.events).toEqual([{ type: 'recipient.access_code_accepted', recipientId: 'ada' }])
    expect(codeRefused(once, 'ada').events.map(e => e.type)).toEqual(['recipient.access_code_failed'])
    const locked = changeRecipient(once, 'ada', { accessCodeTries: ACCESS_CODE_TRIES })
    expect(codeRefused(locked, 'ada').events.map(e => e.type)).toEqual([
      'recipient.access_code_failed',
      'recipient.access_code_locked',
    ])
  })

  test('a sender who reminds of the document gives new tries, even within the hour; nobody else gets a mail by that', () => {
    const locked = changeRecipient(DOCUMENTS.sent, 'ada', { accessCodeTries: ACCESS_CODE_TRIES, lastMailedAt: NOW })
    const { document, events } = remind(frozen(locked), NOW)
    expect(recipientOf(document, 'ada').accessCodeTries).toBe(0)
    expect(events).toEqual([{ type: 'recipient.reminded', recipientId: 'ada' }])
  })
})
