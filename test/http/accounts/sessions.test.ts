/** How long a session rests, the cookie of a known browser, and the language asked at set-up. */
import { describe, expect, test } from 'bun:test'
import { createAdmin, issueSetupToken } from '../../../src/accounts/people.ts'
import { readOrganisation } from '../../../src/settings/organisation.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { configure, sentDocument } from '../../support/story.ts'
import { ORIGIN, openTestApp, type TestApp } from '../../support/test-app.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'

const t = useTestApp()

describe('the rest of a session', () => {
  const PATH = '/settings/sign-in/sessions'
  const visitor = useAdministrator(t)
  const isIn = async (visitor: Visitor) => (await visitor.get('/documents')).url === '/documents'

  test('a session rests for eight hours, and not longer', async () => {
    const [kept, ended] = [await signedIn(t), await signedIn(t)]
    t.clock.pass({ hours: 7, minutes: 59 })
    expect(await isIn(kept)).toBe(true)
    t.clock.pass({ minutes: 2 })
    expect([await isIn(kept), await isIn(ended)]).toEqual([true, false])
  })

  test('a shorter time counts at once, a longer one for sessions that begin after it', async () => {
    const page = await visitor.get(PATH)
    const saved = await visitor.submit(page, { sessionIdleMinutes: '30' }, PATH)
    expect([saved.url, textOf(saved).includes('after 30 minutes without use')]).toEqual([
      '/settings/sign-in?notice=sessions',
      true,
    ])
    expect(textOf(await visitor.get('/profile'))).toContain('after 30 minutes without use')
    const later = await signedIn(t)
    t.clock.pass({ minutes: 31 })
    expect(await isIn(visitor)).toBe(false)
    await configure(t, { sessionIdleMinutes: '720' })
    // It began with half an hour, and has ended: a longer time does not bring it back.
    expect(await isIn(later)).toBe(false)
    const longest = await signedIn(t)
    t.clock.pass({ hours: 11, minutes: 59 })
    expect(await isIn(longest)).toBe(true)
  })

  test('a session of the release before rests for half an hour, as it began', async () => {
    await t.sql('UPDATE sessions SET idle_minutes = NULL')
    t.clock.pass({ minutes: 29 })
    expect(await isIn(visitor)).toBe(true)
    t.clock.pass({ minutes: 31 })
    expect(await isIn(visitor)).toBe(false)
  })

  test.each(['4', '721', '1e3', '-30', 'long'])('%s minutes are refused', async minutes => {
    const refused = await visitor.submit(await visitor.get(PATH), { sessionIdleMinutes: minutes }, PATH)
    expect([refused.status, textOf(refused).includes('a number from 5 to 720')]).toEqual([422, true])
  })
})

const enter = async (visitor: Visitor, password = GRACE.password) =>
  visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password })

const SECURE = 'https://sign.example.com'

async function signInOverTls(t: TestApp): Promise<{ form: Response; cookies: string[] }> {
  const form = await t.fetch(`${SECURE}/sign-in`)
  const visit = /^[^;]*/.exec(form.headers.getSetCookie()[0] ?? '')?.[0] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? ''
  const cookies = await setCookies(t, `${SECURE}/sign-in`, {
    method: 'POST',
    headers: { origin: SECURE, cookie: visit, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf, email: GRACE.email, password: GRACE.password }),
  })
  return { form, cookies }
}

function setCookies(t: TestApp, path: string, init: RequestInit): Promise<string[]> {
  return t.fetch(path, init).then(response => response.headers.getSetCookie())
}

test('over https it is bound to this host, hidden from scripts, and valid for 400 days', async () => {
  await using t = await openTestApp({ env: { SIGNET_BASE_URL: SECURE } })
  await createAdmin(t.app, GRACE)
  const { cookies } = await signInOverTls(t)
  const device = cookies.find(text => text.includes('device'))
  expect(device).toMatch(/^__Host-signet_device=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/)
})

test('over https the session is bound to this host as well, and browsers stay with https', async () => {
  await using t = await openTestApp({ env: { SIGNET_BASE_URL: SECURE } })
  await createAdmin(t.app, GRACE)
  const { form, cookies } = await signInOverTls(t)
  expect(cookies.find(text => text.includes('session'))).toMatch(
    /^__Host-signet_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/,
  )
  expect(form.headers.get('strict-transport-security')).toBe('max-age=31536000')
  await using plain = await openTestApp()
  expect((await plain.fetch('/sign-in')).headers.get('strict-transport-security')).toBeNull()
})

test('lets its browser sign in when others have used all attempts of the shared address', async () => {
  await using t = await openTestApp()
  await createAdmin(t.app, GRACE)
  const known = openVisitor(t.fetch)
  await enter(known)
  known.cookies.delete('signet_session')
  expect(known.cookies.has('signet_device')).toBe(true)
  const stranger = openVisitor(t.fetch)
  const answers: number[] = []
  for (let i = 0; i < 30; i++) answers.push((await enter(stranger, `wrong ${i}`)).status)
  expect(answers.filter(status => status === 401)).toHaveLength(5)
  expect(answers.at(-1)).toBe(429)
  expect((await enter(openVisitor(t.fetch))).status).toBe(429)
  expect(textOf(await enter(known))).toContain('Documents')
})

const values = { organisation: 'Acme Ltd', timeZone: 'Europe/Berlin', ...GRACE }

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['fr-CA,fr;q=0.9', 'fr'],
  ['da,en-GB;q=0.5', 'en'],
] as const)('asks for the language of the organisation, preset from the browser: %s', async (accepted, language) => {
  const token = await issueSetupToken(t.app)
  const visitor = openVisitor(t.fetch, ORIGIN, { 'accept-language': accepted })
  const page = await visitor.get(`/setup/${token}`)
  const [, list = ''] = /<select[^>]*name="language"[^>]*>(.*?)<\/select>/s.exec(page.html) ?? []
  expect(/<option[^>]*selected[^>]*value="(\w+)"|<option[^>]*value="(\w+)"[^>]*selected/.exec(list)?.slice(1)).toContain(language)
  await visitor.submit(page, { ...values, language })
  expect((await readOrganisation(t.app.db)).language).toBe(language)
  await sentDocument(t)
  expect(t.mails[0]?.html).toContain(`<html lang="${language}"`)
})

test('takes another language than that of the browser, and refuses one there is not', async () => {
  const token = await issueSetupToken(t.app)
  const visitor = openVisitor(t.fetch)
  const refused = await visitor.submit(await visitor.get(`/setup/${token}`), { ...values, language: 'tlh' })
  expect([refused.status, textOf(refused).includes('Language of the organisation must be one of')]).toEqual([422, true])
  await visitor.submit(refused, { ...values, language: 'pl' })
  expect((await readOrganisation(t.app.db)).language).toBe('pl')
})
