/** Menus: placed at their button where CSS cannot, arrow keys between the items. */
import { matching } from './matching.ts'

const GAP_PX = 4
const MARGIN_PX = 8

/** Below the button and inside the window; above it where there is no space below. */
function place(button: Element, menu: HTMLElement): void {
  // Measured without the place that CSS gave, which can make it narrower.
  Object.assign(menu.style, { positionArea: 'none', positionTryFallbacks: 'none', margin: '0', top: '0', left: '0' })
  const at = button.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isBelow = at.bottom + GAP_PX + height <= clientHeight - MARGIN_PX || at.top < height + GAP_PX
  const top = isBelow ? at.bottom + GAP_PX : at.top - height - GAP_PX
  const isAtEnd = at.left + width > clientWidth - MARGIN_PX
  const left = Math.min(isAtEnd ? at.right - width : at.left, clientWidth - width - MARGIN_PX)
  Object.assign(menu.style, { top: `${Math.max(MARGIN_PX, top)}px`, left: `${Math.max(MARGIN_PX, left)}px` })
}

const itemsIn = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('a[href], button:not([disabled])')]

function move(menu: Element, event: KeyboardEvent): void {
  const items = itemsIn(menu)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (next === undefined || items.length === 0) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

export function upgradeMenus(within: ParentNode): void {
  for (const button of matching<HTMLButtonElement>(within, '[data-menu][popovertarget]')) {
    const menu = document.getElementById(button.getAttribute('popovertarget') ?? '')
    if (!menu?.showPopover) continue
    menu.addEventListener('toggle', event => {
      if ((event as ToggleEvent).newState !== 'open') return
      place(button, menu)
      itemsIn(menu)[0]?.focus()
    })
    menu.addEventListener('keydown', event => move(menu, event))
  }
}
