/** The web app by forms alone: set-up, sign-in, API tokens, documents, e-mails, sign-out. */
import { describe, expect, test } from 'bun:test'
import { createAdmin, issueSetupToken } from '../../src/accounts/people.ts'
import { diskRefusal } from '../../src/core/refusal.ts'
import { describeSealCertificate } from '../../src/settings/seal-certificate.ts'
import { csrfOf, formsOf, openVisitor, type Page, textOf } from '../support/browser-less.ts'
import { ADA, BOB, ONE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useAdministrator, useTestApp } from '../support/use-app.ts'
import { GRACE, newAdministrator } from '../support/visitors.ts'

const t = useTestApp()

describe('set-up', () => {
  const values = { organisation: 'Acme Ltd', timeZone: 'Europe/Berlin', ...GRACE }

  test('by its one-time link makes the first administrator, names the organisation and leads to the documents; the sign-in offers it only before', async () => {
    const hint = 'Setting up Signet for the first time?'
    expect(textOf(await openVisitor(t.fetch).get('/sign-in'))).toContain(hint)
    const token = await issueSetupToken(t.app)
    const visitor = openVisitor(t.fetch)
    const documents = await visitor.submit(await visitor.get(`/setup/${token}`), values)
    expect(documents.url).toBe('/documents')
    expect(textOf(await openVisitor(t.fetch).get('/sign-in'))).not.toContain(hint)
    const tokens = await visitor.get('/settings/tokens')
    const made = await visitor.submit(tokens, { name: 'HR system', access: 'everything' }, '/settings/tokens')
    const key = /esk_test_[0-9A-Za-z]{38}/.exec(made.html)?.[0] ?? ''
    expect((await t.fetch('/api/v1/me', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    expect((await visitor.get('/settings/tokens')).html).not.toContain(key)
    const again = await openVisitor(t.fetch).get(`/setup/${token}`)
    expect(again.status).toBe(404)
    expect(await issueSetupToken(t.app)).toBeUndefined()
  })

  test('tells what is wrong and keeps what was entered', async () => {
    const token = await issueSetupToken(t.app)
    const visitor = openVisitor(t.fetch)
    const page = await visitor.submit(await visitor.get(`/setup/${token}`), { ...values, password: 'short' })
    expect(page.status).toBe(422)
    expect(textOf(page)).toContain('at least 12 characters')
    expect(page.html).toContain('value="Acme Ltd"')
    expect(page.html).not.toContain('value="short"')
  })

  test('names that could not be printed on the audit certificate are refused before anything is stored', async () => {
    const token = await issueSetupToken(t.app)
    const visitor = openVisitor(t.fetch)
    for (const invalid of [{ organisation: 'Acme \u{1f600}' }, { name: 'Grace \u{1f600}' }]) {
      const page = await visitor.submit(await visitor.get(`/setup/${token}`), { ...values, ...invalid })
      expect([page.status, textOf(page).includes('cannot be printed')]).toEqual([422, true])
    }
    for (const invalid of [{ organisation: 'Acme\nLtd' }, { name: 'Grace\nHopper' }]) {
      const page = await visitor.submit(await visitor.get(`/setup/${token}`), { ...values, ...invalid })
      expect([page.status, textOf(page).includes('must be one line')]).toEqual([422, true])
    }
    expect(await t.app.db.selectFrom('settings').selectAll().execute()).toEqual([])
    expect(await issueSetupToken(t.app)).toBeDefined()
  })

  test('gives the seal the organisation’s name', async () => {
    const visitor = openVisitor(t.fetch)
    await visitor.submit(await visitor.get(`/setup/${await issueSetupToken(t.app)}`), values)
    expect((await describeSealCertificate(t.app.db)).subject).toContain('O=Acme Ltd')
  })
})

describe('sign-in', () => {
  test('gives the same answer for a wrong password and an unknown person, and grows slow', async () => {
    await createAdmin(t.app, GRACE)
    const visitor = openVisitor(t.fetch)
    const attempt = async (email: string, password: string) => {
      const page = await visitor.submit(await visitor.get('/sign-in'), { email, password })
      return { status: page.status, text: textOf(page) }
    }
    const [wrong, unknown] = [
      await attempt(GRACE.email, 'not this one at all'),
      await attempt('nobody@example.com', 'not this one at all'),
    ]
    expect(wrong).toEqual(unknown)
    expect(wrong.status).toBe(401)
    for (let i = 0; i < 4; i++) await attempt(GRACE.email, 'not this one at all')
    expect((await attempt(GRACE.email, GRACE.password)).status).toBe(429)
    t.clock.pass({ seconds: 3 })
    expect((await attempt(GRACE.email, GRACE.password)).text).toContain('Documents')
  })

  test('ends by signing out, also for a copy of its cookie', async () => {
    const visitor = await newAdministrator(t)
    const session = new Map(visitor.cookies)
    expect((await visitor.submit(await visitor.get('/documents'), {}, '/sign-out')).url).toBe('/sign-in')
    for (const [name, value] of session) visitor.cookies.set(name, value)
    expect((await visitor.get('/documents')).url).toStartWith('/sign-in')
  })

  test('never leads to another site', async () => {
    await createAdmin(t.app, GRACE)
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const visitor = openVisitor(t.fetch)
      const page = await visitor.get('/sign-in')
      const values = { email: GRACE.email, password: GRACE.password, csrf: csrfOf(page) }
      const after = await visitor.post(`/sign-in?next=${encodeURIComponent(next)}`, values)
      expect(after.url).toBe('/documents')
    }
  })
})

const revokeLink = (page: Page) => /href="(\/settings\/tokens\/[^"/]+\/revoke)"/.exec(page.html)?.[1] ?? ''

test('API tokens are revoked at once, by nobody’s single click: the list leads to a page that asks, and offers to keep it', async () => {
  const visitor = await newAdministrator(t)
  const tokens = await visitor.get('/settings/tokens')
  const made = await visitor.submit(tokens, { name: 'Shop', access: 'documents' }, '/settings/tokens')
  const key = /esk_test_[0-9A-Za-z]{38}/.exec(made.html)?.[0] ?? ''
  const ask = () => t.fetch('/api/v1/documents', { headers: { authorization: `Bearer ${key}` } })
  expect(formsOf(made.html).map(({ action }) => action)).not.toContainEqual(expect.stringContaining('revoke'))
  t.clock.pass({ minutes: 16 })
  const asked = await visitor.get(revokeLink(made))
  expect(textOf(asked)).toContain('Revoke the API token “Shop”?')
  expect(textOf(asked)).toContain('This cannot be undone')
  expect(asked.html).toMatch(/<a href="\/settings\/tokens">Cancel<\/a>/)
  for (const password of ['', 'no']) {
    const wrong = await visitor.submit(asked, { password })
    expect([wrong.status, textOf(wrong).includes('Revoke the API token “Shop”?')]).toEqual([422, true])
  }
  expect((await ask()).status).toBe(200)
  const revoked = await visitor.submit(asked, { password: GRACE.password })
  expect([revoked.url, (await ask()).status]).toEqual(['/settings/tokens?notice=revoked', 401])
  expect((await visitor.get(asked.url)).status).toBe(404)
})

describe('the form for an API token', () => {
  const visitor = useAdministrator(t)

  const ENTERED = { name: 'Shop "2"', access: 'chosen', 'scope:documents:read': 'on', expiry: '30', expiresOn: '' }
  const tokensPath = '/settings/tokens'
  const keys = () => t.app.db.selectFrom('api_keys').select(['name', 'scopes']).execute()
  const formIn = (page: Page) => formsOf(page.html).find(f => f.action === tokensPath)?.values ?? {}

  test('comes back with what was entered when the password is asked again, and never with the password', async () => {
    expect(formIn(await visitor.get(tokensPath))).not.toHaveProperty('password')
    t.clock.pass({ minutes: 16 })
    const asked = await visitor.submit(await visitor.get(tokensPath), ENTERED, tokensPath)
    expect([asked.status, asked.url]).toEqual([422, tokensPath])
    expect(textOf(asked)).toContain('Your password must be entered again')
    const wrong = await visitor.submit(asked, { password: 'not this one' }, tokensPath)
    expect([wrong.status, textOf(wrong).includes('Your password is not right')]).toEqual([422, true])
    for (const page of [asked, wrong]) {
      expect(formIn(page)).toEqual({ csrf: expect.any(String), ...ENTERED, password: '' })
      expect(page.html).not.toContain('not this one')
    }
    expect(await keys()).toEqual([])
    const made = await visitor.submit(wrong, { password: GRACE.password }, tokensPath)
    expect(textOf(made)).toContain('was created')
    expect(made.html).not.toContain(GRACE.password)
    expect(formIn(made)).toEqual({ csrf: expect.any(String), name: '', expiry: '365', expiresOn: '' })
    expect(await keys()).toEqual([{ name: 'Shop "2"', scopes: '["documents:read"]' }])
  })

  test('comes back with what was entered when an input is wrong, the right password not asked twice', async () => {
    t.clock.pass({ minutes: 16 })
    const entered = { ...ENTERED, expiry: 'date', expiresOn: '2026-02-30' }
    const page = await visitor.submit(await visitor.get(tokensPath), { ...entered, password: GRACE.password }, tokensPath)
    expect(page.status).toBe(422)
    expect(textOf(page)).toContain('Last day must be a day from today on')
    expect(formIn(page)).toEqual({ csrf: expect.any(String), ...entered })
    expect(page.html).not.toContain(GRACE.password)
    expect(await keys()).toEqual([])
    expect(textOf(await visitor.submit(page, { expiresOn: '2026-12-31' }, tokensPath))).toContain('was created')
  })

  test('and everything on its page calls the thing an API token', async () => {
    const made = await visitor.submit(await visitor.get(tokensPath), { name: 'Shop', access: 'documents' }, tokensPath)
    t.clock.pass({ minutes: 16 })
    const revoking = await visitor.get(revokeLink(made))
    for (const page of [await visitor.get(tokensPath), made, revoking]) {
      expect(textOf(page)).toContain('API token')
      expect(textOf({ ...page, html: page.html.split('<main')[1] ?? '' })).not.toMatch(/\bkeys?\b/i)
    }
  })
})

describe('a session in use', () => {
  const visitor = useAdministrator(t)

  const lastSeen = async () => (await t.app.db.selectFrom('sessions').select('last_seen_at').executeTakeFirst())?.last_seen_at

  test('reads on while the disk is full, with a warning in the log, and its rest counts from its last page', async () => {
    const before = await lastSeen()
    t.app.write = async () => {
      throw diskRefusal()
    }
    for (let i = 0; i < 4; i++) {
      t.clock.pass({ minutes: 20 })
      expect([(await visitor.get('/documents')).status, (await visitor.get('/documents')).url]).toEqual([200, '/documents'])
    }
    expect(await lastSeen()).toBe(before as string)
    expect(t.logged.filter(l => l.level === 'warn' && l.what === 'session use not stored')).toHaveLength(4)
    t.clock.pass({ hours: 8, minutes: 1 })
    expect((await visitor.get('/documents')).url).toStartWith('/sign-in')
  })

  test('fails by any other failure than the disk’s', async () => {
    t.clock.pass({ minutes: 2 })
    t.app.write = async () => {
      throw new Error('not of the disk')
    }
    expect((await visitor.get('/documents')).status).toBe(500)
  })
})

describe('documents', () => {
  const visitor = useAdministrator(t)

  test('say of an approver that they approved, of a signer that they signed', async () => {
    const id = await sentDocument(t, { recipients: [...ONE.recipients, { ...BOB, role: 'approver' }] })
    await signAs(t, ADA.email, 'Ada')
    await signAs(t, BOB.email, 'Bob')
    const events = (await visitor.get(`/documents/${id}`)).html.split('id="record"')[1] ?? ''
    const rows = [...events.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) => row.replace(/<[^>]+>/g, ' '))
    const about = (word: RegExp) => rows.filter(row => word.test(row))
    expect(about(/\bSigned\b/)).toEqual([expect.stringContaining(ADA.name)])
    expect(about(/\bApproved\b/)).toEqual([expect.stringContaining(BOB.name)])
  })

  test('show what the mail server answered, and are deleted by a form once they have ended', async () => {
    const id = await sentDocument(t)
    const page = await visitor.get(`/documents/${id}`)
    expect(textOf(page)).toContain(`E-mail accepted by the mail server (${ADA.name}, 250 2.0.0 Ok: queued as TEST)`)
    expect(page.html).not.toContain('/s/')
    const voided = await visitor.submit(page, { reason: 'wrong file' }, '/void')
    expect((await visitor.submit(voided, {}, '/delete')).url).toBe('/documents?notice=deleted')
    expect((await visitor.get(`/documents/${id}`)).status).toBe(404)
  })
})
