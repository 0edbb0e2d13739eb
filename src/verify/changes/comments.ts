/**
 * Checks comments after a certification that allows them: as they are painted, they must not hide
 * signed content. ISO 32000-2 §12.5.6, §12.8.2.2, table 257.
 */
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { areaOf, intersect, type Rectangle, readRectangle } from './form-fields.ts'
import { findIconError, isColourful, MIN_COLOUR } from './note-icons.ts'
import { hasNoStream, nameOf } from './object-changes.ts'
import { type Appearance, appearanceOf, placeMarks } from './painted/appearance.ts'
import { BLACK, inkOf, numberIn } from './painted/graphics-state.ts'
import {
  boundsOf,
  findGap,
  grow,
  type Ink,
  luminance,
  type Mark,
  type PathMark,
  seenArea,
  type TextMark,
  touches,
  union,
  WHITE_LUMINANCE,
} from './painted/marks.ts'
import { isBlankText, marksNear, type Surface } from './painted/page-surface.ts'
import type { PaintedComment, UpdateCheck } from './update-check.ts'
import { type Covered, checkCovered, countArea, type NumberedPage, sizeOf } from './visible-additions.ts'

/** §12.5.6.10: lines over, under or through text. */
const LINES = new Set(['Underline', 'Squiggly', 'StrikeOut'])
/** §12.5.6. Others, such as free text, stamps or lines, can hide or replace content. */
const COMMENTS = new Set([...LINES, 'Text', 'Popup', 'Highlight', 'Caret'])
/** Actions; layers and effects that readers draw differently. */
const REFUSED_KEYS = ['A', 'AA', 'Dest', 'PA', 'OC', 'BE', 'BM']

/** As a fraction of white. Text under a darker highlight cannot be read. */
const MIN_LUMINANCE = 0.15
/** What must remain between highlighted text and its background. */
const MIN_CONTRAST = 0.1
/** The part of a place that the fill of a highlight takes at least. */
const MIN_FILLED = 0.5
/** Part of a text's height that a line over it may take, and the number of lines over one text. */
const [MAX_THICKNESS, MAX_LINES] = [0.25, 3]
/** The part of a quadrilateral's height that some readers make the line thick. */
const LINE_PART = 0.07
/** Readers draw the symbol of a note with a size of their own. */
const NOTE_SIZE = 24
const [MAX_NOTE, MAX_CARET] = [40, 20]
/** Its width as a part of its height. */
const MIN_CARET_RATIO = 0.5
/** Of a highlight without a colour, as readers draw it. */
const YELLOW: Ink = [1, 1, 0]
/** How far a quadrilateral may be outside the rectangle. Readers that clip it draw the same. */
const OUTSIDE = 3

interface Comment {
  number: number
  type: string
  annotation: PdfDictionary
  rectangle: Rectangle
  quads: readonly Rectangle[]
  /** The text of the quadrilaterals runs from bottom to top, or from top to bottom. */
  isUpright: boolean
  ink: Ink | undefined
  appearance: Appearance | undefined
}

const readNumbers = ({ after }: UpdateCheck, value: PdfValue | undefined): number[] =>
  after.items(value).map(item => numberIn(after.resolve(item).value))

/** §12.5.6.10, /QuadPoints: the bounding boxes; undefined unless there are whole ones. */
function readQuads(update: UpdateCheck, { entries }: PdfDictionary): Pick<Comment, 'quads' | 'isUpright'> | undefined {
  const numbers = readNumbers(update, entries.get('QuadPoints'))
  if (numbers.length % 8 !== 0 || numbers.some(one => !Number.isFinite(one))) return undefined
  const quads = Array.from({ length: numbers.length / 8 }, (_, i) => {
    const at = (k: number) => [numbers[i * 8 + k] ?? 0, numbers[i * 8 + k + 1] ?? 0] as const
    return boundsOf([at(0), at(2), at(4), at(6)])
  })
  // The first two points are the ends of one side along the text, in both orders that are in use.
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers
  return { quads, isUpright: Math.abs(y2 - y1) > Math.abs(x2 - x1) }
}

/** §12.5.4: the width of the line, by /BS or /Border. */
function readBorderWidth({ after }: UpdateCheck, { entries }: PdfDictionary): number {
  const widths = [after.dictionary(entries.get('BS'))?.entries.get('W'), after.items(entries.get('Border'))[2]].map(value =>
    numberIn(after.resolve(value).value),
  )
  return Math.max(1, ...widths)
}

const isWhite = (ink: Ink | undefined): boolean =>
  ink !== undefined && (typeof ink === 'string' || luminance(ink) > WHITE_LUMINANCE)

/** §12.5.5: one appearance for all states, and none for the mouse. */
function hasOtherAppearances({ after }: UpdateCheck, { entries }: PdfDictionary): boolean {
  const raw = entries.get('AP')
  const appearance = after.dictionary(raw)
  if (appearance === undefined) return raw !== undefined
  const normal = appearance.entries.get('N')
  const isStream = normal?.kind === 'reference' && !hasNoStream(after, normal.number)
  return appearance.entries.size !== 1 || appearance.duplicateKeys.length > 0 || !isStream
}

function readComment(update: UpdateCheck, number: number, annotation: PdfDictionary): Comment | Remark {
  const { entries } = annotation
  const type = nameOf(entries.get('Subtype'))
  const rectangle = readRectangle(update.after, entries.get('Rect'))
  const found = readQuads(update, annotation)
  if (rectangle === undefined || found === undefined) return remark('comment_without_rectangle')
  const { quads, isUpright } = found
  if (hasOtherAppearances(update, annotation)) return remark('comment_with_other_appearance')
  const bounds = grow(rectangle, OUTSIDE)
  if (quads.some(quad => areaOf(quad) > 0 && !isInside(quad, bounds))) return remark('comment_outside')
  const colour = readNumbers(update, entries.get('C'))
  const ink = colour.length === 0 ? undefined : inkOf(colour)
  return {
    number,
    type,
    annotation,
    rectangle,
    quads: quads.length === 0 ? [rectangle] : quads,
    isUpright,
    ink,
    appearance: appearanceOf(update.after, annotation),
  }
}

const isInside = (one: Rectangle, bounds: Rectangle): boolean =>
  one.left >= bounds.left && one.bottom >= bounds.bottom && one.right <= bounds.right && one.top <= bounds.top

const isDark = (ink: Ink): boolean => typeof ink === 'string' || luminance(ink) < MIN_LUMINANCE

/** How far each part of a line reaches across the text. */
function thicknessOf(mark: PathMark, isUpright: boolean): number {
  const across = mark.parts.map(({ box }) => (isUpright ? box.right - box.left : box.top - box.bottom))
  return Math.max(...across, mark.width)
}

/** A highlight fills the places that it marks. A smaller form could be a letter or a digit. */
const isFill = (mark: PathMark, quads: readonly Rectangle[]): boolean =>
  mark.isFilled && quads.some(quad => areaOf(intersect(mark.area, quad)) >= MIN_FILLED * areaOf(quad))

function findMarkError({ type, quads, isUpright }: Comment, mark: Mark, maxThickness: number): Remark | undefined {
  if (mark.kind !== 'path') return remark('comment_with_mark', { kind: mark.kind })
  if (mark.isCut) return remark('comment_clipped')
  const marked = grow(quads.reduce(union), OUTSIDE)
  if (!isInside(intersect(seenArea(mark), mark.area), marked)) return remark('comment_beside_text')
  if (type === 'Highlight') {
    if (!mark.isMultiplied) return remark('comment_hiding')
    if (!isFill(mark, quads)) return remark('comment_drawing')
    return isDark(mark.ink) ? remark('comment_dark_or_unknown') : undefined
  }
  const limit = type === 'Squiggly' ? 2 * maxThickness : maxThickness
  if (thicknessOf(mark, isUpright) > limit) return remark('comment_thick_appearance')
  return isWhite(mark.ink) ? remark('comment_white') : undefined
}

/** Why the appearance stream shows something else than the type of comment; a predicate. */
function findAppearanceError(comment: Comment, maxThickness: number): Remark | undefined {
  const { type, annotation, appearance, rectangle } = comment
  if ((type === 'Popup' || type === 'Caret') && annotation.entries.has('AP')) return remark('comment_with_appearance')
  if (appearance === undefined || type === 'Text') return undefined
  const [doubt = findGap(appearance.painting)] = appearance.painting.doubts
  if (doubt !== undefined) return remark('comment_doubtful', { why: doubt })
  const marks = placeMarks(appearance, rectangle)
  const errors = marks.map(mark => findMarkError(comment, mark, maxThickness))
  const error = errors.find(one => one !== undefined)
  if (error !== undefined || type === 'Highlight' || marks.length === 0 || drawsWholeLines(marks, comment)) return error
  return remark('comment_short_line')
}

/** §12.5.6.10: multiplied with the page. Several over one place darken it together. */
function findHighlightError(update: UpdateCheck, place: NumberedPage, comment: Comment): Remark | undefined {
  const light = comment.ink ?? YELLOW
  if (typeof light === 'string') return remark('comment_of_unknown_colour')
  if (luminance(light) < MIN_LUMINANCE) return remark('comment_dark')
  const list = commentsOn(update, place)
  for (const quad of comment.quads) {
    const below = list.filter(({ area }) => areaOf(intersect(area, quad)) > 0).map(one => one.luminance)
    if (below.reduce((product, one) => product * one, luminance(light)) < MIN_LUMINANCE) return remark('comment_darkening')
    list.push({ area: quad, luminance: luminance(light) })
  }
  const isHidden = ({ ink }: TextMark) => {
    if (typeof ink === 'string') return false
    const text = ink.map((part, i) => part * (light[i] ?? 1)) as [number, number, number]
    return luminance(light) - luminance(text) < MIN_CONTRAST && 1 - luminance(ink) >= MIN_CONTRAST
  }
  return textBelow(update.surface(place.page), comment.quads).some(isHidden) ? remark('comment_of_text_colour') : undefined
}

function commentsOn({ painted }: UpdateCheck, { page }: NumberedPage): PaintedComment[] {
  const known = painted.comments.get(page.number) ?? []
  painted.comments.set(page.number, known)
  return known
}

/** Lines may mark text. Thick, white or many ones erase it. */
function findLineError(update: UpdateCheck, place: NumberedPage, comment: Comment): Remark | undefined {
  const { quads, annotation, ink } = comment
  if (isWhite(ink)) return remark('comment_white')
  const thickness = Math.max(readBorderWidth(update, annotation), ...quads.map(({ bottom, top }) => LINE_PART * (top - bottom)))
  const texts = textBelow(update.surface(place.page), quads)
  const heights = texts.map(({ area }) => area.top - area.bottom)
  const limit = Math.max(1, MAX_THICKNESS * Math.min(...heights))
  if (thickness > limit) return remark('comment_thick')
  const list = commentsOn(update, place)
  const lines = [...list.filter(one => one.luminance === 0), ...quads.map(area => ({ area, luminance: 0 }))]
  list.push(...quads.map(area => ({ area, luminance: 0 })))
  const isCrossed = ({ area }: TextMark) =>
    lines.filter(line => touches(line.area, area) && areaOf(intersect(line.area, area)) > 0).length > MAX_LINES
  if (texts.some(isCrossed)) return remark('comment_crossing')
  return findAppearanceError(comment, limit)
}

/** The area of a note's symbol, which begins at the upper left corner. */
function noteArea(rectangle: Rectangle): Rectangle {
  const { left, top } = rectangle
  return union(rectangle, { left, bottom: top - NOTE_SIZE, right: left + NOTE_SIZE, top })
}

/** Comments that are opaque: they may be where the page shows nothing. */
function findSymbolError(update: UpdateCheck, place: NumberedPage, comment: Comment): Remark | undefined {
  const { type, rectangle, number, appearance } = comment
  const limit = type === 'Text' ? MAX_NOTE : MAX_CARET
  const [width, height] = [rectangle.right - rectangle.left, rectangle.top - rectangle.bottom]
  if (Math.max(width, height) > limit) return remark('comment_large')
  // A caret is where text is to be inserted, so it is beside text.
  if (type === 'Caret' && width < MIN_CARET_RATIO * height) return remark('comment_narrow')
  const error = appearance && findIconError(update.surface(place.page), appearance, rectangle, new Set([number]))
  const area = type === 'Text' ? noteArea(rectangle) : rectangle
  const covers = (covered: Covered) => remark('comment_covers', { type, ...covered })
  checkCovered(update, place, { rectangle: area, number, own: new Set(), covers })
  return error
}

/** Why highlights and lines do not mark the text that they are on; a predicate. */
function findMarkupError(update: UpdateCheck, { page }: NumberedPage, comment: Comment): Remark | undefined {
  const { type, ink = type === 'Highlight' ? YELLOW : BLACK, appearance } = comment
  const inks = [ink, ...(appearance?.painting.marks ?? []).map(mark => mark.ink)]
  const surface = update.surface(page)
  return findPlaceError(surface, comment) ?? findShortError(surface, comment, inks)
}

/** Why a comment is not allowed where it is; a predicate. */
function findCommentError(update: UpdateCheck, place: NumberedPage, comment: Comment): Remark | undefined {
  const { type, annotation } = comment
  const isMarkup = LINES.has(type) || type === 'Highlight'
  const misplaced = isMarkup ? findMarkupError(update, place, comment) : undefined
  if (misplaced !== undefined) return misplaced
  const { value: isOpen } = update.after.resolve(annotation.entries.get('Open'))
  if (isOpen.kind === 'boolean' && isOpen.value) return remark('comment_open')
  if (LINES.has(type)) return findLineError(update, place, comment)
  const error = findAppearanceError(comment, 0)
  if (error !== undefined) return error
  if (type === 'Highlight') return findHighlightError(update, place, comment)
  return type === 'Popup' ? undefined : findSymbolError(update, place, comment)
}

function noteComment(update: UpdateCheck, place: NumberedPage, { type, rectangle, quads }: Comment): void {
  if (type === 'Popup') return
  const area = quads.reduce(union, rectangle)
  countArea(update, place, area, { name: type, isComment: true })
  update.additions.push(remark('added_comment', { type, page: place.index + 1, ...sizeOf(area) }))
  update.changes.push({ kind: 'comment', revision: 0, name: type, before: null, after: null, page: place.index + 1 })
}

/** Accepts a comment under a certification of level 3. */
export function acceptComment(update: UpdateCheck, item: PdfValue, place: NumberedPage): boolean {
  if (update.permission !== 3 || item.kind !== 'reference' || !update.isNew(item.number)) return false
  const annotation = update.after.dictionary(item)
  if (annotation === undefined || annotation.duplicateKeys.length > 0 || !hasNoStream(update.after, item.number)) return false
  const page = place.index + 1
  const type = nameOf(annotation.entries.get('Subtype'))
  const refuse = (violation: Remark): false => {
    update.violations.push(violation)
    return false
  }
  if (!COMMENTS.has(type)) return refuse(remark('annotation_type_refused', { type, page }))
  if (REFUSED_KEYS.some(key => annotation.entries.has(key))) return refuse(remark('annotation_with_action', { page }))
  const comment = readComment(update, item.number, annotation)
  if ('code' in comment) return refuse(remark('comment_refused', { type, page, why: comment }))
  const why = findCommentError(update, place, comment)
  if (why !== undefined) return refuse(remark('comment_refused', { type, page, why }))
  noteComment(update, place, comment)
  return true
}

// Checks that highlights and lines mark what the page shows: a short line beside an amount is a
// minus sign. ISO 32000-2 §12.5.6.10.

/** The part of its length that lies over what the page shows, and that its appearance draws. */
const [MIN_MARKED, MIN_DRAWN] = [0.5, 0.5]
/** In points: a shorter line could be a sign of a text of any size. */
const MIN_LENGTH = 12
/** Brighter than text, as a fraction of white. */
const MIN_BRIGHT = 0.6
const NOBODY: ReadonlySet<number> = new Set()

interface Marking {
  quads: readonly Rectangle[]
  isUpright: boolean
}

const lengthOf = ({ left, bottom, right, top }: Rectangle, isUpright: boolean): number =>
  isUpright ? top - bottom : right - left

/** The signed text that the quadrilaterals touch. */
function textBelow(surface: Surface, quads: readonly Rectangle[]): TextMark[] {
  return quads.flatMap(quad =>
    [...marksNear(surface, quad, NOBODY)].flatMap(({ mark }) => {
      const isBelow = mark.kind === 'text' && !isBlankText(mark) && areaOf(intersect(mark.area, quad)) > 0
      return isBelow ? [mark] : []
    }),
  )
}

/** What of the quadrilateral lies over content, from its first to its last mark along the text. */
function markedLength(surface: Surface, quad: Rectangle, isUpright: boolean): number {
  let [from, to] = [Infinity, -Infinity]
  for (const { mark, owner } of marksNear(surface, quad, NOBODY)) {
    if (owner !== undefined || (mark.kind === 'text' && isBlankText(mark))) continue
    const shared = intersect(seenArea(mark), quad)
    if (areaOf(shared) === 0) continue
    from = Math.min(from, isUpright ? shared.bottom : shared.left)
    to = Math.max(to, isUpright ? shared.top : shared.right)
  }
  return Math.max(0, to - from)
}

/** Why a marking could draw a letter, a digit or a sign where it is; a predicate. */
function findPlaceError(surface: Surface, { quads, isUpright }: Marking): Remark | undefined {
  for (const quad of quads.filter(one => areaOf(one) > 0)) {
    const marked = markedLength(surface, quad, isUpright)
    if (marked === 0) return remark('comment_on_nothing')
    if (marked < MIN_MARKED * lengthOf(quad, isUpright)) return remark('comment_beside')
  }
  return undefined
}

const isLike = (ink: Ink, other: Ink): boolean =>
  typeof ink !== 'string' && typeof other !== 'string' && ink.every((part, i) => Math.abs(part - (other[i] ?? 0)) < MIN_COLOUR)

/** Why a marking that is no longer than a letter could be read as a sign; a predicate. */
function findShortError(surface: Surface, { quads, isUpright }: Marking, inks: readonly Ink[]): Remark | undefined {
  const isShort = (quad: Rectangle) => {
    const sizes = textBelow(surface, [quad]).map(({ size }) => size)
    return areaOf(quad) > 0 && lengthOf(quad, isUpright) < Math.max(MIN_LENGTH, lengthOf(quad, !isUpright), ...sizes)
  }
  const short = quads.filter(isShort)
  if (short.length === 0) return undefined
  const texts = textBelow(surface, short)
  const isOfText = (ink: Ink) =>
    typeof ink === 'string' || (!isColourful(ink) && luminance(ink) < MIN_BRIGHT) || texts.some(text => isLike(ink, text.ink))
  return inks.some(isOfText) ? remark('comment_short') : undefined
}

/** Whether the paths of an appearance draw most of each line, from end to end. */
function drawsWholeLines(marks: readonly Mark[], { quads, isUpright }: Marking): boolean {
  const boxes = marks.flatMap(mark => (mark.kind === 'path' ? mark.parts.map(({ box }) => intersect(box, mark.clip)) : []))
  const [start, end, low, high] = isUpright
    ? (['bottom', 'top', 'left', 'right'] as const)
    : (['left', 'right', 'bottom', 'top'] as const)
  const drawn = (quad: Rectangle): number => {
    let [at, sum] = [quad[start], 0]
    const own = boxes.filter(box => box[low] <= quad[high] && box[high] >= quad[low])
    for (const box of own.toSorted((a, b) => a[start] - b[start])) {
      const [from, to] = [Math.max(at, box[start]), Math.min(quad[end], box[end])]
      if (to <= from) continue
      sum += to - from
      at = to
    }
    return sum
  }
  const total = quads.reduce((sum, quad) => sum + lengthOf(quad, isUpright), 0)
  return quads.reduce((sum, quad) => sum + drawn(quad), 0) >= MIN_DRAWN * total
}
