/** Closes an open `details[data-dropdown]` by Escape and by a press outside. */

export function upgradeDropdowns(within: ParentNode): void {
  const open = () => [...within.querySelectorAll<HTMLDetailsElement>('details[data-dropdown][open]')]
  within.addEventListener('pointerdown', event => {
    for (const details of open()) if (!details.contains(event.target as Node)) details.open = false
  })
  within.addEventListener('keydown', event => {
    if ((event as KeyboardEvent).key !== 'Escape') return
    for (const details of open()) {
      details.open = false
      details.querySelector('summary')?.focus()
    }
  })
}
