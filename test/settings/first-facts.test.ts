/** Three nodes that start together on an empty database agree on what the first start makes. */
import { expect, test } from 'bun:test'
import { isSetupTokenValid, issueSetupToken } from '../../src/accounts/people.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { firstFacts, linkKey } from '../../src/settings/first-facts.ts'
import { sealRoots } from '../../src/settings/queries.ts'
import { createFirstSealCertificate, describeSealCertificates } from '../../src/settings/seal-certificate.ts'
import { noteServiceAddress, serviceAddress } from '../../src/settings/service-address.ts'
import { joinNode } from '../support/nodes.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp({ SIGNET_SEAL_KEY: 'ec-p256' })

const onThreeNodes = <T>(start: (number: number) => Promise<T>) => Promise.all([1, 2, 3].map(start))
const distinct = (values: unknown[]) => new Set(values).size

test('on one id and one environment, that of the first', async () => {
  const made = await onThreeNodes(number => firstFacts(t.database, `environment-${number}`, THIS_MACHINE))
  expect(distinct(made.map(({ id }) => id))).toBe(1)
  expect(distinct(made.map(({ environment }) => environment))).toBe(1)
  expect(await firstFacts(t.database, 'later', THIS_MACHINE)).toEqual(made[0] ?? { id: '', environment: '' })
})

test('on one key of links: no link that a node has mailed is refused by another', async () => {
  const keys = await onThreeNodes(() => linkKey(t.database, t.app.secrets, THIS_MACHINE.random))
  expect(keys[0]).toHaveLength(32)
  expect(distinct(keys.map(key => Buffer.from(key).toString('hex')))).toBe(1)
})

test('on one root and one certificate', async () => {
  await onThreeNodes(() => createFirstSealCertificate(t.app))
  expect(await describeSealCertificates(t.app.db)).toHaveLength(1)
  expect(await sealRoots(t.app.db)).toHaveLength(1)
})

test('on one public address', async () => {
  await onThreeNodes(() => noteServiceAddress(t.app))
  expect(await serviceAddress(t.app)).toBe(t.app.config.baseUrl)
})

test('each prints a set-up link that works, and none ends the link of another', async () => {
  const tokens = await onThreeNodes(async number => issueSetupToken((await joinNode(t, `node-${number}`)).app))
  expect(distinct(tokens)).toBe(3)
  for (const token of tokens) expect(await isSetupTokenValid(t.app, token ?? '')).toBe(true)
})
