/** Settings → API tokens. Creating and revoking ask for the password again. */
import { RevokeTokenPage, TokensPage } from '../../../views/pages/tokens.tsx'
import { createKey, revokeKey } from '../../accounts/keys.ts'
import { type ApiKey, listKeys } from '../../accounts/queries.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { SCOPES } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

const TOKENS_PATH = '/settings/tokens'

function row({ language, texts }: Visit, key: ApiKey, timeZone: string) {
  const t = texts.settings.tokens
  const time = (moment: Date | undefined) => (moment ? pageTime(moment, timeZone, language) : t.never)
  return {
    id: key.id,
    name: key.name,
    shown: `${key.prefix}…${key.lastFour}`,
    scopes: key.scopes.length === SCOPES.length ? t.allScopes : key.scopes.join(', '),
    created: time(key.createdAt),
    expires: time(key.expiresAt),
    lastUsed: key.lastUsedAt ? t.lastUsedFrom(time(key.lastUsedAt), key.lastUsedIp ?? t.unknownAddress) : t.never,
    live: key.revokedAt === undefined,
  }
}

/** The entered values, shown again beside their errors. Never the password. */
function entered(form: Record<string, string>) {
  const { name = '', expiresInDays = '' } = form
  return { name, expiresInDays, scopes: SCOPES.filter(scope => form[`scope:${scope}`] === 'on') }
}

interface PageState {
  errors?: ValidationError[]
  status?: number
  asksForPassword: boolean
  created?: { name: string; key: string }
}

/** The tokens that this person may see. */
function keysOf(visit: Visit): Promise<ApiKey[]> {
  const { actor } = sessionOf(visit)
  return listKeys(visit.app.db, actor.isAdmin ? undefined : actor.userId)
}

async function page(visit: Visit, { errors = [], status = 200, asksForPassword, created }: PageState): Promise<PageResponse> {
  const { timeZone } = await readOrganisation(visit.app.db)
  const keys = await keysOf(visit)
  return {
    html: (
      <TokensPage
        context={visit.context(visit.texts.settings.tokens.title)}
        user={settingsUser(visit)}
        rows={keys.map(key => row(visit, key, timeZone))}
        scopes={SCOPES}
        errors={errors}
        values={created ? { name: '', expiresInDays: '', scopes: [] } : entered(visit.form)}
        asksForPassword={asksForPassword}
        created={created}
      />
    ),
    status,
  }
}

function newKeyOf(form: Record<string, string>) {
  const { name, scopes, expiresInDays } = entered(form)
  const days = expiresInDays.trim()
  if (days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3650)) {
    refuseIfInvalid([{ path: 'expiresInDays', message: 'must be a whole number of days from 1 to 3650' }])
  }
  return { name, scopes, expiresInDays: days === '' ? undefined : Number(days) }
}

async function create(visit: Visit): Promise<PageResponse> {
  const { actor } = sessionOf(visit)
  const result = await runConfirmedAction(visit, async () => createKey(visit.app, actor, newKeyOf(visit.form)))
  if ('errors' in result) return page(visit, result)
  return page(visit, { asksForPassword: false, created: { name: entered(visit.form).name, key: result.done.key } })
}

async function revokePage(visit: Visit, errors: ValidationError[], status = 200): Promise<PageResponse> {
  const { app, params } = visit
  const { timeZone } = await readOrganisation(app.db)
  const key = (await keysOf(visit)).find(({ id, revokedAt }) => id === params.id && !revokedAt)
  if (!key) throw new Refusal('not_found', 'API token not found.')
  const asksForPassword = !sessionOf(visit).confirmed
  return {
    html: (
      <RevokeTokenPage
        context={visit.context(visit.texts.settings.tokens.revokeTitle)}
        user={settingsUser(visit)}
        row={row(visit, key, timeZone)}
        errors={errors}
        asksForPassword={asksForPassword}
      />
    ),
    status,
  }
}

async function revoke(visit: Visit): Promise<PageResponse> {
  const { actor } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => revokeKey(visit.app, actor, visit.params.id ?? ''))
  return 'errors' in result ? revokePage(visit, result.errors, result.status) : { redirect: TOKENS_PATH }
}

export const tokenPages: PageRoute[] = [
  {
    method: 'GET',
    path: TOKENS_PATH,
    access: 'session',
    run: visit => page(visit, { asksForPassword: !sessionOf(visit).confirmed }),
  },
  { method: 'POST', path: TOKENS_PATH, access: 'session', run: create },
  { method: 'GET', path: `${TOKENS_PATH}/:id/revoke`, access: 'session', run: visit => revokePage(visit, []) },
  { method: 'POST', path: `${TOKENS_PATH}/:id/revoke`, access: 'session', run: revoke },
]
