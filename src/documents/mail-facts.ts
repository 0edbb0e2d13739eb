/** What an e-mail shows of the organisation, the document and its recipient. Without the link. */
import type { Document, Recipient } from '../core/document.ts'
import { type Language, languageOf } from '../core/language.ts'
import { sameMailbox } from '../core/text.ts'
import { readableTime } from '../lib/clock-format.ts'
import { catalogueOf } from '../locales/index.ts'
import type { Mailbox } from '../mailer/message.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { readServiceSetting } from '../settings/service-settings.ts'

type Person = Pick<Recipient, 'name' | 'email'>

export async function letterFacts(app: App, { name, email }: Person, language: Language) {
  const { name: organisation, contact, colour } = await readOrganisation(app.db)
  const { environment, isProduction } = app.instance
  // The contact itself gets no hint to ask the contact.
  const asked = contact !== undefined && sameMailbox(contact, email) ? undefined : contact
  const texts = catalogueOf(language).mail
  return { language, texts, organisation, contact: asked, environment, isProduction, name, colour }
}

/** `recipient` is undefined for a mail to the sender. */
export async function documentFacts(app: App, person: Person, document: Document, recipient: Recipient | undefined) {
  const { timeZone, language: own } = await readOrganisation(app.db)
  const language = languageOf(recipient?.locale ?? document.locale, own)
  return {
    ...(await letterFacts(app, person, language)),
    title: document.title,
    role: recipient?.role,
    message: document.message,
    expires: document.expiresAt ? readableTime(document.expiresAt, timeZone, language) : undefined,
    toSender: recipient === undefined,
  }
}

/** The configured address, with the organisation's name if none is configured. */
export async function senderOf(app: App, organisationName: string): Promise<Mailbox> {
  const { name, address } = await readServiceSetting(app, 'mailFrom')
  return { name: name || organisationName, address }
}
