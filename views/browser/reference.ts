/** Adds a button to each code block of the API reference that copies its text. */

const SHOWN_MS = 2000

async function copyText(block: HTMLElement): Promise<void> {
  // Browsers offer the clipboard only on https and loopback; elsewhere the selected text is copied.
  if (navigator.clipboard) return navigator.clipboard.writeText(block.textContent)
  getSelection()?.selectAllChildren(block)
  document.execCommand('copy')
}

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
