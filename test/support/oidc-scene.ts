/** A service with an administrator and an identity provider that can lie, and its visitors. */
import { afterEach, beforeEach } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeServiceSettings, type SettingChanges } from '../../src/settings/service-settings.ts'
import { cookieOf, openVisitor, type Page, type Visitor } from './browser-less.ts'
import { type LyingProvider, openLyingProvider, settingsOf } from './lying-provider.ts'
import { openTestApp, type TestApp } from './test-app.ts'

export const ADMIN = { email: 'grace@acme.example', name: 'Grace Hopper', password: 'four sound words here' }

export interface OidcScene {
  t: TestApp
  provider: LyingProvider
  configure(changes: SettingChanges): Promise<unknown>
  /** Follows a link to the provider. Returns the address there, or the page with the refusal. */
  leave(visitor: Visitor, path?: string): Promise<{ address: string; page: Page }>
  /** Leaves, signs in there and comes back. */
  signIn(visitor?: Visitor, path?: string): Promise<Page>
  /** The administrator. */
  byPassword(visitor?: Visitor): Promise<Visitor>
  users(): Promise<{ email: string; role: string; name: string }[]>
  identities(): Promise<{ subject: string; email: string; user_id: string }[]>
  close(): Promise<void>
}

export const isIn = (visitor: Visitor) => visitor.cookies.has('signet_session')

/** Call once in a test file: the value is at all times the scene of the running test. */
export function useOidcScene(): OidcScene {
  const scene = {} as OidcScene
  beforeEach(async () => {
    Object.assign(scene, await openOidcScene())
  })
  afterEach(() => scene.close())
  return scene
}

async function openOidcScene(): Promise<OidcScene> {
  const t = await openTestApp()
  await createAdmin(t.app, ADMIN)
  const provider = await openLyingProvider(() => t.clock.now)
  const configure: OidcScene['configure'] = changes => t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, changes))
  await configure(settingsOf(provider))
  const leave: OidcScene['leave'] = async (visitor, path = '/sign-in/oidc') => {
    // The visitor has a cookie before: as after the sign-in page.
    if (visitor.cookies.size === 0) await visitor.get('/sign-in')
    const cookie = cookieOf(visitor)
    const response = await t.fetch(path, { headers: { cookie }, redirect: 'manual' })
    const page = { status: response.status, html: await response.text(), url: path, headers: response.headers }
    return { address: response.headers.get('location') ?? '', page }
  }
  return {
    t,
    provider,
    configure,
    leave,
    async signIn(visitor = openVisitor(t.fetch), path) {
      const { address } = await leave(visitor, path)
      return visitor.get(provider.signIn(address))
    },
    async byPassword(visitor = openVisitor(t.fetch)) {
      await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
      return visitor
    },
    users: () => t.app.db.selectFrom('users').select(['email', 'role', 'name']).orderBy('id').execute(),
    identities: () => t.app.db.selectFrom('oidc_identities').select(['subject', 'email', 'user_id']).execute(),
    async close() {
      await provider.close()
      await t.close()
    },
  }
}
