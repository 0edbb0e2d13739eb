/** Review and sending by forms: what was shown is what is sent, once. */
import { describe, expect, test } from 'bun:test'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { taggedPdf } from '../../support/tagged-pdf.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const create = async (overrides: Record<string, unknown> = {}): Promise<string> =>
  (await t.api('POST', '/documents', await newDocument({ title: 'Lease', ...overrides }))).body.id
const open = (id: string) => visitor.get(`/documents/${id}/review`)
const press = (page: Page, act: string, values: Record<string, string> = {}) =>
  visitor.submit(page, { do: act, ...values }, '/review')
const document = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const valuesOf = (page: Page) => formsOf(page.html).find(f => f.action.endsWith('/review'))?.values ?? {}

describe('the review', () => {
  test('shows who gets what in their order, and the mail that is sent in the language of its reader', async () => {
    const id = await create({
      signingOrder: 'sequential',
      message: 'Please look at <b>clause 4</b>.',
      recipients: [
        { ...ADA, order: 1, locale: 'de', fields: [SIGNATURE, { ...SIGNATURE, type: 'date', y: 80 }] },
        { ...BOB, order: 2, role: 'approver', accessCode: 'tulip-42' },
      ],
    })
    const page = await open(id)
    const text = textOf(page)
    expect(text).toContain('gets a link to sign')
    expect(text).toContain('2 fields on page 1')
    expect(text).toContain('gets a link to approve, with an access code')
    expect(text.indexOf(' Then ')).toBeGreaterThan(text.indexOf(ADA.name))
    expect(page.html).not.toContain('<b>clause 4</b>')
    expect(page.html).not.toMatch(/\/s\/rcp_/)
    const shown = [...page.html.matchAll(/<(?:p|blockquote)[^>]*>([^<]+)<\/(?:p|blockquote)>/g)].map(([, words = '']) => words)
    await press(page, 'send')
    await t.drain()
    const [mail] = t.mails
    expect(mail?.to.address).toBe(ADA.email)
    expect(textOf(page)).toContain(mail?.subject ?? 'no mail')
    const letter = (mail?.text ?? '').replace('-- \n', '').replace(/^> /gm, '').trimEnd()
    const sent = letter.split('\n\n').filter(part => !part.includes('http'))
    const decoded = shown.map(words => words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"'))
    expect(sent.length).toBeGreaterThan(4)
    expect(sent.filter(part => !decoded.includes(part))).toEqual([])
  })

  test('names each text tag of the PDF that recipients would see, and those that a field covers not', async () => {
    const pdf = await taggedPdf([
      { text: '{{signature:1}}', x: 72, y: 500 },
      { text: '{{customer name}}', x: 72, y: 300 },
    ])
    const file = Buffer.from(pdf).toString('base64')
    const uncovered = textOf(await open(await create({ file })))
    expect(uncovered).toContain('The PDF shows the text tag {{signature:1}} on page 1')
    expect(uncovered).toContain('the text tag {{customer name}} on page 1')
    const id = await create({ file, recipients: [ADA], fieldsFrom: ['tags'] })
    const covered = await open(id)
    expect(textOf(covered)).not.toContain('{{signature:1}}')
    expect(textOf(covered)).toContain('{{customer name}}')
    await press(covered, 'send')
    expect((await document(id)).status).toBe('draft')
    await press(await open(id), 'send', { confirm: 'on' })
    expect((await document(id)).status).toBe('sent')
  })

  test('shows the mail to each person on request', async () => {
    const id = await create()
    const [, bob] = (await document(id)).recipients
    const page = await visitor.get(`/documents/${id}/review?mail=${bob.id}`)
    expect(textOf(page)).toContain(`Hello ${BOB.name},`)
    expect(textOf(await open(id))).toContain(`Hello ${ADA.name},`)
  })

  test('saves message, deadline, reminders, language and title; only what was changed', async () => {
    const id = await create({ reminders: { firstAfterDays: 2, everyDays: 9, max: 41 } })
    const page = await open(id)
    await press(page, 'save', { message: 'Hello\r\nAda', expiresInDays: '14', locale: 'de', title: 'Lease 2027' })
    const saved = await document(id)
    expect(saved).toMatchObject({ title: 'Lease 2027', message: 'Hello\nAda' })
    const row = () => t.app.db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(await row()).toMatchObject({ expires_in_days: 14, locale: 'de' })
    expect(JSON.parse((await row()).reminders ?? 'null')).toEqual({ firstAfterDays: 2, everyDays: 9, max: 41 })
    await press(await open(id), 'save', { expiry: 'date', expiresOn: '2026-12-24' })
    expect((await row()).expires_at).toBe('2026-12-24T23:59:59.000Z')
    const { reminds: _, ...values } = valuesOf(await open(id))
    await visitor.post(`/documents/${id}/review`, { ...values, do: 'save' })
    expect(await row()).toMatchObject({ reminders: null, expires_at: '2026-12-24T23:59:59.000Z' })
  })

  test('names a wrong setting beside its field, opens what is folded, and keeps what was typed', async () => {
    const id = await create()
    const page = await press(await open(id), 'send', { expiresInDays: '0', message: 'Hello' })
    expect([page.status, textOf(page).includes('from 1 to 365')]).toEqual([422, true])
    expect(valuesOf(page)).toMatchObject({ expiresInDays: '0', message: 'Hello' })
    expect(page.html).toContain('<details class="review-more" open')
    expect((await document(id)).status).toBe('draft')
    for (const expiresOn of ['2026-11-19', '2028-01-01', 'soon'])
      expect((await press(page, 'send', { expiry: 'date', expiresOn })).status).toBe(422)
  })
})

describe('sending', () => {
  test('happens once: a second press, the back button and a second tab lead to the document', async () => {
    const id = await create()
    const [page, tab] = [await open(id), await open(id)]
    const sent = await press(page, 'send')
    expect(sent.url).toBe(`/documents/${id}?notice=sent`)
    for (const again of [await press(page, 'send'), await press(tab, 'send'), await open(id)])
      expect(again.url).toBe(`/documents/${id}?notice=already-sent`)
    await t.drain()
    expect(t.mails).toHaveLength(2)
  })

  test('is refused when the draft is not the one that was shown; what changed is named, and nothing is mailed', async () => {
    const id = await create()
    const page = await open(id)
    const [{ id: ada }, { id: bob }] = (await document(id)).recipients
    await t.api('PATCH', `/documents/${id}`, { recipients: [{ id: ada, email: 'eve@example.com' }, { id: bob }] })
    const again = await press(page, 'send', { message: 'Typed meanwhile' })
    expect(again.status).toBe(412)
    expect(textOf(again)).toContain('Nothing was sent. Please look at it again.')
    expect(textOf(again)).toContain(`The person ${ADA.name}: changed by the API token “test”`)
    expect(textOf(again)).toContain('eve@example.com')
    expect(valuesOf(again).message).toBe('Typed meanwhile')
    await t.drain()
    expect([(await document(id)).status, t.mails.length]).toEqual(['draft', 0])
    await press(again, 'send')
    expect(await document(id)).toMatchObject({ status: 'sent', message: 'Typed meanwhile' })
  })

  test('waits for what is missing, with a link to where it is mended', async () => {
    const id = await create({ recipients: [{ ...BOB, role: 'viewer' }] })
    const page = await open(id)
    expect(textOf(page)).toContain('Add at least one person who signs or approves.')
    expect(page.html).toContain(`href="/documents/${id}/people"`)
    expect(page.html).not.toContain('value="send"')
    expect((await press(page, 'send')).status).toBe(422)
    expect((await document(id)).status).toBe('draft')
  })

  test('with something to check needs one tick, and a new one for points that were not shown', async () => {
    const id = await create({ recipients: [{ ...ADA, email: 'ada@gmial.com' }] })
    const page = await open(id)
    expect(textOf(page)).toContain('did you mean ada@gmail.com')
    expect(textOf(page)).toContain('has no signature field')
    expect(page.html).toContain(`/documents/${id}/people#recipients[0].email`)
    const unticked = await press(page, 'send')
    expect([unticked.status, textOf(unticked).includes('Tick the box')]).toEqual([422, true])
    const more = await press(unticked, 'send', { confirm: 'on', message: 'Sign {{here}}' })
    expect([more.status, textOf(more).includes('A text tag')]).toEqual([422, true])
    expect((await document(id)).status).toBe('draft')
    const sent = await press(more, 'send', { confirm: 'on' })
    expect(sent.url).toEndWith('notice=sent')
  })

  test('adds the people to the contacts of the person who sends, not of a program', async () => {
    const contacts = () => t.app.db.selectFrom('contacts').select('email').orderBy('email').execute()
    await t.api('POST', `/documents/${await create()}/send`)
    expect(await contacts()).toEqual([])
    await press(await open(await create()), 'send')
    expect((await contacts()).map(({ email }) => email)).toEqual([ADA.email, BOB.email])
    const people = await visitor.get(`/documents/${await create({ recipients: [ADA] })}/people`)
    expect(people.html).toContain('value="Bob Søndergård &lt;bob@example.com>"')
  })
})
