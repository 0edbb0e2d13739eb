/** People a user has sent documents to: sending adds them, the user corrects and forgets them. */
import { MAX_PERSON_NAME } from '../core/document/document-limits.ts'
import { languageOf } from '../core/language.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { cleanLine, emailError, lineError, sameMailbox, unprintableError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import type { Actor, App } from '../ports.ts'
import * as queries from './contact-queries.ts'
import { userById } from './queries.ts'

const MAX_CONTACTS = 5_000

export interface ContactInput {
  name: string
  email: string
  /** Empty if the person has none of their own. */
  locale: string
}

type Owner = Pick<Actor, 'userId'>

function ownerOf({ userId }: Owner): string {
  if (userId === undefined) throw new Refusal('forbidden', violation('contacts_of_nobody'))
  return userId
}

/** @throws Refusal `validation_failed` */
function parse(app: Pick<App, 'unprintable'>, { name, email, locale }: ContactInput): Omit<queries.Contact, 'id'> {
  const address = email.trim()
  const tooLong = [...cleanLine(name)].length > MAX_PERSON_NAME ? violation('too_long', { max: MAX_PERSON_NAME }) : undefined
  refuseIfInvalid(
    errorsIn([
      ['name', lineError(name) ?? tooLong ?? unprintableError(name, app)],
      ['email', emailError(address)],
    ]),
  )
  return { name: cleanLine(name), email: address, locale: locale === '' ? undefined : languageOf(locale) }
}

/** `id` is undefined for a new contact. Another contact with the same address is refused. */
export async function putContact(app: App, owner: Owner, id: string | undefined, input: ContactInput): Promise<void> {
  const userId = ownerOf(owner)
  const contact = parse(app, input)
  await app.write(
    async tx => {
      const same = await queries.contactByEmail(tx, userId, contact.email)
      if (same && same.id !== id) refuseIfInvalid([{ path: 'email', ...violation('contact_known', { name: same.name }) }])
      if (id === undefined)
        return queries.saveContact(tx, userId, { ...contact, id: app.newId('ctc') }, { now: app.now(), isKept: true })
      if (!(await queries.findContact(tx, userId, id))) throw notFound()
      return queries.updateContact(tx, userId, { ...contact, id })
    },
    { wake: false },
  )
}

const notFound = () => new Refusal('not_found', violation('contact_not_found'))

export async function contactOf(app: App, owner: Owner, id: string): Promise<queries.Contact> {
  const contact = await queries.findContact(app.db, ownerOf(owner), id)
  if (!contact) throw notFound()
  return contact
}

/** Documents sent to the person are unchanged. */
export function forgetContact(app: App, owner: Owner, id: string): Promise<void> {
  const userId = ownerOf(owner)
  return app.write(tx => queries.deleteContact(tx, userId, id), { wake: false })
}

export interface Addressee {
  name: string
  email: string
  locale: string | undefined
}

/** Called when a person sends a document. The person's own address is not a contact. */
export async function rememberContacts(tx: Tx, app: App, { userId }: Owner, people: readonly Addressee[]): Promise<void> {
  const user = userId === undefined ? undefined : await userById(tx, userId)
  if (!user) return
  for (const { name, email, locale } of people) {
    if (sameMailbox(email, user.email)) continue
    await queries.saveContact(tx, user.id, { id: app.newId('ctc'), name, email, locale }, { now: app.now() })
  }
  await queries.trimContacts(tx, user.id, MAX_CONTACTS)
}

/** Called when a person corrects a recipient: a mistyped address is not offered again. */
export async function correctContact(tx: Tx, app: App, owner: Owner, before: Addressee, after: Addressee): Promise<void> {
  const { userId } = owner
  const known = userId === undefined ? undefined : await queries.contactByEmail(tx, userId, before.email)
  const isMistyped = before.name === after.name && !sameMailbox(before.email, after.email)
  // Another name is another person, and a name that was changed in the contacts was looked at.
  if (userId !== undefined && known?.name === before.name && isMistyped) await queries.deleteContact(tx, userId, known.id)
  await rememberContacts(tx, app, owner, [after])
}
