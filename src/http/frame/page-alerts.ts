/** The strip at the top of every page of an administrator: the open alerts, each with its page. */
import type { PageAlert } from '../../../views/layout.tsx'
import type { SignedIn } from '../../accounts/people.ts'
import { listAlerts } from '../../alerts/queries.ts'
import { ALERT_KINDS, type AlertKind, alertPath, HEALTH_PATH } from '../../core/alert.ts'
import type { AppTexts } from '../../locales/app.ts'
import type { App } from '../../ports.ts'

const MAX_READ = 200
const MAX_SHOWN = 5

/** Their messages begin with what only an administrator understands, such as the name of a file. */
const SHOWN_BY_NAME: ReadonlySet<AlertKind> = new Set([
  'database_damaged',
  'audit_log_cut',
  'file_damaged',
  'document_unreadable',
  'backup_failed',
  'checkpoint_failed',
  'webhook_disabled',
  'webhook_failing',
])

/**
 * For administrators; the Health page lists them itself. The most urgent kinds first; of each the
 * oldest, with how many there are.
 */
export async function alertsFor(
  { db }: Pick<App, 'db'>,
  path: string,
  signedIn: SignedIn | undefined,
  { alerts: t, errors }: AppTexts,
): Promise<PageAlert[]> {
  if (!signedIn?.actor.isAdmin || path === HEALTH_PATH) return []
  const open = await listAlerts(db, MAX_READ)
  const kinds = ALERT_KINDS.flatMap(kind => {
    const [first, ...others] = open.filter(alert => alert.kind === kind)
    if (!first) return []
    const message = SHOWN_BY_NAME.has(kind) ? `${t.kinds[kind]}.` : firstSentence(errors(first.message))
    const link = { href: alertPath(kind, first.subject), text: t.links[kind] }
    return [{ name: t.kinds[kind], message, link, ...(others.length > 0 ? { more: t.more(others.length) } : {}) }]
  })
  return kinds.slice(0, MAX_SHOWN)
}

/** In a wide window. The page that mends it, and the mail, say the rest. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
