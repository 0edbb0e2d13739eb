/** The API of batches: what is refused, what asks first, and what is answered. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { MAX_BATCH_ROWS } from '../../../src/core/template/batch.ts'
import { tokenOfNew } from '../../support/accounts.ts'
import { rowFor, rowsFor, sendAll, startBatch, tenancyTemplate, tenant } from '../../support/batches.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let templateId: string
beforeEach(async () => {
  templateId = await tenancyTemplate(t)
})

const post = (body: unknown, headers: Record<string, string> = {}) =>
  t.api('POST', `/templates/${templateId}/batches`, body, headers)
const nothing = async () =>
  expect(await t.sql('SELECT id FROM batches UNION ALL SELECT id FROM documents WHERE id LIKE ?', 'doc_%')).toEqual([])
const person = (email: string, values: Record<string, unknown> = { Rent: '1' }) => ({
  recipients: [{ role: 'Tenant', name: 'X', email, values }],
})

describe('rows that are refused', () => {
  test('have an access code, which would be stored until the row is sent', async () => {
    const { status, body } = await post({ rows: [{ recipients: [{ ...rowFor(1).recipients[0], accessCode: 'blue-4711' }] }] })
    expect([status, body.error.details]).toEqual([
      422,
      [
        {
          path: 'rows[0].recipients[0].accessCode',
          code: 'access_code_in_batch',
          message: 'must be left out in a batch, which keeps its rows until they are sent: use POST /templates/{id}/documents',
        },
      ],
    ])
    await nothing()
  })

  test('are all listed with their paths, and nothing is made of the others', async () => {
    const rows = [
      rowFor(1),
      person('nobody'),
      person('x@example.com', {}),
      { recipients: [{ ...rowFor(4).recipients[0], role: 'Owner' }] },
    ]
    const { status, body } = await post({ rows })
    expect([status, body.error.code]).toEqual([422, 'validation_failed'])
    const paths = body.error.details.map((d: { path: string }) => d.path)
    expect(paths).toEqual([
      'rows[1].recipients[0].email',
      'rows[2].recipients[0].values.Rent',
      'rows[3].recipients[0].role',
      'rows[3].recipients',
    ])
    await nothing()
  })

  test('ask for codes that no webhook passes on, before the first document is made', async () => {
    const id = await tenancyTemplate(t, { roles: [{ name: 'Tenant', verify: 'webhook_code', fields: [SIGNATURE] }] })
    const rows = [1, 2].map(i => ({ recipients: [{ role: 'Tenant', name: 'X', email: tenant(i) }] }))
    const send = () => t.api('POST', `/templates/${id}/batches`, { rows })
    const refused = await send()
    expect([refused.status, refused.body.error.details.map((d: { path: string }) => d.path)]).toEqual([
      422,
      ['rows[0].recipients[0].verify', 'rows[1].recipients[0].verify'],
    ])
    await nothing()
    await t.api('POST', '/webhooks', { url: 'https://hooks.example.com/codes', events: ['recipient.code_sent'] })
    expect((await send()).status).toBe(201)
  })

  test('have a value that its place in the PDF would cut, each with its row', async () => {
    const long = person('x@example.com', { Rent: 'W'.repeat(300) })
    const { status, body } = await post({ rows: [rowFor(1), long, rowFor(2), { ...long, title: 'again' }] })
    expect([status, body.error.details.map((d: { path: string }) => d.path)]).toEqual([
      422,
      ['rows[1].recipients[0].values.Rent', 'rows[3].recipients[0].values.Rent'],
    ])
    expect(body.error.details[0].message).toContain('too long for its place')
    await nothing()
  })

  test(`none and more than ${MAX_BATCH_ROWS} are too few and too many`, async () => {
    expect((await post({ rows: [] })).status).toBe(422)
    expect((await post({ rows: rowsFor(MAX_BATCH_ROWS + 1) })).body.error.details[0].path).toBe('rows')
    await nothing()
  })

  test('unknown members are named, and a template that another keeps to himself does not exist', async () => {
    expect((await post({ rows: [{ ...rowFor(1), colour: 'red' }] })).body.error.details[0].path).toBe('rows[0].colour')
    const theirs = await tokenOfNew(t, 'Theo')
    expect((await post({ rows: rowsFor(1) }, theirs)).status).toBe(404)
    const own = await startBatch(t, templateId, rowsFor(1))
    for (const path of ['', '/rows']) expect((await t.api('GET', `/batches/${own}${path}`, undefined, theirs)).status).toBe(404)
    expect((await t.api('GET', '/batches', undefined, theirs)).body.data).toEqual([])
  })
})

describe('what asks first', () => {
  test('the same rows for the same template within a day, with who sent them and when', async () => {
    const id = await startBatch(t, templateId, rowsFor(2))
    const { status, body } = await post({ rows: rowsFor(2) })
    expect([status, body.error.code]).toEqual([409, 'duplicate_batch'])
    expect(body.error.message).toContain('on 2026-11-20T17:25:00.000Z by test.')
    expect(body.error.details[0].message).toContain(id)
    expect((await post({ rows: rowsFor(2), force: true })).status).toBe(201)
    expect((await post({ rows: rowsFor(3) })).status).toBe(201)
    t.clock.pass({ hours: 25 })
    expect((await post({ rows: rowsFor(2) })).status).toBe(201)
  })

  test('two rows for the same people, but not a landlord who is in every row', async () => {
    const { status, body } = await post({ rows: [rowFor(1), rowFor(2), rowFor(1, { title: 'Other' })] })
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'duplicate_batch',
      [{ path: 'rows[2]', code: 'same_people', message: 'is for the same people as rows[0]' }],
    ])
    expect((await post({ rows: [rowFor(1), rowFor(1, { title: 'Other' })], force: true })).status).toBe(201)
    const both = await tenancyTemplate(t, {
      roles: ['Tenant', 'Landlord'].map(name => ({ name, fields: [SIGNATURE] })),
      title: 'T',
    })
    const landlord = { role: 'Landlord', name: 'L', email: 'l@example.com' }
    const rows = [1, 2].map(i => ({ recipients: [{ role: 'Tenant', name: 'T', email: tenant(i) }, landlord] }))
    expect((await t.api('POST', `/templates/${both}/batches`, { rows })).status).toBe(201)
  })
})

describe('CSV', () => {
  const csv = (text: string, query = '') =>
    t.api('POST', `/templates/${templateId}/batches${query}`, text, { 'content-type': 'text/csv; charset=utf-8' })

  test('rows come as a file, columns by name in any order', async () => {
    const { status, body } = await csv('Miete;E-Mail;Name;Rent\n700;ada@example.com;Ada;700\n', '?title=x')
    expect(status).toBe(422)
    expect(body.error.details[0]).toMatchObject({ path: 'Miete', message: expect.stringContaining('Name, E-mail, Rent') })
    const sent = await csv('Rent;E-Mail;Name\n950 €;mia@example.com;Mia Ö.\n"1;000";noa@example.com;Noa\n', '?title=Leases')
    expect([sent.status, sent.body.total, sent.body.title]).toEqual([201, 2, 'Leases'])
    await sendAll(t)
    expect(t.mails.map(({ to }) => to.address)).toEqual(['mia@example.com', 'noa@example.com'])
    expect((await t.api('GET', `/batches/${sent.body.id}/rows`)).body.data.map((r: { line: number }) => r.line)).toEqual([2, 3])
  })

  test('names of a Polish list are read in its encoding, as on the page', async () => {
    templateId = await tenancyTemplate(t, { locale: 'pl' })
    const [before, after] = ['Name,E-mail,Rent\nMa', 'gosia,m@example.com,900\n'].map(text => Buffer.from(text))
    const body = Buffer.concat([before!, Buffer.of(0xb3), after!])
    const headers = { authorization: `Bearer ${await t.key()}`, 'content-type': 'text/csv' }
    const sent = await t.fetch(`/api/v1/templates/${templateId}/batches`, { method: 'POST', headers, body })
    expect(sent.status).toBe(201)
    await sendAll(t)
    expect(t.mails.map(({ to }) => to.name)).toEqual(['Małgosia'])
  })

  test('every error has its line and column, and the question comes with lines', async () => {
    const { status, body } = await csv('Name,E-mail,Rent\nMia,nobody,1\nNoa,noa@example.com,\nX,x@example.com,1\n')
    expect(status).toBe(422)
    expect(body.error.details.map((d: { path: string }) => d.path)).toEqual(expect.arrayContaining(['line 3, Rent']))
    const wrong = await csv('Name,E-mail,Rent\nX,x@example.com,1\nMia,nobody,1\n')
    expect(wrong.body.error.details.map((d: { path: string }) => d.path)).toEqual(['line 3, E-mail'])
    const twice = await csv('Name,E-mail,Rent\nMia,mia@example.com,1\nMia,MIA@example.com,2\n')
    expect(twice.body.error).toMatchObject({
      code: 'duplicate_batch',
      details: [{ path: 'line 3', code: 'same_people', message: 'is for the same people as line 2' }],
    })
    expect((await csv('Name,E-mail,Rent\nMia,mia@example.com,1\nMia,MIA@example.com,2\n', '?force=true')).status).toBe(201)
    await t.drain()
  })

  test('a missing column is named; another type, and a body in a coding, are refused', async () => {
    expect((await csv('Name,Rent\nMia,1\n')).body.error.details).toEqual([
      { path: 'E-mail', code: 'column_missing', message: 'is missing: add a column with this name' },
    ])
    const other = await t.api('POST', `/templates/${templateId}/batches`, 'x', { 'content-type': 'text/plain' })
    expect(other.status).toBe(415)
    const elsewhere = await t.api('POST', '/documents', 'a,b\n', { 'content-type': 'text/csv' })
    expect(elsewhere.status).toBe(415)
  })
})

test('lists have pages: batches newest first, rows in order and of one state', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push(await startBatch(t, templateId, rowsFor(i + 1)))
  const first = (await t.api('GET', '/batches?limit=2')).body
  expect(first.data.map((b: { id: string }) => b.id)).toEqual([ids[2], ids[1]])
  const rest = (await t.api('GET', `/batches?limit=2&cursor=${first.nextCursor}`)).body
  expect([rest.data.map((b: { id: string }) => b.id), rest.nextCursor]).toEqual([[ids[0]], null])
  expect((await t.api('GET', `/batches?templateId=${templateId}`)).body.data).toHaveLength(3)
  expect((await t.api('GET', `/batches?templateId=${await tenancyTemplate(t)}`)).body.data).toEqual([])
  const rows = (await t.api('GET', `/batches/${ids[2]}/rows?limit=2`)).body
  expect(rows.data.map((r: { number: number }) => r.number)).toEqual([1, 2])
  expect((await t.api('GET', `/batches/${ids[2]}/rows?limit=2&cursor=${rows.nextCursor}`)).body).toMatchObject({
    data: [{ number: 3, state: 'waiting', documentId: null }],
    nextCursor: null,
  })
  expect((await t.api('GET', `/batches/${ids[2]}/rows?state=sent`)).body.data).toEqual([])
})

test(`${MAX_BATCH_ROWS} rows are one request`, async () => {
  const { status, body } = await post({ rows: rowsFor(MAX_BATCH_ROWS) })
  expect([status, body.total, body.counts.waiting]).toEqual([201, MAX_BATCH_ROWS, MAX_BATCH_ROWS])
}, 60_000)

test('the audit log names who started a batch and how many documents it has', async () => {
  await startBatch(t, templateId, rowsFor(2), { title: 'Leases 2027' })
  const [event] = await t.sql<{ entry: string }>("SELECT entry FROM events WHERE type = 'batch.created'")
  expect(JSON.parse(event?.entry ?? '')).toMatchObject({ actor: expect.stringMatching(/^key:/), data: { templateId, total: 2 } })
})
