/**
 * Entries of numbers: shows at once as which number one is read, and asks where it could be two. A
 * script of its own, which pages with such a field load.
 */
import { readEntry } from '../../../src/core/field/field.ts'
import { choicesOf, numberOf, readEntered, shownNumber } from '../../../src/core/field/number.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { type FieldData, format, numberText } from './data.ts'
import { button, element } from './element.ts'

interface Words {
  texts: ScriptTexts
  lang: string
}

export interface NumberTools {
  /** As it is stored, for conditions; what is no number stays as it was entered. */
  read(entered: string, lang: string): string
  /** The server alone decides. */
  error(field: FieldData, entered: string, words: Words): string | undefined
  showReading(control: HTMLInputElement, lang: string): void
}

export const numberTools: NumberTools = {
  read: (entered, lang) => readEntry({ type: 'number' }, entered, lang),
  error: numberError,
  showReading,
}

/** Below the entry: “= 1 250”, or the numbers to choose from. */
function showReading(control: HTMLInputElement, lang: string): void {
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

function numberError(
  { min, max }: FieldData,
  entered: string,
  { texts: { notANumber, numberUnclear, range }, lang }: Words,
): string | undefined {
  const parsed = readEntered(entered, lang)
  if ('unclear' in parsed) return numberUnclear
  if (!('number' in parsed)) return notANumber
  const number = numberOf(parsed.number)
  if ((min === undefined || number >= min) && (max === undefined || number <= max)) return undefined
  const limits = Object.entries({ min, max }).flatMap(([name, n]) => (n === undefined ? [] : [[name, numberText(n, lang)]]))
  const text = min === undefined ? range.atMost : max === undefined ? range.atLeast : range.between
  return format(text, Object.fromEntries(limits) as Record<string, string>)
}
