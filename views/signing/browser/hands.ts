/** The handwritings of a typed mark: drawn by the server while the person types, and chosen. */
import { HANDS, type Hand, type MarkName } from '../../../src/core/signing/signature-mark.ts'
import type { SigningData } from './data.ts'
import { element, requireElement } from './element.ts'

interface Options {
  name: MarkName
  data: Pick<SigningData, 'base' | 'csrf'>
  /** The part of the form that has the text and the hands. */
  box: HTMLElement
  onChosen(): void
}

export interface Hands {
  chosen(): string
  /** The text that came with the page. */
  begin(text: string): void
  /** Draws this text in each hand. */
  show(text: string): void
}

/** A person types no faster than pictures come, so that only the last of quick keys is drawn. */
const PAUSE_MS = 80

interface Choice {
  hand: Hand
  label: HTMLElement
  radio: HTMLInputElement
  picture: HTMLImageElement
}

export function openHands({ name, data, box, onChosen }: Options): Hands {
  const group = requireElement('.hands', HTMLElement, box)
  const choices = HANDS.map((hand): Choice => {
    const radio = requireElement(`[value="${hand}"]`, HTMLInputElement, group)
    const label = radio.parentElement ?? group
    const picture = element('img', { alt: label.dataset.name })
    radio.after(picture)
    return { hand, label, radio, picture }
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = ''
  let isDrawing = false

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
      label.hidden = own === undefined
      if (own) picture.src = `data:image/svg+xml,${encodeURIComponent(own.svg)}`
    }
    group.hidden = drawn.length === 0
    // A hand that this text does not have is stamped in the first one.
    const isGone = choices.some(({ radio, label }) => radio.checked && label.hidden)
    const first = choices.find(({ label }) => !label.hidden)
    if (isGone && first) first.radio.checked = true
  }

  for (const { radio } of choices) radio.addEventListener('change', onChosen)
  group.hidden = true
  // A text that came with the page is drawn once the person sees its entry.
  const seen = new IntersectionObserver(entries => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    if (wanted.trim() !== '') void draw()
  })
  seen.observe(box)
  return {
    chosen: () => String(choices.find(({ radio }) => radio.checked)?.hand ?? 1),
    begin(text) {
      wanted = text
    },
    show(text) {
      wanted = text
      clearTimeout(timer)
      if (text.trim() === '') group.hidden = true
      else timer = setTimeout(() => void draw(), PAUSE_MS)
    },
  }
}

interface DrawnHand {
  hand: Hand
  svg: string
}

/** `undefined`: the pictures before stay. */
async function drawHands({ base, csrf }: Options['data'], mark: MarkName, text: string): Promise<DrawnHand[] | undefined> {
  try {
    const response = await fetch(`${base}/hands`, { method: 'POST', body: new URLSearchParams({ csrf, for: mark, text }) })
    return response.ok ? ((await response.json()) as DrawnHand[]) : undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}
