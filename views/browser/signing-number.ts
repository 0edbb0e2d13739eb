/** Shows at once as which number an entry is read, and asks where it could be two. */
import { choicesOf, readEntered, shownNumber } from '../../src/core/number.ts'
import { button, element } from './signing-element.ts'

/** Below the entry: “= 1 250”, or the numbers to choose from. */
export function showReading(control: HTMLInputElement, lang: string): void {
  const place = element('div', { class: 'number-reading', role: 'status' })
  control.after(place)
  const choose = (text: string) => {
    control.value = text
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
    control.focus()
  }
  const update = () => {
    const parsed = readEntered(control.value, lang)
    if ('number' in parsed) place.replaceChildren(`= ${shownNumber(parsed.number, lang)}`)
    else if ('error' in parsed) place.replaceChildren()
    else {
      const choices = choicesOf(parsed, lang)
      place.replaceChildren(...choices.map(({ entered, shown }) => button(shown, { class: 'plain' }, () => choose(entered))))
    }
  }
  control.addEventListener('input', update)
  // A browser restores what was entered when it comes back to the page.
  addEventListener('pageshow', update)
  update()
}
