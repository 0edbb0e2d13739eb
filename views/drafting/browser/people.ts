/** The page of people by script: it saves itself, and rows change without another page. */
import { morph } from '../../browser/morph.ts'
import { clearEntryError } from './entry-error.ts'
import { entriesOf, type SavedAnswer, SavedForm } from './saved-form.ts'
import { Sortable } from './sortable.ts'

/** Buttons of the list. The others lead to another page, or are pressed on purpose. */
const IN_PLACE = /^(add$|me$|up:|down:|remove:|removeAll:)/
/** Attributes that contain the number of the row. */
const NUMBERED = ['id', 'name', 'for', 'aria-describedby']
/** A mailbox, such as a chosen contact. */
const MAILBOX = /<[^<>]+@[^<>]+>\s*$/

class PeopleForm {
  readonly #form: HTMLFormElement
  readonly #list: HTMLElement
  readonly #saver: SavedForm

  constructor(form: HTMLFormElement, list: HTMLElement) {
    this.#form = form
    this.#list = list
    this.#saver = new SavedForm({ form, isInPlace: act => IN_PLACE.test(act), take: answer => this.#take(answer) })
    for (const target of [form, document.querySelector('#title')]) {
      target?.addEventListener('input', event => this.#typed(event.target as HTMLInputElement))
      target?.addEventListener('change', () => this.#saver.left())
    }
    list.classList.add('scripted')
    list.addEventListener('paste', event => this.#pasted(event))
    new Sortable(list, { grip: '.grip', onMoved: row => this.#saver.press(`place:${row.id}:${this.#rows.indexOf(row)}`) })
  }

  get #rows(): HTMLElement[] {
    return [...this.#list.children] as HTMLElement[]
  }

  #typed(entry: HTMLInputElement): void {
    clearEntryError(document, entry.name)
    this.#saver.typed()
    if (isOfPerson(entry) && MAILBOX.test(entry.value)) this.#saver.left()
  }

  /** The service makes a row for each mailbox. An input has one line. */
  #pasted(event: ClipboardEvent): void {
    const entry = event.target as HTMLInputElement
    const text = event.clipboardData?.getData('text') ?? ''
    if (!isOfPerson(entry) || !text.includes('@')) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = entry
    entry.setRangeText(text.replace(/[\r\n]+/g, ';'), selectionStart ?? 0, selectionEnd ?? 0, 'end')
    this.#saver.typed()
    this.#saver.left()
  }

  #take({ form, page, act, sent }: SavedAnswer): void {
    if (this.#list.querySelector('.dragged')) return
    const focused = document.activeElement as HTMLElement | null
    // All errors are listed after a press that leads on.
    if (!document.getElementById('summary')) form.querySelector('#summary')?.remove()
    this.#number(form)
    morph(this.#form, form)
    const title = page.querySelector('.draft-title')
    if (title) morph(document.querySelector('.draft-title') ?? title, title)
    this.#announce(page.querySelector('[data-announce]')?.textContent ?? '')
    this.#list.classList.add('scripted')
    this.#fill(form, sent)
    for (const details of this.#list.querySelectorAll<HTMLDetailsElement>('details:has([aria-invalid])')) details.open = true
    this.#focus(act, focused)
  }

  /** An answer without an announcement leaves the last one to be read. */
  #announce(text: string): void {
    const area = document.querySelector('[data-announce]')
    if (area && text !== '') area.textContent = text
  }

  /** The entries of a row are the same at its new place. */
  #number(answered: HTMLFormElement): void {
    const places = new Map([...answered.querySelectorAll('[data-person]')].map((row, i) => [row.id, i]))
    for (const row of this.#rows) {
      const place = places.get(row.id)
      if (place === undefined) continue
      for (const attribute of NUMBERED)
        for (const each of row.querySelectorAll(`[${attribute}*="recipients["]`))
          each.setAttribute(attribute, (each.getAttribute(attribute) ?? '').replace(/recipients\[\d+\]/g, `recipients[${place}]`))
    }
  }

  /** What was typed after the form was sent stays, and is not wrong yet. */
  #fill(answered: HTMLFormElement, sent: SavedAnswer['sent']): void {
    for (const entry of entriesOf(this.#form)) {
      const before = sent.get(entry)
      const wanted = answered.elements.namedItem(entry.name)
      if (before === undefined || !(wanted instanceof HTMLInputElement || wanted instanceof HTMLSelectElement)) continue
      if (entry.value !== before) clearEntryError(document, entry.name)
      else if (entry.value !== wanted.value) entry.value = wanted.value
    }
  }

  #focus(act: string, focused: HTMLElement | null): void {
    const moved = /^(up|down):(.*)$/.exec(act)
    const [same, other] = moved ? [act, `${moved[1] === 'up' ? 'down' : 'up'}:${moved[2]}`] : []
    const button = (value = '') => this.#list.querySelector<HTMLElement>(`button[value="${value}"]:enabled`)
    const target = document.getElementById('removal') ?? button(same) ?? button(other)
    const next = target ?? (act === 'save' ? null : this.#list.querySelector<HTMLElement>('[autofocus]')) ?? focused
    if (next !== document.activeElement) next?.focus()
  }
}

const isOfPerson = (entry: HTMLElement) => entry.matches('[name$=".name"], [name$=".email"]')

export function upgradePeople(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>('form[data-draft-page="people"]')
  const list = form?.querySelector<HTMLElement>('[data-people]')
  // Somebody else has changed the draft: the person decides first.
  if (form && list && !form.querySelector('[value="overwrite"]')) new PeopleForm(form, list)
}
