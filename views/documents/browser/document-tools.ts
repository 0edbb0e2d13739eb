/** The toolbar above the document: zoom and page number. */
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { button, element } from '../../signing/browser/element.ts'
import { format } from '../../signing/browser/texts.ts'

interface Options {
  texts: SignerTexts['view']
  onZoom(factor: number): void
  onFit(): void
  onPage(page: number): void
}

const STEP = 1.25

export function openTools({ texts, onZoom, onFit, onPage }: Options) {
  const tool = (label: string, sign: string, act: () => void) =>
    button(sign, { class: 'tool', 'aria-label': label, title: label }, act)
  const input = element('input', {
    id: 'go-to-page',
    type: 'text',
    inputmode: 'numeric',
    size: '3',
    autocomplete: 'off',
    value: '1',
  })
  const of = element('span', {})
  let count = 1
  let currentPage = 1
  const isEntering = () => document.activeElement === input
  // Enter fires `change` too.
  input.addEventListener('change', () => {
    const page = Number(input.value)
    if (Number.isInteger(page) && page >= 1 && page <= count) onPage(page)
    else input.value = String(currentPage)
  })
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', () => {
    input.value = String(currentPage)
  })
  const jump = element('div', { class: 'jump' }, element('label', { for: 'go-to-page' }, texts.goToPage), input, of)
  const made = element(
    'div',
    { class: 'document-tools', role: 'group', 'aria-label': texts.tools },
    tool(texts.zoomOut, '−', () => onZoom(1 / STEP)),
    tool(texts.zoomIn, '+', () => onZoom(STEP)),
    tool(texts.fitWidth, '↔', onFit),
    jump,
  )
  return {
    element: made,
    count(pages: number): void {
      count = pages
      of.textContent = format(texts.ofPages, { pages })
      jump.hidden = pages < 2
    },
    current(page: number): void {
      currentPage = page
      if (!isEntering()) input.value = String(page)
    },
  }
}
