/** Mails to a person about their account, in the language in which they use the web app. */
import { type AppLanguage, chooseAppLanguage } from '../core/language.ts'
import type { Tx } from '../db/open.ts'
import { type AppTexts, appTextsOf } from '../locales/app.ts'
import { queueNotice } from '../outbox/outbox.ts'
import type { Notice } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import type { Person } from './people-queries.ts'

export interface Addressee {
  name: string
  email: string
  language?: string | undefined
}

export type Letter = Pick<Notice, 'subject' | 'paragraphs' | 'link' | 'isLast'>

type Compose = (texts: AppTexts, organisation: string, language: AppLanguage) => Letter
type Deps = Pick<App, 'newId' | 'now'>

/** Queues a mail in the person's language, by default the organisation's. */
export async function mailPerson(tx: Tx, app: Deps, to: Addressee, compose: Compose): Promise<void> {
  await queueLetter(tx, app, to, compose)
}

/** As `mailPerson`. Returns the id of the mail. */
export async function queueLetter(tx: Tx, app: Deps, to: Addressee, compose: Compose): Promise<string> {
  const { name, language: own } = await readOrganisation(tx)
  const language = chooseAppLanguage(to.language ?? own, null)
  return queueNotice(tx, app, to, { ...compose(appTextsOf(language), name, language), language })
}

// Mails that tell a person what an administrator changed in their account.

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
