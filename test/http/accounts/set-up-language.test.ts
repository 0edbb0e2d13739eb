/** The language of the organisation, asked at set-up. */
import { expect, test } from 'bun:test'
import { issueSetupToken } from '../../../src/accounts/people.ts'
import { readOrganisation } from '../../../src/settings/organisation.ts'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { sentDocument } from '../../support/story.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const values = { organisation: 'Acme Ltd', timeZone: 'Europe/Berlin', ...GRACE }

const t = useTestApp()

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
