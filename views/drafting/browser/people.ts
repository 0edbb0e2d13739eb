/** The page of people by script: rows are added, pasted, moved and saved without another page. */
import { MIN_ACCESS_CODE_LENGTH } from '../../../src/core/document/document-limits.ts'
import { parseMailboxes } from '../../../src/core/draft/mailbox.ts'
import {
  blankRow,
  isBlank,
  orderOf,
  type RecipientRow,
  recipientEdits,
  sortRows,
} from '../../../src/core/draft/recipient-rows.ts'
import type { SigningOrder } from '../../../src/core/signing/routing.ts'
import { emailError } from '../../../src/core/text.ts'
import type { SendingTexts } from '../../../src/locales/en/app/sending.ts'
import { type Details, DraftSaver, fillIn, textsOf } from './draft-saver.ts'
import { contactOf, PersonRow } from './person-row.ts'
import { Sortable } from './sortable.ts'

// Ids for what a page adds: a prefix and a ULID in lower case.

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

function newId(prefix: string): string {
  let time = Date.now()
  let text = ''
  for (let i = 0; i < TIME_LENGTH; i++) {
    text = (ALPHABET[time % 32] ?? '0') + text
    time = Math.floor(time / 32)
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) text += ALPHABET[byte % 32] ?? '0'
  return `${prefix}_${text}`
}

// The form of the people.

type Texts = SendingTexts['people']['script']

class PeopleForm {
  readonly #form: HTMLFormElement
  readonly #list: HTMLElement
  readonly #template: HTMLTemplateElement
  readonly #texts: Texts
  readonly #saver: DraftSaver
  readonly #initialTitle: string

  constructor(form: HTMLFormElement, list: HTMLElement, template: HTMLTemplateElement) {
    this.#form = form
    this.#list = list
    this.#template = template
    this.#texts = textsOf<Texts>(form)
    this.#initialTitle = this.#title?.value ?? ''
    list.classList.add('scripted')
    this.#saver = new DraftSaver({
      form,
      edit: () => this.#edit(),
      isUnfinished: () => this.#rows.some(row => this.#errorsOf(row).length > 0),
      onErrors: details => this.#showErrors(details),
    })
    for (const target of [form, this.#title]) {
      target?.addEventListener('input', event => this.#typed(event))
      target?.addEventListener('change', event => this.#left(event))
    }
    list.addEventListener('paste', event => this.#pasted(event))
    form.addEventListener('click', event => this.#pressed(event))
    new Sortable(list, { grip: '.grip', onMoved: item => this.#dragged(item) })
  }

  get #title(): HTMLInputElement | null {
    return document.querySelector<HTMLInputElement>('#title')
  }

  get #rows(): PersonRow[] {
    return ([...this.#list.children] as HTMLElement[]).map(element => new PersonRow(element))
  }

  get #signingOrder(): SigningOrder {
    const chosen = this.#form.querySelector<HTMLInputElement>('[name="signingOrder"]:checked')
    return chosen?.value === 'sequential' ? 'sequential' : 'parallel'
  }

  #edit() {
    const rows = this.#rows.filter(row => !isBlank(row.values) || row.fieldCount > 0).map(row => row.values)
    const title = this.#title?.value.trim() ?? ''
    return {
      ...(title === '' || title === this.#initialTitle ? {} : { title }),
      signingOrder: this.#signingOrder,
      // A code that is too short is not sent: the rest is saved.
      recipients: recipientEdits(
        rows.map(row => (isShortCode(row.accessCode) ? { ...row, accessCode: '' } : row)),
        { isPartial: true },
      ),
    }
  }

  #typed(event: Event): void {
    const row = this.#rowOf(event)
    const input = event.target as HTMLInputElement
    if (row && input.value.includes('<')) this.#split(row, input.value, input)
    row?.clearError(input)
    this.#update()
    this.#saver.schedule()
  }

  #left(event: Event): void {
    const row = this.#rowOf(event)
    if (row && row.values.name.trim() === '') this.#complete(row)
    if (row) for (const [member, message] of this.#errorsOf(row)) row.showError(member, message)
    if ((event.target as HTMLElement).matches('.person-order input')) this.#sort()
    this.#update()
    this.#saver.save()
  }

  #errorsOf(row: PersonRow): [member: string, message: string][] {
    const { email, accessCode } = row.values
    const isWrong = email.trim() !== '' && emailError(email.trim()) !== undefined
    return [
      ...(isWrong ? [['email', this.#texts.emailWrong] as [string, string]] : []),
      ...(isShortCode(accessCode) ? [['accessCode', this.#texts.codeShort] as [string, string]] : []),
    ]
  }

  #rowOf({ target }: Event): PersonRow | undefined {
    const element = (target as Element).closest<HTMLElement>('[data-person]')
    return element ? new PersonRow(element) : undefined
  }

  #pasted(event: ClipboardEvent): void {
    const input = event.target as HTMLElement
    const row = this.#rowOf(event)
    if (!row || !input.matches('[name$=".name"], [name$=".email"]')) return
    if (this.#split(row, event.clipboardData?.getData('text') ?? '', input)) event.preventDefault()
  }

  /** A mailbox fills the row; each further one gets a row. A plain address is typed as it is. */
  #split(row: PersonRow, text: string, input: HTMLElement): boolean {
    const [first, ...others] = parseMailboxes(text)
    const isPlain = first?.name === '' && others.length === 0 && input.matches('[name$=".email"]')
    if (!first || isPlain) return false
    row.fill({ name: first.name || (row.values.name.includes('@') ? '' : row.values.name), email: first.email })
    this.#complete(row)
    let last = row
    for (const person of others) last = this.#add(person, last)
    if (others.length > 0) this.#announce(fillIn(this.#texts.split, { n: others.length + 1 }))
    this.#update()
    this.#saver.save()
    return true
  }

  /** Takes the name and the language of a contact, where the row has none. */
  #complete(row: PersonRow): void {
    const contact = contactOf(this.#form, row.values.email)
    if (!contact) return
    const { name, locale } = row.values
    row.fill({ name: name.trim() || contact.name, locale: locale || contact.locale })
  }

  #add(person: { name: string; email: string }, after?: PersonRow): PersonRow {
    const element = this.#template.content.firstElementChild?.cloneNode(true) as HTMLElement
    const row = new PersonRow(element)
    const orders = this.#rows.map(({ values }) => orderOf(values) ?? 0)
    row.fill({ ...blankRow(newId(this.#form.dataset.ids ?? ''), Math.max(0, ...orders) + 1), ...person })
    if (after) after.element.after(element)
    else this.#list.append(element)
    return row
  }

  #pressed(event: MouseEvent): void {
    const button = (event.target as Element).closest<HTMLButtonElement>('button')
    if (!button) return
    if (button.matches('[data-add-row]')) this.#addBlank()
    else if (button.matches('[data-add-me]')) this.#addMe(button)
    else if (!this.#actOnRow(button, event)) return
    event.preventDefault()
    this.#update()
    this.#saver.save()
  }

  #addBlank(): void {
    const row = this.#add({ name: '', email: '' })
    this.#announce(this.#texts.added)
    this.#update()
    row.focus()
  }

  /** Takes the first empty row. */
  #addMe({ dataset: { name = '', email = '' } }: HTMLButtonElement): void {
    const empty = this.#rows.find(row => isBlank(row.values))
    if (empty) empty.fill({ name, email })
    else this.#add({ name, email })
  }

  /** Returns whether it was done. Removing a person with fields is left to the form, which asks. */
  #actOnRow(button: HTMLButtonElement, event: Event): boolean {
    const row = this.#rowOf(event)
    const act = button.dataset.rowAct
    if (!row || act === undefined || (act === 'remove' && row.fieldCount > 0)) return false
    const at = this.#rows.findIndex(({ element }) => element === row.element)
    if (act === 'remove') this.#remove(row, at)
    else this.#move(row, at, act)
    return true
  }

  #remove(row: PersonRow, at: number): void {
    const name = this.#nameOf(row, at)
    row.element.remove()
    if (this.#rows.length === 0) this.#add({ name: '', email: '' })
    this.#announce(fillIn(this.#texts.removed, { name }))
    this.#rows[Math.min(at, this.#rows.length - 1)]?.focus()
  }

  #move(row: PersonRow, at: number, act: string): void {
    const other = this.#rows[act === 'up' ? at - 1 : at + 1]
    if (!other) return
    if (act === 'up') other.element.before(row.element)
    else other.element.after(row.element)
    this.#keepNumbers()
    this.#announceMove(row)
    this.#update()
    row.focusMove(act)
  }

  #dragged(element: HTMLElement): void {
    const row = new PersonRow(element)
    this.#keepNumbers()
    this.#announceMove(row)
    this.#update()
    this.#saver.save()
  }

  /** The numbers stay at their places: those who move take the number of the place. */
  #keepNumbers(): void {
    const rows = this.#rows
    const orders = rows.map(({ values }) => orderOf(values) ?? 1).sort((a, b) => a - b)
    rows.forEach((row, i) => {
      row.fill({ order: String(orders[i]) })
    })
  }

  #sort(): void {
    const byId = new Map(this.#rows.map(row => [row.values.id, row.element]))
    const sorted = sortRows(
      this.#rows.map(({ values }): RecipientRow => values),
      this.#signingOrder,
    )
    const focus = document.activeElement as HTMLElement | null
    for (const { id } of sorted) {
      const element = byId.get(id)
      if (element) this.#list.append(element)
    }
    focus?.focus()
  }

  /** Names, numbers and buttons follow the order of the rows. */
  #update(): void {
    const rows = this.#rows
    this.#list.classList.toggle('several', rows.length > 1)
    rows.forEach((row, i) => {
      row.number(i, rows.length, fillIn(this.#texts.person, { n: i + 1 }), act =>
        fillIn(this.#texts[act], { name: this.#nameOf(row, i) }),
      )
    })
    const me = this.#form.querySelector<HTMLElement>('[data-add-me]')
    if (me) me.hidden = rows.some(({ values }) => values.email.trim().toLowerCase() === me.dataset.email?.toLowerCase())
  }

  #nameOf({ values }: PersonRow, at: number): string {
    return values.name.trim() || values.email.trim() || fillIn(this.#texts.someone, { n: at + 1 })
  }

  #announceMove(row: PersonRow): void {
    const at = this.#rows.findIndex(({ element }) => element === row.element)
    this.#announce(fillIn(this.#texts.moved, { name: this.#nameOf(row, at), place: at + 1, total: this.#rows.length }))
  }

  #announce(text: string): void {
    const area = document.querySelector('[data-announce]')
    if (area) area.textContent = text
  }

  /** The paths count the rows of the edit, which has no empty ones. */
  #showErrors(details: Details[]): void {
    // What the service found wrong before has been corrected since.
    if (details.length === 0) document.getElementById('summary')?.remove()
    const rows = this.#rows.filter(row => !isBlank(row.values) || row.fieldCount > 0)
    for (const { path, ...detail } of details) {
      const [, index, member = ''] = /^recipients\[(\d+)\]\.(\w+)$/.exec(path) ?? []
      const row = rows[Number(index)]
      row?.showError(member, this.#errorText(member, row.values, detail))
    }
  }

  #errorText(member: string, { deliverBy }: RecipientRow, { code, message }: Omit<Details, 'path'>): string {
    if (member === 'verify') return deliverBy === 'link' ? this.#texts.verifyByLink : this.#texts.verifyTwice
    return code === 'mailbox_of_recipient' ? this.#texts.emailTwice : message
  }
}

function isShortCode(code: string): boolean {
  const { length } = code.trim()
  return length > 0 && length < MIN_ACCESS_CODE_LENGTH
}

/** The title on the page of fields, where another script saves the fields. */
export function upgradeTitle(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>('form[data-draft-page="fields"]')
  const title = within.querySelector<HTMLInputElement>('#title')
  if (!form || !title) return
  const initial = title.value
  const edit = () => (title.value.trim() === '' || title.value === initial ? {} : { title: title.value.trim() })
  const saver = new DraftSaver({ form, edit })
  title.addEventListener('input', () => saver.schedule())
  title.addEventListener('change', () => saver.save())
}

export function upgradePeople(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>('form[data-draft-page="people"]')
  const list = form?.querySelector<HTMLElement>('[data-people]')
  const template = form?.querySelector<HTMLTemplateElement>('template[data-blank-row]')
  if (form && list && template) new PeopleForm(form, list, template)
}
