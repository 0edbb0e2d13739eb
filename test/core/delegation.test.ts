/** Delegation: what changes, what stays, and who may not delegate. */
import { describe, expect, test } from 'bun:test'
import { changeRecipient, recipientOf } from '../../src/core/document/document.ts'
import { followUps } from '../../src/core/document/follow-up.ts'
import { decline, delegate, mayDelegate } from '../../src/core/signing/signing.ts'
import {
  actOf,
  after,
  documentsByStatus,
  draftOf,
  finished,
  frozen,
  hoursAfter,
  NOW,
  pathsOf,
  refusalOf,
  sent,
  viewed,
} from './sample.ts'

const DOCUMENTS = documentsByStatus()
const CAROL = { name: ' Carol\tKing ', email: 'carol@example.com ' }
const LATER = hoursAfter(NOW, 30)

describe('delegating', () => {
  const before = frozen(changeRecipient(DOCUMENTS.sent, 'ada', { accessCodeHash: 'x', accessCodeAttempts: 3, remindersSent: 4 }))
  const { document, events } = delegate(before, 'ada', CAROL, LATER)
  const carol = recipientOf(document, 'ada')

  test('the colleague starts anew with a new link and the same access code and fields', () => {
    expect(carol).toMatchObject({ name: 'Carol King', email: 'carol@example.com', status: 'sent', sentAt: LATER })
    expect([carol.viewedAt, carol.accessCodeAttempts, carol.remindersSent]).toEqual([undefined, 0, 0])
    expect(carol.linkVersion).toBe(recipientOf(before, 'ada').linkVersion + 1)
    expect([carol.accessCodeHash, carol.role, carol.order]).toEqual(['x', 'signer', 1])
    expect(recipientOf(document, 'ben')).toBe(recipientOf(before, 'ben'))
  })

  test('the event has both persons as personal data; the colleague is invited, the sender informed', () => {
    const [first, second] = events
    expect(first).toEqual({
      type: 'recipient.delegated',
      recipientId: 'ada',
      personal: { from: { name: 'ada', email: 'ada@example.com' }, to: { name: 'Carol King', email: 'carol@example.com' } },
    })
    expect(second).toEqual({ type: 'recipient.notified', recipientId: 'ada' })
    expect(followUps(document, events).map(order => (order.kind === 'mail' ? [order.mail, order.recipientId] : order))).toEqual([
      ['delegated', undefined],
      ['invitation', 'ada'],
    ])
  })

  test('needs a name and the address of another person', () => {
    expect(pathsOf(() => delegate(before, 'ada', { name: ' ', email: 'nobody' }, LATER))).toEqual(['name', 'email'])
    for (const email of ['ADA@example.com', 'ben@example.com'])
      expect(pathsOf(() => delegate(before, 'ada', { name: 'Ben', email }, LATER))).toEqual(['email'])
    // Somebody else may read the mail of the same address.
    expect(delegate(before, 'ada', { ...CAROL, email: 'ben@example.com' }, LATER).events).toHaveLength(2)
    expect(pathsOf(() => delegate(before, 'ada', { ...CAROL, name: 'x'.repeat(101) }, LATER))).toEqual(['name'])
    expect(recipientOf(delegate(before, 'ada', { ...CAROL, email: 'vera@example.com' }, LATER).document, 'ada').email).toBe(
      'vera@example.com',
    )
  })

  test('is too late at the expiry, and so is declining', () => {
    const over = frozen({ ...before, expiresAt: LATER })
    const tooLate = ['invalid_state', 'signingPeriodOver']
    for (const act of [() => delegate(over, 'ada', CAROL, LATER), () => decline(over, 'ada', 'no', LATER)]) {
      const { reason, messageRef } = refusalOf(act)
      expect([String(reason), String(messageRef?.key)]).toEqual(tooLate)
    }
    const earlier = new Date(LATER.getTime() - 1)
    expect(recipientOf(delegate(over, 'ada', CAROL, earlier).document, 'ada').email).toBe('carol@example.com')
    expect(decline(over, 'ada', 'no', earlier).document.status).toBe('declined')
  })

  test('a sender can forbid it', () => {
    const forbidden = frozen({ ...before, allowDelegation: false })
    expect(mayDelegate(forbidden, recipientOf(forbidden, 'ada'))).toBe(false)
    expect(refusalOf(() => delegate(forbidden, 'ada', CAROL, LATER)).messageRef?.key).toBe('delegationForbidden')
  })

  test('is refused for those who need not act or have finished, and for ended documents', () => {
    const done = after(draftOf(), sent(), viewed('ada'), finished('ada', NOW, actOf()))
    expect(refusalOf(() => delegate(done, 'ada', CAROL, LATER)).reason).toBe('invalid_state')
    expect(refusalOf(() => delegate(done, 'vera', CAROL, LATER)).reason).toBe('invalid_state')
    for (const [status, ended] of Object.entries(DOCUMENTS)) {
      if (status === 'sent') continue
      expect(mayDelegate(ended, recipientOf(ended, 'ben'))).toBe(false)
      expect([status, refusalOf(() => delegate(ended, 'ben', CAROL, LATER)).reason]).toEqual([status, 'invalid_state'])
    }
  })
})
