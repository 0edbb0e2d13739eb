/** Edits of a template: the rules of drafts, with roles in place of people. */
import { beforeEach, expect, test } from 'bun:test'
import { verifyChain } from '../../src/audit/log.ts'
import { find, findCached } from '../../src/documents/queries.ts'
import { useTestApp } from '../support/use-app.ts'
import { box, createdTemplate, detailsOf } from './scene.ts'

const t = useTestApp()
let id: string
beforeEach(async () => {
  id = await createdTemplate(t)
})

const get = async () => await t.api('GET', `/templates/${id}`)
const patch = (body: unknown, headers?: Record<string, string>) => t.api('PATCH', `/templates/${id}`, body, headers)
const ulid = (prefix: 'rol' | 'fld') => t.app.newId(prefix)

test('roles are added, renamed, sorted and removed, and fields move between them and the sender', async () => {
  const { roles } = (await get()).body
  const [bank, text, price] = [ulid('rol'), ulid('fld'), ulid('fld')]
  const edited = await patch({
    roles: [{ id: bank, name: 'Bank', role: 'approver' }, { id: roles[1].id }, { id: roles[0].id, name: 'Lodger' }],
    fields: [
      { id: text, recipientId: bank, type: 'text', name: 'Account', ...box(50) },
      { id: price, recipientId: 'sender', type: 'number', name: 'Price', ...box(55) },
      { id: roles[0].fields[1].id, recipientId: roles[1].id },
    ],
  })
  expect(edited.body.roles.map(({ name }: { name: string }) => name)).toEqual(['Bank', 'Landlord', 'Lodger'])
  expect(edited.body.roles.map((r: { fields: { name: string | null }[] }) => r.fields.map(({ name }) => name))).toEqual([
    ['Account'],
    [null, null, 'City'],
    [null, 'Pets'],
  ])
  expect(edited.body.senderFields.map(({ name }: { name: string }) => name)).toEqual(['Rent', 'Begin', null, 'Price'])
  const less = await patch({ roles: [{ id: roles[1].id }] })
  expect(less.body.roles).toHaveLength(1)
  const stored = await t.app.write(tx => find(tx, id))
  const cached = await findCached(t.app.db, id)
  expect(cached?.document).toEqual(stored as never)
  expect((await get()).body).toEqual(less.body)
})

test('what does not fit a template is refused with its path', async () => {
  const { roles } = (await get()).body
  const [tenant, landlord] = roles.map((role: { id: string }) => ({ id: role.id }))
  const refused = async (body: object) => {
    const answer = await patch(body)
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed'])
    return Object.keys(detailsOf(answer))
  }
  expect(await refused({ roles: [tenant, { ...landlord, name: ' TENANT ' }] })).toEqual(['roles[1].name'])
  expect(await refused({ roles: [tenant, { id: t.app.newId('rcp'), name: 'x' }] })).toEqual(['roles[1].id'])
  expect(await refused({ roles: [tenant, tenant] })).toContain('roles[1].id')
  expect(await refused({ roles: [{ ...tenant, email: 'a@example.com' }] })).toEqual(['roles[0].email'])
  expect(await refused({ roles: [{ ...tenant, accessCode: '123456' }] })).toEqual(['roles[0].accessCode'])
  expect(await refused({ recipients: [] })).toEqual(['recipients'])
  expect(await refused({ expiresAt: '2027-01-01T00:00:00Z' })).toEqual(['expiresAt'])
  const field = { type: 'signature', ...box(10) }
  expect(await refused({ fields: [{ ...field, recipientId: 'sender' }] })).toEqual(['fields[0].type'])
  expect(await refused({ fields: [{ ...field, page: 3, recipientId: tenant.id }] })).toEqual(['fields[0].page'])
  expect(await refused({ fields: [{ ...field, recipientId: t.app.newId('rol') }] })).toEqual(['fields[0].recipientId'])
})

test('an unfinished template is kept, and its problems are listed with their paths', async () => {
  const { roles } = (await get()).body
  const edited = await patch({ roles: [{ id: roles[0].id, name: '' }, { id: roles[1].id }], title: 'Lease of {{Tennant}}' })
  expect(edited.status).toBe(200)
  expect(edited.body.problems).toEqual([{ code: 'name_missing', path: `roles/${roles[0].id}/name` }])
  expect((await patch({ roles: [] })).body.problems).toContainEqual({ code: 'no_signer', path: 'roles' })
})

test('a version that its author has not seen is not changed: the answer lists what changed since', async () => {
  const first = await get()
  const etag = first.headers.get('etag') ?? ''
  expect((await patch({ title: 'One' }, { 'if-match': etag })).status).toBe(200)
  const stale = await patch({ message: 'Two' }, { 'if-match': etag })
  expect([stale.status, stale.body.error.code]).toEqual([412, 'draft_changed'])
  expect(Object.keys(detailsOf(stale))).toEqual(['title'])
  const role = first.body.roles[0].id
  await patch({ roles: [{ id: role, name: 'Lodger' }, { id: first.body.roles[1].id }] })
  const again = await patch({ message: 'Two' }, { 'if-match': etag })
  expect(Object.keys(detailsOf(again))).toEqual(['title', `roles/${role}`])
  expect((await t.api('DELETE', `/templates/${id}`, undefined, { 'if-match': etag })).status).toBe(412)
  const now = (await get()).headers.get('etag') ?? ''
  expect((await t.api('GET', `/templates/${id}`, undefined, { 'if-none-match': now })).status).toBe(304)
  expect((await t.api('DELETE', `/templates/${id}`, undefined, { 'if-match': now })).status).toBe(200)
})

test('the audit log says what happened to a template, and after its deletion nothing personal', async () => {
  await patch({ title: 'Lease of Anna Berg' })
  await patch({ title: 'Again within ten minutes' })
  t.clock.pass({ minutes: 11 })
  await patch({ shared: true })
  await patch({ shared: true })
  const events = () =>
    t.app.db.selectFrom('events').select(['type', 'sequence']).where('document_id', '=', id).orderBy('sequence').execute()
  const types = ['template.created', 'template.updated', 'template.updated']
  expect((await events()).map(({ type }) => type)).toEqual(types)
  expect((await t.api('DELETE', `/templates/${id}`)).body).toEqual({ id })
  expect((await events()).map(({ type }) => type)).toEqual([...types, 'template.deleted'])
  const details = t.app.db.selectFrom('event_details').select('personal').where('document_id', '=', id)
  expect(JSON.stringify(await details.execute())).not.toContain('lease.pdf')
  expect('head' in (await verifyChain(t.app.db))).toBe(true)
  expect((await t.api('GET', `/templates/${id}`)).status).toBe(404)
  expect((await t.api('DELETE', `/templates/${id}`)).status).toBe(404)
})

test('its duplicate has a name of its own, unless that gets too long', async () => {
  const titleOfCopy = async () => {
    const copy = (await t.api('POST', `/templates/${id}/duplicate`)).body.id
    return (await t.api('GET', `/templates/${copy}`)).body.title
  }
  await patch({ title: 'Lease' })
  expect(await titleOfCopy()).toBe('Lease (copy)')
  await patch({ title: 'x'.repeat(255) })
  expect(await titleOfCopy()).toBe('x'.repeat(255))
})

test('its file is deleted with the last that uses it, not before', async () => {
  const other = (await t.api('POST', `/templates/${id}/duplicate`)).body.id
  const files = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).length
  await t.api('DELETE', `/templates/${id}`)
  expect([await files(), (await t.api('GET', `/templates/${other}/file`)).status]).toEqual([1, 200])
  await t.api('DELETE', `/templates/${other}`)
  expect(await files()).toBe(0)
})

test('a field takes a value as its proposal, which a use may replace', async () => {
  const { roles } = (await get()).body
  await patch({ fields: [{ id: roles[0].fields[1].id, value: 'Ulm' }] })
  const people = [
    { role: 'Tenant', email: 'a@example.com', name: 'A' },
    { role: roles[1].id, email: 'b@example.com', name: 'B', values: { Unit: '1' } },
  ]
  const values = { Rent: 5, Begin: '2027-01-01' }
  const cityOf = async (recipients: object[]) => {
    const made = await t.api('POST', `/templates/${id}/documents`, { recipients, values })
    return (await t.api('GET', `/documents/${made.body.id}`)).body.recipients[0].fields[1].value
  }
  expect(await cityOf(people)).toBe('Ulm')
  expect(await cityOf([{ ...people[0], values: { City: 'Bonn' } }, people[1] ?? {}])).toBe('Bonn')
  expect(await cityOf([{ ...people[0], values: { City: '' } }, people[1] ?? {}])).toBeNull()
})
