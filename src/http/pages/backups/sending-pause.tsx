/** Settings → Backups → Resume sending, after a restore. */
import { SendingPausePage } from '../../../../views/backups/sending-pause.tsx'
import { waitingToSend } from '../../../backups/queries.ts'
import { resumeSending, sendingPause } from '../../../settings/sending-pause.ts'
import type { FormState, PageRoute, Visit } from '../../frame/page.tsx'
import { clockOf, originOf } from '../documents/sender-visit.ts'
import { questionRoutes } from '../settings/settings-access.ts'

export const RESUME_PATH = '/settings/backups/resume'

async function page(visit: Visit, form: FormState) {
  const { app, texts } = visit
  const context = visit.context(texts.backups.pause.title, form)
  return (
    <SendingPausePage
      context={context}
      clock={await clockOf(visit, context.language)}
      pause={await sendingPause(app.db)}
      baseUrl={app.config.baseUrl}
      waiting={await waitingToSend(app.db, app.now())}
    />
  )
}

export const sendingPausePages: PageRoute[] = questionRoutes(RESUME_PATH, page, visit =>
  resumeSending(visit.app, originOf(visit)),
)
