/** The browser's picker beside a colour that is typed, and samples of it: all are kept in step. */
import { brandColours, parseColour } from '../../../src/core/colour.ts'

export function upgradeColourPickers(within: ParentNode): void {
  for (const picker of within.querySelectorAll<HTMLInputElement>('[data-colour-of]')) follow(picker)
}

function follow(picker: HTMLInputElement): void {
  const typed = document.getElementById(picker.dataset.colourOf ?? '')
  if (!(typed instanceof HTMLInputElement)) return
  const none = picker.value
  picker.addEventListener('input', () => {
    typed.value = picker.value
    showSamples(parseColour(picker.value))
  })
  typed.addEventListener('input', () => {
    const colour = parseColour(typed.value)
    picker.value = colour ?? none
    showSamples(colour)
  })
  picker.value = parseColour(typed.value) ?? none
  picker.hidden = false
}

/** What is not a colour has none. */
function showSamples(colour: string | undefined): void {
  for (const sample of document.querySelectorAll<SVGElement>('[data-colour-sample]')) {
    sample.parentElement?.toggleAttribute('hidden', colour === undefined)
    if (colour === undefined) continue
    const { action, on } = brandColours(colour)[sample.dataset.colourSample === 'dark' ? 'dark' : 'light']
    sample.querySelector('[data-action]')?.setAttribute('fill', action)
    sample.querySelector('text')?.setAttribute('fill', on)
    sample.setAttribute('aria-label', `${sample.querySelector('text')?.textContent}: ${action}`)
  }
}
