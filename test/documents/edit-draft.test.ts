/** The rows of edited drafts equal the values of the rules, also after a failure. */
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { DraftEdit } from '../../src/core/draft/edit-draft.ts'
import { editDraft } from '../../src/documents/draft/edit-draft.ts'
import { draftChangesSince, find, findCached, trimDraftChanges, upsertDraftChanges } from '../../src/documents/queries.ts'
import { foldText } from '../../src/lib/search-text.ts'
import { SYSTEM } from '../../src/ports.ts'
import { newDocument, SIGNATURE } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const created = async () => (await t.api('POST', '/documents', await newDocument())).body.id as string
const stored = (id: string) => t.app.write(tx => find(tx, id))
const edit = (id: string, change: DraftEdit, ifMatch?: number) => editDraft(t.app, id, change, { ifMatch, origin: SYSTEM })

test('after each edit the rows, the cache and the search have the value that the rules made', async () => {
  const id = await created()
  const [ada, bob] = (await stored(id))?.recipients ?? []
  const [one, two] = [t.app.newId('rcp'), t.app.newId('rcp')]
  const fields = Array.from({ length: 5 }, () => t.app.newId('fld'))
  const at = (i: number, recipientId: string) => ({ id: fields[i]!, recipientId, ...SIGNATURE, type: 'text' as const, y: 10 * i })
  const known = [{ id: ada!.id }, { id: bob!.id }]
  const edits: DraftEdit[] = [
    { recipients: [...known.toReversed(), { id: one, name: 'One' }], fields: [at(0, one), at(1, ada!.id)] },
    { recipients: [{ id: one }, ...known], fields: [{ id: fields[0]!, recipientId: bob!.id }, at(2, bob!.id)] },
    { recipients: [known[1]!, { id: two, email: 'two@example.com' }, { id: one }] },
    { fields: [at(3, two), at(4, one), { id: fields[2]!, remove: true }] },
    {
      recipients: [{ id: two, order: 7 }, { id: one }, known[1]!],
      fields: [{ id: fields[3]!, recipientId: one, label: 'Moved' }],
    },
    { recipients: [] },
    { recipients: [{ id: two, name: 'Again' }], fields: [at(3, two)] },
  ]
  let version = (await edit(id, {})).version
  for (const change of edits) {
    const { document, version: next } = await edit(id, change, version)
    expect(next).toBeGreaterThan(version)
    expect<unknown>(await stored(id)).toEqual(document)
    const cached = await findCached(t.app.db, id)
    expect([cached?.document, cached?.version]).toEqual([document, next])
    const search = await t.app.db
      .selectFrom('document_search')
      .select('text')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow()
    for (const { name } of document.recipients) expect(search.text).toContain(foldText(name))
    version = next
  }
  const orphans = await sql`SELECT id FROM fields WHERE recipient_id NOT IN (SELECT id FROM recipients)`.execute(t.app.db)
  expect(orphans.rows).toEqual([])
})

test('an edit that fails at its last row leaves the draft and its version as they were', async () => {
  const id = await created()
  const before = await stored(id)
  const { version } = await edit(id, {})
  const failing = {
    ...t.app,
    newId: ((prefix: Parameters<typeof t.app.newId>[0]) => {
      if (prefix === 'evt') throw new Error('a crash')
      return t.app.newId(prefix)
    }) as typeof t.app.newId,
  }
  const change = { title: 'New', recipients: [], fields: [] }
  expect(editDraft(failing, id, change, { origin: SYSTEM })).rejects.toThrow('a crash')
  expect(await stored(id)).toEqual(before)
  expect((await edit(id, {}, version)).version).toBe(version)
  expect((await edit(id, change, version)).document.recipients).toEqual([])
})

test('changes are listed up to a bound; beyond it the whole document counts as changed', async () => {
  const id = await created()
  const at = t.clock.now
  const changes = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `fields/fld_${from + i}`, version: from + i, at, actor: 'user:usr_1' }))
  const pathsSince = (version: number) =>
    t.app.write(async tx => (await draftChangesSince(tx, id, version)).map(({ path }) => path))
  await t.app.write(async tx => {
    await upsertDraftChanges(tx, id, changes(1, 11))
    await trimDraftChanges(tx, id, 10)
  })
  expect<string[]>(await pathsSince(0)).toEqual(['document', ...[7, 8, 9, 10, 11].map(n => `fields/fld_${n}`)])
  expect<string[]>(await pathsSince(6)).toEqual([7, 8, 9, 10, 11].map(n => `fields/fld_${n}`))
  await t.app.write(async tx => {
    await upsertDraftChanges(tx, id, changes(12, 6))
    await trimDraftChanges(tx, id, 10)
  })
  expect<string[]>(await pathsSince(11)).toEqual(['document', ...[13, 14, 15, 16, 17].map(n => `fields/fld_${n}`)])
  await t.app.write(tx => upsertDraftChanges(tx, id, changes(100, 10_000)))
  await edit(id, { title: 'One more' })
  expect((await pathsSince(0)).length).toBeLessThan(5_100)
})

test('of many edits of one version at the same time one is made, and all can be made in turn', async () => {
  const id = await created()
  const { version } = await edit(id, {})
  const key = await t.key()
  const patch = (i: number, tag: string) =>
    t.fetch(`/api/v1/documents/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'if-match': tag },
      body: JSON.stringify({ title: `No ${i}` }),
    })
  const statuses = (await Promise.all(Array.from({ length: 10 }, (_, i) => patch(i, `"v${version}"`)))).map(r => r.status)
  expect(statuses.filter(status => status === 200)).toHaveLength(1)
  expect(statuses.filter(status => status === 412)).toHaveLength(9)
})
