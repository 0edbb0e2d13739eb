/** Settings → API tokens. Making and revoking asks for the password when that was longer ago. */

import { TokensPage } from '../../../views/pages/settings.tsx'
import { createKey, revokeKey } from '../../accounts/keys.ts'
import { type ApiKey, listKeys } from '../../accounts/queries.ts'
import { Refusal, refuseFaults } from '../../core/refusal.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { SCOPES } from '../../ports.ts'
import { organisation } from '../../settings/organisation.ts'
import { orFaults, type PageAnswer, type PageRoute, userOf, type Visit } from '../page.tsx'

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

/** What the form held, to be shown again beside its faults. */
function entered(form: Record<string, string>) {
  const { name = '', expiresInDays = '' } = form
  return { name, expiresInDays, scopes: SCOPES.filter(scope => form[`scope:${scope}`] === 'on') }
}

async function page(
  visit: Visit,
  faults: { path: string; message: string }[],
  status: number,
  made?: { name: string; key: string },
): Promise<PageAnswer> {
  const { app, session } = visit
  const { timeZone } = await organisation(app.db)
  const keys = listKeys(app.db, session?.actor.seesAll ? undefined : session?.actor.userId)
  return {
    html: (
      <TokensPage
        frame={visit.frame('API tokens')}
        user={userOf(visit, HERE)}
        rows={keys.map(key => row(key, timeZone))}
        scopes={SCOPES}
        faults={faults}
        values={made ? { name: '', expiresInDays: '', scopes: [] } : entered(visit.form)}
        made={made}
      />
    ),
    status,
  }
}

/** The signed-in actor, when the password was asked a short while ago. */
function confirmedActor({ session }: Visit) {
  if (!session) throw new Refusal('unauthorized', 'Please sign in.')
  return session.confirmed ? session.actor : undefined
}

export const settingsPages: PageRoute[] = [
  { method: 'GET', path: HERE, access: 'session', run: visit => page(visit, [], 200) },
  {
    method: 'POST',
    path: HERE,
    access: 'session',
    run: async visit => {
      const actor = confirmedActor(visit)
      if (!actor) return { redirect: `/confirm?next=${HERE}` }
      const { form, app } = visit
      const { name, scopes, expiresInDays } = entered(form)
      const days = expiresInDays.trim()
      const result = await orFaults(async () => {
        if (days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3650)) {
          refuseFaults([{ path: 'expiresInDays', message: 'must be a whole number of days from 1 to 3650' }])
        }
        return createKey(app, actor, { name, scopes, expiresInDays: days === '' ? undefined : Number(days) })
      })
      if ('faults' in result) return page(visit, result.faults, result.status)
      return page(visit, [], 200, { name, key: result.done.key })
    },
  },
  {
    method: 'POST',
    path: `${HERE}/:id/revoke`,
    access: 'session',
    run: async visit => {
      const actor = confirmedActor(visit)
      if (!actor) return { redirect: `/confirm?next=${HERE}` }
      await revokeKey(visit.app, actor, visit.params.id ?? '')
      return { redirect: HERE }
    },
  },
]
