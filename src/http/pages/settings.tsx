/** Settings → API tokens. Making and revoking asks for the password when that was longer ago: making beside what was entered, so that nothing is lost. */

import { TokensPage } from '../../../views/pages/settings.tsx'
import { createKey, revokeKey } from '../../accounts/keys.ts'
import { type ApiKey, listKeys } from '../../accounts/queries.ts'
import { type Fault, refuseFaults } from '../../core/refusal.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { SCOPES } from '../../ports.ts'
import { organisation } from '../../settings/organisation.ts'
import { orFaults, type PageAnswer, type PageRoute, type Visit } from '../page.tsx'
import { confirmedBy, sessionOf, settingsUser } from './settings-access.ts'

const HERE = '/settings/tokens'

function row(key: ApiKey, timeZone: string) {
  const time = (moment: Date | undefined, otherwise: string) => (moment ? pageTime(moment, timeZone) : otherwise)
  return {
    id: key.id,
    name: key.name,
    shown: `${key.prefix}…${key.lastFour}`,
    scopes: key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(', '),
    created: time(key.createdAt, ''),
    expires: time(key.expiresAt, 'never'),
    lastUsed: key.lastUsedAt ? `${time(key.lastUsedAt, '')} from ${key.lastUsedIp ?? 'unknown'}` : 'never',
    live: key.revokedAt === undefined,
  }
}

/** What the form held, to be shown again beside its faults. Never the password. */
function entered(form: Record<string, string>) {
  const { name = '', expiresInDays = '' } = form
  return { name, expiresInDays, scopes: SCOPES.filter(scope => form[`scope:${scope}`] === 'on') }
}

interface Shown {
  faults?: Fault[]
  status?: number
  /** The password is asked in the form. */
  asksPassword: boolean
  made?: { name: string; key: string }
}

async function page(visit: Visit, { faults = [], status = 200, asksPassword, made }: Shown): Promise<PageAnswer> {
  const { app, session } = visit
  const { timeZone } = await organisation(app.db)
  const keys = listKeys(app.db, session?.actor.seesAll ? undefined : session?.actor.userId)
  return {
    html: (
      <TokensPage
        frame={visit.frame('API tokens')}
        user={settingsUser(visit)}
        rows={keys.map(key => row(key, timeZone))}
        scopes={SCOPES}
        faults={faults}
        values={made ? { name: '', expiresInDays: '', scopes: [] } : entered(visit.form)}
        asksPassword={asksPassword}
        made={made}
      />
    ),
    status,
  }
}

function newKeyOf(form: Record<string, string>) {
  const { name, scopes, expiresInDays } = entered(form)
  const days = expiresInDays.trim()
  if (days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3650)) {
    refuseFaults([{ path: 'expiresInDays', message: 'must be a whole number of days from 1 to 3650' }])
  }
  return { name, scopes, expiresInDays: days === '' ? undefined : Number(days) }
}

async function make(visit: Visit): Promise<PageAnswer> {
  const session = sessionOf(visit)
  if (!session.confirmed) {
    const confirmed = await orFaults(() => confirmedBy(visit))
    if ('faults' in confirmed) return page(visit, { ...confirmed, asksPassword: true })
  }
  const result = await orFaults(async () => createKey(visit.app, session.actor, newKeyOf(visit.form)))
  if ('faults' in result) return page(visit, { ...result, asksPassword: false })
  return page(visit, { asksPassword: false, made: { name: entered(visit.form).name, key: result.done.key } })
}

export const settingsPages: PageRoute[] = [
  { method: 'GET', path: HERE, access: 'session', run: visit => page(visit, { asksPassword: !sessionOf(visit).confirmed }) },
  { method: 'POST', path: HERE, access: 'session', run: make },
  {
    method: 'POST',
    path: `${HERE}/:id/revoke`,
    access: 'session',
    run: async visit => {
      const { actor, confirmed } = sessionOf(visit)
      if (!confirmed) return { redirect: `/confirm?next=${HERE}` }
      await revokeKey(visit.app, actor, visit.params.id ?? '')
      return { redirect: HERE }
    },
  },
]
