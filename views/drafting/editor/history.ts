/**
 * Undo and redo. A step that others have overwritten meanwhile is skipped, and local changes are
 * merged with newer ones.
 */
import { applyChanges, type Change, type Fields, inverted, isSameField } from './model.ts'

export type StepKind =
  | 'placed'
  | 'moved'
  | 'resized'
  | 'changed'
  | 'removed'
  | 'reassigned'
  | 'copied'
  | 'pasted'
  | 'arranged'
  | 'accepted'

export interface Step {
  readonly kind: StepKind
  readonly changes: readonly Change[]
  readonly atMs: number
}

export const MAX_STEPS = 50
/** Repeated nudges within this time are one step. */
const BURST_MS = 700
const MERGED: ReadonlySet<StepKind> = new Set(['moved', 'resized', 'changed'])

export interface HistoryData {
  readonly undo: readonly Step[]
  readonly redo: readonly Step[]
}

function mergedSteps(last: Step | undefined, next: Step): Step | undefined {
  if (!last || last.kind !== next.kind || !MERGED.has(next.kind)) return undefined
  if (next.atMs - last.atMs > BURST_MS || last.changes.length !== next.changes.length) return undefined
  const byId = new Map(last.changes.map(change => [change.id, change]))
  if (!next.changes.every(({ id }) => byId.has(id))) return undefined
  return { ...next, changes: next.changes.map(change => ({ ...change, before: byId.get(change.id)?.before })) }
}

/** What a step can still change: fields that are as the step left them. */
function applicable(fields: Fields, changes: readonly Change[]): Change[] {
  return changes.filter(({ id, before }) => isSameField(fields.get(id), before))
}

export class History {
  #undo: Step[]
  #redo: Step[]

  constructor({ undo, redo }: HistoryData = { undo: [], redo: [] }) {
    this.#undo = [...undo]
    this.#redo = [...redo]
  }

  get canUndo(): boolean {
    return this.#undo.length > 0
  }

  get canRedo(): boolean {
    return this.#redo.length > 0
  }

  get data(): HistoryData {
    return { undo: this.#undo, redo: this.#redo }
  }

  push(step: Step): void {
    if (step.changes.length === 0) return
    const merged = mergedSteps(this.#undo.at(-1), step)
    if (merged) this.#undo[this.#undo.length - 1] = merged
    else this.#undo.push(step)
    if (this.#undo.length > MAX_STEPS) this.#undo.shift()
    this.#redo = []
  }

  /** The changes that undo the last step that can be undone. */
  undo(fields: Fields): Step | undefined {
    return this.#take(this.#undo, this.#redo, fields)
  }

  redo(fields: Fields): Step | undefined {
    return this.#take(this.#redo, this.#undo, fields)
  }

  /** Both lists hold steps in the direction in which they were done. */
  #take(from: Step[], to: Step[], fields: Fields): Step | undefined {
    const isUndo = from === this.#undo
    for (let step = from.pop(); step; step = from.pop()) {
      const changes = applicable(fields, isUndo ? inverted(step.changes) : step.changes)
      if (changes.length === 0) continue
      // A burst must not continue in a step that was undone.
      const done = { ...step, changes: isUndo ? inverted(changes) : changes, atMs: 0 }
      to.push(done)
      return { ...step, changes }
    }
    return undefined
  }
}

// Merges local changes with the server's newer fields, field by field.

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
