/**
 * Reads text tags: `{{type:recipient}}`, `{{type:recipient:Label}}`, for a dropdown
 * `{{dropdown:1:Label:First|Second}}`, for a radio field one tag per choice,
 * `{{radio:1:Label:First}}`. Case and blanks do not matter.
 */
import { FIELD_TYPES, type FieldType, hasBoxes, hasOptions, MAX_FIELD_NAME, MAX_OPTIONS } from '../../core/field/field.ts'
import { usualSize } from '../../core/field/field-size.ts'
import type { Glyph, PageContent } from './page-content.ts'
import { type Row, rowText } from './text-rows.ts'

/** In points of the displayed page, origin top-left. */
interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface TagField extends Box {
  type: FieldType
  party: number
  label: string | undefined
  options: string[] | undefined
  /** Of a choice with a box of its own: what it has in common with the others. */
  group: string | undefined
  covers: Box[]
  /** As in the PDF. */
  text: string
}

export interface UnknownTag {
  text: string
  why: string
}

const TAG = /\{\s*\{([^{}]{1,300})\}\s*\}/g
const MAX_PARTY = 100
/** Shares of the font size that a glyph may use above and below its baseline. */
const ASCENT = 0.95
const DESCENT = 0.28
const BLEED = 0.12
/** Between fields, and between a field and other text. */
const CLEARANCE = 2

interface TagMeaning {
  type: FieldType
  party: number
  label: string | undefined
  options: string[] | undefined
  group: string | undefined
}

/** The text says why it is no tag. */
function readTag(content: string): TagMeaning | string {
  const [name = '', number = '', label = '', ...rest] = content.split(':').map(part => part.trim())
  const type = FIELD_TYPES.find(known => known === name.replace(/\s/g, '').toLowerCase())
  if (type === undefined) return `there is no field type "${name}"; the types are ${FIELD_TYPES.join(', ')}`
  const digits = number.replace(/\s/g, '')
  if (digits !== '' && !/^\d{1,3}$/.test(digits)) return `"${number}" is not the number of a recipient`
  const party = digits === '' ? 1 : Number(digits)
  if (party < 1 || party > MAX_PARTY) return `the number of a recipient is 1 to ${MAX_PARTY}`
  const options = rest
    .join(':')
    .split('|')
    .map(option => option.trim())
    .filter(option => option !== '')
  const wrong = optionsError(type, label, options)
  if (wrong !== undefined) return wrong
  return {
    type,
    party,
    label: label === '' ? undefined : label.slice(0, MAX_FIELD_NAME),
    options: hasOptions(type) ? [...new Set(options)].slice(0, MAX_OPTIONS) : undefined,
    group: hasBoxes(type) ? `tag ${party} ${label}` : undefined,
  }
}

function optionsError(type: FieldType, label: string, { length }: readonly string[]): string | undefined {
  if (!hasOptions(type)) return length > 0 ? `a ${type} field has no choices` : undefined
  if (!hasBoxes(type)) return length === 0 ? 'a dropdown needs its choices, as in {{dropdown:1:Size:Small|Large}}' : undefined
  if (length === 1 && label !== '') return undefined
  return 'a radio field has one tag for each choice, as in {{radio:1:Size:Small}} and {{radio:1:Size:Large}}'
}

export function findTags(rows: readonly Row[], content: PageContent): { fields: TagField[]; unknown: UnknownTag[] } {
  const found: { tag: TagMeaning; glyphs: Glyph[]; text: string; row: Row }[] = []
  const unknown: UnknownTag[] = []
  for (const row of rows) {
    const { text, glyphOf } = rowText(row)
    for (const match of text.matchAll(TAG)) {
      const tag = readTag(match[1] ?? '')
      if (typeof tag === 'string') {
        unknown.push({ text: match[0], why: tag })
        continue
      }
      const indexes = new Set(glyphOf.slice(match.index, match.index + match[0].length))
      found.push({ tag, glyphs: row.filter((_, i) => indexes.has(i)), text: match[0], row })
    }
  }
  const all = rows.flat()
  const fields = found.map(({ tag, glyphs, text, row }) => {
    const [before, next] = [row[row.indexOf(glyphs[0]!) - 1], row[row.indexOf(glyphs.at(-1)!) + 1]]
    return {
      ...tag,
      ...placeTag(tag.type, glyphs, next, all, content),
      covers: [coverOf(glyphs, before, next, content)],
      text,
    }
  })
  return { fields, unknown }
}

/**
 * The usual size on the baseline, smaller where other text or another tag is in the way, but never
 * smaller than the tag itself: so the fields of two tags do not overlap.
 */
function placeTag(
  type: FieldType,
  own: readonly Glyph[],
  next: Glyph | undefined,
  all: readonly Glyph[],
  page: PageContent,
): Box {
  const usual = usualSize(type, [page.width, page.height])
  const [first, last] = [own[0]!, own.at(-1)!]
  const left = Math.max(0, first.left)
  const tagWidth = Math.min(last.right, page.width) - left
  const free = (next?.left ?? page.width) - left - CLEARANCE
  // A circle begins where its tag does.
  const width = hasBoxes(type) ? Math.min(usual.width, free) : Math.max(tagWidth, Math.min(usual.width, free))
  const bottom = Math.min(page.height, first.y + DESCENT * first.size)
  const isOwn = new Set(own)
  const above = all.filter(glyph => !isOwn.has(glyph) && glyph.y < first.y && glyph.right > left && glyph.left < left + width)
  const nearest = Math.max(0, ...above.map(({ y, size }) => y + DESCENT * size))
  const tagHeight = Math.min(bottom, (ASCENT + DESCENT) * first.size)
  const height = Math.min(bottom, Math.max(tagHeight, Math.min(usual.height, bottom - nearest - CLEARANCE)))
  return { left, top: bottom - height, width, height }
}

/** Slightly wider than the tag, where nothing is beside it: ink may extend beyond the advance. */
function coverOf(glyphs: readonly Glyph[], before: Glyph | undefined, next: Glyph | undefined, page: PageContent): Box {
  const bleed = BLEED * Math.max(...glyphs.map(({ size }) => size))
  const start = Math.min(...glyphs.map(glyph => glyph.left))
  const end = Math.max(...glyphs.map(glyph => glyph.right))
  const left = Math.max(0, Math.min(start, Math.max(start - bleed, before?.right ?? 0)))
  const right = Math.min(page.width, Math.max(end, Math.min(end + bleed, next?.left ?? page.width)))
  const top = Math.max(0, Math.min(...glyphs.map(({ y, size }) => y - ASCENT * size)))
  const bottom = Math.min(page.height, Math.max(...glyphs.map(({ y, size }) => y + DESCENT * size)))
  return { left, top, width: right - left, height: bottom - top }
}
