/** Adds a button to each code block of the API reference that copies its text. */
import { copyText } from '../../browser/copy-text.ts'

const SHOWN_MS = 2000

function addButton(block: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    copyText(block).then(
      () => showFor(button, 'Copied'),
      () => showFor(button, 'Not copied'),
    )
  })
  block.before(button)
}

function showFor(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
  }, SHOWN_MS)
}

for (const block of document.querySelectorAll<HTMLElement>('pre')) addButton(block)
