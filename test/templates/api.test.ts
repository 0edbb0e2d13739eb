/** Templates over the API: creation, edit, use, list, deletion. */
import { describe, expect, test } from 'bun:test'
import { useTestApp } from '../support/use-app.ts'
import { ANNA, BO, createdTemplate, use } from './scene.ts'

const t = useTestApp()

const get = async (id: string) => (await t.api('GET', `/templates/${id}`)).body
describe('a template', () => {
  test('is answered as it was created, with roles in place of people', async () => {
    const id = await createdTemplate(t)
    expect(id).toMatch(/^tpl_/)
    const template = await get(id)
    expect(template).toMatchObject({
      id,
      title: 'Lease of {{Tenant}}',
      fileName: 'lease.pdf',
      pageCount: 2,
      shared: false,
      problems: [],
      roles: [
        { name: 'Tenant', order: 1 },
        { name: 'Landlord', order: 2 },
      ],
    })
    expect(template.roles[0].id).toMatch(/^rol_/)
    expect(template.roles[0].email).toBeUndefined()
    expect(template.senderFields.map((f: { name: string }) => f.name)).toEqual(['Rent', 'Begin', null])
    const file = await t.api('GET', `/templates/${id}/file`)
    expect(file.status).toBe(200)
  })

  test('makes a document with its people, values and texts, and sends it in one step', async () => {
    const id = await createdTemplate(t)
    const made = await t.api('POST', `/templates/${id}/documents`, use({ send: true }))
    expect(made.body).toMatchObject({ status: 'sent', notified: 1, recipients: [{ email: ANNA.email }, { email: BO.email }] })
    const { body: document } = await t.api('GET', `/documents/${made.body.id}`)
    expect(document).toMatchObject({
      title: 'Lease of Anna Berg',
      message: 'Dear Anna Berg (anna@example.com), the rent is 1200.',
      metadata: { kind: 'lease' },
      labels: ['lease'],
      reminders: { firstAfterDays: 2, everyDays: 4, max: 3 },
    })
    expect(document.senderFields.map((f: { value: string }) => f.value)).toEqual(['1200', '2027-01-01', null])
    expect(document.recipients[1].fields[1]).toMatchObject({ label: 'Unit', value: '4b', readOnly: true })
    await t.drain()
    expect(t.mails.map(({ to }) => to.address)).toEqual([ANNA.email])
  })
})
