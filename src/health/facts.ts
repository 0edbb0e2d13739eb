/** What the Health page shows: facts that are cheap to read. What reads much runs as a check. */
import { type Alert, countAlerts, listAlerts } from '../alerts/queries.ts'
import { isBackupMissed } from '../backups/plan.ts'
import { newestVerified } from '../backups/run-queries.ts'
import { SERVICE_SETTING_NAMES, serviceRow } from '../config/service-rows.ts'
import { latestVersion } from '../db/migrate.ts'
import { CHECKED_AT } from '../documents/files/damage.ts'
import { databasePath } from '../lib/data-paths.ts'
import type { DiskLevel, DiskSpace } from '../lib/disk.ts'
import { DAY_MS } from '../lib/duration.ts'
import { countWaitingJobs, JOB_KINDS, type JobKind } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { isRotationUnfinished } from '../settings/master-key-rotation.ts'
import { allSettings } from '../settings/queries.ts'
import { describeSealCertificate, type SealCertificate } from '../settings/seal-certificate.ts'
import { readServiceSettings } from '../settings/service-settings.ts'
import { lastTimestampAnswer, type TimestampAnswer } from '../settings/timestamp-settings.ts'
import type { Finding } from './finding.ts'
import * as queries from './queries.ts'
import { readUpgrade } from './upgrade.ts'

/** More are shown as so many: counting all would take as long as a backlog is big. */
export const MAX_COUNTED = 1000
const MAX_ALERTS = 20

export interface JobFacts {
  kind: JobKind
  /** Due, and not begun. */
  waiting: number
  failing: queries.FailingJobs | undefined
}

export interface HealthFacts {
  alerts: Alert[]
  database: { engine: 'sqlite' | 'postgresql'; bytes: number; schema: number; problem: string | undefined }
  files: { damaged: number; checkedAt: Date | undefined }
  disk: { level: DiskLevel; space: DiskSpace; isWritable: boolean }
  backup: { isMissed: boolean; last: Date | undefined }
  certificate: SealCertificate
  /** Addresses of time-stamp authorities. */
  authorities: number
  /** Undefined: none was asked yet. */
  timestamp: TimestampAnswer | undefined
  isMailSent: boolean
  mailsFailedToday: number
  jobs: JobFacts[]
  isUpgradeFinished: boolean
  /** Of several nodes; empty for one. */
  nodes: queries.NodeRow[]
  clockDifferenceMs: number
  /** Variables of the environment that fix a setting. */
  fixed: string[]
  /** `former`: after a rotation, the file of this node does not have the new key yet. */
  masterKey: 'elsewhere' | 'in folder' | 'former'
  check: { isRunning: boolean; finishedAt: Date | undefined; findings: Finding[] }
}

export async function healthFacts(app: App): Promise<HealthFacts> {
  const { db, node, now } = app
  const settings = await readServiceSettings(app)
  const jobs = await Promise.all(
    JOB_KINDS.map(async kind => ({
      kind,
      waiting: await countWaitingJobs(db, kind, now(), MAX_COUNTED),
      failing: await queries.failingJobs(db, kind, MAX_COUNTED),
    })),
  )
  const checkedAt = (await allSettings(db)).get(CHECKED_AT)
  const run = await queries.checkRun(db, 'installation')
  const fixed = SERVICE_SETTING_NAMES.filter(name => settings[name].source === 'environment')
  return {
    alerts: await listAlerts(db, MAX_ALERTS),
    database: await databaseFacts(app),
    files: {
      damaged: await countAlerts(db, 'file_damaged'),
      checkedAt: checkedAt === undefined ? undefined : new Date(checkedAt),
    },
    disk: { ...(await app.disk.measure()), isWritable: await isWritable(app) },
    backup: { isMissed: await isBackupMissed(app), last: (await newestVerified(db))?.startedAt },
    certificate: await describeSealCertificate(db),
    authorities: settings.tsaUrl.value.length,
    timestamp: await lastTimestampAnswer(db),
    isMailSent: settings.smtpUrl.value !== undefined,
    mailsFailedToday: await queries.failedMails(db, new Date(now().getTime() - DAY_MS), MAX_COUNTED),
    jobs,
    isUpgradeFinished: (await readUpgrade(db)).isFinished,
    nodes: node.isAlone ? [] : await queries.allNodes(db),
    clockDifferenceMs: node.health().clockDifferenceMs,
    fixed: fixed.flatMap(name => serviceRow(name).variable ?? []),
    masterKey: await masterKeyState(app),
    check: {
      isRunning: await queries.isRunning(db, run),
      finishedAt: run?.finishedAt,
      findings: (run?.result as Finding[] | undefined) ?? [],
    },
  }
}

function isWritable({ fileSystem, config }: App): Promise<boolean> {
  return fileSystem.requireWritable(config.dataFolder).then(
    () => true,
    () => false,
  )
}

async function masterKeyState({ db, config }: App): Promise<HealthFacts['masterKey']> {
  if (await isRotationUnfinished(db)) return 'former'
  return config.masterKeyFile === undefined ? 'in folder' : 'elsewhere'
}

async function databaseFacts({ db, config, damage, fileSystem }: App): Promise<HealthFacts['database']> {
  const bytes = db.engine === 'postgresql' ? await queries.databaseBytes(db) : await sizeOfFiles(fileSystem, config.dataFolder)
  return { engine: db.engine, bytes, schema: latestVersion(), problem: damage.databaseProblem() }
}

/** Of SQLite's database with its log, which holds the newest changes. */
async function sizeOfFiles(fileSystem: App['fileSystem'], folder: string): Promise<number> {
  const sizes = ['', '-wal'].map(async suffix => {
    const found = await fileSystem.facts(databasePath(folder) + suffix).catch(() => undefined)
    return found?.size ?? 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
