/** Asks about mistyped domains below the inputs of addresses, also in rows that are added later. */
import { suggestAddress, suggestDomain } from '../../src/core/draft/domain-typo.ts'
import { fillIn } from '../drafting/browser/texts.ts'

const QUESTION = '[data-address-question]'

const inputOf = (question: Element) => question.previousElementSibling as HTMLInputElement | null

/** An address is asked about when it was left, and no longer when it is changed. */
function refresh(isTyping: boolean): void {
  for (const question of document.querySelectorAll<HTMLElement>(QUESTION)) {
    const input = inputOf(question)
    const button = question.querySelector('button')
    const words = question.querySelector('span')
    if (!input || !button || !words) continue
    const domain = suggestDomain(input.value.trim())
    if (isTyping && domain !== undefined && button.hidden) continue
    const { ask = '', use = '' } = question.dataset
    const sentence = domain === undefined ? '' : fillIn(ask, { domain })
    if (words.textContent === sentence) continue
    words.textContent = sentence
    button.textContent = domain === undefined ? '' : fillIn(use, { domain })
    button.hidden = domain === undefined
  }
}

function take(button: Element): void {
  const question = button.closest(QUESTION)
  const input = question && inputOf(question)
  const meant = input && suggestAddress(input.value.trim())
  if (!input || meant === undefined || meant === null) return
  input.value = meant
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
  input.focus()
}

export function upgradeAddressQuestions(): void {
  document.addEventListener('input', () => refresh(true))
  document.addEventListener('change', () => refresh(false))
  document.addEventListener('focusout', () => refresh(false))
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest(`${QUESTION} button`)
    if (button) take(button)
  })
}
