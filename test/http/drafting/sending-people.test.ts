/** From a file to people by forms alone: nothing typed is lost or overwritten in silence. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { samplePdf } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'

const t = useTestApp()
let visitor: Visitor
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
  visitor = await signedIn(t)
})

const pdf = async () => Buffer.from(await samplePdf(), 'base64')
const upload = async (name = 'lease.pdf', bytes?: Uint8Array): Promise<Page> =>
  visitor.upload(await visitor.get('/documents/new'), '/documents/new', { name, bytes: bytes ?? (await pdf()) })
const idOf = ({ url }: Page) => /doc_[0-9a-z]{26}/.exec(url)?.[0] ?? ''
const documents = () => t.app.db.selectFrom('documents').select(['id', 'title']).execute()
const document = async (page: Page) => (await t.api('GET', `/documents/${idOf(page)}`)).body
/** Presses a button of the main form. */
const press = (page: Page, act: string, values: Record<string, string> = {}, by = visitor) =>
  by.submit(page, { do: act, ...values }, '/people')
const row = (i: number, name: string, email: string, more: Record<string, string> = {}) => ({
  [`recipients[${i}].name`]: name,
  [`recipients[${i}].email`]: email,
  ...Object.fromEntries(Object.entries(more).map(([member, value]) => [`recipients[${i}].${member}`, value])),
})
const valuesOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/people'))?.values ?? {}
/** The id of the row that shows this value. */
const rowWith = (page: Page, text: string) => {
  const values = valuesOf(page)
  const i = /\[(\d+)\]/.exec(Object.keys(values).find(name => values[name] === text) ?? '')?.[1]
  return values[`recipients[${i}].id`] ?? ''
}

describe('a file', () => {
  test('becomes a draft with the title of its name, and leads to the people', async () => {
    const page = await upload('Lease 2026 final.pdf')
    expect(textOf(page)).toContain('Who receives the document?')
    expect(valuesOf(page).title).toBe('Lease 2026 final')
    expect(await document(page)).toMatchObject({ status: 'draft', title: 'Lease 2026 final', recipients: [] })
  })

  test('that cannot be taken says why and what to do, and leaves nothing behind', async () => {
    for (const [name, bytes, said] of [
      ['notes.txt', Buffer.from('hello'), 'This file is not a PDF; choose a PDF file.'],
      ['empty.pdf', new Uint8Array(), 'This file is not a PDF; choose a PDF file.'],
    ] as const) {
      const page = await upload(name, bytes)
      expect([page.status, textOf(page)]).toEqual([422, expect.stringContaining(said)])
      expect(page.html).toContain('href="#file"')
    }
    const none = await visitor.upload(await visitor.get('/documents/new'), '/documents/new', undefined)
    expect([none.status, textOf(none).includes('Please choose a PDF.')]).toEqual([422, true])
    expect(await documents()).toEqual([])
    expect(await t.app.db.selectFrom('files').selectAll().execute()).toEqual([])
  })

  test('of any name is taken; the name is text wherever it is shown', async () => {
    const page = await upload('<img src=x onerror=alert(1)>\u{1f600}"\'.pdf')
    expect(page.status).toBe(200)
    expect(page.html).not.toContain('<img src=x')
    expect((await documents())[0]?.title).toBe('<img src=x onerror=alert(1)>"\'')
    expect((await documents()).length).toBe(1)
    await upload(`${'ä'.repeat(400)}.pdf`)
    expect((await documents()).map(({ title }) => title.length).sort((a, b) => a - b)[1]).toBeGreaterThan(100)
  })
})

describe('people', () => {
  test('one signer: name and address, then the fields', async () => {
    const page = await press(await upload(), 'continue', row(0, ' Bo Li ', 'bo@example.com '))
    expect(page.url).toEndWith('/fields')
    expect((await document(page)).recipients).toMatchObject([{ name: 'Bo Li', email: 'bo@example.com', role: 'signer' }])
  })

  test('what is missing or wrong is named beside its field, and everything typed is still there', async () => {
    const first = await press(await upload(), 'continue')
    expect([first.status, textOf(first).includes('Add the person who signs')]).toEqual([422, true])
    const wrong = await press(first, 'continue', row(0, 'Bo Li', 'bo@', { accessCode: 'abc' }))
    expect(wrong.status).toBe(422)
    expect(textOf(wrong)).toContain('Enter an e-mail address such as ada@example.com.')
    expect(textOf(wrong)).toContain('at least 6 characters')
    expect(wrong.html).toContain('href="#recipients[0].email"')
    expect(valuesOf(wrong)).toMatchObject(row(0, 'Bo Li', 'bo@', { accessCode: 'abc' }))
    const nameless = await press(wrong, 'continue', row(0, '', 'bo@example.com', { accessCode: '' }))
    expect([nameless.status, textOf(nameless).includes('Enter the name.')]).toEqual([422, true])
  })

  test('what is wrong is named at its row, the rest is saved, and empty rows stay', async () => {
    const page = await press(await upload(), 'add', row(0, 'Bo Li', 'bo@example.com'))
    const more = { ...row(1, '', ''), ...row(2, 'Ann Berg', 'ann@'), ...row(3, 'Cy Ng', 'cy@example.com') }
    const ids = { 'recipients[2].id': 'rcp_01jzzzzzzzzzzzzzzzzzzzzzz1', 'recipients[3].id': 'rcp_01jzzzzzzzzzzzzzzzzzzzzzz2' }
    const wrong = await press(page, 'save', { ...more, ...ids, inPlace: 'rows' })
    expect([wrong.status, valuesOf(wrong)['recipients[1].name']]).toEqual([422, ''])
    expect([...wrong.html.matchAll(/href="#(recipients[^"]+)"/g)].map(([, path]) => path)).toEqual(['recipients[2].email'])
    expect((await document(page)).recipients.map((r: { name: string; email: string }) => `${r.name}|${r.email}`)).toEqual([
      'Bo Li|bo@example.com',
      'Ann Berg|',
      'Cy Ng|cy@example.com',
    ])
    const twice = await press(wrong, 'save', { ...row(2, 'Ann Berg', 'ann@example.com'), ...row(3, 'Bo Li', 'bo@example.com') })
    expect([...twice.html.matchAll(/href="#(recipients[^"]+)"/g)].map(([, path]) => path)).toEqual(['recipients[3].email'])
  })

  test('a row is put at a place, and the places keep their numbers', async () => {
    const page = await press(await upload(), 'save', row(0, '', 'a@example.com; b@example.com; c@example.com'))
    const placed = await press(page, `place:${rowWith(page, 'c@example.com')}:0`)
    const { recipients } = await document(placed)
    expect(recipients.map((r: { order: number; email: string }) => `${r.order} ${r.email}`)).toEqual([
      '1 c@example.com',
      '2 a@example.com',
      '3 b@example.com',
    ])
  })

  test('rows are added, moved and removed by buttons that keep what was typed', async () => {
    const one = await press(await upload(), 'add', row(0, 'Bo Li', 'bo@example.com'))
    const two = await press(one, 'add', row(1, 'Ann Berg', 'ann@example.com', { role: 'approver' }))
    const three = await press(two, 'save', { ...row(2, 'Cy Ng', 'cy@example.com'), signingOrder: 'sequential' })
    const moved = await press(three, `up:${rowWith(three, 'Cy Ng')}`)
    const names = async () =>
      (await document(moved)).recipients.map((r: { name: string; order: number }) => `${r.order} ${r.name}`)
    expect(await names()).toEqual(['1 Bo Li', '2 Cy Ng', '3 Ann Berg'])
    const removed = await press(moved, `remove:${rowWith(moved, 'Bo Li')}`)
    expect(await names()).toEqual(['2 Cy Ng', '3 Ann Berg'])
    await press(removed, 'save', row(0, 'Cy Ng', 'cy@example.com', { order: '4' }))
    expect(await names()).toEqual(['3 Ann Berg', '4 Cy Ng'])
    expect((await document(moved)).recipients[0].role).toBe('approver')
  })

  test('“I sign too” adds the sender once', async () => {
    const page = await press(await upload(), 'me', row(0, 'Bo Li', 'bo@example.com'))
    expect((await document(page)).recipients.map((r: { email: string }) => r.email)).toEqual(['bo@example.com', GRACE.email])
    expect(textOf(page)).not.toContain('I sign too')
  })

  test('pasted text is split: into name and address, and several people into rows', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li <bo@example.com>', ''))
    await press(page, 'save', row(0, '', 'Bo Li <bo@example.com>; ann@example.com, "Ng, Cy" <cy@example.com>'))
    expect((await document(page)).recipients.map((r: { name: string; email: string }) => `${r.name}|${r.email}`)).toEqual([
      'Bo Li|bo@example.com',
      '|ann@example.com',
      'Ng, Cy|cy@example.com',
    ])
  })

  test('lists of more people than a page takes stay as they were typed', async () => {
    const list = (letter: string) => Array.from({ length: 90 }, (_, i) => `${letter}${i}@example.com`).join('; ')
    const page = await press(await upload(), 'add', row(0, 'Bo Li', 'bo@example.com'))
    const two = { ...row(1, '', list('b')), ...row(2, '', list('c')), 'recipients[2].id': 'rcp_01jzzzzzzzzzzzzzzzzzzzzzz2' }
    const wrong = await press(page, 'save', { ...two, ...row(0, '', list('a')) })
    expect([wrong.status, valuesOf(wrong)['recipients[2].email']]).toEqual([422, list('c')])
    expect(await document(page)).toMatchObject({ recipients: [{ email: 'bo@example.com' }, {}, {}] })
  })

  test('an access code is set, kept without being shown, replaced and removed', async () => {
    const hash = async () =>
      (await t.app.db.selectFrom('recipients').select('access_code_hash').executeTakeFirst())?.access_code_hash
    const set = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com', { accessCode: 'tulip-42' }))
    const first = await hash()
    expect(first).toBeString()
    expect(set.html).not.toContain('tulip-42')
    const kept = await press(set, 'save')
    expect(await hash()).toBe(first as string)
    await press(kept, 'save', row(0, 'Bo Li', 'bo@example.com', { removesCode: 'on' }))
    expect(await hash()).toBeNull()
  })

  test('a person with fields is removed only after a question', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com'))
    const [{ id }] = (await document(page)).recipients
    const field = { recipientId: id, type: 'signature', page: 1, x: 10, y: 10, width: 20, height: 5 }
    expect((await t.api('PATCH', `/documents/${idOf(page)}`, { fields: [field] })).status).toBe(200)
    const asked = await press(await visitor.get(page.url), `remove:${id}`)
    expect(textOf(asked)).toContain('1 field of this person will be removed too')
    expect((await document(page)).recipients).toHaveLength(1)
    await press(asked, `removeAll:${id}`)
    expect((await document(page)).recipients).toEqual([])
  })
})

describe('a stale form', () => {
  test('says what changed, by whom, keeps what was typed, and overwrites only on request', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com'))
    const other = await signedIn(t)
    await press(await other.get(page.url), 'save', row(0, 'Bo Lee', 'bo@example.com'), other)
    const stale = await press(page, 'continue', row(0, 'Robert Li', 'bo@example.com'))
    expect(stale.status).toBe(412)
    expect(textOf(stale)).toContain('The person Bo Lee: changed by you, in another window')
    expect(valuesOf(stale)['recipients[0].name']).toBe('Robert Li')
    expect((await document(page)).recipients[0].name).toBe('Bo Lee')
    await press(stale, 'overwrite')
    expect((await document(page)).recipients[0].name).toBe('Robert Li')
  })

  test('saves beside changes to what it does not show, and says so', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com'))
    expect((await t.api('PATCH', `/documents/${idOf(page)}`, { message: 'From elsewhere' })).status).toBe(200)
    const merged = await press(page, 'save', row(0, 'Robert Li', 'bo@example.com'))
    expect([merged.status, textOf(merged).includes('their changes were kept')]).toEqual([200, true])
    expect(await document(page)).toMatchObject({ message: 'From elsewhere', recipients: [{ name: 'Robert Li' }] })
    expect((await t.api('PATCH', `/documents/${idOf(page)}`, { message: 'Once more' })).status).toBe(200)
    const twice = { ...row(1, 'Robert Li', 'bo@example.com'), 'recipients[1].id': 'rcp_01jzzzzzzzzzzzzzzzzzzzzzz1' }
    const refused = await press(merged, 'save', twice)
    expect([refused.status, textOf(refused).includes('their changes were kept')]).toEqual([422, false])
  })

  test('never removes fields that were added since it asked', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com'))
    const [{ id }] = (await document(page)).recipients
    const field = { recipientId: id, type: 'signature', page: 1, x: 10, y: 10, width: 20, height: 5 }
    expect((await t.api('PATCH', `/documents/${idOf(page)}`, { fields: [field] })).status).toBe(200)
    expect(textOf(await press(page, `remove:${id}`))).toContain('1 field of this person will be removed too')
    expect((await press(page, `removeAll:${id}`)).status).toBe(412)
    expect((await document(page)).recipients).toHaveLength(1)
  })

  test('shows who was added meanwhile beside who was typed, and saves both', async () => {
    const page = await upload()
    const other = await signedIn(t)
    await press(await other.get(page.url), 'save', row(0, 'Ann Berg', 'ann@example.com'), other)
    const stale = await press(page, 'save', row(0, 'Bo Li', 'bo@example.com'))
    expect(stale.status).toBe(412)
    const values = valuesOf(stale)
    expect([values['recipients[0].name'], values['recipients[1].name']]).toEqual(['Bo Li', 'Ann Berg'])
    await press(stale, 'overwrite')
    const { recipients } = await document(page)
    expect(recipients.map((r: { email: string }) => r.email)).toEqual(['bo@example.com', 'ann@example.com'])
  })

  test('of a document that has been sent leads to the document', async () => {
    const page = await press(await upload(), 'save', row(0, 'Bo Li', 'bo@example.com'))
    expect((await t.api('POST', `/documents/${idOf(page)}/send`)).status).toBe(200)
    const after = await press(page, 'continue', row(0, 'Eve', 'eve@example.com'))
    expect(after.url).toEndWith(`/documents/${idOf(page)}?notice=already-sent`)
    expect((await document(page)).recipients[0].name).toBe('Bo Li')
    expect((await visitor.get(`/documents/${idOf(page)}/people`)).url).toContain('notice=already-sent')
  })

  test('cannot reach the drafts of others', async () => {
    const page = await upload()
    const foreign = page.url.replace(idOf(page), 'doc_00000000000000000000000000')
    expect((await visitor.get(foreign)).status).toBe(404)
  })
})
