/** A document whose rows cannot be read: an alert, and all others go on. */
import { expect, test } from 'bun:test'
import { fill } from '../../scripts/bench-growth/fill.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { compareWithLog, describeRowProblem } from '../../src/documents/evidence/compare-with-log.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { onSqlite } from '../support/engine.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const ADMIN = { email: 'root@example.com', name: 'Grace Hopper', password: 'four sound words here' }

const t = useTestApp()

const titled = async (title: string) => (await t.api('POST', '/documents', await newDocument({ title }))).body.id as string
const damage = (id: string, updatedAt = '') =>
  t.sql('UPDATE documents SET updated_at = ? WHERE id = ? RETURNING id', updatedAt, id)
const titles = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title)

async function alerts(): Promise<string[]> {
  await t.app.damage.settled()
  return (await listAlerts(t.app.db, 100)).filter(({ kind }) => kind === 'document_unreadable').map(({ subject }) => subject)
}

test('one document whose rows cannot be read does not break a list: it is left out, and an alert names it', async () => {
  await createAdmin(t.app, ADMIN)
  const id = await titled('damaged')
  await titled('sound')
  await damage(id)
  const person = openVisitor(t.fetch)
  await person.submit(await person.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  for (const query of ['', '?limit=1', '?q=sound', '?order=changed']) {
    const { status, body } = await t.api('GET', `/documents${query}`)
    expect([query, status, titles(body)]).toEqual([query, 200, ['sound']])
  }
  const page = await person.get('/documents')
  expect([page.status, textOf(page).includes('sound'), textOf(page).includes('damaged')]).toEqual([200, true, false])
  expect(await alerts()).toEqual([id])
  expect(t.logged.filter(({ what }) => what === 'a document cannot be read').map(({ facts }) => facts)).toEqual([
    { documentId: id, error: '"" is no time' },
  ])
})

test('asked for by its id, it is not said to be missing', async () => {
  const id = await sentDocument(t, { recipients: [ADA] })
  await damage(id)
  expect((await t.api('GET', `/documents/${id}`)).status).toBe(500)
  expect((await t.api('GET', '/documents/doc_none')).status).toBe(404)
  expect(await alerts()).toEqual([id])
})

test('the comparison with the log names it, and goes on with the others', async () => {
  const id = await titled('damaged')
  await titled('sound')
  await damage(id)
  const { count, problems } = await compareWithLog(t.app.db)
  expect([count, problems.map(describeRowProblem)]).toEqual([2, [`The rows of document ${id} cannot be read: "" is no time.`]])
})

test('the alert ends when the rows can be read again, and when the document is gone', async () => {
  const [one, two] = [await titled('one'), await titled('two')]
  for (const id of [one, two]) await damage(id)
  await t.api('GET', '/documents')
  expect((await alerts()).sort()).toEqual([one, two].sort())
  await t.app.damage.recheck()
  expect(await alerts()).toHaveLength(2)
  await damage(one, '2026-11-20T17:25:00.000Z')
  await t.app.damage.recheck()
  expect(await alerts()).toEqual([two])
  for (const table of ['fields', 'recipients'] as const) await t.sql(`DELETE FROM ${table} WHERE document_id = ?`, two)
  await t.sql('DELETE FROM documents WHERE id = ?', two)
  await t.app.damage.recheck()
  expect(await alerts()).toEqual([])
})

test('if many cannot be read, a few alerts say so', async () => {
  const ids: string[] = []
  for (let i = 0; i < 25; i++) ids.push(await titled(`number ${i}`))
  for (const id of ids) await damage(id)
  expect((await t.api('GET', '/documents?limit=100')).status).toBe(200)
  expect((await alerts()).length).toBe(20)
})

test('administrators read the alert in German', async () => {
  const id = await titled('damaged')
  await damage(id)
  await t.api('GET', '/documents')
  await t.app.damage.settled()
  const [alert] = await listAlerts(t.app.db, 1)
  expect(appTextsOf('de').storedText(alert?.message ?? '')).toStartWith(
    `Die Zeilen des Dokuments ${id} sind nicht lesbar, deshalb`,
  )
})

onSqlite(test)('all that the measurement of growth writes can be read', async () => {
  fill(t.app.config.dataFolder, 60, { withFiles: false })
  const { status, body } = await t.api('GET', '/documents?limit=100')
  expect([status, body.data.length]).toEqual([200, 60])
  expect(await alerts()).toEqual([])
})
