/** What a key does in the editor. Pure. */

export type KeyAction =
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
