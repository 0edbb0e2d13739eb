/** Settings → Backups → one backup: the question before it is downloaded. Administrators only. */
import { BackupDownloadPage } from '../../../views/pages/backup-download.tsx'
import { currentBucket, downloadBackup, isDownloadable } from '../../backups/download.ts'
import { type BackupRun, findRun } from '../../backups/run-queries.ts'
import { Refusal, type ValidationError } from '../../core/refusal.ts'
import { attachment } from '../../lib/content-disposition.ts'
import { isKeyInBackups } from '../../settings/master-key-copy.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { PRIVATE } from '../private-headers.ts'
import { clockOf, originOf } from './sender-visit.ts'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

const PATH = '/settings/backups/:id/file'

interface State {
  errors?: ValidationError[]
  status?: number
  asksForPassword?: boolean
}

async function loadRun({ app, params }: Visit): Promise<BackupRun> {
  const run = await findRun(app.db, params.id ?? '')
  if (run && (await isDownloadable(app, run, await currentBucket(app)))) return run
  throw new Refusal('not_found', 'This backup is not where it was stored any more.')
}

async function page(visit: Visit, state: State = {}): Promise<PageResponse> {
  const { errors = [], status = 200, asksForPassword = !sessionOf(visit).confirmed } = state
  const { id, startedAt, fileName, place, bytes = 0, documents = 0, verdict } = await loadRun(visit)
  const context = visit.context(visit.texts.backups.downloading.title)
  const backup = { id, startedAt, fileName, place, bytes, documents, isVerified: verdict === 'verified' }
  return {
    html: (
      <BackupDownloadPage
        context={context}
        user={settingsUser(visit)}
        clock={await clockOf(visit, context.language)}
        errors={errors}
        asksForPassword={asksForPassword}
        isKeyIncluded={isKeyInBackups(visit.app.config)}
        backup={backup}
      />
    ),
    status,
  }
}

async function file(visit: Visit): Promise<PageResponse> {
  const run = await loadRun(visit)
  const result = await runConfirmedAction(visit, () => downloadBackup(visit.app, originOf(visit), run))
  if ('errors' in result) return page(visit, result)
  const headers = {
    ...PRIVATE,
    'content-type': 'application/octet-stream',
    'content-length': String(run.bytes),
    'content-disposition': attachment(run.fileName),
  }
  return { response: new Response(result.done, { headers }) }
}

export const backupDownloadPages: PageRoute[] = [
  { method: 'GET', path: PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: PATH, access: 'admin', run: file },
]
