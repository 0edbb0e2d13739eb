/** Rows of the table of fields, and the field that a new row is for. Pure. */
import type { Document } from '../document/document.ts'
import { acceptedTypes, type Field, hasBoxes, hasMember, MAX_ATTACHMENT_BYTES, MEGABYTE, type MediaType } from '../field/field.ts'
import { inReadingOrder, type PageArea } from '../field/geometry.ts'
import { type FieldLists, placedFields, SENDER } from '../field/visibility.ts'
import { maySign, mustAct } from '../signing/routing.ts'
import type { FieldEdit } from './edit-fields.ts'

/** A place as typed. */
export type PlaceRow = Record<keyof PageArea, string>

/** A choice that has a box of its own. Without a value it is removed. */
export interface ChoiceRow extends PlaceRow {
  value: string
}

export interface FieldRow extends PlaceRow {
  id: string
  type: string
  /** Or `SENDER`. */
  recipientId: string
  label: string
  /** One per line. */
  options: string
  required: boolean
  name: string
  showIfField: string
  showIfIs: string
  value: string
  readOnly: boolean
  /** Of a mark. */
  rule: boolean
  maxLength: string
  min: string
  max: string
  accept: MediaType[]
  maxMegabytes: string
  /** Of a radio field. */
  choices: ChoiceRow[]
}

/** A number as it is shown. What is shown unchanged is not sent, so that nothing is rounded. */
const percentText = (value: number) => String(Math.round(value * 100) / 100)
const numberText = (value: number | undefined) => (value === undefined ? '' : String(value))

function placeRow({ page, x, y, width, height }: PageArea): PlaceRow {
  const box = { x: percentText(x), y: percentText(y), width: percentText(width), height: percentText(height) }
  return { page: String(page), ...box }
}

export function rowOfField(field: Field, recipientId: string): FieldRow {
  const { id, type, label = '', options, required, name = '', showIf, value = '', maxBytes = MAX_ATTACHMENT_BYTES } = field
  return {
    id,
    type,
    recipientId,
    ...placeRow(field),
    label,
    options: options.join('\n'),
    required,
    name,
    showIfField: showIf?.field ?? '',
    showIfIs: showIf?.is ?? '',
    value,
    readOnly: field.readOnly && recipientId !== SENDER,
    rule: field.rule === true,
    maxLength: numberText(field.maxLength),
    min: numberText(field.min),
    max: numberText(field.max),
    accept: hasMember(type, 'accept') ? [...acceptedTypes(field)] : [],
    maxMegabytes: hasMember(type, 'maxBytes') ? String(maxBytes / MEGABYTE) : '',
    choices: hasBoxes(type) ? field.boxes.map((box, i) => ({ value: options[i] ?? '', ...placeRow(box) })) : [],
  }
}

/** All fields in reading order. */
export function fieldRowsOf(lists: FieldLists): FieldRow[] {
  const all = inReadingOrder(placedFields(lists), ({ field }) => field)
  return all.map(({ field, recipientId }) => rowOfField(field, recipientId))
}

/** Percent of a page, for the first field of a kind: 160 × 48 points on A4. */
const NEW_BOX = { x: 10, y: 80, width: 26.9, height: 5.7 }
const STEP = 7

/** A signature for the first person without one, else a text. Below the last field of the page. */
export function newFieldEdit({ recipients, pageCount }: Document, id: string): FieldEdit | undefined {
  const acting = recipients.filter(mustAct)
  const unsigned = acting.find(r => maySign(r.role) && !r.fields.some(f => f.type === 'signature'))
  const owner = unsigned ?? acting[0]
  if (!owner) return undefined
  const type = unsigned ? 'signature' : 'text'
  const used = new Set(recipients.flatMap(r => r.fields.filter(f => f.page === pageCount).map(f => `${f.x} ${f.y}`)))
  const box = { ...NEW_BOX }
  while (used.has(`${box.x} ${box.y}`) && box.y >= STEP) box.y -= STEP
  return { id, type, recipientId: owner.id, page: pageCount, ...box }
}
