/** The verify page speaks the reader's language, and shows the organisation's face. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { LANGUAGES } from '../../../src/core/language.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { LANGUAGE_NAMES } from '../../../src/locales/language-names.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { changeOrganisation } from '../../../src/settings/organisation.ts'
import { addPerson } from '../../support/accounts.ts'
import { openVisitor, type Page, textOf } from '../../support/browser-less.ts'
import { samplePdf } from '../../support/sample.ts'
import { signedDocument } from '../../support/story.ts'
import { ORIGIN, openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const visitorWho = (reads: string) => openVisitor(t.fetch, ORIGIN, { 'accept-language': reads })

const open = async (reads: string, path = '/verify') => shown(await visitorWho(reads).get(path))

/** Verifies a file by the form; without one, nothing was chosen. */
async function send(bytes: Uint8Array | undefined, reads: string, path = '/verify') {
  // So that no address sends too many.
  t.clock.pass({ minutes: 1 })
  const visitor = visitorWho(reads)
  return shown(await visitor.upload(await visitor.get(path), path, bytes && { name: 'a.pdf', bytes }))
}

const shown = (page: Page) => ({ html: page.html, text: textOf(page) })
/** With plain spaces, as the text of a page. */
const plain = (text: string) => text.replace(/\s+/g, ' ')
const NO_PDF = Buffer.from('no PDF')
const pdf = async () => Buffer.from(await samplePdf(), 'base64')

test.each(LANGUAGES)('in %s: the form, a verdict, and what is missing', async language => {
  const { verify } = catalogueOf(language)
  const form = await open(language)
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  expect(form.html).toContain(`<html lang="${language}" dir="${direction}"`)
  for (const words of [verify.title, verify.lead, verify.choose, verify.drop, verify.submit, LANGUAGE_NAMES[language]])
    expect(form.text).toContain(plain(words))
  const { heading, sentence, advice } = verify.verdicts.notSigned
  const result = await send(await pdf(), language)
  expect(result.html).toContain(`<html lang="${language}" dir="${direction}"`)
  const facts = { signer: '', sealer: '', isChanged: false, time: '' }
  for (const words of [heading, sentence(facts), ...advice, verify.details.heading]) expect(result.text).toContain(plain(words))
  const missing = await send(undefined, language)
  expect(missing.text).toContain(plain(catalogueOf(language).signer.check))
  expect(missing.text).toContain(plain(catalogueOf(language).messages.fileMissing({ label: verify.file, type: 'attachment' })))
})

test('a link chooses another language than the browser, which the form keeps', async () => {
  const { html, text } = await open('de', '/verify?lang=pl')
  expect(text).toContain(catalogueOf('pl').verify.title)
  expect(html).toContain('action="/verify?lang=pl"')
  const result = await send(NO_PDF, 'de', '/verify?lang=pl')
  expect(result.text).toContain(catalogueOf('pl').verify.verdicts.unreadable.heading)
  expect(result.html).toContain('href="/verify?lang=pl"')
  expect((await open('ja')).text).toContain(catalogueOf('en').verify.title)
  expect((await open('fr', '/verify?lang=xx')).text).toContain(catalogueOf('fr').verify.title)
})

test('of a signed file it says in each language why Firefox and Acrobat may say something else', async () => {
  const sealed = (await t.api('GET', `/documents/${await signedDocument(t)}/file`)).body
  for (const language of LANGUAGES) {
    const { otherPrograms } = catalogueOf(language).verify.details
    expect(otherPrograms).toMatch(/Firefox.*Acrobat/s)
    expect((await send(sealed, language)).text).toContain(plain(otherPrograms))
    expect((await send(NO_PDF, language)).text).not.toContain(plain(otherPrograms))
  }
})

test('remarks of the verifier are marked as English, except in German', async () => {
  const remark = 'it does not begin with “%PDF-”'
  const arabic = await send(NO_PDF, 'ar')
  expect(arabic.html).toMatch(new RegExp(`<details.*<div lang="en" dir="ltr"><ul><li>${remark}`, 's'))
  const german = await send(NO_PDF, 'de')
  expect(german.html).toMatch(/<div lang="de" dir="ltr"><ul><li>Sie beginnt nicht mit/)
})

test('whoever is signed in reads it in the language of the web app, and is offered no other', async () => {
  const ada = await addPerson(t, 'Ada', 'member', { signsIn: true })
  const visitor = visitorWho('fr, de;q=0.5')
  await visitor.submit(await visitor.get('/sign-in'), { email: ada.email, password: ada.password })
  const { html, text } = shown(await visitor.get('/verify?lang=fr'))
  expect(text).toContain(catalogueOf('de').verify.title)
  expect(html).toContain('class="frame-nav"')
  expect(html).not.toContain('?lang=')
})

test('it shows the face of the organisation in place of ours', async () => {
  const colour = '#0b6e4f'
  await changeOrganisation(t.app, SYSTEM, { name: 'Acme Ltd', contact: '', timeZone: 'UTC', language: 'en', colour })
  for (const { html } of [await open('en'), await send(await pdf(), 'en'), await send(undefined, 'en')]) {
    expect(html).toContain('<span class="brand-name" dir="auto">Acme Ltd</span>')
    expect(html).toContain('<link rel="stylesheet" href="/brand.css?0b6e4f"')
    expect(html).not.toContain('Signet')
  }
})
