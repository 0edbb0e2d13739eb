/** One-time codes, and new tries after too many wrong codes. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { PAGES } from '../../../src/http/page-routes.ts'
import { cookieOf, csrfOf, openVisitor, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { dumpOf } from '../../support/dump.ts'
import { type HttpSink, openHttpSink } from '../../support/http-sink.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { eventsOf, linkTo, sentDocument } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()

const CAROL = { name: 'Carol King', email: 'carol@example.com' }
const verified = { recipients: [{ ...ADA, verify: 'email_code', fields: [SIGNATURE] }] }

interface Asked {
  visitor: Visitor
  gate: Page
}

/** Opens the link, and asks for a code. */
async function ask(visitor = openVisitor(t.fetch), email = ADA.email): Promise<Asked> {
  const gate = await visitor.submit(await visitor.get(linkTo(t, email)), {}, '/code')
  await t.drain()
  return { visitor, gate }
}

const codeTo = (email: string) =>
  (/(\d{3})\s(\d{3})/.exec(t.mails.findLast(m => m.to.address === email)?.text ?? '') ?? []).slice(1).join('')

const enter = ({ visitor, gate }: Asked, code: string) => visitor.submit(gate, { code })
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const isOpen = ({ html }: Page) => html.includes('/finish')

describe('the link alone', () => {
  test('shows neither title nor names, and no route below it gives anything', async () => {
    await sentDocument(t, { ...verified, title: 'Merger of Fox and Hound', message: 'Dear Ada' })
    const visitor = openVisitor(t.fetch)
    const link = linkTo(t, ADA.email)
    const gate = await visitor.get(link)
    expect(gate.status).toBe(200)
    const { gate: asked } = await ask(visitor)
    for (const page of [gate, asked]) {
      expect(page.html).not.toMatch(/Merger|Ada|Lovelace|ada@/)
      expect(isOpen(page)).toBe(false)
    }
    expect(textOf(asked)).toContain('a***@example.com')
    // No mail server is set: nothing was sent.
    for (const page of [gate, asked]) {
      expect(textOf(page)).toContain('This service sends no e-mails. The sender can read the code for a***@example.com')
      expect(textOf(page)).not.toMatch(/We have sent|We send|spam folder/)
    }
    const id = link.slice(3).split('.')[0] ?? ''
    for (const { method, path } of PAGES.filter(p => p.access === 'link')) {
      if (!path.startsWith('/sign/')) continue
      const at = path.replace(':recipient', `rcp_${id}`).replace(/:\w+/g, 'x')
      const page = method === 'GET' ? await visitor.get(at) : await visitor.post(at, {})
      expect([path, page.status >= 400]).toEqual([path, true])
      expect(page.html).not.toMatch(/Merger|Lovelace/)
    }
    expect((await visitor.post(link, { csrf: csrfOf(asked), accessCode: 'blue-horse' })).status).toBe(422)
  })

  test('causes no mail when it is followed, however often', async () => {
    const id = await sentDocument(t, verified)
    const before = await dumpOf(t)
    for (let i = 0; i < 3; i++) await openVisitor(t.fetch).get(linkTo(t, ADA.email))
    expect((await openVisitor(t.fetch).get(`${linkTo(t, ADA.email)}/code`)).status).toBe(405)
    await t.drain()
    expect(await dumpOf(t)).toEqual(before)
    expect((await eventsOf(t, id)).map(e => e.type)).not.toContain('document.viewed')
  })
})

describe('a code', () => {
  test('opens the document once per browser, is in the record by its time, and nowhere in clear', async () => {
    const id = await sentDocument(t, verified)
    const asked = await ask()
    const code = codeTo(ADA.email)
    expect(code).toMatch(/^\d{6}$/)
    expect(t.mails.at(-1)?.subject).not.toContain(code)
    expect(JSON.stringify(await dumpOf(t))).not.toContain(code)
    expect(JSON.stringify(await eventsOf(t, id))).not.toContain(code)
    const page = await enter(asked, code)
    expect(isOpen(page)).toBe(true)
    // The same browser is not asked again.
    const again = await asked.visitor.get(linkTo(t, ADA.email))
    expect(isOpen(await asked.visitor.submit(again))).toBe(true)
    const events = await eventsOf(t, id)
    expect(events.map(e => e.type).slice(-3)).toEqual(['recipient.code_sent', 'recipient.identified', 'document.viewed'])
    expect(events.find(e => e.type === 'recipient.identified')?.data).toMatchObject({ method: 'email_code' })
    // The sealed file too is only for a browser that proved it.
    await asked.visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    const other = openVisitor(t.fetch)
    expect(textOf(await other.get(linkTo(t, ADA.email)))).toContain('Confirm that it is you')
    expect((await other.get(`${page.url}/file`)).status).toBe(404)
    expect((await asked.visitor.get(`${page.url}/file`)).status).toBe(200)
  })

  test('opens also if the answer of asking for it was lost, as by a button that was pressed twice', async () => {
    await sentDocument(t, verified)
    const visitor = openVisitor(t.fetch)
    const link = linkTo(t, ADA.email)
    const gate = await visitor.get(link)
    const cookie = cookieOf(visitor)
    const body = new URLSearchParams({ csrf: csrfOf(gate) })
    await t.fetch(`${link}/code`, { method: 'POST', headers: { cookie, origin: ORIGIN }, body })
    await t.drain()
    expect((await visitor.submit(gate, {}, '/code')).status).toBe(429)
    expect(isOpen(await visitor.submit(await visitor.get(link), { code: codeTo(ADA.email) }))).toBe(true)
  })

  test.each([
    ['with blanks and a hyphen', (code: string) => ` ${code.slice(0, 3)} - ${code.slice(3)} `],
    ['in Arabic-Indic digits', (code: string) => code.replace(/\d/g, d => String.fromCharCode(0x660 + Number(d)))],
    ['in Persian digits', (code: string) => code.replace(/\d/g, d => String.fromCharCode(0x6f0 + Number(d)))],
    ['in full-width digits', (code: string) => code.replace(/\d/g, d => String.fromCharCode(0xff10 + Number(d)))],
  ])('is accepted %s', async (_, written) => {
    await sentDocument(t, verified)
    const asked = await ask()
    expect(isOpen(await enter(asked, written(codeTo(ADA.email))))).toBe(true)
  })

  test('has expired after 10 minutes, also if the clock is set back', async () => {
    await sentDocument(t, verified)
    const asked = await ask()
    const code = codeTo(ADA.email)
    t.clock.pass({ minutes: 10 })
    expect(textOf(await enter(asked, code))).toContain('expired')
    t.clock.pass({ minutes: -21 })
    const early = await enter(asked, code)
    expect([isOpen(early), textOf(early).includes('expired')]).toEqual([false, true])
  })

  test('is dead after five wrong tries, even for the right one; what cannot be a code is no try', async () => {
    const id = await sentDocument(t, verified)
    const asked = await ask()
    const code = codeTo(ADA.email)
    for (const text of ['', '12345', 'blue-horse', `1${'\u0301\u0316'.repeat(80_000)}`])
      expect((await enter(asked, text)).status).toBe(422)
    for (let i = 0; i < 5; i++) expect((await enter(asked, otherThan(code))).status).toBe(422)
    expect(textOf(await enter(asked, code))).toContain('no longer valid')
    expect(await eventsOf(t, id, 'recipient.code_failed')).toHaveLength(5)
    t.clock.pass({ seconds: 61 })
    await ask(asked.visitor)
    expect(isOpen(await enter(asked, codeTo(ADA.email)))).toBe(true)
  })

  test('works only where it was asked for, once, and only the newest', async () => {
    await sentDocument(t, verified)
    const asked = await ask()
    const first = codeTo(ADA.email)
    const thief = openVisitor(t.fetch)
    t.clock.pass({ seconds: 61 })
    const csrf = csrfOf(await thief.get(linkTo(t, ADA.email)))
    const stolen = await thief.post(linkTo(t, ADA.email), { csrf, code: first })
    expect([isOpen(stolen), textOf(stolen).includes('asked for in this browser')]).toEqual([false, true])
    await ask(asked.visitor)
    const second = codeTo(ADA.email)
    if (first !== second) expect(isOpen(await enter(asked, first))).toBe(false)
    const cookies = asked.visitor.cookies
    const browser = new Map([...cookies].filter(([name]) => name.includes('code')))
    expect(isOpen(await enter(asked, second))).toBe(true)
    // Replayed with the cookie of the browser, without its session.
    for (const name of [...cookies.keys()]) if (name.includes('link')) cookies.delete(name)
    expect(browser.size).toBe(1)
    const replayed = await asked.visitor.post(linkTo(t, ADA.email), { csrf: csrfOf(asked.gate), code: second })
    expect(textOf(replayed)).toContain('used before')
  })

  test('of one recipient opens nothing for another', async () => {
    const recipients = [
      { ...ADA, verify: 'email_code', fields: [SIGNATURE] },
      { ...BOB, verify: 'email_code', fields: [{ ...SIGNATURE, x: 55 }] },
    ]
    await sentDocument(t, { recipients })
    const ada = await ask()
    const bob = await ask(openVisitor(t.fetch), BOB.email)
    const code = codeTo(ADA.email)
    if (code !== codeTo(BOB.email)) expect(isOpen(await enter(bob, code))).toBe(false)
    expect(isOpen(await enter(ada, code))).toBe(true)
  })
})

describe('an e-mail with a code that is late', () => {
  const later = { outcome: 'refused', permanent: false, reply: '451 try later' } as const
  const mailsWith = (code: string) => t.mails.filter(m => m.text.replace(/\s/g, '').includes(code)).map(m => m.to.address)

  test('is not sent after a newer code', async () => {
    await sentDocument(t, verified)
    t.mailVerdicts.push(later)
    const { visitor } = await ask()
    t.clock.pass({ seconds: 61 })
    await ask(visitor)
    const code = codeTo(ADA.email)
    t.clock.pass({ minutes: 5 })
    await t.drain()
    expect(mailsWith(code)).toEqual([ADA.email])
  })

  test.each([1, -30])('carries no code of the person who came after, %d seconds later', async seconds => {
    const id = await sentDocument(t, verified)
    const [ada] = (await t.api('GET', `/documents/${id}`)).body.recipients
    t.mailVerdicts.push(later)
    await ask()
    t.clock.pass({ seconds })
    expect((await t.api('PATCH', `/documents/${id}/recipients/${ada.id}`, CAROL)).status).toBe(200)
    await t.drain()
    await ask(openVisitor(t.fetch), CAROL.email)
    const code = codeTo(CAROL.email)
    t.clock.pass({ minutes: 5 })
    await t.drain()
    expect(mailsWith(code)).toEqual([CAROL.email])
  })
})

describe('guessing', () => {
  test('many tries at the same moment count one by one', async () => {
    const id = await sentDocument(t, verified)
    const asked = await ask()
    const code = codeTo(ADA.email)
    const codes = [...Array(19).fill(otherThan(code)), code]
    const answers = await Promise.all(codes.map(each => enter(asked, each)))
    expect(answers.filter(isOpen)).toHaveLength(0)
    expect(await eventsOf(t, id, 'recipient.code_failed')).toHaveLength(5)
  })

  test('of two who enter the right code at the same moment, one is let in', async () => {
    const id = await sentDocument(t, verified)
    const asked = await ask()
    const code = codeTo(ADA.email)
    await Promise.all([enter(asked, code), enter(asked, code)])
    expect(await eventsOf(t, id, 'recipient.identified')).toHaveLength(1)
  })

  test('new codes are limited to one a minute and five an hour, in all browsers together', async () => {
    await sentDocument(t, verified)
    for (let i = 0; i < 5; i++) {
      const asked = await ask()
      expect(asked.gate.status).toBe(200)
      const hasty = await asked.visitor.post(`${linkTo(t, ADA.email)}/code`, { csrf: csrfOf(asked.gate) })
      expect([hasty.status, textOf(hasty)]).toEqual([429, expect.stringMatching(/wait \d+ (seconds|minutes)/)])
      t.clock.pass({ seconds: 61 })
    }
    const late = openVisitor(t.fetch)
    const gate = await late.get(linkTo(t, ADA.email))
    expect(textOf(gate)).toMatch(/in 5\d minutes/)
    t.clock.pass({ hours: 1 })
    expect((await ask(late)).gate.status).toBe(200)
    expect(t.mails.filter(m => /\d{3}\s\d{3}/.test(m.text))).toHaveLength(6)
  })

  test('25 wrong tries at any number of codes lock the link; a reminder unlocks it', async () => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' })
    const id = await sentDocument(t, verified)
    let asked = await ask()
    for (let code = 0; code < 5; code++) {
      if (code > 0) asked = await ask()
      for (let i = 0; i < 5; i++) await enter(asked, otherThan(codeTo(ADA.email)))
      t.clock.pass({ minutes: 15 })
    }
    const locked = await openVisitor(t.fetch).get(linkTo(t, ADA.email))
    expect(textOf(locked)).toContain('too many times')
    expect(locked.html).toContain('href="#code"')
    expect(locked.html).toContain('id="code"')
    const mailed = t.mails.length
    const refused = await asked.visitor.post(`${linkTo(t, ADA.email)}/code`, { csrf: csrfOf(asked.gate) })
    expect([refused.status, textOf(refused)]).toEqual([403, expect.stringContaining('too many times')])
    expect(t.mails).toHaveLength(mailed)
    expect(await eventsOf(t, id, 'recipient.access_code_locked')).toHaveLength(1)
    await t.drain()
    const notice = t.mails.find(m => m.subject.includes('Too many wrong codes'))?.text
    expect(notice).toContain('unlock it for them on the page of the document: after that they can ask for a new code')
    expect(notice).not.toContain('access code')
    expect((await t.api('POST', `/documents/${id}/remind`)).status).toBe(200)
    await t.drain()
    const again = await ask()
    expect(isOpen(await enter(again, codeTo(ADA.email)))).toBe(true)
  })
})

test('who takes over has to enter a code of their own, and old codes are void', async () => {
  const id = await sentDocument(t, verified)
  const asked = await ask()
  const opened = await enter(asked, codeTo(ADA.email))
  expect((await asked.visitor.submit(opened, CAROL, '/delegate')).status).toBe(200)
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.recipients[0]).toMatchObject({ ...CAROL, verify: 'email_code' })
  expect((await asked.visitor.get(opened.url)).status).toBe(404)
  const carol = await ask(openVisitor(t.fetch), CAROL.email)
  expect(textOf(carol.gate)).toContain('c***@example.com')
  expect(isOpen(await enter(carol, codeTo(CAROL.email)))).toBe(true)
})

test('the API takes verify in a new document, an edit and a copy, and one way to prove at a time', async () => {
  const both = { recipients: [{ ...ADA, verify: 'email_code', accessCode: 'blue-horse', fields: [SIGNATURE] }] }
  const refused = await t.api('POST', '/documents', await newDocument(both))
  expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([422, 'recipients[0].verify'])
  const created = (await t.api('POST', '/documents', await newDocument(verified))).body
  const of = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.recipients[0]
  expect(await of(created.id)).toMatchObject({ verify: 'email_code', hasAccessCode: false })
  const edit = (members: object) =>
    t.api('PATCH', `/documents/${created.id}`, { recipients: [{ id: created.recipients[0].id, ...members }] })
  expect((await edit({ accessCode: 'blue-horse' })).status).toBe(422)
  expect((await edit({ accessCode: 'blue-horse', verify: null })).status).toBe(200)
  expect(await of(created.id)).toMatchObject({ verify: null, hasAccessCode: true })
  expect((await edit({ accessCode: null, verify: 'email_code' })).status).toBe(200)
  const copy = await t.api('POST', `/documents/${created.id}/duplicate`)
  expect(await of(copy.body.id)).toMatchObject({ verify: 'email_code' })
})

describe('a code for the sender’s own channel', () => {
  const byWebhook = { recipients: [{ ...ADA, verify: 'webhook_code', fields: [SIGNATURE] }] }
  let sink: HttpSink
  beforeEach(async () => {
    sink = await openHttpSink((request, response) => response.end(`received ${String(request.body)}`))
  })
  afterEach(() => sink.close())
  const register = async (events: string[]) => (await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events })).body
  const received = () => sink.requests.map(({ body }) => JSON.parse(String(body))).filter(e => e.type === 'recipient.code_sent')

  test('is sent only if a webhook takes it by name', async () => {
    await register(['*'])
    const created = (await t.api('POST', '/documents', await newDocument(byWebhook))).body
    const refused = await t.api('POST', `/documents/${created.id}/send`)
    expect([refused.status, refused.body.error.details?.[0]?.message]).toEqual([
      422,
      expect.stringContaining('recipient.code_sent'),
    ])
    await register(['recipient.code_sent'])
    expect((await t.api('POST', `/documents/${created.id}/send`)).status).toBe(200)
  })

  test('is in the delivery alone: not in rows, log, list of events, or what the receiver answered', async () => {
    const hook = await register(['recipient.code_sent'])
    const id = await sentDocument(t, byWebhook)
    const asked = await ask()
    expect(textOf(asked.gate)).not.toContain('@example.com')
    const [event] = received()
    const { code } = event.data.oneTimeCode
    expect(code).toMatch(/^\d{6}$/)
    expect(event.data.recipient).toMatchObject({ email: ADA.email, verify: 'webhook_code' })
    expect(t.mails.filter(m => m.text.includes(code.slice(0, 3)) && /\d{3}\s\d{3}/.test(m.text))).toHaveLength(0)
    const shown = [
      await dumpOf(t),
      await eventsOf(t, id),
      (await t.api('GET', '/events')).body,
      (await t.api('GET', `/webhooks/${hook.id}/deliveries`)).body,
    ]
    for (const each of shown) expect(JSON.stringify(each)).not.toContain(code)
    expect(isOpen(await enter(asked, code))).toBe(true)
  })

  test('does not go to a webhook for all events, and no longer after ten minutes', async () => {
    await register(['*'])
    const named = await register(['recipient.code_sent'])
    await sentDocument(t, byWebhook)
    await ask()
    expect(
      received()
        .map(e => typeof e.data.oneTimeCode.code)
        .sort(),
    ).toEqual(['object', 'string'])
    t.clock.pass({ minutes: 11 })
    const [delivery] = (await t.api('GET', `/webhooks/${named.id}/deliveries`)).body.data
    expect((await t.api('POST', `/webhooks/${named.id}/deliveries/${delivery.id}/redeliver`)).status).toBeLessThan(300)
    await t.drain()
    expect(received().at(-1).data.oneTimeCode.code).toBeNull()
  })

  test('cannot be asked for after the webhook is gone', async () => {
    const hook = await register(['recipient.code_sent'])
    await sentDocument(t, byWebhook)
    expect((await t.api('DELETE', `/webhooks/${hook.id}`)).status).toBeLessThan(300)
    const { gate } = await ask()
    expect([gate.status, textOf(gate).includes('cannot be sent')]).toEqual([409, true])
  })
})

const CODES = { [ADA.email]: 'tulip-42', [BOB.email]: 'rose-42' }

/** Enters a code in a new browser. */
async function open(email: string, accessCode = CODES[email] ?? '') {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  return { visitor, page: await visitor.submit(await visitor.get(linkTo(t, email)), { accessCode }) }
}

async function lock(email: string): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await open(email, 'wrong-code')
    t.clock.pass({ minutes: 10 })
  }
}

/** A sealed document that both open with their code. */
async function completed(): Promise<string> {
  const recipients = [
    { ...ADA, fields: [SIGNATURE], accessCode: CODES[ADA.email] },
    { ...BOB, role: 'viewer', accessCode: CODES[BOB.email] },
  ]
  const id = await sentDocument(t, { recipients })
  const { visitor, page } = await open(ADA.email)
  await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  await t.drain()
  return id
}

const recipientsOf = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.recipients
const unlock = (id: string, recipientId: string) => t.api('POST', `/documents/${id}/recipients/${recipientId}/unlock`)

test('by the API, also when the document is completed: the link stays, the event is in the audit trail, nothing is mailed', async () => {
  const id = await completed()
  for (const email of [ADA.email, BOB.email]) {
    await lock(email)
    const locked = textOf(await openVisitor(t.fetch, t.app.config.baseUrl).get(linkTo(t, email)))
    // A completed document has no reminders.
    expect(locked).toContain('ask the sender to unlock it: after that you can try again.')
    expect(locked).not.toContain('reminder')
    const mailed = t.mails.length
    const recipient = (await recipientsOf(id)).find((r: { email: string }) => r.email === email)
    expect(recipient.codeLocked).toBe(true)
    const { status, body } = await unlock(id, recipient.id)
    expect([status, body.id, body.codeLocked]).toEqual([200, recipient.id, false])
    await t.drain()
    expect(t.mails).toHaveLength(mailed)
    expect((await open(email)).page.html).toContain('Download the sealed document')
  }
  expect(await eventsOf(t, id, 'recipient.access_code_unlocked')).toHaveLength(2)
})

test('one who is not locked, not invited, or unknown is refused, and nothing is recorded', async () => {
  const recipients = [ADA, BOB].map((person, i) => ({
    ...person,
    fields: [SIGNATURE],
    accessCode: CODES[person.email],
    order: i + 1,
  }))
  const id = await sentDocument(t, { recipients, signingOrder: 'sequential' })
  for (const { id: recipientId } of await recipientsOf(id)) {
    const { status, body } = await unlock(id, recipientId)
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'invalid_state',
      'The recipient is not locked: tries are left.',
    ])
  }
  expect((await unlock(id, 'rcp_00000000000000000000000000')).status).toBe(404)
  await lock(ADA.email)
  await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  const [ada] = await recipientsOf(id)
  expect((await unlock(id, ada.id)).body.error.message).toBe(
    'The document is voided: this recipient cannot open it, with or without a code.',
  )
})

test('by the page of the document, whatever its state, once; an auditor sees the lock without the button', async () => {
  const id = await completed()
  await lock(BOB.email)
  const sender = await newAdministrator(t)
  const page = await sender.get(`/documents/${id}`)
  expect(page.html).toContain('Locked after too many wrong codes.')
  const after = await sender.submit(page, {}, '/unlock')
  expect(after.html).toContain(`${BOB.name} can enter the code again.`)
  expect(after.html).not.toContain('Locked after too many wrong codes.')
  expect((await open(BOB.email)).page.html).toContain('Download the sealed document')
})

test('the trouble on the page of an open document leads to the button', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE], accessCode: CODES[ADA.email] }] })
  await lock(ADA.email)
  const sender = await newAdministrator(t)
  const text = textOf(await sender.get(`/documents/${id}`))
  expect(text).toContain('“Unlock” beside the person then allows new tries.')
  expect(text).not.toContain('the reminder allows')
  expect(text).toContain(`Unlock ${ADA.name}`)
})
