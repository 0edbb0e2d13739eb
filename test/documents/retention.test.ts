/** Documents are erased when their retention is over: whole, after warnings, none under hold. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { verifyChain } from '../../src/audit/log.ts'
import type { RetentionPeriods } from '../../src/core/document/retention.ts'
import { liftLegalHold, setLegalHold } from '../../src/documents/lifecycle/bulk.ts'
import { changeRetention, eraseRetained, summariseDue } from '../../src/documents/retention/retention.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { readRetention } from '../../src/settings/retention.ts'
import { pauseSending, resumeSending } from '../../src/settings/sending-pause.ts'
import { addPerson } from '../support/accounts.ts'
import { withContact } from '../support/announced.ts'
import { ADA, newDocument, ONE, samplePdf } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
beforeEach(() => withContact(t))

const MONTH = { days: 31 }

async function completedDocument(overrides: Record<string, unknown> = {}): Promise<string> {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }], ...overrides })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  return id
}
const SIGNATURE = { type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }

async function voidedDocument(overrides: Record<string, unknown> = {}): Promise<string> {
  const id = await sentDocument(t, overrides)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  return id
}

const keep = (periods: RetentionPeriods) => changeRetention(t.app, SYSTEM, periods)
const statusOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).status
const events = async () =>
  (await t.app.db.selectFrom('events').select('entry').orderBy('sequence').execute()).map(({ entry }) => JSON.parse(entry))

/** Past the warnings, with a run each day as in operation. */
async function nights(count: number): Promise<number> {
  let erased = 0
  for (let i = 0; i < count; i++) {
    t.clock.pass({ days: 1 })
    erased += await eraseRetained(t.app)
    await t.drain()
  }
  return erased
}

test('by default nothing is erased, however old it is', async () => {
  const id = await completedDocument()
  t.clock.pass({ days: 5000 })
  expect(await nights(30)).toBe(0)
  expect(await statusOf(id)).toBe(200)
})

describe('the first erasure', () => {
  test('comes 14 days after administrators were mailed how many documents go', async () => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
    const ids = [await completedDocument(), await voidedDocument()]
    t.clock.pass({ days: 100 })
    await keep({ completed: 1, voided: 1 })
    await t.drain()
    t.mails.length = 0
    expect(await eraseRetained(t.app)).toBe(0)
    await t.drain()
    expect(t.mails.map(mail => [mail.to.address, mail.subject])).toEqual([
      [
        'grace@example.com',
        `[TEST] 2 documents will be erased from ${new Date(t.clock.now.getTime() + 14 * 86_400_000).toISOString().slice(0, 10)} on`,
      ],
    ])
    expect(await nights(13)).toBe(0)
    expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200])
    expect(await nights(1)).toBe(2)
    expect(await Promise.all(ids.map(statusOf))).toEqual([404, 404])
    await t.drain()
    expect(t.mails).toHaveLength(1)
  })

  test('was announced: administrators are mailed once more when a change will erase more, not less', async () => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
    await completedDocument()
    await keep({ completed: 2 })
    await nights(70)
    await t.drain()
    t.mails.length = 0
    await keep({ completed: 3 })
    await t.drain()
    expect(t.mails).toEqual([])
    await keep({ completed: 1 })
    await t.drain()
    const from = new Date(t.clock.now.getTime() + 7 * 86_400_000).toISOString().slice(0, 10)
    expect(t.mails.map(({ to, subject }) => [to.address, subject])).toEqual([
      ['grace@example.com', `[TEST] From ${from} on, documents are kept for a shorter time`],
    ])
  })

  test('is announced only when documents come near their end', async () => {
    await completedDocument()
    await keep({ completed: 3 })
    await nights(60)
    expect((await readRetention(t.app.db, t.clock.now)).announcedAt).toBeUndefined()
    await nights(20)
    expect((await readRetention(t.app.db, t.clock.now)).announcedAt).toBeInstanceOf(Date)
  })
})

describe('a change', () => {
  test('that erases more waits seven days and can be called off', async () => {
    const id = await completedDocument()
    await keep({ completed: 240 })
    t.clock.pass({ days: 40 })
    await keep({ completed: 1 })
    const { periods, next } = await readRetention(t.app.db, t.clock.now)
    expect([periods, next?.periods]).toEqual([{ completed: 240 }, { completed: 1 }])
    await keep({ completed: 240 })
    expect((await readRetention(t.app.db, t.clock.now)).next).toBeUndefined()
    expect(await nights(60)).toBe(0)
    expect(await statusOf(id)).toBe(200)
  })

  test('that keeps one status longer and another shorter counts at once for the longer one alone', async () => {
    await keep({ completed: 12, voided: 12 })
    t.clock.pass({ days: 8 })
    await keep({ completed: 24, voided: 6 })
    expect((await readRetention(t.app.db, t.clock.now)).periods).toEqual({ completed: 24, voided: 12 })
    t.clock.pass({ days: 8 })
    expect((await readRetention(t.app.db, t.clock.now)).periods).toEqual({ completed: 24, voided: 6 })
  })

  test('is in the audit log, and the same periods again are not', async () => {
    await keep({ completed: 12 })
    await keep({ completed: 12 })
    const changes = (await events()).filter(({ type }) => type === 'retention.changed')
    expect(changes.map(({ data }) => data)).toEqual([
      { completed: 12, declined: null, voided: null, expired: null, draft: null, from: expect.any(String) },
    ])
  })
})

async function inForce(periods: RetentionPeriods): Promise<void> {
  await keep(periods)
  await eraseRetained(t.app)
  await t.drain()
  await eraseRetained(t.app)
  t.clock.pass({ days: 15 })
}

test('each status has its own period, counted from the end; a change of labels does not prolong it', async () => {
  const completed = await completedDocument()
  const voided = await voidedDocument()
  const draft = (await t.api('POST', '/documents', await newDocument())).body.id
  const sent = await sentDocument(t, { expiresInDays: 365 })
  t.clock.pass(MONTH)
  await t.api('PATCH', `/documents/${voided}`, { labels: ['Looked at'] })
  await t.api('PATCH', `/documents/${draft}`, { title: 'Edited' })
  t.clock.pass({ days: 20 })
  await inForce({ completed: 4, voided: 2, draft: 2 })
  expect(await eraseRetained(t.app)).toBe(1)
  expect(await Promise.all([completed, voided, draft, sent].map(statusOf))).toEqual([200, 404, 200, 200])
})

test('a record with the hashes remains in the chain, which can be verified, and nothing personal', async () => {
  const id = await completedDocument({ title: 'Canary title' })
  const { sha256 } = (await t.api('GET', `/documents/${id}`)).body
  t.clock.pass(MONTH)
  await inForce({ completed: 1 })
  await eraseRetained(t.app)
  const { type, documentId, actor, data, personal } = (await events()).at(-1)
  expect([type, documentId, actor, personal]).toEqual(['document.erased', id, 'system', null])
  expect(data).toEqual({ reason: 'retention', status: 'completed', originalSha256: sha256.original, sealedSha256: sha256.sealed })
  expect(await verifyChain(t.app.db)).toHaveProperty('head')
  expect(await t.app.db.selectFrom('event_details').where('document_id', '=', id).selectAll().execute()).toEqual([])
  for (const table of ['recipients', 'fields', 'mails', 'jobs', 'deliveries', 'mark_contents', 'sealed_versions'] as const)
    expect((await t.app.db.selectFrom(table).selectAll().execute()).filter(row => !isNotice(row))).toEqual([])
})

/** The announcement, which names no document. */
const isNotice = (row: object) => 'kind' in row && (row.kind === 'notice' || row.kind === 'mail')

describe('the nightly run', () => {
  /** The app, with something that happens between the list of due documents and their erasure. */
  function interrupted(work: () => Promise<unknown>): App {
    let isFirst = true
    const write: App['write'] = async (change, options) => {
      if (isFirst) {
        isFirst = false
        await work()
      }
      return t.app.write(change, options)
    }
    return { ...t.app, write }
  }

  const interruptions: [string, (id: string) => Promise<unknown>][] = [
    ['a hold', id => setLegalHold(t.app, id, 'Case 4711', SYSTEM)],
    ['a longer period', () => keep({ voided: 240 })],
  ]
  for (const [name, work] of interruptions) {
    test(`leaves alone what ${name} keeps that was set after it began`, async () => {
      const id = await voidedDocument()
      t.clock.pass(MONTH)
      await inForce({ voided: 1 })
      expect(await eraseRetained(interrupted(() => work(id)))).toBe(0)
      expect(await statusOf(id)).toBe(200)
      expect(t.logged.filter(({ level }) => level === 'error')).toEqual([])
    })
  }

  test('erases nothing in a restored copy before sending is resumed', async () => {
    const id = await voidedDocument()
    t.clock.pass(MONTH)
    await inForce({ voided: 1 })
    await t.app.write(tx => pauseSending(tx, { since: t.clock.now, backupMadeAt: t.clock.now }))
    expect(await eraseRetained(t.app)).toBe(0)
    await resumeSending(t.app, SYSTEM)
    expect(await eraseRetained(t.app)).toBe(1)
    expect(await statusOf(id)).toBe(404)
  })
})

test('a file stays while another document refers to it', async () => {
  const old = await voidedDocument()
  t.clock.pass(MONTH)
  const young = await voidedDocument()
  await inForce({ voided: 1 })
  await eraseRetained(t.app)
  expect(await Promise.all([old, young].map(statusOf))).toEqual([404, 200])
  const original = sha256Hex(Buffer.from(await samplePdf(), 'base64'))
  expect((await t.app.storage.read(original)).length).toBeGreaterThan(0)
  t.clock.pass(MONTH)
  await eraseRetained(t.app)
  expect(await statusOf(young)).toBe(404)
  expect(t.app.storage.read(original)).rejects.toThrow()
})

describe('a legal hold', () => {
  const set = (id: string) => setLegalHold(t.app, id, 'Case 4711', SYSTEM)

  test('keeps the document from retention and from deletion by anybody, until it is lifted', async () => {
    const id = await voidedDocument()
    await set(id)
    t.clock.pass(MONTH)
    await inForce({ voided: 1 })
    expect(await eraseRetained(t.app)).toBe(0)
    const refused = await t.api('DELETE', `/documents/${id}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state'])
    expect(refused.body.error.message).toContain('legal hold')
    await liftLegalHold(t.app, id, 'Case closed', SYSTEM)
    await eraseRetained(t.app)
    await t.drain()
    t.clock.pass({ days: 15 })
    expect(await eraseRetained(t.app)).toBe(1)
    expect(await statusOf(id)).toBe(404)
  })

  test('is set and lifted by administrators alone; to a member, documents of others do not exist', async () => {
    const id = await voidedDocument()
    const refused = [
      ['member', 'not_found'],
      ['auditor', 'forbidden'],
    ] as const
    for (const [role, reason] of refused) {
      const { origin } = await addPerson(t, role, role)
      await expect(setLegalHold(t.app, id, 'x', origin)).rejects.toMatchObject({ reason })
      await expect(liftLegalHold(t.app, id, 'x', origin)).rejects.toMatchObject({ reason })
    }
  })

  test('is not set and lifted by a member who owns the document', async () => {
    const id = await voidedDocument()
    const { origin, id: ownerId } = await addPerson(t, 'Owner', 'member')
    await t.app.write(tx => tx.updateTable('documents').set({ owner_id: ownerId }).where('id', '=', id).execute())
    await expect(setLegalHold(t.app, id, 'x', origin)).rejects.toMatchObject({ reason: 'forbidden' })
    await expect(liftLegalHold(t.app, id, 'x', origin)).rejects.toMatchObject({ reason: 'forbidden' })
  })

  test('keeps the row from an executable that knows of no hold', async () => {
    const id = await voidedDocument()
    await set(id)
    const remove = t.app.write(tx => tx.deleteFrom('documents').where('id', '=', id).execute())
    expect(remove).rejects.toThrow()
    expect(await statusOf(id)).toBe(200)
  })

  test('is in the chain with its reason, once', async () => {
    const id = await sentDocument(t, ONE)
    await set(id)
    expect(set(id)).rejects.toThrow('document_held_already')
    await liftLegalHold(t.app, id, 'Case closed', SYSTEM)
    expect(liftLegalHold(t.app, id, 'x', SYSTEM)).rejects.toThrow('document_not_held')
    expect(setLegalHold(t.app, id, '  ', SYSTEM)).rejects.toThrow('reason_missing')
    const { body } = await t.api('GET', `/documents/${id}/audit`)
    const acts = body.events.filter(({ type }: { type: string }) => type.startsWith('document.legal_hold'))
    expect(acts.map((e: { type: string; personal: unknown }) => [e.type, e.personal])).toEqual([
      ['document.legal_hold_set', { reason: 'Case 4711' }],
      ['document.legal_hold_lifted', { reason: 'Case closed' }],
    ])
  })
})

test('a repeated request whose document was erased is refused and makes no second one', async () => {
  const body = JSON.stringify(await newDocument())
  const key = { 'idempotency-key': 'once' }
  const { id } = (await t.api('POST', '/documents', body, key)).body
  await t.api('DELETE', `/documents/${id}`)
  const again = await t.api('POST', '/documents', body, key)
  expect([again.status, again.body.error.message]).toEqual([404, 'The document of this request was deleted since.'])
  expect(await t.app.db.selectFrom('documents').selectAll().execute()).toEqual([])
  expect((await t.app.db.selectFrom('idempotency_keys').select('sealed_body').execute())[0]?.sealed_body).toBeNull()
})

test('the summary counts by status and month and names the first documents', async () => {
  for (let i = 0; i < 3; i++) await voidedDocument({ title: `Number ${i}` })
  t.clock.pass(MONTH)
  await completedDocument()
  t.clock.pass({ days: 70 })
  const { count, months, first } = await summariseDue(t.app, { completed: 1, voided: 1 }, t.clock.now, 2)
  expect(count).toBe(4)
  expect(months).toEqual([
    { status: 'completed', month: '2026-12', count: 1 },
    { status: 'voided', month: '2026-11', count: 3 },
  ])
  expect(first.map(({ title, status }) => [title, status])).toEqual([
    ['agreement', 'completed'],
    ['Number 0', 'voided'],
  ])
})
