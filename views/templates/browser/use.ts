/** The page on which a template is used: completes people, and leads back to the same document. */
import { parseMailboxes } from '../../../src/core/draft/mailbox.ts'
import { type ConditionalField, hiddenFields } from '../../../src/core/field/visibility.ts'
import { clearEntryError } from '../../drafting/browser/entry-error.ts'
import { draftOf } from './draft-of-template.ts'

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

type PersonValues = Record<'name' | 'email' | 'locale', string>

function entryOf(row: HTMLElement, member: string): HTMLInputElement | HTMLSelectElement | null {
  return row.querySelector(`[name$=".${member}"]`)
}

function fillRow(row: HTMLElement, values: Partial<PersonValues>): void {
  for (const [member, value] of Object.entries(values)) {
    const entry = entryOf(row, member)
    if (entry && entry.value !== value) entry.value = value
  }
}

class UseForm {
  readonly #form: HTMLFormElement

  constructor(form: HTMLFormElement) {
    this.#form = form
    form.addEventListener('input', event => this.#typed(event))
    form.addEventListener('change', event => this.#left(event))
    form.addEventListener('click', event => this.#pressed(event))
  }

  #rowOf({ target }: Event): HTMLElement | null {
    const isPerson = (target as Element).matches('[name$=".name"], [name$=".email"]')
    return isPerson ? (target as Element).closest<HTMLElement>('[data-person]') : null
  }

  /** A chosen contact is a mailbox such as `Ada <ada@example.com>`. */
  #typed(event: Event): void {
    const row = this.#rowOf(event)
    const input = event.target as HTMLInputElement
    clearEntryError(this.#form, input.name)
    if (!row) return
    const [mailbox] = input.value.includes('<') ? parseMailboxes(input.value) : []
    if (!mailbox) return
    fillRow(row, { ...(mailbox.name ? { name: mailbox.name } : {}), email: mailbox.email })
    this.#complete(row)
  }

  #left(event: Event): void {
    const row = this.#rowOf(event)
    if (row) this.#complete(row)
  }

  /** Takes name and language of the contact with this address, where the row has none. */
  #complete(row: HTMLElement): void {
    const email = entryOf(row, 'email')?.value.trim().toLowerCase()
    const contacts = [...this.#form.querySelectorAll<HTMLOptionElement>('#contacts option')]
    const contact = contacts.find(({ dataset }) => dataset.email?.toLowerCase() === email)?.dataset
    for (const member of ['name', 'locale'] as const)
      if (contact && entryOf(row, member)?.value.trim() === '') fillRow(row, { [member]: contact[member] ?? '' })
  }

  #pressed(event: Event): void {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-me]')
    const row = button?.closest<HTMLElement>('[data-person]')
    if (!button || !row) return
    event.preventDefault()
    const { name = '', email = '' } = button.dataset
    fillRow(row, { name, email })
    for (const member of ['name', 'email']) clearEntryError(this.#form, entryOf(row, member)?.name ?? '')
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
