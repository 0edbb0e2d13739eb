/** Templates in the web app without a script: list, edit, share, replace. */
import { describe, expect, test } from 'bun:test'
import type { Role } from '../../../src/ports.ts'
import { addPerson } from '../../support/accounts.ts'
import { csrfOf, formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, newDocument, samplePdf } from '../../support/sample.ts'
import { idIn, pathOf } from '../../support/template-pages.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'
import { createdTemplate } from '../../templates/scene.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

async function visitorOf(name: string, role: Role): Promise<Visitor> {
  return signedIn(t, await addPerson(t, name, role, { signsIn: true }))
}

const pdf = async (pages = 1) => ({ name: 'Lease.pdf', bytes: Buffer.from(await samplePdf(pages), 'base64') })
const template = async (id: string) => (await t.api('GET', `/templates/${id}`)).body
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, pathOf(page))

describe('the list', () => {
  test('says what comes here, then shows each template with its roles and last use', async () => {
    const empty = await visitor.get('/templates')
    expect(textOf(empty)).toContain('No templates yet')
    expect(empty.html).toContain('href="/templates/new"')
    const id = await createdTemplate(t, { title: 'Lease' })
    const shown = await visitor.get('/templates')
    expect(textOf(shown)).toContain('Never')
    expect(shown.html).toContain(`href="/templates/${id}/use"`)
    expect(shown.html).toContain('title="Tenant"')
    await t.api('POST', `/templates/${id}/documents`, {
      recipients: [
        { role: 'Tenant', name: 'Anna', email: 'anna@example.com' },
        { role: 'Landlord', name: 'Bo', email: 'bo@example.com', values: { Unit: '4b' } },
      ],
      values: { Rent: 1, Begin: '2027-01-01' },
    })
    expect(textOf(await visitor.get('/templates'))).not.toContain('Never')
  })

  test('finds templates by their name and roles', async () => {
    await createdTemplate(t, { title: 'Lease' })
    await createdTemplate(t, { title: 'Non-disclosure', roles: [{ name: 'Supplier', fields: [] }] })
    const found = textOf(await visitor.get('/templates?q=suppl'))
    expect(found).toContain('Non-disclosure')
    expect(found).not.toContain('Lease')
    expect(textOf(await visitor.get('/templates?q=nothing'))).toContain('No template matches')
  })
})

describe('who may open what', () => {
  const pages = ['', '/use', '/people', '/fields', '/settings'] as const
  const statuses = async (by: Visitor, id: string) =>
    Promise.all(pages.map(async page => (await by.get(`/templates/${id}${page}`)).status))

  test('another member sees a template only when it is shared, and then uses it without changing it', async () => {
    const mel = await visitorOf('Mel', 'member')
    const id = await createdTemplate(t, { title: 'Lease' })
    expect(await statuses(mel, id)).toEqual([404, 404, 404, 404, 404])
    expect(textOf(await mel.get('/templates'))).not.toContain('Lease')
    const page = await visitor.get(`/templates/${id}`)
    const shared = await visitor.submit(page, { shared: 'yes' }, '/share')
    expect(textOf(shared)).toContain('Everybody who may send documents can use this template now')
    expect(await statuses(mel, id)).toEqual([200, 200, 403, 403, 403])
    const theirs = await mel.get(`/templates/${id}`)
    expect(formsOf(theirs.html).map(form => form.action)).not.toContain(`/templates/${id}/share`)
    for (const verb of ['share', 'delete']) {
      const forged = await mel.post(`/templates/${id}/${verb}`, { csrf: formsOf(theirs.html)[0]?.values.csrf ?? '', shared: '' })
      expect(forged.status).toBe(403)
    }
    const copy = await mel.submit(theirs, {}, '/duplicate')
    expect(textOf(copy)).toContain('It belongs to you')
    expect((await template(idIn(copy, 'tpl'))).title).toBe(`${(await template(id)).title} (copy)`)
    expect(await statuses(mel, idIn(copy, 'tpl'))).toEqual([200, 200, 200, 200, 200])
  })

  test('an auditor reads every template and uses none', async () => {
    const ida = await visitorOf('Ida', 'auditor')
    const id = await createdTemplate(t, { title: 'Lease' })
    expect(await statuses(ida, id)).toEqual([200, 403, 403, 403, 403])
    expect((await ida.get(`/templates/${id}`)).html).not.toContain(`/templates/${id}/use`)
    expect((await ida.get('/templates/new')).status).toBe(403)
    expect((await ida.get(`/templates/${id}/file`)).status).toBe(200)
  })

  test('the addresses of documents do not open templates, nor those of templates documents', async () => {
    const id = await createdTemplate(t)
    const { id: documentId } = (await t.api('POST', '/documents', await newDocument())).body
    expect((await visitor.get(`/documents/${id}/people`)).status).toBe(404)
    expect((await visitor.get(`/documents/${id}`)).status).toBe(404)
    expect((await visitor.get(`/templates/${documentId}/people`)).status).toBe(404)
  })
})

describe('making and editing', () => {
  test('a PDF becomes a template: roles, a field, message and settings', async () => {
    const made = await visitor.upload(await visitor.get('/templates/new'), '/templates/new', await pdf())
    const id = idIn(made, 'tpl')
    expect(pathOf(made)).toBe(`/templates/${id}/people`)
    expect(made.html).not.toContain('recipients[0].email')
    const none = await press(made, 'continue')
    expect(textOf(none)).toContain('Add the role of the person who signs')
    const fields = await press(none, 'continue', { 'recipients[0].name': 'Tenant', title: 'Lease of {{Tenant}}' })
    expect(pathOf(fields)).toBe(`/templates/${id}/fields`)
    const table = await visitor.get(`/templates/${id}/fields?as=table`)
    const settings = await press(await press(table, 'add'), 'continue')
    expect(pathOf(settings)).toBe(`/templates/${id}/settings`)
    expect(textOf(settings)).toContain('{{Tenant.email}}')
    const wrong = await press(settings, 'continue', { expiresInDays: 'soon', message: 'Dear {{Tenant}}' })
    expect([wrong.status, textOf(wrong).includes('Dear {{Tenant}}')]).toEqual([422, true])
    const done = await press(wrong, 'continue', { expiresInDays: '10' })
    expect(textOf(done)).toContain('The template was saved')
    expect(await template(id)).toMatchObject({
      title: 'Lease of {{Tenant}}',
      message: 'Dear {{Tenant}}',
      expiresInDays: 10,
      roles: [{ name: 'Tenant', role: 'signer', fields: [{ type: 'signature' }] }],
    })
  })

  test('the editor speaks of roles, and of people where it prepares a document', async () => {
    const ofTemplate = await visitor.get(`/templates/${await createdTemplate(t)}/fields`)
    expect(ofTemplate.html).toContain('Choose a role')
    expect(ofTemplate.html).not.toContain('Choose a person')
    const { body } = await t.api('POST', '/documents', await newDocument())
    const ofDocument = await visitor.get(`/documents/${body.id}/fields`)
    expect(ofDocument.html).toContain('Choose a person')
  })

  test('roles are saved by the script of their page', async () => {
    const id = await createdTemplate(t)
    const csrf = csrfOf(await visitor.get(`/templates/${id}/people`))
    const { version, document: before } = JSON.parse((await visitor.get(`/templates/${id}/draft`)).html)
    const roles = before.recipients.map(({ id }: { id: string }) => ({ id, email: '' }))
    const added = { id: 'rol_01kqj4zg4m3c5d7f9h1k2n4q6a', name: 'Witness', email: '', role: 'signer', order: 3, locale: null }
    const edit = JSON.stringify({ signingOrder: 'parallel', recipients: [...roles, added] })
    const saved = await visitor.post(`/templates/${id}/draft`, { csrf, version: String(version), edit })
    expect(saved.status).toBe(200)
    expect((await template(id)).roles.map(({ name }: { name: string }) => name)).toEqual(['Tenant', 'Landlord', 'Witness'])
  })

  test('two roles of one name are refused beside the second, and nothing typed is lost', async () => {
    const id = await createdTemplate(t)
    const page = await visitor.get(`/templates/${id}/people`)
    const refused = await press(page, 'continue', { 'recipients[1].name': 'tenant' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain('id="recipients[1].name-error"')
    expect(refused.html).toContain('value="tenant"')
  })

  test('a form of an older version is refused with what changed, and saved when its author insists', async () => {
    const id = await createdTemplate(t)
    const stale = await visitor.get(`/templates/${id}/people`)
    const { roles } = await template(id)
    await t.api('PATCH', `/templates/${id}`, { roles: [{ id: roles[0].id, name: 'Renter' }, { id: roles[1].id }] })
    const refused = await press(stale, 'continue', { 'recipients[0].name': 'Lessee' })
    expect(refused.status).toBe(412)
    expect(textOf(refused)).toContain('This template was changed while you worked on it')
    expect(textOf(refused)).toContain('The role Renter')
    expect(refused.html).toContain('value="Lessee"')
    await press(refused, 'overwrite')
    expect((await template(id)).roles[0].name).toBe('Lessee')
  })

  test('a document becomes a template whose roles are words for what people do', async () => {
    const { id: documentId } = (await t.api('POST', '/documents', await newDocument({ title: 'Lease', recipients: [ADA] }))).body
    const choice = await visitor.get('/templates/new')
    expect(textOf(choice)).toContain('Lease')
    const page = await visitor.submit(choice, {}, `/documents/${documentId}/template`)
    expect(pathOf(page)).toEndWith('/people')
    expect(page.html).toContain('value="Signer"')
    expect(textOf(page)).toContain('Give the roles their names')
    expect(page.html.includes(ADA.name)).toBe(false)
    const fromPage = await visitor.submit(await visitor.get(`/documents/${documentId}`), {}, `/documents/${documentId}/template`)
    expect(pathOf(fromPage)).toEndWith('/people')
  })

  test('a smaller PDF names the fields it has no page for, and removes them only if that is ticked', async () => {
    const id = await createdTemplate(t, {
      roles: [{ name: 'Tenant', fields: [{ type: 'text', label: 'City', page: 2, x: 10, y: 10, width: 20, height: 4 }] }],
      senderFields: [],
    })
    const page = await visitor.get(`/templates/${id}`)
    const refused = await visitor.upload(page, `/templates/${id}/replace`, await pdf(1))
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toContain('City (Tenant), page 2')
    expect((await template(id)).pageCount).toBe(2)
    const replaced = await visitor.upload(refused, `/templates/${id}/replace`, await pdf(1), { dropsFields: 'on' })
    expect(textOf(replaced)).toContain('The PDF was replaced')
    expect(await template(id)).toMatchObject({ pageCount: 1, roles: [{ fields: [] }] })
  })

  test('deleting is asked about, and leaves the documents made before', async () => {
    const id = await createdTemplate(t)
    const asked = await visitor.get(`/templates/${id}?open=delete`)
    expect(textOf(asked)).toContain('Documents made from it stay as they are')
    const list = await visitor.submit(asked, {}, '/delete')
    expect(textOf(list)).toContain('The template was deleted')
    expect((await visitor.get(`/templates/${id}`)).status).toBe(404)
  })
})
