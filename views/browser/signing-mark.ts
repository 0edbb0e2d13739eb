/**
 * The chooser of a mark, the signature or the initials: drawn, typed, or from a picture. What is chosen once stands in all its places; only what is chosen
 * is sent with the form. Built around the plain entry of the page.
 */
import type { MarkKind, MarkName } from '../../src/core/mark.ts'
import type { ClientWords } from '../../src/language/signer.ts'
import type { SigningData } from './signing-data.ts'
import type { Draft } from './signing-draft.ts'
import { button, demand, element } from './signing-element.ts'
import { type Entry, entryElement, refusalOf } from './signing-entries.ts'
import { openPad } from './signing-pad.ts'
import { pictureWay } from './signing-picture.ts'
import { counted } from './signing-words.ts'

interface Options {
  name: MarkName
  data: SigningData
  draft: Draft
  /** It was chosen, changed, or taken back. */
  onChange(entry: Entry): void
  /** The server keeps the mark's picture. */
  onStored(entry: Entry): void
}

export interface MarkEntry extends Entry {
  /** Chooses what has been made but not yet chosen, as a press of the button does. */
  settle(): void
}

/** One of the ways to make a mark. */
export interface Way {
  element: HTMLElement
  /** There is something to choose. */
  isMade(): boolean
}

/** In the order of the tabs. */
const KINDS: MarkKind[] = ['drawn', 'typed', 'uploaded']

export function markEntry({ name, data, draft, onChange, onStored }: Options): MarkEntry {
  const { words, lang, base, csrf } = data
  const own = words.mark[name]
  const box = entryElement(name)
  const boxes = data.fields.filter(field => field.type === name)
  const typed = demand(`[name="${name}"]`, HTMLInputElement, box)
  const kindField = demand(`[name="${name}Kind"]`, HTMLInputElement, box)
  const inkField = demand(`[name="${name}Ink"]`, HTMLInputElement, box)
  const { kind: kept, chosen, picture } = box.dataset
  let chosenKind: MarkKind | undefined = chosen === 'true' ? (KINDS.find(kind => kind === kept) ?? 'typed') : undefined
  // Where a text is proposed, one tap is enough; else a finger draws, and a keyboard types.
  const isByHand = typed.value === '' && matchMedia('(pointer: coarse)').matches
  let shown: MarkKind = chosenKind ?? (isByHand ? 'drawn' : 'typed')

  const use = button('', { class: 'use plain' }, () => choose(shown))
  const state = element('p', { class: 'chosen', role: 'status' })
  const pad = openPad({ label: own.pad, text: inkField.value, onChange: () => drew() })
  const pictured = pictureWay({
    name,
    words,
    base,
    csrf,
    hasPicture: picture === 'true',
    flush: () => draft.flush(),
    refuse: message => {
      entry.refusal = message
      onChange(entry)
    },
    stored: () => {
      choose('uploaded')
      onStored(entry)
    },
  })
  const ways: Record<MarkKind, Way> = {
    drawn: drawnWay(words, pad),
    typed: { element: demand('.typed', HTMLElement, box), isMade: () => typed.value.trim() !== '' },
    uploaded: pictured,
  }

  const entry: MarkEntry = {
    name,
    label: own.name,
    isRequired: true,
    isField: false,
    element: box,
    boxes,
    control: () => demand(`[name="${name}Way"]:checked`, HTMLInputElement, box),
    isFilled: () => chosenKind !== undefined && ways[chosenKind].isMade(),
    fault: () =>
      entry.isFilled() ? entry.refusal : (entry.refusal ?? (name === 'signature' ? words.makeSignature : words.makeInitials)),
    members: () => ({ [`${name}Kind`]: kindField.value, [name]: typed.value, [`${name}Ink`]: inkField.value }),
    refusal: refusalOf(name),
    settle() {
      if (!entry.isFilled() && ways[shown].isMade()) choose(shown)
    },
  }

  function refresh(): void {
    kindField.value = chosenKind ?? 'typed'
    for (const kind of KINDS) {
      ways[kind].element.hidden = kind !== shown
      ways[kind].element.classList.toggle('made', ways[kind].isMade())
    }
    const stands = entry.isFilled() && chosenKind === shown
    use.hidden = stands || !ways[shown].isMade()
    use.textContent = counted(own.use, Math.max(1, boxes.length), lang)
    state.textContent = !stands
      ? ''
      : `${boxes.length > 0 ? counted(own.chosen, boxes.length, lang) : own.chosenNowhere} ${words.mark.later}`
    onChange(entry)
  }
  function choose(kind: MarkKind): void {
    const hadFocus = document.activeElement === use
    chosenKind = kind
    entry.refusal = undefined
    refresh()
    draft.put(entry.members())
    void draft.flush()
    // A button that goes takes the focus with it.
    if (hadFocus) entry.control().focus()
  }
  function drew(): void {
    // A touch of the pad is no mark; the server would refuse it.
    inkField.value = pad.isMark() ? pad.text() : ''
    entry.refusal = undefined
    refresh()
    // Kept before it is chosen too, so that a reload leaves it on the pad.
    draft.put({ [`${name}Ink`]: inkField.value, ...(chosenKind === 'drawn' ? entry.members() : {}) })
  }
  typed.addEventListener('input', () => {
    entry.refusal = undefined
    if (chosenKind === 'typed') draft.put(entry.members())
    refresh()
  })
  // Whoever types a name here and goes on has chosen it.
  typed.addEventListener('change', () => {
    if (ways.typed.isMade() && (chosenKind === undefined || chosenKind === 'typed')) choose('typed')
  })
  build(
    box,
    own.name,
    waysOf(name, words, shown, kind => show(kind)),
    ways,
    use,
    state,
  )
  function show(kind: MarkKind): void {
    shown = kind
    refresh()
  }
  refresh()
  return entry
}

function build(
  box: HTMLElement,
  title: string,
  tabs: HTMLElement,
  ways: Record<MarkKind, Way>,
  use: HTMLElement,
  state: HTMLElement,
) {
  const label = element('p', { class: 'mark-name', id: `${box.dataset.mark}-name` }, title)
  box.setAttribute('role', 'group')
  box.setAttribute('aria-labelledby', label.id)
  const notes = [...box.querySelectorAll<HTMLElement>('.hint, .fault')]
  box.append(label, ...notes, tabs, ways.drawn.element, ways.typed.element, ways.uploaded.element, use, state)
}

/** The ways as a group of radio buttons that look like tabs. */
function waysOf(name: MarkName, words: ClientWords, checked: MarkKind, show: (kind: MarkKind) => void): HTMLElement {
  const texts: Record<MarkKind, string> = { drawn: words.mark.draw, typed: words.mark.type, uploaded: words.mark.upload }
  const group = element('fieldset', { class: 'ways' }, element('legend', {}, words.mark.how))
  for (const kind of KINDS) {
    const radio = element('input', { type: 'radio', name: `${name}Way`, value: kind })
    radio.checked = kind === checked
    radio.addEventListener('change', () => show(kind))
    group.append(element('label', {}, radio, element('span', {}, texts[kind])))
  }
  return group
}

function drawnWay({ mark }: ClientWords, pad: ReturnType<typeof openPad>): Way {
  const bounds = element('p', { class: 'fault', role: 'status' })
  const tell = () => {
    bounds.textContent = pad.isFull() ? mark.padFull : pad.text() !== '' && !pad.isMark() ? mark.tooLittle : ''
  }
  const act = (text: string, run: () => void) =>
    button(text, { class: 'link' }, () => {
      run()
      tell()
    })
  const acts = element('div', { class: 'pad-acts' }, act(mark.undo, pad.undo), act(mark.clear, pad.clear))
  pad.element.addEventListener('pointerup', tell)
  return {
    element: element(
      'div',
      { class: 'way' },
      pad.element as unknown as HTMLElement,
      acts,
      bounds,
      element('p', { class: 'hint pad-hint' }, mark.padHint),
    ),
    isMade: () => pad.isMark(),
  }
}
