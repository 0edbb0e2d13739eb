/** Fields of a draft as a table without a script, and texts that the PDF would cut. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openedDocument } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

const EXACT = { type: 'text', page: 1, x: 12.3456789, y: 20.000001, width: 33.333333333, height: 3.87654321, label: 'Town' }

const box = (y: number) => ({ page: 1, x: 12.3456789, y, width: 2.3456789, height: 1.7654321 })
const PAYMENT = {
  type: 'radio',
  name: 'Payment',
  label: 'Payment',
  options: [
    { value: 'Monthly', ...box(20) },
    { value: 'Yearly', ...box(23.456789) },
  ],
}
const ACCOUNT = { type: 'text', label: 'Account', ...box(30), width: 30, showIf: { field: 'Payment', is: 'Monthly' } }
const ACCOUNT_WITHOUT_CONDITION = { type: 'text', label: 'Account', ...box(30), width: 30 }
const ADULTS = { type: 'number', label: 'Adults', ...box(40), width: 10, min: 1, max: 10.5 }
const PASSPORT = {
  type: 'attachment',
  label: 'Passport',
  ...box(50),
  width: 30,
  accept: ['application/pdf'],
  maxBytes: 5_000_000,
}
const REFERENCE = { type: 'date', label: 'Start', ...box(60), width: 20, value: '2027-01-31' }

const t = useTestApp()
const visitor = useAdministrator(t)
let id: string

const open = () => visitor.get(`/documents/${id}/fields`)
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, '/fields')
const recipients = async () => (await t.api('GET', `/documents/${id}`)).body.recipients
const fieldList = async () => (await recipients()).flatMap((r: { fields: object[] }) => r.fields)
const valuesOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/fields'))?.values ?? {}

describe('the table', () => {
  beforeEach(async () => {
    const recipients = [
      { name: 'Ann Berg', email: 'ann@example.com', fields: [EXACT] },
      { name: 'Bo Li', email: 'bo@example.com', role: 'approver' },
      { name: 'Cy Ng', email: 'cy@example.com', role: 'viewer' },
    ]
    id = (await t.api('POST', '/documents', await newDocument({ recipients }))).body.id
  })

  test('changes what was typed, with comma or point, and nothing else', async () => {
    await press(await open(), 'save', { 'fields[0].y': '40,5', 'fields[0].label': '', 'fields[0].type': 'name' })
    expect((await fieldList())[0]).toMatchObject({ type: 'name', y: 40.5, x: EXACT.x, width: EXACT.width, height: EXACT.height })
    expect((await fieldList())[0].label ?? null).toBeNull()
  })

  test('adds a signature for a signer without one, then texts, each at a free place; removes the one that is named', async () => {
    const one = await press(await open(), 'add')
    const two = await press(one, 'add', { 'fields[0].label': 'City' })
    const [ann] = await recipients()
    expect(ann.fields.map((f: { type: string }) => f.type)).toEqual(['text', 'signature', 'text'])
    expect(ann.fields[0].label).toBe('City')
    expect(ann.fields[1].y).not.toBe(ann.fields[2].y)
    await press(two, `remove:${ann.fields[1].id}`)
    expect((await fieldList()).map((f: { type: string }) => f.type)).toEqual(['text', 'text'])
  })

  test('gives a field to another person, and leads to the review', async () => {
    const [, bo] = await recipients()
    const page = await press(await open(), 'continue', { 'fields[0].recipientId': bo.id })
    expect(page.url).toEndWith('/review')
    expect((await recipients()).map((r: { fields: object[] }) => r.fields.length)).toEqual([0, 1, 0])
  })

  test('names what is wrong beside its field and keeps everything typed', async () => {
    const [ann, bo] = await recipients()
    const wrong = {
      'fields[0].page': '9',
      'fields[0].x': 'left',
    }
    const page = await press(await open(), 'save', wrong)
    expect([page.status, valuesOf(page)['fields[0].x']]).toEqual([422, 'left'])
    expect(textOf(page)).toContain('Enter a number from 0 to 100')
    const outside = await press(page, 'save', { 'fields[0].x': '90', 'fields[0].page': '1' })
    expect(textOf(outside)).toContain('over the edge of the page')
    const mark = await press(outside, 'save', {
      'fields[0].x': '1',
      'fields[0].type': 'signature',
      'fields[0].recipientId': bo.id,
    })
    expect(textOf(mark)).toContain('Signature and initials are for people who sign')
    const choice = await press(mark, 'save', {
      'fields[0].type': 'dropdown',
      'fields[0].recipientId': ann.id,
      'fields[0].options': ' \r\n',
    })
    expect(choice.status).toBe(200)
    await press(choice, 'save', { 'fields[0].options': 'One year\r\nTwo years\r\n' })
    expect((await fieldList())[0]).toMatchObject({ type: 'dropdown', options: ['One year', 'Two years'], x: 1 })
  })

  test('offers only people who can have fields; without one it says where to add them', async () => {
    const page = await open()
    expect(page.html).not.toContain('>Cy Ng</option>')
    await t.api('PATCH', `/documents/${id}`, { recipients: [] })
    expect(textOf(await open())).toContain('First add a person who signs or approves')
  })

  test('says what another person changed meanwhile and overwrites only on request', async () => {
    const stale = await open()
    const [{ id: fieldId }] = await fieldList()
    await t.api('PATCH', `/documents/${id}`, { fields: [{ id: fieldId, x: 50 }] })
    const page = await press(stale, 'save', { 'fields[0].label': 'City' })
    expect([page.status, textOf(page).includes('1 field: changed by the API token “test”')]).toEqual([412, true])
    expect((await fieldList())[0]).toMatchObject({ x: 50, label: 'Town' })
    await press(page, 'overwrite')
    expect((await fieldList())[0]).toMatchObject({ x: 12.35, label: 'City' })
  })
})

type Json = Record<string, unknown> & { type: string }
async function fields(): Promise<Record<string, Json>> {
  const { body } = await t.api('GET', `/documents/${id}`)
  const all: Json[] = [...body.recipients[0].fields, ...body.senderFields]
  return Object.fromEntries(all.map(field => [String(field.label), field]))
}

/** The index of the row with this label. */
function row(page: Page, label: string): string {
  const [member = ''] = Object.entries(valuesOf(page)).find(([name, value]) => name.endsWith('.label') && value === label) ?? []
  return member.replace(/\.label$/, '')
}

describe('the table, with each kind of field,', () => {
  beforeEach(async () => {
    const recipients = [{ name: 'Ann Berg', email: 'ann@example.com', fields: [PAYMENT, ACCOUNT, ADULTS, PASSPORT] }]
    id = (await t.api('POST', '/documents', await newDocument({ recipients, senderFields: [REFERENCE] }))).body.id
  })

  test('saved without a change keeps every member and every place of a choice exactly', async () => {
    const page = await open()
    const after = await press(page, 'save')
    expect(await fields()).toMatchObject({
      Payment: PAYMENT,
      Account: ACCOUNT,
      Adults: ADULTS,
      Passport: PASSPORT,
      Start: { ...REFERENCE, readOnly: true },
    })
    expect(valuesOf(after).version).toBe(valuesOf(page).version as string)
  })

  test('moves one choice, adds another and removes the one whose value is cleared', async () => {
    const page = await open()
    const payment = row(page, 'Payment')
    const added = await press(page, 'save', { [`${payment}.choices[1].x`]: '50,5', [`${payment}.choices[2].value`]: 'Never' })
    const { options } = (await fields()).Payment as unknown as { options: Record<string, unknown>[] }
    expect(options).toMatchObject([PAYMENT.options[0], { value: 'Yearly', x: 50.5, y: 23.456789 }, { value: 'Never', page: 1 }])
    await press(added, 'save', { [`${payment}.choices[0].value`]: '' })
    expect((await fields()).Payment?.options).toMatchObject([{ value: 'Yearly' }, { value: 'Never' }])
  })

  test('sets name, condition, value and limits; a cleared one is gone', async () => {
    const page = await open()
    const adults = row(page, 'Adults')
    const account = row(page, 'Account')
    await press(page, 'save', {
      [`${adults}.name`]: 'Adults',
      [`${adults}.min`]: '-2,5',
      [`${adults}.max`]: '',
      [`${adults}.value`]: '3',
      [`${adults}.readOnly`]: 'on',
      [`${account}.showIfField`]: 'Adults',
      [`${account}.showIfIs`]: '3',
      [`${row(page, 'Start')}.value`]: '2027-02-01',
    })
    expect(await fields()).toMatchObject({
      Adults: { name: 'Adults', min: -2.5, max: null, value: '3', readOnly: true },
      Account: { showIf: { field: 'Adults', is: '3' } },
      Start: { value: '2027-02-01' },
    })
    await press(await open(), 'save', { [`${account}.showIfField`]: '', [`${account}.showIfIs`]: '' })
    expect((await fields()).Account?.showIf).toBeNull()
  })

  test('turns a text into choices with boxes below each other, and gives a field to the sender', async () => {
    const page = await open()
    const account = row(page, 'Account')
    await press(page, 'save', { [`${account}.type`]: 'radio', [`${account}.options`]: 'Yes\r\nNo' })
    const { type, options } = (await fields()).Account as unknown as { type: string; options: Record<string, number>[] }
    expect(type).toBe('radio')
    expect(options).toMatchObject([
      { value: 'Yes', y: 30, width: 30 },
      { value: 'No', width: 30 },
    ])
    expect(options[1]!.y).toBeGreaterThan(30 + ACCOUNT.height)
    const again = await open()
    await press(again, 'save', { [`${row(again, 'Adults')}.recipientId`]: 'sender' })
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.senderFields.map(({ label }: Json) => label)).toEqual(['Start', 'Adults'])
  })

  test('says beside the entry what is wrong, opens its part and keeps what was typed', async () => {
    const page = await open()
    const [payment, account, adults, passport] = ['Payment', 'Account', 'Adults', 'Passport'].map(label => row(page, label))
    const wrong = await press(page, 'save', {
      [`${payment}.choices[0].x`]: 'left',
      [`${account}.showIfIs`]: '',
      [`${adults}.min`]: 'few',
      [`${passport}.maxMegabytes`]: '21',
    })
    expect(wrong.status).toBe(422)
    for (const sentence of ['from 0 to 100', 'at which this field is shown', 'Enter a number.', 'up to 20'])
      expect(textOf(wrong)).toContain(sentence)
    expect(valuesOf(wrong)[`${payment}.choices[0].x`]).toBe('left')
    const twice = await press(await open(), 'save', { [`${payment}.choices[0].value`]: 'Yearly', [`${adults}.value`]: '99' })
    expect(twice.status).toBe(422)
    expect(twice.html).toContain(`id="${payment}.choices[1].value-error"`)
    expect(twice.html).toContain(`id="${adults}.value-error"`)
  })

  test('a broken condition is named at the review, with a link to its field', async () => {
    const page = await open()
    await press(page, 'save', { [`${row(page, 'Payment')}.name`]: 'Plan' })
    const review = await visitor.get(`/documents/${id}/review`)
    expect(textOf(review)).toContain('has a condition that cannot be met')
    expect(review.html).toContain(`/fields#${(await fields()).Account?.id}`)
  })
})

test('a line under a signature is a tick of its row, which other kinds do not have', async () => {
  const mark = { type: 'initials', label: 'Here', ...box(70), width: 20, height: 5 }
  const recipients = [{ name: 'Ann Berg', email: 'ann@example.com', fields: [mark, ACCOUNT_WITHOUT_CONDITION] }]
  id = (await t.api('POST', '/documents', await newDocument({ recipients }))).body.id
  const page = await open()
  expect(page.html.match(/name="fields\[\d+\]\.rule"/g)).toEqual([`name="${row(page, 'Here')}.rule"`])
  const ticked = await press(page, 'save', { [`${row(page, 'Here')}.rule`]: 'on' })
  expect((await fields()).Here).toMatchObject({ rule: true })
  const again = await press(ticked, 'save')
  expect((await fields()).Here).toMatchObject({ rule: true })
  await press(again, 'save', { [`${row(again, 'Here')}.rule`]: '' })
  expect((await fields()).Here).toMatchObject({ rule: false })
})

const REMARK = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Remark', required: false, maxLength: 2000 }
const SENTENCE = 'The apartment was handed over with two keys and a marked floor plan. '
const LONG = SENTENCE.repeat(12).trim()

async function opened(fields: object[] = [REMARK, SIGNATURE], more: object = {}) {
  const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, fields }], ...more })
  const { body } = await t.api('GET', `/documents/${id}`)
  return { id, visitor, page, field: body.recipients[0].fields[0].id as string }
}

const sign = (visitor: Visitor, page: Page, field: string, text: string) =>
  visitor.submit(page, { signature: 'Ada', consent: 'on', [`fields.${field}`]: text }, '/finish')

describe('a text that is too long for its place', () => {
  test('is refused at the end with the number of characters, what was entered is kept, and nobody has signed', async () => {
    const { id, visitor, page, field } = await opened()
    const refused = await sign(visitor, page, field, LONG)
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toMatch(/too long for its place in the document. Please use at most about \d+ characters/)
    expect(refused.html).toContain(LONG)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })

  test('is refused while the form is filled in, in the language of the page', async () => {
    const { visitor, page, field } = await opened([REMARK, SIGNATURE], { locale: 'de' })
    const { action, values } = formsOf(page.html).find(form => form.action.endsWith('/finish'))!
    const saved = (text: string) =>
      visitor.post(action.replace(/finish$/, 'form-values'), { csrf: values.csrf!, [`fields.${field}`]: text })
    const refused = await saved(LONG)
    expect(refused.status).toBe(422)
    const [error] = JSON.parse(refused.html).errors
    expect(error.path).toBe(`fields.${field}`)
    expect(error.message).toMatch(/^Remark: Das ist zu lang für die Stelle im Dokument/)
    expect((await saved(SENTENCE)).status).toBe(204)
  })

  test('is accepted in a larger place, and printed whole', async () => {
    const { id, visitor, page, field } = await opened([
      { ...REMARK, width: 80, height: 30 },
      { ...SIGNATURE, y: 60 },
    ])
    expect((await sign(visitor, page, field, LONG)).status).toBe(200)
    await t.drain()
    const sealed = await t.api('GET', `/documents/${id}/file`)
    const printed = await pdfText(sealed.body, '-l', '1')
    expect(printed.replace(/\s+/g, ' ')).toContain(LONG)
    expect(printed).not.toContain('…')
  })
})

const { maxLength: _, ...place } = REMARK
const CHOICE = { ...place, type: 'dropdown', options: ['Yes', LONG.slice(0, 199).trim()], width: 15 }

test.each([
  ['value', { ...REMARK, value: LONG, readOnly: true }],
  ['value', { ...REMARK, value: LONG }],
  ['options', CHOICE],
])('keeps the document from being sent, by its %s', async (member, field) => {
  const body = await newDocument({ recipients: [{ ...ADA, fields: [field, SIGNATURE] }] })
  const { body: created } = await t.api('POST', '/documents', body)
  expect(created).toMatchObject({ status: 'draft' })
  const { id } = created
  const { body: refused, status } = await t.api('POST', `/documents/${id}/send`)
  const [{ id: fieldId }] = (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields
  expect([status, refused.error.code]).toEqual([422, 'validation_failed'])
  expect(refused.error.details).toEqual([
    {
      path: `fields/${fieldId}/${member}`,
      code: 'text_too_long',
      message: 'is too long for its place in the document: shorten it, or enlarge the field',
    },
  ])
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('draft')
})

test('a value or a choice of the sender that is too long for its place is named on the review page', async () => {
  const recipients = [{ ...ADA, fields: [{ ...REMARK, value: LONG }, SIGNATURE] }]
  const body = await newDocument({ recipients, senderFields: [{ ...REMARK, page: 1, y: 40, value: LONG }] })
  const { id } = (await t.api('POST', '/documents', body)).body
  const page = await visitor.get(`/documents/${id}/review`)
  expect(textOf(page)).toContain('The text in a field of Ada Lovelace on page 1 is too long for its place.')
  expect(textOf(page)).toContain('The text in a field of yours on page 1 is too long for its place.')
})

test('a value of the sender never keeps a recipient from signing', async () => {
  const { visitor, page, field } = await opened([{ ...REMARK, value: SENTENCE, readOnly: true, height: 8 }, SIGNATURE])
  expect((await sign(visitor, page, field, 'ignored')).status).toBe(200)
})
