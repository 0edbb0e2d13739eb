/** What administrators change about people: each change is audited and mailed to the person. */
import { appendInstanceEvent } from '../audit/log.ts'
import { erasePersonalOfUser, eraseSearches } from '../audit/queries.ts'
import type { DomainEvent, InstanceEvent } from '../core/document/event.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { cleanLine } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { eraseMailFiles } from '../outbox/outbox.ts'
import { dropNoticesTo, type Mail } from '../outbox/queries.ts'
import type { App, Origin, Role } from '../ports.ts'
import { actorName, type NoticeTexts, tell } from './account-mail.ts'
import { dropResetLink } from './factor-queries.ts'
import { withdrawInvitationsBy } from './invitations.ts'
import { recordRevoked } from './keys.ts'
import * as queries from './people-queries.ts'
import { personNameError } from './person-name.ts'
import { dropSessionsOf } from './queries.ts'
import { requireAdministrator, requireAnotherAdministrator, rightsOf } from './rights.ts'

interface Change {
  tx: Tx
  person: queries.Person
  /** The acting administrator; `undefined` for the command line. */
  by: queries.Person | undefined
}

interface Outcome {
  event: DomainEvent<InstanceEvent>
  mail: (texts: NoticeTexts, by: string, organisation: string) => { subject: string; paragraphs: string[] }
}

/** Runs a change, which returns `undefined` if there was nothing to change. */
async function changePerson(
  app: App,
  id: string,
  origin: Origin,
  work: (change: Change) => Promise<Outcome | undefined>,
): Promise<void> {
  await app.write(async tx => {
    const by = await requireAdministrator(tx, origin)
    const person = await loadPerson(tx, id)
    const outcome = await work({ tx, person, by })
    if (!outcome) return
    await appendInstanceEvent(tx, app, outcome.event, origin)
    await tell(tx, app, person, (texts, organisation) => outcome.mail(texts, actorName(by, texts), organisation))
  })
}

/** @throws Refusal `not_found` */
export async function loadPerson(db: Parameters<typeof queries.personById>[0], id: string): Promise<queries.Person> {
  const person = await queries.personById(db, id)
  if (!person) throw new Refusal('not_found', violation('account_not_found'))
  return person
}

export async function renamePerson(app: App, id: string, name: string, origin: Origin): Promise<void> {
  refuseIfInvalid(errorsIn([['name', personNameError(app, name)]]))
  const to = cleanLine(name)
  await changePerson(app, id, origin, async ({ tx, person }) => {
    if (to === person.name) return undefined
    await queries.setName(tx, id, to)
    const personal = { from: person.name, to }
    return {
      event: { type: 'user.renamed', data: { userId: id }, personal },
      mail: (texts, by) => texts.renamed(by, person.name, to),
    }
  })
}

export async function changeRole(app: App, id: string, role: Role, origin: Origin): Promise<void> {
  await changePerson(app, id, origin, async ({ tx, person }) => {
    if (role === person.role) return undefined
    await requireAnotherAdministrator(tx, person)
    return setRoleWithRights(tx, app, person, role, origin)
  })
}

async function setRoleWithRights(
  tx: Tx,
  app: App,
  { id, role: from }: queries.Person,
  to: Role,
  origin: Origin,
): Promise<Outcome> {
  await queries.setRole(tx, id, to)
  await recordRevoked(tx, app, await queries.limitKeysOf(tx, id, rightsOf(to).scopes, app.now()), origin)
  if (from === 'admin') await withdrawInvitationsBy(tx, app, id, origin)
  return {
    event: { type: 'user.role_changed', data: { userId: id, from, to } },
    mail: (texts, by) => texts.roleChanged(by, to),
  }
}

/** `by`: the identity provider that gives the role. The caller keeps the last administrator. */
export async function changeRoleIn(
  tx: Tx,
  app: App,
  person: queries.Person,
  role: Role,
  by: string,
  origin: Origin,
): Promise<void> {
  const { event, mail } = await setRoleWithRights(tx, app, person, role, origin)
  await appendInstanceEvent(tx, app, event, origin)
  await tell(tx, app, person, (texts, organisation) => mail(texts, by, organisation))
}

/** Ends the sessions and revokes the keys at once. Documents and webhooks stay with the person. */
export async function disablePerson(app: App, id: string, origin: Origin): Promise<void> {
  await changePerson(app, id, origin, async ({ tx, person, by }) => {
    if (person.disabledAt) return undefined
    await requireAnotherAdministrator(tx, person)
    if (by?.id === id) throw new Refusal('forbidden', violation('own_account_to_disable'))
    await queries.setDisabled(tx, id, app.now())
    await recordRevoked(tx, app, await queries.revokeKeysOf(tx, id, app.now()), origin)
    await endAccess(tx, id)
    await withdrawInvitationsBy(tx, app, id, origin)
    return { event: { type: 'user.disabled', data: { userId: id } }, mail: (texts, by, to) => texts.disabled(by, to) }
  })
}

async function endAccess(tx: Tx, id: string): Promise<void> {
  await dropSessionsOf(tx, id)
  await dropResetLink(tx, id)
}

/** The password stays as it was; revoked keys stay revoked. */
export async function enablePerson(app: App, id: string, origin: Origin): Promise<void> {
  await changePerson(app, id, origin, async ({ tx, person }) => {
    if (!person.disabledAt) return undefined
    await queries.setDisabled(tx, id, undefined)
    return {
      event: { type: 'user.enabled', data: { userId: id } },
      mail: (texts, by, to) => texts.enabled(by, to, app.config.baseUrl),
    }
  })
}

/** Only of a person to whom no document, no template and no webhook belongs. */
export async function removePerson(app: App, id: string, origin: Origin): Promise<void> {
  let mails: Mail[] = []
  await changePerson(app, id, origin, async ({ tx, person, by }) => {
    await requireAnotherAdministrator(tx, person)
    if (by?.id === id) throw new Refusal('forbidden', violation('own_account_to_remove'))
    if (queries.ownsSomething(await queries.belongingsOf(tx, id))) {
      throw new Refusal('forbidden', violation('account_with_belongings', { name: person.name }))
    }
    await withdrawInvitationsBy(tx, app, id, origin)
    await queries.deleteUser(tx, id)
    const addresses = await erasePersonalOfUser(tx, person)
    await eraseSearches(tx, addresses)
    mails = await dropNoticesTo(tx, addresses)
    // Without the name: nothing of the person stays but the id.
    return {
      event: { type: 'user.removed', data: { userId: id } },
      mail: (texts, by, to) => ({ ...texts.removed(by, to), isLast: true }),
    }
  })
  // A crash before leaves files without a row, which the schedule deletes.
  await eraseMailFiles(app, mails)
}
