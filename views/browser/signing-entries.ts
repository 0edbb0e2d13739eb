/** What the form asks for, one entry after the other: whether it is filled, what is wrong with it, what of it is kept. The form itself holds the values. */
import type { ClientWords } from '../../src/language/signer.ts'
import type { FieldData } from './signing-data.ts'
import type { Members } from './signing-draft.ts'
import { demand } from './signing-element.ts'
import { told } from './signing-words.ts'

export interface Entry {
  /** The form's member; faults are told under it. */
  name: string
  label: string
  isRequired: boolean
  /** A field asked for by itself; marks and consent come after all fields. */
  isField: boolean
  element: HTMLElement
  /** Where it stands in the document, in reading order. */
  boxes: FieldData[]
  /** What takes the focus. */
  control(): HTMLElement
  isFilled(): boolean
  /** What is wrong with what stands in it, or missing; `undefined` when it can be sent. */
  fault(): string | undefined
  members(): Members
  /** The server's word on the present value. */
  refusal: string | undefined
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (found: Element | null): found is Control =>
  found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement

export function entryElement(name: string): HTMLElement {
  return demand(`[data-entry="${CSS.escape(name)}"]`, HTMLElement)
}

/** A field of the document. */
export function fieldEntry(field: FieldData, words: ClientWords): Entry {
  const name = `fields.${field.id}`
  const control = document.getElementById(name)
  if (!isControl(control)) throw new Error(`the page has no entry ${name}`)
  const isBox = control.type === 'checkbox'
  const isFilled = () => (isBox ? (control as HTMLInputElement).checked : control.value.trim() !== '')
  const missing = isBox ? words.tickThis : control instanceof HTMLSelectElement ? words.chooseThis : words.fillThisIn
  const entry: Entry = {
    name,
    label: field.label,
    isRequired: field.required,
    isField: true,
    element: entryElement(name),
    boxes: [field],
    control: () => control,
    isFilled,
    fault() {
      const text = isFilled() ? malformed(field.type, control, words) : field.required ? missing : undefined
      return (text && told(text, { field: field.label })) ?? entry.refusal
    },
    members: () => ({ [name]: isBox ? (isFilled() ? 'on' : '') : control.value }),
    refusal: refusalOf(name),
  }
  return entry
}

/** Told early what the server would tell at the end; the server alone decides. */
function malformed(type: string, control: Control, words: ClientWords): string | undefined {
  if (type === 'number' && !/^[-+]?\d{1,15}([.,]\d{1,10})?$/.test(control.value.trim())) return words.notANumber
  return type === 'email' && control.validity.typeMismatch ? words.notAnEmail : undefined
}

/** The consent to sign electronically. */
export function consentEntry(words: ClientWords): Entry {
  const box = demand('#consent', HTMLInputElement)
  const entry: Entry = {
    name: 'consent',
    label: words.consentField,
    isRequired: true,
    isField: false,
    element: entryElement('consent'),
    boxes: [],
    control: () => box,
    isFilled: () => box.checked,
    fault: () => (box.checked ? entry.refusal : words.agree),
    members: () => ({ consent: box.checked ? box.value : '' }),
    refusal: refusalOf('consent'),
  }
  return entry
}

/** What the page was written with: the server's word on what was sent. */
export function refusalOf(name: string): string | undefined {
  const fault = document.getElementById(`${name}-fault`)
  return fault && !fault.hidden ? (fault.textContent ?? undefined) : undefined
}

/** Tells the fault beside the entry, or takes it away. */
export function showFault(entry: Entry, message: string | undefined): void {
  const place = demand(`[id="${CSS.escape(entry.name)}-fault"]`, HTMLElement)
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

/** A fault is told beside the entry just now. */
export function isFaultShown(entry: Entry): boolean {
  return refusalOf(entry.name) !== undefined
}

/**
 * Where to go on from `current`: the next open required field and back to the first one, then the optional ones not yet passed, then marks and consent;
 * `undefined` when nothing is left.
 */
export function nextOpen(entries: Entry[], current: Entry | undefined, passed: ReadonlySet<Entry>): Entry | undefined {
  const start = current ? entries.indexOf(current) + 1 : 0
  const round = [...entries.slice(start), ...entries.slice(0, start)].filter(entry => entry !== current)
  const isOpen = (entry: Entry) => !entry.isFilled() || entry.fault() !== undefined
  return (
    round.find(entry => entry.isField && entry.isRequired && isOpen(entry)) ??
    round.find(entry => entry.isField && !entry.isRequired && isOpen(entry) && !passed.has(entry)) ??
    entries.find(entry => !entry.isField && entry !== current && isOpen(entry))
  )
}
