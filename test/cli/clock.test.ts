/** `signet clock` and the page of the clock: what they show, and what an answer does. */
import { beforeEach, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { clock } from '../../src/cli/migrate.ts'
import { UsageError } from '../../src/cli/verb.ts'
import { clockDoubt } from '../../src/health/queries.ts'
import { runSchedule } from '../../src/jobs/schedule.ts'
import { openVisitor, textOf, type Visitor } from '../support/browser-less.ts'
import { onSqlite } from '../support/engine.ts'
import { useTestApp } from '../support/use-app.ts'
import { runVerb } from './run-verb.ts'

const ADMIN = { email: 'grace@example.com', name: 'Grace', password: 'four sound words here' }
const PAGE = '/settings/clock'

const t = useTestApp()
beforeEach(() => runSchedule(t.app))

const jump = (days: number) => {
  t.clock.now = new Date(t.clock.now.getTime() + days * 86_400_000)
}

async function doubted(): Promise<void> {
  jump(365)
  await runSchedule(t.app)
  expect((await clockDoubt(t.app.db))?.direction).toBe('ahead')
}

async function run(...args: string[]): Promise<string> {
  const { code, out } = await runVerb(t, clock, ...args)
  expect(code).toBe(0)
  return out
}

async function admin(): Promise<Visitor> {
  await createAdmin(t.app, ADMIN)
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  return visitor
}

onSqlite(test)('the verb shows both times, and ends the doubt', async () => {
  expect(await run()).toBe('The clock shows 2026-11-20T17:25:00.000Z.\nIt is believed.')
  await doubted()
  const shown = await run()
  expect(shown).toContain('2027-11-20T17:25:00.000Z')
  expect(shown).toContain('2026-11-20T17:25:00.000Z')
  expect(await run('--right')).toContain('It is believed.')
  expect(await clockDoubt(t.app.db)).toBeUndefined()
})

onSqlite(test)('the verb refuses two answers, and a correction that the clock does not show', async () => {
  await doubted()
  expect(run('--right', '--corrected')).rejects.toThrow(UsageError)
  expect(run('--corrected')).rejects.toMatchObject({
    violation: { code: 'clock_still_wrong', params: { time: '2027-11-20 17:25 UTC' } },
  })
  jump(-365)
  expect(await run('--corrected')).toContain('It is believed.')
})

test('every page says it, and the page of the clock takes the answer with the password', async () => {
  const visitor = await admin()
  expect(textOf(await visitor.get(PAGE))).toContain('The clock is believed')
  await doubted()
  jump(-365)
  t.clock.pass({ minutes: 20 })
  const page = await visitor.get(PAGE)
  expect(textOf(page)).toContain('20 Nov 2027, 17:25 UTC')
  expect(textOf(await visitor.get('/documents'))).toContain('but the data was last used on 2026-11-20 17:25 UTC')
  const refused = await visitor.submit(page, { answer: 'corrected' }, PAGE)
  expect([refused.status, await clockDoubt(t.app.db)]).toEqual([422, expect.anything()])
  await visitor.submit(refused, { password: ADMIN.password, answer: 'corrected' }, PAGE)
  expect(await clockDoubt(t.app.db)).toBeUndefined()
  expect(textOf(await visitor.get(PAGE))).toContain('The clock is believed')
})

test('an answer that is none is refused, and a member does not see the page', async () => {
  await doubted()
  jump(-365)
  const visitor = await admin()
  const page = await visitor.get(PAGE)
  expect((await visitor.submit(page, { answer: 'perhaps', password: ADMIN.password }, PAGE)).status).toBe(422)
  expect((await t.fetch(PAGE)).status).not.toBe(200)
})
