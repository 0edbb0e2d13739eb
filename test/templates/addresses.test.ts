/** No page of a document opens a template, and no page of a template a document. */
import { expect, test } from 'bun:test'
import { openSession } from '../../src/accounts/people.ts'
import { PAGES } from '../../src/http/page-routes.ts'
import { keyedToken } from '../../src/lib/token.ts'
import { addPerson } from '../support/accounts.ts'
import { dumpOf } from '../support/dump.ts'
import { newDocument } from '../support/sample.ts'
import { ORIGIN } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'
import { createdTemplate } from './scene.ts'

const t = useTestApp()

const VISITOR = 'v'.repeat(43)

test('an administrator gets 404 with the id of the other kind, and nothing changes', async () => {
  const template = await createdTemplate(t)
  const { body: document } = await t.api('POST', '/documents', await newDocument())
  const ada = await addPerson(t, 'Ada', 'admin')
  const { token } = await openSession(t.app, ada, ['password'], { ip: undefined, userAgent: undefined })
  const headers = { cookie: `signet_session=${token}; signet_visit=${VISITOR}`, origin: ORIGIN }
  const values = { csrf: keyedToken(t.app.linkKey, 'csrf', VISITOR), confirmed: 'yes', reason: 'x', title: 'x' }
  const before = await dumpOf(t)
  const others: string[] = []
  let visited = 0
  for (const [start, id] of Object.entries({ '/documents/:id': template, '/templates/:id': document.id }))
    for (const { method, path, upload } of PAGES.filter(page => `${page.path}/`.startsWith(`${start}/`))) {
      const form = upload ? new FormData() : new URLSearchParams()
      for (const [name, value] of Object.entries(values)) form.set(name, value)
      const address = path.replace(':id', id).replace(/:\w+/g, '1')
      const { status } = await t.fetch(address, { method, headers, ...(method === 'POST' ? { body: form } : {}) })
      visited++
      if (status !== 404) others.push(`${method} ${path} ${status}`)
    }
  // The body is no JSON.
  expect(others).toEqual(['POST /documents/:id/draft 400', 'POST /templates/:id/draft 400'])
  expect(visited).toBeGreaterThan(40)
  expect(await dumpOf(t)).toBe(before)
})
