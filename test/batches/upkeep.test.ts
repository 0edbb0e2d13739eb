/** What batches keep, for how long, and what becomes of it with their owner and their documents. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { removePerson } from '../../src/accounts/manage.ts'
import {
  createBatch,
  createDraftBatch,
  deleteDraftBatch,
  loadDraftBatch,
  saveDraftReading,
  startDraftBatch,
} from '../../src/batches/batches.ts'
import { sweepBatches } from '../../src/batches/stop.ts'
import { errorAt } from '../../src/core/refusal.ts'
import { violation } from '../../src/core/violation.ts'
import { handOver } from '../../src/documents/lifecycle/hand-over.ts'
import { SYSTEM } from '../../src/ports.ts'
import { addPerson } from '../support/accounts.ts'
import { rounds, rowFor, rowsFor, sendAll, startBatch, tenancyTemplate, tenant } from '../support/batches.ts'
import type { TestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let templateId: string
beforeEach(async () => {
  templateId = await tenancyTemplate(t)
})

const DRAFT = { title: 'people.csv', source: Buffer.from('Name;E-mail'), reading: { delimiter: ';' }, total: 3 }
const draft = () => createDraftBatch(t.app, templateId, DRAFT, SYSTEM)
const files = async () => (await t.sql<{ sha256: string }>('SELECT sha256 FROM files')).length
const kept = () => t.sql('SELECT batch_id FROM batch_rows WHERE data IS NOT NULL')
const lines = (count: number) => rowsFor(count).map((use, i) => ({ line: i + 2, use }))

describe('a draft', () => {
  test('keeps its file and how it is read until it is started with its rows', async () => {
    const { id } = await draft()
    await saveDraftReading(t.app, id, { reading: { delimiter: ',' }, total: 2 }, SYSTEM)
    const { source, reading, template, batch } = await loadDraftBatch(t.app.db, SYSTEM.actor, id)
    expect([String(source), reading, template.id, batch.total]).toEqual(['Name;E-mail', { delimiter: ',' }, templateId, 2])
    expect(template.createdAt).toBeInstanceOf(Date)
    await rounds(t, 2)
    expect(t.mails).toEqual([])
    const started = await startDraftBatch(t.app, id, { rows: lines(2) }, SYSTEM)
    expect(started).toMatchObject({ state: 'running', total: 2, title: 'people.csv' })
    expect(await t.sql('SELECT id FROM batches WHERE source IS NOT NULL OR reading IS NOT NULL')).toEqual([])
    await sendAll(t)
    expect(t.mails.map(({ to }) => to.address)).toEqual([tenant(1), tenant(2)])
    const late = [() => deleteDraftBatch(t.app, id, SYSTEM), () => startDraftBatch(t.app, id, { rows: lines(2) }, SYSTEM)]
    for (const act of late) await expect(act()).rejects.toThrow(/^batch_(started|not_a_draft)$/)
  })

  test('refuses faulty rows by their lines, and asks the same questions as every batch', async () => {
    const { id } = await draft()
    const rows = [...lines(2), { line: 9, use: rowFor(1) }]
    await expect(startDraftBatch(t.app, id, { rows }, SYSTEM)).rejects.toMatchObject({
      reason: 'duplicate_batch',
      details: [errorAt('line 9', violation('same_people', { row: 'line 2' }))],
    })
    const wrong = { line: 4, use: { recipients: [{ role: 'Tenant', name: 'X', email: 'x', values: { Rent: '1' } }] } }
    await expect(startDraftBatch(t.app, id, { rows: [wrong] }, SYSTEM)).rejects.toMatchObject({
      details: [{ path: 'line 4, recipients[0].email' }],
    })
    expect((await startDraftBatch(t.app, id, { rows, force: true }, SYSTEM)).total).toBe(3)
  })

  test('is deleted on request, or when it is seven days old', async () => {
    const [{ id }] = [await draft(), await draft()]
    await deleteDraftBatch(t.app, id, SYSTEM)
    t.clock.pass({ days: 6 })
    await sweepBatches(t.app)
    expect(await t.sql('SELECT id FROM batches')).toHaveLength(1)
    t.clock.pass({ days: 2 })
    await sweepBatches(t.app)
    expect(await t.sql('SELECT id FROM batches')).toEqual([])
    expect((await t.api('GET', `/templates/${templateId}/file`)).status).toBe(200)
  })
})

test('a draft or a batch that somebody starts while old ones are deleted is sent', async () => {
  const [{ id }] = [await draft()]
  const stopped = await startBatch(t, templateId, rowsFor(5).slice(2))
  await t.api('POST', `/batches/${stopped}/stop`)
  t.clock.pass({ days: 8 })
  let isStarted = false
  const write: TestApp['app']['write'] = async (work, options) => {
    if (!isStarted) {
      isStarted = true
      await startDraftBatch(t.app, id, { rows: lines(2) }, SYSTEM)
      expect((await t.api('POST', `/batches/${stopped}/retry`)).status).toBe(200)
    }
    return t.app.write(work, options)
  }
  await sweepBatches({ ...t.app, write })
  await sendAll(t)
  expect(t.mails.map(({ to }) => to.address).sort()).toEqual([1, 2, 3, 4, 5].map(tenant))
})

test('rows that were not sent are kept for seven days after the end, and the file of a deleted template with them', async () => {
  const id = await startBatch(t, templateId, rowsFor(3))
  await t.api('POST', `/batches/${id}/stop`)
  expect((await t.api('DELETE', `/templates/${templateId}`)).status).toBe(200)
  t.clock.pass({ days: 6 })
  await sweepBatches(t.app)
  expect([(await kept()).length, await files()]).toEqual([3, 1])
  expect((await t.api('POST', `/batches/${id}/retry`)).status).toBe(200)
  await t.api('POST', `/batches/${id}/stop`)
  t.clock.pass({ days: 8 })
  await sweepBatches(t.app)
  expect([(await kept()).length, await files()]).toEqual([0, 0])
  expect((await t.api('POST', `/batches/${id}/retry`)).status).toBe(404)
})

test('a batch that was sent keeps nothing but its record, which goes with its last document', async () => {
  const id = await startBatch(t, templateId, rowsFor(2))
  await sendAll(t)
  await sweepBatches(t.app)
  expect(await t.sql('SELECT id FROM batches WHERE template IS NOT NULL OR sha256 IS NOT NULL')).toEqual([])
  const rows = (await t.api('GET', `/batches/${id}/rows`)).body.data
  const erase = async ({ documentId }: { documentId: string }) => {
    await t.api('POST', `/documents/${documentId}/void`, { reason: 'x' })
    expect((await t.api('DELETE', `/documents/${documentId}`)).status).toBe(200)
  }
  await erase(rows[0])
  await sweepBatches(t.app)
  expect((await t.api('GET', `/batches/${id}`)).body.counts.sent).toBe(2)
  await erase(rows[1])
  const [left] = await t.sql("SELECT count(*) AS count FROM batch_rows WHERE data IS NOT NULL OR error LIKE '%@%'")
  expect(left).toEqual({ count: 0 })
  await sweepBatches(t.app)
  expect((await t.api('GET', `/batches/${id}`)).status).toBe(404)
})

test('a batch that runs goes over to another person, and what it makes belongs to that person', async () => {
  const [ada, mia, theo] = [
    await addPerson(t, 'Ada', 'admin'),
    await addPerson(t, 'Mia', 'member'),
    await addPerson(t, 'Theo', 'member'),
  ]
  const shared = await tenancyTemplate(t, { shared: true })
  const { id } = await createBatch(t.app, shared, { rows: lines(2), pathOf: String }, mia.origin)
  await rounds(t, 1)
  await handOver(t.app, mia.id, theo.id, ada.origin)
  await removePerson(t.app, mia.id, ada.origin)
  await sendAll(t)
  const { key } = await createKey(t.app, { userId: theo.id }, { name: 'k', scopes: [], expiresInDays: undefined })
  const his = { authorization: `Bearer ${key}` }
  expect((await t.api('GET', `/batches/${id}`, undefined, his)).body).toMatchObject({ state: 'done', counts: { sent: 2 } })
  expect((await t.api('GET', '/documents', undefined, his)).body.data).toHaveLength(2)
})
