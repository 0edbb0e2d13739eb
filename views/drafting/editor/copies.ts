/** Copies of fields: to other pages, for another person, by the clipboard. Pure. */
import type { FieldType } from '../../../src/core/field/field.ts'
import { fitsFromPage, onPage, placeField } from './boxes.ts'
import { add, boxesOnPage, fieldsOf, requireSpaceFor } from './commands.ts'
import {
  BLANK,
  type Box,
  boxInPage,
  boxOf,
  type Change,
  type EditorField,
  type EditorState,
  isSamePlace,
  mayHave,
  type PageSize,
  type Person,
  pageSizeOf,
} from './model.ts'

export type NewFieldId = () => string

/** Pages that receive copies, besides the page of the field itself. */
export type Target = 'all' | 'butFirst' | 'butLast' | { readonly from: number; readonly to: number }

/** Only the field that was made from a proposal covers its tag; a name belongs to one field. */
function copyOf({ proposal: _, ...field }: EditorField, id: string): EditorField {
  return { ...field, id, name: undefined }
}

export interface Copies {
  changes: Change[]
  /** Copies that exist already at that place. */
  skipped: number
}

export function targetPages(target: Target, count: number): number[] {
  const [from, to] =
    target === 'all'
      ? [1, count]
      : target === 'butFirst'
        ? [2, count]
        : target === 'butLast'
          ? [1, count - 1]
          : [Math.max(1, Math.min(target.from, target.to)), Math.min(count, Math.max(target.from, target.to))]
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}

interface Wanted {
  type: FieldType
  recipientId: string
  page: number
  box: Box
}

function isThere(state: EditorState, fields: Iterable<EditorField>, { type, recipientId, page, box }: Wanted): boolean {
  for (const field of fields) {
    const isAlike = field.type === type && field.recipientId === recipientId && field.page === page
    if (isAlike && isSamePlace(boxOf(state, field), box)) return true
  }
  return false
}

/** Same distance from the upper left corner, moved inside smaller pages. */
export function copyToPages(state: EditorState, ids: Iterable<string>, target: Target, newId: NewFieldId): Copies {
  const pages = targetPages(target, state.pages.length)
  const byPage = Map.groupBy(state.fields.values(), ({ page }) => page)
  const copies: EditorField[] = []
  let skipped = 0
  for (const field of fieldsOf(state, ids)) {
    const source = boxOf(state, field)
    for (const page of pages) {
      if (page === field.page || !fitsFromPage(state, field, page)) continue
      const box = boxInPage(source, pageSizeOf(state, page))
      if (isThere(state, byPage.get(page) ?? [], { ...field, page, box })) skipped++
      else copies.push(placeField(state, copyOf(field, newId()), box, page))
    }
  }
  return { changes: add(state, copies), skipped }
}

const BESIDE_PT = 12

/**
 * The same fields for another person: beside the original if there is space, below it otherwise.
 * Types that the person may not have are left out.
 */
export function copyForPerson(state: EditorState, ids: Iterable<string>, person: Person, newId: NewFieldId): Change[] {
  const copies = fieldsOf(state, ids)
    .filter(({ type }) => mayHave(person, type))
    .map(field => {
      const readOnly = person.role === 'sender'
      const copy = { ...copyOf(field, newId()), recipientId: person.id, value: undefined, readOnly }
      return placeField(state, copy, besideBox(state, field))
    })
  return add(state, copies)
}

function besideBox(state: EditorState, field: EditorField): Box {
  const page = pageSizeOf(state, field.page)
  const box = boxOf(state, field)
  const taken = boxesOnPage(state, field.page)
  const isFree = (next: Box) =>
    isSamePlace(next, boxInPage(next, page)) &&
    !taken.some(
      other =>
        next.x < other.x + other.width &&
        other.x < next.x + next.width &&
        next.y < other.y + other.height &&
        other.y < next.y + next.height,
    )
  const [dx, dy] = [box.width + BESIDE_PT, box.height + BESIDE_PT]
  const tries: Box[] = [
    { ...box, x: box.x + dx },
    { ...box, x: box.x - dx },
    { ...box, y: box.y + dy },
    { ...box, y: box.y - dy },
    { ...box, x: box.x + 2 * dx },
    { ...box, y: box.y + 2 * dy },
  ]
  return tries.find(isFree) ?? boxInPage({ ...box, x: box.x + BESIDE_PT, y: box.y + BESIDE_PT }, page)
}

/** Fields in the clipboard, in points, also for other documents. */
export interface Clip {
  readonly fields: readonly ClipField[]
}

interface ClipField {
  readonly field: EditorField
  readonly box: Box
  /** Pages after the first of the copied fields. */
  readonly pageOffset: number
  /** Finds the person in another document. */
  readonly email: string
  readonly order: number
}

export function clipOf(state: EditorState, ids: Iterable<string>, people: readonly Person[]): Clip {
  const fields = fieldsOf(state, ids)
  const first = Math.min(...fields.map(({ page }) => page))
  return {
    fields: fields.map(field => {
      const order = people.findIndex(({ id }) => id === field.recipientId)
      return { field, box: boxOf(state, field), pageOffset: field.page - first, email: people[order]?.email ?? '', order }
    }),
  }
}

interface PasteOptions {
  people: readonly Person[]
  /** Receives fields whose person this document does not have. */
  active: Person
  newId: NewFieldId
}

/** At the same place of `page` and the pages after it, or 12 pt beside what is there already. */
export function paste(state: EditorState, { fields }: Clip, page: number, options: PasteOptions): Change[] {
  requireSpaceFor(state, fields.length)
  const pasted = fields.flatMap(clip => {
    const person = personFor(clip, options)
    const target = page + clip.pageOffset
    const size = state.pages[target - 1]
    // Copied in an earlier release, it lacks members that there were not.
    const field = { ...BLANK, ...clip.field }
    if (!person || !size || !fitsFromPage(state, field, target)) return []
    const copy = { ...copyOf(onPage(field, target), options.newId()), recipientId: person.id }
    return [placeField(state, copy, freeCopy(state, { ...copy, box: boxInPage(clip.box, size) }, size))]
  })
  return add(state, pasted)
}

function personFor({ field, email, order }: ClipField, { people, active }: PasteOptions): Person | undefined {
  const found = [
    people.find(({ id }) => id === field.recipientId),
    email === '' ? undefined : people.find(person => person.email === email),
    people[order],
    active,
  ]
  return found.find(person => person && mayHave(person, field.type))
}

/** Beside every field at this place, of any kind and person: nothing is stacked unseen. */
function freeCopy(state: EditorState, wanted: Wanted, page: PageSize): Box {
  const there = boxesOnPage(state, wanted.page)
  let { box } = wanted
  for (let n = 0; n < there.length && there.some(other => isSamePlace(other, box)); n++) {
    box = boxInPage({ ...box, x: box.x + BESIDE_PT, y: box.y + BESIDE_PT }, page)
  }
  return box
}

/** Beside the originals on their own pages. */
export function duplicate(state: EditorState, ids: Iterable<string>, newId: NewFieldId): Change[] {
  const copies = fieldsOf(state, ids).map(field => {
    const box = freeCopy(state, { ...field, box: boxOf(state, field) }, pageSizeOf(state, field.page))
    return placeField(state, copyOf(field, newId()), box)
  })
  return add(state, copies)
}

/** What another page stored, or somebody else: undefined unless it is a clip. */
export function clipIn(text: string | null): Clip | undefined {
  try {
    const clip = JSON.parse(text ?? 'null') as Clip | null
    return Array.isArray(clip?.fields) && clip.fields.every(isClipField) ? clip : undefined
  } catch {
    return undefined
  }
}

function isClipField(clip: Partial<ClipField> | null): boolean {
  const { field, box, pageOffset, email, order } = clip ?? {}
  const sizes = [box?.x, box?.y, box?.width, box?.height, pageOffset, order]
  if (!sizes.every(Number.isFinite) || typeof email !== 'string') return false
  const { id, recipientId, type, options = [], boxes = [], accept = [] } = field ?? {}
  return [id, recipientId, type].every(text => typeof text === 'string') && [options, boxes, accept].every(Array.isArray)
}
