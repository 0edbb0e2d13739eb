/** A document's page by forms alone: corrections, labels, sealing, downloads, hostile texts. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../../src/accounts/people.ts'
import { saveSetting } from '../../../src/settings/queries.ts'
import { fetchAs, formsOf, openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { HOSTILE, hideFile, restoreFile } from '../../support/document-states.ts'
import { ADA, BOB, newDocument, ONE, SIGNATURE } from '../../support/sample.ts'
import { linkTo, sentDocument, signAs } from '../../support/story.ts'
import type { TestApp } from '../../support/test-app.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'

const t = useTestApp({ env: { SIGNET_SMTP_URL: 'smtp://127.0.0.1:1' } })
let visitor: Visitor
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
  visitor = await signedIn(t)
})

/** An idle session ends: the person signs in again. */
async function later(span: Parameters<TestApp['clock']['pass']>[0]): Promise<void> {
  t.clock.pass(span)
  visitor = await signedIn(t)
}

const pageOf = (id: string) => visitor.get(`/documents/${id}`)

const place = { page: 1, x: 10, width: 30, height: 3 }
const choice = { page: 1, x: 60, width: 3, height: 2 }
const fields = [
  { ...place, y: 10, type: 'paragraph', label: 'Remarks', required: false },
  {
    type: 'radio',
    label: 'Payment',
    options: [
      { ...choice, y: 10, value: 'Invoice' },
      { ...choice, y: 15, value: 'Debit' },
    ],
  },
  { ...place, y: 20, type: 'checkbox', name: 'married', label: 'Married' },
  { ...place, y: 25, type: 'text', label: 'Spouse', showIf: { field: 'married', is: 'true' } },
  SIGNATURE,
]
const senderFields = [
  { ...place, y: 40, type: 'date', label: 'Start', value: '2026-12-01' },
  { ...place, y: 45, type: 'text', value: 'No 4711' },
]

test('what was entered is shown in words, of people who have signed, without fields that they were not asked', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields }], senderFields })
  expect(textOf(await pageOf(id))).toContain('2 entries of the sender Start 1 December 2026 Text No 4711')
  expect(textOf(await pageOf(id))).not.toContain('Remarks')
  const ids = (await t.api('GET', `/documents/${id}`)).body.recipients[0].fields.map((f: { id: string }) => f.id)
  await signAs(t, ADA.email, 'Ada', {
    [`fields.${ids[0]}`]: 'First line\nSecond <b>line</b>',
    [`fields.${ids[1]}`]: 'Debit',
    [`fields.${ids[3]}`]: 'HIDDEN VALUE',
  })
  const page = await pageOf(id)
  expect(textOf(page)).toContain('3 entries Remarks First line Second <b>line</b> Payment Debit Married not ticked')
  expect(page.html).not.toMatch(/<b>line|HIDDEN VALUE|Spouse/)
})

describe('the state in words', () => {
  test('names whom the document waits for, since when and until when', async () => {
    const id = await sentDocument(t)
    await later({ days: 2 })
    expect(textOf(await pageOf(id))).toContain(
      'Waiting for Ada Lovelace and Bob Søndergård since Friday. Expires on 20 December.',
    )
    await signAs(t, ADA.email, 'Ada Lovelace')
    expect(textOf(await pageOf(id))).toContain('Waiting for Bob Søndergård since Friday.')
    await signAs(t, BOB.email, 'Bob')
    await t.drain()
    expect(textOf(await pageOf(id))).toContain('Everyone has finished. Sealed today.')
  })

  test('is German for a person whose browser asks for it', async () => {
    const id = await sentDocument(t)
    t.clock.pass({ days: 30 })
    const german = openVisitor(t.fetch, ORIGIN, { 'accept-language': 'de' })
    await german.submit(await german.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    const page = textOf(await german.get(`/documents/${id}`))
    expect(page).toContain('Wartet seit dem 20. November auf Ada Lovelace und Bob Søndergård. Läuft heute ab.')
    expect(page).toContain('Der Mailserver hat die E-Mail angenommen')
  })

  test('tells of a draft what is missing, with a link to the step', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, role: 'viewer' }] }))
    const page = await pageOf(body.id)
    expect(textOf(page)).toContain('This is a draft. Nobody has received it yet.')
    expect(page.html).toContain(`href="/documents/${body.id}/people"`)
  })
})

test('rows of one title name their people in the list, three at most, and the number of the others', async () => {
  await sentDocument(t, { title: 'Lease', recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  const four = ['Bea', 'Carl', 'Dora', 'Emil'].map(name => ({ name, email: `${name}@example.com`, fields: [SIGNATURE] }))
  await sentDocument(t, { title: 'Lease', recipients: four })
  const names = [...(await visitor.get('/documents?view=all')).html.matchAll(/<p class="names small">(.*?)<\/p>/gs)]
  expect(names.map(([text]) => text.replace(/<[^>]+>/g, ''))).toEqual(['Bea, Carl, Dora +1', 'Ada Lovelace'])
})

test('a corrected person gets a new link, the old one ends, and the history names both', async () => {
  const id = await sentDocument(t, { recipients: [{ email: 'bo.li@exampel.com', name: 'Bo Li', fields: [SIGNATURE] }] })
  const old = linkTo(t, 'bo.li@exampel.com')
  const refused = await visitor.submit(await pageOf(id), { name: 'Bo Li', email: 'bo.li' }, '/correct')
  expect(refused.status).toBe(422)
  expect(refused.html).toContain('value="bo.li"')
  expect(refused.html).toMatch(/<input id="email-[^>]*autofocus/)
  expect(textOf(refused)).toContain('must be an e-mail address')
  const done = await visitor.submit(refused, { name: 'Bo Li', email: 'bo.li@example.com' }, '/correct')
  expect(textOf(done)).toContain('The recipient is now Bo Li (bo.li@example.com). A new link is being e-mailed.')
  await t.drain()
  expect((await t.fetch(old)).status).toBe(404)
  expect((await t.fetch(linkTo(t, 'bo.li@example.com'))).status).toBe(200)
  const page = await pageOf(id)
  expect(textOf(page)).toContain('The e-mail address of Bo Li was corrected from bo.li@exampel.com to bo.li@example.com')
})

test('a corrected address replaces the wrong one in the contacts', async () => {
  const wrong = { name: 'Bo Li', email: 'bo.li@exampel.com' }
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [wrong] }))
  await visitor.submit(await visitor.get(`/documents/${body.id}/review`), { do: 'send', confirm: 'on' }, '/review')
  expect(textOf(await visitor.get('/contacts'))).toContain('bo.li@exampel.com')
  await visitor.submit(await pageOf(body.id), { name: 'Bo Li', email: 'bo.li@example.com' }, '/correct')
  const contacts = textOf(await visitor.get('/contacts'))
  expect(contacts).toContain('bo.li@example.com')
  expect(contacts).not.toContain('bo.li@exampel.com')
})

test('the correction of a person whose turn has not come promises no e-mail', async () => {
  const id = await sentDocument(t, { signingOrder: 'sequential' })
  const [, second] = (await t.api('GET', `/documents/${id}`)).body.recipients
  const page = await pageOf(id)
  expect(textOf(page)).toContain('Nothing has been sent to this person yet.')
  const done = await visitor.submit(page, { name: 'Bo Li', email: 'bo.li@example.com' }, `/recipients/${second.id}/correct`)
  expect(textOf(done)).toContain('The recipient is now Bo Li (bo.li@example.com). The e-mail follows when it is their turn.')
})

test('a correction that changes nothing says so, and no link is sent', async () => {
  const id = await sentDocument(t)
  const mails = t.mails.length
  const page = await visitor.submit(await pageOf(id), {}, '/correct')
  expect(textOf(page)).toContain('Nothing was changed, and no e-mail was sent.')
  await t.drain()
  expect(t.mails.length).toBe(mails)
})

test('in quiet hours a reminder goes out at once, and the page says why', async () => {
  const id = await sentDocument(t)
  const allDay = JSON.stringify({ from: '00:00', to: '23:59', weekends: true })
  await t.app.write(tx => saveSetting(tx, 'organisation.quietHours', allDay))
  await later({ hours: 2 })
  const mails = t.mails.length
  const page = await visitor.submit(await pageOf(id), {}, '/remind')
  expect(textOf(page)).toContain('Quiet hours hold back only the reminders that are sent automatically.')
  await t.drain()
  expect(t.mails.length).toBe(mails + 2)
})

test('a reminder names whom it went to, or says that nobody was due', async () => {
  const id = await sentDocument(t)
  const none = await visitor.submit(await pageOf(id), {}, '/remind')
  expect(textOf(none)).toContain('No reminder was sent')
  await later({ hours: 2 })
  const sent = await visitor.submit(await pageOf(id), {}, '/remind')
  expect(textOf(sent)).toContain('A reminder is being e-mailed to Ada Lovelace and Bob Søndergård.')
})

test('the reply of the mail server is shown with the person, and a failure first', async () => {
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 5.1.1 No such user' })
  const id = await sentDocument(t, ONE)
  const text = textOf(await pageOf(id))
  expect(text).toContain('The e-mail to Ada Lovelace could not be delivered.')
  expect(text).toContain('Reply of the mail server: 550 5.1.1 No such user')
})

test('labels are edited in any state, as words with commas between', async () => {
  const id = await sentDocument(t, { labels: ['old'] })
  await t.api('POST', `/documents/${id}/void`, { reason: 'x' })
  const page = await visitor.submit(await pageOf(id), { labels: ' Einkauf, 2026,, Einkauf ' }, '/labels')
  expect(textOf(page)).toContain('The labels were saved.')
  expect((await t.api('GET', `/documents/${id}`)).body.labels).toEqual(['Einkauf', '2026'])
})

test('a copy is a draft of its own, made on the page of the document or in the menu of its row', async () => {
  const id = await sentDocument(t, { title: 'Lease' })
  for (const page of [await pageOf(id), await visitor.get('/documents')]) {
    const copy = await visitor.submit(page, {}, `/${id}/duplicate`)
    expect(textOf(copy)).toContain('This is a draft.')
    expect(copy.url).not.toContain(id)
  }
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sent')
})

test('sealing is started again by its button, which is there only while it fails', async () => {
  const id = await sentDocument(t, ONE)
  await signAs(t, ADA.email, 'Ada Lovelace')
  await hideFile(t, id)
  await t.drain()
  const trouble = await pageOf(id)
  expect(textOf(trouble)).toContain('The original file is missing: restore it from a backup.')
  await restoreFile(t, id)
  expect(textOf(await visitor.submit(trouble, {}, '/seal'))).toContain('Sealing was started again.')
  await t.drain()
  const sealed = await pageOf(id)
  expect(textOf(sealed)).toContain('Completed and sealed')
  expect(formsOf(sealed.html).some(form => form.action.endsWith('/seal'))).toBe(false)
})

test('voiding asks for a reason, which the page then shows', async () => {
  const id = await sentDocument(t)
  const again = await visitor.submit(await pageOf(id), { reason: '  ' }, '/void')
  expect(again.url).toEndWith('?open=void')
  expect(textOf(await visitor.submit(again, { reason: 'Wrong file' }, '/void'))).toContain('Voided today. Wrong file')
})

test('the file with the signatures so far holds them, begins with the original and is no sealed file', async () => {
  const id = await sentDocument(t)
  expect((await visitor.get(`/documents/${id}/file?version=current`)).status).toBe(404)
  await signAs(t, ADA.email, 'Ada Lovelace')
  const response = await fetchAs(t, visitor, `/documents/${id}/file?version=current`)
  expect(response.headers.get('content-disposition')).toContain('agreement (not sealed).pdf')
  const bytes = await response.bytes()
  const original = (await t.api('GET', `/documents/${id}/file?version=original`)).body as Uint8Array
  expect(Buffer.compare(bytes.subarray(0, original.length), original)).toBe(0)
  const path = join(t.folder, 'current.pdf')
  writeFileSync(path, bytes)
  expect(String(Bun.spawnSync(['pdftotext', path, '-']).stdout)).toContain('Ada Lovelace')
  expect(Bun.spawnSync(['qpdf', '--check', path]).exitCode).toBe(0)
  expect(String(Bun.spawnSync(['pdfsig', path]).stdout)).not.toContain('Signature #1')
  // Nothing of the one who has not signed.
  expect(String(Bun.spawnSync(['pdftotext', path, '-']).stdout)).not.toContain('Bob')
})

test('what was signed is drawn for the sender without a link, and for nobody else', async () => {
  const id = await sentDocument(t)
  const marks = (page: number) => fetchAs(t, visitor, `/documents/${id}/marks?page=${page}`)
  expect((await marks(1)).status).toBe(204)
  await signAs(t, ADA.email, 'Ada Lovelace')
  const drawn = await marks(1)
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await marks(2)).status).toBe(404)
  expect(await (await fetchAs(t, visitor, `/documents/${id}/pages`)).json()).toEqual([[595.28, 841.89]])
  expect((await t.fetch(`/documents/${id}/marks?page=1`)).status).toBe(303)
})

test('a form sent to a document that cannot exist is answered as one about an unknown document', async () => {
  const csrf = formsOf((await visitor.get('/documents')).html)[0]?.values.csrf ?? ''
  for (const id of ['%00', '%0d%0aX:y', '%F0%9F%98%80'])
    for (const verb of ['void', 'remind', 'delete', 'labels', 'duplicate', 'seal'])
      expect([id, verb, (await visitor.post(`/documents/${id}/${verb}`, { csrf })).status]).toEqual([id, verb, 404])
})

test('hostile titles, names, file names and labels are text on every page', async () => {
  const id = await sentDocument(t, {
    title: HOSTILE,
    fileName: '"><script>alert(1)</script>.pdf',
    labels: ['<b>x</b>', '"onmouseover=1'],
    message: '<script>alert(2)</script>',
    recipients: [{ email: 'm@example.com', name: HOSTILE, fields: [SIGNATURE] }],
  })
  for (const path of [
    '/documents',
    `/documents/${id}`,
    `/documents?q=${encodeURIComponent(HOSTILE)}&label=${encodeURIComponent('<b>x</b>')}`,
  ]) {
    const { html } = await visitor.get(path)
    expect(html).not.toMatch(/<img src=x|<script>alert|<b>x<\/b>|" ?onmouseover/)
    expect(html).toContain('&lt;')
  }
})

describe('several documents', () => {
  /** As a browser sends the boxes that are ticked. */
  const ticked = (ids: string[]) => Object.fromEntries(ids.map(id => [`pick.${id}`, 'on']))

  test('are reminded by one form, and the result names each that was not', async () => {
    const one = await sentDocument(t, { title: 'One' })
    await later({ hours: 2 })
    const two = await sentDocument(t, { title: 'Two' })
    const draft = (await t.api('POST', '/documents', await newDocument({ title: 'Three' }))).body.id
    const list = await visitor.get('/documents?view=all&q=o')
    const done = await visitor.post('/documents/bulk/remind', { ...valuesOf(list.html), ...ticked([one, two, draft]) })
    expect(textOf(done)).toContain('1 reminded, 1 had nobody due, 1 is not waiting for anybody.')
    expect(textOf(done)).toContain('Two Everyone whose turn it is was e-mailed within the last hour.')
    expect(textOf(done)).toContain('Three Not reminded: Draft.')
    // The list is the one that the form was on.
    expect(done.url).toContain('q=o')
  })

  test('are voided with a reason, labelled, and downloaded; without a tick or a text a notice says so', async () => {
    const id = await sentDocument(t)
    const values = valuesOf((await visitor.get('/documents')).html)
    const post = (bulk: string, more: Record<string, string>) => visitor.post(`/documents/bulk/${bulk}`, { ...values, ...more })
    expect(textOf(await post('void', { reason: 'x' }))).toContain('Choose at least one document first')
    expect(textOf(await post('void', { ...ticked([id]), reason: ' ' }))).toContain('Nothing was voided')
    expect(textOf(await post('label', { ...ticked([id]), label: '' }))).toContain('Nothing was labelled')
    expect(textOf(await post('label', { ...ticked([id]), label: 'Archive' }))).toContain('1 labelled.')
    expect(textOf(await post('void', { ...ticked([id]), reason: 'Wrong' }))).toContain('1 voided.')
    expect((await post('download', ticked([id]))).headers.get('content-type')).toBe('application/zip')
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'voided', labels: ['Archive'] })
  })

  test('lead back to the list whatever the form says it came from', async () => {
    await sentDocument(t)
    const values = valuesOf((await visitor.get('/documents')).html)
    for (const list of ['http://[', '//evil.example/', 'javascript:alert(1)', '']) {
      const { status, url } = await visitor.post('/documents/bulk/remind', { ...values, list })
      expect([list, status, url]).toEqual([list, 200, expect.stringMatching(/^\/documents\?/)])
    }
  })

  const valuesOf = (html: string) => formsOf(html).find(form => form.action.startsWith('/documents/bulk'))?.values ?? {}
})

describe('filters', () => {
  test('by label, person and day are chips that can be removed; a day that is none is an error of its field', async () => {
    await t.api('POST', '/documents', await newDocument({ title: 'Alpha', labels: ['red'] }))
    await t.api('POST', '/documents', await newDocument({ title: 'Beta' }))
    const found = async (query: string) => textOf(await visitor.get(`/documents?${query}`))
    expect(await found('label=red')).toContain('Alpha')
    expect(await found('label=red')).not.toContain('Beta')
    expect(await found('from=2026-11-20&to=2026-11-20')).toContain('Beta')
    expect(await found('from=2026-11-21')).toContain('No document matches')
    expect(await found(`email=${ADA.email}`)).toContain('Alpha')
    expect(await found('from=yesterday')).toContain('must be a date such as')
    expect(await found('to=0000-01-01')).toContain('must be a date such as')
    const { html } = await visitor.get('/documents?view=drafts&label=red&q=alpha')
    expect(html).toContain('href="/documents?view=drafts&amp;q=alpha"')
    expect(html).toContain('href="/documents?view=drafts"')
  })

  test('the page after the fiftieth document continues the list', async () => {
    for (let i = 0; i < 52; i++) await t.api('POST', '/documents', await newDocument({ title: `No ${i}` }))
    const first = await visitor.get('/documents?view=drafts')
    const older = /href="(\/documents\?[^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = textOf(await visitor.get(older))
    expect(second).toContain('No 1 ')
    expect(second).toContain('No 0 ')
    expect(second).not.toContain('No 2 ')
  })
})

test('a draft whose signer has no signature field says so, and is not called complete', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [ADA] }))
  const page = await pageOf(body.id)
  expect(textOf(page)).toContain('Look at this before you send it:')
  expect(textOf(page)).not.toContain('Nothing is missing')
  expect(page.html).toContain(`href="/documents/${body.id}/fields"`)
  const complete = (await t.api('POST', '/documents', await newDocument())).body.id
  expect(textOf(await pageOf(complete))).toContain('Nothing is missing')
})
