/** What is agreed to is what was shown, to the letter, and that is what the record holds. */
import { expect, test } from 'bun:test'
import { LANGUAGES } from '../../../src/core/language.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { finishForm, openVisitor, type Page, textOf } from '../../support/browser-less.ts'
import { ADA, ONE } from '../../support/sample.ts'
import { eventsOf, linkTo, openedDocument, openLinkAs, SIGNED, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const formOf = (page: Page) => finishForm(page).values
const isTicked = (page: Page) => formOf(page).consent !== undefined

/** SHA-256 of the paragraphs on the page. */
function shownHash({ html }: Page): string {
  const [, inner = ''] = /<div class="consent small">(.*?)<\/div>/s.exec(html) ?? []
  const paragraphs = [...inner.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) => text.replaceAll('&amp;', '&'))
  return sha256Hex(paragraphs.join('\n'))
}

async function rename(name: string): Promise<void> {
  await t.app.write(tx => saveOrganisation(tx, { name, contact: 'office@acme.example', timeZone: 'UTC', language: 'en' }), {
    wake: false,
  })
}

const signedEvent = async (id: string) => (await eventsOf(t, id, 'recipient.signed'))[0]
const consentEvent = async (id: string) => (await eventsOf(t, id, 'recipient.consented'))[0]
const recordOf = async (id: string) => (await signedEvent(id))?.data

test('a text that changed while the page was open is agreed to and recorded as it was shown', async () => {
  await rename('Acme & Sons')
  const { id, visitor, page } = await openedDocument(t)
  await visitor.post(`${page.url}/form-values`, { csrf: formOf(page).csrf ?? '', consent: formOf(page).consentVersion ?? '' })
  expect(isTicked(await visitor.get(page.url))).toBe(true)
  await rename('Somebody Else & Sons')
  const reloaded = await visitor.get(page.url)
  expect([isTicked(reloaded), shownHash(reloaded) === shownHash(page)]).toEqual([false, false])
  expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
  expect((await recordOf(id)).consentSha256).toBe(shownHash(page))
  const [consented, signed] = [await consentEvent(id), await signedEvent(id)]
  const { consentVersion, consentSha256 } = signed.data
  expect(consented.data).toEqual({ consentVersion, consentSha256, language: 'en' })
  expect([consented.recipientId, consented.actor]).toEqual([signed.recipientId, signed.actor])
  expect(consented.sequence).toBe(signed.sequence - 1)
  expect(consented.personal).toEqual({ ip: signed.personal.ip, userAgent: signed.personal.userAgent })
  const { consentText } = signed.personal
  expect([sha256Hex(consentText), consentText.includes('Acme & Sons'), consentText.includes('Somebody Else')]).toEqual([
    shownHash(page),
    true,
    false,
  ])
})

test('the page of another release is finished here: the record names its text and its sentence of intent', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const text = 'I agree, said the release before.'
  const sha256 = sha256Hex(text)
  await t.sql(
    `INSERT INTO consent_texts (id, kind, language, text, intents, shown_at)
     VALUES (?, 'signing', 'en', ?, ?, '2026-11-01T00:00:00.000Z')`,
    `2026-10-1.${sha256}`,
    text,
    JSON.stringify({ signer: 'Press to sign.', approver: 'Press to approve.', viewer: 'Press.' }),
  )
  const { action, values } = finishForm(page)
  const finished = await visitor.post(action, { ...values, ...SIGNED, consentVersion: `2026-10-1.${sha256}` })
  expect(finished.status).toBe(200)
  const { data, personal } = await signedEvent(id)
  expect([data.consentVersion, data.consentSha256, data.intent, personal.consentText]).toEqual([
    '2026-10-1',
    sha256,
    'Press to sign.',
    text,
  ])
})

test('a text that no page showed is not agreed to', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const { action, values } = finishForm(page)
  for (const consentVersion of [`2026-10-1.${sha256Hex('I agree to anything.')}`, '', 'x'.repeat(5000)]) {
    const refused = await visitor.post(action, { ...values, ...SIGNED, consentVersion })
    expect([refused.status, await recordOf(id)]).toEqual([409, undefined])
  }
})

test('each text is stored once, when it is first shown, however often it is', async () => {
  const { visitor, page } = await openedDocument(t)
  const before = await t.sql('SELECT * FROM consent_texts')
  for (let i = 0; i < 3; i++) await visitor.get(page.url)
  const rows = await t.sql<{ id: string; text: string }>('SELECT id, text FROM consent_texts')
  expect([before.length, rows.length]).toEqual([1, 1])
  for (const row of rows) expect(row.id.endsWith(`.${sha256Hex(row.text)}`)).toBe(true)
})

test('while the disk is full, one write of a text waits in memory, however many pages show it', async () => {
  const { visitor, page } = await openedDocument(t)
  await rename('Renamed')
  let waiting = 0
  Object.assign(t.app, { writeEventually: async () => void waiting++ })
  for (let i = 0; i < 5; i++) expect((await visitor.get(page.url)).status).toBe(200)
  expect(waiting).toBe(1)
})

test('a box ticked under another text is not ticked under this one', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const ticked = { csrf: formOf(page).csrf ?? '', consent: formOf(page).consentVersion ?? '' }
  await visitor.post(`${page.url}/form-values`, ticked)
  await rename('Somebody Else')
  expect(isTicked(await visitor.get(page.url))).toBe(false)
  // On the page that was open before.
  await visitor.post(`${page.url}/form-values`, ticked)
  expect(isTicked(await visitor.get(page.url))).toBe(false)
  await rename('Signet')
  await visitor.post(`${page.url}/form-values`, { csrf: formOf(page).csrf ?? '', consent: '' })
  expect(isTicked(await visitor.get(page.url))).toBe(false)
  expect(await recordOf(id)).toBeUndefined()
})

test('in a test environment neither pages nor mails nor the record say that a signature binds', async () => {
  const id = await sentDocument(t, ONE)
  const landing = await openVisitor(t.fetch).get(linkTo(t, ADA.email))
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, SIGNED, '/finish')
  await t.drain()
  const texts = [...[landing, page].map(textOf), ...t.mails.map(({ text }) => text), (await signedEvent(id)).personal.consentText]
  for (const text of texts) {
    expect(text).toMatch(/not meant to bind|Nothing .* is meant to bind/)
    expect(text).not.toMatch(/(?<!not |Nothing .{0,30}is )meant to bind/)
  }
})

test('the consent of a test environment is another text in every language, that of production names none', () => {
  for (const language of LANGUAGES) {
    const { signing, approval } = catalogueOf(language).consent
    for (const paragraphs of [signing, approval]) {
      const [test, real] = [paragraphs('Acme', 'staging'), paragraphs('Acme', undefined)]
      expect([language, test[0]?.includes('staging'), real.join(' ').includes('staging')]).toEqual([language, true, false])
      expect(test.slice(1)).toEqual(real.slice(1))
    }
  }
})

test('a page shown in one language is not finished in another', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const { action, values } = finishForm(page)
  const elsewhere = await visitor.post(action, { ...values, ...SIGNED }, { 'accept-language': 'fr' })
  expect([elsewhere.status, await recordOf(id)]).toEqual([409, undefined])
  expect((await visitor.post(action, { ...values, ...SIGNED })).status).toBe(200)
  expect(await recordOf(id)).toMatchObject({ language: 'en', consentSha256: shownHash(page) })
})

test('a text that only approves is not what a signer agreed to', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const sha256 = sha256Hex('I approve.')
  await t.sql(
    `INSERT INTO consent_texts (id, kind, language, text, intents, shown_at)
     VALUES (?, 'approval', 'en', 'I approve.', '{}', '2026-11-01T00:00:00.000Z')`,
    `2026-10-1.${sha256}`,
  )
  const { action, values } = finishForm(page)
  const refused = await visitor.post(action, { ...values, ...SIGNED, consentVersion: `2026-10-1.${sha256}` })
  expect([refused.status, await recordOf(id)]).toEqual([409, undefined])
})

test('while a node of the release before may serve, it has no entry of its own, which that one could not print', async () => {
  await t.sql('UPDATE cluster SET feature_level = 0')
  const { id, visitor, page } = await openedDocument(t)
  expect((await visitor.submit(page, SIGNED, '/finish')).status).toBe(200)
  expect(await consentEvent(id)).toBeUndefined()
  expect((await recordOf(id)).consentSha256).toBe(shownHash(page))
})
