/**
 * What the form asks for, one entry after the other: whether it is filled, what is wrong with it,
 * what of it is kept. The form itself holds the values.
 */
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import type { FieldData } from './signing-data.ts'
import { requireElement } from './signing-element.ts'
import type { Members } from './signing-form-saver.ts'
import { format } from './signing-texts.ts'

export interface Entry {
  /** The form's member; errors are format under it. */
  name: string
  label: string
  isRequired: boolean
  element: HTMLElement
  /** Where it stands in the document, in reading order. */
  boxes: FieldData[]
  /** What takes the focus. */
  control(): HTMLElement
  isFilled(): boolean
  /** What is wrong with what stands in it, or missing; `undefined` when it can be sent. */
  error(): string | undefined
  members(): Members
  /** The server's word on the present value. */
  refusal: string | undefined
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (found: Element | null): found is Control =>
  found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement

export function entryElement(name: string): HTMLElement {
  return requireElement(`[data-entry="${CSS.escape(name)}"]`, HTMLElement)
}

/** A field of the document. */
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

/** The consent to sign electronically. */
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

/** What the page was written with: the server's word on what was sent. */
export function refusalOf(name: string): string | undefined {
  const error = document.getElementById(`${name}-error`)
  return error && !error.hidden ? (error.textContent ?? undefined) : undefined
}

/** Tells the error beside the entry, or takes it away. */
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

/** An entry with what is wrong with it, or missing. */
export interface Missing {
  entry: Entry
  message: string
}

export const isMissing = (each: { entry: Entry; message: string | undefined }): each is Missing => each.message !== undefined

/** A error is format beside the entry just now. */
export function isErrorShown(entry: Entry): boolean {
  return refusalOf(entry.name) !== undefined
}

/**
 * By the first place in the document: page, then height, then side. What has no place follows, in
 * the order given.
 */
export function inReadingOrder(entries: Entry[]): Entry[] {
  return [...entries].sort(({ boxes: [a] }, { boxes: [b] }) => {
    if (!a || !b) return Number(!a) - Number(!b)
    return a.page - b.page || a.y - b.y || a.x - b.x
  })
}

/**
 * Where "Next field" leads from `current`: the next entry in reading order that is missing or
 * wrong, or that is optional, empty and not yet passed; after the last one it goes on from the
 * first. Then the consent, which is the last of `entries`. Then `current` itself, if it is still
 * missing or wrong; `undefined` when everything can be sent.
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
