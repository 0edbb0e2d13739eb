/** Copies: to pages, to another person, and by the clipboard of the browser. */
import { format, formatCount } from '../../signing/browser/texts.ts'
import { clipIn, clipOf, copyForPerson, copyToPages, duplicate, paste, type Target } from './copies.ts'
import type { StepKind } from './history.ts'
import type { Change, Person } from './model.ts'
import type { ActionOptions, CommandRunner } from './runner.ts'
import type { EditorSession } from './session.ts'

const CLIPBOARD = 'signet-fields'

export class CopyActions {
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
