/** The cookie of a browser that has signed in before, and its effect on the limit of attempts. */
import { afterEach, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { openVisitor, textOf, type Visitor } from '../../support/browser-less.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { GRACE } from '../../support/visitors.ts'

let t: TestApp
afterEach(() => t.close())

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
  t = await openTestApp({ env: { SIGNET_BASE_URL: SECURE } })
  await createAdmin(t.app, GRACE)
  const { cookies } = await signInOverTls(t)
  const device = cookies.find(text => text.includes('device'))
  expect(device).toMatch(/^__Host-signet_device=[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/)
})

test('over https the session is bound to this host as well, and browsers stay with https', async () => {
  t = await openTestApp({ env: { SIGNET_BASE_URL: SECURE } })
  await createAdmin(t.app, GRACE)
  const { form, cookies } = await signInOverTls(t)
  expect(cookies.find(text => text.includes('session'))).toMatch(
    /^__Host-signet_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/,
  )
  expect(form.headers.get('strict-transport-security')).toBe('max-age=31536000')
  await t.close()
  t = await openTestApp()
  expect((await t.fetch('/sign-in')).headers.get('strict-transport-security')).toBeNull()
})

test('lets its browser sign in when others have used all attempts of the shared address', async () => {
  t = await openTestApp()
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
