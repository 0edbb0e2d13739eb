/** Who got in, and what lets programs in: each is an entry of the audit log. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createKey, revokeKey } from '../../src/accounts/keys.ts'
import { changeRole, disablePerson } from '../../src/accounts/manage.ts'
import { signOut, verifySignIn } from '../../src/accounts/people.ts'
import { type ChainEvent, chainEvent, verifyChain } from '../../src/audit/log.ts'
import { eventsAfter } from '../../src/audit/queries.ts'
import { describeEntries } from '../../src/http/pages/audit/audit-words.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { recordFailure } from '../../src/webhooks/publish.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { signIn } from '../support/sign-in.ts'
import { useTestApp } from '../support/use-app.ts'

const CLIENT = { ip: '10.1.2.3', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const PLAIN = { name: 'CRM', scopes: [], expiresInDays: undefined }

const t = useTestApp()
let grace: TestPerson
beforeEach(async () => {
  grace = await addPerson(t, 'Grace', 'admin', { signsIn: true })
})

const entries = async (prefix = ''): Promise<ChainEvent[]> =>
  (await eventsAfter(t.app.db, 0, 1000)).map(chainEvent).filter(({ type }) => type.startsWith(prefix))
const types = async (prefix = '') => (await entries(prefix)).map(({ type, actor }) => `${type} by ${actor.split('_')[0]}`)

async function sentences(prefix: string, language: 'en' | 'de' = 'en'): Promise<string[]> {
  const described = await describeEntries(t.app, await entries(prefix), { texts: appTextsOf(language), language })
  return described.map(({ sentence }) => sentence)
}

const credentials = { email: 'grace@example.com', deviceToken: undefined }
const enter = (password = grace.password) => signIn(t.app, { ...credentials, password }, CLIENT)

describe('a sign-in', () => {
  test('is recorded with its methods; address and browser are personal data', async () => {
    const { token } = await enter()
    await signOut(t.app, token, { ...grace.origin, ...CLIENT })
    await signOut(t.app, token, { ...grace.origin, ...CLIENT })
    expect(await types('user.signed')).toEqual(['user.signed_in by user:usr', 'user.signed_out by user:usr'])
    const [first] = await entries('user.signed_in')
    expect(first).toMatchObject({ data: { userId: grace.id, methods: ['password'] }, personal: CLIENT })
    expect(first?.entry).not.toMatch(/10\.1\.2\.3|Firefox/)
    expect(await sentences('user.signed')).toEqual(['Grace signed in (password; Firefox on Linux).', 'Grace signed out.'])
    expect(await sentences('user.signed', 'de')).toEqual([
      'Grace hat sich angemeldet (Passwort; Firefox unter Linux).',
      'Grace hat sich abgemeldet.',
    ])
    expect(await verifyChain(t.app.db)).toHaveProperty('head')
  })

  test('that fails is not recorded; the first that delays the next ones is, once', async () => {
    for (let i = 0; i < 4; i++) await enter('wrong').catch(() => {})
    expect(await types('user.')).toEqual([])
    await enter('wrong').catch(() => {})
    for (let i = 0; i < 3; i++) {
      t.clock.pass({ minutes: 20 })
      await enter('wrong').catch(() => {})
    }
    expect(await types('user.')).toEqual(['user.sign_in_delayed by system'])
    expect(await entries('user.')).toMatchObject([
      { data: { userId: grace.id, guessed: 'password' }, personal: { ip: '10.1.2.3' } },
    ])
    expect(await sentences('user.')).toEqual(['After several wrong passwords, sign-ins of Grace have to wait.'])
  })

  test('that succeeds at the attempt that would have delayed it leaves no such entry', async () => {
    for (let i = 0; i < 4; i++) await enter('wrong').catch(() => {})
    await enter()
    expect(await types('user.')).toEqual(['user.signed_in by user:usr'])
  })

  test('to an address without an account leaves no entry, however often', async () => {
    for (let i = 0; i < 8; i++)
      await verifySignIn(t.app, { email: 'nobody@example.com', password: 'x', deviceToken: undefined }, CLIENT).catch(() => {})
    expect(await entries('user.')).toEqual([])
  })
})

describe('an API token', () => {
  test('is recorded when it is made and revoked, by the command line too', async () => {
    const { id } = await createKey(t.app, { userId: grace.id }, { ...PLAIN, scopes: ['documents:read'] }, grace.origin)
    await revokeKey(t.app, grace.origin, id)
    await createKey(t.app, { userId: undefined }, PLAIN)
    expect(await types('api_key.')).toEqual([
      'api_key.created by user:usr',
      'api_key.revoked by user:usr',
      'api_key.created by command-line',
    ])
    expect((await entries('api_key.'))[0]).toMatchObject({ data: { keyId: id, scopes: ['documents:read'], expiresAt: null } })
    expect(await sentences('api_key.revoked')).toEqual(['Grace revoked an API token “CRM”.'])
    expect(await sentences('api_key.revoked', 'de')).toEqual(['Grace hat ein API-Token widerrufen: „CRM“.'])
  })

  test('that ends with the rights of its owner is recorded as revoked', async () => {
    const mia = await addPerson(t, 'Mia', 'member')
    const writing = { ...PLAIN, scopes: ['documents:write' as const] }
    const [first, second] = [
      await createKey(t.app, { userId: mia.id }, writing),
      await createKey(t.app, { userId: mia.id }, PLAIN),
    ]
    await changeRole(t.app, mia.id, 'auditor', grace.origin)
    expect((await entries('api_key.revoked')).map(({ data }) => data.keyId)).toEqual([first.id])
    await disablePerson(t.app, mia.id, grace.origin)
    expect((await entries('api_key.revoked')).map(({ data }) => data.keyId)).toEqual([first.id, second.id])
  })
})

describe('a webhook', () => {
  const URL_ = 'https://hooks.example.com/secret-path'
  const make = async () => (await t.api('POST', '/webhooks', { url: URL_, events: ['*'] })).body.id as string

  test('is recorded by the API as by the pages, without the path of its address', async () => {
    const id = await make()
    await t.api('PATCH', `/webhooks/${id}`, { events: ['document.sent'] })
    await t.api('PATCH', `/webhooks/${id}`, { events: ['document.sent'] })
    await t.api('PATCH', `/webhooks/${id}`, { enabled: false })
    await t.api('PATCH', `/webhooks/${id}`, { enabled: true })
    await t.api('POST', `/webhooks/${id}/rotate-secret`)
    await t.api('DELETE', `/webhooks/${id}`)
    const all = await entries('webhook.')
    expect(all.map(({ type }) => type)).toEqual([
      'webhook.created',
      'webhook.changed',
      'webhook.disabled',
      'webhook.enabled',
      'webhook.secret_replaced',
      'webhook.deleted',
    ])
    for (const { data, actor } of all) {
      expect(data).toMatchObject({ webhookId: id, host: 'hooks.example.com' })
      expect(actor).toStartWith('key:')
    }
    expect(all[1]?.data).toMatchObject({ changed: ['events'], events: ['document.sent'] })
    expect(JSON.stringify(all)).not.toMatch(/secret-path|whsec_/)
    expect((await sentences('webhook.created'))[0]).toBe('The API token “test” added a webhook to hooks.example.com.')
  })

  test('that Signet disables is recorded with the reason', async () => {
    const id = await make()
    const attempt = { at: t.clock.now, status: 410, error: 'answered 410', isLast: true }
    await t.app.write(tx => recordFailure(tx, t.app, id, attempt))
    expect(await types('webhook.disabled')).toEqual(['webhook.disabled by system'])
    expect(await sentences('webhook.disabled')).toEqual([
      'Signet disabled the webhook to hooks.example.com: the receiver answered 410 Gone.',
    ])
    expect((await sentences('webhook.disabled', 'de'))[0]).toEndWith('deaktiviert. Der Empfänger hat mit 410 Gone geantwortet.')
  })
})
