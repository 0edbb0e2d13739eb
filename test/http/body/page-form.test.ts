/** The form of a page: what is checked before it is split, and how many members it may have. */
import { expect, spyOn, test } from 'bun:test'
import { cookieOf, csrfOf, openVisitor, textOf } from '../../support/browser-less.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const MAX_MEMBERS = 5_000
const members = (count: number) => Array.from({ length: count }, (_, i) => `m${i}=1`).join('&')

async function signInForm() {
  const visitor = openVisitor(t.fetch)
  const page = await visitor.get('/sign-in')
  const csrf = csrfOf(page)
  const cookie = cookieOf(visitor)
  const post = (body: string) =>
    t.fetch('/sign-in', {
      method: 'POST',
      headers: { origin: ORIGIN, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  return { csrf, post }
}

test('a form without the token of the visitor is not split', async () => {
  const { csrf, post } = await signInForm()
  const entries = spyOn(Object, 'fromEntries')
  try {
    const lengths = () => entries.mock.results.map(({ value }) => Object.keys(value ?? {}).length)
    for (const body of [members(4_000), `csrf=x&${members(4_000)}`, `csrf=${csrf}&${members(4_000)}&csrf=x`]) {
      expect((await post(body)).status).toBe(403)
    }
    expect(Math.max(0, ...lengths())).toBeLessThan(4_000)
    await post(`${members(4_000)}&csrf=${csrf}`)
    expect(Math.max(...lengths())).toBe(4_001)
  } finally {
    entries.mockRestore()
  }
})

test('a form has at most five thousand members', async () => {
  const { csrf, post } = await signInForm()
  const most = await post(`csrf=${csrf}&${members(MAX_MEMBERS - 1)}`)
  expect(most.status).toBe(401)
  const more = await post(`csrf=${csrf}&${members(MAX_MEMBERS)}`)
  const shown = textOf({ status: more.status, html: await more.text(), url: '', headers: more.headers })
  expect([more.status, shown]).toEqual([422, expect.stringContaining('The form has too many fields: please send it again.')])
})

test('the token counts wherever it is in the form', async () => {
  const { csrf, post } = await signInForm()
  for (const body of [`csrf=${csrf}&email=a&password=b`, `email=a&csrf=${csrf}&password=b`, `email=a&password=b&csrf=${csrf}`]) {
    expect((await post(body)).status).toBe(401)
  }
})
