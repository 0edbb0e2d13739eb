/** Adds a button below each text with `data-copy` that copies it. */
import { copyText } from './copy-text.ts'

const SHOWN_MS = 2000

export function upgradeCopying(within: ParentNode): void {
  for (const block of within.querySelectorAll<HTMLElement>('[data-copy]')) addButton(block)
}

function addButton(block: HTMLElement): void {
  const { copy = '', copied = '', notCopied = '' } = block.dataset
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain compact'
  button.textContent = copy
  const showFor = (text: string) => {
    button.textContent = text
    setTimeout(() => {
      button.textContent = copy
    }, SHOWN_MS)
  }
  button.addEventListener('click', () => {
    copyText(block).then(
      () => showFor(copied),
      () => showFor(notCopied),
    )
  })
  block.after(button)
}
