/** Bulk sending by forms: from the downloaded list to the results, with all questions. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { readCsv } from '../../../src/core/csv/read.ts'
import { rounds, sendAll } from '../../support/batches.ts'
import { csrfOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { LEASE_HEADER, leaseTemplate, tenantRow, tenantRows, utf8Csv, westernCsv } from '../../support/bulk-scenes.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator, newVisitor } from '../../support/visitors.ts'

const t = useTestApp()
let visitor: Visitor
let template: string
beforeEach(async () => {
  visitor = await newAdministrator(t)
  template = await leaseTemplate(t)
})

async function choose(bytes: Uint8Array, name = 'tenants.csv'): Promise<Page> {
  const page = await visitor.get(`/templates/${template}/bulk`)
  return visitor.upload(page, '/bulk', { name, bytes })
}

const idIn = ({ url }: Page) => /bat_[0-9a-z]{26}/.exec(url)?.[0] ?? ''
const read = async (path: string) => readCsv(new TextEncoder().encode((await visitor.get(path)).html))
const send = (page: Page, ticks: Record<string, string> = {}) => visitor.submit(page, ticks, '/send')
const apply = (page: Page, choices: Record<string, string>) => visitor.submit(page, choices, '/reading')
const documentCount = async () => ((await t.api('GET', '/documents?limit=100')).body as { data: unknown[] }).data.length

test('the list to fill in has the columns of the template, and chosen unchanged it has no rows', async () => {
  const page = await visitor.get(`/templates/${template}/bulk`)
  expect(textOf(page)).toContain('Landlord e-mail (required)')
  const list = await visitor.get(`/templates/${template}/bulk/list.csv`)
  expect(list.headers.get('content-disposition')).toContain('list.csv')
  expect(list.html).toContain('"Tenant name","Tenant e-mail","Landlord name"')
  const empty = await choose(new TextEncoder().encode(list.html))
  expect(textOf(empty)).toContain('The list has no rows')
  expect(empty.html).not.toContain('/send"')
})

describe('a list', () => {
  test('whose reading was changed in another window is not sent from a page that shows the former one', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, ...tenantRows(2)]))
    const other = await visitor.get(page.url)
    await apply(other, { encoding: 'windows-1252' })
    const refused = await send(page)
    expect(refused.status).toBe(409)
    expect(textOf(refused)).toContain('The list is read in another way now')
    expect(refused.html).toMatch(/<option value="windows-1252" selected/)
    expect((await t.api('GET', '/batches')).body.data.filter((each: { state: string }) => each.state !== 'draft')).toEqual([])
    expect(textOf(await send(await visitor.get(page.url)))).toContain('2 documents are being sent.')
  })

  test('with semicolons in Windows-1252 is recognised, shown with its accents and sent', async () => {
    const page = await choose(westernCsv([LEASE_HEADER, ...tenantRows(4)]))
    expect(page.url).toMatch(/^\/batches\/bat_/)
    expect(textOf(page)).toContain('tenants.csv: 4 rows')
    expect(page.html).toMatch(/<option value="windows-1252" selected/)
    expect(page.html).toMatch(/<option value=";" selected/)
    expect(textOf(page)).toContain('Lease of Jörg Müller')
    expect(textOf(page)).not.toContain('Before it can be sent')
    expect(await documentCount()).toBe(0)
    const batch = await send(page)
    expect(textOf(batch)).toContain('4 documents are being sent.')
    await sendAll(t)
    const done = await visitor.get(`/batches/${idIn(batch)}`)
    expect(textOf(done)).toContain('4 of 4 sent')
    expect(textOf(done)).toContain('Zoë Šimek tenant-3@example.org')
    expect(await documentCount()).toBe(4)
  })

  test('sent by a button that is pressed twice leads to the documents that are being sent', async () => {
    const page = await choose(westernCsv([LEASE_HEADER, ...tenantRows(2)]))
    await send(page)
    for (const late of [await send(page), await apply(page, {})])
      expect([late.status, textOf(late)]).toEqual([200, expect.stringContaining('0 of 2 sent')])
    await sendAll(t)
    expect(await documentCount()).toBe(2)
  })

  test('in another encoding than the one recognised is read again', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, ...tenantRows(2)]))
    const wrong = await apply(page, { encoding: 'windows-1252' })
    expect(textOf(wrong)).toContain('JÃ¶rg')
    const none = await apply(wrong, { encoding: 'utf-16le' })
    expect(textOf(none)).toContain('The file is not in the encoding utf-16le: choose another.')
    const right = await apply(none, { encoding: 'utf-8' })
    expect(textOf(right)).toContain('Lease of Jörg Müller')
  })

  test('that cannot be read is refused with what to do, and nothing is stored', async () => {
    const page = await choose(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'tenants.xlsx')
    expect(page.status).toBe(422)
    expect(textOf(page)).toContain('The file is a spreadsheet, not a CSV file: save it as CSV')
    expect((await choose(new Uint8Array(5_000_001))).status).toBe(413)
    expect(await t.app.db.selectFrom('batches').select('id').execute()).toEqual([])
  })

  test('of a missing template, or by somebody who may not send, is refused', async () => {
    expect((await visitor.get('/templates/tpl_01hzzzzzzzzzzzzzzzzzzzzzzz/bulk')).status).toBe(404)
    const page = await choose(utf8Csv([LEASE_HEADER, ...tenantRows(1)]))
    const auditor = await newVisitor(t, 'auditor')
    expect(textOf(await auditor.get(page.url))).not.toContain('Send 1 document')
    expect((await auditor.get(`/templates/${template}/bulk`)).status).toBe(403)
    const member = await newVisitor(t, 'member')
    for (const path of [page.url, `${page.url}/errors.csv`, `${page.url}/results.csv`, `${page.url}/live`])
      expect((await member.get(path)).status).toBe(404)
  })
})

describe('columns', () => {
  test('that the template lacks are named, and left out only on purpose', async () => {
    const page = await choose(
      utf8Csv([
        [...LEASE_HEADER, 'Phone'],
        [...tenantRow(0), '030 1'],
      ]),
    )
    expect(textOf(page)).toContain('Say what the column “Phone” is for, or leave it out')
    expect(textOf(await visitor.post(`${page.url}/send`, { csrf: csrfOf(page) }))).toContain('The list can be sent when')
    const ready = await apply(page, { 'column.5': 'ignored' })
    expect(textOf(ready)).toContain('Send 1 document')
  })

  test('that are missing are chosen among those of the file; one cannot serve two', async () => {
    const page = await choose(utf8Csv([['Who', ...LEASE_HEADER.slice(1)], tenantRow(0)]))
    expect(textOf(page)).toContain('Choose the column for “Tenant name”, or add one to the file')
    const key = /<option value="(rol_\w+\.name)"/.exec(page.html)?.[1] ?? ''
    const twice = await apply(page, { 'column.0': key, 'column.1': key })
    expect([twice.status, textOf(twice).includes('Two columns cannot be used for the same.')]).toEqual([422, true])
    expect(textOf(await apply(page, { 'column.0': key }))).toContain('Lease of Jörg Müller')
  })

  test('can give each document its title, which the page of the list says', async () => {
    const placeholders = 'Without it all of them are called'
    expect(textOf(await visitor.get(`/templates/${template}/bulk`))).not.toContain(placeholders)
    template = await leaseTemplate(t, { title: 'Lease' })
    const upload = textOf(await visitor.get(`/templates/${template}/bulk`))
    expect(upload).toContain('You can add a column “Document title”')
    expect(upload).toContain(`${placeholders} “Lease”.`)
    expect(upload).toContain('placeholders, such as {{Tenant}} or {{IBAN}}.')
    const rows = ['Flat 1', 'Flat 2', 'x'.repeat(256)].map((title, i) => [...tenantRow(i), title])
    const page = await choose(utf8Csv([[...LEASE_HEADER, 'Titel des Dokuments'], ...rows]))
    expect(page.html).toContain('<option value="title" selected>Document title</option>')
    expect(textOf(page)).toMatch(/Line 2 Flat 1 .*Line 3 Flat 2 /)
    expect(textOf(page)).toMatch(/4 Titel des Dokuments x+ .*255 characters/)
    await send(page, { leaveOut: 'on' })
    await sendAll(t)
    const { data } = (await t.api('GET', '/documents')).body as { data: { title: string }[] }
    expect(data.map(({ title }) => title).sort()).toEqual(['Flat 1', 'Flat 2'])
  })

  test('of dates that could be two days are asked about once, and the answer can be changed', async () => {
    const rows = tenantRows(2).map(row => [...row, '03/04/2027'])
    const page = await choose(utf8Csv([[...LEASE_HEADER, 'Begin'], ...rows]))
    expect(textOf(page)).toContain('Which day is meant in “Begin”, line 2?')
    expect(page.html).not.toContain('/send"')
    const name = /name="(order\.[^"]+)"/.exec(page.html)?.[1] ?? ''
    const answered = await apply(page, { [name]: 'day-first' })
    expect(textOf(answered)).toContain('3 April 2027')
    expect(textOf(answered)).toContain('Send 2 documents')
    expect(textOf(await apply(answered, { [name]: 'month-first' }))).toContain('4 March 2027')
  })
})

test('a number that could be two is asked about once, in German too, and the answer can be changed', async () => {
  const people = [0, 1].map(i => tenantRow(i).slice(0, 4))
  const page = await choose(utf8Csv([LEASE_HEADER, [...people[0]!, '1.250'], [...people[1]!, '"1.250,50"']]))
  expect(textOf(page)).toContain('Which number is meant in “Rent”, line 2?')
  expect(textOf(page)).toContain('1250 (thousands separator) 1.25 (decimal separator)')
  expect(page.html).not.toContain('/send"')
  const name = /name="(decimal\.[^"]+)"/.exec(page.html)?.[1] ?? ''
  const answered = await apply(page, { [name]: 'comma' })
  expect(textOf(answered)).toMatch(/Rent 1250 .*Rent 1250.50 .*Send 2 documents/)
  expect(textOf(await apply(answered, { [name]: 'point' }))).toMatch(/Rent 1\.250 /)
  await visitor.submit(await visitor.get('/documents'), { language: 'de' }, '/language')
  const german = textOf(await visitor.get(`/batches/${idIn(answered)}`))
  expect(german).toContain('1250 (Tausendertrennzeichen) 1,25 (Dezimaltrennzeichen)')
})

describe('rows with errors', () => {
  const rows = tenantRows(6)
  rows[1] = ['', 'tenant-2@example.org', 'Lea', 'lea@landlord.example', '1.23E+12']
  rows[4] = ['=HYPERLINK("http://x")', 'nobody', 'Lea', 'lea@landlord.example', '700']

  test('are listed by line and column with what to do, and are left out only on purpose', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, ...rows]))
    expect(textOf(page)).toContain('2 rows with errors')
    expect(textOf(page)).toContain('3 Tenant name empty must not be empty')
    expect(textOf(page)).toContain('3 Rent 1.23E+12 has lost digits in the spreadsheet: format the column as text')
    expect(textOf(page)).toContain('6 Tenant e-mail nobody must be an e-mail address')
    const refused = await send(page)
    expect([refused.status, textOf(refused).includes('Tick that they are left out')]).toEqual([422, true])
    expect(await documentCount()).toBe(0)
    const batch = await send(page, { leaveOut: 'on' })
    expect(textOf(batch)).toContain('4 documents are being sent.')
    await sendAll(t)
    expect(await documentCount()).toBe(4)
  })

  test('with the same error are one line, with the first three values', async () => {
    const faulty = tenantRows(40).map((row, i) => (i >= 20 && i < 30 ? [...row.slice(0, 4), `${i} €`] : row))
    faulty[2]![4] = '2 €'
    faulty[35]![1] = ''
    const page = await choose(utf8Csv([LEASE_HEADER, ...faulty]))
    expect(textOf(page)).toContain('12 rows with errors')
    expect(textOf(page)).toMatch(/4, 22–31 Rent 2 € , 20 € , 21 € … must be the number alone/)
    expect(textOf(page)).toContain('37 Tenant e-mail empty must not be empty')
    expect(page.html.match(/must be the number alone/g)).toHaveLength(1)
    expect((await read(`${page.url}/errors.csv`)).rows).toHaveLength(12)
  })

  test('are downloaded with what is wrong, inert in a spreadsheet, and are read again', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, ...rows]))
    const file = await visitor.get(`${page.url}/errors.csv`)
    expect(file.html).toContain(`"'=HYPERLINK(""http://x"")"`)
    const table = await read(`${page.url}/errors.csv`)
    expect(table.header).toEqual([...LEASE_HEADER, 'Error'])
    expect(table.rows.map(({ cells }) => cells[5])).toEqual([
      'Line 3: Tenant name must not be empty; Rent has lost digits in the spreadsheet: format the column as text, and enter the whole number again',
      'Line 6: Tenant e-mail must be an e-mail address such as ada@example.com',
    ])
    const again = await choose(new TextEncoder().encode(file.html.replace('1.23E+12', '900')))
    expect(textOf(again)).not.toContain('Say what the column')
    expect((await visitor.get(`${again.url}/errors.csv`)).html).toContain(`"'=HYPERLINK(`)
  })

  test('and no good one leave nothing to send', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, rows[1] ?? []]))
    expect(textOf(page)).toContain('There is no row that could be sent.')
  })
})

describe('the same again', () => {
  test('one address twice in the list is asked about', async () => {
    const page = await choose(utf8Csv([LEASE_HEADER, tenantRow(0), tenantRow(1), tenantRow(0)]))
    expect(textOf(page)).toContain('tenant-1@example.org in the lines 2, 4')
    expect((await send(page)).status).toBe(422)
    expect(textOf(await send(page, { repeats: 'on' }))).toContain('3 documents are being sent.')
  })

  test('the same list within a day is asked about, and sent again when that is intended', async () => {
    const list = utf8Csv([LEASE_HEADER, ...tenantRows(2)])
    await send(await choose(list))
    const page = await choose(list)
    const asked = await send(page)
    expect(asked.status).toBe(409)
    expect(textOf(asked)).toContain('This list was sent before')
    expect(textOf(asked)).toContain('by Grace Hopper')
    expect((await t.app.db.selectFrom('batches').select('id').where('state', '=', 'running').execute()).length).toBe(1)
    expect(textOf(await send(asked, { again: 'on' }))).toContain('2 documents are being sent.')
  })
})

test('a list whose sending was stopped is asked about with what was not sent; ticks are kept', async () => {
  const rows = tenantRows(3)
  rows[1]![1] = 'nobody'
  const list = utf8Csv([LEASE_HEADER, ...rows])
  const started = await send(await choose(list), { leaveOut: 'on' })
  await visitor.submit(started, {}, '/stop')
  const asked = await send(await choose(list), { leaveOut: 'on' })
  expect([asked.status, textOf(asked)]).toEqual([409, expect.stringContaining('2 documents of it were not sent')])
  expect(asked.html).toContain(`href="/batches/${idIn(started)}"`)
  expect(textOf(await send(asked, { again: 'on' }))).toContain('2 documents are being sent.')
})

test('a list that somebody else has sent is asked about too, without the way to a batch of theirs', async () => {
  const shared = await leaseTemplate(t, { shared: true })
  template = shared
  const list = utf8Csv([LEASE_HEADER, ...tenantRows(2)])
  const first = await send(await choose(list))
  visitor = await newVisitor(t, 'member')
  const asked = await send(await choose(list))
  expect([asked.status, textOf(asked)]).toEqual([409, expect.stringContaining('by Grace Hopper')])
  expect(asked.html).not.toContain(idIn(first))
  expect(textOf(await send(asked, { again: 'on' }))).toContain('2 documents are being sent.')
})

test('a template that is not finished is finished first', async () => {
  const unfinished = await leaseTemplate(t, { title: 'Lease', roles: [{ name: 'Reader', role: 'viewer' }] })
  const page = await visitor.get(`/templates/${unfinished}/bulk`)
  expect(page.url).toBe(`/templates/${unfinished}`)
})

test('a draft is discarded, and then is gone', async () => {
  const page = await choose(utf8Csv([LEASE_HEADER, ...tenantRows(2)]))
  const gone = await visitor.submit(page, {}, '/discard')
  expect(textOf(gone)).toContain('The list was discarded. Nothing was sent.')
  expect((await visitor.get(page.url)).status).toBe(404)
})

describe('a batch', () => {
  const started = async (rows: string[][]) => send(await choose(utf8Csv([LEASE_HEADER, ...rows])))

  test('that the service stopped says why', async () => {
    const page = await started(tenantRows(3))
    await rounds(t, 1)
    await t.sql("UPDATE batches SET actor = 'key:key_unknown'")
    await rounds(t, 1)
    expect(textOf(await visitor.get(`/batches/${idIn(page)}`))).toContain(
      'Sending was stopped: the API token that it was sent with was revoked.',
    )
  })

  test('is stopped and taken up again; each row is sent once', async () => {
    const page = await started(tenantRows(3))
    expect(textOf(page)).toContain('0 of 3 sent')
    const stopped = await visitor.submit(page, {}, '/stop')
    expect(textOf(stopped)).toContain('Sending was stopped.')
    await sendAll(t)
    expect(await documentCount()).toBe(0)
    const again = await visitor.submit(await visitor.get(`/batches/${idIn(page)}`), {}, '/retry')
    expect(textOf(again)).toContain('What had failed or was stopped is being sent.')
    await sendAll(t)
    expect(textOf(await visitor.get(`/batches/${idIn(page)}?state=sent`))).toContain('3 of 3 sent')
    expect(await documentCount()).toBe(3)
  })

  test('is listed with the others of its template, until there are more pages', async () => {
    await started(tenantRows(1))
    await choose(utf8Csv([LEASE_HEADER, ...tenantRows(2)]), 'unsent.csv')
    const list = textOf(await visitor.get(`/templates/${template}/bulk`))
    expect(list).toMatch(/unsent\.csv Not sent yet – .*tenants\.csv Being sent 0 of 1 sent/)
    expect(list).not.toContain('Older lists')
    const brief = textOf(await visitor.get(`/templates/${template}`))
    expect(brief).toMatch(/Sent to many unsent\.csv Not sent yet .*tenants\.csv Being sent 0 of 1 sent/)
    expect(textOf(await (await newVisitor(t, 'member')).get(`/templates/${template}/bulk`))).not.toContain('tenants.csv')
  })

  test('of many rows is shown in pages, by state', async () => {
    const page = await started(tenantRows(230))
    expect(page.html.match(/<tr id="row-/g)).toHaveLength(100)
    const second = await visitor.get(/href="(\/batches\/[^"]+after=100)"/.exec(page.html)?.[1] ?? '')
    expect(second.html).toContain('id="row-101"')
    const last = await visitor.get(`/batches/${idIn(page)}?state=waiting&after=200`)
    expect(last.html.match(/<tr id="row-/g)).toHaveLength(30)
    expect(last.html).not.toContain('after=230')
    expect(textOf(await visitor.get(`/batches/${idIn(page)}?state=failed`))).toContain('No document is in this state.')
  })

  test('has its results as a file, with the link of each document', async () => {
    const page = await started(tenantRows(2))
    await sendAll(t)
    const { header, rows } = await read(`/batches/${idIn(page)}/results.csv`)
    expect(header).toEqual(['Line', 'State', 'People', 'Sent at', 'Document', 'Link', 'Error'])
    expect(rows.map(({ cells }) => [cells[0], cells[1], cells[2]])).toEqual([
      ['2', 'Sent', 'Jörg Müller <tenant-1@example.org>, Lea Löwe <lea@landlord.example>'],
      ['3', 'Sent', 'Anna Berg <tenant-2@example.org>, Lea Löwe <lea@landlord.example>'],
    ])
    expect(rows[0]?.cells[5]).toMatch(/\/documents\/doc_/)
  })

  test('is in German for those who read German', async () => {
    await visitor.submit(await visitor.get('/documents'), { language: 'de' }, '/language')
    expect(textOf(await visitor.get(`/templates/${template}/bulk`))).toContain('an viele senden')
    const list = await visitor.get(`/templates/${template}/bulk/list.csv`)
    expect(list.html).toContain('"Tenant Name";"Tenant E-Mail"')
    const page = await choose(
      utf8Csv([
        ['Tenant Name', ...LEASE_HEADER.slice(1)],
        ['', ...tenantRow(0).slice(1)],
      ]),
    )
    expect(textOf(page)).toContain('1 Zeile mit Fehlern')
    expect(textOf(page)).toContain('darf nicht leer sein')
    expect(textOf(page)).not.toMatch(/must |undefined/)
  })
})
