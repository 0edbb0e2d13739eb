/** The entries of the form: filled or not, errors, members. The form holds the values. */
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import type { BoxData } from './data.ts'
import { requireElement } from './element.ts'
import type { Members } from './form-saver.ts'

export interface Entry {
  /** The form's member, and the path of its errors. */
  name: string
  label: string
  isRequired: boolean
  /** By its condition: it is not asked. */
  isHidden: boolean
  element: HTMLElement
  /** The boxes in the document, in reading order. */
  boxes: BoxData[]
  control(): HTMLElement
  /** What the error describes; by default the control. */
  described?(): HTMLElement
  isFilled(): boolean
  /** Why it cannot be sent, `undefined` if it can. */
  error(): string | undefined
  members(): Members
  /** While a file is sent: whether the server takes it. */
  underway?(): Promise<boolean> | undefined
  /** The value of its field, as conditions compare it. */
  value?(): string
  /** Takes the value of a box in the document. */
  choose?(option: string): void
  /** The value that was chosen, of a field with several boxes. */
  chosen?(): string
  /** The server's error for the current value. */
  refusal: string | undefined
}

export function entryElement(name: string): HTMLElement {
  return requireElement(`[data-entry="${CSS.escape(name)}"]`, HTMLElement)
}

export function consentEntry(texts: ScriptTexts): Entry {
  const box = requireElement('#consent', HTMLInputElement)
  const entry: Entry = {
    name: 'consent',
    label: texts.consentLeft,
    isRequired: true,
    isHidden: false,
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
  const control = entry.described?.() ?? entry.control()
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

/** What keeps the form from being sent, besides files on their way. */
export function missingOf(entries: readonly Entry[]): Missing[] {
  return shownOf(entries).flatMap(entry => {
    const message = entry.underway?.() ? undefined : entry.error()
    return message === undefined ? [] : [{ entry, message }]
  })
}

export function isErrorShown(entry: Entry): boolean {
  return refusalOf(entry.name) !== undefined
}

/** The entries that are asked. */
export const shownOf = (entries: readonly Entry[]): Entry[] => entries.filter(({ isHidden }) => !isHidden)
