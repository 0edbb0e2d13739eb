/** How fields and people are named in the editor. */
import { format } from '../signing-texts.ts'
import type { Box, EditorField, Person } from './editor-model.ts'
import type { EditorTexts } from './editor-texts.ts'

export function personName(person: Person | undefined, texts: EditorTexts): string {
  return person?.name || person?.email || texts.unnamedPerson
}

/** "Signature, Anna Berg, required". */
export function fieldName(field: EditorField, person: Person | undefined, texts: EditorTexts): string {
  const type = texts.types[field.type]
  const kind = field.label ? format(texts.labelled, { type, label: field.label }) : type
  const need = field.readOnly ? texts.readOnly : field.required ? texts.required : texts.optional
  return `${kind}, ${personName(person, texts)}, ${need}`
}

const whole = (points: number) => Math.round(points)

/** "72 left, 640 top". */
export function placeName({ x, y }: Pick<Box, 'x' | 'y'>, texts: EditorTexts): string {
  return format(texts.said.place, { x: whole(x), y: whole(y) })
}

export function sizeName({ width, height }: Pick<Box, 'width' | 'height'>, texts: EditorTexts): string {
  return format(texts.said.size, { width: whole(width), height: whole(height) })
}
