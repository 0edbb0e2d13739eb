/** Counts the characters of a long entry, and says near its limit how many are left. */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import type { FieldData } from './data.ts'
import type { Entry } from './entries.ts'
import { formatCount } from './texts.ts'

/** The count is shown from this part of the limit on. */
const NEAR = 0.8
/** Screen readers hear the count when the person pauses. */
const PAUSE_MS = 700

/** Does nothing where the page shows no limit. */
export function countCharacters(
  { element, value }: Pick<Entry, 'element' | 'value'>,
  { maxLength }: Pick<FieldData, 'maxLength'>,
  { texts, lang }: { texts: ScriptTexts; lang: string },
): void {
  const limit = element.querySelector<HTMLElement>('.limit')
  if (!limit || !value) return
  const heard = document.createElement('span')
  heard.className = 'unseen'
  heard.setAttribute('role', 'status')
  limit.after(heard)
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    const length = [...value().replaceAll('\r\n', '\n').trim()].length
    const isNear = length >= maxLength * NEAR
    const left = maxLength - length
    const text = isNear ? formatCount(left < 0 ? texts.charactersOver : texts.charactersLeft, Math.abs(left), lang) : ''
    limit.textContent = text
    limit.classList.toggle('over', left < 0)
    clearTimeout(timer)
    timer = setTimeout(() => {
      heard.textContent = text
    }, PAUSE_MS)
  }
  element.addEventListener('input', update)
  update()
}
