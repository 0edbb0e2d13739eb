/** The script of set-up and of Settings → Organisation. */
import { brandColours, parseColour } from '../../../src/core/colour.ts'

function upgradeBrowserZones(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-browser-zone]')) offer(place)
}

/** Shown while the list has another zone. */
function offer(place: HTMLElement): void {
  const list = document.getElementById(place.dataset.browserZone ?? '')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!(list instanceof HTMLSelectElement) || ![...list.options].some(({ value }) => value === zone)) return
  const follow = () => {
    place.hidden = list.value === zone
  }
  const choose = () => {
    list.value = zone
    follow()
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain compact'
  button.textContent = place.dataset.offer?.replace('{zone}', zone) ?? ''
  button.addEventListener('click', () => {
    choose()
    list.focus()
  })
  place.replaceChildren(button)
  list.addEventListener('change', follow)
  if (place.dataset.preset === undefined) follow()
  else choose()
}

upgradeBrowserZones(document)
upgradeColourPickers(document)

// The browser's picker beside a colour that is typed, and samples of it: all are kept in step.

function upgradeColourPickers(within: ParentNode): void {
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
