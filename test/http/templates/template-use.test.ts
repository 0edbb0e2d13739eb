/** Templates used in two pages of the web app, without a script. */
import { describe, expect, test } from 'bun:test'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { SIGNATURE, samplePdf } from '../../support/sample.ts'
import { idIn, nameOf, pathOf } from '../../support/template-pages.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'
import { box, createdTemplate } from '../../templates/scene.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const pdf = async (pages = 1) => ({ name: 'Lease.pdf', bytes: Buffer.from(await samplePdf(pages), 'base64') })
const template = async (id: string) => (await t.api('GET', `/templates/${id}`)).body
const document = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, pathOf(page))

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

  test('refuses a value that its place would cut, beside its entry', async () => {
    const first = await open()
    const long = 'a long word '.repeat(30)
    const refused = await press(first, 'continue', { ...PEOPLE, ...valuesIn(first), [nameOf(first, 'Unit')]: long })
    expect([refused.status, textOf(refused).includes('this is too long for its place in the document')]).toEqual([422, true])
    expect(refused.html.includes(`id="${nameOf(first, 'Unit')}-error">`)).toBe(true)
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
