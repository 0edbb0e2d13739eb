/** Settings → API tokens by forms alone: permissions on purpose, expiry, the list, one token. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { insertUser } from '../../../src/accounts/queries.ts'
import { DEFAULT_SCOPES, SYSTEM } from '../../../src/ports.ts'
import { type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { signedIn } from '../../support/visitors.ts'

const MEMBER = { email: 'mia@example.com', name: 'Mia', password: 'quite other words here' }
const TOKENS = '/settings/tokens'

const t = useTestApp()
const visitor = useAdministrator(t)
beforeEach(async () => {
  const { email, name, password } = MEMBER
  const passwordHash = await t.app.passwords.hash(password)
  await t.app.write(tx => insertUser(tx, { id: 'usr_mia', email, name, role: 'member', passwordHash }, t.clock.now))
})

async function make(form: Record<string, string>, by: Visitor = visitor): Promise<Page> {
  return by.submit(await by.get(TOKENS), { name: 'Shop', expiry: 'never', ...form }, TOKENS)
}

const keys = async () =>
  (await t.app.db.selectFrom('api_keys').select(['name', 'scopes', 'expires_at']).orderBy('id').execute()).map(row => ({
    ...row,
    scopes: JSON.parse(row.scopes),
  }))
const mainOf = (page: Page) => textOf({ ...page, html: page.html.split('<main')[1] ?? '' })
/** The table of tokens that are in use, and the folded one. */
const partsOf = (page: Page) => {
  const [inUse = '', folded = ''] = (page.html.split('page-head')[1]?.split('<h2>')[0] ?? '').split('<details>')
  return { inUse: textOf({ ...page, html: inUse }), folded: textOf({ ...page, html: folded }) }
}

describe('what a token may do', () => {
  test('is chosen on purpose: nothing chosen, and single permissions without a tick, are refused with a sentence', async () => {
    expect((await visitor.get(TOKENS)).html).not.toMatch(/name="access"[^>]* checked/)
    const none = await make({})
    expect([none.status, mainOf(none).includes('Permissions must be chosen: say what the program may do.')]).toEqual([422, true])
    const unticked = await make({ access: 'chosen' })
    expect([unticked.status, mainOf(unticked).includes('Permissions must be ticked: choose at least one.')]).toEqual([422, true])
    const forged = await make({ access: 'constructor' })
    expect(forged.status).toBe(422)
    expect(await keys()).toEqual([])
  })

  test('is a choice in words, which the list and the page of the token repeat', async () => {
    await make({ access: 'documents', name: 'Send' })
    await make({ access: 'read', name: 'Read' })
    await make({ access: 'everything', name: 'All', 'scope:documents:read': 'on' })
    const made = await make({ access: 'chosen', name: 'One', 'scope:webhooks:write': 'on' })
    expect((await keys()).map(({ name, scopes }) => [name, scopes])).toEqual([
      ['Send', ['documents:read', 'documents:write']],
      ['Read', ['documents:read', 'templates:read', 'webhooks:read']],
      ['All', [...DEFAULT_SCOPES]],
      ['One', ['webhooks:write']],
    ])
    const { inUse } = partsOf(made)
    for (const words of ['Send and follow documents', 'Read only', 'Everything', 'Create, change and delete webhooks'])
      expect(inUse).toContain(words)
    const href = /href="(\/settings\/tokens\/key_[^"/]+)"[^>]*>Read</.exec(made.html)?.[1] ?? ''
    const page = mainOf(await visitor.get(href))
    expect(page).toContain('Read documents and download files documents:read')
    expect(page).toContain('Read webhooks and their deliveries webhooks:read')
    expect(page).not.toContain('documents:write')
    expect(page).toContain('not used yet')
  })
})

describe('the expiry', () => {
  test('is a number of days, the end of a day in the time zone of the organisation, or never', async () => {
    await visitor.submit(
      await visitor.get('/settings/organisation'),
      { name: 'Acme', contact: '', timeZone: 'Europe/Berlin', language: 'en' },
      '/settings/organisation',
    )
    for (const expiry of ['30', '90', '365', 'never']) await make({ access: 'read', expiry })
    await make({ access: 'read', expiry: 'date', expiresOn: '2027-07-31' })
    expect((await keys()).map(key => key.expires_at)).toEqual([
      '2026-12-20T17:25:00.000Z',
      '2027-02-18T17:25:00.000Z',
      '2027-11-20T17:25:00.000Z',
      null,
      '2027-07-31T21:59:59.000Z',
    ])
  })

  test('is refused beside its field if it is no day to come', async () => {
    for (const expiresOn of ['', '2026-11-19', '2026-13-01', '2036-12-31', 'soon']) {
      const page = await make({ access: 'read', expiry: 'date', expiresOn })
      expect([expiresOn, page.status]).toEqual([expiresOn, 422])
      expect(page.html).toMatch(/id="expiresOn-error"[^>]*>Last day must be a day from today on/)
    }
    expect((await make({ access: 'read', expiry: '7' })).status).toBe(422)
    expect(await keys()).toEqual([])
  })

  test('is announced by a badge two weeks before', async () => {
    await make({ access: 'read', expiry: '30' })
    t.clock.pass({ days: 15 })
    expect(mainOf(await (await signedIn(t)).get(TOKENS))).not.toContain('expires in')
    t.clock.pass({ days: 12 })
    expect(mainOf(await (await signedIn(t)).get(TOKENS))).toContain('expires in 3 days')
  })
})

describe('the list', () => {
  test('folds away what has expired or was revoked, and says when', async () => {
    await make({ access: 'read', name: 'Old', expiry: '30' })
    const made = await make({ access: 'read', name: 'Lost' })
    await make({ access: 'read', name: 'Used' })
    const link = /href="([^"]+\/revoke)" aria-label="Revoke Lost"/.exec(made.html)?.[1] ?? ''
    expect(mainOf(await visitor.submit(await visitor.get(link)))).toContain('The API token was revoked.')
    t.clock.pass({ days: 31 })
    const { inUse, folded } = partsOf(await (await signedIn(t)).get(TOKENS))
    expect([inUse.includes('Used'), inUse.includes('Old'), inUse.includes('Lost')]).toEqual([true, false, false])
    expect(folded).toContain('2 expired or revoked API tokens')
    expect(folded).toContain('expired 20 Dec 2026, 17:25 UTC')
    expect(folded).toContain('revoked 20 Nov 2026, 17:25 UTC')
    expect(folded).not.toContain('Revoke…')
  })

  test('names the owners to administrators, and shows members their own alone', async () => {
    await createKey(t.app, SYSTEM.actor, { name: 'CLI', scopes: [], expiresInDays: undefined })
    const member = await signedIn(t, MEMBER)
    await make({ access: 'read', name: 'Mine' }, member)
    const seen = partsOf(await (await signedIn(t)).get(TOKENS)).inUse
    expect(seen).toContain('CLI')
    expect(seen).toContain('The whole organisation')
    expect(seen).toMatch(/Mine.*Mia/s)
    const own = partsOf(await member.get(TOKENS)).inUse
    expect([own.includes('Mine'), own.includes('CLI'), own.includes('Owner')]).toEqual([true, false, false])
    const [cli] = await t.app.db.selectFrom('api_keys').select('id').where('name', '=', 'CLI').execute()
    for (const path of [`${TOKENS}/${cli?.id}`, `${TOKENS}/${cli?.id}/revoke`]) expect((await member.get(path)).status).toBe(404)
  })

  test('says when and from where a token was last used', async () => {
    const made = await make({ access: 'everything' })
    const key = /esk_test_[0-9A-Za-z]{38}/.exec(made.html)?.[0] ?? ''
    expect(partsOf(made).inUse).toContain('not used yet')
    await t.fetch('/api/v1/documents', { headers: { authorization: `Bearer ${key}` } })
    t.clock.pass({ minutes: 20 })
    expect(partsOf(await visitor.get(TOKENS)).inUse).toContain('20 minutes ago from')
  })
})
