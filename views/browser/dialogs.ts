/** Shows each `details[data-dialog]` as a modal dialog, which keeps what was typed. */
import { matching } from './matching.ts'

function closeButton(words: string, dialog: HTMLDialogElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet compact dialog-close'
  button.textContent = words
  button.addEventListener('click', () => dialog.close())
  return button
}

class PageDialog {
  readonly #dialog = document.createElement('dialog')

  constructor(details: HTMLDetailsElement) {
    const body = details.querySelector('.dialog-body')
    const heading = body?.querySelector('h2')
    if (heading?.id) this.#dialog.setAttribute('aria-labelledby', heading.id)
    if (body) this.#dialog.append(body)
    this.#dialog.append(closeButton(details.dataset.close ?? '', this.#dialog))
    details.after(this.#dialog)
    const wasOpen = details.open
    details.open = false
    details.querySelector('summary')?.addEventListener('click', event => {
      event.preventDefault()
      this.open()
    })
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.#dialog.close()
    })
    if (wasOpen) this.open()
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal()
  }
}

export function upgradeDialogs(within: ParentNode): void {
  const dialogs = new Map(
    matching<HTMLDetailsElement>(within, 'details[data-dialog]').map(details => [details.id, new PageDialog(details)]),
  )
  within.addEventListener('click', event => {
    const opener = (event.target as Element).closest<HTMLElement>('[data-opens]')
    const dialog = dialogs.get(opener?.dataset.opens ?? '')
    if (!opener || !dialog) return
    event.preventDefault()
    const menu = opener.closest<HTMLElement>('[popover]')
    menu?.hidePopover()
    dialog.open()
  })
}
