/** Settings → Health → Upgrade: finishes it when all nodes were replaced. */
import { UpgradePage } from '../../../views/pages/upgrade.tsx'
import { HEALTH_PATH } from '../../core/alert.ts'
import type { ValidationError } from '../../core/refusal.ts'
import { finishUpgrade, readUpgrade } from '../../health/upgrade.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { originOf } from './sender-visit.ts'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

export const UPGRADE_PATH = `${HEALTH_PATH}/upgrade`

const HOUR_MS = 3_600_000

async function page(
  visit: Visit,
  errors: ValidationError[] = [],
  status = 200,
  asksForPassword?: boolean,
): Promise<PageResponse> {
  const { app, texts } = visit
  const { isFinished, older, waiting, leftMs } = await readUpgrade(app.db)
  return {
    html: (
      <UpgradePage
        context={visit.context(texts.upgrade.title)}
        user={settingsUser(visit)}
        errors={errors}
        asksForPassword={asksForPassword ?? !sessionOf(visit).confirmed}
        isFinished={isFinished}
        older={older}
        waiting={waiting.map(feature => texts.upgrade.features[feature])}
        leftHours={Math.ceil(leftMs / HOUR_MS)}
      />
    ),
    status,
  }
}

async function finish(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, () => finishUpgrade(visit.app, originOf(visit)))
  if ('errors' in result) return page(visit, result.errors, result.status, result.asksForPassword)
  return { redirect: UPGRADE_PATH }
}

export const upgradePages: PageRoute[] = [
  { method: 'GET', path: UPGRADE_PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: UPGRADE_PATH, access: 'admin', run: finish },
]
