/** What the editor shows: fields, people, selection, tool and steps. Views listen to it. */
import type { FieldType } from '../../../src/core/field/field.ts'
import { inReadingOrder } from '../../../src/core/field/geometry.ts'
import type { SigningOrder } from '../../../src/core/signing/routing.ts'
import { boxesAt, boxesOf, type FieldBox, fieldIdOf } from './boxes.ts'
import { type Extent, fieldsOf } from './commands.ts'
import { type ConditionContext, type ConditionProblem, conditionProblems } from './conditions.ts'
import { History, type Step, type StepKind } from './history.ts'
import {
  applyChanges,
  boxOf,
  type Change,
  type EditorField,
  type EditorState,
  type Fields,
  mayHave,
  type PageSize,
  type Person,
} from './model.ts'
import type { StoredDraft } from './save.ts'

export interface Tool {
  readonly type: FieldType
  /** Stays armed after placing. */
  readonly isKept: boolean
}

/** A field that two people changed: theirs is shown, mine is offered. */
export interface Conflict {
  readonly id: string
  readonly mine: EditorField | undefined
  readonly by: string | undefined
}

/** What changed; `fields` holds the ids of changed fields. */
export interface SessionChange {
  readonly fields?: readonly string[]
  readonly people?: true
}

type Listener = (change: SessionChange) => void

interface Options {
  pages: readonly PageSize[]
  fields: Fields
  people: readonly Person[]
  signingOrder: SigningOrder
  stored: StoredDraft | undefined
  now(): number
}

export class EditorSession {
  readonly #listeners = new Set<Listener>()
  readonly #now: () => number
  readonly #history: History
  readonly #sizes: Map<FieldType, Extent>
  #state: EditorState
  #people: readonly Person[]
  #signingOrder: SigningOrder
  #problems: ReadonlyMap<string, readonly ConditionProblem[]>
  #selection: readonly string[] = []
  #activeId: string | undefined
  #tool: Tool | undefined
  #isSnapping: boolean
  /** Others are dimmed. */
  #shownPersonId: string | undefined
  #conflicts: readonly Conflict[] = []
  #errors: ReadonlyMap<string, readonly string[]> = new Map()

  constructor({ pages, fields, people, signingOrder, stored, now }: Options) {
    this.#state = { pages, fields }
    this.#people = people
    this.#signingOrder = signingOrder
    this.#problems = conditionProblems(this.conditionContext)
    this.#now = now
    this.#history = new History(stored?.history)
    this.#sizes = new Map(Object.entries(stored?.sizes ?? {}) as [FieldType, Extent][])
    this.#isSnapping = stored?.isSnapping ?? true
    this.#activeId = people.find(person => mayHave(person, 'text'))?.id
  }

  get state(): EditorState {
    return this.#state
  }
  get people(): readonly Person[] {
    return this.#people
  }
  /** Without the sender. */
  get recipients(): Person[] {
    return this.#people.filter(({ role }) => role !== 'sender')
  }
  /** Keys of boxes in the order of their selection. */
  get selection(): readonly string[] {
    return this.#selection
  }
  get selectedBoxes(): FieldBox[] {
    return boxesAt(this.#state.fields, this.#selection)
  }
  /** The fields of the selected boxes. */
  get selected(): EditorField[] {
    return fieldsOf(this.#state, this.#selection)
  }
  get active(): Person | undefined {
    return this.person(this.#activeId)
  }
  get tool(): Tool | undefined {
    return this.#tool
  }
  get isSnapping(): boolean {
    return this.#isSnapping
  }
  get shownPersonId(): string | undefined {
    return this.#shownPersonId
  }
  get conflicts(): readonly Conflict[] {
    return this.#conflicts
  }
  get canUndo(): boolean {
    return this.#history.canUndo
  }
  get canRedo(): boolean {
    return this.#history.canRedo
  }

  get signingOrder(): SigningOrder {
    return this.#signingOrder
  }
  get conditionContext(): ConditionContext {
    return { fields: this.#state.fields, people: this.#people, signingOrder: this.#signingOrder }
  }

  /** What is wrong with the name or the condition of a field. */
  problemsOf(id: string): readonly ConditionProblem[] {
    return this.#problems.get(id) ?? []
  }

  /** Returns the ids of fields whose condition became valid or invalid. */
  #checkConditions(): string[] {
    const before = this.#problems
    this.#problems = conditionProblems(this.conditionContext)
    return [...before.keys(), ...this.#problems.keys()].filter(id => before.has(id) !== this.#problems.has(id))
  }

  person(id: string | undefined): Person | undefined {
    return this.#people.find(person => person.id === id)
  }

  /** The place among the people, from 0: gives the colour. */
  personIndex(id: string): number {
    return this.#people.findIndex(person => person.id === id)
  }

  /** The field with this id, or with a box of this key. */
  field(key: string): EditorField | undefined {
    return this.#state.fields.get(fieldIdOf(key))
  }

  box(key: string): FieldBox | undefined {
    return boxesAt(this.#state.fields, [key])[0]
  }

  inOrder(): FieldBox[] {
    return inReadingOrder([...this.#state.fields.values()].flatMap(boxesOf), box => box)
  }

  errorsOf(id: string): readonly string[] {
    return this.#errors.get(id) ?? []
  }

  lastSize(type: FieldType): Extent | undefined {
    return this.#sizes.get(type)
  }

  listen(listener: Listener): void {
    this.#listeners.add(listener)
  }

  #tell(change: SessionChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  /** Applies the changes of a command as one step. Returns whether anything changed. */
  run(kind: StepKind, changes: readonly Change[]): boolean {
    if (changes.length === 0) return false
    this.#history.push({ kind, changes, atMs: this.#now() })
    this.#apply(changes)
    if (kind === 'placed' || kind === 'resized') this.#rememberSizes(changes)
    return true
  }

  #rememberSizes(changes: readonly Change[]): void {
    for (const { after } of changes) {
      if (!after) continue
      const { width, height } = boxOf(this.#state, after)
      this.#sizes.set(after.type, { width, height })
    }
  }

  #apply(changes: readonly Change[]): void {
    this.#state = { ...this.#state, fields: applyChanges(this.#state.fields, changes) }
    this.#dropErrors(changes)
    this.#selection = this.#keysOf(this.#selection)
    this.#tell({ fields: [...changes.map(({ id }) => id), ...this.#checkConditions()] })
  }

  #dropErrors(changes: readonly Change[]): void {
    if (this.#errors.size === 0) return
    const errors = new Map(this.#errors)
    for (const { id } of changes) errors.delete(id)
    this.#errors = errors
  }

  undo(): Step | undefined {
    return this.#travel(this.#history.undo(this.#state.fields))
  }

  redo(): Step | undefined {
    return this.#travel(this.#history.redo(this.#state.fields))
  }

  #travel(step: Step | undefined): Step | undefined {
    if (!step) {
      this.#tell({})
      return undefined
    }
    this.#apply(step.changes)
    this.select(step.changes.flatMap(({ id, after }) => (after ? [id] : [])))
    return step
  }

  #keysOf(keys: readonly string[]): string[] {
    return boxesAt(this.#state.fields, keys).map(({ key }) => key)
  }

  /** The id of a field selects all of its boxes. */
  select(keys: readonly string[]): void {
    const next = this.#keysOf(keys)
    if (next.length === this.#selection.length && next.every((key, i) => key === this.#selection[i])) return
    const changed = new Set([...this.#selection, ...next].map(fieldIdOf))
    this.#selection = next
    this.#tell({ fields: [...changed] })
  }

  toggle(key: string): void {
    const isSelected = this.#selection.includes(key)
    this.select(isSelected ? this.#selection.filter(other => other !== key) : [...this.#selection, key])
  }

  arm(tool: Tool | undefined): void {
    this.#tool = tool
    this.#tell({})
  }

  activate(person: Person): void {
    this.#activeId = person.id
    if (this.#tool && !mayHave(person, this.#tool.type)) this.#tool = undefined
    this.#tell({ people: true })
  }

  /** Dims the fields of the others; `undefined` shows all. */
  showOnly(personId: string | undefined): void {
    this.#shownPersonId = personId
    this.#tell({ people: true })
  }

  setSnapping(isSnapping: boolean): void {
    this.#isSnapping = isSnapping
    this.#tell({})
  }

  /** Takes the fields of a merge with the server's draft. */
  replace(
    fields: Fields,
    { people, signingOrder }: { people: readonly Person[]; signingOrder: SigningOrder },
    conflicts: readonly Conflict[],
  ): void {
    const ids = [...new Set([...this.#state.fields.keys(), ...fields.keys()])]
    this.#state = { ...this.#state, fields }
    this.#people = people
    this.#signingOrder = signingOrder
    this.#checkConditions()
    this.#selection = this.#keysOf(this.#selection)
    if (!this.active || !mayHave(this.active, 'text')) this.#activeId = people.find(person => mayHave(person, 'text'))?.id
    const fresh = new Set(conflicts.map(({ id }) => id))
    this.#conflicts = [...this.#conflicts.filter(({ id }) => !fresh.has(id)), ...conflicts]
    this.#tell({ fields: ids, people: true })
  }

  /** `isMine`: puts my value in the place of theirs, as a step. */
  resolve(conflict: Conflict, isMine: boolean): void {
    this.#conflicts = this.#conflicts.filter(other => other !== conflict)
    const before = this.#state.fields.get(conflict.id)
    if (isMine) this.run('changed', [{ id: conflict.id, before, after: conflict.mine }])
    else this.#tell({})
  }

  setErrors(errors: readonly { id: string | undefined; message: string }[]): void {
    const next = new Map(this.#errors)
    for (const { id, message } of errors) if (id !== undefined) next.set(id, [...(next.get(id) ?? []), message])
    this.#errors = next
    this.#tell({ fields: [...next.keys()] })
  }

  get errorIds(): string[] {
    return [...this.#errors.keys()]
  }

  toStored(pending: Change[], dismissed: number[]): StoredDraft {
    return {
      history: this.#history.data,
      pending,
      sizes: Object.fromEntries(this.#sizes),
      isSnapping: this.#isSnapping,
      dismissed,
      atMs: this.#now(),
    }
  }
}
