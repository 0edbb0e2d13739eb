/** Mails the administrators that mails go out again, with the time in which none did. */
import { mailPerson } from '../accounts/account-mail.ts'
import { addressesForWarnings } from '../accounts/notified.ts'
import { chooseAppLanguage } from '../core/language.ts'
import type { Tx } from '../db/open.ts'
import { pageTime } from '../lib/clock-format.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { lastAcceptedMail } from './watch-queries.ts'

/** Nothing is mailed if it ended because what waited was deleted. */
export async function mailAgain(tx: Tx, app: App, since: Date): Promise<void> {
  const accepted = await lastAcceptedMail(tx)
  if (!accepted || accepted < since) return
  const { timeZone, language } = await readOrganisation(tx)
  for (const to of await addressesForWarnings(tx)) {
    const time = (at: Date) => pageTime(at, timeZone, chooseAppLanguage(to.language ?? language, null))
    await mailPerson(tx, app, to, ({ alerts: { mail } }) => ({
      subject: mail.again,
      paragraphs: [mail.againText(time(since), time(accepted)), mail.why],
      link: { text: mail.againLink, path: '/outbox' },
    }))
  }
}
