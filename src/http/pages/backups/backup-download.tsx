/** Settings → Backups → one backup: the question before it is downloaded. Administrators only. */
import { BackupDownloadPage } from '../../../../views/backups/backup-download.tsx'
import { currentBucket, downloadBackup, isDownloadable } from '../../../backups/download.ts'
import { type BackupRun, findRun } from '../../../backups/run-queries.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { attachment } from '../../../lib/content-disposition.ts'
import { isKeyInBackups } from '../../../settings/master-key-copy.ts'
import type { FormState, PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { PRIVATE } from '../../private-headers.ts'
import { clockOf, originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'

const PATH = '/settings/backups/:id/file'

async function loadRun({ app, params }: Visit): Promise<BackupRun> {
  const run = await findRun(app.db, params.id ?? '')
  if (run && (await isDownloadable(app, run, await currentBucket(app)))) return run
  throw new Refusal('not_found', violation('backup_gone'))
}

async function page(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { id, startedAt, fileName, place, bytes = 0, documents = 0, verdict } = await loadRun(visit)
  const context = visit.context(visit.texts.backups.downloading.title, state)
  const backup = { id, startedAt, fileName, place, bytes, documents, isVerified: verdict === 'verified' }
  return {
    html: (
      <BackupDownloadPage
        context={context}
        clock={await clockOf(visit, context.language)}
        isKeyIncluded={isKeyInBackups(visit.app.config)}
        backup={backup}
      />
    ),
    status: state.status ?? 200,
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
