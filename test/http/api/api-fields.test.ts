/** How the text of a field is printed, over the API: what is stored, answered and refused. */
import { expect, test } from 'bun:test'
import { ADA, newDocument } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const BOX = { page: 1, x: 10, y: 10, width: 30, height: 4 }

const create = async (field: object) =>
  t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, fields: [{ ...BOX, ...field }] }] }))

test('size, alignment and date format are answered as they were sent', async () => {
  const sent = { type: 'date', fontSize: 9.5, align: 'right', dateFormat: 'DD.MM.YYYY' }
  const { status, body } = await create(sent)
  expect(status).toBe(201)
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0]).toMatchObject(sent)
})

test('without them the answer has null, and the service decides', async () => {
  const { body } = await create({ type: 'date' })
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0]).toMatchObject({ fontSize: null, align: null, dateFormat: null })
})

test.each([
  ['a text smaller than 6 pt', { type: 'text', fontSize: 5.9 }, 'fontSize'],
  ['a text larger than 24 pt', { type: 'text', fontSize: 24.1 }, 'fontSize'],
  ['a size in words', { type: 'text', fontSize: 'large' }, 'fontSize'],
  ['a size of a signature', { type: 'signature', fontSize: 10 }, 'fontSize'],
  ['an unknown alignment', { type: 'text', align: 'justify' }, 'align'],
  ['an alignment of a checkbox', { type: 'checkbox', align: 'left' }, 'align'],
  ['an unknown date format', { type: 'date', dateFormat: 'yyyy' }, 'dateFormat'],
  ['a line under a text', { type: 'text', rule: true }, 'rule'],
  ['a date format of a text', { type: 'text', dateFormat: 'DD.MM.YYYY' }, 'dateFormat'],
])('%s is refused with its path', async (_, field, member) => {
  const { status, body } = await create(field)
  expect(status).toBe(422)
  expect(body.error.details.map((d: { path: string }) => d.path)).toEqual([`recipients[0].fields[0].${member}`])
})

test.each([
  ['a signature', { type: 'signature' }, false],
  ['initials with a line', { type: 'initials', rule: true }, true],
])('%s has a line under it only where the sender asks for one', async (_, field, rule) => {
  const { body } = await create(field)
  const document = await t.api('GET', `/documents/${body.id}`)
  expect(document.body.recipients[0].fields[0].rule).toBe(rule)
})

test('marks that an earlier release stored keep their line, also when the field is edited', async () => {
  const { body } = await create({ type: 'signature', rule: true })
  const stored = () =>
    t.app.db.selectFrom('fields').select(['id', 'rule']).where('document_id', '=', body.id).executeTakeFirstOrThrow()
  const { id, rule } = await stored()
  expect(rule).toBe(1)
  await t.app.write(tx => tx.updateTable('fields').set({ rule: null }).where('id', '=', id).execute())
  const read = await t.api('GET', `/documents/${body.id}`)
  expect(read.body.recipients[0].fields[0].rule).toBe(true)
  expect((await t.api('PATCH', `/documents/${body.id}`, { fields: [{ id, width: 31 }] })).status).toBe(200)
  expect(await stored()).toEqual({ id, rule: 1 })
  expect((await t.api('PATCH', `/documents/${body.id}`, { fields: [{ id, rule: null }] })).status).toBe(200)
  expect(await stored()).toEqual({ id, rule: 0 })
})

test('a duplicate, a template made from a document and its documents keep the line of a mark', async () => {
  const { body } = await create({ type: 'signature', rule: true })
  const rules = async ({ id }: { id: string }) => {
    const rows = t.app.db.selectFrom('fields').select('rule').where('document_id', '=', id)
    return (await rows.execute()).map(({ rule }) => rule)
  }
  const duplicate = await t.api('POST', `/documents/${body.id}/duplicate`)
  expect(await rules(duplicate.body)).toEqual([1])
  const template = await t.api('POST', '/templates', { documentId: body.id })
  expect(await rules(template.body)).toEqual([1])
  const recipients = [{ role: template.body.roles[0].id, ...ADA }]
  const used = await t.api('POST', `/templates/${template.body.id}/documents`, { recipients })
  expect([used.status, await rules(used.body)]).toEqual([201, [1]])
})
