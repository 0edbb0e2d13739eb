/** The contacts page by forms: each person has their own list, and decides what is in it. */
import { expect, test } from 'bun:test'
import { rememberContacts } from '../../../src/accounts/contacts.ts'
import { createAdmin } from '../../../src/accounts/people.ts'
import { textOf, type Visitor } from '../../support/browser-less.ts'
import { useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'

const t = useTestApp()

async function administrator(name: string): Promise<{ visitor: Visitor; userId: string }> {
  const user = { email: `${name}@example.com`, name, password: 'four sound words here' }
  const userId = await createAdmin(t.app, user)
  return { visitor: await signedIn(t, user), userId }
}

const ANN = { name: 'Ann <b>Berg</b>', email: 'ann@example.com', locale: 'de' }

test('a contact is added, found, corrected and deleted after a question', async () => {
  const { visitor } = await administrator('grace')
  expect(textOf(await visitor.get('/contacts'))).toContain('No contacts yet')
  const list = await visitor.submit(await visitor.get('/contacts/new'), ANN, '/contacts/new')
  expect(textOf(list)).toContain('The contact was saved.')
  expect(list.html).not.toContain('<b>Berg')
  expect(textOf(await visitor.get('/contacts?q=berg'))).toContain('ann@example.com')
  expect(textOf(await visitor.get('/contacts?q=nobody'))).toContain('No contact matches')
  const id = /\/contacts\/(ctc_[^"/]+)"/.exec(list.html)?.[1] ?? ''
  const corrected = await visitor.submit(await visitor.get(`/contacts/${id}`), { name: 'Ann Lee' }, `/contacts/${id}`)
  expect(textOf(corrected)).toContain('Ann Lee')
  const question = await visitor.get(`/contacts/${id}/forget`)
  expect(textOf(question)).toContain('Delete Ann Lee?')
  expect(textOf(await visitor.submit(question, {}, '/forget'))).toContain('No contacts yet')
  expect((await visitor.get(`/contacts/${id}`)).status).toBe(404)
})

test('what is wrong is named beside its field, and what was typed is kept', async () => {
  const { visitor } = await administrator('grace')
  await visitor.submit(await visitor.get('/contacts/new'), ANN, '/contacts/new')
  const page = await visitor.submit(await visitor.get('/contacts/new'), { name: ' ', email: 'ann@' }, '/contacts/new')
  expect([page.status, textOf(page).includes('Enter the name.')]).toEqual([422, true])
  expect(page.html).toContain('value="ann@"')
  const taken = await visitor.submit(page, { name: 'Ann', email: 'ANN@example.com' }, '/contacts/new')
  expect([taken.status, textOf(taken).includes('Another contact has this address already.')]).toEqual([422, true])
})

test('nobody reaches the contacts of another person', async () => {
  const [grace, theo] = [await administrator('grace'), await administrator('theo')]
  await t.app.write(tx => rememberContacts(tx, t.app, { userId: theo.userId }, [{ ...ANN, locale: undefined }]))
  const { id } = await t.app.db.selectFrom('contacts').select('id').executeTakeFirstOrThrow()
  expect(textOf(await grace.visitor.get('/contacts'))).toContain('No contacts yet')
  for (const path of [`/contacts/${id}`, `/contacts/${id}/forget`]) expect((await grace.visitor.get(path)).status).toBe(404)
  const form = await grace.visitor.get('/contacts/new')
  const foreign = { ...form, html: form.html.replaceAll('/contacts/new', `/contacts/${id}/forget`) }
  expect((await grace.visitor.submit(foreign, {}, '/forget')).status).toBe(404)
  expect(textOf(await theo.visitor.get('/contacts'))).toContain('ann@example.com')
})
