/** Templates in the web app without a script: list, edit, share, replace, and use in two pages. */
import { describe, expect, test } from 'bun:test'
import type { Role } from '../../../src/ports.ts'
import { addPerson } from '../../support/accounts.ts'
import { csrfOf, formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { idIn, nameOf, pathOf } from '../../support/template-pages.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'
import { box, createdTemplate } from '../../templates/scene.ts'

const t = useTestApp()
const visitor = useAdministrator(t)
const pdf = async (pages = 1) => ({ name: 'Lease.pdf', bytes: Buffer.from(await samplePdf(pages), 'base64') })
const template = async (id: string) => (await t.api('GET', `/templates/${id}`)).body

const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, pathOf(page))

async function visitorOf(name: string, role: Role): Promise<Visitor> {
  return signedIn(t, await addPerson(t, name, role, { signsIn: true }))
}

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

const document = async (id: string) => (await t.api('GET', `/documents/${id}`)).body

const PEOPLE = {
  'recipients[0].name': 'Anna Berg',
  'recipients[0].email': 'anna@example.com',
  'recipients[1].name': 'Bo Chen',
  'recipients[1].email': 'bo@example.com',
}

describe('using a template', () => {
  const open = async (overrides: Record<string, unknown> = {}) => {
    const id = await createdTemplate(t, overrides)
    return visitor.get(`/templates/${id}/use`)
  }
  const valuesIn = (page: Page) => ({
    [nameOf(page, 'Rent')]: '1200',
    [nameOf(page, 'Begin')]: '2027-01-01',
    [nameOf(page, 'Unit')]: '4b',
  })

  test('takes two pages: people with entries, then the check with the mail, which sends it', async () => {
    const first = await open()
    const review = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first), [nameOf(first, 'City')]: 'Bonn' })
    expect(pathOf(review)).toMatch(/^\/documents\/doc_\w+\/review$/)
    expect(textOf(review)).toContain('Lease of Anna Berg')
    expect(textOf(review)).toContain('the rent is 1200')
    const sent = await visitor.submit(review, { do: 'send' }, `${pathOf(review)}?from=${idIn(first, 'tpl')}`)
    expect(textOf(sent)).toContain('was sent')
    const made = await document(idIn(review, 'doc'))
    expect(made).toMatchObject({
      status: 'sent',
      title: 'Lease of Anna Berg',
      recipients: [{ name: 'Anna Berg' }, { name: 'Bo Chen' }],
    })
    const fields = made.recipients.flatMap((r: { fields: { label: string; name: string }[] }) => r.fields)
    expect(fields.find((f: { name: string }) => f.name === 'City')).toMatchObject({ value: 'Bonn', readOnly: false })
    expect(fields.find((f: { label: string }) => f.label === 'Unit')).toMatchObject({ value: '4b', readOnly: true })
    await t.drain()
    expect(t.mails.map(({ to }) => to.address)).toEqual(['anna@example.com'])
  })

  test('the check lists what nobody can change later as the document prints it, without hidden fields', async () => {
    const senderFields = [
      { type: 'date', name: 'Begin', ...box(15) },
      { type: 'checkbox', name: 'Furnished', ...box(20) },
      { type: 'text', label: 'Furniture', showIf: { field: 'Furnished', is: 'true' }, required: false, ...box(25) },
    ]
    const first = await open({ message: null, locale: 'de', senderFields })
    const entries = { [nameOf(first, 'Begin')]: '2027-01-01', [nameOf(first, 'Furniture')]: 'oak table' }
    const prefilled = { [nameOf(first, 'City')]: 'Bonn', [nameOf(first, 'Unit')]: '4b' }
    const review = await press(first, 'continue', { ...PEOPLE, ...entries, ...prefilled })
    const shown = textOf(review).slice(textOf(review).indexOf('Values in the document'))
    expect(shown).toMatch(/Your entries\s+Begin\s+1\. Januar 2027/)
    expect(shown).toMatch(/Bo Chen\s+Unit\s+4b/)
    // Neither what is hidden nor what its signer may change.
    expect(shown).not.toMatch(/oak table|Bonn/)
    const [, back] = /href="(\/templates\/[^"]+\/use\?document=[^"]+)"[^>]*><span>Change values/.exec(review.html) ?? []
    expect((await visitor.get(back ?? '')).html).toContain('value="2027-01-01"')
  })

  test('shows each error beside its entry and loses nothing that was typed', async () => {
    const first = await open()
    const refused = await press(first, 'continue', {
      'recipients[0].name': 'Anna Berg',
      'recipients[0].email': 'anna@',
      [nameOf(first, 'Rent')]: 'much',
    })
    expect(refused.status).toBe(422)
    const places = ['recipients[0].email', 'recipients[1].name', 'recipients[1].email', ...Object.keys(valuesIn(first))]
    for (const place of places)
      expect([place, new RegExp(`id="${escaped(place)}-error">`).test(refused.html)]).toEqual([place, true])
    const kept = formsOf(refused.html).find(form => form.action.endsWith('/use'))?.values
    expect(kept).toMatchObject({
      'recipients[0].name': 'Anna Berg',
      'recipients[0].email': 'anna@',
      [nameOf(first, 'Rent')]: 'much',
    })
    expect(textOf(refused)).toContain('Rent: please enter a number')
    expect((await t.api('GET', '/documents')).body.data).toEqual([])
  })

  test('goes back to what was entered, and continues the same document', async () => {
    const first = await open()
    const review = await press(first, 'continue', {
      ...PEOPLE,
      ...valuesIn(first),
      [nameOf(first, 'City')]: 'Bonn',
      [nameOf(first, 'City').replace('values', 'locked')]: 'on',
      'recipients[0].accessCode': 'tulip-42',
    })
    const id = idIn(review, 'doc')
    const [, back = ''] = /href="(\/templates\/[^"]+\/use\?document=[^"]+)"/.exec(review.html) ?? []
    const again = await visitor.get(back)
    const values = formsOf(again.html).find(form => form.action.endsWith('/use'))?.values
    expect(values).toMatchObject({ ...PEOPLE, ...valuesIn(first), [nameOf(first, 'City')]: 'Bonn', document: id })
    expect(values?.[nameOf(first, 'City').replace('values', 'locked')]).toBe('on')
    expect(textOf(again)).toContain('An access code is set')
    const second = await press(again, 'continue', { 'recipients[0].name': 'Annika Berg', [nameOf(first, 'Rent')]: '900' })
    expect(idIn(second, 'doc')).toBe(id)
    expect(await document(id)).toMatchObject({
      title: 'Lease of Annika Berg',
      message: 'Dear Annika Berg (anna@example.com), the rent is 900.',
      recipients: [{ name: 'Annika Berg', hasAccessCode: true }, { name: 'Bo Chen' }],
    })
    expect((await t.api('GET', '/documents')).body.data).toHaveLength(1)
  })

  test('its form pressed twice makes one document, and sent again after Back it changes that document', async () => {
    const first = await open()
    const entries = { ...PEOPLE, ...valuesIn(first) }
    const [one, two] = await Promise.all([press(first, 'continue', entries), press(first, 'continue', entries)])
    const id = idIn(one, 'doc')
    expect([idIn(two, 'doc'), pathOf(two)]).toEqual([id, pathOf(one)])
    const again = await press(first, 'continue', { ...entries, 'recipients[0].name': 'Annika Berg' })
    expect(pathOf(again)).toBe(pathOf(one))
    expect((await document(id)).recipients[0].name).toBe('Annika Berg')
    expect((await t.api('GET', '/documents')).body.data).toHaveLength(1)
    // What was changed in between is shown, not lost.
    const stale = await press(first, 'continue', entries)
    expect([stale.status, formsOf(stale.html).some(form => form.values.document === id)]).toEqual([412, true])
    await t.api('DELETE', `/documents/${id}`)
    const anew = idIn(await press(first, 'continue', entries), 'doc')
    expect(anew).not.toBe(id)
    expect(idIn(await press(first, 'continue', entries), 'doc')).toBe(anew)
  })

  test('a proposed choice can be taken back, though the recipient must choose', async () => {
    const options = ['Card', 'Invoice'].map((value, i) => ({ value, page: 1, x: 10, y: 60 + 5 * i, width: 4, height: 4 }))
    const payment = { type: 'radio', name: 'Payment', required: true, value: 'Card', options }
    const first = await open({ senderFields: [], message: null, roles: [{ name: 'Tenant', fields: [payment] }] })
    const [, name = ''] = /type="radio" name="([^"]+)" value="Card" checked/.exec(first.html) ?? []
    expect(textOf(first)).toContain('No choice')
    const person = { 'recipients[0].name': 'Anna', 'recipients[0].email': 'anna@example.com' }
    const review = await press(first, 'continue', { ...person, [name]: '' })
    expect((await document(idIn(review, 'doc'))).recipients[0].fields[0].value ?? null).toBe(null)
  })

  test('says of an entry that depends on another when it is asked', async () => {
    const fields = [
      { type: 'checkbox', name: 'Pets', required: false, ...box(30) },
      { type: 'text', label: 'Kind of animal', showIf: { field: 'Pets', is: 'true' }, ...box(35) },
    ]
    const page = await open({ senderFields: [], message: null, roles: [{ name: 'Tenant', fields: [SIGNATURE, ...fields] }] })
    expect(textOf(page)).toMatch(/Kind of animal[^.]*Only if “Pets” is ticked\./)
  })

  test('keeps the lines of a text of the template, and of a high field', async () => {
    const fields = [
      { type: 'text', name: 'Address', value: 'Castle 1\nBonn', ...box(30) },
      { type: 'text', name: 'Remark', ...box(40), height: 10 },
      { type: 'text', name: 'City', ...box(60) },
    ]
    const page = await open({ senderFields: [], message: null, roles: [{ name: 'Tenant', fields: [SIGNATURE, ...fields] }] })
    const elements = ['Address', 'Remark', 'City'].map(name => {
      return new RegExp(`<(\\w+)[^>]* name="${escaped(nameOf(page, name))}"`).exec(page.html)?.[1]
    })
    expect(elements).toEqual(['textarea', 'textarea', 'input'])
  })

  test('keeps a title that was written on the second page', async () => {
    const first = await open()
    const review = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first) })
    const id = idIn(review, 'doc')
    await visitor.submit(review, { do: 'save', title: 'My own title' }, `${pathOf(review)}?from=${idIn(first, 'tpl')}`)
    const again = await visitor.get(`/templates/${idIn(first, 'tpl')}/use?document=${id}`)
    await press(again, 'continue', { 'recipients[0].name': 'Annika Berg' })
    expect(await document(id)).toMatchObject({ title: 'My own title', recipients: [{ name: 'Annika Berg' }, {}] })
  })

  test('keeps the one-time code that the document asks for since, and returns to that of the role', async () => {
    const first = await open()
    const review = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first), 'recipients[1].accessCode': 'tulip-42' })
    const [id, tpl] = [idIn(review, 'doc'), idIn(first, 'tpl')]
    const { recipients } = await document(id)
    const [anna, bo] = recipients.map((r: { id: string }) => ({ id: r.id }))
    await t.api('PATCH', `/documents/${id}`, { recipients: [{ ...anna, verify: 'email_code' }, bo] })
    const { roles } = await template(tpl)
    const [tenant, landlord] = roles.map((r: { id: string }) => ({ id: r.id }))
    await t.api('PATCH', `/templates/${tpl}`, { roles: [tenant, { ...landlord, verify: 'email_code' }] })
    expect((await template(tpl)).roles.map((r: { verify: string | null }) => r.verify)).toEqual([null, 'email_code'])
    const proofs = async () =>
      (await document(id)).recipients.map((r: { verify: string | null; hasAccessCode: boolean }) => [r.verify, r.hasAccessCode])
    const again = await visitor.get(`/templates/${tpl}/use?document=${id}`)
    await press(again, 'continue', { 'recipients[0].name': 'Annika Berg' })
    expect(await proofs()).toEqual([
      ['email_code', false],
      [null, true],
    ])
    const last = await visitor.get(`/templates/${tpl}/use?document=${id}`)
    await press(last, 'continue', { 'recipients[1].removesCode': 'on' })
    expect(await proofs()).toEqual([
      ['email_code', false],
      ['email_code', false],
    ])
  })

  test('refuses the entries of an older version of the document, with what changed', async () => {
    const first = await open()
    const review = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first) })
    const id = idIn(review, 'doc')
    const stale = await visitor.get(`/templates/${idIn(first, 'tpl')}/use?document=${id}`)
    const { recipients } = await document(id)
    await t.api('PATCH', `/documents/${id}`, {
      recipients: [{ id: recipients[0].id, name: 'Other' }, { id: recipients[1].id }],
    })
    const refused = await press(stale, 'continue', { 'recipients[0].name': 'Annika Berg' })
    expect(refused.status).toBe(412)
    expect(refused.html).toContain('value="Annika Berg"')
    expect((await document(id)).recipients[0].name).toBe('Other')
    const saved = await press(refused, 'overwrite')
    expect(pathOf(saved)).toEndWith('/review')
    expect((await document(id)).recipients[0].name).toBe('Annika Berg')
  })

  test('a changed template leaves the document to its own pages', async () => {
    const first = await open()
    const review = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first) })
    const id = idIn(review, 'doc')
    const tpl = idIn(first, 'tpl')
    const { roles } = await template(tpl)
    await t.api('PATCH', `/templates/${tpl}`, { fields: [{ id: roles[0].fields[0].id, remove: true }] })
    expect(pathOf(await visitor.get(`/templates/${tpl}/use?document=${id}`))).toBe(`/documents/${id}/people`)
  })

  test('fills in the sender where they sign themselves, and a known person by their address', async () => {
    const first = await open()
    const role = formsOf(first.html).find(form => form.action.endsWith('/use'))?.values['recipients[1].id'] ?? ''
    const mine = await press(first, `me:${role}`, { 'recipients[0].name': 'Anna <anna@example.com>' })
    const values = formsOf(mine.html).find(form => form.action.endsWith('/use'))?.values
    expect(values).toMatchObject({
      'recipients[0].name': 'Anna',
      'recipients[0].email': 'anna@example.com',
      'recipients[1].name': GRACE.name,
      'recipients[1].email': GRACE.email,
    })
  })

  test('offers the name and address of the sender in fields of theirs', async () => {
    const senderFields = ['name', 'email'].map((type, i) => ({ type, label: `Your ${type}`, ...box(10 + 5 * i) }))
    const first = await open({ message: null, senderFields })
    const values = formsOf(first.html).find(form => form.action.endsWith('/use'))?.values
    expect(values).toMatchObject({ [nameOf(first, 'Your name')]: GRACE.name, [nameOf(first, 'Your email')]: GRACE.email })
    const review = await press(first, 'continue', { ...PEOPLE, [nameOf(first, 'Unit')]: '4b' })
    expect((await document(idIn(review, 'doc'))).senderFields.map((f: { value: string }) => f.value)).toEqual([
      GRACE.name,
      GRACE.email,
    ])
  })

  test('an unfinished template is shown with what it lacks', async () => {
    const made = await visitor.upload(await visitor.get('/templates/new'), '/templates/new', await pdf())
    const page = await visitor.get(`/templates/${idIn(made, 'tpl')}/use`)
    expect(pathOf(page)).toBe(`/templates/${idIn(made, 'tpl')}`)
    expect(textOf(page)).toContain('Add at least one role that signs or approves')
    expect(page.html).not.toContain('/use"')
  })
})

const escaped = (text: string) => text.replace(/[[\].]/g, '\\$&')
