/** A form or mail that asks again who a person is, and keeps what was entered. */
import { expect, test } from 'bun:test'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { addPerson } from '../support/accounts.ts'
import { formsOf } from '../support/browser-less.ts'
import { ONE } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useAdministrator, useTestApp } from '../support/use-app.ts'
import { GRACE } from '../support/visitors.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

/** The ids of an invitation to an account and of one to sign. */
async function mailsOfBoth(): Promise<{ account: string; document: string }> {
  await sentDocument(t, ONE)
  const { origin } = await addPerson(t, 'Theo', 'admin')
  await invitePerson(t.app, { email: 'eve@example.com', name: 'Eve', role: 'admin', language: 'en' }, 'mail', origin)
  await t.drain()
  const rows = await t.app.db.selectFrom('mails').select(['id', 'kind']).execute()
  const idOf = (kind: string) => rows.find(row => row.kind === kind)?.id ?? ''
  return { account: idOf('notice'), document: idOf('invitation') }
}

const isAsked = (html: string) => html.includes('autocomplete="current-password"')

test('after a quarter of an hour a form asks for the password, and keeps what it contains', async () => {
  const page = await visitor.get('/settings/organisation')
  t.clock.pass({ minutes: 16 })
  const asked = await visitor.submit(page, { name: 'Other Ltd' }, '/settings/organisation')
  expect([asked.status, isAsked(asked.html)]).toEqual([403, true])
  expect((await readOrganisation(t.app.db)).name).not.toBe('Other Ltd')
  expect(formsOf(asked.html).some(({ values }) => values.name === 'Other Ltd')).toBe(true)
  const wrong = await visitor.submit(asked, { password: 'wrong' }, '/settings/organisation')
  expect([wrong.status, isAsked(wrong.html)]).toEqual([422, true])
  const done = await visitor.submit(wrong, { password: GRACE.password }, '/settings/organisation')
  expect(done.status).toBe(200)
  expect((await readOrganisation(t.app.db)).name).toBe('Other Ltd')
})

test('a mail with a link of an account is shown after the password, one of a document at once', async () => {
  const mails = await mailsOfBoth()
  for (const path of ['', '/html', '/attachments/1']) {
    t.clock.pass({ minutes: 16 })
    expect((await visitor.get(`/outbox/${mails.document}${path}`)).url).toBe(`/outbox/${mails.document}${path}`)
    const asked = await visitor.get(`/outbox/${mails.account}${path}`)
    expect([path, asked.url, isAsked(asked.html)]).toEqual([path, `/confirm?next=%2Foutbox%2F${mails.account}`, true])
    const shown = await visitor.submit(asked, { password: GRACE.password }, '/confirm')
    expect([shown.status, shown.url]).toEqual([200, `/outbox/${mails.account}`])
  }
})
