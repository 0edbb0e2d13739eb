/** A field in a request, and the rules it must meet. Pure. */
import type { ErrorList } from '../document/new-document.ts'
import { blankOf, type Given, namesOfKind } from '../members.ts'
import type { Found } from '../refusal.ts'
import { maySign, mustAct, type Role } from '../signing/routing.ts'
import { cleanLine, lineError } from '../text.ts'
import { violation } from '../violation.ts'
import {
  excessMembers,
  FIELD_MEMBERS,
  FIELD_TYPES,
  type Field,
  type FieldType,
  type FieldValueResult,
  hasBoxes,
  hasOptions,
  isFile,
  isFilledByService,
  isForSender,
  isMark,
  isPrefillable,
  needsValue,
  validateFieldValue,
} from './field.ts'
import { boxError, type PageArea, type PercentBox, PLACE } from './geometry.ts'
import { SENDER } from './visibility.ts'

/** A choice of a radio field, with its box. */
export interface RadioOption extends PageArea {
  value: string
}

/** The schema has checked the types. `covers` is not for clients: it is of a tag of the PDF. */
export interface NewField extends Given<Omit<typeof FIELD_MEMBERS, 'options' | 'boxes' | 'file'>> {
  type: FieldType
  /** A dropdown has texts, a radio field has boxes in place of a box of its own. */
  options?: (string | RadioOption)[]
}

export function optionValues(options: NewField['options'] = []): string[] {
  return options.map(option => cleanLine(typeof option === 'string' ? option : option.value))
}

function boxesOf(options: NewField['options'] = []): PageArea[] {
  return options.flatMap(option => (typeof option === 'string' ? [] : [areaOf(option)]))
}

const areaOf = ({ page, x, y, width, height }: PageArea): PageArea => ({ page, x, y, width, height })

/** All boxes of a field, with their paths; `undefined` where one is not complete. */
export function areasOf(path: string, field: NewField): { path: string; area: PageArea | undefined }[] {
  if (!hasBoxes(field.type)) return [{ path, area: isArea(field) ? areaOf(field) : undefined }]
  return (field.options ?? []).map((option, i) => {
    return { path: `${path}.options[${i}]`, area: typeof option === 'string' ? undefined : option }
  })
}

const isArea = (field: Partial<PageArea>): field is PageArea => PLACE.every(member => field[member] !== undefined)

/**
 * A draft may lack the choices of a dropdown and the value of a read-only field; a field of the
 * sender gets its value before the sending.
 */
export function validateField(
  path: string,
  field: NewField,
  owner: Role | typeof SENDER,
  errors: ErrorList,
  isDraft = false,
): void {
  validatePlace(path, field, errors)
  validateOwner(path, field, owner, errors)
  validateOptions(path, field, errors, isDraft)
  const { type } = field
  for (const member of excessMembers(field)) errors.add(`${path}.${member}`, violation('not_for_type', { type }))
  const { min, max } = field
  if (min !== undefined && max !== undefined && min > max) errors.add(`${path}.max`, violation('max_below_min'))
  validateFieldTexts(path, field, errors)
  if (field.value !== undefined) {
    errors.addUnprintable(`${path}.value`, field.value)
    errors.add(`${path}.value`, prefillError(field, field.value, owner))
  } else if (needsValue(fieldOf('', field)) && owner !== SENDER && !isFilledByService(type) && !isDraft) {
    errors.add(`${path}.value`, violation('read_only_without_value'))
  }
}

function validatePlace(path: string, field: NewField, errors: ErrorList): void {
  const { type } = field
  if (hasBoxes(type)) {
    for (const member of PLACE)
      if (field[member] !== undefined) errors.add(`${path}.${member}`, violation('box_beside_options', { type }))
  }
  for (const { path: at, area } of areasOf(path, field)) {
    if (area === undefined) addMissing(at, field, errors)
    else addOutside(at, area, errors)
  }
}

function addMissing(path: string, field: NewField, errors: ErrorList): void {
  if (hasBoxes(field.type)) errors.add(path, violation('option_without_box'))
  else for (const member of PLACE) if (field[member] === undefined) errors.add(`${path}.${member}`, violation('required'))
}

function addOutside(path: string, area: PercentBox, errors: ErrorList): void {
  const [member, outside] = boxError(area) ?? []
  errors.add(`${path}.${member}`, outside)
}

function validateOwner(path: string, { type }: NewField, owner: Role | typeof SENDER, errors: ErrorList): void {
  if (owner === SENDER) {
    const types = FIELD_TYPES.filter(isForSender)
    if (!isForSender(type)) errors.add(`${path}.type`, violation('type_not_for_sender', { types }))
  } else if (!mustAct({ role: owner })) errors.add(path, violation('field_of_viewer'))
  else if (isMark(type) && !maySign(owner)) errors.add(`${path}.type`, violation('mark_of_approver', { type }))
}

function validateOptions(path: string, { type, options }: NewField, errors: ErrorList, isDraft: boolean): void {
  if (!hasOptions(type)) return
  if (!options?.length && !isDraft) errors.add(`${path}.options`, violation('choices_missing', { type }))
  const values = optionValues(options)
  options?.forEach((option, k) => {
    const at = typeof option === 'string' ? `${path}.options[${k}]` : `${path}.options[${k}].value`
    const value = typeof option === 'string' ? option : option.value
    if (!hasBoxes(type) && typeof option !== 'string') errors.add(at, violation('option_with_box'))
    if (hasBoxes(type) && values.indexOf(values[k]!) < k) errors.add(at, violation('duplicate_option'))
    errors.add(at, lineError(value))
    errors.addUnprintable(at, value)
  })
}

function validateFieldTexts(path: string, field: NewField, errors: ErrorList): void {
  for (const member of LINES) {
    if (field[member] === undefined) continue
    errors.add(`${path}.${member}`, lineError(field[member]))
    errors.addUnprintable(`${path}.${member}`, field[member])
  }
}

function prefillError(field: NewField, value: string, owner: Role | typeof SENDER): Found | undefined {
  const isAllowed = owner === SENDER ? isForSender : isPrefillable
  const { type } = field
  if (!isAllowed(type)) return violation('not_prefillable', { type, types: FIELD_TYPES.filter(isAllowed) })
  const result = validatePrefill(fieldOf('', field), value)
  return 'error' in result ? result.error : undefined
}

/** A value is required here only if the recipient cannot enter one later. */
export function validatePrefill(field: Field, value: string): FieldValueResult {
  return validateFieldValue({ ...field, required: field.required && field.readOnly }, value)
}

const BLANK_FIELD = blankOf(FIELD_MEMBERS)
const LINES = namesOfKind(FIELD_MEMBERS, 'line')

/** The field as it is stored, before its value is cleaned. */
export function fieldOf(id: string, { type, options, showIf, rule, ...given }: NewField): Field {
  const boxes = hasBoxes(type) ? boxesOf(options) : []
  const lines = Object.fromEntries(LINES.map(name => [name, lineOf(given[name])]))
  return {
    id,
    type,
    ...BLANK_FIELD,
    required: type !== 'checkbox',
    ...given,
    ...(lines as Record<(typeof LINES)[number], string | undefined>),
    ...boxes[0],
    showIf: showIf && { field: cleanLine(showIf.field), is: cleanLine(showIf.is) },
    options: optionValues(options),
    boxes,
    rule: isMark(type) ? (rule ?? false) : undefined,
  }
}

const lineOf = (text: string | undefined) => (text === undefined ? undefined : cleanLine(text) || undefined)

/** The request that would make this field. */
export function inputOf({ id: _, file: __, boxes, options, accept, page, x, y, width, height, ...members }: Field): NewField {
  const place = hasBoxes(members.type) ? {} : { page, x, y, width, height }
  return withoutNulls({
    ...members,
    ...place,
    ...(options.length > 0 ? { options: optionsOf({ options, boxes }) } : {}),
    ...(accept.length > 0 ? { accept } : {}),
  }) as NewField
}

/** The options of a dropdown as texts, those of a radio field with their boxes. */
export function optionsOf({ options, boxes }: Pick<Field, 'options' | 'boxes'>): (string | RadioOption)[] {
  return options.map((value, i) => (boxes[i] ? { value, ...boxes[i] } : value))
}

/** An optional member of a request is absent, never undefined or null. */
export function withoutNulls(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}

/** Between the boxes of the options that a change of kind makes, percent of the page. */
const OPTION_GAP = 0.5

/** A field of another kind: what does not fit it is dropped, and options get boxes or lose them. */
export function withType(field: Field, type: FieldType): NewField {
  const boxes = hasBoxes(type) && field.boxes.length === 0 ? stacked(field, field.options.length) : field.boxes
  const base = inputOf({ ...field, type, boxes: hasBoxes(type) ? boxes : [] })
  for (const member of excessMembers(base)) delete base[member]
  if (!isPrefillable(type) || hasOptions(type) !== hasOptions(field.type)) delete base.value
  if (isFile(type)) delete base.readOnly
  return base
}

/** Boxes of the field's size below each other, as far as the page reaches. */
export function stacked({ page, x, y, width, height }: PageArea, count: number): PageArea[] {
  const step = Math.min(height + OPTION_GAP, count > 1 ? (100 - y - height) / (count - 1) : 0)
  return Array.from({ length: count }, (_, i) => ({ page, x, y: y + i * step, width, height }))
}
