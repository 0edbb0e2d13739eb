/** Times of documents and templates, for programs that follow changes by time or by cursor. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import documentSequence from '../../migrations/0047_document_sequence.sql' with { type: 'text' }
import { auditEventsOf } from '../../src/audit/log.ts'
import { changeTime, MAX_AHEAD_MS } from '../../src/db/change-time.ts'
import { timeOfId } from '../../src/lib/id.ts'
import { SYSTEM } from '../../src/ports.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { loadTemplate } from '../../src/templates/edit.ts'
import { createFromTemplate } from '../../src/templates/use.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../support/sample.ts'
import { openTestApp, START, type TestApp } from '../support/test-app.ts'

const YEAR_DAYS = 365

let t: TestApp
/** Run while a child process works. */
let meanwhile: (() => Promise<void>) | undefined

beforeEach(async () => {
  meanwhile = undefined
  const real = pdfTools()
  const slow =
    <Order, Answer>(work: (order: Order) => Promise<Answer>) =>
    async (order: Order): Promise<Answer> => {
      const [answer, run] = [await work(order), meanwhile]
      meanwhile = undefined
      await run?.()
      return answer
    }
  const pdf: PdfTools = { ...real, inspect: slow(real.inspect), fitTexts: slow(real.fitTexts) }
  t = await openTestApp({ pdf })
})
afterEach(() => t.close())

const create = async (members: Record<string, unknown> = {}): Promise<string> =>
  (await t.api('POST', '/documents', await newDocument(members))).body.id

interface Shown {
  id: string
  createdAt: string
  sentAt: string | null
  updatedAt: string
}

const get = async (id: string): Promise<Shown> => (await t.api('GET', `/documents/${id}`)).body
const list = async (query: string) =>
  (await t.api('GET', `/documents?${query}`)).body as { data: Shown[]; nextCursor: string | null; asOf: string }
const idsOf = (page: { data: Shown[] }) => page.data.map(({ id }) => id)

/** All changes after a cursor, and where to continue. */
async function follow(cursor?: string, filter = '&limit=2'): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  for (let at = cursor; ; ) {
    const page = await list(`order=changed${filter}${at === undefined ? '' : `&cursor=${at}`}`)
    ids.push(...idsOf(page))
    if (page.nextCursor === at) return { ids, cursor: at ?? '' }
    at = page.nextCursor ?? ''
  }
}

const isOrdered = ({ createdAt, sentAt, updatedAt }: Shown) =>
  createdAt <= (sentAt ?? createdAt) && (sentAt ?? createdAt) <= updatedAt

describe('beside a slow child process', () => {
  test('a document has the time at which it became visible, and so has its id', async () => {
    meanwhile = async () => t.clock.pass({ seconds: 12 })
    const made = await get(await create())
    const visible = new Date(START.getTime() + 12_000)
    expect([made.createdAt, made.updatedAt]).toEqual([visible.toISOString(), visible.toISOString()])
    expect(timeOfId(made.id)).toEqual(visible)
  })

  test('a document that is sent at once: created, sent, changed and noted at one time', async () => {
    meanwhile = async () => t.clock.pass({ seconds: 15 })
    const id = await create({ send: true })
    const { createdAt, sentAt, updatedAt } = await get(id)
    const sent = (await auditEventsOf(t.app.db, id)).find(({ type }) => type === 'document.sent')
    const at = new Date(START.getTime() + 15_000).toISOString()
    expect([createdAt, sentAt, updatedAt, sent?.at]).toEqual([at, at, at, at])
  })

  test('who follows by time misses no document that was begun before the poll and shown after it', async () => {
    let polled: { asOf: string } | undefined
    meanwhile = async () => {
      t.clock.pass({ seconds: 5 })
      await create({ title: 'quick' })
      t.clock.pass({ seconds: 5 })
      polled = await list('updatedAfter=2026-01-01T00:00:00Z')
    }
    const slow = await create({ title: 'slow' })
    expect(idsOf(await list(`updatedAfter=${polled?.asOf}`))).toContain(slow)
    expect(idsOf(await list(`createdAfter=${new Date(START.getTime() + 5_000).toISOString()}`))).toContain(slow)
  })

  test('a template has the time at which it became visible', async () => {
    meanwhile = async () => t.clock.pass({ seconds: 9 })
    const body = { fileName: 'a.pdf', file: await samplePdf(), roles: [{ name: 'Tenant', fields: [SIGNATURE] }] }
    const { id } = (await t.api('POST', '/templates', body)).body
    const { createdAt, updatedAt } = (await t.api('GET', `/templates/${id}`)).body
    const visible = new Date(START.getTime() + 9_000)
    expect([createdAt, updatedAt, timeOfId(id)]).toEqual([visible.toISOString(), visible.toISOString(), visible])
  })

  test('a document from a template is created and sent at the time of its transaction', async () => {
    const body = { fileName: 'a.pdf', file: await samplePdf(), roles: [{ name: 'Tenant', fields: [SIGNATURE] }] }
    const { id } = (await t.api('POST', '/templates', body)).body
    t.clock.pass({ minutes: 1 })
    const made = await t.app.write(async tx => {
      const template = await loadTemplate(tx, SYSTEM.actor, id, 'use')
      const use = { recipients: [{ role: 'Tenant', ...ADA }] }
      return createFromTemplate(tx, t.app, template, use, SYSTEM, { send: true })
    })
    expect(isOrdered(await get(made.id))).toBe(true)
  })
})

describe('asOf', () => {
  test('is before every later change, also one of the same millisecond', async () => {
    await create()
    const { asOf } = await list('')
    const later = await create()
    expect(idsOf(await list(`updatedAfter=${asOf}`))).toContain(later)
  })

  test('is that of what the token sees', async () => {
    expect((await list('')).asOf).toBe('1970-01-01T00:00:00.000Z')
    await create()
    expect((await list('')).asOf).toBe(new Date(START.getTime() - 1).toISOString())
  })
})

describe('a clock that was set back', () => {
  test('by minutes: later changes have no earlier time', async () => {
    const id = await create({ send: true })
    const other = await create()
    t.clock.pass({ minutes: -30 })
    await t.api('POST', `/documents/${other}/send`)
    await t.api('POST', `/documents/${id}/void`, { reason: 'a new one follows' })
    const made = await get(await create({ send: true }))
    const shown = [await get(id), await get(other), made]
    expect(shown.map(({ updatedAt }) => updatedAt)).toEqual(shown.map(() => START.toISOString()))
    expect(shown.map(isOrdered)).toEqual([true, true, true])
    expect(timeOfId(made.id)).toEqual(START)
  })

  test('by minutes: mails of the change are due at once, not when the clock has caught up', async () => {
    const id = await create()
    t.clock.pass({ minutes: -30 })
    await t.api('POST', `/documents/${id}/send`)
    await t.drain()
    expect(t.mails.length).toBe(2)
  })

  test('by a year: times follow the right clock again', async () => {
    t.clock.pass({ days: YEAR_DAYS })
    const ahead = await create()
    t.clock.pass({ days: -YEAR_DAYS, minutes: 5 })
    const right = await get(await create({ send: true }))
    const at = new Date(START.getTime() + 300_000).toISOString()
    expect([right.createdAt, right.sentAt, right.updatedAt, timeOfId(right.id).toISOString()]).toEqual([at, at, at, at])
    // What a reader has seen of one document stays.
    const before = await get(ahead)
    await t.api('PATCH', `/documents/${ahead}`, { title: 'Renamed' })
    expect((await get(ahead)).updatedAt).toBe(before.updatedAt)
  })

  test('by a year: whoever has asOf of the wrong clock gets all that changed since it went wrong', async () => {
    const early = await create()
    t.clock.pass({ minutes: 1, days: YEAR_DAYS })
    const ahead = await create()
    const wrong = await list('')
    t.clock.pass({ days: -YEAR_DAYS, minutes: 5 })
    const [first, second] = [await create(), await create()]
    const found = await list(`updatedAfter=${wrong.asOf}`)
    expect(new Set(idsOf(found))).toEqual(new Set([ahead, first, second]))
    // And goes on from there.
    t.clock.pass({ minutes: 5 })
    await t.api('PATCH', `/documents/${early}`, { title: 'Renamed' })
    expect(idsOf(await list(`updatedAfter=${found.asOf}`))).toContain(early)
  })

  test('a time in the future that no clock has shown finds nothing', async () => {
    await create()
    expect(idsOf(await list('updatedAfter=2030-01-01T00:00:00Z'))).toEqual([])
  })

  test('within a transaction there is one time', async () => {
    const times = await t.app.write(async tx => {
      const first = await changeTime(tx, t.app)
      return [first, await changeTime(tx, { now: () => new Date(START.getTime() + MAX_AHEAD_MS) })]
    })
    expect<Date[]>(times).toEqual([START, START])
  })
})

describe('following by cursor', () => {
  test('lists documents in the order of their last change, page by page, and templates never', async () => {
    const [a, b, c] = [await create(), await create(), await create()]
    await t.api('POST', '/templates', { documentId: a })
    const all = await follow()
    expect(all.ids).toEqual([a, b, c])
    await t.api('PATCH', `/documents/${a}`, { title: 'Renamed' })
    const next = await follow(all.cursor)
    expect(next.ids).toEqual([a])
    expect((await follow()).ids).toEqual([b, c, a])
  })

  test('loses nothing when the clock ran a year ahead and was corrected', async () => {
    const known = new Set<string>()
    let cursor: string | undefined
    const poll = async () => {
      const page = await follow(cursor)
      for (const id of page.ids) known.add(`${id} ${(await get(id)).updatedAt}`)
      cursor = page.cursor
    }
    const changed: string[] = []
    for (const days of [0, YEAR_DAYS, -YEAR_DAYS, 0]) {
      t.clock.pass({ days })
      changed.push(await create())
      await poll()
    }
    for (const id of changed) expect([...known].some(each => each.startsWith(id))).toBe(true)
  })

  test('a signature, a correction and a change of labels move a document to the end', async () => {
    const [a, b] = [await create({ send: true }), await create()]
    let { cursor } = await follow()
    const { recipients } = (await t.api('GET', `/documents/${a}`)).body
    for (const change of [
      () => t.api('PATCH', `/documents/${a}/recipients/${recipients[0].id}`, { name: 'Ada King' }),
      () => t.api('PATCH', `/documents/${a}`, { labels: ['rent'] }),
      () => t.api('POST', `/documents/${a}/void`, { reason: 'not needed' }),
    ]) {
      expect((await change()).status).toBe(200)
      const next = await follow(cursor)
      expect(next.ids).toEqual([a])
      cursor = next.cursor
    }
    expect((await follow()).ids).toEqual([b, a])
  })

  test('a deleted document takes no number with it: what changes next is not hidden', async () => {
    const [a, b] = [await create(), await create()]
    const { cursor } = await follow()
    await t.api('DELETE', `/documents/${b}`)
    const c = await create()
    expect((await follow(cursor)).ids).toEqual([c])
    expect((await follow()).ids).toEqual([a, c])
  })

  test('filters apply, and the cursor still moves past what they leave out', async () => {
    const drafts = [await create(), await create()]
    const sent = await create({ send: true })
    const page = await follow(undefined, '&status=sent')
    expect(page.ids).toEqual([sent])
    expect((await follow(page.cursor)).ids).toEqual([])
    expect((await follow(undefined, '&status=draft&limit=1')).ids).toEqual(drafts)
  })

  test('a cursor of the other order is refused, and one beyond all changes', async () => {
    const id = await create()
    for (const query of [`order=changed&cursor=${id}`, 'cursor=chg_1', 'order=changed&cursor=chg_999']) {
      const refused = await t.api('GET', `/documents?${query}`)
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'cursor'])
    }
  })

  test('the migration numbers the documents that there are, in the order of their changes', async () => {
    const [a, b] = [await create(), await create()]
    t.clock.pass({ minutes: 1 })
    await t.api('PATCH', `/documents/${a}`, { title: 'Renamed' })
    const [statement = ''] = /^INSERT INTO document_sequence[^;]*/m.exec(documentSequence) ?? []
    await t.sql('DELETE FROM document_sequence')
    await t.sql(statement)
    expect((await follow()).ids).toEqual([b, a])
  })
})
