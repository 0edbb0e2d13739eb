/** What buttons and keys of the editor do: commands with what is said about them. */
import type { FieldType } from '../../../src/core/field.ts'
import { format, formatCount } from '../signing-texts.ts'
import { type Alignment, type Axis, align, distribute, equalise } from './editor-arrange.ts'
import {
  add,
  change,
  freeBox,
  move,
  moveAcross,
  newField,
  nextSize,
  type Properties,
  reassign,
  remove,
  resize,
  setBox,
} from './editor-commands.ts'
import { CopyActions } from './editor-copying.ts'
import type { Step } from './editor-history.ts'
import { type Box, boxOf, type EditorField, mayHave, type Person, pageSizeOf } from './editor-model.ts'
import { personName, placeName, sizeName } from './editor-names.ts'
import type { OpenProposal } from './editor-proposals.ts'
import { type ActionOptions, CommandRunner } from './editor-runner.ts'
import type { EditorSession } from './editor-session.ts'

export class EditorActions {
  readonly #options: ActionOptions
  readonly #runner: CommandRunner
  readonly copies: CopyActions

  constructor(options: ActionOptions) {
    this.#options = options
    this.#runner = new CommandRunner(options)
    this.copies = new CopyActions(options, this.#runner)
  }

  get #session(): EditorSession {
    return this.#options.session
  }

  sayPlaced(field: EditorField, isDrawn: boolean): void {
    this.#runner.say(this.#runner.describe(field, isDrawn))
  }

  sayPlace(ids: readonly string[]): void {
    const field = this.#session.field(ids[0] ?? '')
    if (field)
      this.#runner.say(
        `${format(this.#options.texts.said.page, { page: field.page })}, ${placeName(boxOf(this.#session.state, field), this.#options.texts)}`,
      )
  }

  saySize(id: string): void {
    const field = this.#session.field(id)
    if (field) this.#runner.say(sizeName(boxOf(this.#session.state, field), this.#options.texts))
  }

  saySelection(): void {
    const { texts, lang } = this.#options
    const n = this.#session.selection.length
    if (n > 1) this.#runner.say(formatCount(texts.said.selected, n, lang))
  }

  /** In the middle of the page in sight, by key. */
  placeInSight(type: FieldType): void {
    const { pages, texts } = this.#options
    const { active, state } = this.#session
    if (!active || !mayHave(active, type)) {
      this.#runner.say(texts.said.notForPerson)
      return
    }
    const page = pages.current
    const size = nextSize(type, pageSizeOf(state, page), this.#session.lastSize(type))
    const id = this.#options.newFieldId()
    const place = { id, type, recipientId: active.id, page }
    const command = () => add(state, [newField(state, place, freeBox(state, page, pages.sightOf(page), size))])
    if (!this.#runner.run('placed', command, ([change]) => this.#runner.describe(change!.after!, false))) return
    this.#session.select([id])
    this.#options.focusField(id)
  }

  nudge(ids: readonly string[], dx: number, dy: number): void {
    const { texts } = this.#options
    const isMoved = this.#runner.run(
      'moved',
      () => move(this.#session.state, ids, dx, dy),
      changes => {
        const box = boxOf(this.#session.state, changes[0]!.after!)
        return format(dx !== 0 ? texts.said.x : texts.said.y, { x: Math.round(box.x), y: Math.round(box.y) })
      },
    )
    if (isMoved) {
      this.#runner.reveal(ids)
      return
    }
    const edge = dx < 0 ? 'left' : dx > 0 ? 'right' : dy < 0 ? 'top' : 'bottom'
    this.#runner.say(texts.said.edges[edge])
  }

  resizeBy(ids: readonly string[], dw: number, dh: number): void {
    const edges = { x: dw === 0 ? 0 : 1, y: dh === 0 ? 0 : 1 } as const
    this.#runner.run(
      'resized',
      () => resize(this.#session.state, ids, edges, dw, dh),
      changes => sizeName(boxOf(this.#session.state, changes[0]!.after!), this.#options.texts),
    )
  }

  turnPage(ids: readonly string[], by: 1 | -1): void {
    const isMoved = this.#runner.run(
      'moved',
      () => moveAcross(this.#session.state, ids, by, 0, 0),
      changes => format(this.#options.texts.said.page, { page: changes[0]!.after!.page }),
    )
    if (!isMoved) return
    this.#runner.reveal(ids)
    this.#options.focusField(ids[0] ?? '')
  }

  setBox(id: string, patch: Partial<Box>): void {
    const kind = 'width' in patch || 'height' in patch ? 'resized' : 'moved'
    this.#runner.run(
      kind,
      () => setBox(this.#session.state, id, patch),
      changes => {
        const box = boxOf(this.#session.state, changes[0]!.after!)
        return kind === 'moved' ? placeName(box, this.#options.texts) : sizeName(box, this.#options.texts)
      },
    )
  }

  show(id: string): void {
    this.#session.select([id])
    this.#runner.reveal([id])
    this.#options.focusField(id)
  }

  delete(ids: readonly string[]): void {
    const { texts, lang } = this.#options
    const order = this.#session.inOrder()
    const last = order.findLastIndex(({ id }) => ids.includes(id))
    const rest = order.filter(({ id }) => !ids.includes(id))
    const next = order.slice(last + 1).find(({ id }) => !ids.includes(id)) ?? rest.at(-1)
    const [first] = this.#session.selected
    const name = first ? texts.types[first.type] : ''
    const isDone = this.#runner.run(
      'removed',
      () => remove(this.#session.state, ids),
      changes =>
        changes.length === 1
          ? format(texts.said.removed, { type: name })
          : formatCount(texts.said.removedSeveral, changes.length, lang),
    )
    if (!isDone) return
    if (next) this.#options.focusField(next.id)
    else this.#options.focusPages()
  }

  change(ids: readonly string[], properties: Properties): void {
    this.#runner.run(
      'changed',
      () => change(this.#session.state, ids, properties),
      () => '',
    )
  }

  reassign(ids: readonly string[], person: Person): void {
    const { texts, lang } = this.#options
    const isDone = this.#runner.run(
      'reassigned',
      () => reassign(this.#session.state, ids, person),
      changes => format(formatCount(texts.said.reassigned, changes.length, lang), { person: personName(person, texts) }),
    )
    const isPossible = this.#session.selected.some(({ type }) => mayHave(person, type))
    if (!isDone && ids.length > 0 && !isPossible) this.#runner.say(texts.said.notForPerson)
  }

  activate(person: Person): void {
    if (!mayHave(person, 'text')) {
      this.#runner.say(this.#options.texts.said.notForPerson)
      return
    }
    this.#session.activate(person)
    this.#runner.say(format(this.#options.texts.said.placingFor, { person: personName(person, this.#options.texts) }))
  }

  align(to: Alignment): void {
    this.#runner.run(
      'arranged',
      () => align(this.#session.state, this.#session.selection, to),
      () => this.#options.texts.said.arranged,
    )
  }

  distribute(axis: Axis): void {
    this.#runner.run(
      'arranged',
      () => distribute(this.#session.state, this.#session.selection, axis),
      () => this.#options.texts.said.arranged,
    )
  }

  equalise(members: readonly ('width' | 'height')[]): void {
    this.#runner.run(
      'arranged',
      () => equalise(this.#session.state, this.#session.selection, members),
      () => this.#options.texts.said.arranged,
    )
  }

  undo(): void {
    this.#travelled(this.#session.undo(), this.#options.texts.said.undone)
  }

  redo(): void {
    this.#travelled(this.#session.redo(), this.#options.texts.said.redone)
  }

  #travelled(step: Step | undefined, sentence: string): void {
    const { texts } = this.#options
    if (!step) {
      this.#runner.say(texts.said.nothingLeft)
      return
    }
    this.#runner.say(format(sentence, { step: texts.steps[step.kind] }))
    const shown = step.changes.map(({ before, after }) => after ?? before).find(field => field !== undefined)
    if (!shown) return
    this.#options.pages.show(shown.page, boxOf(this.#session.state, shown))
    if (this.#session.selection.length > 0) this.#options.focusField(this.#session.selection[0]!)
  }

  /** The fields of this page; if they are selected already, all. */
  selectAll(): void {
    const order = this.#session.inOrder()
    const onPage = order.filter(({ page }) => page === this.#options.pages.current)
    const isAll = onPage.every(({ id }) => this.#session.selection.includes(id))
    this.#session.select((isAll ? order : onPage).map(({ id }) => id))
    this.#runner.say(formatCount(this.#options.texts.said.selected, this.#session.selection.length, this.#options.lang))
  }

  /** Cancels the gesture, the tool and the selection in turn. */
  escape(): void {
    if (this.#options.cancelGesture()) return
    if (this.#session.tool) {
      this.#session.arm(undefined)
      return
    }
    this.#session.select([])
  }

  zoom(factor: number): void {
    this.#options.pages.zoom(factor)
    this.#sayZoom()
  }

  fit(): void {
    this.#options.pages.fit()
    this.#sayZoom()
  }

  #sayZoom(): void {
    this.#runner.say(format(this.#options.texts.said.zoom, { percent: Math.round(this.#options.pages.zoomPercent) }))
  }

  /** Adds the fields of these proposals as one step. */
  accept(open: readonly OpenProposal[]): void {
    const { texts, lang, newFieldId, proposals } = this.#options
    const fields = open.flatMap(each => proposals().fieldOf(each, newFieldId()) ?? [])
    if (fields.length === 0) {
      this.#runner.say(texts.proposals.unclear)
      return
    }
    const isDone = this.#runner.run(
      'accepted',
      () => add(this.#session.state, fields),
      changes => formatCount(texts.proposals.accepted, changes.length, lang),
    )
    if (!isDone) return
    this.#session.select(fields.map(({ id }) => id))
    this.#runner.reveal(fields.map(({ id }) => id))
  }

  dismiss(open: readonly OpenProposal[]): void {
    this.#options.proposals().dismiss(open.map(({ index }) => index))
    this.#options.onProposals()
  }

  chooseOwner(key: string, person: Person): void {
    this.#options.proposals().choose(key, person)
    this.#options.onProposals()
  }
}
