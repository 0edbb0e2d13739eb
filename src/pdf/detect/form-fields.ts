/** Proposes fields for the widgets of an AcroForm. ISO 32000-2 §12.5.6.19, §12.7.4, §12.7.5. */
import {
  type FieldType,
  isPrinted,
  MAX_FIELD_NAME,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
  MAX_VALUE_LENGTH,
} from '../../core/field/field.ts'
import { liftToMiddle } from '../../core/field/field-size.ts'
import { displayedSize, displayMatrix } from '../../core/field/geometry.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveItems } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError, textOf } from '../parser/syntax.ts'
import type { LabelReader } from './label-kind.ts'
import { apply } from './page-content.ts'

/** In points of the displayed page, origin top-left. */
export interface FormField {
  type: FieldType
  left: number
  top: number
  width: number
  height: number
  label: string | undefined
  options: string[] | undefined
  /** Of one of several buttons: what they have in common. Its value is its only option. */
  group: string | undefined
  required: boolean
  maxLength: number | undefined
}

type Kind = Pick<FormField, 'type'> & Partial<Pick<FormField, 'options' | 'group' | 'maxLength'>>

/** Viewers show the text of a field in the middle of its frame. */
function liftOf(type: FieldType, frameHeight: number, { box }: Page): number {
  const { width, height } = displayedSize(box)
  return isPrinted(type) ? liftToMiddle(frameHeight, [width, height]) : 0
}

/** Annotation flags, §12.5.3. */
const HIDDEN = 2
const NO_VIEW = 32
/** Field flags, §12.7.4.1, §12.7.5.2 to §12.7.5.4. */
const READ_ONLY = 1
const REQUIRED = 2
const PASSWORD = 1 << 13
const RADIO = 1 << 15
const PUSH_BUTTON = 1 << 16
const EDITABLE_CHOICE = 1 << 18
const FILE_SELECT = 1 << 20
const MULTIPLE_CHOICE = 1 << 21

const MAX_WIDGETS = 2_000
const MAX_DEPTH = 50
const MAX_SCRIPT = 10_000
/** pt. A field without an area is invisible. */
const MIN_SIDE = 4

export class FormFieldReader {
  readonly #file: PdfFile
  readonly #labels: LabelReader
  #count = 0

  constructor(file: PdfFile, labels: LabelReader) {
    this.#file = file
    this.#labels = labels
  }

  /** The fields of a page in the order of its annotations. Unreadable ones are left out. */
  read(page: Page): FormField[] {
    const fields: FormField[] = []
    for (const { located } of resolveItems(this.#file, resolveEntry(this.#file, page.dictionary, 'Annots'))) {
      if (++this.#count > MAX_WIDGETS) break
      try {
        const field = this.#readWidget(located, page)
        if (field) fields.push(field)
      } catch (error) {
        if (!(error instanceof PdfSyntaxError)) throw error
      }
    }
    return fields
  }

  #readWidget(annotation: LocatedValue, page: Page): FormField | undefined {
    if (this.#nameOf(annotation, 'Subtype') !== 'Widget') return undefined
    if ((this.#numberOf(annotation, 'F') & (HIDDEN | NO_VIEW)) !== 0) return undefined
    const widget = new Widget(this.#file, annotation)
    if ((widget.flags & READ_ONLY) !== 0) return undefined
    const box = this.#boxOf(annotation, page)
    const kind = box && this.#kindOf(widget)
    if (!box || !kind) return undefined
    const { options, group, maxLength } = kind
    const height = box.height - liftOf(kind.type, box.height, page)
    return { type: kind.type, ...box, height, label: widget.label, options, group, required: widget.isRequired, maxLength }
  }

  #kindOf(widget: Widget): Kind | undefined {
    switch (widget.type) {
      case 'Sig':
        return widget.hasValue ? undefined : { type: 'signature' }
      case 'Btn':
        return this.#buttonOf(widget)
      case 'Ch':
        return this.#choiceOf(widget)
      case 'Tx':
        if (widget.hasText || (widget.flags & (PASSWORD | FILE_SELECT)) !== 0) return undefined
        return this.#textKindOf(widget)
      default:
        return undefined
    }
  }

  #buttonOf(widget: Widget): Kind | undefined {
    if ((widget.flags & PUSH_BUTTON) !== 0) return undefined
    if ((widget.flags & RADIO) === 0) return { type: 'checkbox' }
    return { type: 'radio', options: [widget.onState], group: `form ${widget.fullName}` }
  }

  #choiceOf(widget: Widget): Kind | undefined {
    const options = widget.options
    if ((widget.flags & MULTIPLE_CHOICE) !== 0) return undefined
    if (options.length === 0 || options.length > MAX_OPTIONS || (widget.flags & EDITABLE_CHOICE) !== 0) return { type: 'text' }
    return { type: 'dropdown', options }
  }

  /** A date field is filled by the service with the day of signing: only a label can say so. */
  #textKindOf(widget: Widget): Kind {
    const { maxLength } = widget
    const kinds = this.#labels.read(widget.label ?? '')?.kinds ?? []
    const kind = kinds.length === 1 ? kinds[0] : undefined
    const format = widget.formatScript
    if (kind === 'date' && maxLength === undefined && !/AFNumber|AFTime/.test(format)) return { type: 'date' }
    if (/AFNumber_Format|AFPercent_Format/.test(format)) return { type: 'number', maxLength }
    if (kind === 'name' || kind === 'email') return { type: kind, maxLength }
    if (kind === 'initials') return { type: 'initials' }
    return { type: 'text', maxLength }
  }

  #boxOf(annotation: LocatedValue, { box }: Page): { left: number; top: number; width: number; height: number } | undefined {
    const numbers = resolveItems(this.#file, resolveEntry(this.#file, annotation, 'Rect')).map(({ located: { value } }) =>
      value.kind === 'number' ? value.value : Number.NaN,
    )
    const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbers
    const matrix = displayMatrix(box)
    const [ax, ay] = apply(matrix, x1, y1)
    const [bx, by] = apply(matrix, x2, y2)
    const [left, top] = [Math.min(ax, bx), Math.min(ay, by)]
    const [width, height] = [Math.abs(ax - bx), Math.abs(ay - by)]
    return width >= MIN_SIDE && height >= MIN_SIDE ? { left, top, width, height } : undefined
  }

  #nameOf(container: LocatedValue, key: string): string | undefined {
    const { value } = resolveEntry(this.#file, container, key)
    return value.kind === 'name' ? value.value : undefined
  }

  #numberOf(container: LocatedValue, key: string): number {
    const { value } = resolveEntry(this.#file, container, key)
    return value.kind === 'number' ? value.value : 0
  }
}

/** A widget with the attributes that it inherits from the fields above it. */
class Widget {
  readonly #file: PdfFile
  /** The widget's own dictionary first. */
  readonly #chain: LocatedValue[] = []

  constructor(file: PdfFile, annotation: LocatedValue) {
    this.#file = file
    let node = annotation
    // A loop of parents ends: the parser returns the same value for the same object.
    while (node.value.kind === 'dictionary' && this.#chain.length < MAX_DEPTH && !this.#chain.includes(node)) {
      this.#chain.push(node)
      node = resolveEntry(file, node, 'Parent')
    }
  }

  get type(): string | undefined {
    const { value } = this.#inherited('FT')
    return value.kind === 'name' ? value.value : undefined
  }

  get flags(): number {
    const { value } = this.#inherited('Ff')
    return value.kind === 'number' ? value.value : 0
  }

  get isRequired(): boolean {
    return (this.flags & REQUIRED) !== 0
  }

  get hasValue(): boolean {
    return this.#inherited('V').value.kind !== 'null'
  }

  /** Already filled in. */
  get hasText(): boolean {
    const { value } = this.#inherited('V')
    return value.kind === 'dictionary' || textOf(value).trim() !== ''
  }

  /** From the widget's own name upwards. */
  get #names(): string[] {
    return this.#chain.map(node => clean(textOf(resolveEntry(this.#file, node, 'T').value))).filter(name => name !== '')
  }

  /** §12.7.4.2. */
  get fullName(): string {
    return this.#names.toReversed().join('.')
  }

  /** The tooltip, which is written for people, or the name. */
  get label(): string | undefined {
    const tooltip = clean(textOf(this.#inherited('TU').value))
    const name = (this.#names[0] ?? '').replace(/[_.]+/g, ' ').replace(/\[\d+\]/g, '')
    const label = tooltip || name.trim()
    return label === '' ? undefined : label.slice(0, MAX_FIELD_NAME)
  }

  get options(): string[] {
    const texts = resolveItems(this.#file, this.#inherited('Opt')).map(({ located }) => {
      const items = resolveItems(this.#file, located)
      return clean(textOf((items[1] ?? items[0])?.located.value ?? located.value))
    })
    return [...new Set(texts.filter(text => text !== '' && text.length <= MAX_OPTION_LENGTH))].slice(0, MAX_OPTIONS + 1)
  }

  get maxLength(): number | undefined {
    const { value } = this.#inherited('MaxLen')
    return value.kind === 'number' && value.integer && value.value >= 1 && value.value <= MAX_VALUE_LENGTH
      ? value.value
      : undefined
  }

  /** §12.6.4.17. The name of a formatting function is all that is read of it. */
  get formatScript(): string {
    const actions = this.#inherited('AA')
    const scripts = ['F', 'K'].map(key => textOf(resolveEntry(this.#file, resolveEntry(this.#file, actions, key), 'JS').value))
    return scripts.join(' ').slice(0, MAX_SCRIPT)
  }

  /** §12.7.5.2.3, §12.7.5.2.4: the appearance other than /Off; a number is an index of /Opt. */
  get onState(): string {
    const [own] = this.#chain
    if (own === undefined) return ''
    const { value } = resolveEntry(this.#file, resolveEntry(this.#file, own, 'AP'), 'N')
    const names = value.kind === 'dictionary' ? [...value.entries.keys()] : []
    const state = clean(names.find(name => name !== 'Off') ?? '')
    return (/^\d+$/.test(state) ? this.options[Number(state)] : undefined) ?? state
  }

  #inherited(key: string): LocatedValue {
    for (const node of this.#chain) {
      const found = resolveEntry(this.#file, node, key)
      if (found.value.kind !== 'null') return found
    }
    return this.#file.resolve(undefined)
  }
}

const clean = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
