/** What the panels of the editor share: their props and small controls. */
import type { ComponentChildren } from 'preact'
import type { FieldType } from '../../../src/core/field/field.ts'
import { Icon } from '../../parts/icon.tsx'
import type { IconName } from '../../parts/icons.ts'
import type { EditorActions } from './actions.ts'
import type { EditorTexts } from './data.ts'
import { type EditorField, type Person, personClassOf, signOf } from './model.ts'
import type { PageList } from './pages.ts'
import type { Proposals } from './proposals.ts'
import type { SaveState } from './save.ts'
import type { EditorSession, Tool } from './session.ts'

export interface Ui {
  session: EditorSession
  actions: EditorActions
  pages: PageList
  proposals: Proposals
  texts: EditorTexts
  lang: string
  /** `/documents/doc_…` */
  base: string
  isTemplate: boolean
  saveState: SaveState
  unsavedCount: number
  /** A sentence on what others did, until the next one. */
  notice: string | undefined
  /** The signature that was just placed, to offer the same for others. */
  placed: EditorField | undefined
  /** All proposals are listed, to change what was answered. */
  isAnswersOpen: boolean
  openAnswers(isOpen: boolean): void
  /** The PDF is still searched for places. */
  isSearching: boolean
  isSheetOpen: boolean
  openSheet(isOpen: boolean): void
  dismissNotice(): void
  dragTool(event: PointerEvent, tool: Tool): void
  goOn(): void
  /** Of a document that is no longer a draft. */
  copyToNewDraft(): void
  isCopying: boolean
}

export const TYPE_ICONS: Record<FieldType, IconName> = {
  signature: 'signature',
  initials: 'pen-line',
  date: 'calendar-days',
  name: 'user',
  email: 'at-sign',
  text: 'type',
  checkbox: 'square-check',
  dropdown: 'list',
  number: 'hash',
  paragraph: 'text-initial',
  radio: 'circle-dot',
  image: 'image',
  attachment: 'paperclip',
}

export function PersonSign({ ui: { session, texts }, person }: { ui: Ui; person: Person }) {
  return (
    <span class={`avatar ${personClassOf(session, person.id)}`} aria-hidden="true">
      {signOf(session, person, texts)}
    </span>
  )
}

interface ToolProps {
  icon: IconName
  label: string
  onPress(): void
  isDisabled?: boolean
  isPressed?: boolean
}

/** A button with an icon alone. */
export function ToolButton({ icon, label, onPress, isDisabled = false, isPressed }: ToolProps) {
  return (
    <button
      type="button"
      class="tool"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      onClick={() => !isDisabled && onPress()}
    >
      <Icon name={icon} />
    </button>
  )
}

interface PlainProps {
  kind?: string
  icon?: IconName
  isPressed?: boolean
  /** Names it where its words alone do not. */
  label?: string
  onPress(): void
  children: ComponentChildren
}

export function PlainButton({ kind = 'plain', icon, isPressed, label, onPress, children }: PlainProps) {
  const state = isPressed === undefined ? {} : { 'aria-pressed': isPressed }
  const name = label === undefined ? {} : { 'aria-label': label }
  return (
    <button type="button" class={`button compact ${kind}`} onClick={onPress} {...state} {...name}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

// Announces one sentence to screen readers, once no key was pressed for a moment.

const REST_MS = 300

export class Announcer {
  readonly #region: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `region`: an `aria-live="polite"` element of the page. */
  constructor(region: HTMLElement) {
    this.#region = region
  }

  say(sentence: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // The same sentence again would not be read out.
      this.#region.textContent = this.#region.textContent === sentence ? `${sentence}\u00a0` : sentence
    }, REST_MS)
  }
}
