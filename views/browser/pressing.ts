/** What moves the page waits while something is pressed: the click would miss its target. */

/** Menus of other elements may take the end of a press away. */
const PRESSED = 'button, a, label, summary, [type="checkbox"], [type="radio"]'

let isDown = false
const waiting = new Set<() => void>()

function release(): void {
  isDown = false
  const runs = [...waiting]
  waiting.clear()
  for (const run of runs) run()
}

document.addEventListener('pointerdown', ({ button, target }) => {
  isDown = button === 0 && (target as Element).closest(PRESSED) !== null
})
// The click comes before a timer does.
for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => setTimeout(release))

export const isPressing = () => isDown

/** At once, or after the press of a button is done. The same function runs once. */
export function afterPress(run: () => void): void {
  if (isDown) waiting.add(run)
  else run()
}
