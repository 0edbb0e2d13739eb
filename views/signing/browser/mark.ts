/**
 * The entry of a mark: a signature or initials, drawn, typed or uploaded. One choice fills all its
 * fields.
 */
import { HANDS, type Hand, type MarkKind, type MarkName } from '../../../src/core/signing/signature-mark.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { type BoxData, format, formatCount, type SigningData } from './data.ts'
import { button, element, requireElement } from './element.ts'
import { type Entry, entryElement, refusalOf } from './entries.ts'
import type { FormSaver } from './form-saver.ts'
import { openPad } from './pad.ts'
import { pictureMethod } from './picture.ts'

interface MarkOptions {
  name: MarkName
  data: SigningData
  saver: FormSaver
  onChange(entry: Entry): void
  /** The server has stored the picture. */
  onStored(entry: Entry): void
}

export interface MarkEntry extends Entry {
  /** Chooses what was made but not yet chosen. */
  settle(): void
  /** Its boxes have changed. */
  redraw(): void
}

export interface MarkMethod {
  element: HTMLElement
  /** Something can be chosen. */
  isMade(): boolean
  /** While a picture is sent: whether the server takes it. */
  underway?(): Promise<boolean> | undefined
}

/** Largest text sent when the page is left; browsers stop at 64 kB of escaped form. */
const MAX_LEAVING = 20_000

/** In the order of the tabs. */
const KINDS: MarkKind[] = ['drawn', 'typed', 'uploaded']

export function markEntry(options: MarkOptions): MarkEntry {
  const { name, data, saver, onChange, onStored } = options
  const { texts } = data
  const parts = partsOf(name, data)
  const { box, typed, inkField, use } = parts
  const choice = choiceOf(box, typed)
  const pad = openPad({ label: texts.mark[name].pad, text: inkField.value, onChange: () => drew() })
  const methods: Record<MarkKind, MarkMethod> = {
    drawn: drawMethod(texts, pad),
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
  const redraw = () => showChoice(parts, choice, methods, data, name)
  const hands = openHands({
    name,
    data,
    box: requireElement('.typed', HTMLElement, box),
    onChosen: () => choose('typed'),
  })
  const entry = entryOf(options, parts, hands, choice, methods, choose, redraw)
  function refresh(): void {
    redraw()
    onChange(entry)
  }
  function choose(kind: MarkKind): void {
    const hadFocus = document.activeElement === use
    choice.chosen = kind
    entry.refusal = undefined
    refresh()
    saver.put(entry.members())
    void saver.flush()
    // The button is hidden and would take the focus with it.
    if (hadFocus) entry.control().focus()
  }
  function drew(): void {
    // A dot is not a mark: the server would refuse it.
    inkField.value = pad.isMark() ? pad.text() : ''
    entry.refusal = undefined
    refresh()
    // Saved before it is chosen too, so that it survives a reload.
    saver.put({ [`${name}Ink`]: inkField.value, ...(choice.chosen === 'drawn' ? entry.members() : {}) })
    if (inkField.value.length > MAX_LEAVING) void saver.flush()
  }
  const own = ownButton(parts, texts, () => {
    choose('typed')
    // The button is hidden. In the text field a phone's keyboard would cover the hands.
    entry.control().focus({ preventScroll: true })
  })
  wireTyped(entry, parts, choice, { saver, hands, own, refresh, choose })
  use.addEventListener('click', () => choose(choice.shown))
  const tabs = tabsOf(name, texts, choice.shown, kind => {
    choice.shown = kind
    refresh()
  })
  buildBox(parts, texts.mark[name].name, tabs, methods)
  refresh()
  return entry
}

function entryOf(
  { name, data: { texts } }: MarkOptions,
  { box, boxes, typed, kindField, inkField }: Parts,
  hands: Hands,
  choice: Choice,
  methods: Record<MarkKind, MarkMethod>,
  choose: (kind: MarkKind) => void,
  redraw: () => void,
): MarkEntry {
  const missing = name === 'signature' ? texts.makeSignature : texts.makeInitials
  const entry: MarkEntry = {
    name,
    label: texts.mark[name].name,
    isRequired: true,
    isHidden: false,
    element: box,
    boxes,
    control: () => requireElement(`[name="${name}Method"]:checked`, HTMLInputElement, box),
    isFilled: () => choice.chosen !== undefined && methods[choice.chosen].isMade(),
    error: () => entry.refusal ?? (entry.isFilled() ? undefined : missing),
    members: () => ({
      [`${name}Kind`]: kindField.value,
      [name]: typed.value,
      [`${name}Hand`]: hands.chosen(),
      [`${name}Ink`]: inkField.value,
    }),
    underway: () => methods.uploaded.underway?.(),
    refusal: refusalOf(name),
    settle() {
      if (!entry.isFilled() && methods[choice.shown].isMade()) choose(choice.shown)
    },
    redraw,
  }
  return entry
}

interface Parts {
  box: HTMLElement
  boxes: BoxData[]
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
    boxes: data.fields.filter(field => field.type === name).flatMap(field => field.boxes),
    typed: requireElement(`[name="${name}"]`, HTMLInputElement, box),
    kindField: requireElement(`[name="${name}Kind"]`, HTMLInputElement, box),
    inkField: requireElement(`[name="${name}Ink"]`, HTMLInputElement, box),
    use: element('button', { type: 'button', class: 'button use' }),
    state: element('p', { class: 'chosen', role: 'status' }),
  }
}

interface Choice {
  chosen: MarkKind | undefined
  /** The open tab. */
  shown: MarkKind
}

function choiceOf({ dataset }: HTMLElement, typed: HTMLInputElement): Choice {
  const chosen = dataset.chosen === 'true' ? (KINDS.find(kind => kind === dataset.kind) ?? 'typed') : undefined
  // With a proposed text one tap is enough. Otherwise touch screens draw and keyboards type.
  const isByHand = typed.value === '' && matchMedia('(pointer: coarse)').matches
  return { chosen, shown: chosen ?? (isByHand ? 'drawn' : 'typed') }
}

/** Updates the open tab, the button and the status. */
function showChoice(
  { kindField, boxes, use, state }: Parts,
  { chosen, shown }: Choice,
  methods: Record<MarkKind, MarkMethod>,
  { texts: { mark }, lang }: SigningData,
  name: MarkName,
) {
  kindField.value = chosen ?? 'typed'
  for (const kind of KINDS) {
    methods[kind].element.hidden = kind !== shown
    methods[kind].element.classList.toggle('made', methods[kind].isMade())
  }
  const isMade = methods[shown].isMade()
  const isPlaced = isMade && chosen === shown
  const where = boxes.length > 0 ? formatCount(mark[name].chosen, boxes.length, lang) : mark[name].chosenNowhere
  use.hidden = isPlaced || !isMade
  use.textContent = formatCount(mark[name].use, Math.max(1, boxes.length), lang)
  state.textContent = isPlaced ? `${where} ${mark.later}` : ''
}

interface TypedActs {
  saver: FormSaver
  hands: Hands
  own: HTMLButtonElement
  refresh(): void
  choose(kind: MarkKind): void
}

/** Takes the person's own name or initials. */
function ownButton({ box, typed }: Parts, { mark }: ScriptTexts, use: () => void): HTMLButtonElement {
  const own = box.dataset.own ?? ''
  return button(format(mark.useOwn, { name: own }), { class: 'link own' }, () => {
    typed.value = own
    typed.dispatchEvent(new Event('input'))
    use()
  })
}

function wireTyped(entry: MarkEntry, { box, typed }: Parts, choice: Choice, acts: TypedActs): void {
  const { saver, hands, own, refresh, choose } = acts
  const offer = () => {
    const text = box.dataset.own ?? ''
    own.hidden = text === '' || text.length > typed.maxLength || typed.value.trim() === text
  }
  typed.after(own)
  offer()
  hands.begin(typed.value)
  typed.addEventListener('input', () => {
    offer()
    hands.show(typed.value)
    entry.refusal = undefined
    if (choice.chosen === 'typed') saver.put(entry.members())
    refresh()
  })
  // Typing a name and leaving the field chooses it.
  typed.addEventListener('change', () => {
    const isFree = choice.chosen === undefined || choice.chosen === 'typed'
    if (typed.value.trim() !== '' && isFree) choose('typed')
  })
}

function pictureFor(
  { name, data, saver }: MarkOptions,
  hasPicture: boolean,
  refuse: (message: string) => void,
  stored: () => void,
): MarkMethod {
  const { texts, lang, base, csrf } = data
  return pictureMethod({ name, texts, lang, base, csrf, hasPicture, flush: () => saver.flush(), refuse, stored })
}

function buildBox({ box, use, state }: Parts, title: string, tabs: HTMLElement, methods: Record<MarkKind, MarkMethod>): void {
  const label = element('p', { class: 'mark-name', id: `${box.dataset.mark}-name` }, title)
  box.setAttribute('role', 'group')
  box.setAttribute('aria-labelledby', label.id)
  const notes = [...box.querySelectorAll<HTMLElement>('.hint, .field-error')]
  box.append(label, ...notes, tabs, ...KINDS.map(kind => methods[kind].element), use, state)
}

/** Radio buttons that look like tabs. */
function tabsOf(name: MarkName, texts: ScriptTexts, checked: MarkKind, show: (kind: MarkKind) => void): HTMLElement {
  const labels: Record<MarkKind, string> = { drawn: texts.mark.draw, typed: texts.mark.type, uploaded: texts.mark.upload }
  const group = element('fieldset', { class: 'methods' }, element('legend', {}, texts.mark.how))
  for (const kind of KINDS) {
    const radio = element('input', { type: 'radio', name: `${name}Method`, value: kind })
    radio.checked = kind === checked
    radio.addEventListener('change', () => show(kind))
    group.append(element('label', {}, radio, element('span', {}, labels[kind])))
  }
  return group
}

function drawMethod({ mark }: ScriptTexts, pad: ReturnType<typeof openPad>): MarkMethod {
  const bounds = element('p', { class: 'field-error', role: 'status' })
  const update = () => {
    bounds.textContent = pad.isFull() ? mark.padFull : pad.text() !== '' && !pad.isMark() ? mark.tooLittle : ''
  }
  const act = (text: string, run: () => void) =>
    button(text, { class: 'link' }, () => {
      run()
      update()
    })
  const acts = element('div', { class: 'pad-acts' }, act(mark.undo, pad.undo), act(mark.clear, pad.clear))
  for (const end of ['pointerup', 'pointercancel'] as const) pad.element.addEventListener(end, update)
  return {
    element: element(
      'div',
      { class: 'method drawn' },
      pad.element as unknown as HTMLElement,
      acts,
      bounds,
      element('p', { class: 'hint pad-hint' }, mark.padHint),
    ),
    isMade: () => pad.isMark(),
  }
}

// The handwritings of a typed mark: drawn by the server while the person types, and chosen.

interface HandOptions {
  name: MarkName
  data: Pick<SigningData, 'base' | 'csrf'>
  /** The part of the form that has the text and the hands. */
  box: HTMLElement
  onChosen(): void
}

interface Hands {
  chosen(): string
  /** The text that came with the page. */
  begin(text: string): void
  /** Draws this text in each hand. */
  show(text: string): void
}

/** A person types no faster than pictures come, so that only the last of quick keys is drawn. */
const DRAW_AFTER_MS = 80

interface HandChoice {
  hand: Hand
  label: HTMLElement
  radio: HTMLInputElement
  picture: HTMLImageElement
}

function openHands({ name, data, box, onChosen }: HandOptions): Hands {
  const group = requireElement('.hands', HTMLElement, box)
  const choices = HANDS.map((hand): HandChoice => {
    const radio = requireElement(`[value="${hand}"]`, HTMLInputElement, group)
    const label = radio.parentElement ?? group
    const picture = element('img', { alt: label.dataset.name })
    radio.after(picture)
    return { hand, label, radio, picture }
  })
  const chosen = () => choices.find(({ radio }) => radio.checked)
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = ''
  let isDrawing = false

  /** Pictures have their places before they come: nothing below moves while it is pressed. */
  function begin(text: string): boolean {
    const isEmpty = !text.trim()
    if (isEmpty || !wanted.trim()) group.hidden = isEmpty
    wanted = text
    return !isEmpty
  }

  async function draw(): Promise<void> {
    if (isDrawing) return
    isDrawing = true
    const text = wanted
    const drawn = await drawHands(data, name, text)
    isDrawing = false
    if (wanted !== text) return draw()
    if (drawn) place(drawn)
  }

  function place(drawn: DrawnHand[]): void {
    for (const { hand, label, picture } of choices) {
      const own = drawn.find(each => each.hand === hand)
      label.hidden = !own
      if (own) picture.src = `data:image/svg+xml,${encodeURIComponent(own.svg)}`
    }
    group.hidden = drawn.length === 0
    // A hand that this text does not have is stamped in the first one.
    const first = choices.find(({ label }) => !label.hidden)
    if (first && chosen()?.label.hidden) first.radio.checked = true
  }

  for (const { radio } of choices) radio.addEventListener('change', onChosen)
  // A text that came with the page is drawn once the person sees its entry.
  const seen = new IntersectionObserver(entries => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    if (begin(wanted)) void draw()
  })
  seen.observe(box)
  return {
    chosen: () => String(chosen()?.hand ?? 1),
    begin,
    show(text) {
      clearTimeout(timer)
      if (begin(text)) timer = setTimeout(draw, DRAW_AFTER_MS)
    },
  }
}

interface DrawnHand {
  hand: Hand
  svg: string
}

/** `undefined`: the pictures before stay. */
async function drawHands({ base, csrf }: HandOptions['data'], mark: MarkName, text: string): Promise<DrawnHand[] | undefined> {
  try {
    const response = await fetch(`${base}/hands`, { method: 'POST', body: new URLSearchParams({ csrf, for: mark, text }) })
    return response.ok ? ((await response.json()) as DrawnHand[]) : undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}
