/** Texts of the warnings, in English. Their messages are translated by `storedText`. */
import type { AlertKind } from '../../../core/alert.ts'

const kinds: Record<AlertKind, string> = {
  database_damaged: 'The database is damaged',
  audit_log_cut: 'The audit log lacks entries',
  witness_disagrees: 'A witness disagrees',
  witnessed_log_differs: 'Another log differs',
  file_damaged: 'A stored file is damaged',
  document_unreadable: 'A document cannot be read',
  sending_paused: 'Nothing is sent',
  clock_doubted: 'The clock is doubted',
  disk_low: 'The disk is nearly full',
  seals_failing: 'Documents cannot be sealed',
  mail_failing: 'E-mails do not go out',
  certificate_ends: 'The seal certificate ends',
  jobs_stuck: 'Work is not being done',
  clock_wrong: 'The clock is wrong',
  timestamps_failing: 'There are no time-stamps',
  setting_unreadable: 'A setting cannot be read',
  backup_missing: 'There are no backups',
  backup_overdue: 'The last backup is too old',
  backup_failed: 'A backup failed',
  checkpoint_failed: 'A checkpoint was not stored',
  witness_silent: 'The witness is silent',
  webhook_disabled: 'A webhook was disabled',
  webhook_failing: 'A webhook fails',
}

/** What the page is called that mends it. */
const links: Record<AlertKind, string> = {
  database_damaged: 'See what to do',
  audit_log_cut: 'See the checkpoints',
  witness_disagrees: 'See what to do',
  witnessed_log_differs: 'See what to do',
  file_damaged: 'See what to do',
  document_unreadable: 'See what to do',
  sending_paused: 'See what waits',
  clock_doubted: 'Say which time is right',
  disk_low: 'See how much is free',
  seals_failing: 'See what waits',
  mail_failing: 'Check the mail server',
  certificate_ends: 'Open the seal settings',
  jobs_stuck: 'See what waits',
  clock_wrong: 'See the clock',
  timestamps_failing: 'Test the authority',
  setting_unreadable: 'See what to do',
  backup_missing: 'Set up backups',
  backup_overdue: 'See the backups',
  backup_failed: 'See the backups',
  checkpoint_failed: 'See the checkpoints',
  witness_silent: 'See the witness',
  webhook_disabled: 'Open the webhook',
  webhook_failing: 'Open the webhook',
}

export const alerts = {
  kinds,
  links,
  /** After the message of the first of several. */
  more: (count: number) => (count === 1 ? 'One more like it is open.' : `${count.toLocaleString('en')} more like it are open.`),
  mail: {
    several: (count: number) => `${count} warnings about your signing service`,
    more: (count: number) => `And ${count.toLocaleString('en')} more of this kind.`,
    last: (count: number) => `This is the ${count}th e-mail of this kind within a day: no more will be sent for a day.`,
    why: 'You get this because you are an administrator. You can turn these e-mails off in your profile.',
    link: 'See all warnings',
    again: 'E-mails go out again',
    againText: (from: string, to: string) =>
      `From ${from} to ${to} no e-mail could be sent. What waited goes out by itself now; nothing was lost.`,
    againLink: 'See the e-mails',
  },
}
