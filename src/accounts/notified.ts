/** The only place that decides who receives mails about a document, a webhook or the instance. */
import type { MailKind } from '../core/document/follow-up.ts'
import type { Tx } from '../db/open.ts'
import { isMailServerSet } from '../outbox/configured-mailer.ts'
import { isSenderMail } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import type { Addressee } from './account-mail.ts'
import * as queries from './queries.ts'

const addresseeOf = ({ name, email, language }: queries.User): Addressee => ({ name, email, language })

/** The owner unless disabled, or the organisation's contact, or all administrators. */
export async function addressesForOwner(tx: Tx, ownerId: string | undefined): Promise<readonly Addressee[]> {
  const owner = ownerId === undefined ? undefined : await queries.userById(tx, ownerId)
  if (owner && !owner.disabledAt) return [addresseeOf(owner)]
  const { name, contact } = await readOrganisation(tx)
  return contact === undefined ? (await queries.administrators(tx)).map(addresseeOf) : [{ name, email: contact }]
}

/** The administrators, or before the first one is created the organisation's contact. */
export async function addressesForAdministrators(tx: Tx): Promise<Addressee[]> {
  return orContact(tx, (await queries.administrators(tx)).map(addresseeOf))
}

/** The administrators who want warnings. If none does, the contact, or all: never nobody. */
export async function addressesForWarnings(tx: Tx): Promise<Addressee[]> {
  const all = await queries.administrators(tx)
  const wanting = all.filter(({ warningMails }) => warningMails)
  if (wanting.length > 0) return wanting.map(addresseeOf)
  const [contact] = await orContact(tx, [])
  return contact ? [contact] : all.map(addresseeOf)
}

async function orContact(tx: Tx, found: Addressee[]): Promise<Addressee[]> {
  if (found.length > 0) return found
  const { name, contact } = await readOrganisation(tx)
  return contact === undefined ? [] : [{ name, email: contact }]
}

/** Whether a page may say that the sender gets a mail of this kind: it is queued, or arrived. */
export async function isSenderMailed(app: App, documentId: string, kind: MailKind): Promise<boolean> {
  return (await isMailServerSet(app)) && isSenderMail(app.db, documentId, kind)
}
