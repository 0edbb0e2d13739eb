/** Runs commands as steps and says what they did. */
import { MAX_FIELDS } from '../../../src/core/document/document-limits.ts'
import { format } from '../../signing/browser/data.ts'
import { TooManyFieldsError } from './commands.ts'
import type { EditorTexts } from './data.ts'
import type { Picture } from './free-space.ts'
import type { StepKind } from './history.ts'
import { boxOf, type Change, type EditorField, personName, placeName, sizeName, typeName } from './model.ts'
import type { PageList } from './pages.ts'
import type { Proposals } from './proposals.ts'
import type { EditorSession } from './session.ts'
import type { Announcer } from './ui.tsx'

export interface ActionOptions {
  session: EditorSession
  pages: PageList
  texts: EditorTexts
  lang: string
  announcer: Announcer
  newFieldId(): string
  /** Puts the focus on the button of a box, or of the first one of a field. */
  focusField(key: string): void
  focusPages(): void
  cancelGesture(): boolean
  proposals(): Proposals
  /** The open proposals or their persons changed. */
  onProposals(): void
  /** What a page shows. Rejects if it cannot be drawn. */
  pictureOf(page: number): Promise<Picture>
  /** Shows a sentence until the next one. */
  notify(sentence: string | undefined): void
}

export class CommandRunner {
  readonly #options: ActionOptions

  constructor(options: ActionOptions) {
    this.#options = options
  }

  get #session(): EditorSession {
    return this.#options.session
  }

  say(sentence: string): void {
    this.#options.announcer.say(sentence)
  }

  /** Runs a command as a step; `sentence` describes the new state. */
  run(kind: StepKind, command: () => Change[], sentence: (changes: Change[]) => string): boolean {
    try {
      const changes = command()
      const isDone = this.#session.run(kind, changes)
      const words = isDone ? sentence(changes) : ''
      if (words !== '') this.say(words)
      return isDone
    } catch (error) {
      if (!(error instanceof TooManyFieldsError)) throw error
      this.say(format(this.#options.texts.said.tooMany, { max: MAX_FIELDS }))
      return false
    }
  }

  describe(field: EditorField, withSize: boolean): string {
    const { texts } = this.#options
    const box = boxOf(this.#session.state, field)
    const placed = format(texts.said.placed, {
      type: typeName(field.type, field.recipientId, texts),
      person: personName(this.#session.person(field.recipientId), texts),
      page: field.page,
      place: placeName(box, texts),
    })
    return withSize ? `${placed}, ${sizeName(box, texts)}` : placed
  }

  /** Scrolls to the first of these boxes. */
  reveal(keys: readonly string[]): void {
    const box = this.#session.box(keys[0] ?? '')
    if (box) this.#options.pages.show(box.page, boxOf(this.#session.state, box))
  }
}
