/** Connects the keyboard with the actions. */
import type { EditorActions } from './actions.ts'
import { type Focus, type KeyAction, keyAction } from './keys.ts'
import type { EditorSession } from './session.ts'

/** The input that Enter on a field leads to. */
export const FIRST_PROPERTY_ID = 'field-x'

interface Options {
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

export function listenToKeys(options: Options): void {
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

function performersOf({ session, actions, panes, focusProperties, focusField }: Options): Performers {
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
