/** The owner of an API token is informed once that it ends soon. */
import { beforeEach, expect, test } from 'bun:test'
import { createKey, noteKeysThatEnd, revokeKey } from '../../src/accounts/keys.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { insertUser, setUserLanguage } from '../../src/accounts/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
beforeEach(async () => {
  await createAdmin(t.app, { name: 'Grace', email: 'grace@example.com', password: 'four sound words here' })
  const mia = { id: 'usr_mia', email: 'mia@example.com', name: 'Mia', role: 'member' as const, passwordHash: 'x' }
  await t.app.write(tx => insertUser(tx, mia, t.clock.now))
})

const make = (name: string, expiresInDays: number | undefined, userId?: string) =>
  createKey(t.app, { ...SYSTEM.actor, userId }, { name, scopes: [], expiresInDays })

async function mailed(): Promise<string[]> {
  await noteKeysThatEnd(t.app)
  await t.drain()
  return t.mails.splice(0).map(({ to, subject }) => `${to.address}: ${subject}`)
}

test('two weeks before the end, once, and not the owners of others', async () => {
  const { id } = await make('Shop', 30, 'usr_mia')
  await make('CRM', 30)
  await make('For ever', undefined)
  await make('Later', 60)
  t.clock.pass({ days: 15 })
  expect(await mailed()).toEqual([])
  t.clock.pass({ days: 1 })
  await noteKeysThatEnd(t.app)
  await t.drain()
  const text = t.mails[0]?.text ?? ''
  expect(text).toContain('The API token “Shop” ends on 20 December 2026, 17:25 UTC.')
  expect(text).toContain(`/settings/tokens/${id}\n`)
  expect((await mailed()).map(line => line.replace('[TEST] ', ''))).toEqual([
    'mia@example.com: An API token ends soon: Shop',
    'grace@example.com: An API token ends soon: CRM',
  ])
  t.clock.pass({ days: 10 })
  expect(await mailed()).toEqual([])
})

test('not about a key that was revoked, that has ended, or that was made for two weeks or less', async () => {
  const { id } = await make('Shop', 30)
  await revokeKey(t.app, SYSTEM, id)
  await make('Trial', 14)
  await make('Missed', 20)
  t.clock.pass({ days: 20 })
  expect(await mailed()).toEqual([])
})

test('in the language of the owner', async () => {
  await t.app.write(tx => setUserLanguage(tx, 'usr_mia', 'de'))
  await make('Shop', 30, 'usr_mia')
  t.clock.pass({ days: 16 })
  await noteKeysThatEnd(t.app)
  await t.drain()
  expect(t.mails[0]?.subject).toBe('[TEST] Ein API-Token läuft bald ab: Shop')
  expect(t.mails[0]?.text).toContain('Das API-Token „Shop“ läuft am 20. Dezember 2026')
})
