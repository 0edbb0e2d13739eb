/** The conditions that need an administrator, and the page that mends each. */
import {
  BACKUPS_PATH,
  CHECKPOINTS_PATH,
  CLOCK_PATH,
  HEALTH_PATH,
  MAIL_PATH,
  RESUME_PATH,
  SEAL_PATH,
  TIMESTAMPS_PATH,
  WEBHOOKS_PATH,
  WITNESS_PATH,
  WITNESSED_PATH,
} from './page-paths.ts'

/** The most urgent first. A new kind needs its texts in `alerts.ts` of each language. */
export const ALERT_KINDS = [
  'database_damaged',
  'audit_log_cut',
  'witness_disagrees',
  'witnessed_log_differs',
  'file_damaged',
  'document_unreadable',
  'sending_paused',
  'clock_doubted',
  'disk_low',
  'seals_failing',
  'mail_failing',
  'certificate_ends',
  'jobs_stuck',
  'clock_wrong',
  'timestamps_failing',
  'setting_unreadable',
  'backup_missing',
  'backup_overdue',
  'backup_failed',
  'checkpoint_failed',
  'witness_silent',
  'webhook_disabled',
  'webhook_failing',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Another is mended on the page Health. */
const PATHS: Partial<Record<AlertKind, string>> = {
  sending_paused: RESUME_PATH,
  clock_doubted: CLOCK_PATH,
  mail_failing: MAIL_PATH,
  certificate_ends: SEAL_PATH,
  timestamps_failing: TIMESTAMPS_PATH,
  backup_missing: BACKUPS_PATH,
  backup_overdue: BACKUPS_PATH,
  backup_failed: BACKUPS_PATH,
  audit_log_cut: CHECKPOINTS_PATH,
  checkpoint_failed: CHECKPOINTS_PATH,
  witness_disagrees: WITNESS_PATH,
  witness_silent: WITNESS_PATH,
  witnessed_log_differs: WITNESSED_PATH,
}

/** A node of a later release may have raised other kinds. */
export const isAlertKind = (kind: string): kind is AlertKind => (ALERT_KINDS as readonly string[]).includes(kind)

export function alertPath(kind: AlertKind, subject: string): string {
  if (kind === 'webhook_disabled' || kind === 'webhook_failing') return `${WEBHOOKS_PATH}/${subject}`
  return PATHS[kind] ?? HEALTH_PATH
}
