/** The mails and seals that follow from events. */
import { describe, expect, test } from 'bun:test'
import {
  type Document,
  daysAfter,
  expire,
  remindDue,
  send,
  type Transition,
  view,
  voidDocument,
} from '../../src/core/document/document.ts'
import { INTERNAL_EVENTS, isPublicEvent, PUBLIC_EVENTS } from '../../src/core/document/event.ts'
import { followUps } from '../../src/core/document/follow-up.ts'
import { sealed, sealingFailed } from '../../src/core/document/sealed.ts'
import { decline, finish } from '../../src/core/signing/signing.ts'
import {
  actOf,
  after,
  CERTIFICATE,
  documentsByStatus,
  draftOf,
  finished,
  NOW,
  recipient,
  SEALED,
  sent,
  viewed,
} from './sample.ts'

const DOCUMENTS = documentsByStatus()
const OWNER = 'the owner'

function orders({ document, events }: Transition): string[] {
  return followUps(document, events).map(o =>
    o.kind === 'seal' ? `seal ${o.documentId}` : `${o.mail} to ${o.recipientId ?? OWNER}`,
  )
}

describe('mails', () => {
  test('sending invites everyone whose turn it is, and no others', () => {
    expect(orders(send(draftOf(), NOW))).toEqual(['invitation to ada', 'invitation to ben', 'invitation to vera'])
    const recipients = [recipient('ada', 'signer', { order: 1 }), recipient('ben', 'signer', { order: 2 })]
    const sequential = draftOf({ signingOrder: 'sequential', recipients })
    expect(orders(send(sequential, NOW))).toEqual(['invitation to ada'])
    expect(orders(finish(after(sequential, sent(), viewed('ada')), 'ada', actOf(), NOW))).toEqual([
      'receipt to ada',
      'invitation to ben',
    ])
  })

  test('opening sends no mail, and a signature that is not the last the receipt alone', () => {
    expect(orders(view(DOCUMENTS.sent, 'ben', NOW))).toEqual([])
    expect(orders(finish(DOCUMENTS.sent, 'ada', actOf(), NOW))).toEqual(['receipt to ada'])
  })

  test('reminders go to the reminded recipients', () => {
    expect(orders(remindDue(DOCUMENTS.sent, daysAfter(NOW, 3)))).toEqual(['reminder to ada', 'reminder to ben'])
  })

  test('completion goes to all recipients and the owner', () => {
    expect(
      orders(sealed(DOCUMENTS.sealing, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, NOW)),
    ).toEqual(['completed to ada', 'completed to ben', 'completed to vera', `completed to ${OWNER}`])
  })

  test('completion goes to a viewer who was never invited', () => {
    const recipients = [recipient('ada', 'signer', { order: 1 }), recipient('vera', 'viewer', { order: 2 })]
    const sealing = after(draftOf({ signingOrder: 'sequential', recipients }), sent(), viewed('ada'), finished('ada'))
    expect(
      orders(sealed(sealing, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, NOW)),
    ).toContain('completed to vera')
  })

  test('a decline goes to the others and the owner, not to the one who declined', () => {
    expect(orders(decline(DOCUMENTS.sent, 'ben', 'No', NOW))).toEqual([
      'declined to ada',
      'declined to vera',
      `declined to ${OWNER}`,
    ])
  })

  test.each([
    ['a void', 'voided', (half: Document) => voidDocument(half, 'Wrong file')],
    ['expiry', 'expired', (half: Document) => expire(half, daysAfter(NOW, 31))],
  ])('%s goes to all who were asked: also to those who have signed, and to viewers', (_, mail, end) => {
    const half = after(DOCUMENTS.sent, finished('ada'))
    expect(orders(end(half))).toEqual(['ada', 'ben', 'vera', OWNER].map(whom => `${mail} to ${whom}`))
  })

  test('a decline goes to those who have signed', () => {
    expect(orders(decline(after(DOCUMENTS.sent, finished('ada')), 'ben', 'No', NOW))).toContain('declined to ada')
  })

  test('voiding a draft mails no recipient', () => {
    expect(orders(voidDocument(draftOf(), 'Wrong file'))).toEqual([`voided to ${OWNER}`])
  })

  test('the end does not go to those whose turn never came', () => {
    const recipients = [recipient('ada', 'signer', { order: 1 }), recipient('ben', 'signer', { order: 2 })]
    const open = after(draftOf({ signingOrder: 'sequential', recipients }), sent())
    expect(orders(decline(open, 'ada', 'No', NOW))).toEqual([`declined to ${OWNER}`])
    expect(orders(voidDocument(open, 'Wrong file'))).toEqual(['voided to ada', `voided to ${OWNER}`])
    expect(orders(expire(open, daysAfter(NOW, 31)))).toEqual(['expired to ada', `expired to ${OWNER}`])
  })
})

describe('seals', () => {
  test('the last signature queues one seal and no mail', () => {
    expect(orders(finish(after(DOCUMENTS.sent, finished('ada'), viewed('ben')), 'ben', actOf(), NOW))).toEqual(['seal doc_1'])
  })

  test('a failed seal queues no second seal, and mails the owner once per cause', () => {
    const failed = sealingFailed(DOCUMENTS.sealing, 'The disk was full.')
    expect(orders(failed)).toEqual([`sealing_failed to ${OWNER}`])
    expect(orders(sealingFailed(failed.document, 'The disk was full.'))).toEqual([])
  })
})

test('public and internal types are disjoint, and the public ones are those of the API', () => {
  expect(PUBLIC_EVENTS.every(isPublicEvent)).toBe(true)
  expect(INTERNAL_EVENTS.some(isPublicEvent)).toBe(false)
  expect([...PUBLIC_EVENTS].sort()).toEqual([
    'document.completed',
    'document.created',
    'document.declined',
    'document.deleted',
    'document.expired',
    'document.sealing_failed',
    'document.sent',
    'document.updated',
    'document.viewed',
    'document.voided',
    'recipient.access_code_locked',
    'recipient.code_sent',
    'recipient.corrected',
    'recipient.delegated',
    'recipient.email_failed',
    'recipient.notified',
    'recipient.reminded',
    'recipient.signed',
  ])
})
