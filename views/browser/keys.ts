/** Single-key shortcuts: none while a person types, and they can be switched off (WCAG 2.1.4). */
const SETTING = 'signet-keys'

const isOn = () => localStorage.getItem(SETTING) !== 'off'

/** A tick takes no letters; it may have the focus of a dialog that was closed a moment ago. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))

/** The first link of each row. */
function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll('main tbody tr')].flatMap(row => {
    const link = row.querySelector<HTMLElement>('a[href]')
    return link ? [link] : []
  })
}

function moveRow(step: 1 | -1): void {
  const links = rowLinks()
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex(link => link.closest('tr') === row)
  const next = at < 0 ? links[0] : links[at + step]
  next?.focus()
}

const ACTS: Record<string, () => void> = {
  '?': () => document.querySelector<HTMLElement>('[data-opens="keys"]')?.click(),
  n: () => document.querySelector<HTMLElement>('[data-key-new]')?.click(),
  '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
}

function press(event: KeyboardEvent): void {
  const act = Object.hasOwn(ACTS, event.key) ? ACTS[event.key] : undefined
  const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing
  if (!act || isTaken || isTyping(event.target) || !isOn() || document.querySelector('dialog[open], :popover-open')) return
  event.preventDefault()
  act()
}

export function upgradeKeys(within: Document): void {
  const toggle = within.querySelector<HTMLInputElement>('[data-keys-switch]')
  // Without the list of keys there is no frame: nobody is signed in.
  if (!toggle) return
  toggle.checked = isOn()
  toggle.addEventListener('change', () => localStorage.setItem(SETTING, toggle.checked ? 'on' : 'off'))
  within.addEventListener('keydown', press)
}
