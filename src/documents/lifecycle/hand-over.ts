/** Hands documents, templates, batches and webhooks of a person to another; keys never. */
import { actorName, tell } from '../../accounts/account-mail.ts'
import { loadPerson } from '../../accounts/manage.ts'
import { belongingsOf, ownsSomething, type Person } from '../../accounts/people-queries.ts'
import { requireAdministrator, rightsOf } from '../../accounts/rights.ts'
import { appendInstanceEvent } from '../../audit/log.ts'
import { changeOwner } from '../../core/document/document.ts'
import { DOCUMENTS_PATH } from '../../core/page-paths.ts'
import { errorsIn, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import type { App, Origin } from '../../ports.ts'
import * as webhooks from '../../webhooks/queries.ts'
import { changeOwnerOfBatches, find, idsOfOwner } from '../queries.ts'
import { record } from '../record.ts'

/** Each transaction holds the write lock for a fraction of a second. */
const MAX_IN_TRANSACTION = 100

export interface HandedOver {
  /** And templates. */
  documents: number
  webhooks: number
}

/** People to whom documents can be handed over. */
export function mayReceive({ id, role, disabledAt }: Person, from: Pick<Person, 'id'>): boolean {
  return id !== from.id && !disabledAt && rightsOf(role).scopes.includes('documents:write')
}

/**
 * Every document gets an entry in its own audit trail. A crash leaves the rest with the first
 * person: the same action hands it over. @throws Refusal `validation_failed`, `forbidden`
 */
export async function handOver(app: App, fromId: string, toId: string, origin: Origin): Promise<HandedOver> {
  const moved = await app.write(tx => begin(tx, app, fromId, toId, origin))
  let documents = 0
  for (;;) {
    const count = await app.write(async tx => {
      await partiesOf(tx, fromId, toId, origin)
      return handOverSome(tx, app, fromId, toId, origin)
    })
    documents += count
    if (count < MAX_IN_TRANSACTION) return { documents, webhooks: moved }
  }
}

/** In each transaction: any of them may be disabled meanwhile. */
async function partiesOf(tx: Tx, fromId: string, toId: string, origin: Origin) {
  const by = await requireAdministrator(tx, origin)
  const from = await loadPerson(tx, fromId)
  return { by, from, to: await recipientOf(tx, from, toId) }
}

async function begin(tx: Tx, app: App, fromId: string, toId: string, origin: Origin): Promise<number> {
  const { by, from, to } = await partiesOf(tx, fromId, toId, origin)
  const { documents, templates } = await belongingsOf(tx, fromId)
  const moved = await webhooks.changeOwner(tx, fromId, toId)
  await changeOwnerOfBatches(tx, fromId, toId)
  const counts = { documents, templates, webhooks: moved }
  if (!ownsSomething(counts)) return 0
  const data = { userId: fromId, to: toId, ...counts }
  await appendInstanceEvent(tx, app, { type: 'user.documents_handed_over', data }, origin)
  await tell(tx, app, from, texts => texts.handedOver(actorName(by, texts), to.name, counts))
  await tell(tx, app, to, texts => ({
    ...texts.received(actorName(by, texts), from.name, counts),
    link: { text: texts.openDocuments, path: DOCUMENTS_PATH },
  }))
  return moved
}

async function recipientOf(tx: Tx, from: Person, toId: string): Promise<Person> {
  const to = toId === '' ? undefined : await loadPerson(tx, toId)
  if (!to) return refuseIfInvalid(errorsIn([['to', violation('not_chosen')]])) as never
  if (!mayReceive(to, from)) refuseIfInvalid(errorsIn([['to', violation('not_a_receiver')]]))
  return to
}

async function handOverSome(tx: Tx, app: App, fromId: string, toId: string, origin: Origin): Promise<number> {
  const ids = await idsOfOwner(tx, fromId, MAX_IN_TRANSACTION)
  for (const id of ids) {
    const document = await find(tx, id)
    if (document) await record(tx, app, document, changeOwner(document, toId), origin)
  }
  return ids.length
}
