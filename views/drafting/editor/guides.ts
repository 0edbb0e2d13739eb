/** What is drawn over the pages during a gesture: ghost, guide lines, measure, selection frame. */
import { element } from '../../signing/browser/element.ts'
import type { Box, PageSize } from './model.ts'
import type { PageList, ShownPage } from './pages.ts'
import type { Rule } from './snap.ts'

export class Guides {
  readonly #pages: PageList
  readonly #sizes: readonly PageSize[]
  readonly #ghost = element('div', { class: 'ghost-box', 'aria-hidden': 'true' })
  readonly #measure = element('div', { class: 'measure', 'aria-hidden': 'true' })
  readonly #marquee = element('div', { class: 'marquee', 'aria-hidden': 'true' })
  readonly #lines: HTMLElement[] = []

  constructor(pages: PageList, sizes: readonly PageSize[]) {
    this.#pages = pages
    this.#sizes = sizes
  }

  #page(number: number): ShownPage | undefined {
    return this.#pages.shown.get(number)
  }

  #put(target: HTMLElement, page: number, { x, y, width, height }: Box): void {
    const layer = this.#page(page)?.layer
    if (!layer) {
      target.remove()
      return
    }
    const [pageWidth, pageHeight] = this.#sizes[page - 1]!
    target.style.left = `${(x / pageWidth) * 100}%`
    target.style.top = `${(y / pageHeight) * 100}%`
    target.style.width = `${(width / pageWidth) * 100}%`
    target.style.height = `${(height / pageHeight) * 100}%`
    if (target.parentElement !== layer) layer.append(target)
  }

  /** A field that is about to be placed. */
  ghost(page: number, box: Box, personClass: string, words: string): void {
    const name = `ghost-box ${personClass}`
    if (this.#ghost.className !== name) this.#ghost.className = name
    if (this.#ghost.textContent !== words) this.#ghost.textContent = words
    this.#put(this.#ghost, page, box)
  }

  marquee(page: number, box: Box): void {
    this.#put(this.#marquee, page, box)
  }

  /** Exactly the rules that were applied. */
  rules(page: number, rules: readonly Rule[]): void {
    while (this.#lines.length < rules.length) this.#lines.push(element('div', { 'aria-hidden': 'true' }))
    for (const [i, line] of this.#lines.entries()) {
      const rule = rules[i]
      if (!rule) {
        line.remove()
        continue
      }
      const { axis, kind, at, from, to } = rule
      line.className = `guide ${axis === 'x' ? 'upright' : 'level'} of-${kind}`
      const length = to - from
      this.#put(
        line,
        page,
        axis === 'x' ? { x: at, y: from, width: 0, height: length } : { x: from, y: at, width: length, height: 0 },
      )
    }
  }

  /** Numbers below the box. */
  measure(page: number, box: Box, words: string): void {
    if (this.#measure.textContent !== words) this.#measure.textContent = words
    this.#put(this.#measure, page, { ...box, y: box.y + box.height, height: 0 })
  }

  clear(): void {
    this.#ghost.remove()
    this.#marquee.remove()
    this.#measure.remove()
    for (const line of this.#lines) line.remove()
  }
}
