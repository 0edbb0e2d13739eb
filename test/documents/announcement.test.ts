/** Nothing is erased before somebody has received the mail that announces it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { RetentionPeriods } from '../../src/core/document/retention.ts'
import { changeRetention, eraseRetained } from '../../src/documents/retention/retention.ts'
import { SYSTEM } from '../../src/ports.ts'
import { readRetention } from '../../src/settings/retention.ts'
import { withContact } from '../support/announced.ts'
import { sentDocument, signedDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
beforeEach(() => withContact(t))

async function voidedDocument(): Promise<string> {
  const id = await sentDocument(t)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  return id
}

const keep = (periods: RetentionPeriods) => changeRetention(t.app, SYSTEM, periods)
const statusOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).status

async function nights(count: number): Promise<number> {
  let erased = 0
  for (let i = 0; i < count; i++) {
    t.clock.pass({ days: 1 })
    erased += await eraseRetained(t.app)
    await t.drain()
  }
  return erased
}

describe('an announcement that has reached nobody', () => {
  const refused = { outcome: 'refused', permanent: false, reply: '451 try again later' } as const
  const lost = { outcome: 'refused', permanent: true, reply: '550 no such user' } as const

  test('holds back all erasure, however long the mail server is away; then the time of warning begins', async () => {
    const id = await voidedDocument()
    t.clock.pass({ days: 100 })
    await keep({ voided: 1 })
    t.clock.pass({ days: 8 })
    await t.drain()
    t.mailVerdicts.push(...Array.from({ length: 6 }, () => refused))
    expect(await nights(2)).toBe(0)
    // No attempt succeeds: nights pass while the mail is queued.
    for (let night = 0; night < 40; night++) {
      t.clock.pass({ days: 1 })
      expect(await eraseRetained(t.app)).toBe(0)
    }
    expect((await readRetention(t.app.db, t.clock.now)).unreached?.kind).toBe('first')
    t.mailVerdicts.length = 0
    await t.drain()
    expect(await nights(13)).toBe(0)
    expect(await statusOf(id)).toBe(200)
    expect(await nights(1)).toBe(1)
  })

  test('is made again once none of its mails can arrive, and the new one counts', async () => {
    await voidedDocument()
    t.clock.pass({ days: 100 })
    await keep({ voided: 1 })
    t.clock.pass({ days: 8 })
    await t.drain()
    t.mails.length = 0
    t.mailVerdicts.push(lost)
    expect(await nights(1)).toBe(0)
    expect(t.mails).toEqual([])
    expect(await nights(14)).toBe(0)
    expect(t.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('1 document will be erased from')])
    expect(await nights(1)).toBe(1)
  })

  test('of a change holds back what the change erases more, not what was announced before', async () => {
    const old = await voidedDocument()
    const completed = await signedDocument(t)
    t.clock.pass({ days: 40 })
    await keep({ voided: 2 })
    await nights(10)
    await keep({ voided: 2, completed: 1 })
    // Nobody gets the mail: the worker does not run.
    for (let night = 0; night < 40; night++) {
      t.clock.pass({ days: 1 })
      await eraseRetained(t.app)
    }
    expect(await Promise.all([old, completed].map(statusOf))).toEqual([404, 200])
    await t.drain()
    await nights(6)
    expect(await statusOf(completed)).toBe(200)
    await nights(2)
    expect(await statusOf(completed)).toBe(404)
  })

  test('of the release before is read from its mails', async () => {
    const id = await voidedDocument()
    t.clock.pass({ days: 100 })
    await keep({ voided: 1 })
    t.clock.pass({ days: 8 })
    await eraseRetained(t.app)
    const stored = await t.app.db.selectFrom('settings').select('value').where('name', '=', 'retention').executeTakeFirstOrThrow()
    const { unreached: _, ...former } = JSON.parse(stored.value)
    await t.app.write(tx =>
      tx
        .updateTable('settings')
        .set({ value: JSON.stringify(former) })
        .where('name', '=', 'retention')
        .execute(),
    )
    t.clock.pass({ days: 20 })
    expect(await eraseRetained(t.app)).toBe(0)
    await t.drain()
    expect(await nights(13)).toBe(0)
    expect(await statusOf(id)).toBe(200)
    expect(await nights(1)).toBe(1)
  })
})
