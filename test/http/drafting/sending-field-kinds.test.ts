/** Each kind of field, names, conditions and the sender's fields in the table without a script. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

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
beforeEach(async () => {
  const recipients = [{ name: 'Ann Berg', email: 'ann@example.com', fields: [PAYMENT, ACCOUNT, ADULTS, PASSPORT] }]
  id = (await t.api('POST', '/documents', await newDocument({ recipients, senderFields: [REFERENCE] }))).body.id
})

const open = () => visitor.get(`/documents/${id}/fields`)
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, '/fields')
const valuesOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/fields'))?.values ?? {}

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

describe('the table', () => {
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
