/** How fields and people are named in the editor. */
import { type FieldType, isDate } from '../../../src/core/field/field.ts'
import { SENDER } from '../../../src/core/field/placed-fields.ts'
import { format } from '../../signing/browser/texts.ts'
import type { FieldBox } from './boxes.ts'
import type { Box, EditorField, Person } from './model.ts'
import type { EditorTexts } from './texts.ts'

export function personName(person: Person | undefined, texts: EditorTexts): string {
  if (person?.role === 'sender') return texts.sender
  return person?.name || person?.email || texts.unnamedPerson
}

/** A date of the sender's is any day, those of recipients are the day of signing. */
export function typeName(type: FieldType, ownerId: string | undefined, texts: EditorTexts): string {
  return isDate(type) && ownerId === SENDER ? texts.senderDate : texts.types[type]
}

/** "Signature, Anna Berg, required". */
export function fieldName(field: EditorField, person: Person | undefined, texts: EditorTexts): string {
  const type = typeName(field.type, field.recipientId, texts)
  const kind = field.label ? format(texts.labelled, { type, label: field.label }) : type
  return `${kind}, ${personName(person, texts)}, ${needName(field, texts)}`
}

function needName({ readOnly, required, showIf }: EditorField, texts: EditorTexts): string {
  const need = readOnly ? texts.readOnly : required ? texts.required : texts.optional
  return showIf ? `${need}, ${format(texts.conditional, { field: showIf.field, is: showIf.is })}` : need
}

/** "Choice 2 of 3, Payment, Anna Berg, required"; a field with one box by its own name. */
export function boxName({ field, index }: FieldBox, person: Person | undefined, texts: EditorTexts): string {
  if (field.boxes.length === 0) return fieldName(field, person, texts)
  const choice = format(texts.choiceOf, { n: index + 1, count: field.boxes.length })
  return `${choice}, ${field.label ?? texts.types[field.type]}, ${personName(person, texts)}, ${needName(field, texts)}`
}

const whole = (points: number) => Math.round(points)

/** "72 left, 640 top". */
export function placeName({ x, y }: Pick<Box, 'x' | 'y'>, texts: EditorTexts): string {
  return format(texts.said.place, { x: whole(x), y: whole(y) })
}

export function sizeName({ width, height }: Pick<Box, 'width' | 'height'>, texts: EditorTexts): string {
  return format(texts.said.size, { width: whole(width), height: whole(height) })
}

/** The values of a new field whose choices are boxes. */
export function firstChoices({ choice }: EditorTexts): string[] {
  return [1, 2].map(n => format(choice, { n }))
}
