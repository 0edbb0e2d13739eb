/**
 * The chooser of a mark, the signature or the initials: drawn, typed, or from a picture. What is
 * chosen once stands in all its places; only what is chosen is sent with the form. Built around the
 * plain entry of the page.
 */
import type { MarkKind, MarkName } from '../../src/core/signature-mark.ts'
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import type { FieldData, SigningData } from './signing-data.ts'
import { button, element, requireElement } from './signing-element.ts'
import { type Entry, entryElement, refusalOf } from './signing-entries.ts'
import type { FormSaver } from './signing-form-saver.ts'
import { openPad } from './signing-pad.ts'
import { pictureWay } from './signing-picture.ts'
import { formatCount } from './signing-texts.ts'

interface Options {
  name: MarkName
  data: SigningData
  saver: FormSaver
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

/**
 * Characters that a page which is left can still send on its own; browsers stop at 64 kB, with a
 * form's escapes.
 */
const MOST_LEFT = 20_000

/** In the order of the tabs. */
const KINDS: MarkKind[] = ['drawn', 'typed', 'uploaded']

export function markEntry(options: Options): MarkEntry {
  const { name, data, saver, onChange, onStored } = options
  const { texts } = data
  const parts = partsOf(name, data)
  const { box, typed, inkField, use } = parts
  const choice = choiceOf(box, typed)
  const pad = openPad({ label: texts.mark[name].pad, text: inkField.value, onChange: () => drew() })
  const ways: Record<MarkKind, Way> = {
    drawn: drawnWay(texts, pad),
    typed: { element: requireElement('.typed', HTMLElement, box), isMade: () => typed.value.trim() !== '' },
    uploaded: pictureFor(
      options,
      box.dataset.picture === 'true',
      message => {
        entry.refusal = message
        onChange(entry)
      },
      () => {
        choose('uploaded')
        onStored(entry)
      },
    ),
  }
  const entry = entryOf(options, parts, choice, ways, choose)
  function refresh(): void {
    tell(parts, choice, ways, data, name)
    onChange(entry)
  }
  function choose(kind: MarkKind): void {
    const hadFocus = document.activeElement === use
    choice.chosen = kind
    entry.refusal = undefined
    refresh()
    saver.put(entry.members())
    void saver.flush()
    // A button that goes takes the focus with it.
    if (hadFocus) entry.control().focus()
  }
  function drew(): void {
    // A touch of the pad is no mark; the server would refuse it.
    inkField.value = pad.isMark() ? pad.text() : ''
    entry.refusal = undefined
    refresh()
    // Kept before it is chosen too, so that a reload leaves it on the pad.
    saver.put({ [`${name}Ink`]: inkField.value, ...(choice.chosen === 'drawn' ? entry.members() : {}) })
    if (inkField.value.length > MOST_LEFT) void saver.flush()
  }
  wireTyped(entry, parts, choice, { saver, refresh, choose })
  use.addEventListener('click', () => choose(choice.shown))
  const tabs = waysOf(name, texts, choice.shown, kind => {
    choice.shown = kind
    refresh()
  })
  build(parts, texts.mark[name].name, tabs, ways)
  refresh()
  return entry
}

function entryOf(
  { name, data: { texts } }: Options,
  { box, boxes, typed, kindField, inkField }: Parts,
  choice: Choice,
  ways: Record<MarkKind, Way>,
  choose: (kind: MarkKind) => void,
): MarkEntry {
  const missing = name === 'signature' ? texts.makeSignature : texts.makeInitials
  const entry: MarkEntry = {
    name,
    label: texts.mark[name].name,
    isRequired: true,
    element: box,
    boxes,
    control: () => requireElement(`[name="${name}Way"]:checked`, HTMLInputElement, box),
    isFilled: () => choice.chosen !== undefined && ways[choice.chosen].isMade(),
    error: () => entry.refusal ?? (entry.isFilled() ? undefined : missing),
    members: () => ({ [`${name}Kind`]: kindField.value, [name]: typed.value, [`${name}Ink`]: inkField.value }),
    refusal: refusalOf(name),
    settle() {
      if (!entry.isFilled() && ways[choice.shown].isMade()) choose(choice.shown)
    },
  }
  return entry
}

/** Of the entry as the page wrote it, and what stands below the ways. */
interface Parts {
  box: HTMLElement
  boxes: FieldData[]
  typed: HTMLInputElement
  kindField: HTMLInputElement
  inkField: HTMLInputElement
  use: HTMLButtonElement
  state: HTMLElement
}

function partsOf(name: MarkName, data: SigningData): Parts {
  const box = entryElement(name)
  return {
    box,
    boxes: data.fields.filter(field => field.type === name),
    typed: requireElement(`[name="${name}"]`, HTMLInputElement, box),
    kindField: requireElement(`[name="${name}Kind"]`, HTMLInputElement, box),
    inkField: requireElement(`[name="${name}Ink"]`, HTMLInputElement, box),
    use: element('button', { type: 'button', class: 'use plain' }),
    state: element('p', { class: 'chosen', role: 'status' }),
  }
}

interface Choice {
  chosen: MarkKind | undefined
  /** The way that is open. */
  shown: MarkKind
}

function choiceOf({ dataset }: HTMLElement, typed: HTMLInputElement): Choice {
  const chosen = dataset.chosen === 'true' ? (KINDS.find(kind => kind === dataset.kind) ?? 'typed') : undefined
  // Where a text is proposed, one tap is enough; else a finger draws, and a keyboard types.
  const isByHand = typed.value === '' && matchMedia('(pointer: coarse)').matches
  return { chosen, shown: chosen ?? (isByHand ? 'drawn' : 'typed') }
}

/** Shows the open way, whether it can be chosen, and whether it stands. */
function tell(
  { kindField, boxes, use, state }: Parts,
  { chosen, shown }: Choice,
  ways: Record<MarkKind, Way>,
  { texts: { mark }, lang }: SigningData,
  name: MarkName,
) {
  kindField.value = chosen ?? 'typed'
  for (const kind of KINDS) {
    ways[kind].element.hidden = kind !== shown
    ways[kind].element.classList.toggle('made', ways[kind].isMade())
  }
  const isMade = ways[shown].isMade()
  const stands = isMade && chosen === shown
  const where = boxes.length > 0 ? formatCount(mark[name].chosen, boxes.length, lang) : mark[name].chosenNowhere
  use.hidden = stands || !isMade
  use.textContent = formatCount(mark[name].use, Math.max(1, boxes.length), lang)
  state.textContent = stands ? `${where} ${mark.later}` : ''
}

interface TypedActs {
  saver: FormSaver
  refresh(): void
  choose(kind: MarkKind): void
}

function wireTyped(entry: MarkEntry, { typed }: Parts, choice: Choice, { saver, refresh, choose }: TypedActs): void {
  typed.addEventListener('input', () => {
    entry.refusal = undefined
    if (choice.chosen === 'typed') saver.put(entry.members())
    refresh()
  })
  // Whoever types a name here and goes on has chosen it.
  typed.addEventListener('change', () => {
    const isFree = choice.chosen === undefined || choice.chosen === 'typed'
    if (typed.value.trim() !== '' && isFree) choose('typed')
  })
}

function pictureFor(
  { name, data, saver }: Options,
  hasPicture: boolean,
  refuse: (message: string) => void,
  stored: () => void,
): Way {
  const { texts, base, csrf } = data
  return pictureWay({ name, texts, base, csrf, hasPicture, flush: () => saver.flush(), refuse, stored })
}

function build({ box, use, state }: Parts, title: string, tabs: HTMLElement, ways: Record<MarkKind, Way>): void {
  const label = element('p', { class: 'mark-name', id: `${box.dataset.mark}-name` }, title)
  box.setAttribute('role', 'group')
  box.setAttribute('aria-labelledby', label.id)
  const notes = [...box.querySelectorAll<HTMLElement>('.hint, .field-error')]
  box.append(label, ...notes, tabs, ...KINDS.map(kind => ways[kind].element), use, state)
}

/** The ways as a group of radio buttons that look like tabs. */
function waysOf(name: MarkName, texts: ScriptTexts, checked: MarkKind, show: (kind: MarkKind) => void): HTMLElement {
  const labels: Record<MarkKind, string> = { drawn: texts.mark.draw, typed: texts.mark.type, uploaded: texts.mark.upload }
  const group = element('fieldset', { class: 'ways' }, element('legend', {}, texts.mark.how))
  for (const kind of KINDS) {
    const radio = element('input', { type: 'radio', name: `${name}Way`, value: kind })
    radio.checked = kind === checked
    radio.addEventListener('change', () => show(kind))
    group.append(element('label', {}, radio, element('span', {}, labels[kind])))
  }
  return group
}

function drawnWay({ mark }: ScriptTexts, pad: ReturnType<typeof openPad>): Way {
  const bounds = element('p', { class: 'field-error', role: 'status' })
  const tell = () => {
    bounds.textContent = pad.isFull() ? mark.padFull : pad.text() !== '' && !pad.isMark() ? mark.tooLittle : ''
  }
  const act = (text: string, run: () => void) =>
    button(text, { class: 'link' }, () => {
      run()
      tell()
    })
  const acts = element('div', { class: 'pad-acts' }, act(mark.undo, pad.undo), act(mark.clear, pad.clear))
  for (const end of ['pointerup', 'pointercancel'] as const) pad.element.addEventListener(end, tell)
  return {
    element: element(
      'div',
      { class: 'way drawn' },
      pad.element as unknown as HTMLElement,
      acts,
      bounds,
      element('p', { class: 'hint pad-hint' }, mark.padHint),
    ),
    isMade: () => pad.isMark(),
  }
}
