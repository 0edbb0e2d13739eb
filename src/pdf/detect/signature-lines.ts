/** Proposes fields for blanks beside labels such as "Signature" and "Datum". */
import { type FieldType, isMark } from '../../core/field/field.ts'
import { liftToMiddle, minSize, usualSize } from '../../core/field/field-size.ts'
import { type Blank, findBlanks } from './blanks.ts'
import type { LabelKind, LabelReader } from './label-kind.ts'
import { type LabelledBlank, labelBlanks } from './labels.ts'
import type { PageContent } from './page-content.ts'
import type { Segment } from './text-rows.ts'

/** In points of the displayed page, origin top-left. */
export interface PlacedField {
  type: FieldType
  left: number
  top: number
  width: number
  height: number
  label: string
  partyName: string | undefined
  /** Perhaps no place to fill in: the sender is asked about it by itself. */
  isDoubtful: true | undefined
}

const TYPES: Record<LabelKind, FieldType> = {
  signature: 'signature',
  initials: 'initials',
  date: 'date',
  name: 'name',
  email: 'email',
  place: 'text',
  text: 'text',
}

/** Of a blank with several parts, such as "Place, date". */
const SHARES: Partial<Record<LabelKind, number>> = { place: 11, date: 9, signature: 14, name: 12 }

const MAX_WIDTH = 220
/** A tall cell is not filled by one field. */
const MAX_CELL_FIELD_SHARE = 1.25
const CELL_PADDING = 2
/** In a taller cell people write near its lower edge. */
const MAX_LIFT = 8
/** Between a field and the text above it. */
const CLEARANCE = 2
const MIN_HEIGHT = 11
const MAX_ON_PAGE = 40
const OFFICE_NOTE_REACH = 120

export function findSignatureLines(content: PageContent, segments: readonly Segment[], reader: LabelReader): PlacedField[] {
  const blanks = findBlanks(content, segments).filter(blank => !isLeaderToPageNumber(blank, segments))
  const notes = segments.filter(({ text }) => text.length < 200 && reader.isOfficeNote(text))
  const labelled = labelBlanks(
    blanks.filter(blank => !isBelowOfficeNote(blank, notes)),
    segments,
    label => reader.read(label),
  )
  const fields = labelled.flatMap(blank => placeFields(blank, segments, content))
  return fields.length > MAX_ON_PAGE ? [] : fields
}

/** A table of contents: dots, then a number. */
function isLeaderToPageNumber({ kind, right, y }: Blank, segments: readonly Segment[]): boolean {
  if (kind !== 'leader') return false
  return segments.some(({ left, y: baseline, text }) => {
    return Math.abs(baseline - y) < 3 && left >= right - 2 && left - right < 40 && /^[\divxlc]+\.?$/i.test(text.trim())
  })
}

function isBelowOfficeNote(blank: Blank, notes: readonly Segment[]): boolean {
  return notes.some(({ y }) => blank.y > y && blank.y - y <= OFFICE_NOTE_REACH)
}

function placeFields(labelled: LabelledBlank, segments: readonly Segment[], content: PageContent): PlacedField[] {
  const { blank, label, kinds, partyName, isDoubtful } = labelled
  const isCell = blank.kind === 'cell'
  const padding = isCell ? CELL_PADDING : 0
  const [left, right] = [Math.max(0, blank.left + padding), Math.min(content.width, blank.right - padding)]
  const inOrder = label.isRightToLeft ? kinds.toReversed() : kinds
  const total = inOrder.reduce((sum, kind) => sum + shareOf(kind), 0)
  const widest = inOrder.length === 1 ? MAX_WIDTH : Number.POSITIVE_INFINITY
  const fields: PlacedField[] = []
  let start = left
  for (const kind of inOrder) {
    const end = start + ((right - left) * shareOf(kind)) / total
    const width = Math.min(end - start, widest)
    const at = label.isRightToLeft ? end - width : start
    const bottom = Math.min(blank.y - padding, content.height)
    const height = heightOf(TYPES[kind], blank, { left: at, right: at + width, bottom }, segments, content)
    if (height !== undefined && width > 0) {
      const place = inMiddle(TYPES[kind], blank, { left: at, top: bottom - height, width, height }, content)
      fields.push({ type: TYPES[kind], ...place, label: labelText(label), partyName, isDoubtful })
    }
    start = end
  }
  return fields
}

type Place = Pick<PlacedField, 'left' | 'top' | 'width' | 'height'>

/** In a cell that has nothing else in it, text is at the height of the label in the next one. */
function inMiddle(type: FieldType, { kind, top, y, caption }: Blank, place: Place, { width, height }: PageContent): Place {
  if (kind !== 'cell' || top === undefined || caption !== undefined || isMark(type)) return place
  const lift = Math.min(liftToMiddle(y - top, [width, height]), MAX_LIFT)
  if (lift === 0) return place
  const bottom = y - lift
  const highest = Math.max(top + CELL_PADDING, bottom - place.height)
  return { ...place, top: highest, height: bottom - highest }
}

/** Extraction gives ligatures and the joined forms of Arabic letters, which nobody types. */
const labelText = ({ text }: Segment): string => text.normalize('NFKC').replace(/[:\s]+$/, '')
const shareOf = (kind: LabelKind): number => SHARES[kind] ?? 10

interface Base {
  left: number
  right: number
  bottom: number
}

/** Undefined if text above leaves too little. A field never covers it. */
function heightOf(type: FieldType, blank: Blank, base: Base, segments: readonly Segment[], { width, height }: PageContent) {
  const usual = usualSize(type, [width, height]).height
  if (blank.top !== undefined) {
    const free = base.bottom - blank.top - CELL_PADDING
    const wanted = Math.max(usual, type === 'signature' ? free / MAX_CELL_FIELD_SHARE : 0)
    return free < MIN_HEIGHT ? undefined : Math.min(wanted, free)
  }
  const above = segments.filter(({ left, right, y }) => y < base.bottom - 3 && right > base.left + 1 && left < base.right - 1)
  const nearest = Math.max(0, ...above.map(({ y, size, isLeader }) => y + (isLeader ? 1 : size * 0.25)))
  const free = base.bottom - nearest - CLEARANCE
  if (free < Math.min(MIN_HEIGHT, minSize(type, [width, height]).height)) return undefined
  return Math.min(usual, free)
}
