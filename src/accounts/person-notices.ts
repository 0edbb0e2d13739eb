/** Mails that tell a person what an administrator changed in their account. */
import { chooseAppLanguage } from '../core/language.ts'
import type { Tx } from '../db/open.ts'
import { type AppTexts, appTextsOf } from '../locales/app.ts'
import { queueNotice } from '../outbox/outbox.ts'
import type { Notice } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import type { Person } from './people-queries.ts'

interface Addressee {
  name: string
  email: string
  language: string | undefined
}

export type NoticeTexts = AppTexts['people']['mails']
type Letter = Pick<Notice, 'subject' | 'paragraphs' | 'link'>

/** Queues a mail in the person's language, by default the organisation's. */
export async function tell(
  tx: Tx,
  app: Pick<App, 'newId' | 'now'>,
  to: Addressee,
  compose: (texts: NoticeTexts, organisation: string) => Letter,
): Promise<void> {
  const { name, language: own } = await readOrganisation(tx)
  const language = chooseAppLanguage(to.language ?? own, null)
  await queueNotice(tx, app, to, { ...compose(appTextsOf(language).people.mails, name), language })
}

/** The name of the acting administrator. */
export const actorName = (actor: Person | undefined, texts: NoticeTexts) => actor?.name ?? texts.commandLine
