/** What buttons and keys of the editor do: commands with what is said about them. */
import type { FieldType } from '../../../src/core/field/field.ts'
import { format, formatCount } from '../../signing/browser/data.ts'
import { type Alignment, type Axis, align, distribute, equalise } from './arrange.ts'
import { boxesOf, fieldIdOf, keysOf } from './boxes.ts'
import { addChoice, newChoice, remove, renameChoice } from './choices.ts'
import {
  add,
  boxesOnPage,
  change,
  freeBox,
  move,
  moveAcross,
  newField,
  nextSize,
  type Properties,
  reassign,
  resize,
  setBox,
} from './commands.ts'
import { rename, showOnlyIf } from './conditions.ts'
import { clipIn, clipOf, copyForPerson, copyToPages, duplicate, paste, type Target } from './copies.ts'
import { freeSpace } from './free-space.ts'
import type { Step, StepKind } from './history.ts'
import {
  type Box,
  boxName,
  boxOf,
  type Change,
  type EditorField,
  firstChoices,
  mayHave,
  type Person,
  pageSizeOf,
  personName,
  placeName,
  signersWithoutSignature,
  sizeName,
  toPoints,
} from './model.ts'
import type { AnsweredProposal, OpenProposal } from './proposals.ts'
import { type ActionOptions, CommandRunner } from './runner.ts'
import type { EditorSession } from './session.ts'

/** What the properties do with names and conditions. */
class ConditionActions {
  readonly #options: ActionOptions
  readonly #runner: CommandRunner

  constructor(options: ActionOptions, runner: CommandRunner) {
    this.#options = options
    this.#runner = runner
  }

  rename(id: string, name: string): void {
    const { session } = this.#options
    this.#runner.run(
      'changed',
      () => rename(session.state, id, name),
      () => '',
    )
  }

  showOnlyIf(ids: readonly string[], condition: Parameters<typeof showOnlyIf>[2]): void {
    const { session } = this.#options
    this.#runner.run(
      'changed',
      () => showOnlyIf(session.state, ids, condition),
      () => '',
    )
  }
}

// Copies: to pages, to another person, and by the clipboard of the browser.

const CLIPBOARD = 'signet-fields'

class CopyActions {
  readonly #options: ActionOptions
  readonly #runner: CommandRunner

  constructor(options: ActionOptions, runner: CommandRunner) {
    this.#options = options
    this.#runner = runner
  }

  get #session(): EditorSession {
    return this.#options.session
  }

  toPages(target: Target): void {
    const { texts, lang, newFieldId } = this.#options
    let skipped = 0
    const sentence = (added: number) =>
      format(skipped > 0 ? texts.said.copiedSkipped : texts.said.copied, {
        added: formatCount(texts.said.added, added, lang),
        skipped: formatCount(texts.said.skipped, skipped, lang),
      })
    const command = () => {
      const copies = copyToPages(this.#session.state, this.#session.selection, target, newFieldId)
      skipped = copies.skipped
      return copies.changes
    }
    if (!this.#runner.run('copied', command, changes => sentence(changes.length)) && skipped > 0) this.#runner.say(sentence(0))
  }

  /** Returns the ids of the copies. */
  forPerson(ids: readonly string[], person: Person): void {
    const { texts, newFieldId } = this.#options
    const copies: string[] = []
    this.#runner.run(
      'copied',
      () => copyForPerson(this.#session.state, ids, person, newFieldId),
      changes => {
        copies.push(...changes.map(({ id }) => id))
        return this.#runner.describe(changes[0]!.after!, false)
      },
    )
    if (copies.length === 0) {
      this.#runner.say(texts.said.notForPerson)
      return
    }
    this.#session.select(copies)
    this.#runner.reveal(copies)
  }

  duplicate(ids: readonly string[]): void {
    this.#copied('copied', () => duplicate(this.#session.state, ids, this.#options.newFieldId))
  }

  #copied(kind: StepKind, command: () => Change[]): void {
    const { texts, lang } = this.#options
    const ids: string[] = []
    this.#runner.run(kind, command, changes => {
      ids.push(...changes.map(({ id }) => id))
      const { page } = changes[0]!.after!
      return format(formatCount(texts.said.pasted, changes.length, lang), { page })
    })
    if (ids.length === 0) return
    this.#session.select(ids)
    this.#options.focusField(ids[0]!)
  }

  /** Kept in the browser, so that other documents can paste it. */
  /** Returns whether it succeeded. */
  copy(ids: readonly string[]): boolean {
    if (ids.length === 0) return false
    const { texts, lang } = this.#options
    try {
      localStorage.setItem(CLIPBOARD, JSON.stringify(clipOf(this.#session.state, ids, this.#session.people)))
    } catch (error) {
      console.warn(error)
      this.#runner.say(texts.said.notCopied)
      return false
    }
    this.#runner.say(formatCount(texts.said.clipped, ids.length, lang))
    return true
  }

  paste(): void {
    const { active, people, state } = this.#session
    const clip = clipIn(localStorage.getItem(CLIPBOARD))
    if (!clip || !active) {
      this.#runner.say(this.#options.texts.said.nothingToPaste)
      return
    }
    const options = { people, active, newId: this.#options.newFieldId }
    this.#copied('pasted', () => paste(state, clip, this.#options.pages.current, options))
  }
}

/** What buttons and keys do with the choices of a field. */
class ChoiceActions {
  readonly #options: ActionOptions
  readonly #runner: CommandRunner

  constructor(options: ActionOptions, runner: CommandRunner) {
    this.#options = options
    this.#runner = runner
  }

  /** Adds a choice after the last one and selects its box. */
  add(id: string): void {
    const { session, texts, focusField } = this.#options
    const field = session.field(id)
    if (!field) return
    const value = newChoice(field.options, n => format(texts.choice, { n }))
    const isDone = this.#runner.run(
      'placed',
      () => addChoice(session.state, id, value),
      () => this.#describeLast(id),
    )
    if (!isDone) return
    const key = keysOf(session.field(id)!).at(-1)!
    session.select([key])
    this.#runner.reveal([key])
    focusField(key)
  }

  #describeLast(id: string): string {
    const { session, texts } = this.#options
    const box = boxesOf(session.field(id)!).at(-1)!
    const name = boxName(box, session.person(box.field.recipientId), texts)
    const page = format(texts.said.page, { page: box.page })
    return `${name}, ${page}, ${placeName(boxOf(session.state, box), texts)}`
  }

  rename(id: string, index: number, value: string): void {
    const { session } = this.#options
    this.#runner.run(
      'changed',
      () => renameChoice(session.state, id, index, value),
      () => '',
    )
  }

  remove(key: string): void {
    const { session, texts } = this.#options
    this.#runner.run(
      'removed',
      () => remove(session.state, [key]),
      () => texts.said.choiceRemoved,
    )
  }

  selectWhole(keys: readonly string[]): void {
    const { session, texts, lang } = this.#options
    session.select(keys.map(fieldIdOf))
    this.#runner.say(formatCount(texts.said.selected, session.selection.length, lang))
  }

  /** Selects all choices of the selected fields; if they are selected already, only this one. */
  toggleWhole(keys: readonly string[], focusedKey: string): void {
    const { session, texts } = this.#options
    const focused = session.box(focusedKey)
    if (!focused || focused.field.boxes.length === 0) return
    const isWhole = keysOf(focused.field).every(key => keys.includes(key))
    if (isWhole) {
      session.select([focused.key])
      this.#runner.say(boxName(focused, session.person(focused.field.recipientId), texts))
    } else this.selectWhole(keys)
  }
}

// All actions.

export class EditorActions {
  readonly #options: ActionOptions
  #isPlacing = false
  readonly #runner: CommandRunner
  readonly copies: CopyActions
  readonly choices: ChoiceActions
  readonly conditions: ConditionActions

  constructor(options: ActionOptions) {
    this.#options = options
    this.#runner = new CommandRunner(options)
    this.copies = new CopyActions(options, this.#runner)
    this.choices = new ChoiceActions(options, this.#runner)
    this.conditions = new ConditionActions(options, this.#runner)
  }

  get #session(): EditorSession {
    return this.#options.session
  }

  sayPlaced(field: EditorField, isDrawn: boolean): void {
    this.#runner.say(this.#runner.describe(field, isDrawn))
  }

  sayPlace(keys: readonly string[]): void {
    const box = this.#session.box(keys[0] ?? '')
    if (!box) return
    const page = format(this.#options.texts.said.page, { page: box.page })
    this.#runner.say(`${page}, ${this.#placeOf(keys)}`)
  }

  saySize(key: string): void {
    this.#runner.say(this.#sizeOf([key]))
  }

  /** In points, of the first of these boxes as it is now. */
  #pointsOf(keys: readonly string[]): Box {
    const box = this.#session.box(keys[0] ?? '')
    return box ? boxOf(this.#session.state, box) : { x: 0, y: 0, width: 0, height: 0 }
  }

  #placeOf(keys: readonly string[]): string {
    return placeName(this.#pointsOf(keys), this.#options.texts)
  }

  #sizeOf(keys: readonly string[]): string {
    return sizeName(this.#pointsOf(keys), this.#options.texts)
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
    const place = { id, type, recipientId: active.id, page, choices: firstChoices(texts) }
    this.#placed(newField(state, place, freeBox(state, page, pages.sightOf(page), size)))
  }

  /** Where the last page shows nothing; if it is full, a sentence says where else. */
  async placeSignature(person: Person): Promise<void> {
    const { pages, texts, proposals, newFieldId } = this.#options
    if (this.#isPlacing) return
    this.#isPlacing = true
    this.activate(person)
    const page = pages.count
    try {
      const picture = await this.#options.pictureOf(page)
      const { state, people } = this.#session
      if (!signersWithoutSignature(state.fields, people).some(({ id }) => id === person.id)) return
      const size = pageSizeOf(state, page)
      const offered = proposals().open.filter(({ proposal }) => proposal.page === page)
      const taken = [...boxesOnPage(state, page), ...offered.map(({ proposal }) => toPoints(proposal, size))]
      const box = freeSpace(picture, size, taken)
      const field = box && newField(state, { id: newFieldId(), type: 'signature', recipientId: person.id, page }, box)
      if (field) this.#placed(field)
      this.#options.notify(field ? undefined : format(texts.noFreeSpace, { person: personName(person, texts) }))
    } catch (error) {
      console.warn(error)
      this.#options.notify(format(texts.noPicture, { person: personName(person, texts) }))
    } finally {
      this.#isPlacing = false
    }
  }

  #placed(field: EditorField): void {
    const { id } = field
    const isDone = this.#runner.run(
      'placed',
      () => add(this.#session.state, [field]),
      () => this.#runner.describe(field, false),
    )
    if (!isDone) return
    this.#session.select([id])
    this.#runner.reveal([id])
    this.#options.focusField(id)
  }

  nudge(keys: readonly string[], dx: number, dy: number): void {
    const { texts } = this.#options
    const isMoved = this.#runner.run(
      'moved',
      () => move(this.#session.state, keys, dx, dy),
      () => {
        const { x, y } = this.#pointsOf(keys)
        return format(dx !== 0 ? texts.said.x : texts.said.y, { x: Math.round(x), y: Math.round(y) })
      },
    )
    if (isMoved) {
      this.#runner.reveal(keys)
      return
    }
    const edge = dx < 0 ? 'left' : dx > 0 ? 'right' : dy < 0 ? 'top' : 'bottom'
    this.#runner.say(texts.said.edges[edge])
  }

  resizeBy(keys: readonly string[], dw: number, dh: number): void {
    const edges = { x: dw === 0 ? 0 : 1, y: dh === 0 ? 0 : 1 } as const
    this.#runner.run(
      'resized',
      () => resize(this.#session.state, keys, edges, dw, dh),
      () => this.#sizeOf(keys),
    )
  }

  turnPage(keys: readonly string[], by: 1 | -1): void {
    const isMoved = this.#runner.run(
      'moved',
      () => moveAcross(this.#session.state, keys, by, 0, 0),
      () => format(this.#options.texts.said.page, { page: this.#session.box(keys[0] ?? '')?.page ?? 0 }),
    )
    if (!isMoved) return
    this.#runner.reveal(keys)
    this.#options.focusField(keys[0] ?? '')
  }

  setBox(key: string, patch: Partial<Box>): void {
    const kind = 'width' in patch || 'height' in patch ? 'resized' : 'moved'
    this.#runner.run(
      kind,
      () => setBox(this.#session.state, key, patch),
      () => (kind === 'moved' ? this.#placeOf([key]) : this.#sizeOf([key])),
    )
  }

  show(key: string): void {
    this.#session.select([key])
    this.#runner.reveal([key])
    this.#options.focusField(key)
  }

  delete(keys: readonly string[]): void {
    const { texts, lang } = this.#options
    const order = this.#session.inOrder().map(({ key }) => key)
    const last = order.findLastIndex(key => keys.includes(key))
    const next = order.slice(last + 1).find(key => !keys.includes(key)) ?? order.findLast(key => !keys.includes(key))
    const isDone = this.#runner.run(
      'removed',
      () => remove(this.#session.state, keys),
      ([first, ...more]) => {
        if (more.length > 0) return formatCount(texts.said.removedSeveral, more.length + 1, lang)
        return first?.after ? texts.said.choiceRemoved : format(texts.said.removed, { type: texts.types[first!.before!.type] })
      },
    )
    if (!isDone) {
      if (keys.length > 0) this.#runner.say(texts.said.tooFewChoices)
      return
    }
    // The keys of later choices moved up by one.
    const focused = next === undefined ? undefined : (this.#session.box(next) ?? this.#session.box(fieldIdOf(next)))
    if (focused) this.#options.focusField(focused.key)
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
    const isAll = onPage.every(({ key }) => this.#session.selection.includes(key))
    this.#session.select((isAll ? order : onPage).map(({ key }) => key))
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

  say(sentence: string): void {
    this.#runner.say(sentence)
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
    proposals().restore(open.map(({ index }) => index))
    this.#session.select(fields.map(({ id }) => id))
    this.#runner.reveal(fields.map(({ id }) => id))
  }

  dismiss(open: readonly OpenProposal[]): void {
    this.#options.proposals().dismiss(open.map(({ index }) => index))
    this.#options.onProposals()
  }

  /** Takes the answer yes back: the field goes, and the place is not offered again by itself. */
  leave(answered: AnsweredProposal): void {
    if (answered.fieldId !== undefined) this.delete([answered.fieldId])
    this.dismiss([answered])
  }

  /** Scrolls to the place. */
  showProposal({ proposal }: OpenProposal): void {
    const { pages } = this.#options
    pages.show(proposal.page, toPoints(proposal, pageSizeOf(this.#session.state, proposal.page)))
  }

  chooseOwner(key: string, person: Person): void {
    this.#options.proposals().choose(key, person)
    this.#options.onProposals()
  }
}
