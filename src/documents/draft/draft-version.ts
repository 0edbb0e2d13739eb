/** Versions of documents: refuses a change to another version than its author has seen. */
import { keyName, userById } from '../../accounts/queries.ts'
import type { Document } from '../../core/document/document.ts'
import { changedPaths, pathOfMember } from '../../core/draft/draft-changes.ts'
import { errorAt, Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import type { Actor } from '../../ports.ts'
import * as queries from '../queries.ts'
import { type DraftChange, draftChangesSince, trimDraftChanges, upsertDraftChanges } from '../queries.ts'

/** Rows of a draft: a field that was added and removed leaves one. */
const MAX_CHANGES = 10_000

/** The name is undefined if the user or key no longer exists. */
export type Author = { kind: 'user' | 'key'; name: string | undefined } | { kind: 'service' }

/** One path that changed since a version, by whom and when. */
export interface NamedChange extends Omit<DraftChange, 'actor'> {
  author: Author
  /** Whether the asking user or key made the change, perhaps in another window. */
  isOwn: boolean
}

export class DraftChangedError extends Refusal {
  constructor(
    /** The version now. */
    readonly version: number,
    readonly changes: NamedChange[],
  ) {
    const details = changes.map(({ path, author, at }) =>
      errorAt(path, violation('changed_meanwhile', { by: describeAuthor(author), at: at.toISOString() })),
    )
    super('draft_changed', violation('draft_changed'), details)
  }
}

/** Of a document that exists. */
export async function versionOf(tx: Tx, id: string): Promise<number> {
  return (await queries.versionOf(tx, id)) ?? 0
}

/** Throws `draft_changed`. `ifMatch`: the version that was seen; `undefined` accepts every one. */
export async function requireVersion(tx: Tx, actor: Actor, id: string, ifMatch: number | undefined): Promise<void> {
  if (ifMatch === undefined) return
  const version = await versionOf(tx, id)
  if (version !== ifMatch) throw new DraftChangedError(version, await changesSince(tx, actor, id, ifMatch))
}

export async function changesSince(tx: Tx, actor: Actor, id: string, version: number): Promise<NamedChange[]> {
  const authors = new Map<string, Author>()
  const changes = await draftChangesSince(tx, id, version)
  for (const { actor: label } of changes) if (!authors.has(label)) authors.set(label, await authorOf(tx, label))
  return changes.map(({ actor: label, ...change }) => ({
    ...change,
    path: pathOfMember(change.path),
    author: authors.get(label) ?? { kind: 'service' },
    isOwn: label === actor.label,
  }))
}

async function authorOf(tx: Tx, label: string): Promise<Author> {
  const [kind, id = ''] = label.split(':')
  if (kind === 'user') return { kind, name: (await userById(tx, id))?.name }
  if (kind === 'key') return { kind, name: await keyName(tx, id) }
  return { kind: 'service' }
}

function describeAuthor(author: Author): string {
  if (author.kind === 'service') return 'the service'
  const { kind, name } = author
  if (kind === 'user') return name ?? 'a user who no longer exists'
  return name === undefined ? 'an API token that no longer exists' : `the API token ${name}`
}

/** Records what an edit changed, with the version it led to. Returns that version. */
export async function recordChanges(tx: Tx, actor: Actor, before: Document, after: Document, at: Date): Promise<number> {
  const version = await versionOf(tx, after.id)
  const changes = changedPaths(before, after).map(path => ({ path, version, at, actor: actor.label }))
  await upsertDraftChanges(tx, after.id, changes)
  await trimDraftChanges(tx, after.id, MAX_CHANGES)
  return version
}
