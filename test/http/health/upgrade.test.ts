/** Health → Upgrade: an administrator finishes it, when no older node is left. */
import { beforeEach, expect, test } from 'bun:test'
import { KNOWN_LEVEL } from '../../../src/db/feature-level.ts'
import { formsOf, textOf } from '../../support/browser-less.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const PATH = '/settings/health/upgrade'

const t = useTestApp()
const visitor = useAdministrator(t)
beforeEach(async () => {
  await t.sql('UPDATE cluster SET feature_level = 0')
})

const finishes = (html: string) => formsOf(html).some(({ action }) => action === PATH)
const level = async () => Number((await t.sql<{ feature_level: number }>('SELECT feature_level FROM cluster'))[0]?.feature_level)

test('Health says that it is not finished and leads to the page; finished, both say so', async () => {
  expect(textOf(await visitor.get('/settings/health'))).toContain('Not finished: what is new cannot be used yet')
  const page = await visitor.get(PATH)
  expect(textOf(page)).toContain('only such nodes have served for 24 hours more')
  expect(textOf(page)).toContain('can no longer serve from this database')
  const done = await visitor.submit(page, { password: GRACE.password }, PATH)
  expect([done.status, textOf(done).includes('The upgrade is finished')]).toEqual([200, true])
  expect([await level(), finishes((await visitor.get(PATH)).html)]).toEqual([KNOWN_LEVEL, false])
  const health = textOf(await visitor.get('/settings/health'))
  expect(health).toContain('Finished: everything that this release can do can be used.')
  expect(health).toMatch(/Signet \S+, schema \d+, commit \S+/)
})

test('while a node of the release before has a row, it is named and nothing can be finished', async () => {
  const page = await visitor.get(PATH)
  const at = t.clock.now.toISOString()
  await t.sql("INSERT INTO nodes (boot, name, version, started_at, seen_at) VALUES ('b0', 'sign-2', '0.9', ?, ?)", at, at)
  const shown = await visitor.get(PATH)
  expect([textOf(shown).includes('sign-2, version 0.9'), finishes(shown.html)]).toEqual([true, false])
  // On the page that was open before.
  const refused = await visitor.submit(page, { password: GRACE.password }, PATH)
  expect([refused.status, await level()]).toEqual([409, 0])
  expect(textOf(refused)).toContain('The node sign-2 serves with version 0.9: replace its executable first.')
})
