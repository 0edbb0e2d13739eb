/** What needs the sender: which cause, since when and how long. */
import { expect, test } from 'bun:test'
import { attentionOf, attentionSpan } from '../../src/core/document/attention.ts'
import {
  changeRecipient,
  type Document,
  daysAfter,
  expire,
  MAX_ACCESS_CODE_ATTEMPTS,
  send,
} from '../../src/core/document/document.ts'
import { sealingFailed } from '../../src/core/document/sealed.ts'
import { decline } from '../../src/core/signing/signing.ts'
import { draftOf, hoursAfter, NOW } from './sample.ts'

const sent = send(draftOf(), NOW).document
const causes = (document: Document, now: Date) => attentionOf(document, now).map(({ cause }) => cause)

test('a document that waits needs nobody until three days before its expiry', () => {
  const end = sent.expiresAt ?? NOW
  expect(causes(sent, NOW)).toEqual([])
  expect(causes(sent, hoursAfter(daysAfter(end, -3), -1))).toEqual([])
  expect(causes(sent, daysAfter(end, -3))).toEqual(['expires_soon'])
})

test('a mail that failed and a locked access code need the sender at once, and name the recipient', () => {
  const failed = changeRecipient(sent, 'ada', { emailStatus: 'failed' })
  expect(attentionOf(failed, NOW)).toMatchObject([{ cause: 'email_failed', recipientId: 'ada' }])
  const locked = changeRecipient(failed, 'ben', { accessCodeAttempts: MAX_ACCESS_CODE_ATTEMPTS })
  expect(causes(locked, NOW)).toEqual(['email_failed', 'access_code_locked'])
  // Who has signed needs no mail any more.
  expect(causes(changeRecipient(failed, 'ada', { status: 'signed' }), NOW)).toEqual([])
})

test('a declined document is shown for thirty days, and an expired one', () => {
  const opened = changeRecipient(sent, 'ada', { status: 'viewed' })
  const declined = decline(opened, 'ada', 'No', daysAfter(NOW, 2)).document
  expect(attentionOf(declined, daysAfter(NOW, 2))).toMatchObject([{ cause: 'declined', recipientId: 'ada' }])
  expect(causes(declined, daysAfter(NOW, 31))).toEqual(['declined'])
  expect(causes(declined, daysAfter(NOW, 32))).toEqual([])
  const end = sent.expiresAt ?? NOW
  const expired = expire(sent, daysAfter(end, 1)).document
  expect(causes(expired, daysAfter(end, 1))).toEqual(['expired'])
  expect(causes(expired, daysAfter(end, 30))).toEqual([])
})

test('sealing trouble needs the sender until it ends', () => {
  const sealing = { ...sent, status: 'sealing' as const }
  expect(causes(sealing, NOW)).toEqual([])
  expect(causes(sealingFailed(sealing, 'The disk is full').document, daysAfter(NOW, 400))).toEqual(['sealing_failed'])
})

test('drafts, completed and voided documents never need the sender', () => {
  for (const status of ['draft', 'completed', 'voided'] as const)
    expect(attentionSpan({ ...sent, status, sealingError: undefined })).toBeUndefined()
})

test('the span that is stored says the same as the causes, at any time', () => {
  const opened = changeRecipient(sent, 'ada', { status: 'viewed' })
  const documents = [
    sent,
    changeRecipient(sent, 'ada', { emailStatus: 'failed' }),
    decline(opened, 'ada', 'No', daysAfter(NOW, 2)).document,
    expire(sent, daysAfter(NOW, 31)).document,
    { ...sent, status: 'sealing' as const, sealingError: 'x' },
    draftOf(),
  ]
  for (const document of documents) {
    for (let hour = 0; hour < 24 * 90; hour++) {
      const now = hoursAfter(NOW, hour)
      const span = attentionSpan(document)
      const isInSpan = span !== undefined && (!span.from || span.from <= now) && (!span.until || span.until > now)
      // A declined document does not exist before it was declined.
      if (document.status === 'declined' && hour < 48) continue
      expect({ status: document.status, hour, isInSpan }).toEqual({
        status: document.status,
        hour,
        isInSpan: attentionOf(document, now).length > 0,
      })
    }
  }
})
