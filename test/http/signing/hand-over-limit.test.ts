/** Hand-overs by signers are limited per day: each mails somebody whom the signer names. */
import { expect, test } from 'bun:test'
import {
  MAX_HAND_OVERS_OF_DOCUMENT,
  MAX_HAND_OVERS_OF_RECIPIENT,
  requireFewHandOvers,
} from '../../../src/core/signing/signing.ts'
import { find } from '../../../src/documents/queries.ts'
import { textOf } from '../../support/browser-less.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

/** The person at this address hands over to the next one. */
async function handOver(from: string, to: string) {
  await t.drain()
  const { visitor, page } = await openLinkAs(t, from)
  return visitor.submit(page, { name: 'Next Person', email: to }, '/delegate')
}

const address = (n: number) => `next${n}@example.com`

test('after three of one recipient in a day the next is refused with a sentence, and mails nobody; a day later it goes', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  let from = ADA.email
  for (let i = 0; i < MAX_HAND_OVERS_OF_RECIPIENT; i++) {
    t.clock.pass({ hours: 1 })
    expect((await handOver(from, address(i))).status).toBe(200)
    from = address(i)
  }
  const mails = t.mails.length
  const refused = await handOver(from, address(9))
  expect([refused.status, textOf(refused).includes('handed over too often today')]).toEqual([429, true])
  expect(refused.html).toContain(address(9))
  await t.drain()
  expect(t.mails.length - mails).toBe(1)
  expect((await find(t.app.db, id))?.recipients[0]?.email).toBe(from)
  t.clock.pass({ hours: 22, minutes: 1 })
  expect((await handOver(from, address(9))).status).toBe(200)
})

const NOW = new Date('2026-11-23T12:00:00Z')
const people = (n: number) => ({ recipients: Array.from({ length: n }, () => ({ role: 'signer' as const })) as never[] })
const handed = (n: number, recipientId: (i: number) => string, hoursAgo = 1) =>
  Array.from({ length: n }, (_, i) => ({
    recipientId: recipientId(i),
    at: new Date(NOW.getTime() - hoursAgo * 3_600_000).toISOString(),
  }))
const waitOf = (document: ReturnType<typeof people>, earlier: ReturnType<typeof handed>) => {
  try {
    requireFewHandOvers(document, 'rcp_me', earlier, NOW)
    return 0
  } catch (error) {
    return (error as { retryAfterS?: number }).retryAfterS
  }
}

test('those of a document are limited together, to as many as have to act where that is more', () => {
  const others = (i: number) => `rcp_${i}`
  expect(waitOf(people(8), handed(MAX_HAND_OVERS_OF_DOCUMENT - 1, others))).toBe(0)
  expect(waitOf(people(8), handed(MAX_HAND_OVERS_OF_DOCUMENT, others))).toBe(23 * 3600)
  expect(waitOf(people(60), handed(59, others))).toBe(0)
  expect(waitOf(people(60), handed(60, others))).toBe(23 * 3600)
})

test('hand-overs that a wrong clock dated into the future lock nobody out', () => {
  expect(
    waitOf(
      people(2),
      handed(MAX_HAND_OVERS_OF_RECIPIENT, () => 'rcp_me', -24 * 365),
    ),
  ).toBe(0)
  expect(
    waitOf(
      people(2),
      handed(MAX_HAND_OVERS_OF_RECIPIENT, () => 'rcp_me', 25),
    ),
  ).toBe(0)
})
