/** Settings → Seal → Form by forms alone: PAdES or PKCS#7, its price, and what the record says. */
import { expect, test } from 'bun:test'
import { FeatureLevels } from '../../../src/db/feature-level.ts'
import { readServiceSettings } from '../../../src/settings/service-settings.ts'
import { formsOf, textOf } from '../../support/browser-less.ts'
import { signedDocument } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'

const HERE = '/settings/seal/form'
const PKCS7 = 'adbe.pkcs7.detached'

const t = useTestApp()
const visitor = useAdministrator(t)

test('names every level that is lost, what still holds and what Firefox shows, and is saved', async () => {
  const page = await visitor.get(HERE)
  for (const level of ['B-B', 'B-T', 'B-LT', 'B-LTA']) expect(textOf(page)).toContain(`${level} is lost`)
  expect(textOf(page)).toContain('What still holds')
  expect(textOf(page)).toContain('also where the root is installed')
  const saved = await visitor.submit(page, { sealSubFilter: PKCS7 }, HERE)
  expect(textOf(saved)).toContain('Documents are sealed in it from now on.')
  expect(textOf(saved)).toContain('PKCS#7 (sub-filter adbe.pkcs7.detached)')
  expect(textOf(saved)).toContain('the parts of B-B, without a PAdES level')
  const tested = textOf(await visitor.submit(await visitor.get('/settings/seal'), {}, '/test'))
  expect(tested).toContain('It reaches the parts of B-B, without a PAdES level.')
  const id = await signedDocument(t)
  expect(textOf(await visitor.get(`/documents/${id}`))).toContain('none: its form is PKCS#7')
  expect(textOf(await visitor.submit(await visitor.get(HERE), { sealSubFilter: 'ETSI.CAdES.detached' }, HERE))).toContain(
    'PAdES B-B',
  )
  expect((await readServiceSettings(t.app)).sealSubFilter.value).toBe('ETSI.CAdES.detached')
})

test('is refused with the reason while nodes of the release before may serve, and kept as chosen', async () => {
  await t.sql('UPDATE cluster SET feature_level = 1')
  t.app.features = new FeatureLevels()
  const page = await visitor.submit(await visitor.get(HERE), { sealSubFilter: PKCS7 }, HERE)
  expect(textOf(page)).toContain('A seal with the sub-filter adbe.pkcs7.detached')
  expect(formsOf(page.html).find(({ action }) => action === HERE)?.values).toMatchObject({ sealSubFilter: PKCS7 })
  expect((await readServiceSettings(t.app)).sealSubFilter.source).toBe('default')
})

test('says which variable fixes it, and offers no form then', async () => {
  t.app.config.fixed.sealSubFilter = PKCS7
  const page = await visitor.get(HERE)
  expect(textOf(page)).toContain('Set by SIGNET_SEAL_SUB_FILTER')
  expect(formsOf(page.html).find(({ action }) => action === HERE)).toBeUndefined()
})
