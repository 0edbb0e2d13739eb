/** The use of a template: what is refused and with which path, and what the document has. */
import { describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/ports.ts'
import { editTemplate } from '../../src/templates/edit.ts'
import { createDocumentFrom } from '../../src/templates/use.ts'
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { ANNA, BO, box, createdTemplate, detailsOf, use, VALUES } from './scene.ts'

const t = useTestApp()

const make = (id: string, body: unknown) => t.api('POST', `/templates/${id}/documents`, body)
const documentOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const countDocuments = async () => (await t.api('GET', '/documents')).body.data.length

describe('a use that is refused makes no document and names', () => {
  const REFUSED: [what: string, body: object, details: Record<string, RegExp>][] = [
    ['a role without a person', { recipients: [ANNA] }, { recipients: /for the role Landlord/ }],
    ['an unknown role', { recipients: [ANNA, BO, { ...BO, role: 'Bank' }] }, { 'recipients[2].role': /Tenant, Landlord/ }],
    ['a role with two persons', { recipients: [ANNA, BO, { ...ANNA, role: 'TENANT' }] }, { 'recipients[2].role': /once/ }],
    ['no address', { recipients: [{ ...ANNA, email: 'anna' }, BO] }, { 'recipients[0].email': /e-mail address/ }],
    [
      'the same address twice',
      { recipients: [BO, { ...ANNA, name: BO.name, email: BO.email }] },
      { 'recipients[0].email': /already used/ },
    ],
    ['a short access code', { recipients: [{ ...ANNA, accessCode: '      1' }, BO] }, { 'recipients[0].accessCode': /6/ }],
    ['missing values of the sender', { values: { Begin: '2027-01-01' } }, { 'values.Rent': /./ }],
    ['a number that is too small', { values: { ...VALUES, Rent: 0 } }, { 'values.Rent': /1/ }],
    ['a number that is none', { values: { ...VALUES, Rent: true } }, { 'values.Rent': /number/ }],
    ['a day that does not exist', { values: { ...VALUES, Begin: '2027-02-30' } }, { 'values.Begin': /./ }],
    ['an unknown field', { values: { ...VALUES, Rant: 1 } }, { 'values.Rant': /Rent, Begin, Remark/ }],
    [
      'a signature',
      { recipients: [{ ...ANNA, values: { Signature: 'x' } }, BO] },
      { 'recipients[0].values.Signature': /City, Pets/ },
    ],
    [
      'a field of another role',
      { recipients: [{ ...ANNA, values: { Unit: '4' } }, BO] },
      { 'recipients[0].values.Unit': /City/ },
    ],
    ['one field by two names', { values: { ...VALUES, rent: 5 } }, { 'values.rent': /Rent/ }],
    [
      'a missing read-only value',
      { recipients: [ANNA, { ...BO, values: {} }] },
      { 'recipients[1].values.Unit': /must be given/ },
    ],
    [
      'an emptied read-only value',
      { recipients: [ANNA, { ...BO, values: { Unit: '' } }] },
      { 'recipients[1].values.Unit': /must be given/ },
    ],
    [
      'a sender’s field that recipients may change',
      { values: { ...VALUES, Rent: { value: 5, readOnly: false } } },
      { 'values.Rent.readOnly': /./ },
    ],
    [
      'characters without a font',
      { recipients: [{ ...ANNA, values: { City: '\u{1F9F8}' } }, BO] },
      { 'recipients[0].values.City': /printed/ },
    ],
    ['a value of another type', { values: { ...VALUES, Rent: [1] } }, { 'values.Rent': /string or number or boolean/ }],
    ['no value', { values: { ...VALUES, Rent: null } }, { 'values.Rent': /string or number/ }],
    ['a past expiry', { expiresAt: '2020-01-01T00:00:00Z' }, { expiresAt: /future/ }],
  ]

  test.each(REFUSED)('%s', async (_, body, details) => {
    const id = await createdTemplate(t)
    const answer = await make(id, { ...use(), ...body })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed'])
    const found = detailsOf(answer)
    for (const [path, message] of Object.entries(details)) expect(found[path] ?? JSON.stringify(found)).toMatch(message)
    expect(Object.keys(found)).toEqual(Object.keys(details))
    expect(await countDocuments()).toBe(0)
  })

  test('a title that has more than 255 characters with the values', async () => {
    const id = await createdTemplate(t, { title: '{{Tenant}} {{Landlord}}' })
    const people = [ANNA, BO].map(person => ({ ...person, name: 'n'.repeat(200) }))
    expect(detailsOf(await make(id, use({ recipients: people })))).toEqual({ title: expect.stringMatching(/255/) })
    expect((await make(id, use({ recipients: people, title: 'Lease' }))).status).toBe(201)
  })

  test('a misspelt member beside a value', async () => {
    const id = await createdTemplate(t)
    const answer = await make(id, use({ values: { ...VALUES, Rent: { value: 5, readonly: true } } }))
    expect(detailsOf(answer)['values.Rent.readonly']).toContain('spelling')
  })

  test('a label that two fields have, unless their names are used', async () => {
    const text = { type: 'text', label: 'Amount', required: false }
    const fields = [SIGNATURE, { ...text, name: 'a1', ...box(20) }, { ...text, name: 'a2', ...box(30) }]
    const id = await createdTemplate(t, { senderFields: [], roles: [{ name: 'Tenant', fields }] })
    const withValues = (values: object) => make(id, { recipients: [{ ...ANNA, values }] })
    expect(detailsOf(await withValues({ amount: '1' }))).toEqual({
      'recipients[0].values.amount': expect.stringMatching(/2 fields/),
    })
    const document = await documentOf((await withValues({ a1: '1', A2: '2' })).body.id)
    expect(document.recipients[0].fields.map((f: { value: string }) => f.value)).toEqual([null, '1', '2'])
  })

  test('a value that the PDF would cut, if the document is to be sent', async () => {
    const id = await createdTemplate(t)
    const values = { City: 'W'.repeat(400) }
    const body = use({ recipients: [{ ...ANNA, values }, BO], send: true })
    expect(detailsOf(await make(id, body))).toEqual({ 'recipients[0].values.City': expect.any(String) })
    expect(await countDocuments()).toBe(0)
  })

  test('a value that no longer fits, because the template changed after it was measured', async () => {
    const id = await createdTemplate(t)
    const city = (await t.api('GET', `/templates/${id}`)).body.roles[0].fields[1]
    const people = [{ ...ANNA, values: { City: 'Wiesbaden-Biebrich am Rhein' } }, BO]
    let edits = 0
    const write: typeof t.app.write = async (work, options) => {
      if (edits++ === 0) await editTemplate(t.app, id, { fields: [{ id: city.id, width: 3 }] }, { origin: SYSTEM })
      return t.app.write(work, options)
    }
    const made = createDocumentFrom({ ...t.app, write }, id, { recipients: people, values: VALUES }, SYSTEM, { send: true })
    await expect(made).rejects.toThrow('recipients[0].values.City')
    expect([edits, await countDocuments()]).toEqual([1, 0])
  })

  test('what is unfinished in the template', async () => {
    const dropdown = { type: 'dropdown', name: 'Colour', ...box(50) }
    const shown = { type: 'text', name: 'More', showIf: { field: 'Nothing', is: 'x' }, ...box(60) }
    const id = await createdTemplate(t)
    const tenant = (await t.api('GET', `/templates/${id}`)).body.roles[0]
    const edited = await t.api('PATCH', `/templates/${id}`, {
      fields: [dropdown, shown].map(field => ({ ...field, recipientId: tenant.id })),
    })
    expect(edited.status).toBe(200)
    expect(edited.body.problems.map(({ code }: { code: string }) => code)).toEqual(['options_missing', 'condition_invalid'])
    const answer = await make(id, use())
    expect([answer.status, answer.body.error.code]).toEqual([409, 'invalid_state'])
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      edited.body.problems.map(({ path }: { path: string }) => path),
    )
  })
})

describe('a document made from a template', () => {
  test('has proposals, which the recipient may change unless they are read-only', async () => {
    const id = await createdTemplate(t)
    const values = { city: 'Ulm', Pets: { value: true, readOnly: true } }
    const made = await make(id, use({ recipients: [{ ...ANNA, values }, BO] }))
    const [, city, pets] = (await documentOf(made.body.id)).recipients[0].fields
    expect([city.value, city.readOnly, pets.value, pets.readOnly]).toEqual(['Ulm', false, 'true', true])
  })

  test('belongs to who uses the template, and its event names the template and its version', async () => {
    const id = await createdTemplate(t)
    await t.api('PATCH', `/templates/${id}`, { title: 'Lease' })
    const version = Number(/\d+/.exec((await t.api('GET', `/templates/${id}`)).headers.get('etag') ?? '')?.[0])
    const made = await make(id, use())
    const { body } = await t.api('GET', `/documents/${made.body.id}/audit`)
    expect(body.events[0]).toMatchObject({ type: 'document.created', data: { template: { id, version } } })
  })

  test('keeps what it has when the template is edited, gets another PDF, or is deleted', async () => {
    const id = await createdTemplate(t)
    const made = (await make(id, use())).body.id
    const before = await documentOf(made)
    const file = await t.api('GET', `/documents/${made}/file`)
    const template = (await t.api('GET', `/templates/${id}`)).body
    await t.api('PATCH', `/templates/${id}`, {
      title: 'Other',
      roles: [{ id: template.roles[0].id, name: 'Lodger' }],
      fields: [{ id: template.senderFields[0].id, remove: true }],
    })
    expect(await documentOf(made)).toEqual(before)
    expect((await t.api('DELETE', `/templates/${id}`)).status).toBe(200)
    expect(await documentOf(made)).toEqual(before)
    const after = await t.api('GET', `/documents/${made}/file`)
    expect(after.body).toEqual(file.body)
    expect((await t.api('POST', `/documents/${made}/send`)).status).toBe(200)
  })

  test('is sent once, also when the request is repeated with its key', async () => {
    const id = await createdTemplate(t)
    const key = { 'idempotency-key': 'lease-1' }
    const first = await t.api('POST', `/templates/${id}/documents`, use({ send: true }), key)
    const again = await t.api('POST', `/templates/${id}/documents`, use({ send: true }), key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await countDocuments()).toBe(1)
    await t.drain()
    expect(t.mails).toHaveLength(1)
  })

  test('tells webhooks that it was created as a draft, then sent', async () => {
    const id = await createdTemplate(t)
    const made = (await make(id, use({ send: true }))).body.id
    const { body } = await t.api('GET', '/events')
    const types = body.data.filter((e: { documentId: string }) => e.documentId === made).map((e: { type: string }) => e.type)
    expect(types).toEqual(['document.created', 'document.sent', 'recipient.notified'])
  })

  test('may lack the value of a read-only field that is optional, as any document may', async () => {
    const note = { type: 'text', name: 'Note', readOnly: true, required: false, ...box(50) }
    const id = await createdTemplate(t, {
      message: null,
      senderFields: [],
      roles: [{ name: 'Tenant', fields: [SIGNATURE, note] }],
    })
    const made = await make(id, { recipients: [ANNA], send: true })
    expect([made.status, made.body.status]).toEqual([201, 'sent'])
  })

  test('asks the sender for no value that is hidden, and stores none', async () => {
    const senderFields = [
      { type: 'checkbox', name: 'Furnished', ...box(10) },
      { type: 'text', name: 'Furniture', showIf: { field: 'furnished', is: 'true' }, ...box(15) },
    ]
    const roles = [{ name: 'Tenant', fields: [SIGNATURE] }]
    const id = await createdTemplate(t, { senderFields, roles, file: await samplePdf(), message: '{{Furniture}}' })
    const withValues = (values: object) => make(id, { recipients: [ANNA], values })
    const hidden = await withValues({ Furnished: false, Furniture: 'a desk' })
    const document = await documentOf(hidden.body.id)
    expect(document.senderFields.map((f: { value: string }) => f.value)).toEqual(['false', null])
    expect(document.message).toBeNull()
    expect(detailsOf(await withValues({ Furnished: true }))).toEqual({ 'values.Furniture': expect.any(String) })
    expect((await withValues({ Furnished: true, Furniture: 'a desk' })).status).toBe(201)
  })
})
