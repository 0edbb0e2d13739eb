/** Settings → Backups → Resume sending, after a restore. */
import { SendingPausePage } from '../../../views/pages/sending-pause.tsx'
import { waitingToSend } from '../../backups/queries.ts'
import type { ValidationError } from '../../core/refusal.ts'
import { resumeSending, sendingPause } from '../../settings/sending-pause.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { clockOf, originOf } from './sender-visit.ts'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

export const RESUME_PATH = '/settings/backups/resume'

async function page(
  visit: Visit,
  errors: ValidationError[] = [],
  status = 200,
  asksForPassword?: boolean,
): Promise<PageResponse> {
  const { app, texts } = visit
  const context = visit.context(texts.backups.pause.title)
  return {
    html: (
      <SendingPausePage
        context={context}
        user={settingsUser(visit)}
        clock={await clockOf(visit, context.language)}
        errors={errors}
        asksForPassword={asksForPassword ?? !sessionOf(visit).confirmed}
        pause={await sendingPause(app.db)}
        baseUrl={app.config.baseUrl}
        waiting={await waitingToSend(app.db, app.now())}
      />
    ),
    status,
  }
}

async function resume(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, () => resumeSending(visit.app, originOf(visit)))
  if ('errors' in result) return page(visit, result.errors, result.status, result.asksForPassword)
  return { redirect: RESUME_PATH }
}

export const sendingPausePages: PageRoute[] = [
  { method: 'GET', path: RESUME_PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: RESUME_PATH, access: 'admin', run: resume },
]
