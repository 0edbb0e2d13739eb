/** The values that a sender gives for fields of a template, by name, label or id. Pure. */
import type { Document, Recipient } from '../document/document.ts'
import { type Field, isFilledByService, isForSender, isPrefillable, needsValue, validateFieldValue } from '../field/field.ts'
import { validatePrefill } from '../field/new-field.ts'
import { hiddenFields, nameKey } from '../field/visibility.ts'
import { errorAt, type Found, type ValidationError } from '../refusal.ts'
import { cleanLine } from '../text.ts'
import { type Violation, violation } from '../violation.ts'
import type { GivenValue, GivenValues } from './template-draft.ts'

/** A field with the value it gets. */
export interface GivenField {
  field: Field
  value: string | undefined
  readOnly: boolean
}

/** The name by which a value for the field is given. */
export function valueName({ name, label, id }: Pick<Field, 'name' | 'label' | 'id'>): string {
  return name ?? label ?? id
}

/** In messages to the sender, who sees names where recipients see the kind of field. */
const withLabel = (field: Field): Field => ({ ...field, label: field.label ?? field.name })

/** Whether the sender may give a value for a field of a recipient when the template is used. */
export const takesValue = ({ type }: Pick<Field, 'type'>): boolean => isPrefillable(type)

const key = (name: string) => nameKey(cleanLine(name))

export class GivenFields {
  readonly #template: Document
  readonly #given = new Map<string, Omit<GivenField, 'field'>>()
  #hidden = new Set<string>()

  constructor(template: Document) {
    this.#template = template
  }

  /** By default the value of the template. A hidden field of the sender has none. */
  of(field: Field): GivenField {
    const { value, readOnly } = this.#given.get(field.id) ?? field
    const isDropped = this.#hidden.has(field.id) && this.#template.senderFields.includes(field)
    return { field, value: isDropped ? undefined : value, readOnly }
  }

  /** For a text of the document: a field that is hidden says nothing there. */
  shownText(field: Field): string {
    return this.#hidden.has(field.id) ? '' : (this.of(field).value ?? '')
  }

  addSender(values: GivenValues, errors: ValidationError[]): void {
    const { senderFields } = this.#template
    this.#add(senderFields, values, 'values', errors)
    this.#hidden = this.#hiddenFields()
  }

  addRole(role: Recipient, values: GivenValues, path: string, errors: ValidationError[]): void {
    this.#add(role.fields.filter(takesValue), values, path, errors)
  }

  #add(fields: readonly Field[], values: GivenValues, path: string, errors: ValidationError[]): void {
    const names = new Map<string, string>()
    const known = new KnownFields(fields)
    for (const [name, given] of Object.entries(values)) {
      const at = `${path}.${name}`
      const found = known.named(name)
      const [field] = found
      const error = nameError(found, field && names.get(field.id), fields)
      if (error !== undefined) errors.push(errorAt(at, error))
      else if (field !== undefined) {
        names.set(field.id, name)
        this.#put(field, given, at, errors)
      }
    }
  }

  #put(field: Field, given: GivenValue, path: string, errors: ValidationError[]): void {
    const isSenders = this.#template.senderFields.includes(field)
    const { value, readOnly = field.readOnly } = typeof given === 'object' ? given : { value: given }
    if (isSenders && readOnly === false) {
      errors.push(errorAt(`${path}.readOnly`, violation('sender_field_read_only')))
      return
    }
    const text = String(value)
    if (text === '') {
      this.#given.set(field.id, { value: undefined, readOnly })
      return
    }
    const named = withLabel(field)
    const result = isSenders ? validateFieldValue(named, text) : validatePrefill({ ...named, readOnly }, text)
    if ('error' in result) errors.push(errorAt(path, result.error))
    else this.#given.set(field.id, { value: result.value, readOnly })
  }

  /** What recipients cannot enter: required fields of the sender, and required read-only ones. */
  requireAll(people: readonly { role: Recipient; path: string }[], errors: ValidationError[]): void {
    this.#hidden = this.#hiddenFields()
    const add = (path: string, field: Field, found: Found) => {
      const at = `${path}.${valueName(field)}`
      // A value that was refused has its error already.
      if (!errors.some(error => error.path === at || error.path === `${at}.readOnly`)) errors.push(errorAt(at, found))
    }
    for (const field of this.#template.senderFields) {
      if (this.#hidden.has(field.id) || !isForSender(field.type)) continue
      const result = validateFieldValue(withLabel(field), this.of(field).value, 'stored')
      if ('error' in result) add('values', field, result.error)
    }
    for (const { role, path } of people)
      for (const field of role.fields) {
        const { readOnly, value } = this.of(field)
        if (needsValue({ ...field, readOnly }) && value === undefined && !isFilledByService(field.type))
          add(`${path}.values`, field, violation('value_required_of_sender'))
      }
  }

  #hiddenFields(): Set<string> {
    const { senderFields, recipients } = this.#template
    const all = [...senderFields, ...recipients.flatMap(({ fields }) => fields)]
    return hiddenFields(all, field => (this.#given.get(field.id) ?? field).value)
  }
}

/** A name goes before a label, a label before an id. Several fields may have one label. */
class KnownFields {
  readonly #byName: ReadonlyMap<string | undefined, Field[]>
  readonly #byLabel: ReadonlyMap<string | undefined, Field[]>
  readonly #byId: ReadonlyMap<string, Field[]>

  constructor(fields: readonly Field[]) {
    this.#byName = Map.groupBy(fields, ({ name }) => name && key(name))
    this.#byLabel = Map.groupBy(fields, ({ label }) => label && key(label))
    this.#byId = Map.groupBy(fields, ({ id }) => id)
  }

  named(text: string): readonly Field[] {
    const wanted = key(text)
    return this.#byName.get(wanted) ?? this.#byLabel.get(wanted) ?? this.#byId.get(text) ?? []
  }
}

/** `first`: another name by which the same field has its value. */
function nameError({ length }: readonly Field[], first: string | undefined, fields: readonly Field[]): Violation | undefined {
  if (length === 0) return violation('unknown_value_name', knownNames(fields))
  if (length > 1) return violation('ambiguous_label', { count: length })
  return first === undefined ? undefined : violation('value_given_twice', { name: first })
}

const MAX_NAMES = 20

function knownNames(fields: readonly Field[]) {
  return { names: fields.slice(0, MAX_NAMES).map(valueName), hasMore: fields.length > MAX_NAMES }
}
