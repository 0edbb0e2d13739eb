/** Settings → Health → Upgrade: finishes it when all nodes were replaced. */
import { UpgradePage } from '../../../../views/health/upgrade.tsx'
import { HEALTH_PATH } from '../../../core/alert.ts'
import { finishUpgrade, readUpgrade } from '../../../health/upgrade.ts'
import type { FormState, PageRoute, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { questionRoutes } from '../settings/settings-access.ts'

export const UPGRADE_PATH = `${HEALTH_PATH}/upgrade`

const HOUR_MS = 3_600_000

async function page(visit: Visit, form: FormState) {
  const t = visit.texts.upgrade
  const { isFinished, older, waiting, leftMs } = await readUpgrade(visit.app.db)
  return (
    <UpgradePage
      context={visit.context(t.title, form)}
      isFinished={isFinished}
      older={older}
      waiting={waiting.map(feature => t.features[feature])}
      leftHours={Math.ceil(leftMs / HOUR_MS)}
    />
  )
}

export const upgradePages: PageRoute[] = questionRoutes(UPGRADE_PATH, page, visit => finishUpgrade(visit.app, originOf(visit)))
