/** The entries of the form: filled or not, errors, members. The form holds the values. */
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import type { FieldData } from './signing-data.ts'
import { requireElement } from './signing-element.ts'
import type { Members } from './signing-form-saver.ts'
import { format } from './signing-texts.ts'

export interface Entry {
  /** The form's member, and the path of its errors. */
  name: string
  label: string
  isRequired: boolean
  element: HTMLElement
  /** The boxes in the document, in reading order. */
  boxes: FieldData[]
  control(): HTMLElement
  isFilled(): boolean
  /** Why it cannot be sent, `undefined` if it can. */
  error(): string | undefined
  members(): Members
  /** The server's error for the current value. */
  refusal: string | undefined
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (found: Element | null): found is Control =>
  found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement

export function entryElement(name: string): HTMLElement {
  return requireElement(`[data-entry="${CSS.escape(name)}"]`, HTMLElement)
}

export function fieldEntry(field: FieldData, texts: ScriptTexts): Entry {
  const name = `fields.${field.id}`
  const control = document.getElementById(name)
  if (!isControl(control)) throw new Error(`the page has no entry ${name}`)
  const isBox = control.type === 'checkbox'
  const isFilled = () => (isBox ? (control as HTMLInputElement).checked : control.value.trim() !== '')
  const missing = isBox ? texts.tickThis : control instanceof HTMLSelectElement ? texts.chooseThis : texts.fillThisIn
  const entry: Entry = {
    name,
    label: field.label,
    isRequired: field.required,
    element: entryElement(name),
    boxes: [field],
    control: () => control,
    isFilled,
    error() {
      const text = isFilled() ? malformed(field.type, control, texts) : field.required ? missing : undefined
      return (text && format(text, { field: field.label })) ?? entry.refusal
    },
    members: () => ({ [name]: isBox ? (isFilled() ? 'on' : '') : control.value }),
    refusal: refusalOf(name),
  }
  return entry
}

/** Listeners early what the server would tell at the end; the server alone decides. */
function malformed(type: string, control: Control, texts: ScriptTexts): string | undefined {
  if (type === 'number' && !/^[-+]?\d{1,15}([.,]\d{1,10})?$/.test(control.value.trim())) return texts.notANumber
  return type === 'email' && control.validity.typeMismatch ? texts.notAnEmail : undefined
}

export function consentEntry(texts: ScriptTexts): Entry {
  const box = requireElement('#consent', HTMLInputElement)
  const entry: Entry = {
    name: 'consent',
    label: texts.consentField,
    isRequired: true,
    element: entryElement('consent'),
    boxes: [],
    control: () => box,
    isFilled: () => box.checked,
    error: () => (box.checked ? entry.refusal : texts.agree),
    members: () => ({ consent: box.checked ? box.value : '' }),
    refusal: refusalOf('consent'),
  }
  return entry
}

/** The server's error that the page was rendered with. */
export function refusalOf(name: string): string | undefined {
  const error = document.getElementById(`${name}-error`)
  return error && !error.hidden ? (error.textContent ?? undefined) : undefined
}

/** Shows or clears the error at the entry. */
export function showError(entry: Entry, message: string | undefined): void {
  const place = requireElement(`[id="${CSS.escape(entry.name)}-error"]`, HTMLElement)
  place.textContent = message ?? ''
  place.hidden = message === undefined
  const control = entry.control()
  const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter(id => id !== '' && id !== place.id)
  const ids = message === undefined ? others : [...others, place.id]
  if (ids.length > 0) control.setAttribute('aria-describedby', ids.join(' '))
  else control.removeAttribute('aria-describedby')
  if (message === undefined) control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
}

export interface Missing {
  entry: Entry
  message: string
}

export const isMissing = (each: { entry: Entry; message: string | undefined }): each is Missing => each.message !== undefined

export function isErrorShown(entry: Entry): boolean {
  return refusalOf(entry.name) !== undefined
}

/** By the first box: page, top, left. Entries without a box follow in their order. */
export function inReadingOrder(entries: Entry[]): Entry[] {
  return [...entries].sort(({ boxes: [a] }, { boxes: [b] }) => {
    if (!a || !b) return Number(!a) - Number(!b)
    return a.page - b.page || a.y - b.y || a.x - b.x
  })
}

/**
 * The entry that "Next field" opens: the next one in reading order, cyclically, that has an error
 * or is optional, empty and not passed. Then the consent (last of `entries`), then `current`, if
 * they have errors. `undefined` when all can be sent.
 */
export function nextOpen(entries: Entry[], current: Entry | undefined, passed: ReadonlySet<Entry>): Entry | undefined {
  const consent = entries.at(-1)
  const start = current ? entries.indexOf(current) + 1 : 0
  const round = [...entries.slice(start), ...entries.slice(0, start)]
  const isOpen = (entry: Entry) => entry.error() !== undefined || (!entry.isFilled() && !passed.has(entry))
  return (
    round.find(entry => entry !== current && entry !== consent && isOpen(entry)) ??
    [consent, current].find(entry => entry?.error() !== undefined)
  )
}
