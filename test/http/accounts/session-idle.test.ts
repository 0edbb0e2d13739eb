/** How long a session of the web app may rest: the setting, its page, and sessions that exist. */
import { beforeEach, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { textOf, type Visitor } from '../../support/browser-less.ts'
import { configure } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'

const PATH = '/settings/sign-in/sessions'

const t = useTestApp()
beforeEach(async () => {
  await createAdmin(t.app, GRACE)
})

const isIn = async (visitor: Visitor) => (await visitor.get('/documents')).url === '/documents'
const set = (sessionIdleMinutes: string) => configure(t, { sessionIdleMinutes })

test('a session rests for eight hours, and not longer', async () => {
  const [kept, ended] = [await signedIn(t), await signedIn(t)]
  t.clock.pass({ hours: 7, minutes: 59 })
  expect(await isIn(kept)).toBe(true)
  t.clock.pass({ minutes: 2 })
  expect([await isIn(kept), await isIn(ended)]).toEqual([true, false])
})

test('a shorter time counts at once, a longer one for sessions that begin after it', async () => {
  const visitor = await signedIn(t)
  const page = await visitor.get(PATH)
  const saved = await visitor.submit(page, { sessionIdleMinutes: '30' }, PATH)
  expect([saved.url, textOf(saved).includes('after 30 minutes without use')]).toEqual(['/settings/sign-in?notice=sessions', true])
  expect(textOf(await visitor.get('/profile'))).toContain('after 30 minutes without use')
  const later = await signedIn(t)
  t.clock.pass({ minutes: 31 })
  expect(await isIn(visitor)).toBe(false)
  await set('720')
  // It began with half an hour, and has ended: a longer time does not bring it back.
  expect(await isIn(later)).toBe(false)
  const longest = await signedIn(t)
  t.clock.pass({ hours: 11, minutes: 59 })
  expect(await isIn(longest)).toBe(true)
})

test('a session of the release before rests for half an hour, as it began', async () => {
  const visitor = await signedIn(t)
  await t.sql('UPDATE sessions SET idle_minutes = NULL')
  t.clock.pass({ minutes: 29 })
  expect(await isIn(visitor)).toBe(true)
  t.clock.pass({ minutes: 31 })
  expect(await isIn(visitor)).toBe(false)
})

test.each(['4', '721', '1e3', '-30', 'long'])('%s minutes are refused', async minutes => {
  const visitor = await signedIn(t)
  const refused = await visitor.submit(await visitor.get(PATH), { sessionIdleMinutes: minutes }, PATH)
  expect([refused.status, textOf(refused).includes('a number from 5 to 720')]).toEqual([422, true])
})

test('the variable wins, and the page shows it as fixed', async () => {
  t.app.config.fixed.sessionIdleMinutes = '10'
  const visitor = await signedIn(t)
  const text = textOf(await visitor.get('/settings/sign-in'))
  expect([text.includes('after 10 minutes without use'), text.includes('SIGNET_SESSION_IDLE_MINUTES')]).toEqual([true, true])
  t.clock.pass({ minutes: 11 })
  expect(await isIn(visitor)).toBe(false)
})
