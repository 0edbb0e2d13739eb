/** The frame of the web app: its language, its navigation, and the page of the parts. */
import { expect, test } from 'bun:test'
import { openVisitor, type Page, textOf } from '../support/browser-less.ts'
import { useTestApp } from '../support/use-app.ts'
import { GRACE, newAdministrator } from '../support/visitors.ts'

const t = useTestApp()

const languageOf = (page: Page) => /<html lang="(\w+)"/.exec(page.html)?.[1]

test('the browser’s language counts before sign-in; a language without a catalogue gives English', async () => {
  for (const [accepted, expected, words] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Anmelden'],
    ['fr-FR,de;q=0.5,en;q=0.4', 'de', 'Anmelden'],
    ['fr-FR', 'en', 'Sign in'],
  ] as const) {
    const response = await t.fetch('/sign-in', { headers: { 'accept-language': accepted } })
    const page = { status: 200, url: '', headers: response.headers, html: await response.text() }
    expect([accepted, languageOf(page)]).toEqual([accepted, expected])
    expect(textOf(page)).toContain(words)
  }
})

test('a person chooses the language, which is kept with the account and leads back to the page', async () => {
  const visitor = await newAdministrator(t)
  const verify = await visitor.get('/verify')
  expect(languageOf(verify)).toBe('en')
  const back = await visitor.submit(verify, { language: 'de' }, '/language')
  expect([back.url, languageOf(back)]).toEqual(['/verify', 'de'])
  expect(textOf(back)).toContain('Unterschriebenes PDF prüfen')
  const other = openVisitor(t.fetch)
  const home = await other.submit(await other.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
  expect(languageOf(home)).toBe('de')
  const refused = await visitor.submit(back, { language: 'xx' }, '/language')
  expect([refused.status, languageOf(refused)]).toEqual([422, 'de'])
  expect(languageOf(await visitor.get('/verify'))).toBe('de')
})

test('after a choice of language no other site can be reached', async () => {
  const visitor = await newAdministrator(t)
  for (const next of ['https://example.com/', '//example.com', '/\\example.com']) {
    const page = await visitor.submit(await visitor.get('/verify'), { language: 'de', next }, '/language')
    expect([next, page.url]).toEqual([next, '/documents'])
  }
})

test('an error in a form is German in the German app, with the name of its field', async () => {
  const visitor = await newAdministrator(t)
  await visitor.submit(await visitor.get('/verify'), { language: 'de' }, '/language')
  const page = await visitor.submit(await visitor.get('/confirm'), { password: 'wrong' }, '/confirm')
  expect(textOf(page)).toContain('Passwort ist nicht richtig.')
})

test('the page of the parts shows both languages; in production there is none', async () => {
  for (const [language, words] of [
    ['en', 'New document'],
    ['de', 'Neues Dokument'],
  ] as const) {
    expect(await (await t.fetch(`/design?language=${language}`)).text()).toContain(words)
  }
  const instance = t.app.instance
  t.app.instance = { ...instance, isProduction: true }
  expect((await t.fetch('/design')).status).toBe(404)
})
