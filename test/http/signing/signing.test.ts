/** The whole process over HTTP: created, sent, signed by two people without a script, sealed. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { csrfOf, openVisitor, textOf } from '../../support/browser-less.ts'
import { type HttpSink, openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let sink: HttpSink
beforeEach(async () => {
  sink = await openHttpSink()
})
afterEach(() => sink.close())

test('two people sign from their mailed links, the PDF is sealed once, everybody gets it, and the webhook tells', async () => {
  const hook = await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events: ['document.completed', 'document.sent'] })
  expect(hook.status).toBe(201)
  const id = await sentDocument(t, { message: 'Please sign by Friday.' })
  expect(t.mails.map(m => m.to.address).sort()).toEqual([ADA.email, BOB.email])
  expect(t.mails[0]?.text).toContain('Please sign by Friday.')

  const first = await signAs(t, ADA.email, 'Ada Lovelace')
  expect(textOf(first)).toContain('You are done')
  expect(textOf(first)).toContain(BOB.name)
  expect(textOf(first)).not.toContain('is being sealed')
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sent')

  expect(textOf(await signAs(t, BOB.email, 'Bob Søndergård'))).toContain('is being sealed')
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('completed')
  expect(body.sealingError).toBeNull()
  expect(body.recipients.map((r: { status: string }) => r.status)).toEqual(['signed', 'signed'])

  const sealed = await t.api('GET', `/documents/${id}/file`)
  const original = await t.api('GET', `/documents/${id}/file?version=original`)
  expect(Buffer.from(sealed.body).subarray(0, original.body.length).equals(Buffer.from(original.body))).toBe(true)
  const completed = t.mails.filter(m => m.subject.includes('Completed'))
  expect(completed.map(m => m.to.address).sort()).toEqual([ADA.email, BOB.email])
  expect(completed.every(m => m.attachments?.length === 1)).toBe(true)

  expect(sink.requests.map(r => JSON.parse(String(r.body)).type)).toEqual(['document.sent', 'document.completed'])
  for (const { body: bytes, headers } of sink.requests) {
    const verified = new Webhook(hook.body.secret).sign(String(headers['webhook-id']), t.clock.now, String(bytes))
    expect(headers['webhook-signature']).toBe(verified)
  }
})

describe('a link', () => {
  test('opened a hundred times by a scanner leaves no trace of a person, and still works', async () => {
    const id = await sentDocument(t)
    const before = (await t.api('GET', `/documents/${id}/audit`)).body
    for (let i = 0; i < 100; i++) {
      expect((await t.fetch(linkTo(t, ADA.email))).status).toBe(200)
      expect((await t.fetch(linkTo(t, ADA.email), { method: 'HEAD' })).status).toBe(200)
    }
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].viewedAt).toBeNull()
    expect((await t.api('GET', `/documents/${id}/audit`)).body).toEqual(before)
    expect(textOf(await signAs(t, ADA.email, 'Ada'))).toContain('You are done')
  })

  test('that is unknown says so and nothing else; one of a voided document names its title, and no recipient', async () => {
    const secret = { title: 'Merger plan', recipients: [{ ...ADA, fields: [SIGNATURE] }] }
    const id = await sentDocument(t, secret)
    const link = linkTo(t, ADA.email)
    await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
    const voided = await openVisitor(t.fetch).get(link)
    expect(voided.status).toBe(409)
    expect(textOf(voided)).toContain('voided')
    const altered = await openVisitor(t.fetch).get(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)
    expect(altered.status).toBe(404)
    expect([voided, altered].map(page => page.html.includes('Merger'))).toEqual([true, false])
    for (const page of [voided, altered]) expect(page.html).not.toContain('Lovelace')
  })

  test('is stored nowhere: neither database nor log holds it', async () => {
    await sentDocument(t)
    const token = linkTo(t, ADA.email).slice(3)
    await t.fetch(`/s/${token}`)
    const dump = JSON.stringify(
      await Promise.all(
        ['mails', 'jobs', 'recipients', 'events', 'event_details'].map(table =>
          t.app.db
            .selectFrom(table as 'mails')
            .selectAll()
            .execute(),
        ),
      ),
    )
    expect(dump).not.toContain(token.split('.')[1] ?? token)
    expect(JSON.stringify(t.logged)).not.toContain(token)
  })

  test('of one recipient does not open the page of another', async () => {
    const id = await sentDocument(t)
    const { visitor } = await openLinkAs(t, ADA.email)
    const { body } = await t.api('GET', `/documents/${id}`)
    expect((await visitor.get(`/sign/${body.recipients[1].id}`)).status).toBe(404)
    expect((await visitor.get(`/sign/${body.recipients[1].id}/file`)).status).toBe(404)
  })

  test('guessed too often from one address has to wait', async () => {
    const answers = []
    for (let i = 0; i < 25; i++) answers.push((await t.fetch(`/s/${'0'.repeat(25)}${i % 10}.x`)).status)
    expect(answers.slice(0, 20)).toEqual(Array(20).fill(404))
    expect(answers.at(-1)).toBe(429)
    const french = await t.fetch('/s/nothing', { headers: { 'accept-language': 'fr' } })
    expect([french.status, (await french.text()).includes('Too many')]).toEqual([429, false])
    expect(Number(french.headers.get('retry-after'))).toBeGreaterThan(0)
    await sentDocument(t)
    expect((await t.fetch(linkTo(t, ADA.email))).status).toBe(200)
  })
})

describe('the form', () => {
  const fields = [
    SIGNATURE,
    { type: 'initials', page: 1, x: 10, y: 80, width: 10, height: 4 },
    { type: 'text', page: 1, x: 10, y: 10, width: 30, height: 4, label: 'Place' },
    { type: 'number', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Amount', required: false },
    { type: 'dropdown', page: 1, x: 10, y: 30, width: 30, height: 4, label: 'Term', options: ['1 year', '2 years'] },
    { type: 'checkbox', page: 1, x: 10, y: 40, width: 4, height: 4, label: 'Newsletter' },
    { type: 'date', page: 1, x: 10, y: 50, width: 30, height: 4 },
    { type: 'text', page: 1, x: 10, y: 60, width: 30, height: 4, label: 'Contract no.', value: 'C-17', readOnly: true },
  ]

  test('shows every error at its field, keeps the values, and stores nothing', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields }] })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const placeId = /name="(fields\.fld_[0-9a-z]+)" required/.exec(page.html)?.[1] ?? ''
    const again = await visitor.submit(page, { [placeId]: 'Zürich', signature: '', initials: '' }, '/finish')
    expect(again.status).toBe(422)
    const text = textOf(again)
    expect(text).toContain('Please agree by ticking the box.')
    expect(text).toContain('Please type your full name')
    expect(text).toContain('Please type your initials')
    expect(text).toContain('Term: please choose one of 1 year, 2 years')
    expect(again.html).toContain('value="Zürich"')
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })

  test('fills every kind of field; what the service fills cannot be sent', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields }] })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const { body: before } = await t.api('GET', `/documents/${id}`)
    const idOf = (type: string, label?: string) =>
      before.recipients[0].fields.find(
        (f: { type: string; label: string | null }) => f.type === type && (!label || f.label === label),
      ).id
    const done = await visitor.submit(
      page,
      {
        signature: 'Ada Lovelace',
        initials: 'AL',
        consent: 'on',
        [`fields.${idOf('text', 'Place')}`]: 'Zürich',
        [`fields.${idOf('number')}`]: '12.50',
        [`fields.${idOf('dropdown')}`]: '2 years',
        [`fields.${idOf('checkbox')}`]: 'on',
        [`fields.${idOf('date')}`]: '1999-01-01',
        [`fields.${idOf('text', 'Contract no.')}`]: 'C-99',
      },
      '/finish',
    )
    expect(textOf(done)).toContain('You are done')
    const { body } = await t.api('GET', `/documents/${id}`)
    const values = Object.fromEntries(
      body.recipients[0].fields.map((f: { type: string; label: string | null; value: string }) => [f.label ?? f.type, f.value]),
    )
    expect(values).toEqual({
      signature: 'Ada Lovelace',
      initials: 'AL',
      Place: 'Zürich',
      Amount: '12.50',
      Term: '2 years',
      Newsletter: 'true',
      date: '2026-11-20',
      'Contract no.': 'C-17',
    })
  })

  test('a date is the day of signing where the organisation is, not in the zone of the server’s clock', async () => {
    await t.app.write(tx => saveOrganisation(tx, { name: 'Acme', contact: undefined, timeZone: 'Pacific/Auckland' }))
    const date = { type: 'date', page: 1, x: 10, y: 50, width: 30, height: 4 }
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE, date] }] })
    const stamped: unknown[] = []
    const { prepare } = t.app.pdf
    t.app.pdf.prepare = order => {
      stamped.push(...order.fields.map(mark => mark.content))
      return prepare(order)
    }
    const { page } = await openLinkAs(t, ADA.email)
    expect(textOf(page)).toContain('21 November 2026')
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.recipients[0].fields[1].value).toBe('2026-11-21')
    expect(body.status).toBe('completed')
    expect(stamped).toContainEqual(expect.objectContaining({ kind: 'text', text: '21 November 2026' }))
  })

  test('a date is the day of the recorded moment of signing, also when midnight falls between the press and the record', async () => {
    await t.app.write(tx => saveOrganisation(tx, { name: 'Acme', contact: undefined, timeZone: 'Pacific/Auckland' }))
    const date = { type: 'date', page: 1, x: 10, y: 50, width: 30, height: 4 }
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE, date] }] })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    t.clock.now = new Date('2026-11-21T10:59:59.000Z')
    const { write } = t.app
    t.app.write = (work, how) => {
      t.clock.pass({ seconds: 1 })
      return write(work, how)
    }
    await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.recipients[0].signedAt).toBe('2026-11-21T11:00:00.000Z')
    expect(body.recipients[0].fields[1].value).toBe('2026-11-22')
  })

  test('a typed mark has a maximum length, with an error at its field', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE, fields[1]] }] })
    const refused = await signAs(t, ADA.email, 'A'.repeat(101), { initials: 'A'.repeat(11) })
    expect(refused.status).toBe(422)
    for (const bound of ['at most 100 characters', 'at most 10 characters']) expect(textOf(refused)).toContain(bound)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })

  test('sent twice signs once', async () => {
    const id = await sentDocument(t)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const values = { signature: 'Ada', consent: 'on' }
    const pages = await Promise.all([visitor.submit(page, values, '/finish'), visitor.submit(page, values, '/finish')])
    expect(pages.map(p => p.status)).toEqual([200, 200])
    const { body } = await t.api('GET', `/documents/${id}/audit`)
    expect(body.events.filter((e: { type: string }) => e.type === 'recipient.signed')).toHaveLength(1)
  })

  test('of a document that is not the one shown is refused', async () => {
    await sentDocument(t)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const other = await visitor.submit(page, { signature: 'Ada', consent: 'on', sha256: '0'.repeat(64) }, '/finish')
    expect(other.status).toBe(409)
  })

  test('from a foreign page, without its token, or as another type is refused and changes nothing', async () => {
    const id = await sentDocument(t)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const action = /action="([^"]+\/finish)"/.exec(page.html)?.[1] ?? ''
    const csrf = csrfOf(page)
    const entered = { signature: 'Ada', consent: 'on' }
    const answers = [
      await visitor.post(action, { ...entered, csrf }, { origin: 'https://evil.example' }),
      await visitor.post(action, { ...entered, csrf }, { 'sec-fetch-site': 'cross-site' }),
      await visitor.post(action, entered),
      await visitor.post(action, { ...entered, csrf }, { 'content-type': 'text/plain' }),
    ]
    expect(answers.map(a => a.status)).toEqual([403, 403, 403, 403])
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
  })

  test('shows what people wrote as text, never as markup', async () => {
    const evil = '"><img src=x onerror=alert(1)>'
    await sentDocument(t, {
      title: evil,
      message: '</pre><script>1</script>',
      recipients: [{ ...ADA, name: evil, fields: [{ ...fields[2], label: evil }] }],
    })
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    const form = await visitor.submit(landing)
    const mail = t.mails[0]?.html ?? ''
    for (const html of [landing.html, form.html, mail]) {
      expect(html).not.toContain('<img src=x')
      expect(html).not.toContain('<script>1')
    }
  })
})

describe('order and roles', () => {
  test('in sequence the second group is mailed when the first has finished, and equal numbers go together', async () => {
    const people = [
      { ...ADA, order: 1, fields: [SIGNATURE] },
      { ...BOB, order: 2 },
      { email: 'cy@example.com', name: 'Cy', order: 2, role: 'approver' },
    ]
    const created = await t.api('POST', '/documents', await newDocument({ signingOrder: 'sequential', recipients: people }))
    const sent = await t.api('POST', `/documents/${created.body.id}/send`)
    expect(sent.body).toEqual({ ok: true, notified: 1 })
    await t.drain()
    expect(t.mails.map(m => m.to.address)).toEqual([ADA.email])
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
    expect(
      t.mails
        .slice(1)
        .map(m => m.to.address)
        .sort(),
    ).toEqual([BOB.email, 'cy@example.com'])
    expect(t.mails.at(-1)?.subject).toMatch(/sign|approve/)
  })

  test('a viewer never holds up completion and gets the sealed copy', async () => {
    const id = await sentDocument(t, {
      recipients: [
        { ...ADA, fields: [SIGNATURE] },
        { email: 'v@example.com', name: 'Vera', role: 'viewer' },
      ],
    })
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    expect(t.mails.filter(m => m.subject.includes('Completed')).map(m => m.to.address)).toContain('v@example.com')
  })

  test('declining needs a reason, ends the document and tells the others', async () => {
    const id = await sentDocument(t)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    expect((await visitor.submit(page, { reason: '  ' }, '/decline')).status).toBe(422)
    const declined = await visitor.submit(page, { reason: 'Price too high' }, '/decline')
    expect(textOf(declined)).toContain('You have declined')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(body.status).toBe('declined')
    expect(body.recipients[0].declineReason).toBe('Price too high')
    const notification = t.mails.at(-1)
    expect(notification?.to.address).toBe(BOB.email)
    expect(notification?.text).toContain('Price too high')
    expect((await openVisitor(t.fetch).get(linkTo(t, BOB.email))).status).toBe(409)
  })
})

describe('an access code', () => {
  const recipients = [{ ...ADA, accessCode: 'tulip-42', fields: [SIGNATURE] }]

  test('is asked before the document is shown and stored nowhere in clear', async () => {
    const id = await sentDocument(t, { recipients })
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    const refused = await visitor.submit(landing, { accessCode: 'wrong-1' })
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toContain('4 tries left')
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('sent')
    const opened = await visitor.submit(refused, { accessCode: 'tulip-42' })
    expect(textOf(opened)).toContain('Agree and finish')
    const rows = await t.app.db.selectFrom('recipients').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('tulip')
  })

  test('left empty is asked again and costs no try', async () => {
    await sentDocument(t, { recipients })
    const visitor = openVisitor(t.fetch)
    const asked = await visitor.submit(await visitor.get(linkTo(t, ADA.email)), { accessCode: ' ' })
    expect([asked.status, textOf(asked).includes('Please enter the access code')]).toEqual([422, true])
    expect(textOf(await visitor.submit(asked, { accessCode: 'wrong-1' }))).toContain('4 tries left')
  })

  test('cannot be gone round with the link alone, before or after signing', async () => {
    const id = await sentDocument(t, { recipients })
    const token = linkTo(t, ADA.email).slice(3)
    const { body } = await t.api('GET', `/documents/${id}`)
    const recipientId: string = body.recipients[0].id
    const forged = { headers: { cookie: `signet_link_${recipientId.slice(4)}=${token}` } }
    expect((await t.fetch(`/sign/${recipientId}`, forged)).status).toBe(404)
    expect((await t.fetch(`/sign/${recipientId}/file`, forged)).status).toBe(404)
    const person = openVisitor(t.fetch)
    const opened = await person.submit(await person.get(`/s/${token}`), { accessCode: 'tulip-42' })
    await person.submit(opened, { signature: 'Ada', consent: 'on' }, '/finish')
    await t.drain()
    const later = openVisitor(t.fetch)
    const landing = await later.get(`/s/${token}`)
    expect((await later.submit(landing)).status).toBe(422)
    expect((await t.fetch(`/sign/${recipientId}/file`, forged)).status).toBe(404)
  })

  test('wrong five times locks the link, also for the right code', async () => {
    await sentDocument(t, { recipients })
    const visitor = openVisitor(t.fetch)
    const page = await visitor.get(linkTo(t, ADA.email))
    for (let i = 0; i < 5; i++) {
      await visitor.submit(page, { accessCode: `wrong-${i}` })
      t.clock.pass({ minutes: 5 })
    }
    const right = await visitor.submit(page, { accessCode: 'tulip-42' })
    expect(right.status).toBe(403)
    expect(textOf(right)).toContain('too many times')
    const landing = await openVisitor(t.fetch).get(page.url)
    expect([landing.status, textOf(landing).includes('too many times')]).toEqual([200, true])
    const pressed = await visitor.submit(page)
    expect([pressed.status, textOf(pressed).includes('Please enter the access code')]).toEqual([403, false])
  })
})
