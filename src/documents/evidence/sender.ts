/** Names the people of the sender behind audit entries, also behind the programs that acted. */
import { keyOwners, userNames } from '../../accounts/queries.ts'
import type { AuditEvent } from '../../audit/log.ts'
import type * as core from '../../core/document/document.ts'
import type { Json } from '../../core/document/event.ts'
import { isJsonObject } from '../../core/document/logged-facts.ts'
import type { Db } from '../../db/open.ts'
import { type App, SYSTEM } from '../../ports.ts'
import { senderOf } from '../lifecycle/mail-facts.ts'

export interface Acting {
  /** The person, or the owner of the program; undefined for who has been removed. */
  name?: string | undefined
  /** The name of the API token. */
  program?: string | undefined
}

/** Of an entry that the sender caused; undefined for what the service did by itself. */
export type FindActing = (event: Pick<AuditEvent, 'actor' | 'personal'>) => Acting | undefined

const idAfter = (prefix: 'user:' | 'key:', actor: string) => (actor.startsWith(prefix) ? actor.slice(prefix.length) : undefined)
const textOf = (value: Json | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)

function tokenIn(personal: AuditEvent['personal']): { name: string | undefined; ownerId: string | undefined } | undefined {
  const token = personal?.apiToken
  return isJsonObject(token) ? { name: textOf(token.name), ownerId: textOf(token.ownerId) } : undefined
}

/** Names of people are those of now. That of a program is in newer entries. */
export async function findActing(db: Db, events: readonly AuditEvent[]): Promise<FindActing> {
  const idsOf = (prefix: 'user:' | 'key:') => [...new Set(events.flatMap(({ actor }) => idAfter(prefix, actor) ?? []))]
  const owners = events.flatMap(({ personal }) => tokenIn(personal)?.ownerId ?? [])
  const people = await userNames(db, [...new Set([...idsOf('user:'), ...owners])])
  const keys = await keyOwners(db, idsOf('key:'))
  return ({ actor, personal }) => {
    if (actor === SYSTEM.actor.label) return undefined
    const token = tokenIn(personal)
    if (token) return { name: people.get(token.ownerId ?? ''), program: token.name }
    const key = keys.get(idAfter('key:', actor) ?? '')
    return key ? { name: key.owner, program: key.name } : { name: people.get(idAfter('user:', actor) ?? '') }
  }
}

/** Who pressed Send, or whose program sent; else the owner, whom also mails name. */
export async function whoSent(
  app: App,
  document: core.Document,
  events: readonly AuditEvent[],
  acting: FindActing,
): Promise<Acting> {
  const sent = events.findLast(({ type }) => type === 'document.sent')
  const by = sent && acting(sent)
  return { program: by?.program, name: by?.name ?? (await senderOf(app, document))?.name }
}
