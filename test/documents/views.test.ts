/** The views of the list and their counts: of each person, right after every change. */
import { expect, test } from 'bun:test'
import { editDraft } from '../../src/documents/draft/edit-draft.ts'
import { countViews, filterOfView, labelsInUse, VIEWS } from '../../src/documents/lists/count-queries.ts'
import { listDocuments } from '../../src/documents/lists/list-queries.ts'
import { runSchedule } from '../../src/jobs/schedule.ts'
import type { Actor } from '../../src/ports.ts'
import { SYSTEM } from '../../src/ports.ts'
import { ADA, newDocument, ONE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const ALL: Actor = SYSTEM.actor
const member = (userId: string): Actor => ({ ...ALL, seesAll: false, userId })

/** Counts by the table, after checking that each view lists as many documents. */
async function counted(actor = ALL) {
  const counts = await countViews(t.app.db, actor, t.clock.now)
  for (const view of VIEWS) {
    const filter = { metadata: {}, ...filterOfView(view, t.clock.now) }
    const { documents } = await listDocuments(t.app, actor, filter, { limit: 100, after: undefined })
    expect({ view, count: documents.length }).toEqual({ view, count: counts[view] })
  }
  return counts
}

const none = { attention: 0, waiting: 0, drafts: 0, completed: 0, all: 0 }

test('each document is counted where it is listed, from its creation to its deletion', async () => {
  expect(await counted()).toEqual(none)
  const { id } = (await t.api('POST', '/documents', await newDocument(ONE))).body
  expect(await counted()).toEqual({ ...none, drafts: 1, all: 1 })
  await t.api('POST', `/documents/${id}/send`)
  expect(await counted()).toEqual({ ...none, waiting: 1, all: 1 })
  await t.drain()
  await signAs(t, ADA.email, 'Ada Lovelace')
  expect(await counted()).toEqual({ ...none, waiting: 1, all: 1 })
  await t.drain()
  expect(await counted()).toEqual({ ...none, completed: 1, all: 1 })
  await t.api('DELETE', `/documents/${id}`)
  expect(await counted()).toEqual(none)
})

test('a mail that failed needs attention until the next one arrives', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 5.1.1 No such user' })
  const id = await sentDocument(t, ONE)
  expect(await counted()).toEqual({ ...none, attention: 1, waiting: 1, all: 1 })
  t.clock.pass({ hours: 2 })
  await t.api('POST', `/documents/${id}/remind`)
  await t.drain()
  expect(await counted()).toEqual({ ...none, waiting: 1, all: 1 })
})

test('a document needs attention before it expires and for thirty days after, without a change of its rows', async () => {
  await sentDocument(t)
  t.clock.pass({ days: 26 })
  expect((await counted()).attention).toBe(0)
  t.clock.pass({ days: 2 })
  expect(await counted()).toEqual({ ...none, attention: 1, waiting: 1, all: 1 })
  t.clock.pass({ days: 3 })
  await runSchedule(t.app)
  expect(await counted()).toEqual({ ...none, attention: 1, all: 1 })
  t.clock.pass({ days: 30 })
  expect(await counted()).toEqual({ ...none, all: 1 })
})

test('a member counts and labels their own documents, an administrator all', async () => {
  await t.app.write(async tx => {
    for (const id of ['usr_a', 'usr_b']) {
      const row = { id, email: `${id}@example.com`, name: id, role: 'member' as const, password_hash: '', created_at: '' }
      await tx.insertInto('users').values(row).execute()
    }
  })
  const ids: string[] = []
  for (const labels of [['b', 'a'], ['b', 'ä'], ['c']]) {
    ids.push((await t.api('POST', '/documents', await newDocument({ labels }))).body.id)
  }
  await t.app.write(async tx => {
    await tx.updateTable('documents').set({ owner_id: 'usr_a' }).where('id', 'in', ids.slice(0, 2)).execute()
    await tx
      .updateTable('documents')
      .set({ owner_id: 'usr_b' })
      .where('id', '=', ids[2] ?? '')
      .execute()
  })
  expect(await counted(member('usr_a'))).toEqual({ ...none, drafts: 2, all: 2 })
  expect(await counted(member('usr_b'))).toEqual({ ...none, drafts: 1, all: 1 })
  expect(await counted(member('usr_c'))).toEqual(none)
  expect(await counted()).toEqual({ ...none, drafts: 3, all: 3 })
  const labels = (actors: Actor[]) => Promise.all(actors.map(actor => labelsInUse(t.app.db, actor)))
  expect(await labels([member('usr_a'), member('usr_b'), ALL])).toEqual([['a', 'b', 'ä'], ['c'], ['a', 'b', 'c', 'ä']])
  await editDraft(t.app, ids[2] ?? '', { labels: [] }, { origin: SYSTEM })
  expect(await labels([member('usr_b'), ALL])).toEqual([[], ['a', 'b', 'ä']])
})
