/** Copies the text of an element. */
export async function copyText(block: HTMLElement): Promise<void> {
  // Browsers offer the clipboard only on https and loopback; elsewhere the selected text is copied.
  if (navigator.clipboard) return navigator.clipboard.writeText(block.textContent)
  getSelection()?.selectAllChildren(block)
  document.execCommand('copy')
}
