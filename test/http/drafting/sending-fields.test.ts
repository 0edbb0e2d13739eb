/** Fields of a draft as a table of numbers: exact, forgiving about commas, never rounded. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

const EXACT = { type: 'text', page: 1, x: 12.3456789, y: 20.000001, width: 33.333333333, height: 3.87654321, label: 'Town' }

const t = useTestApp()
const visitor = useAdministrator(t)
let id: string
beforeEach(async () => {
  const recipients = [
    { name: 'Ann Berg', email: 'ann@example.com', fields: [EXACT] },
    { name: 'Bo Li', email: 'bo@example.com', role: 'approver' },
    { name: 'Cy Ng', email: 'cy@example.com', role: 'viewer' },
  ]
  id = (await t.api('POST', '/documents', await newDocument({ recipients }))).body.id
})

const open = () => visitor.get(`/documents/${id}/fields`)
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, '/fields')
const recipients = async () => (await t.api('GET', `/documents/${id}`)).body.recipients
const fields = async () => (await recipients()).flatMap((r: { fields: object[] }) => r.fields)
const valuesOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/fields'))?.values ?? {}

describe('the table', () => {
  test('saved without a change keeps every place exactly and makes no new version', async () => {
    const page = await open()
    expect(valuesOf(page)).toMatchObject({ 'fields[0].x': '12.35', 'fields[0].label': 'Town' })
    const after = await press(page, 'save')
    expect((await fields())[0]).toMatchObject(EXACT)
    expect(valuesOf(after).version).toBe(valuesOf(page).version as string)
  })

  test('changes what was typed, with comma or point, and nothing else', async () => {
    await press(await open(), 'save', { 'fields[0].y': '40,5', 'fields[0].label': '', 'fields[0].type': 'name' })
    expect((await fields())[0]).toMatchObject({ type: 'name', y: 40.5, x: EXACT.x, width: EXACT.width, height: EXACT.height })
    expect((await fields())[0].label ?? null).toBeNull()
  })

  test('adds a signature for a signer without one, then texts, each at a free place; removes the one that is named', async () => {
    const one = await press(await open(), 'add')
    const two = await press(one, 'add', { 'fields[0].label': 'City' })
    const [ann] = await recipients()
    expect(ann.fields.map((f: { type: string }) => f.type)).toEqual(['text', 'signature', 'text'])
    expect(ann.fields[0].label).toBe('City')
    expect(ann.fields[1].y).not.toBe(ann.fields[2].y)
    await press(two, `remove:${ann.fields[1].id}`)
    expect((await fields()).map((f: { type: string }) => f.type)).toEqual(['text', 'text'])
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
    expect((await fields())[0]).toMatchObject({ type: 'dropdown', options: ['One year', 'Two years'], x: 1 })
  })

  test('offers only people who can have fields; without one it says where to add them', async () => {
    const page = await open()
    expect(page.html).not.toContain('>Cy Ng</option>')
    await t.api('PATCH', `/documents/${id}`, { recipients: [] })
    expect(textOf(await open())).toContain('First add a person who signs or approves')
  })

  test('says what another person changed meanwhile and overwrites only on request', async () => {
    const stale = await open()
    const [{ id: fieldId }] = await fields()
    await t.api('PATCH', `/documents/${id}`, { fields: [{ id: fieldId, x: 50 }] })
    const page = await press(stale, 'save', { 'fields[0].label': 'City' })
    expect([page.status, textOf(page).includes('1 field: changed by the API token “test”')]).toEqual([412, true])
    expect((await fields())[0]).toMatchObject({ x: 50, label: 'Town' })
    await press(page, 'overwrite')
    expect((await fields())[0]).toMatchObject({ x: 12.35, label: 'City' })
  })
})
