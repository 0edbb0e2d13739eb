/** Connects the keyboard with the actions: what each key means, and what is then done. */
import type { EditorActions } from './actions.ts'
import type { EditorSession } from './session.ts'

/** The input that Enter on a field leads to. */
export const FIRST_PROPERTY_ID = 'field-x'

interface KeyboardOptions {
  session: EditorSession
  actions: EditorActions
  /** The scroll area with the pages. */
  scroller: HTMLElement
  /** The whole editor. */
  root: HTMLElement
  /** Areas that F6 leads through. */
  panes: readonly HTMLElement[]
  /** Puts the focus on the first input of the properties. */
  focusProperties(): void
  focusField(key: string): void
}

type Of<Name extends KeyAction['do']> = Extract<KeyAction, { do: Name }>
type Performers = {
  [Name in KeyAction['do']]: (action: Of<Name>, keys: readonly string[], focusedKey: string | undefined) => void
}

const ON_SELECTION: ReadonlySet<KeyAction['do']> = new Set([
  'nudge',
  'resize',
  'turnPage',
  'reassign',
  'properties',
  'whole',
  'delete',
  'copy',
  'cut',
  'duplicate',
])

export function listenToKeys(options: KeyboardOptions): void {
  const { session, root, scroller } = options
  const performers = performersOf(options)
  document.addEventListener('keydown', event => {
    const { target } = event
    if (event.isComposing || !(target instanceof HTMLElement)) return
    if (target !== document.body && !root.contains(target)) return
    const focusedKey = target.closest<HTMLElement>('.field')?.dataset.id
    const action = keyAction(event, focusOf(target, scroller))
    if (!action) return
    event.preventDefault()
    // Keys act on the selection only if the focused field is part of it.
    if (focusedKey !== undefined && ON_SELECTION.has(action.do) && !session.selection.includes(focusedKey))
      session.select([focusedKey])
    const perform = performers[action.do] as (action: KeyAction, keys: readonly string[], focusedKey: string | undefined) => void
    perform(action, session.selection, focusedKey)
  })
}

const TEXT_INPUTS = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])'

function focusOf(target: HTMLElement, scroller: HTMLElement): Focus {
  if (target.matches(TEXT_INPUTS)) return 'text'
  if (target.closest('.field')) return 'field'
  return scroller.contains(target) ? 'pages' : 'elsewhere'
}

function performersOf({ session, actions, panes, focusProperties, focusField }: KeyboardOptions): Performers {
  const personAt = (index: number) => session.people[index]
  return {
    nudge: ({ dx, dy }, keys) => actions.nudge(keys, dx, dy),
    resize: ({ dw, dh }, keys) => actions.resizeBy(keys, dw, dh),
    turnPage: ({ by }, keys) => actions.turnPage(keys, by),
    person: ({ index }) => {
      const person = personAt(index)
      if (person) actions.activate(person)
    },
    reassign: ({ index }, keys) => {
      const person = personAt(index)
      if (person) actions.reassign(keys, person)
    },
    zoom: ({ factor }) => actions.zoom(factor),
    pane: ({ by }) => movePane(panes, by),
    toggle: (_, __, focusedKey) => {
      if (focusedKey === undefined) return
      session.toggle(focusedKey)
      actions.saySelection()
    },
    whole: (_, keys, focusedKey) => focusedKey !== undefined && actions.choices.toggleWhole(keys, focusedKey),
    properties: focusProperties,
    delete: (_, keys) => actions.delete(keys),
    selectAll: () => actions.selectAll(),
    escape: () => {
      const [key] = session.selection
      const isInPanel = document.activeElement?.closest('.editor-side') !== null
      // From the properties back to the field; the selection stays.
      if (isInPanel && key !== undefined && !session.tool) focusField(key)
      else actions.escape()
    },
    fit: () => actions.fit(),
    copy: (_, keys) => void actions.copies.copy(keys),
    cut: (_, keys) => {
      if (actions.copies.copy(keys)) actions.delete(keys)
    },
    paste: () => actions.copies.paste(),
    duplicate: (_, keys) => actions.copies.duplicate(keys),
    undo: () => actions.undo(),
    redo: () => actions.redo(),
  }
}

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]'

/** Puts the focus into the next area that can be seen. */
function movePane(panes: readonly HTMLElement[], by: 1 | -1): void {
  const here = panes.findIndex(pane => pane.contains(document.activeElement))
  for (let n = 1; n <= panes.length; n++) {
    const pane = panes[(here + by * n + panes.length * 2) % panes.length]
    if (!pane || pane.offsetParent === null) continue
    const first = pane.matches('[tabindex]') ? pane : pane.querySelector<HTMLElement>(FOCUSABLE)
    if (!first) continue
    first.focus()
    return
  }
}

// What a key does in the editor.

type KeyAction =
  | { do: 'nudge'; dx: number; dy: number }
  | { do: 'resize'; dw: number; dh: number }
  | { do: 'turnPage'; by: 1 | -1 }
  | { do: 'person'; index: number }
  | { do: 'reassign'; index: number }
  | { do: 'zoom'; factor: number }
  | { do: 'pane'; by: 1 | -1 }
  | { do: 'selectAll' | 'toggle' | 'whole' | 'properties' | 'delete' | 'escape' | 'fit' }
  | { do: 'copy' | 'cut' | 'paste' | 'duplicate' | 'undo' | 'redo' }

/** What the editor reads of a `KeyboardEvent`. */
export interface Key {
  key: string
  code: string
  shiftKey: boolean
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Where the focus is: on a field, elsewhere among the pages, in a text input, or anywhere else. */
export type Focus = 'field' | 'pages' | 'text' | 'elsewhere'

const STEP_PT = 1
const LARGE_STEP_PT = 10
const ZOOM_FACTOR = 1.25

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const WITH_CONTROL: Record<string, KeyAction> = {
  a: { do: 'selectAll' },
  c: { do: 'copy' },
  x: { do: 'cut' },
  v: { do: 'paste' },
  d: { do: 'duplicate' },
  z: { do: 'undo' },
  y: { do: 'redo' },
}

export function keyAction(key: Key, focus: Focus): KeyAction | undefined {
  if (key.key === 'F6' && !key.ctrlKey && !key.altKey) return { do: 'pane', by: key.shiftKey ? -1 : 1 }
  if (key.key === 'Escape') return focus === 'text' ? undefined : { do: 'escape' }
  if (focus === 'text') return undefined
  if (key.ctrlKey || key.metaKey) return controlAction(key, focus)
  if (focus === 'elsewhere') return undefined
  // Character keys act only among the pages: WCAG 2.1.4.
  return (focus === 'field' ? fieldAction(key) : undefined) ?? pagesAction(key)
}

function controlAction({ key, shiftKey, altKey }: Key, focus: Focus): KeyAction | undefined {
  if (altKey) return undefined
  const letter = key.toLowerCase()
  if (letter === 'z' && shiftKey) return { do: 'redo' }
  const action = shiftKey ? undefined : WITH_CONTROL[letter]
  // Undo works from the whole editor; the others need the pages.
  if (focus === 'elsewhere' && action?.do !== 'undo' && action?.do !== 'redo') return undefined
  return action
}

function fieldAction({ key, code, shiftKey, altKey }: Key): KeyAction | undefined {
  const arrow = ARROWS[key]
  const step = shiftKey ? LARGE_STEP_PT : STEP_PT
  if (arrow && altKey) return { do: 'resize', dw: arrow[0] * step, dh: arrow[1] * step }
  if (arrow) return { do: 'nudge', dx: arrow[0] * step, dy: arrow[1] * step }
  if (altKey || (shiftKey && key !== ' ')) return undefined
  if (key === 'PageUp') return { do: 'turnPage', by: -1 }
  if (key === 'PageDown') return { do: 'turnPage', by: 1 }
  if (key === ' ') return { do: 'toggle' }
  // By its place too: keyboards of other scripts have no such letter.
  if (key.toLowerCase() === 'g' || code === 'KeyG') return { do: 'whole' }
  if (key === 'Enter') return { do: 'properties' }
  if (key === 'Delete' || key === 'Backspace') return { do: 'delete' }
  return undefined
}

function pagesAction({ key, code, shiftKey, altKey }: Key): KeyAction | undefined {
  if (altKey) return undefined
  // With Shift the character depends on the keyboard's layout; the code does not.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]
  if (digit) return { do: shiftKey ? 'reassign' : 'person', index: Number(digit) - 1 }
  if (key === '+' || key === '=') return { do: 'zoom', factor: ZOOM_FACTOR }
  if (key === '-' || key === '_') return { do: 'zoom', factor: 1 / ZOOM_FACTOR }
  if (key === '0') return { do: 'fit' }
  return undefined
}
