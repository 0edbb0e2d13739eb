/** The page on which a template is used: completes people, and leads back to the same document. */
import { parseMailboxes } from '../../../src/core/draft/mailbox.ts'
import { type ConditionalField, hiddenFields } from '../../../src/core/field/visibility.ts'
import { draftOf } from '../../drafting/browser/draft-saver.ts'
import { clearEntryError, contactOf, PersonRow } from '../../drafting/browser/person-row.ts'

/** Hides the sender's fields whose conditions are not met. The service asks for none of them. */
function followConditions(form: HTMLFormElement, section: HTMLElement): void {
  const fields = JSON.parse(section.dataset.fields ?? '[]') as ConditionalField[]
  const update = () => {
    const entered = new FormData(form)
    const hidden = hiddenFields(fields, ({ id }) => String(entered.get(`values.${id}`) ?? ''))
    for (const { id } of fields) {
      const entry = section.querySelector<HTMLElement>(`[data-value="${id}"]`)
      if (entry) entry.hidden = hidden.has(id)
    }
  }
  form.addEventListener('input', update)
  update()
}

class UseForm {
  readonly #form: HTMLFormElement

  constructor(form: HTMLFormElement) {
    this.#form = form
    form.addEventListener('input', event => this.#typed(event))
    form.addEventListener('change', event => this.#left(event))
    form.addEventListener('click', event => this.#pressed(event))
  }

  #rowOf({ target }: Event): PersonRow | undefined {
    const element = (target as Element).closest<HTMLElement>('[data-person]')
    const isPerson = (target as Element).matches('[name$=".name"], [name$=".email"]')
    return element && isPerson ? new PersonRow(element) : undefined
  }

  /** A chosen contact is a mailbox such as `Ada <ada@example.com>`. */
  #typed(event: Event): void {
    const row = this.#rowOf(event)
    const input = event.target as HTMLInputElement
    clearEntryError(this.#form, input.name)
    if (!row) return
    const [mailbox] = input.value.includes('<') ? parseMailboxes(input.value) : []
    if (!mailbox) return
    row.fill({ name: mailbox.name || row.values.name, email: mailbox.email })
    this.#complete(row)
  }

  #left(event: Event): void {
    const row = this.#rowOf(event)
    if (row) this.#complete(row)
  }

  #complete(row: PersonRow): void {
    const contact = contactOf(this.#form, row.values.email)
    if (!contact) return
    const { name, locale } = row.values
    row.fill({ name: name.trim() || contact.name, locale: locale || contact.locale })
  }

  #pressed(event: Event): void {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-me]')
    const element = button?.closest<HTMLElement>('[data-person]')
    if (!button || !element) return
    event.preventDefault()
    const { name = '', email = '' } = button.dataset
    new PersonRow(element).fill({ name, email })
    for (const { name } of element.querySelectorAll<HTMLInputElement>('[name$=".name"], [name$=".email"]'))
      clearEntryError(this.#form, name)
  }
}

/** Back in the browser shows the form without its document: a second one would be made. */
function returnToDraft({ dataset: { use = '' }, elements }: HTMLFormElement): void {
  const made = draftOf(use)
  if (made !== null && !elements.namedItem('document')) location.replace(`${location.pathname}?document=${made}`)
}

const form = document.querySelector<HTMLFormElement>('form[data-use]')
if (form) {
  new UseForm(form)
  const section = form.querySelector<HTMLElement>('[data-fields]')
  if (section) followConditions(form, section)
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') returnToDraft(form)
  window.addEventListener('pageshow', event => event.persisted && returnToDraft(form))
}
