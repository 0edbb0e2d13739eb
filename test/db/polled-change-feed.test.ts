/** The feed of several nodes: two feeds read the same rows, which a trigger of PostgreSQL keeps. */
import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type DocumentChange, MAX_KEPT_CHANGES, PolledChangeFeed } from '../../src/db/change-feed.ts'
import type { Tx } from '../../src/db/open.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
let here: PolledChangeFeed
let there: PolledChangeFeed
let last: number

beforeEach(async () => {
  last = 0
  const table = sql`CREATE TABLE IF NOT EXISTS document_changes
    (document_id TEXT PRIMARY KEY, owner_id TEXT, version BIGINT, number BIGINT NOT NULL UNIQUE)`
  await t.app.write(tx => table.execute(tx))
  here = new PolledChangeFeed(t.app)
  there = new PolledChangeFeed(t.app)
})

/** What the trigger does. */
async function change(documentId: string, version: number | undefined, number = ++last): Promise<void> {
  last = number
  await t.app.write(async tx => {
    await sql`DELETE FROM document_changes WHERE document_id = ${documentId}`.execute(tx)
    await sql`INSERT INTO document_changes VALUES (${documentId}, 'usr_1', ${version ?? null}, ${number})`.execute(tx)
  })
}

type Seen = (DocumentChange | 'missed')[]
function listen(feed: PolledChangeFeed, after?: string) {
  const seen: Seen = []
  const subscription = feed.subscribe(each => seen.push(each), after)
  return { seen, subscription }
}
const of = (documentId: string, version: number | undefined): DocumentChange => ({ documentId, ownerId: 'usr_1', version })

test('tells each node of the changes of all, in their order, once', async () => {
  const [own, other] = [listen(here), listen(there)]
  await Promise.all([here.poll(), there.poll()])
  await change('doc_a', 1)
  await change('doc_b', 7)
  await Promise.all([here.poll(), there.poll()])
  await change('doc_a', undefined)
  await Promise.all([here.poll(), there.poll()])
  const all = [of('doc_a', 1), of('doc_b', 7), of('doc_a', undefined)]
  expect(own.seen).toEqual(all)
  expect(other.seen).toEqual(all)
})

test('a page made by one node learns from another what has changed since, and nothing that it shows', async () => {
  await change('doc_a', 1)
  const position = await here.position()
  await change('doc_b', 1)
  const { seen, subscription } = listen(there, position)
  await there.poll()
  expect(seen).toEqual([of('doc_b', 1)])
  expect(subscription.position()).toBe(await here.position())
  expect(listen(there, subscription.position()).seen).toEqual([])
})

test('a change between the page and its stream arrives even if others listen already', async () => {
  listen(here)
  await here.poll()
  const position = await here.position()
  await change('doc_a', 1)
  await here.poll()
  const late = listen(here, position)
  await here.poll()
  expect(late.seen).toEqual([of('doc_a', 1)])
})

test.each([
  ['of no feed', 'f00d-12'],
  ['of a database that was restored since', '900'],
])('a page with a position %s reloads, and then follows', async (_, after) => {
  await change('doc_a', 1)
  const { seen, subscription } = listen(here, after)
  await here.poll()
  expect(seen).toEqual(['missed'])
  expect(subscription.position()).toBe('1')
  await change('doc_b', 1)
  await here.poll()
  expect(seen.slice(1)).toEqual([of('doc_b', 1)])
})

test('a page that is behind the kept changes reloads; another gets every change', async () => {
  await change('doc_a', 1, 5)
  await change('doc_b', 1, 5 + MAX_KEPT_CHANGES)
  const [behind, inTime] = [listen(here, '4'), listen(here, '5')]
  await here.poll()
  expect(behind.seen).toEqual(['missed'])
  expect(inTime.seen).toEqual([of('doc_b', 1)])
})

test('removes changes beyond those that are kept, and writes nothing when there is nothing to remove', async () => {
  await here.prune(t.app.write)
  await change('doc_a', 1, 5)
  await change('doc_b', 1, 6)
  const before = t.writes()
  await here.prune(t.app.write)
  expect(t.writes()).toBe(before)
  await change('doc_c', 1, 5 + MAX_KEPT_CHANGES)
  await here.prune(t.app.write)
  const left = await sql<{ document_id: string }>`SELECT document_id FROM document_changes ORDER BY number`.execute(t.app.db)
  expect(left.rows.map(row => row.document_id)).toEqual(['doc_b', 'doc_c'])
  const { seen } = listen(there, '5')
  await there.poll()
  expect(seen).toEqual([of('doc_b', 1), of('doc_c', 1)])
})

test('a change of this node arrives without waiting for the next look, one that was rolled back never', async () => {
  const { seen } = listen(here)
  await here.poll()
  const tx = {} as Tx
  await here.note(tx)
  await change('doc_a', 1)
  here.committed(tx)
  while (seen.length === 0) await new Promise(resolve => setImmediate(resolve))
  expect(seen).toEqual([of('doc_a', 1)])
})

test('reads nothing while nobody listens', async () => {
  const { all, first } = t.app.db.reads
  let reads = 0
  const counted = {
    reads: {
      ...t.app.db.reads,
      all: (...args: Parameters<typeof all>) => all.apply(t.app.db.reads, args),
      first: async (...args: Parameters<typeof first>) => {
        reads++
        return first.apply(t.app.db.reads, args)
      },
    },
  } as Pick<typeof t.app.db, 'reads'>
  const feed = new PolledChangeFeed({ ...t.app, db: counted })
  await feed.poll()
  expect(reads).toBe(0)
  const { subscription } = listen(feed)
  await feed.poll()
  expect(reads).toBeGreaterThan(0)
  subscription.end()
  const before = reads
  await feed.poll()
  expect(reads).toBe(before)
})

test('while the database is away, says so once, and publishes afterwards what was missed meanwhile', async () => {
  let isAway = false
  const { reads } = t.app.db
  const first: typeof reads.first = (...args) => (isAway ? Promise.reject(new Error('away')) : reads.first(...args))
  const feed = new PolledChangeFeed({
    timers: t.app.timers,
    db: { reads: Object.assign(Object.create(reads), { first, all: reads.all.bind(reads) }) },
    log: t.app.log,
  })
  const { seen } = listen(feed)
  await feed.poll()
  isAway = true
  await change('doc_a', 1)
  for (let i = 0; i < 3; i++) await feed.poll()
  expect(t.logged.filter(({ what }) => what === 'changes of documents could not be read')).toHaveLength(1)
  isAway = false
  await feed.poll()
  expect(seen).toEqual([of('doc_a', 1)])
})
