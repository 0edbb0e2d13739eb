/** One row of the page of people: its values, its errors, and its number. */
import type { RecipientRow } from '../../../src/core/draft/recipient-rows.ts'
import { initialsOf, personClass } from '../../parts/initials.ts'

const TEXTS = ['id', 'name', 'email', 'role', 'order', 'locale', 'accessCode', 'verify', 'deliverBy'] as const
type Act = 'up' | 'down' | 'remove'
/** Attributes that contain the number of the row. */
const NUMBERED = ['id', 'name', 'for', 'aria-describedby']

export class PersonRow {
  constructor(readonly element: HTMLElement) {}

  get values(): RecipientRow {
    const texts = Object.fromEntries(TEXTS.map(member => [member, this.#control(member)?.value ?? '']))
    const removesCode = this.element.querySelector<HTMLInputElement>('[name$=".removesCode"]')?.checked ?? false
    return { ...(texts as Omit<RecipientRow, 'removesCode'>), removesCode }
  }

  get fieldCount(): number {
    return Number(this.element.querySelector<HTMLElement>('[data-fields]')?.dataset.fields ?? 0)
  }

  fill(values: Partial<RecipientRow>): void {
    for (const member of TEXTS) {
      const control = this.#control(member)
      const value = values[member]
      if (control && value !== undefined && control.value !== value) control.value = value
    }
    if (values.id === undefined) return
    this.element.dataset.person = values.id
    for (const button of this.element.querySelectorAll<HTMLButtonElement>('[data-row-act]'))
      button.value = `${button.dataset.rowAct}:${values.id}`
  }

  focus(): void {
    this.#control('name')?.focus()
  }

  /** At the end of the list its button is disabled: the other one takes the focus. */
  focusMove(act: string): void {
    const [first, second] = act === 'up' ? ['up', 'down'] : ['down', 'up']
    const button = this.#button(first as Act)
    if (button?.disabled) this.#button(second as Act)?.focus()
    else button?.focus()
  }

  showError(member: string, message: string): void {
    const control = this.#control(member)
    const area = control && this.element.querySelector<HTMLElement>(`[id="${control.id}-error"]`)
    if (!control || !area) return
    area.textContent = message
    area.hidden = false
    control.setAttribute('aria-invalid', 'true')
    const hint = this.element.querySelector(`[id="${control.id}-hint"]`)
    control.setAttribute('aria-describedby', [hint?.id, area.id].filter(Boolean).join(' '))
    control.closest('details')?.setAttribute('open', '')
  }

  clearError(control: HTMLElement): void {
    clearEntryError(this.element, control.id)
  }

  /** `label`: the words of a button. */
  number(index: number, total: number, heading: string, label: (act: Act) => string): void {
    const renumbered = (text: string) => text.replace(/recipients\[\d+\]/g, `recipients[${index}]`)
    for (const attribute of NUMBERED)
      for (const each of this.element.querySelectorAll(`[${attribute}*="recipients["]`))
        each.setAttribute(attribute, renumbered(each.getAttribute(attribute) ?? ''))
    const shown = this.element.querySelector('[data-person-number]')
    if (shown) shown.textContent = heading
    this.#drawAvatar(index)
    for (const act of ['up', 'down', 'remove'] as const) {
      const button = this.#button(act)
      if (!button) continue
      const words = label(act)
      button.title = words
      const hidden = button.querySelector('.unseen')
      if (hidden && hidden.textContent !== words) hidden.textContent = words
      button.disabled = (act === 'up' && index === 0) || (act === 'down' && index === total - 1)
    }
  }

  #drawAvatar(index: number): void {
    const avatar = this.element.querySelector('.avatar')
    const face = avatar?.firstElementChild
    if (!avatar || !face) return
    avatar.className = `avatar ${personClass(index)}`
    const initials = initialsOf(this.values.name)
    if (initials !== '') face.textContent = initials
  }

  #button(act: Act): HTMLButtonElement | null {
    return this.element.querySelector<HTMLButtonElement>(`[data-row-act="${act}"]`)
  }

  #control(member: string): HTMLInputElement | HTMLSelectElement | null {
    return this.element.querySelector<HTMLInputElement | HTMLSelectElement>(`[name$=".${member}"]`)
  }
}

// The error beside an entry.

/** `name`: of the entry, or of a group of choices. */
export function clearEntryError(within: ParentNode, name: string): void {
  const area = within.querySelector<HTMLElement>(`[id="${name}-error"]`)
  if (!area || area.hidden) return
  area.hidden = true
  area.textContent = ''
  within.querySelector(`[id="${name}"]`)?.removeAttribute('aria-invalid')
}

// The contacts that a page offers while a person types.

/** The contact of this address, from the list of the form. */
export function contactOf(form: HTMLElement, email: string): { name: string; locale: string } | undefined {
  const wanted = email.trim().toLowerCase()
  const options = [...form.querySelectorAll<HTMLOptionElement>('#contacts option')]
  const found = options.find(({ dataset }) => dataset.email?.toLowerCase() === wanted)?.dataset
  return found && { name: found.name ?? '', locale: found.locale ?? '' }
}
