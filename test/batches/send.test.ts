/** Sending the rows of a batch: each once, at a pace, whatever happens in the middle. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { actorOf, authenticate, createKey, revokeKey } from '../../src/accounts/keys.ts'
import { changeRole, disablePerson } from '../../src/accounts/manage.ts'
import { createBatch } from '../../src/batches/batches.ts'
import { refusalOfRow, rowErrorText, sendBatches } from '../../src/batches/send.ts'
import { retryBatch, stopBatch } from '../../src/batches/stop.ts'
import type { Document } from '../../src/core/document/document.ts'
import { errorAt, validationRefusal } from '../../src/core/refusal.ts'
import type { BatchRow } from '../../src/core/template/batch.ts'
import { violation } from '../../src/core/violation.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { queueNotice } from '../../src/outbox/outbox.ts'
import { type Origin, SYSTEM } from '../../src/ports.ts'
import { pauseSending, resumeSending } from '../../src/settings/sending-pause.ts'
import { addPerson } from '../support/accounts.ts'
import { rounds, rowFor, rowsFor, sendAll, startBatch, tenancyTemplate, tenant } from '../support/batches.ts'
import { joinNode } from '../support/nodes.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const batch = async (id: string) => (await t.api('GET', `/batches/${id}`)).body
const rowsOf = async (id: string, query = '') => (await t.api('GET', `/batches/${id}/rows?limit=100${query}`)).body.data
const addressees = () => t.mails.map(({ to }) => to.address)
async function startAs({ origin }: { origin: Origin }, templateId: string, uses: ReturnType<typeof rowFor>[]): Promise<string> {
  const rows = uses.map((use, i) => ({ line: i + 1, use }))
  return (await createBatch(t.app, templateId, { rows, pathOf: String }, origin)).id
}
async function originOfKey(key: string): Promise<{ origin: Origin }> {
  return { origin: { actor: actorOf(await authenticate(t.app, key)), ip: undefined, userAgent: undefined } }
}
const LATER = { outcome: 'refused', permanent: false, reply: '450 too many, try later' } as const

test('each row becomes a document of its own, which its person is mailed once', async () => {
  const id = await startBatch(t, await tenancyTemplate(t), rowsFor(5))
  expect((await batch(id)).counts).toEqual({ waiting: 5, sent: 0, failed: 0, stopped: 0 })
  await sendAll(t)
  expect(await batch(id)).toMatchObject({ state: 'done', counts: { waiting: 0, sent: 5, failed: 0, stopped: 0 } })
  expect(addressees().sort()).toEqual([1, 2, 3, 4, 5].map(tenant))
  const [first] = await rowsOf(id)
  const document = (await t.api('GET', `/documents/${first.documentId}`)).body
  expect(document).toMatchObject({ title: 'Tenancy of Tenant 1', status: 'sent' })
  expect(document.recipients[0].fields.map((f: { value: string | null }) => f.value)).toContain('901 EUR')
  expect(await t.sql('SELECT number FROM batch_rows WHERE data IS NOT NULL')).toEqual([])
  // A batch that went well is reported to nobody.
  expect(t.mails).toHaveLength(5)
})

test('a template that is changed while the rows are checked is refused, and nothing is stored', async () => {
  const templateId = await tenancyTemplate(t)
  let isChanged = false
  const write: TestApp['app']['write'] = async (work, options) => {
    if (!isChanged) {
      isChanged = true
      expect((await t.api('PATCH', `/templates/${templateId}`, { message: 'Please sign.' })).status).toBe(200)
    }
    return t.app.write(work, options)
  }
  const rows = [{ line: 1, use: rowFor(1) }]
  const start = (app: TestApp['app']) => createBatch(app, templateId, { rows, pathOf: String }, SYSTEM)
  await expect(start({ ...t.app, write })).rejects.toMatchObject({ reason: 'draft_changed' })
  expect(await t.sql('SELECT id FROM batches')).toEqual([])
  expect((await start(t.app)).state).toBe('running')
})

test('a row that is refused when its turn comes fails with the reason, and the others are sent', async () => {
  const soon = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
  const rows = [rowFor(1), rowFor(2, { expiresAt: soon }), rowFor(3)]
  const id = await startBatch(t, await tenancyTemplate(t), rows)
  t.clock.pass({ hours: 2 })
  await sendAll(t)
  expect(await batch(id)).toMatchObject({ state: 'done', counts: { waiting: 0, sent: 2, failed: 1, stopped: 0 } })
  const [failed] = await rowsOf(id, '&state=failed')
  expect(failed).toMatchObject({ number: 2, documentId: null, error: 'Date of expiry: must lie in the future' })
  expect(rowErrorText(appTextsOf('de'), failed.error)).toBe('Ablaufdatum: muss in der Zukunft liegen')
  expect(await t.sql("SELECT id FROM documents WHERE status <> 'template'")).toHaveLength(2)
  expect(addressees()).not.toContain(tenant(2))
})

test('why a row failed is said with its role and field, without a path', async () => {
  const template = (await t.api('GET', `/templates/${await tenancyTemplate(t)}`)).body
  const reason = (path: string) => {
    const row = { number: 1, line: 1, state: 'waiting', use: rowFor(1) } as BatchRow
    const said = refusalOfRow(validationRefusal([errorAt(path, violation('not_in_the_future'))]), row, {
      recipients: template.roles,
    } as Document)
    return [said, rowErrorText(appTextsOf('de'), said)]
  }
  expect(reason('recipients[0].email')).toEqual([
    'Tenant: E-mail address: must lie in the future',
    'Tenant: E-Mail-Adresse: muss in der Zukunft liegen',
  ])
  expect(reason('recipients[0].values.Rent')[0]).toBe('Tenant: Rent: must lie in the future')
  expect(reason('values.Rent')[1]).toBe('Rent: muss in der Zukunft liegen')
})

test('its owner is mailed about rows that failed', async () => {
  const mia = await addPerson(t, 'Mia', 'member')
  const templateId = await tenancyTemplate(t, { shared: true })
  const soon = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
  await startAs(mia, templateId, [rowFor(1, { expiresAt: soon })])
  t.clock.pass({ hours: 2 })
  await sendAll(t)
  await t.drain()
  expect(t.mails.map(({ to, subject }) => [to.address, subject])).toEqual([
    [mia.email, '[TEST] 1 document of “Tenancy of Tenant” was not sent'],
  ])
})

test('two nodes at once send no row twice', async () => {
  const id = await startBatch(t, await tenancyTemplate(t), rowsFor(12))
  const other = await joinNode(t, 'other')
  for (let i = 0; i < 12; i++) {
    await Promise.all([sendBatches(t.app), sendBatches(other.app), sendBatches(t.app)])
    t.clock.pass({ seconds: 60 })
  }
  await t.drain()
  expect((await batch(id)).counts).toMatchObject({ sent: 12, waiting: 0 })
  expect(addressees().sort()).toEqual(
    rowsFor(12)
      .map((_, i) => tenant(i + 1))
      .sort(),
  )
})

test('what a row has made is undone if it cannot be marked as sent, and made once later', async () => {
  const id = await startBatch(t, await tenancyTemplate(t), rowsFor(2))
  const { write } = t.app
  let crashes = 1
  t.app.write = (work, how) =>
    write(async tx => {
      const result = await work(tx)
      if (crashes-- > 0) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      return result
    }, how)
  await expect(sendBatches(t.app)).rejects.toThrow('cannot be stored')
  t.app.write = write
  expect(await t.sql("SELECT id FROM documents WHERE status <> 'template'")).toEqual([])
  expect((await batch(id)).counts).toMatchObject({ waiting: 2, failed: 0 })
  await sendAll(t)
  expect(addressees().sort()).toEqual([tenant(1), tenant(2)])
})

describe('a batch that is stopped', () => {
  test('sends nothing more, and what was sent stays; later it sends the rest alone', async () => {
    const id = await startBatch(t, await tenancyTemplate(t), rowsFor(4))
    await rounds(t, 2)
    const stopped = await t.api('POST', `/batches/${id}/stop`)
    expect(stopped.body).toMatchObject({ state: 'stopped', counts: { waiting: 0, sent: 2, failed: 0, stopped: 2 } })
    await rounds(t, 3)
    expect(addressees()).toEqual([tenant(1), tenant(2)])
    expect((await t.api('POST', `/batches/${id}/stop`)).status).toBe(409)
    expect((await t.api('POST', `/batches/${id}/retry`)).body).toMatchObject({
      state: 'running',
      counts: { waiting: 2, sent: 2 },
    })
    await sendAll(t)
    expect(addressees()).toEqual([1, 2, 3, 4].map(tenant))
    expect((await t.api('POST', `/batches/${id}/retry`)).status).toBe(409)
    const types = (await t.sql<{ type: string }>('SELECT type FROM events ORDER BY sequence')).map(({ type }) => type)
    expect(types.filter(type => type.startsWith('batch.'))).toEqual([
      'batch.created',
      'batch.stopped',
      'batch.resumed',
      'batch.finished',
    ])
  })

  test('was stopped by the service if its owner may send no more', async () => {
    const [ada, mia] = [await addPerson(t, 'Ada', 'admin'), await addPerson(t, 'Mia', 'member')]
    const templateId = await tenancyTemplate(t, { shared: true })
    const id = await startAs(mia, templateId, rowsFor(3))
    await rounds(t, 1)
    await disablePerson(t.app, mia.id, ada.origin)
    await rounds(t, 2)
    const stopped = { state: 'stopped', stopReason: 'not_permitted', counts: { sent: 1, stopped: 2 } }
    expect(await batch(id)).toMatchObject(stopped)
  })

  test('was stopped by the service if whoever sends it only reads from now on: its owner, or who resumed it', async () => {
    const [ada, mia, max] = [
      await addPerson(t, 'Ada', 'admin'),
      await addPerson(t, 'Mia', 'member'),
      await addPerson(t, 'Max', 'admin'),
    ]
    const templateId = await tenancyTemplate(t, { shared: true })
    const stopped = { state: 'stopped', stopReason: 'not_permitted', counts: { sent: 1, stopped: 2 } }
    const own = await startAs(mia, templateId, rowsFor(3))
    await rounds(t, 1)
    await stopBatch(t.app, own, mia.origin)
    await retryBatch(t.app, own, ada.origin)
    await changeRole(t.app, mia.id, 'auditor', ada.origin)
    await rounds(t, 2)
    expect(await batch(own)).toMatchObject(stopped)
    const ofInstance = (await t.api('POST', `/templates/${templateId}/batches`, { rows: [11, 12, 13].map(n => rowFor(n)) })).body
      .id
    await rounds(t, 1)
    await stopBatch(t.app, ofInstance, max.origin)
    await retryBatch(t.app, ofInstance, max.origin)
    await changeRole(t.app, max.id, 'auditor', ada.origin)
    await rounds(t, 2)
    expect(await batch(ofInstance)).toMatchObject(stopped)
  })

  for (const owner of ['of a person', 'of the instance'])
    test(`was stopped by the service if its API token ${owner} was revoked or has expired`, async () => {
      const mia = owner === 'of a person' ? await addPerson(t, 'Mia', 'member') : undefined
      const templateId = await tenancyTemplate(t, { shared: true })
      const start = async (first: number) => {
        const made = await createKey(t.app, { userId: mia?.id }, { name: 'k', scopes: [], expiresInDays: 1 })
        const rows = [rowFor(first), rowFor(first + 1), rowFor(first + 2)]
        return { key: made.id, batch: await startAs(await originOfKey(made.key), templateId, rows) }
      }
      const counts = { waiting: 0, sent: 1, failed: 0, stopped: 2 }
      const revoked = await start(1)
      await rounds(t, 1)
      await revokeKey(t.app, SYSTEM, revoked.key)
      await rounds(t, 2)
      expect(await batch(revoked.batch)).toMatchObject({ state: 'stopped', stopReason: 'key_revoked', counts })
      const expired = await start(11)
      await rounds(t, 1)
      t.clock.pass({ days: 1 })
      await rounds(t, 2)
      expect(await batch(expired.batch)).toMatchObject({ state: 'stopped', stopReason: 'key_expired', counts })
      // Whoever has the rest sent is asked for from then on.
      expect((await t.api('POST', `/batches/${revoked.batch}/retry`)).body).toMatchObject({ state: 'running', stopReason: null })
      await sendAll(t)
      expect(await batch(revoked.batch)).toMatchObject({ state: 'done', counts: { sent: 3 } })
    })

  test('names whoever had the rest sent as the actor of what follows', async () => {
    const [ada, mia] = [await addPerson(t, 'Ada', 'admin'), await addPerson(t, 'Mia', 'member')]
    const id = await startAs(mia, await tenancyTemplate(t, { shared: true }), rowsFor(2))
    await rounds(t, 1)
    await stopBatch(t.app, id, mia.origin)
    await retryBatch(t.app, id, ada.origin)
    await sendAll(t)
    const actors = async ({ documentId }: { documentId: string }) => {
      const { events } = (await t.api('GET', `/documents/${documentId}/audit`)).body
      return ['document.created', 'recipient.notified'].map(type => events.find((e: { type: string }) => e.type === type).actor)
    }
    const [before, after] = await rowsOf(id)
    expect(await actors(before)).toEqual([`user:${mia.id}`, `user:${mia.id}`])
    expect(await actors(after)).toEqual([`user:${ada.id}`, `user:${ada.id}`])
    const owners = await t.sql("SELECT DISTINCT owner_id FROM documents WHERE status <> 'template'")
    expect(owners).toEqual([{ owner_id: mia.id }])
  })
})

describe('the pace', () => {
  test('is the rate that is set, evenly, and other mails go first', async () => {
    await t.close()
    t = await openTestApp({ env: { SIGNET_BULK_MAILS_PER_MINUTE: '120' } })
    await startBatch(t, await tenancyTemplate(t), rowsFor(200))
    await rounds(t, 1)
    expect(t.mails).toHaveLength(2)
    await rounds(t, 59)
    expect(t.mails).toHaveLength(120)
    await sendBatches(t.app)
    await t.app.write(tx => queueNotice(tx, t.app, { name: 'X', email: 'x@example.com' }, { subject: 's', paragraphs: [] }))
    const lanes = await t.sql<{ lane: string }>("SELECT lane FROM jobs WHERE state = 'open' ORDER BY lane")
    expect(lanes.map(({ lane }) => lane)).toEqual(['mail', 'mail:bulk', 'mail:bulk'])
  })

  test('slower than once a second, it is kept over a minute', async () => {
    await t.close()
    t = await openTestApp({ env: { SIGNET_BULK_MAILS_PER_MINUTE: '3' } })
    await startBatch(t, await tenancyTemplate(t), rowsFor(10))
    await rounds(t, 55)
    expect(t.mails).toHaveLength(3)
    await rounds(t, 60)
    expect(t.mails).toHaveLength(6)
  })

  test('rests while the mail server asks for later attempts, and goes on when it accepts again', async () => {
    await startBatch(t, await tenancyTemplate(t), rowsFor(40))
    t.mailVerdicts.push(...Array(3).fill(LATER))
    await rounds(t, 20)
    const sent = (await t.sql("SELECT number FROM batch_rows WHERE state = 'sent'")).length
    expect(sent).toBeLessThanOrEqual(4)
    await rounds(t, 40)
    expect((await t.sql("SELECT number FROM batch_rows WHERE state = 'sent'")).length).toBeGreaterThan(10)
    await sendAll(t)
    t.clock.pass({ hours: 3 })
    await t.drain()
    expect(new Set(addressees()).size).toBe(40)
    expect(t.mails).toHaveLength(40)
  })

  test('no row is begun while many mails wait', async () => {
    await t.close()
    t = await openTestApp({ env: { SIGNET_BULK_MAILS_PER_MINUTE: '6000' } })
    await startBatch(t, await tenancyTemplate(t), rowsFor(300))
    for (let i = 0; i < 5; i++) {
      await sendBatches(t.app)
      t.clock.pass({ seconds: 1 })
    }
    expect(await t.sql("SELECT number FROM batch_rows WHERE state = 'sent'")).toHaveLength(100)
    expect(t.mails).toEqual([])
  })

  test('two batches take turns', async () => {
    const templateId = await tenancyTemplate(t)
    await startBatch(t, templateId, rowsFor(4))
    t.clock.pass({ seconds: 1 })
    await startBatch(
      t,
      templateId,
      [11, 12].map(i => rowFor(i)),
    )
    t.clock.pass({ seconds: 1 })
    await rounds(t, 4)
    expect(addressees().sort()).toEqual([1, 2, 11, 12].map(tenant).sort())
  })

  test('a clock that was set back does not hold the batch', async () => {
    await startBatch(t, await tenancyTemplate(t), rowsFor(3))
    await rounds(t, 2)
    t.clock.pass({ days: -10 })
    await rounds(t, 1)
    expect(t.mails).toHaveLength(3)
  })
})

test('after a restore a batch that ran is stopped, and one that is started waits until sending is resumed', async () => {
  const templateId = await tenancyTemplate(t)
  const before = await startBatch(t, templateId, rowsFor(2))
  t.clock.pass({ seconds: 1 })
  await t.app.write(tx => pauseSending(tx, { since: t.app.now(), backupMadeAt: t.app.now() }))
  t.clock.pass({ seconds: 1 })
  const after = await startBatch(t, templateId, [rowFor(11)])
  await rounds(t, 3)
  expect(t.mails).toEqual([])
  expect([(await batch(before)).state, (await batch(after)).state]).toEqual(['stopped', 'running'])
  await resumeSending(t.app, SYSTEM)
  await sendAll(t)
  expect(addressees()).toEqual([tenant(11)])
  expect((await t.api('POST', `/batches/${before}/retry`)).status).toBe(200)
  await sendAll(t)
  expect(t.mails).toHaveLength(3)
})

test('neither a change of the template nor its deletion touches a batch that runs', async () => {
  const templateId = await tenancyTemplate(t)
  const id = await startBatch(t, templateId, rowsFor(3))
  await rounds(t, 1)
  expect((await t.api('PATCH', `/templates/${templateId}`, { title: 'Other' })).status).toBe(200)
  await rounds(t, 1)
  expect((await t.api('DELETE', `/templates/${templateId}`)).status).toBe(200)
  await sendAll(t)
  const rows = await rowsOf(id)
  for (const { documentId } of rows) {
    expect((await t.api('GET', `/documents/${documentId}`)).body.title).toMatch(/^Tenancy of Tenant \d$/)
    expect((await t.api('GET', `/documents/${documentId}/file`)).status).toBe(200)
  }
  const { events } = (await t.api('GET', `/documents/${rows[2].documentId}/audit`)).body
  expect(events[0].data.template).toEqual({ id: templateId, version: expect.any(Number) })
  expect(events[0].data.batch).toEqual({ id, row: 3 })
})
