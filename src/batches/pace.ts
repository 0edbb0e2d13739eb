/** How many bulk mails may be queued now: by the rate that is set, and by how fast they leave. */
import type { App } from '../ports.ts'
import { readServiceSetting } from '../settings/service-settings.ts'
import { mailsDue, mailsQueued, type NewestMail, newestMails } from './pace-queries.ts'

const MINUTE_MS = 60_000
/** More are not queued than are sent within a minute or two: a batch that is stopped soon rests. */
const MAX_MAILS_DUE = 100
/** The newest mails show whether the server accepts more. After an hour it is tried again. */
const MAILS_READ = 10
const READ_FOR_MS = 3_600_000
/** One recipient's own server may be away; these are more. */
const MIN_DEFERRED = 3

/** By rows, not by what this process knows: it holds after a restart and on another node. */
export async function mailAllowance(app: Pick<App, 'config' | 'db' | 'secrets' | 'now'>): Promise<number> {
  const now = app.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const perMinute = await readServiceSetting(app, 'bulkMailsPerMinute')
  const due = await mailsDue(app.db, now, MAX_MAILS_DUE)
  if (due >= MAX_MAILS_DUE || isDeferring(await newestMails(app.db, before(READ_FOR_MS), MAILS_READ))) return 0
  const queued = await mailsQueued(app.db, before(MINUTE_MS), now)
  // Called once a second: evenly, instead of all at the begin of each minute.
  return Math.min(perMinute - queued, Math.ceil(perMinute / 60), MAX_MAILS_DUE - due)
}

/** Whether the mail server asks for later attempts, or does not answer. */
function isDeferring(mails: readonly NewestMail[]): boolean {
  const deferred = mails.filter(({ status, reply }) => status === 'queued' && reply !== null).length
  return deferred >= MIN_DEFERRED && deferred > mails.filter(({ status }) => status === 'accepted').length
}
