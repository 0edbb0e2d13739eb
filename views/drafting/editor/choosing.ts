/** What buttons and keys do with the choices of a field. */
import { format, formatCount } from '../../signing/browser/texts.ts'
import { boxesOf, fieldIdOf, keysOf } from './boxes.ts'
import { addChoice, newChoice, remove, renameChoice } from './choices.ts'
import { boxOf } from './model.ts'
import { boxName, placeName } from './names.ts'
import type { ActionOptions, CommandRunner } from './runner.ts'

export class ChoiceActions {
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
