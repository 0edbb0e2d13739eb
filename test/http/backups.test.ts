/** Settings → Backups and the resumption of sending, by forms alone. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { pauseSending, sendingPause } from '../../src/settings/sending-pause.ts'
import { openVisitor, textOf, type Visitor } from '../support/browser-less.ts'
import { newDocument } from '../support/sample.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const RESUME = '/settings/backups/resume'

async function admin(): Promise<Visitor> {
  await createAdmin(t.app, ADMIN)
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  return visitor
}

describe('after a restore', () => {
  test('every page says that nothing is sent, and sending is resumed after a question with the password', async () => {
    const visitor = await admin()
    const since = t.app.now()
    await t.app.write(tx => pauseSending(tx, { since, backupMadeAt: new Date(since.getTime() - 86_400_000) }))
    const { body } = await t.api('POST', '/documents', await newDocument())
    await t.api('POST', `/documents/${body.id}/send`)
    await t.drain()
    expect(textOf(await visitor.get('/documents'))).toContain('Nothing is sent: this instance was restored from a backup.')
    t.clock.pass({ minutes: 20 })
    const page = await visitor.get(RESUME)
    expect(textOf(page)).toContain('from a backup made yesterday')
    expect(textOf(page)).toContain('2 e-mails')
    const refused = await visitor.submit(page, {}, RESUME)
    expect([refused.status, await sendingPause(t.app.db)]).toEqual([422, { since, backupMadeAt: expect.any(Date) }])
    await visitor.submit(refused, { password: ADMIN.password }, RESUME)
    expect(await sendingPause(t.app.db)).toBeUndefined()
    await t.drain()
    expect(t.mails.length).toBe(2)
    expect(textOf(await visitor.get('/documents'))).not.toContain('Nothing is sent')
    expect(textOf(await visitor.get(RESUME))).toContain('Sending is not paused')
  })
})
