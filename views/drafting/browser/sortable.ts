/** Drags items of a vertical list by their grips. Buttons do the same by keys. */

interface Options {
  /** Selects the grip within an item. */
  grip: string
  /** Called once after a drag that changed the order. */
  onMoved(item: HTMLElement): void
}

const EDGE_PX = 48
const SCROLL_PX = 12

export class Sortable {
  readonly #list: HTMLElement
  readonly #options: Options

  constructor(list: HTMLElement, options: Options) {
    this.#list = list
    this.#options = options
    list.addEventListener('pointerdown', event => this.#begin(event))
  }

  get #items(): HTMLElement[] {
    return [...this.#list.children] as HTMLElement[]
  }

  #begin(event: PointerEvent): void {
    const grip = (event.target as Element).closest<HTMLElement>(this.#options.grip)
    const item = this.#items.find(each => each.contains(grip))
    if (!grip || !item || event.button !== 0) return
    event.preventDefault()
    const before = this.#items
    const end = new AbortController()
    const { signal } = end
    item.classList.add('dragged')
    const stop = (isKept: boolean) => {
      end.abort()
      item.classList.remove('dragged')
      if (!isKept) this.#list.append(...before)
      else if (this.#items.some((each, i) => each !== before[i])) this.#options.onMoved(item)
    }
    // Moving an element in the document ends its pointer capture, so the document listens.
    document.addEventListener('pointermove', move => this.#move(item, move), { signal })
    document.addEventListener('pointerup', () => stop(true), { signal })
    document.addEventListener('pointercancel', () => stop(false), { signal })
    document.addEventListener('keydown', key => key.key === 'Escape' && stop(false), { signal })
  }

  #move(item: HTMLElement, { clientY }: PointerEvent): void {
    if (clientY < EDGE_PX) window.scrollBy(0, -SCROLL_PX)
    if (clientY > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_PX)
    const others = this.#items.filter(each => each !== item)
    const next = others.find(other => {
      const { top, height } = other.getBoundingClientRect()
      return clientY < top + height / 2
    })
    if (next !== item.nextElementSibling || (!next && item !== this.#list.lastElementChild))
      this.#list.insertBefore(item, next ?? null)
  }
}
