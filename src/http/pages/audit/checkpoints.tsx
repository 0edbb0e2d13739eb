/** Settings → Audit log → Checkpoints. Administrators only; changes ask for the password again. */
import {
  type CheckpointRow,
  type CheckpointState,
  CheckpointsPage,
  type CheckpointValues,
} from '../../../../views/audit/checkpoints.tsx'
import { checkpointById, newestCheckpoints } from '../../../audit/checkpoint-queries.ts'
import { SERVICE_ROWS } from '../../../config/service-rows.ts'
import { CHECKPOINTS_PATH } from '../../../core/page-paths.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import { PAGE_SIZE } from '../../../core/service-limits.ts'
import { violation } from '../../../core/violation.ts'
import { checkpointFolderError } from '../../../health/checkpoint-folder.ts'
import { checkpointPlan, keepCheckpoint, lastCheckpoint } from '../../../health/checkpoints.ts'
import { checkpointFileName } from '../../../health/make-checkpoint.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { attachment } from '../../../lib/file-names.ts'
import { changeServiceSettings, readServiceSettings, type SettingChanges } from '../../../settings/service-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { numberIn } from '../../frame/query.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'

const NAMES = ['checkpointFolder', 'checkpointEmail', 'checkpointEvery', 'checkpointKeep'] as const

export async function page(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { app, form, texts } = visit
  const t = texts.checkpoints
  const settings = await readServiceSettings(app)
  const values = NAMES.map(name => [name, form[name] ?? settings[name].text])
  const fixed = NAMES.filter(name => settings[name].source === 'environment').map(name => [name, SERVICE_ROWS[name].variable])
  const { rows, older, newest } = await keptRows(visit)
  const text = errors.length === 0 ? visit.noticeIn(t.notices) : undefined
  return {
    html: (
      <CheckpointsPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={text === undefined ? undefined : { text, isGood: visit.query.notice !== 'failed' }}
        values={Object.fromEntries(values) as CheckpointValues}
        fixed={Object.fromEntries(fixed)}
        state={await checkpointState(visit)}
        rows={rows}
        older={older}
        newest={newest}
      />
    ),
    status,
  }
}

/** One page of those that are kept here. */
async function keptRows({ app, language, clock, query }: Visit): Promise<{
  rows: CheckpointRow[]
  older: string | undefined
  newest: string | undefined
}> {
  const before = numberIn(query, 'before') || undefined
  const found = await newestCheckpoints(app.db, PAGE_SIZE + 1, before)
  const shown = found.slice(0, PAGE_SIZE)
  const last = found.length > PAGE_SIZE ? shown.at(-1)?.sequence : undefined
  return {
    rows: shown.map(({ id, at, sequence, stampedAt, authority }) => ({
      id,
      at: pageTime(at, clock),
      entries: sequence.toLocaleString(language),
      stamped: stampedAt && { at: pageTime(stampedAt, clock), authority: authority ?? '' },
    })),
    older: last === undefined ? undefined : `${CHECKPOINTS_PATH}?before=${last}`,
    newest: before === undefined ? undefined : CHECKPOINTS_PATH,
  }
}

export async function download({ app, params }: Visit): Promise<PageResponse> {
  const kept = await checkpointById(app.db, params.id ?? '')
  if (!kept) throw new Refusal('not_found', violation('checkpoint_unknown'))
  const headers = { 'content-type': 'message/rfc822', 'content-disposition': attachment(checkpointFileName(kept)) }
  return { response: new Response(kept.text, { headers }) }
}

/** The last one, and where it went. */
export async function checkpointState({ app, texts, language, clock }: Visit): Promise<CheckpointState> {
  const t = texts.checkpoints
  const { folder, email } = await checkpointPlan(app)
  const last = await lastCheckpoint(app.db)
  if (folder === undefined && email === undefined) {
    const made = last ? [t.last(last.sequence.toLocaleString(language), pageTime(last.at, clock))] : []
    return { tone: 'info', title: t.none, texts: [...made, t.noneText] }
  }
  if (!last) return { tone: 'info', title: t.section, texts: [t.waiting] }
  const places = [
    t.last(last.sequence.toLocaleString(language), pageTime(last.at, clock)),
    ...(last.folder === undefined ? [] : [t.inFolder(last.folder)]),
    ...(last.email === undefined ? [] : [t.mailed(last.email)]),
    ...(last.failure === undefined ? [] : [t.failed(last.failure)]),
  ]
  return { tone: last.failure === undefined ? 'good' : 'warn', title: t.section, texts: places }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const settings = await readServiceSettings(app)
  const free = NAMES.filter(name => settings[name].source !== 'environment')
  const changes: SettingChanges = Object.fromEntries(free.map(name => [name, (form[name] ?? '').trim()]))
  const { checkpointFolder: folder = '' } = changes
  const result = await runConfirmedAction(visit, async () => {
    const found = folder === '' ? undefined : await checkpointFolderError(app.fileSystem, folder, app.config.dataFolder)
    refuseIfInvalid(errorsIn([['checkpointFolder', found]]))
    await app.write(tx => changeServiceSettings(tx, app, originOf(visit), changes))
  })
  return 'errors' in result ? page(visit, result) : { redirect: `${CHECKPOINTS_PATH}?notice=saved` }
}

export async function runNow(visit: Visit): Promise<PageResponse> {
  const failure = await keepCheckpoint(visit.app, await checkpointPlan(visit.app), originOf(visit))
  return { redirect: `${CHECKPOINTS_PATH}?notice=${failure === undefined ? 'made' : 'failed'}` }
}
