/** The whole process over HTTP: signing, handing over, access codes and languages. */
import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createAdmin } from '../../../src/accounts/people.ts'
import {
  MAX_HAND_OVERS_OF_DOCUMENT,
  MAX_HAND_OVERS_OF_RECIPIENT,
  requireFewHandOvers,
} from '../../../src/core/signing/signing.ts'
import { find } from '../../../src/documents/queries.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { csrfOf, openVisitor, textOf } from '../../support/browser-less.ts'
import { openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, BOB_SIGNS, newDocument, ONE, SIGNATURE } from '../../support/sample.ts'
import { eventsOf, linkTo, openedDocument, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

test('two people sign from their mailed links, the PDF is sealed once, everybody gets it, and the webhook tells', async () => {
  await using sink = await openHttpSink()
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
  const attached = (m: (typeof completed)[number]) => m.attachments?.map(({ fileName }) => fileName.split('.').at(-1))
  expect(completed.map(attached)).toEqual([
    ['pdf', 'eml'],
    ['pdf', 'eml'],
  ])

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
    const { id, visitor } = await openedDocument(t, {})
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
    const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, fields }] })
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
    const { id, visitor, page } = await openedDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE, date] }] })
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

  test('sent twice signs once', async () => {
    const { id, visitor, page } = await openedDocument(t, {})
    const values = { signature: 'Ada', consent: 'on' }
    const pages = await Promise.all([visitor.submit(page, values, '/finish'), visitor.submit(page, values, '/finish')])
    expect(pages.map(p => p.status)).toEqual([200, 200])
    expect(await eventsOf(t, id, 'recipient.signed')).toHaveLength(1)
  })

  test('of a document that is not the one shown is refused', async () => {
    const { visitor, page } = await openedDocument(t, {})
    const other = await visitor.submit(page, { signature: 'Ada', consent: 'on', sha256: '0'.repeat(64) }, '/finish')
    expect(other.status).toBe(409)
  })

  test('from a foreign page, without its token, or as another type is refused and changes nothing', async () => {
    const { id, visitor, page } = await openedDocument(t, {})
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

test('declining needs a reason, ends the document and tells the others', async () => {
  const { id, visitor, page } = await openedDocument(t, {})
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
})

const CAROL = { name: 'Carol King', email: 'carol@example.com' }

describe('handing over', () => {
  test('kills the old link and what was entered, invites the colleague, and the record tells both persons apart', async () => {
    const id = await sentDocument(t)
    const oldLink = linkTo(t, ADA.email)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const handed = await visitor.submit(page, CAROL, '/delegate')
    expect(handed.status).toBe(200)
    expect(textOf(handed)).toContain(CAROL.name)
    expect((await visitor.get(page.url)).status).toBe(404)
    expect((await openVisitor(t.fetch).get(oldLink)).status).toBe(404)
    await t.drain()
    expect(linkTo(t, CAROL.email)).not.toBe(oldLink)
    const telling = t.mails.filter(({ text }) => text.includes(`${ADA.name} was asked first and has handed this over to you.`))
    expect(telling.map(({ to }) => to.address)).toEqual([CAROL.email])
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0]).toMatchObject({
      ...CAROL,
      status: 'sent',
      viewedAt: null,
    })

    await signAs(t, CAROL.email, 'Carol King')
    await signAs(t, BOB.email, 'Bob')
    await t.drain()
    const [event] = await eventsOf(t, id, 'recipient.delegated')
    expect(event.personal).toMatchObject({ from: ADA, to: CAROL })
  })

  test('asks for a name and an address, beside the fields, and keeps what was entered', async () => {
    const { visitor, page } = await openedDocument(t, {})
    const nameless = await visitor.submit(page, { name: '', email: CAROL.email }, '/delegate')
    expect([nameless.status, nameless.html.includes(CAROL.email)]).toEqual([422, true])
    const refused = await visitor.submit(page, BOB, '/delegate')
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toContain('already asked to sign this document')
    expect(refused.html).toContain(BOB.email)
  })

  test('is not offered, and not done, where the sender forbids it', async () => {
    const id = await sentDocument(t, { allowDelegation: false })
    expect((await t.api('GET', `/documents/${id}`)).body.allowDelegation).toBe(false)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    expect(page.html).not.toContain('/delegate')
    const csrf = csrfOf(page)
    expect((await visitor.post(`${page.url}/delegate`, { csrf, ...CAROL })).status).toBe(403)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].email).toBe(ADA.email)
  })
})

const coded = { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] }

test('an access code wrong has to wait, longer each time; wrong five times locks the link and informs the sender; a reminder unlocks it', async () => {
  await createAdmin(t.app, { name: 'Olga', email: 'olga@example.com', password: 'correct horse battery staple' })
  const owner = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const id = await sentDocument(t, coded)
  await t.app.write(tx => tx.updateTable('documents').set({ owner_id: owner.id }).where('id', '=', id).execute(), {
    wake: false,
  })
  const visitor = openVisitor(t.fetch)
  const landing = await visitor.get(linkTo(t, ADA.email))
  const enter = (accessCode: string) => visitor.submit(landing, { accessCode })
  expect((await enter('wrong')).status).toBe(422)
  for (const waitS of [5, 30, 300]) {
    expect((await enter('wrong')).status).toBe(422)
    const early = await enter('blue-horse')
    expect([early.status, textOf(early).includes(`${waitS} seconds`)]).toEqual([429, true])
    t.clock.pass({ seconds: waitS })
  }
  expect(textOf(await enter('wrong'))).toContain('too many times')
  expect((await enter('blue-horse')).status).toBe(403)
  const locked = await openVisitor(t.fetch).get(landing.url)
  expect([locked.status, textOf(locked).includes('too many times')]).toEqual([200, true])
  const pressed = await visitor.submit(landing)
  expect([pressed.status, textOf(pressed).includes('Please enter the access code')]).toEqual([403, false])
  await t.drain()
  expect(t.mails.find(m => m.to.address === 'olga@example.com')?.subject).toContain('wrong codes')
  t.clock.pass({ hours: 2 })
  expect((await t.api('POST', `/documents/${id}/remind`)).status).toBe(200)
  expect((await enter('blue-horse')).status).toBe(200)
  const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
  const kinds = events.map((e: { type: string }) => e.type)
  expect(kinds.filter((kind: string) => kind === 'recipient.access_code_failed')).toHaveLength(5)
  expect(kinds.filter((kind: string) => kind === 'recipient.access_code_locked')).toHaveLength(1)
})

test('many tries at an access code at the same moment count one by one: no more are checked than in a row, and the right one among the rest gets no further', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
  const visitor = openVisitor(t.fetch)
  const landing = await visitor.get(linkTo(t, ADA.email))
  const codes = [...Array.from({ length: 19 }, (_, i) => `wrong-${i}`), 'blue-horse']
  const answers = await Promise.all(codes.map(accessCode => visitor.submit(landing, { accessCode })))
  expect(answers.map(({ status }) => status).sort()).toEqual([422, 422, ...Array(18).fill(429)])
  const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
  expect(events.filter((e: { type: string }) => e.type.startsWith('recipient.access_code_'))).toHaveLength(2)
})

describe('the language', () => {
  test('is the recipient’s, then the document’s, then the browser’s; mail, page, refusal and record agree', async () => {
    const recipients = [{ ...ADA, locale: 'de-AT', fields: [SIGNATURE] }, BOB_SIGNS]
    const id = await sentDocument(t, { recipients })
    const letter = t.mails.find(m => m.to.address === ADA.email)
    expect(letter?.html).toContain('<html lang="de"')
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    expect(landing.html).toContain('<html lang="de"')
    const page = await visitor.submit(landing)
    const refused = await visitor.submit(page, { signature: '' }, '/finish')
    expect(refused.status).toBe(422)
    expect(textOf(refused)).not.toContain('Please')
    const done = await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')
    expect(done.html).toContain('<html lang="de"')
    const [signed] = await eventsOf(t, id, 'recipient.signed')
    expect(signed.data.language).toBe('de')
    expect(signed.data.intent).not.toContain('By pressing')

    const bob = await t.fetch(linkTo(t, BOB.email), { headers: { 'accept-language': 'xx, ar;q=0.9, fr;q=0.8' } })
    expect(await bob.text()).toContain('<html lang="ar" dir="rtl"')
    const dead = await t.fetch('/s/nothing', { headers: { 'accept-language': 'fr' } })
    expect([dead.status, (await dead.text()).includes('<html lang="fr"')]).toEqual([404, true])
  })

  test('the document’s counts where the recipient has none', async () => {
    await sentDocument(t, { ...(await newDocument()), locale: 'pl' })
    expect((await openVisitor(t.fetch).get(linkTo(t, ADA.email))).html).toContain('<html lang="pl"')
  })
})

/** The person at this address hands over to the next one. */
async function handOver(from: string, to: string) {
  await t.drain()
  const { visitor, page } = await openLinkAs(t, from)
  return visitor.submit(page, { name: 'Next Person', email: to }, '/delegate')
}

const address = (n: number) => `next${n}@example.com`

test('after three of one recipient in a day the next is refused with a sentence, and mails nobody; a day later it goes', async () => {
  const id = await sentDocument(t, ONE)
  let from = ADA.email
  for (let i = 0; i < MAX_HAND_OVERS_OF_RECIPIENT; i++) {
    t.clock.pass({ hours: 1 })
    expect((await handOver(from, address(i))).status).toBe(200)
    from = address(i)
  }
  const mails = t.mails.length
  const refused = await handOver(from, address(9))
  expect([refused.status, textOf(refused).includes('handed over too often today')]).toEqual([429, true])
  expect(refused.html).toContain(address(9))
  await t.drain()
  expect(t.mails.length - mails).toBe(1)
  expect((await find(t.app.db, id))?.recipients[0]?.email).toBe(from)
  t.clock.pass({ hours: 22, minutes: 1 })
  expect((await handOver(from, address(9))).status).toBe(200)
})

const NOW = new Date('2026-11-23T12:00:00Z')
const people = (n: number) => ({ recipients: Array.from({ length: n }, () => ({ role: 'signer' as const })) as never[] })

const handed = (n: number, recipientId: (i: number) => string, hoursAgo = 1) =>
  Array.from({ length: n }, (_, i) => ({
    recipientId: recipientId(i),
    at: new Date(NOW.getTime() - hoursAgo * 3_600_000).toISOString(),
  }))

const waitOf = (document: ReturnType<typeof people>, earlier: ReturnType<typeof handed>) => {
  try {
    requireFewHandOvers(document, 'rcp_me', earlier, NOW)
    return 0
  } catch (error) {
    return (error as { retryAfterS?: number }).retryAfterS
  }
}

test('those of a document are limited together, to as many as have to act where that is more', () => {
  const others = (i: number) => `rcp_${i}`
  expect(waitOf(people(8), handed(MAX_HAND_OVERS_OF_DOCUMENT - 1, others))).toBe(0)
  expect(waitOf(people(8), handed(MAX_HAND_OVERS_OF_DOCUMENT, others))).toBe(23 * 3600)
  expect(waitOf(people(60), handed(59, others))).toBe(0)
  expect(waitOf(people(60), handed(60, others))).toBe(23 * 3600)
})

test('hand-overs that a wrong clock dated into the future lock nobody out', () => {
  expect(
    waitOf(
      people(2),
      handed(MAX_HAND_OVERS_OF_RECIPIENT, () => 'rcp_me', -24 * 365),
    ),
  ).toBe(0)
  expect(
    waitOf(
      people(2),
      handed(MAX_HAND_OVERS_OF_RECIPIENT, () => 'rcp_me', 25),
    ),
  ).toBe(0)
})
