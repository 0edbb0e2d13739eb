/**
 * Settings → Backups: the plan, its runs, their download, and sending after a restore.
 * Administrators only; changes ask for the password again.
 */
import {
  BackupDownloadPage,
  type BackupRunRow,
  BackupsPage,
  type BackupValues,
  EngineBackupsPage,
  SendingPausePage,
} from '../../../../views/backups/backups.tsx'
import {
  changeBackupPlan,
  isBackupMissed,
  isOnSameDisk,
  nextSlot,
  readBackupPlan,
  remindLater,
  storedSecrets,
} from '../../../backups/plan.ts'
import { waitingToSend } from '../../../backups/queries.ts'
import { type BackupRun, findRun, newestRuns, newestVerified } from '../../../backups/run-queries.ts'
import { currentBucket, downloadBackup, isDownloadable, startBackup } from '../../../backups/runs.ts'
import { FREQUENCIES } from '../../../config/stored-rows.ts'
import { BACKUPS_PATH } from '../../../core/page-paths.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { attachment } from '../../../lib/file-names.ts'
import { isKeyCopyMissing, isKeyInBackups, testKeyCopy } from '../../../settings/master-key-match.ts'
import { sendingPause } from '../../../settings/sending-pause.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { PRIVATE } from '../../version-headers.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'

const RUNS_SHOWN = 20

const DEFAULTS: BackupValues = {
  frequency: 'daily',
  time: '02:30',
  keep: '14',
  place: 'folder',
  folder: '',
  encryption: 'passphrase',
  recipients: '',
}

async function runsOf({ app }: Visit): Promise<BackupRunRow[]> {
  const bucket = await currentBucket(app)
  const runs = await newestRuns(app.db, RUNS_SHOWN)
  return Promise.all(runs.map(async run => ({ ...run, isDownloadable: await isDownloadable(app, run, bucket) })))
}

/** What is entered, else what is stored, else what we propose. */
async function valuesOf({ app, form }: Visit): Promise<BackupValues> {
  const plan = await readBackupPlan(app.db)
  const stored: BackupValues = plan
    ? {
        ...plan,
        keep: String(plan.keep),
        encryption: plan.recipients.length > 0 ? 'recipients' : 'passphrase',
        recipients: plan.recipients.join('\n'),
      }
    : DEFAULTS
  const names = Object.keys(DEFAULTS) as (keyof BackupValues)[]
  const values = names.map(name => [name, form[name] ?? stored[name]])
  return Object.fromEntries(values) as unknown as BackupValues
}

interface BackupsState extends FormState {
  passphrase?: string | undefined
}

export async function page(visit: Visit, state: BackupsState = {}): Promise<PageResponse> {
  const { app, texts } = visit
  const { status = 200, passphrase } = state
  const { title, notices } = texts.backups
  const context = visit.context(title, state)
  if (app.config.databaseUrl !== undefined) return { html: <EngineBackupsPage context={context} /> }
  const plan = await readBackupPlan(app.db)
  const { timeZone } = visit.organisation
  const verified = await newestVerified(app.db)
  return {
    html: (
      <BackupsPage
        context={context}
        notice={visit.noticeIn(notices)}
        values={await valuesOf(visit)}
        passphrase={passphrase}
        hasPlan={plan !== undefined}
        isMissed={await isBackupMissed(app)}
        isPaused={(await sendingPause(app.db)) !== undefined}
        isOnSameDisk={plan?.place === 'folder' && (await isOnSameDisk(app, plan.folder))}
        {...(await storedSecrets(app.db))}
        isKeyIncluded={isKeyInBackups(app.config)}
        isKeyCopyMissing={await isKeyCopyMissing(app)}
        frequencies={FREQUENCIES}
        next={plan && nextSlot(plan, app.now(), timeZone)}
        lastVerified={verified?.startedAt}
        runs={await runsOf(visit)}
      />
    ),
    status,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const input = { ...(await valuesOf(visit)), s3: form.s3 ?? '', newPassphrase: form.newPassphrase === 'on' }
  const result = await runConfirmedAction(visit, () => changeBackupPlan(app, originOf(visit), input))
  if ('errors' in result) return page(visit, result)
  // Shown in the answer to the form alone: a page that is loaded again does not have it.
  if (result.done !== undefined) return page(visit, { passphrase: result.done, asksForPassword: false })
  return { redirect: `${BACKUPS_PATH}?notice=saved` }
}

export async function runNow({ app }: Visit): Promise<PageResponse> {
  await startBackup(app)
  return { redirect: `${BACKUPS_PATH}?notice=started` }
}

export async function testCopy(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const result = await runConfirmedAction(visit, () => testKeyCopy(app, originOf(visit), form.copy ?? ''))
  return 'errors' in result ? page(visit, result) : { redirect: `${BACKUPS_PATH}?notice=copyTested` }
}

export async function postKeyCopyLater({ app }: Visit): Promise<PageResponse> {
  await remindLater(app)
  return { redirect: `${BACKUPS_PATH}?notice=later` }
}

// Settings → Backups → one backup: the question before it is downloaded. Administrators only.

async function loadRun({ app, params }: Visit): Promise<BackupRun> {
  const run = await findRun(app.db, params.id ?? '')
  if (run && (await isDownloadable(app, run, await currentBucket(app)))) return run
  throw new Refusal('not_found', violation('backup_gone'))
}

export async function backupDownloadPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { id, startedAt, fileName, place, bytes = 0, documents = 0, verdict } = await loadRun(visit)
  const context = visit.context(visit.texts.backups.downloading.title, state)
  const backup = { id, startedAt, fileName, place, bytes, documents, isVerified: verdict === 'verified' }
  return {
    html: <BackupDownloadPage context={context} isKeyIncluded={isKeyInBackups(visit.app.config)} backup={backup} />,
    status: state.status ?? 200,
  }
}

export async function downloadFile(visit: Visit): Promise<PageResponse> {
  const run = await loadRun(visit)
  const result = await runConfirmedAction(visit, () => downloadBackup(visit.app, originOf(visit), run))
  if ('errors' in result) return backupDownloadPage(visit, result)
  const headers = {
    ...PRIVATE,
    'content-type': 'application/octet-stream',
    'content-length': String(run.bytes),
    'content-disposition': attachment(run.fileName),
  }
  return { response: new Response(result.done, { headers }) }
}

/** Settings → Backups → Resume sending, after a restore. */
export async function sendingPausePage(visit: Visit, form: FormState) {
  const { app, texts } = visit
  const context = visit.context(texts.backups.pause.title, form)
  return (
    <SendingPausePage
      context={context}
      pause={await sendingPause(app.db)}
      baseUrl={app.config.baseUrl}
      waiting={await waitingToSend(app.db, app.now())}
    />
  )
}
