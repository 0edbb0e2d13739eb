/** Rows of documents are compared with the audit log: what was changed beside it is named. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { createAdmin } from '../../src/accounts/people.ts'
import type { Schema } from '../../src/db/schema.ts'
import { compareWithLog, describeRowProblem } from '../../src/documents/evidence/compare-with-log.ts'
import { liftLegalHold, setLegalHold } from '../../src/documents/lifecycle/bulk.ts'
import { checksOf } from '../../src/health/checks.ts'
import { runChecks } from '../../src/health/finding.ts'
import { SYSTEM } from '../../src/ports.ts'
import { everyKindCompleted } from '../support/every-kind-story.ts'
import { ADA, BOB, newDocument, ONE, SIGNATURE, samplePdf } from '../support/sample.ts'
import { openLinkAs, sentDocument, signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
let completed: string
let held: string
const CAROL = { name: 'Carol King', email: 'carol@example.com' }

/** Documents in every state, changed in every way that the service has. */
beforeAll(async () => {
  t = await openTestApp()
  await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
  completed = (await everyKindCompleted(t)).id
  const draft = (await t.api('POST', '/documents', await newDocument())).body
  await t.api('PATCH', `/documents/${draft.id}`, { title: 'Edited', recipients: [{ id: draft.recipients[1].id, name: 'B' }] })
  const template = { title: 'Lease', fileName: 'lease.pdf', file: await samplePdf(), roles: [{ name: 'Tenant' }] }
  const { id: templateId } = (await t.api('POST', '/templates', template)).body
  await t.api('PATCH', `/templates/${templateId}`, { title: 'Lease 2' })
  const delegated = await sentDocument(t, ONE)
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, CAROL, '/delegate')
  await t.drain()
  const [carol] = (await t.api('GET', `/documents/${delegated}`)).body.recipients
  await t.api('PATCH', `/documents/${delegated}/recipients/${carol.id}`, { email: 'carol.king@example.com' })
  await t.drain()
  await openLinkAs(t, 'carol.king@example.com')
  const declined = await sentDocument(t, ONE)
  const decliner = await openLinkAs(t, ADA.email)
  await decliner.visitor.submit(decliner.page, { reason: 'No' }, '/decline')
  expect((await t.api('GET', `/documents/${declined}`)).body.status).toBe('declined')
  const voided = await sentDocument(t, {
    recipients: [
      { ...ADA, fields: [SIGNATURE] },
      { ...BOB, order: 2 },
    ],
    signingOrder: 'sequential',
  })
  await t.api('POST', `/documents/${voided}/void`, { reason: 'Wrong' })
  held = await sentDocument(t, ONE)
  await setLegalHold(t.app, held, 'Case 1', SYSTEM)
  const lifted = await sentDocument(t, ONE)
  await setLegalHold(t.app, lifted, 'Case 2', SYSTEM)
  await liftLegalHold(t.app, lifted, 'Closed', SYSTEM)
  const deleted = (await t.api('POST', '/documents', await newDocument())).body.id
  await t.api('DELETE', `/documents/${deleted}`)
  const signed = await signedDocument(t)
  await t.api('DELETE', `/documents/${signed}`)
})
afterAll(() => t.close())

const problems = async () => (await compareWithLog(t.app.db)).problems.map(describeRowProblem)

test('documents in every state are as the log says, also those that were deleted, in slices of any size', async () => {
  const seen: number[] = []
  const options = { documentsAtOnce: 2, progress: async (done: number) => void seen.push(done) }
  const { problems: found, count } = await compareWithLog(t.app.db, options)
  expect(found).toEqual([])
  expect(count).toBeGreaterThanOrEqual(8)
  expect(seen.at(-1)).toBe(count)
})

type Rows = Kysely<Schema>

/** Writes beside the service, looks, and undoes it. */
async function whileChanged<Table extends 'documents' | 'recipients' | 'fields'>(
  table: Table,
  where: { column: 'id' | 'document_id'; value: string; first?: boolean },
  values: Record<string, unknown>,
): Promise<string[]> {
  const before = await t.app.write(async tx => {
    const rows = await (tx as unknown as Rows)
      .selectFrom(table as 'recipients')
      .selectAll()
      .where(where.column as 'id', '=', where.value)
      .execute()
    const [row] = rows
    if (!row) throw new Error('there is no such row')
    await (tx as unknown as Rows)
      .updateTable(table as 'recipients')
      .set(values)
      .where('id', '=', row.id)
      .execute()
    return row as unknown as Record<string, unknown> & { id: string }
  })
  try {
    return await problems()
  } finally {
    const former = Object.fromEntries(Object.keys(values).map(name => [name, before[name]]))
    await t.app.write(tx =>
      (tx as unknown as Rows)
        .updateTable(table as 'recipients')
        .set(former)
        .where('id', '=', before.id)
        .execute(),
    )
  }
}

const CHANGES: ['documents' | 'recipients' | 'fields', Record<string, unknown>, RegExp][] = [
  ['recipients', { name: 'Mallory' }, /recipients\[rcp_\w+\]\.name is "Mallory", and the log says "Ada Lovelace"/],
  ['recipients', { email: 'mallory@example.com' }, /\.email is "mallory@example.com"/],
  ['recipients', { signed_at: '2020-01-01T00:00:00.000Z' }, /\.signedAt is/],
  ['recipients', { viewed_at: null }, /\.viewedAt is null/],
  ['recipients', { status: 'viewed' }, /\.status is "viewed"/],
  ['recipients', { consent_sha256: 'ab'.repeat(32) }, /\.consentSha256 is/],
  ['documents', { title: 'Another' }, /title is "Another"/],
  ['documents', { completed_at: '2020-01-01T00:00:00.000Z' }, /completedAt is/],
  ['documents', { seal_level: 'B-LTA' }, /sealLevel is "B-LTA"/],
  ['documents', { page_count: 99 }, /pageCount is 99/],
]

describe('a row that was changed beside the service is named with its member', () => {
  test.each(CHANGES)('%s %p', async (table, values, says) => {
    const column = table === 'documents' ? 'id' : 'document_id'
    const found = await whileChanged(table, { column, value: completed }, values)
    expect(found).toEqual([expect.stringMatching(says)])
    expect(found[0]).toContain(completed)
  })

  test('a value that a person entered', async () => {
    const fields = await t.app.db.selectFrom('fields').select(['id', 'value']).where('document_id', '=', completed).execute()
    const entered = fields.find(({ value }) => value === 'Köln') ?? fields.find(({ value }) => value !== null)
    const found = await whileChanged('fields', { column: 'id', value: entered?.id ?? '' }, { value: 'Bonn' })
    expect(found.join()).toContain('.value is "Bonn"')
  })

  test('a legal hold that was taken away, a recipient that was removed, a document without a row', async () => {
    expect(await whileChanged('documents', { column: 'id', value: held }, { hold_reason: 'None' })).toEqual([
      expect.stringContaining('holdReason is "None"'),
    ])
    const gone = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB] })
    const [, bob] = (await t.api('GET', `/documents/${gone}`)).body.recipients
    await t.app.write(async tx => {
      await tx.deleteFrom('fields').where('recipient_id', '=', bob.id).execute()
      await tx.deleteFrom('recipients').where('id', '=', bob.id).execute()
    })
    expect((await problems()).join()).toMatch(/: recipients is \["rcp_\w+"\], and the log says \["rcp_\w+","rcp_\w+"\]/)
    await t.app.write(async tx => {
      for (const table of ['fields', 'recipients'] as const) await tx.deleteFrom(table).where('document_id', '=', gone).execute()
      await tx.deleteFrom('documents').where('id', '=', gone).execute()
    })
    expect(await problems()).toEqual([`Document ${gone} is gone, and no entry says that it was deleted.`])
    const findings = await runChecks(checksOf(t.app).filter(([name]) => name === 'documents'))
    expect(findings).toMatchObject([
      { verdict: 'error', message: `Document ${gone} is gone, and no entry says that it was deleted` },
    ])
  })
})
