/** Merges local changes with the server's newer fields, field by field. Pure. */
import { applyChanges, type Change, type Fields, isSameField } from './model.ts'

export interface Merged {
  /** The server's fields with the local changes that do not conflict. */
  fields: Fields
  /** Local changes that are still unsaved. */
  pending: Change[]
  /** Local changes of fields that the server's side changed too: `before` is theirs now. */
  conflicts: Change[]
  /** Fields that the server's side changed, added or removed. */
  theirs: string[]
}

/** `base`: the server's fields that the local changes were made on. */
export function merge(base: Fields, local: readonly Change[], server: Fields, recipientIds: ReadonlySet<string>): Merged {
  const pending: Change[] = []
  const conflicts: Change[] = []
  for (const { id, before, after } of local) {
    const now = server.get(id)
    if (isSameField(now, after)) continue
    const rebased = { id, before: now, after }
    const isOrphan = after !== undefined && !recipientIds.has(after.recipientId)
    if (isSameField(now, before) && !isOrphan) pending.push(rebased)
    // Both removed it, or its person was removed: nothing is left to keep.
    else if (!(isOrphan && now === undefined)) conflicts.push(rebased)
  }
  const mine = new Set(local.filter(({ id, after }) => isSameField(server.get(id), after)).map(({ id }) => id))
  const ids = new Set([...base.keys(), ...server.keys()])
  const theirs = [...ids].filter(id => !mine.has(id) && !isSameField(base.get(id), server.get(id)))
  return { fields: applyChanges(server, pending), pending, conflicts, theirs }
}
