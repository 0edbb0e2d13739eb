/** The conditions that need an administrator, and the page that mends each. */

/** The most urgent first. A new kind needs its texts in `alerts.ts` of each language. */
export const ALERT_KINDS = [
  'database_damaged',
  'audit_log_cut',
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
  'webhook_disabled',
  'webhook_failing',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Where no other page mends it. */
export const HEALTH_PATH = '/settings/health'

const PATHS: Partial<Record<AlertKind, string>> = {
  sending_paused: '/settings/backups/resume',
  clock_doubted: '/settings/clock',
  mail_failing: '/settings/email',
  certificate_ends: '/settings/seal',
  timestamps_failing: '/settings/seal/time-stamps',
  backup_missing: '/settings/backups',
  backup_overdue: '/settings/backups',
  backup_failed: '/settings/backups',
  audit_log_cut: '/settings/audit/checkpoints',
  checkpoint_failed: '/settings/audit/checkpoints',
}

/** A node of a later release may have raised other kinds. */
export const isAlertKind = (kind: string): kind is AlertKind => (ALERT_KINDS as readonly string[]).includes(kind)

export function alertPath(kind: AlertKind, subject: string): string {
  if (kind === 'webhook_disabled' || kind === 'webhook_failing') return `/settings/webhooks/${subject}`
  return PATHS[kind] ?? HEALTH_PATH
}
