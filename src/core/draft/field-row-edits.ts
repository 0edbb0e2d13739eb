/** The edit of the draft that the typed rows of the table of fields mean. Pure. */
import {
  FIELD_TYPES,
  type Field,
  type FieldType,
  hasBoxes,
  hasMember,
  hasOptions,
  MAX_ATTACHMENT_BYTES,
  MAX_VALUE_LENGTH,
  MEDIA_TYPES,
  MEGABYTE,
} from '../field/field.ts'
import { type PageArea, PLACE } from '../field/geometry.ts'
import { type RadioOption, stacked } from '../field/new-field.ts'
import { parseNumber } from '../field/number.ts'
import { type FieldLists, placedFields } from '../field/visibility.ts'
import { errorAt, type ValidationError } from '../refusal.ts'
import { violation } from '../violation.ts'
import type { FieldEdit } from './edit-fields.ts'
import { type ChoiceRow, type FieldRow, type PlaceRow, rowOfField } from './field-rows.ts'

const MAX_MEGABYTES = MAX_ATTACHMENT_BYTES / MEGABYTE

export interface FieldEdits {
  edits: FieldEdit[]
  /** What cannot be read, with the paths of the rows. */
  errors: ValidationError[]
  /** The path in the rows of an error in the edits. */
  rowPath(path: string): string
}

interface Before {
  row: FieldRow
  field: Field
}

/** The rows that differ from the draft. A row whose field is gone would be a new field. */
export function fieldEdits(rows: readonly FieldRow[], lists: FieldLists): FieldEdits {
  const shown = new Map<string, Before>(
    placedFields(lists).map(({ field, recipientId }) => [field.id, { row: rowOfField(field, recipientId), field }]),
  )
  const changed: { edit: FieldEdit; index: number }[] = []
  const errors: ValidationError[] = []
  for (const [index, row] of rows.entries()) {
    const reader = new RowReader(row, shown.get(row.id), `fields[${index}]`)
    const edit = reader.read()
    errors.push(...reader.errors)
    if (Object.keys(edit).length > 1) changed.push({ edit, index })
  }
  return { edits: changed.map(({ edit }) => edit), errors, rowPath: path => rowPath(path, changed, rows) }
}

/** Errors name the members of an edit; the table has members of its own. */
function rowPath(path: string, changed: readonly { index: number }[], rows: readonly FieldRow[]): string {
  const [, edited = '', member = ''] = /^fields\[(\d+)\]\.?(.*)$/.exec(path) ?? []
  const index = changed[Number(edited)]?.index
  if (edited === '' || index === undefined) return path
  const isRadio = hasBoxes(typeOf(rows[index]?.type ?? ''))
  const own = member
    .replace(/^showIf\.field$/, 'showIfField')
    .replace(/^showIf\.is$/, 'showIfIs')
    .replace(/^maxBytes$/, 'maxMegabytes')
    .replace(/^options\[(\d+)\](.*)$/, (_, k: string, rest: string) => (isRadio ? `choices[${k}]${rest || '.value'}` : 'options'))
  return own === '' ? `fields[${index}]` : `fields[${index}].${own}`
}

function typeOf(text: string): FieldType {
  return FIELD_TYPES.find(known => known === text) ?? 'text'
}

function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  return /^[-+]?\d{1,15}(\.\d{1,12})?$/.test(trimmed) ? Number(trimmed) : undefined
}

/** What could be two numbers is none: the sender writes which. */
function amountOf(text: string): number | undefined {
  const parsed = parseNumber(text, undefined)
  return 'number' in parsed ? Number(parsed.number) : undefined
}

/** Reads one row: only what differs from what was shown. */
class RowReader {
  readonly errors: ValidationError[] = []
  readonly #row: FieldRow
  readonly #before: Before | undefined
  readonly #path: string
  readonly #type: FieldType

  constructor(row: FieldRow, before: Before | undefined, path: string) {
    this.#row = row
    this.#before = before
    this.#path = path
    this.#type = typeOf(row.type)
  }

  read(): FieldEdit {
    const { id, recipientId, required } = this.#row
    const shown = this.#before?.row
    return {
      id,
      ...(hasBoxes(this.#type) ? this.#choices() : this.#place()),
      ...(this.#type === shown?.type ? {} : { type: this.#type }),
      ...(recipientId === shown?.recipientId ? {} : { recipientId }),
      ...(required === shown?.required ? {} : { required }),
      ...this.#text('label'),
      ...this.#text('name'),
      ...this.#text('value'),
      ...(this.#row.readOnly === (shown?.readOnly ?? false) ? {} : { readOnly: this.#row.readOnly }),
      ...this.#rule(),
      ...this.#options(),
      ...this.#condition(),
      ...this.#limits(),
      ...this.#accepted(),
    }
  }

  #refuse(path: string): void {
    this.errors.push(errorAt(path, violation('not_readable')))
  }

  /** Of a row that showed it. */
  #rule(): FieldEdit {
    const shown = this.#before?.row
    if (!shown || !hasMember(this.#type, 'rule') || !hasMember(typeOf(shown.type), 'rule')) return {}
    return this.#row.rule === shown.rule ? {} : { rule: this.#row.rule }
  }

  #isShown(member: keyof FieldRow): boolean {
    const typed = this.#row[member]
    const shown = this.#before?.row[member] ?? ''
    return typeof typed === 'string' && typed.replace(/\r/g, '').trim() === shown
  }

  #text(member: 'label' | 'name' | 'value'): FieldEdit {
    if (this.#isShown(member)) return {}
    return { [member]: this.#row[member].replace(/\r/g, '').trim() || null }
  }

  #place(): FieldEdit {
    const before = hasBoxes(typeOf(this.#before?.row.type ?? '')) ? undefined : this.#before
    return this.#area(this.#row, before?.row, before?.field, this.#path, true)
  }

  /** With `isSparse` only what was changed; else what was not changed as it is. */
  #area(row: PlaceRow, shown: PlaceRow | undefined, exact: PageArea | undefined, path: string, isSparse = false) {
    const area: Partial<PageArea> = {}
    for (const member of PLACE) {
      if (shown && exact && row[member].trim() === shown[member]) {
        if (!isSparse) area[member] = exact[member]
        continue
      }
      const number = numberOf(row[member])
      if (number === undefined || number < 0 || (member === 'page' && !Number.isInteger(number)))
        this.#refuse(`${path}.${member}`)
      else area[member] = number
    }
    return area
  }

  /** A field that becomes one of several choices gets their boxes from its own. */
  #choices(): FieldEdit {
    const shown = this.#before?.row.choices ?? []
    if (this.#row.choices.length === 0 && shown.length === 0) return this.#newChoices()
    const kept = this.#row.choices.filter(({ value }) => value.trim() !== '')
    const isSame = (choice: ChoiceRow, i: number) =>
      choice.value.trim() === shown[i]?.value && PLACE.every(member => choice[member].trim() === shown[i]?.[member])
    if (kept.length === shown.length && kept.every(isSame)) return {}
    const options = this.#row.choices.flatMap((choice, k): RadioOption[] => {
      if (choice.value.trim() === '') return []
      const area = this.#area(choice, shown[k], this.#before?.field.boxes[k], `${this.#path}.choices[${k}]`)
      return [{ value: choice.value.trim(), ...(area as PageArea) }]
    })
    return { options }
  }

  #newChoices(): FieldEdit {
    const { options: typed } = this.#row
    // Choices of a dropdown get their boxes where its kind is changed.
    if (this.#before && typed !== '' && this.#isShown('options')) return {}
    const values = linesOf(typed)
    const area = this.#area(this.#row, this.#before?.row, this.#before?.field, this.#path) as PageArea
    const names = values.length > 0 ? values : ['1', '2']
    const boxes = stacked(area, names.length)
    return { options: names.map((value, i) => ({ value, ...(boxes[i] ?? area) })) }
  }

  #options(): FieldEdit {
    if (!hasOptions(this.#type) || hasBoxes(this.#type) || this.#isShown('options')) return {}
    return { options: linesOf(this.#row.options) }
  }

  #condition(): FieldEdit {
    if (this.#isShown('showIfField') && this.#isShown('showIfIs')) return {}
    const [field, is] = [this.#row.showIfField.trim(), this.#row.showIfIs.trim()]
    if (field === '') return { showIf: null }
    if (is === '') this.#refuse(`${this.#path}.showIfIs`)
    return { showIf: { field, is } }
  }

  #limits(): FieldEdit {
    const edit: FieldEdit = {}
    for (const member of ['maxLength', 'min', 'max'] as const) {
      if (!hasMember(this.#type, member) || this.#isShown(member)) continue
      const number = amountOf(this.#row[member])
      const isAllowed = member !== 'maxLength' || (Number.isInteger(number) && number! >= 1 && number! <= MAX_VALUE_LENGTH)
      if (this.#row[member].trim() === '') edit[member] = null
      else if (number === undefined || !isAllowed) this.#refuse(`${this.#path}.${member}`)
      else edit[member] = number
    }
    return edit
  }

  /** Of a row that showed these members. */
  #accepted(): FieldEdit {
    const { accept, maxMegabytes } = this.#row
    const shown = this.#before?.row
    if (!shown || !hasMember(this.#type, 'accept') || this.#type !== shown.type) return {}
    const edit: FieldEdit = {}
    if (accept.length === 0) this.#refuse(`${this.#path}.accept`)
    else if (MEDIA_TYPES.some(type => accept.includes(type) !== shown.accept.includes(type))) edit.accept = accept
    if (this.#isShown('maxMegabytes')) return edit
    const megabytes = numberOf(maxMegabytes) ?? 0
    if (megabytes > 0 && megabytes <= MAX_MEGABYTES) edit.maxBytes = Math.ceil(megabytes * MEGABYTE)
    else this.#refuse(`${this.#path}.maxMegabytes`)
    return edit
  }
}

const linesOf = (text: string): string[] => text.split('\n').flatMap(line => line.trim() || [])
