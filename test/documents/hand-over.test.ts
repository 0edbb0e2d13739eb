/** Documents of one who leaves go to another. */
import { beforeEach, expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { disablePerson, removePerson } from '../../src/accounts/manage.ts'
import { belongingsOf } from '../../src/accounts/people-queries.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { handOver } from '../../src/documents/lifecycle/hand-over.ts'
import type { App } from '../../src/ports.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let ada: TestPerson
let mia: TestPerson
let theo: TestPerson
beforeEach(async () => {
  ada = await addPerson(t, 'Ada', 'admin')
  mia = await addPerson(t, 'Mia', 'member')
  theo = await addPerson(t, 'Theo', 'member')
})

async function keyOf({ id }: TestPerson): Promise<{ authorization: string }> {
  const { key } = await createKey(t.app, { userId: id }, { name: 'k', scopes: [], expiresInDays: undefined })
  return { authorization: `Bearer ${key}` }
}

test('documents and webhooks belong to the other person, each document with an entry of its own', async () => {
  const [hers, his] = [await keyOf(mia), await keyOf(theo)]
  const body = await newDocument({ labels: ['hr'] })
  const ids = [1, 2, 3].map(async () => (await t.api('POST', '/documents', body, hers)).body.id as string)
  const documents = await Promise.all(ids)
  const hook = { url: 'http://127.0.0.1:9', events: ['*'] }
  await t.api('POST', '/webhooks', hook, hers)
  expect(await handOver(t.app, mia.id, theo.id, ada.origin)).toEqual({ documents: 3, webhooks: 1 })
  for (const id of documents) {
    expect((await t.api('GET', `/documents/${id}`, undefined, hers)).status).toBe(404)
    const { body: events } = await t.api('GET', `/documents/${id}/audit`, undefined, his)
    expect(events.events.at(-1)).toMatchObject({
      type: 'document.owner_changed',
      actor: `user:${ada.id}`,
      data: { from: mia.id, to: theo.id },
    })
  }
  expect((await t.api('GET', '/documents?label=hr', undefined, his)).body.data).toHaveLength(3)
  expect((await t.api('GET', '/documents', undefined, hers)).body.data).toEqual([])
  expect((await t.api('GET', '/webhooks', undefined, his)).body).toHaveLength(1)
  expect(await belongingsOf(t.app.db, mia.id)).toEqual({ documents: 0, templates: 0, webhooks: 0, keys: 1 })
  expect('head' in (await verifyChain(t.app.db))).toBe(true)
  await t.drain()
  const notified = t.mails.filter(({ subject }) => /handed over|received/.test(subject)).map(({ to }) => to.address)
  expect(notified).toEqual([mia.email, theo.email])
})

test('more documents than one transaction takes are handed over, and the person can then be removed', async () => {
  const hers = await keyOf(mia)
  const { body } = await t.api('POST', '/documents', await newDocument(), hers)
  for (let i = 0; i < 120; i++) await t.api('POST', `/documents/${body.id}/duplicate`, {}, hers)
  expect(removePerson(t.app, mia.id, ada.origin)).rejects.toMatchObject({ reason: 'forbidden' })
  expect(await handOver(t.app, mia.id, theo.id, ada.origin)).toEqual({ documents: 121, webhooks: 0 })
  await removePerson(t.app, mia.id, ada.origin)
  expect((await belongingsOf(t.app.db, theo.id)).documents).toBe(121)
})

test('whoever is disabled in the middle receives no more', async () => {
  const hers = await keyOf(mia)
  const { body } = await t.api('POST', '/documents', await newDocument(), hers)
  for (let i = 0; i < 110; i++) await t.api('POST', `/documents/${body.id}/duplicate`, {}, hers)
  let writes = 0
  const write: App['write'] = async (work, options) => {
    const result = await t.app.write(work, options)
    if (++writes === 2) await disablePerson(t.app, theo.id, ada.origin)
    return result
  }
  const refused = await handOver({ ...t.app, write }, mia.id, theo.id, ada.origin).catch(error => error)
  expect(refused).toMatchObject({ reason: 'validation_failed', details: [{ path: 'to' }] })
  expect((await belongingsOf(t.app.db, theo.id)).documents).toBe(100)
  expect(await handOver(t.app, mia.id, ada.id, ada.origin)).toMatchObject({ documents: 11 })
})

test('a person who cannot send, is disabled, unknown or the same receives nothing', async () => {
  const hers = await keyOf(mia)
  await t.api('POST', '/documents', await newDocument(), hers)
  const eve = await addPerson(t, 'Eve', 'auditor')
  await t.app.write(tx => tx.updateTable('users').set({ disabled_at: 'x' }).where('id', '=', theo.id).execute())
  for (const to of [eve.id, theo.id, mia.id, '']) {
    const refused = await handOver(t.app, mia.id, to, ada.origin).catch(error => error)
    expect(refused).toMatchObject({ reason: 'validation_failed', details: [{ path: 'to' }] })
  }
  expect(handOver(t.app, mia.id, 'usr_0', ada.origin)).rejects.toMatchObject({ reason: 'not_found' })
  expect(handOver(t.app, mia.id, ada.id, mia.origin)).rejects.toMatchObject({ reason: 'forbidden' })
  expect((await belongingsOf(t.app.db, mia.id)).documents).toBe(1)
})
