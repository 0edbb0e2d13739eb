/** The strip at the top of every page of an administrator: the open alerts, each with its page. */
import type { PageAlert } from '../../views/layout.tsx'
import { listAlerts } from '../alerts/queries.ts'
import { ALERT_KINDS, alertPath } from '../core/alert.ts'
import type { AppTexts } from '../locales/app.ts'
import type { App } from '../ports.ts'

const MAX_READ = 200
const MAX_SHOWN = 5

/** The most urgent kinds first; of each the oldest, with how many there are. */
export async function alertsFor({ db }: Pick<App, 'db'>, { alerts: t }: AppTexts): Promise<PageAlert[]> {
  const open = await listAlerts(db, MAX_READ)
  const kinds = ALERT_KINDS.flatMap(kind => {
    const [first, ...others] = open.filter(alert => alert.kind === kind)
    if (!first) return []
    const link = { href: alertPath(kind, first.subject), text: t.links[kind] }
    return [{ name: t.kinds[kind], message: first.message, link, ...(others.length > 0 ? { more: t.more(others.length) } : {}) }]
  })
  return kinds.slice(0, MAX_SHOWN)
}
