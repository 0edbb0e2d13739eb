/** Rows of the table of fields as typed, and the edit of the draft they mean. Pure. */
import type { Document } from './document.ts'
import type { FieldEdit } from './edit-fields.ts'
import { FIELD_TYPES, type Field, type FieldType, hasOptions } from './field.ts'
import type { ValidationError } from './refusal.ts'
import { maySign, mustAct } from './routing.ts'

export interface FieldRow {
  id: string
  type: string
  recipientId: string
  page: string
  x: string
  y: string
  width: string
  height: string
  label: string
  /** One per line. */
  options: string
  required: boolean
}

const BOX = ['x', 'y', 'width', 'height'] as const

/** A number as it is shown. What is shown unchanged is not sent, so that nothing is rounded. */
const percentText = (value: number) => String(Math.round(value * 100) / 100)

export function rowOfField(field: Field, recipientId: string): FieldRow {
  const { id, type, page, label = '', options, required } = field
  const box = {
    x: percentText(field.x),
    y: percentText(field.y),
    width: percentText(field.width),
    height: percentText(field.height),
  }
  return { id, type, recipientId, page: String(page), ...box, label, options: options.join('\n'), required }
}

/** All fields in reading order. */
export function fieldRowsOf({ recipients }: Pick<Document, 'recipients'>): FieldRow[] {
  const all = recipients.flatMap(r => r.fields.map(field => ({ field, recipientId: r.id })))
  all.sort(({ field: a }, { field: b }) => a.page - b.page || a.y - b.y || a.x - b.x)
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

function numberOf(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  return /^\d{1,6}(\.\d{1,12})?$/.test(trimmed) ? Number(trimmed) : undefined
}

export interface FieldEdits {
  edits: FieldEdit[]
  /** For each edit, the index of its row. */
  rowOf: number[]
  /** Of what is not a number, with the paths of the rows. */
  errors: ValidationError[]
}

/** The rows that differ from the draft. A row whose field is gone would be a new field. */
export function fieldEdits(rows: readonly FieldRow[], document: Pick<Document, 'recipients'>): FieldEdits {
  const shown = new Map(fieldRowsOf(document).map(row => [row.id, row]))
  const result: FieldEdits = { edits: [], rowOf: [], errors: [] }
  rows.forEach((row, i) => {
    const before = shown.get(row.id)
    const edit: FieldEdit = { id: row.id, ...numbers(row, before, `fields[${i}]`, result.errors), ...texts(row, before) }
    if (Object.keys(edit).length === 1) return
    result.edits.push(edit)
    result.rowOf.push(i)
  })
  return result
}

function numbers(row: FieldRow, before: FieldRow | undefined, path: string, errors: ValidationError[]): Partial<FieldEdit> {
  const edit: Partial<Record<(typeof BOX)[number] | 'page', number>> = {}
  for (const member of ['page', ...BOX] as const) {
    if (before && row[member].trim() === before[member]) continue
    const number = numberOf(row[member])
    if (number === undefined || (member === 'page' && !Number.isInteger(number)))
      errors.push({ path: `${path}.${member}`, message: '' })
    else edit[member] = number
  }
  return edit
}

function texts(row: FieldRow, before: FieldRow | undefined): Partial<FieldEdit> {
  const type: FieldType = FIELD_TYPES.find(known => known === row.type) ?? 'text'
  const options = row.options.split('\n').flatMap(line => line.trim() || [])
  const isChoice = hasOptions(type)
  return {
    ...(type === before?.type ? {} : { type }),
    ...(row.recipientId === before?.recipientId ? {} : { recipientId: row.recipientId }),
    ...(row.label.trim() === before?.label ? {} : { label: row.label.trim() || null }),
    ...(row.required === before?.required ? {} : { required: row.required }),
    ...(isChoice && row.options.replace(/\r/g, '') !== before?.options ? { options } : {}),
  }
}
