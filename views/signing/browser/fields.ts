/** The entries of fields with a value: texts, numbers, boxes to tick and choices. */
import type { FieldType } from '../../../src/core/field/field.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { type FieldData, format, formatCount, numberText } from './data.ts'
import { requireElement } from './element.ts'
import { type Entry, entryElement, refusalOf } from './entries.ts'
import type { NumberTools } from './number.ts'

interface FieldOptions {
  texts: ScriptTexts
  lang: string
  /** Undefined without a field for a number. */
  numbers: NumberTools | undefined
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (found: Element | null): found is Control =>
  found instanceof HTMLInputElement || found instanceof HTMLSelectElement || found instanceof HTMLTextAreaElement

/** How an entry of one kind reads and writes its controls. */
interface Kind {
  control(): HTMLElement
  described?(): HTMLElement
  isFilled(): boolean
  /** As the form sends it. */
  sent(): string
  value(): string
  choose?(option: string): void
  missing: string
}

export function fieldEntry(field: FieldData, options: FieldOptions): Entry {
  const name = `fields.${field.id}`
  const element = entryElement(name)
  const kind = kindOf(field.type, name, element, options)
  const { missing, sent, ...read } = kind
  const entry: Entry = {
    ...read,
    ...(kind.choose ? { chosen: kind.value } : {}),
    name,
    label: field.label,
    isRequired: field.required,
    isHidden: false,
    element,
    boxes: [...field.boxes],
    error() {
      const text = kind.isFilled() ? malformed(field, kind, options) : field.required ? missing : undefined
      return (text && format(text, { field: field.label })) ?? entry.refusal
    },
    members: () => ({ [name]: sent() }),
    refusal: refusalOf(name),
  }
  countCharacters(entry, field, options)
  if (field.type === 'number') options.numbers?.showReading(kind.control() as HTMLInputElement, options.lang)
  return entry
}

function kindOf(type: FieldType, name: string, element: HTMLElement, { texts, lang, numbers }: FieldOptions): Kind {
  if (type === 'radio') return radioKind(element, texts)
  const control = document.getElementById(name)
  if (!isControl(control)) throw new Error(`the page has no entry ${name}`)
  if (type === 'number' && numbers) return { ...textKind(control, texts), value: () => numbers.read(control.value, lang) }
  return control.type === 'checkbox' ? checkboxKind(control as HTMLInputElement, texts) : textKind(control, texts)
}

function textKind(control: Control, texts: ScriptTexts): Kind {
  return {
    control: () => control,
    isFilled: () => control.value.trim() !== '',
    sent: () => control.value,
    value: () => control.value,
    missing: control instanceof HTMLSelectElement ? texts.chooseThis : texts.fillThisIn,
  }
}

function checkboxKind(control: HTMLInputElement, texts: ScriptTexts): Kind {
  return {
    control: () => control,
    isFilled: () => control.checked,
    sent: () => (control.checked ? 'on' : ''),
    value: () => String(control.checked),
    missing: texts.tickThis,
  }
}

function radioKind(element: HTMLElement, texts: ScriptTexts): Kind {
  const radios = [...element.querySelectorAll<HTMLInputElement>('input[type="radio"]')]
  const [first] = radios
  if (!first) throw new Error('the page has a choice without options')
  const checked = () => radios.find(radio => radio.checked)
  const value = () => checked()?.value ?? ''
  return {
    // The Tab key reaches the checked radio button only.
    control: () => checked() ?? first,
    described: () => requireElement('fieldset', HTMLElement, element),
    isFilled: () => value() !== '',
    sent: value,
    value,
    choose(option) {
      const radio = radios.find(each => each.value === option)
      if (!radio || radio.checked) return
      radio.checked = true
      for (const type of ['input', 'change']) radio.dispatchEvent(new Event(type, { bubbles: true }))
    },
    missing: texts.chooseOne,
  }
}

/** Tells early what the server would tell at the end; the server alone decides. */
function malformed(field: FieldData, { control, value }: Kind, options: FieldOptions): string | undefined {
  const text = value().trim()
  if (field.type === 'number') return options.numbers?.error(field, text, options)
  if (field.type === 'email' && (control() as HTMLInputElement).validity.typeMismatch) return options.texts.notAnEmail
  if ([...text].length > field.maxLength)
    return format(options.texts.tooLong, { max: numberText(field.maxLength, options.lang), field: field.label })
  return undefined
}

// Counts the characters of a long entry, and says near its limit how many are left.

/** The count is shown from this part of the limit on. */
const NEAR_LIMIT = 0.8
/** Screen readers hear the count when the person pauses. */
const COUNT_HEARD_AFTER_MS = 700

/** Does nothing where the page shows no limit. */
function countCharacters(
  { element, value }: Pick<Entry, 'element' | 'value'>,
  { maxLength }: Pick<FieldData, 'maxLength'>,
  { texts, lang }: { texts: ScriptTexts; lang: string },
): void {
  const limit = element.querySelector<HTMLElement>('.limit')
  if (!limit || !value) return
  const heard = document.createElement('span')
  heard.className = 'unseen'
  heard.setAttribute('role', 'status')
  limit.after(heard)
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    const length = [...value().replaceAll('\r\n', '\n').trim()].length
    const isNear = length >= maxLength * NEAR_LIMIT
    const left = maxLength - length
    const text = isNear ? formatCount(left < 0 ? texts.charactersOver : texts.charactersLeft, Math.abs(left), lang) : ''
    limit.textContent = text
    limit.classList.toggle('over', left < 0)
    clearTimeout(timer)
    timer = setTimeout(() => {
      heard.textContent = text
    }, COUNT_HEARD_AFTER_MS)
  }
  element.addEventListener('input', update)
  update()
}
