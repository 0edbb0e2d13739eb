/** Pages that update themselves: events about the documents that a person may see. */
import { expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { addPerson } from '../../support/accounts.ts'
import { cookieOf, csrfOf, type Visitor } from '../../support/browser-less.ts'
import { onSqlite } from '../../support/engine.ts'
import { LiveReader } from '../../support/live.ts'
import { newDocument } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator, signedIn } from '../../support/visitors.ts'

const t = useTestApp()

const admin = () => newAdministrator(t)

/** A member, signed in, and a function that creates a document of theirs. */
async function member(name: string) {
  const person = await addPerson(t, name, 'member', { signsIn: true })
  const { key } = await createKey(t.app, { userId: person.id }, { name, scopes: [], expiresInDays: undefined })
  const create = async (): Promise<string> =>
    (await t.api('POST', '/documents', await newDocument(), { authorization: `Bearer ${key}` })).body.id
  return { visitor: await signedIn(t, person), create }
}

async function ask(visitor: Visitor, path: string, init: RequestInit = {}): Promise<Response> {
  return t.fetch(path, { redirect: 'manual', ...init, headers: { cookie: cookieOf(visitor), ...init.headers } })
}

async function listen(visitor: Visitor, path: string, headers: Record<string, string> = {}): Promise<LiveReader> {
  const response = await ask(visitor, path, { headers })
  expect(response.status).toBe(200)
  return new LiveReader(response)
}

const create = async (): Promise<string> => (await t.api('POST', '/documents', await newDocument())).body.id

test('a stream names each changed document with its version, and is neither stored, changed nor held back on its way', async () => {
  const visitor = await admin()
  const response = await ask(visitor, '/documents/live')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const reader = new LiveReader(response)
  const id = await create()
  const { version } = await t.app.db.selectFrom('documents').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  expect(await reader.next()).toEqual({ event: 'changed', id: await t.app.changes.position(), data: { id, version } })
  await t.api('DELETE', `/documents/${id}`)
  expect((await reader.next())?.data).toEqual({ id, version: null })
  const lines = t.logged.filter(({ facts }) => facts.path === '/documents/live')
  expect(lines).toHaveLength(1)
})

test('members hear of their own documents only, administrators of all', async () => {
  const [mia, theo, grace] = [await member('mia'), await member('theo'), await admin()]
  const [hers, his, all] = [
    await listen(mia.visitor, '/documents/live'),
    await listen(theo.visitor, '/documents/live'),
    await listen(grace, '/documents/live'),
  ]
  const made = [await mia.create(), await theo.create()]
  expect((await hers.next())?.data.id).toBe(made[0])
  expect((await his.next())?.data.id).toBe(made[1])
  expect([(await all.next())?.data.id, (await all.next())?.data.id]).toEqual(made)
  const second = await mia.create()
  expect((await hers.next())?.data.id).toBe(second)
  expect((await ask(theo.visitor, `/documents/${second}/live`)).status).toBe(404)
})

test('the stream of a template tells who may edit it of each change, and nobody else', async () => {
  const [grace, theo] = [await admin(), await member('theo')]
  const { body: template } = await t.api('POST', '/templates', { documentId: await create() })
  const reader = await listen(grace, `/templates/${template.id}/live`)
  await t.api('PATCH', `/templates/${template.id}`, { title: 'Lease', shared: true })
  expect((await reader.next())?.data.id).toBe(template.id)
  expect((await ask(theo.visitor, `/templates/${template.id}/live`)).status).toBe(403)
  const { body: other } = await t.api('POST', '/templates', { documentId: await create() })
  expect((await ask(theo.visitor, `/templates/${other.id}/live`)).status).toBe(404)
})

onSqlite(test)('the stream of a document tells of no other, and many changes at once are one event', async () => {
  const visitor = await admin()
  const [id, other] = [await create(), await create()]
  const reader = await listen(visitor, `/documents/${id}/live`)
  await t.api('POST', `/documents/${other}/send`)
  await t.app.write(async tx => {
    for (let i = 0; i < 500; i++) await t.app.changes.note(tx, { documentId: other, ownerId: undefined, version: i })
  })
  for (let version = 1; version <= 50; version++) {
    await t.app.write(tx => t.app.changes.note(tx, { documentId: id, ownerId: undefined, version }))
  }
  const first = await reader.next()
  expect(first?.data.id).toBe(id)
  // The delay may end while the fifty are being written.
  if (first?.data.version !== 50) expect((await reader.next())?.data).toEqual({ id, version: 50 })
})

onSqlite(test)('more changes than are kept become one event without an id', async () => {
  const visitor = await admin()
  const reader = await listen(visitor, '/documents/live')
  await t.app.write(async tx => {
    for (let i = 0; i < 500; i++) await t.app.changes.note(tx, { documentId: `doc_${i}`, ownerId: undefined, version: i })
  })
  expect((await reader.next())?.data).toEqual({ id: null, version: null })
})

onSqlite(test)('a client that knows an older state gets an event at once, by the address or on reconnection', async () => {
  const visitor = await admin()
  const known = await t.app.changes.position()
  const id = await create()
  const late = await listen(visitor, `/documents/live?after=${known}`)
  expect((await late.next())?.data).toEqual({ id: null, version: null })
  const again = await listen(visitor, `/documents/${id}/live`, { 'last-event-id': known })
  expect((await again.next())?.data).toEqual({ id, version: null })
  const upToDate = await listen(visitor, `/documents/live?after=${await t.app.changes.position()}`)
  await t.api('POST', `/documents/${id}/send`)
  expect((await upToDate.next())?.data.id).toBe(id)
})

test('a stream ends with its session, and does not keep an idle session alive', async () => {
  const visitor = await admin()
  const signedOut = await signedIn(t)
  const [first, second] = [await listen(visitor, '/documents/live'), await listen(signedOut, '/documents/live')]
  const page = await signedOut.get('/documents')
  const csrf = csrfOf(page)
  await signedOut.post('/sign-out', { csrf })
  await t.app.eventStreams.beat()
  expect(await second.next()).toBeUndefined()
  t.clock.pass({ hours: 5 })
  await t.app.eventStreams.beat()
  await ask(visitor, '/documents', { headers: { 'x-background-request': '1' } })
  t.clock.pass({ hours: 4 })
  await t.app.eventStreams.beat()
  expect(await first.next()).toBeUndefined()
  // No page: a browser would complain about its type.
  expect((await ask(visitor, '/documents/live')).status).toBe(204)
})

test('HEAD opens no stream, and none is opened while the service ends', async () => {
  const visitor = await admin()
  expect((await ask(visitor, '/documents/live', { method: 'HEAD' })).headers.get('content-type')).toBe('text/event-stream')
  expect(t.app.eventStreams.size).toBe(0)
  t.app.eventStreams.close()
  expect((await ask(visitor, '/documents/live')).status).toBe(503)
})
