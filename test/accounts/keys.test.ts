/** API tokens: shown once, stored as a hash, wrong ones refused. */
import { describe, expect, test } from 'bun:test'
import { actorOf, authenticate, createKey, revokeKey, storeUse } from '../../src/accounts/keys.ts'
import { insertUser, listKeys } from '../../src/accounts/queries.ts'
import { type Reason, Refusal } from '../../src/core/refusal.ts'
import { newApiKey } from '../../src/lib/api-key.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { type Actor, DEFAULT_SCOPES, type Role, SYSTEM } from '../../src/ports.ts'
import { openSmallApp, START } from '../support/small-app.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
const PLAIN = { name: 'CRM', scopes: [], expiresInDays: undefined }

const member = (userId: string): Actor => ({ ...SYSTEM.actor, label: `user:${userId}`, userId, seesAll: false, isAdmin: false })

async function addUser(id: string, role: Role): Promise<void> {
  await t.app.write(tx => insertUser(tx, { id, email: `${id}@example.com`, name: id, role, passwordHash: 'x' }, START))
}

async function reasonOf(presented: string | undefined): Promise<Reason> {
  try {
    await authenticate(t.app, presented)
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
  throw new Error('the key was accepted')
}

describe('a key', () => {
  test('authenticates, and is stored nowhere in clear text', async () => {
    const { id, key } = await createKey(t.app, SYSTEM.actor, PLAIN)
    expect(key).toMatch(/^esk_test_[0-9A-Za-z]{38}$/)
    expect(await authenticate(t.app, key)).toMatchObject({ id, name: 'CRM', lastFour: key.slice(-4), prefix: 'esk_test_' })
    const [row] = await t.database.sql('SELECT * FROM api_keys')
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row?.sha256).toBe(sha256Hex(key))
  })

  test('has the default scopes if none is given, otherwise the given ones: signing links must be named', async () => {
    const all = await createKey(t.app, SYSTEM.actor, PLAIN)
    const one = await createKey(t.app, SYSTEM.actor, { ...PLAIN, scopes: ['documents:read'] })
    expect((await authenticate(t.app, all.key)).scopes).toEqual([...DEFAULT_SCOPES])
    expect((await authenticate(t.app, one.key)).scopes).toEqual(['documents:read'])
  })

  test('of production has its own prefix', async () => {
    const live = await openSmallApp({ SIGNET_ENVIRONMENT: 'production', SIGNET_BASE_URL: 'https://sign.example.com' })
    const { key } = await createKey(live.app, SYSTEM.actor, PLAIN)
    expect(key).toStartWith('esk_live_')
    expect(await reasonOf(key)).toBe('unauthorized')
    await live.close()
  })

  test('expires at its time and not before', async () => {
    const { key } = await createKey(t.app, SYSTEM.actor, { ...PLAIN, expiresInDays: 30 })
    t.clock.now = new Date(START.getTime() + 30 * 86_400_000 - 1)
    expect((await authenticate(t.app, key)).name).toBe('CRM')
    t.clock.now = new Date(START.getTime() + 30 * 86_400_000)
    expect(await reasonOf(key)).toBe('unauthorized')
  })

  test('needs a name of one line with limited length', async () => {
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)]) {
      const error = await createKey(t.app, SYSTEM.actor, { ...PLAIN, name }).catch(e => e as Refusal)
      expect(error).toBeInstanceOf(Refusal)
      expect((error as Refusal).details.map(f => f.path)).toEqual(['name'])
    }
    expect(await listKeys(t.app.db, undefined)).toEqual([])
  })

  test('the hundred and first is refused until one is revoked', async () => {
    const first = await createKey(t.app, SYSTEM.actor, PLAIN)
    for (let i = 1; i < 100; i++) await createKey(t.app, SYSTEM.actor, PLAIN)
    expect(createKey(t.app, SYSTEM.actor, PLAIN)).rejects.toMatchObject({ reason: 'validation_failed' })
    await revokeKey(t.app, SYSTEM, first.id)
    await createKey(t.app, SYSTEM.actor, PLAIN)
  })
})

describe('refused as unauthorized', () => {
  test('no key, other text, a typing error, a key of another environment, an unknown key', async () => {
    const { key } = await createKey(t.app, SYSTEM.actor, PLAIN)
    const typo = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    for (const presented of [
      undefined,
      '',
      'x',
      'esk_test_',
      typo,
      newApiKey('esk_live_', THIS_MACHINE.random),
      newApiKey('esk_test_', THIS_MACHINE.random),
      ` ${key}`,
    ]) {
      expect([presented, await reasonOf(presented)]).toEqual([presented, 'unauthorized'])
    }
  })

  test('a revoked key, at once', async () => {
    const { id, key } = await createKey(t.app, SYSTEM.actor, PLAIN)
    await revokeKey(t.app, SYSTEM, id)
    expect(await reasonOf(key)).toBe('unauthorized')
  })

  test('a key whose owner was deleted', async () => {
    await addUser('usr_1', 'member')
    const { key } = await createKey(t.app, member('usr_1'), PLAIN)
    expect((await authenticate(t.app, key)).ownerId).toBe('usr_1')
    await t.database.sql("DELETE FROM users WHERE id = 'usr_1'")
    expect(await reasonOf(key)).toBe('unauthorized')
  })
})

describe('revoking', () => {
  test('a key that is unknown, already revoked or of another owner is not found', async () => {
    await addUser('usr_1', 'member')
    await addUser('usr_2', 'member')
    const { id, key } = await createKey(t.app, member('usr_1'), PLAIN)
    expect(revokeKey(t.app, { ...SYSTEM, actor: member('usr_2') }, id)).rejects.toMatchObject({ reason: 'not_found' })
    expect(revokeKey(t.app, SYSTEM, 'key_none')).rejects.toMatchObject({ reason: 'not_found' })
    expect((await authenticate(t.app, key)).id).toBe(id)
    await revokeKey(t.app, { ...SYSTEM, actor: member('usr_1') }, id)
    expect(revokeKey(t.app, { ...SYSTEM, actor: member('usr_1') }, id)).rejects.toMatchObject({ reason: 'not_found' })
  })
})

test('a key that another process revokes or changes is so for the next request', async () => {
  const { id, key } = await createKey(t.app, SYSTEM.actor, PLAIN)
  expect((await authenticate(t.app, key)).scopes).toEqual([...DEFAULT_SCOPES])
  await t.database.sql('UPDATE api_keys SET scopes = ? WHERE id = ?', '["documents:read"]', id)
  expect((await authenticate(t.app, key)).scopes).toEqual(['documents:read'])
  await t.database.sql('UPDATE api_keys SET revoked_at = ? WHERE id = ?', START.toISOString(), id)
  expect(await reasonOf(key)).toBe('unauthorized')
})

describe('the actor behind a key', () => {
  test('is the instance, an administrator, or a member who sees their own documents', async () => {
    await addUser('usr_1', 'member')
    await addUser('usr_2', 'admin')
    const keys = [SYSTEM.actor, member('usr_1'), member('usr_2')].map(actor => createKey(t.app, actor, PLAIN))
    const actors = await Promise.all(keys.map(async made => actorOf(await authenticate(t.app, (await made).key))))
    expect(actors.map(a => [a.userId, a.seesAll])).toEqual([
      [undefined, true],
      ['usr_1', false],
      ['usr_2', true],
    ])
    expect(actors[0]?.idempotencyOwner).toStartWith('key_')
    expect(actors[1]?.idempotencyOwner).toBe('usr_1')
    expect(actors.every(a => a.label.startsWith('key:key_'))).toBe(true)
  })

  test('a member lists their own keys, the instance all, newest first', async () => {
    await addUser('usr_1', 'member')
    const one = await createKey(t.app, SYSTEM.actor, PLAIN)
    const two = await createKey(t.app, member('usr_1'), PLAIN)
    expect((await listKeys(t.app.db, undefined)).map(k => k.id)).toEqual([two.id, one.id])
    expect((await listKeys(t.app.db, 'usr_1')).map(k => k.id)).toEqual([two.id])
  })
})

test('the use of a key is stored at most once a minute', async () => {
  const { key } = await createKey(t.app, SYSTEM.actor, PLAIN)
  await storeUse(t.app, await authenticate(t.app, key), '192.0.2.7')
  const before = t.writes()
  t.clock.pass({ seconds: 59 })
  await storeUse(t.app, await authenticate(t.app, key), '192.0.2.8')
  expect(t.writes()).toBe(before)
  expect(await authenticate(t.app, key)).toMatchObject({ lastUsedAt: START, lastUsedIp: '192.0.2.7' })
  t.clock.pass({ seconds: 1 })
  await storeUse(t.app, await authenticate(t.app, key), undefined)
  expect((await authenticate(t.app, key)).lastUsedAt).toEqual(t.clock.now)
})

describe('keys of an auditor', () => {
  test('have reading scopes, and no other is granted', async () => {
    await addUser('usr_1', 'auditor')
    const { key } = await createKey(t.app, { userId: 'usr_1' }, PLAIN)
    expect(actorOf(await authenticate(t.app, key))).toMatchObject({
      seesAll: true,
      isAdmin: false,
      scopes: ['documents:read', 'templates:read', 'webhooks:read'],
    })
    const asked = createKey(t.app, { userId: 'usr_1' }, { ...PLAIN, scopes: ['documents:read', 'documents:write'] })
    expect(asked).rejects.toMatchObject({ reason: 'validation_failed', details: [{ path: 'scopes' }] })
  })

  test('that were made as a member write no more', async () => {
    await addUser('usr_1', 'member')
    const { key } = await createKey(t.app, { userId: 'usr_1' }, PLAIN)
    await t.app.write(tx => tx.updateTable('users').set({ role: 'auditor' }).where('id', '=', 'usr_1').execute())
    expect(actorOf(await authenticate(t.app, key)).scopes).toEqual(['documents:read', 'templates:read', 'webhooks:read'])
  })
})

test('none is made for a person who was disabled while the form was open', async () => {
  await addUser('usr_1', 'admin')
  const disabled_at = START.toISOString()
  await t.app.write(tx => tx.updateTable('users').set({ disabled_at }).where('id', '=', 'usr_1').execute())
  expect(createKey(t.app, { userId: 'usr_1' }, PLAIN)).rejects.toMatchObject({ reason: 'forbidden' })
})

test('a key of a disabled person is refused, and works again when the person is enabled', async () => {
  await addUser('usr_1', 'member')
  const { key } = await createKey(t.app, { userId: 'usr_1' }, PLAIN)
  const set = (disabled_at: string | null) =>
    t.app.write(tx => tx.updateTable('users').set({ disabled_at }).where('id', '=', 'usr_1').execute())
  await set(START.toISOString())
  expect(await reasonOf(key)).toBe('unauthorized')
  await set(null)
  expect((await authenticate(t.app, key)).ownerId).toBe('usr_1')
})
