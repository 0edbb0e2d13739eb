/** Mails that tell a person what an administrator changed in their account. */
import type { Tx } from '../db/open.ts'
import type { AppTexts } from '../locales/app.ts'
import type { App } from '../ports.ts'
import { type Addressee, type Letter, mailPerson } from './account-mail.ts'
import type { Person } from './people-queries.ts'

export type NoticeTexts = AppTexts['people']['mails']

export function tell(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  to: Addressee,
  compose: (texts: NoticeTexts, organisation: string) => Letter,
): Promise<void> {
  return mailPerson(tx, app, to, ({ people }, organisation) => compose(people.mails, organisation))
}

/** The name of the acting administrator. */
export const actorName = (actor: Person | undefined, texts: NoticeTexts) => actor?.name ?? texts.commandLine
