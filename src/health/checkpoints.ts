/**
 * Makes checkpoints of the audit log by itself, as rows and, where set, in a folder and by mail.
 * Before each it looks whether the log still contains the last one that is kept.
 */
import { endAlert, raiseAlert } from '../alerts/alerts.ts'
import { newestCheckpoints } from '../audit/checkpoint-queries.ts'
import { auditHead } from '../audit/log.ts'
import { eventsBySequence, lastAtOfType } from '../audit/queries.ts'
import { chooseAppLanguage } from '../core/language.ts'
import type { Db } from '../db/open.ts'
import type { Checkpoint, VerifiedCheckpoint } from '../evidence/checkpoint.ts'
import { DAY_MS, MINUTE_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import { appTextsOf } from '../locales/app.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import { queueNotice } from '../outbox/outbox.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { readSetting, saveSetting } from '../settings/queries.ts'
import { describeSealCertificates } from '../settings/seal-certificate.ts'
import { readServiceSettings } from '../settings/service-settings.ts'
import { newestKept, storeCheckpoint } from './checkpoint-folder.ts'
import { makeCheckpoint, stampNewestCheckpoint } from './make-checkpoint.ts'

const SETTING = 'checkpoints.last'
/** A run a little early must not move the next one by a day. */
const SLACK_MS = 10 * MINUTE_MS

export interface CheckpointPlan {
  folder: string | undefined
  email: string | undefined
  every: 'daily' | 'weekly'
  /** In the folder; older ones are removed. */
  keep: number
}

export async function checkpointPlan(app: App): Promise<CheckpointPlan> {
  const { checkpointFolder, checkpointEmail, checkpointEvery, checkpointKeep } = await readServiceSettings(app)
  const [folder, email] = [checkpointFolder.value, checkpointEmail.value]
  return { folder, email, every: checkpointEvery.value, keep: checkpointKeep.value }
}

export interface LastCheckpoint {
  at: Date
  sequence: number
  hash: string
  /** Where it was stored. */
  folder: string | undefined
  /** To whom it was mailed. */
  email: string | undefined
  /** Why it is not in the folder. */
  failure: string | undefined
}

export async function lastCheckpoint(db: Db): Promise<LastCheckpoint | undefined> {
  const text = await readSetting(db, SETTING)
  if (text === undefined) return undefined
  const { at, ...rest } = JSON.parse(text) as Omit<LastCheckpoint, 'at'> & { at: string }
  return { ...rest, at: new Date(at) }
}

/** Scheduled each hour. One that could not be stored is tried again at the next run. */
export async function makeDueCheckpoint(app: App): Promise<void> {
  const plan = await checkpointPlan(app)
  if (plan.folder === undefined) await endAlert(app, 'checkpoint_failed')
  await stampNewestCheckpoint(app)
  const isElsewhere = plan.folder !== undefined || plan.email !== undefined
  if (!isElsewhere && !(await hasNewEntries(app))) return
  const last = await lastCheckpoint(app.db)
  const isDifferent = last?.folder !== plan.folder || last?.email !== plan.email
  const sinceMs = app.now().getTime() - (last?.at.getTime() ?? 0)
  const everyMs = plan.every === 'daily' ? DAY_MS : 7 * DAY_MS
  if (!isDifferent && sinceMs >= 0 && sinceMs < everyMs - SLACK_MS) return
  await keepCheckpoint(app, plan, SYSTEM)
}

/** Whether anything but the last checkpoint has happened, or the log became shorter. */
async function hasNewEntries({ db }: App): Promise<boolean> {
  const [newest] = await newestCheckpoints(db, 1)
  return (await auditHead(db)).sequence !== (newest === undefined ? 0 : newest.sequence + 1)
}

/** Returns why it is not in the folder; undefined if it is, or if none is set. */
export async function keepCheckpoint(app: App, plan: CheckpointPlan, origin: Origin): Promise<string | undefined> {
  // A log that lacks the last checkpoint gets no new one: that would replace the proof.
  const cut = await findCut(app)
  if (cut !== undefined) {
    await raiseAlert(app, { kind: 'audit_log_cut', found: cut })
    return englishOfDiagnosis(cut)
  }
  const before = await lastCheckpoint(app.db)
  const made = await makeCheckpoint(app, origin)
  await endAlert(app, 'audit_log_cut')
  const { sequence, hash, at } = made.checkpoint
  const failure = plan.folder === undefined ? undefined : await stored(app, plan, { text: made.text, at: new Date(at), sequence })
  // Each hour's try after a failure is not mailed again.
  const isMailed = plan.email !== undefined && before?.failure === undefined
  await app.write(async tx => {
    if (isMailed && plan.email !== undefined) {
      const { name, language: own } = await readOrganisation(tx)
      const language = chooseAppLanguage(own, null)
      const t = appTextsOf(language).checkpoints.mail
      const attachment = { fileName: made.fileName, contentType: 'message/rfc822', text: made.text }
      const notice = { subject: t.subject(name), paragraphs: t.paragraphs(String(sequence), hash), language, attachment }
      await queueNotice(tx, app, { name: '', email: plan.email }, notice)
    }
    const folder = failure === undefined ? plan.folder : undefined
    const last = { at, sequence, hash, folder, email: plan.email, failure }
    await saveSetting(tx, SETTING, JSON.stringify(last))
  })
  return failure
}

async function stored(
  app: App,
  { folder = '', keep }: CheckpointPlan,
  checkpoint: { text: string; at: Date; sequence: number },
): Promise<string | undefined> {
  try {
    await storeCheckpoint({ ...app, folder }, keep, checkpoint)
    await endAlert(app, 'checkpoint_failed')
    return undefined
  } catch (error) {
    const reason = errorMessage(error)
    await raiseAlert(app, { kind: 'checkpoint_failed', found: diagnosis('checkpoint_failed', { folder, reason }) })
    return reason
  }
}

/**
 * The newest checkpoint in the folder, by a certificate of this instance. Undefined if there is
 * none, or if a backup was restored since: then the log may lack what it covers.
 */
export async function keptCheckpoint(app: App): Promise<VerifiedCheckpoint | undefined> {
  const { folder } = await checkpointPlan(app)
  // A folder that cannot be read is an alert when the next checkpoint is stored there.
  const kept =
    folder === undefined
      ? undefined
      : await newestKept({ ...app, folder }, { timestampTrust: [], now: app.now() }).catch(() => undefined)
  if (!kept || kept.checkpoint.instance !== app.instance.id) return undefined
  const isOwn = (await describeSealCertificates(app.db)).some(({ sha256 }) => sha256 === kept.signer.sha256)
  const restoredAt = await lastAtOfType(app.db, 'instance.restored')
  return isOwn && !(restoredAt && restoredAt.toISOString() >= kept.checkpoint.at) ? kept : undefined
}

/** The newest checkpoint that is a row. A restored backup brings its own. */
export async function newestOfRows(db: Db): Promise<Pick<Checkpoint, 'sequence' | 'hash' | 'at'> | undefined> {
  const [newest] = await newestCheckpoints(db, 1)
  return newest && { sequence: newest.sequence, hash: newest.hash, at: newest.at.toISOString() }
}

/** What is wrong if the log lacks the last checkpoint, of the rows or of the folder. */
async function findCut(app: App): Promise<Diagnosis | undefined> {
  const kept = [(await keptCheckpoint(app))?.checkpoint, await newestOfRows(app.db)]
  for (const checkpoint of kept) {
    if (checkpoint === undefined || checkpoint.sequence === 0) continue
    const { sequence, hash, at } = checkpoint
    const [entry] = await eventsBySequence(app.db, [sequence])
    const found = { sequence, day: at.slice(0, 10) }
    if (entry?.hash !== hash) return diagnosis(entry ? 'audit_log_has_other_entry' : 'audit_log_lacks_entry', found)
  }
  return undefined
}
