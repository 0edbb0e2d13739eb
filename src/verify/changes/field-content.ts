/** What the widgets of a field show before they are filled in, and after. ISO 32000-2 §12.7.5. */
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { makeReference, type PdfDictionary } from '../../pdf/parser/syntax.ts'
import { hasFlag, type ShownValue, shownValue } from './field-values.ts'
import { fieldType, findFields, type Rectangle, readRectangle } from './form-fields.ts'
import { nameOf } from './object-changes.ts'
import { type Appearance, appearanceOf, stateOf } from './painted/appearance.ts'
import { findDrawings } from './painted/frame.ts'
import { findGap } from './painted/marks.ts'
import { readShownText, textMarks } from './painted/shown-text.ts'

/** Up to this size in points, a button is a box to tick, and its drawing is the tick. */
const MAX_TICK_BOX = 40
const MAX_BOX_RATIO = 2
const TICKS = /^[xX✓✔✗✘•●×]$/u

function frameKind(file: PdfFile, field: PdfDictionary): { isComb: boolean; isList: boolean } {
  const isList = fieldType(file, field) === 'Ch' && !hasFlag(file, field, 'combo')
  return { isComb: hasFlag(file, field, 'comb'), isList }
}

function isTickBox(file: PdfFile, widget: PdfDictionary): boolean {
  const rectangle = readRectangle(file, widget.entries.get('Rect'))
  if (rectangle === undefined) return false
  const [width, height] = [rectangle.right - rectangle.left, rectangle.top - rectangle.bottom]
  return Math.max(width, height) <= MAX_TICK_BOX && Math.max(width, height) <= MAX_BOX_RATIO * Math.min(width, height)
}

interface Content {
  text: string
  /** A clause: what the appearance shows beside text and frame, or why that is not known. */
  other: Remark | undefined
}

function readContent(file: PdfFile, field: PdfDictionary, widget: PdfDictionary, { painting, box }: Appearance): Content {
  const gap = findGap(painting)
  const text = textMarks(painting.marks)
    .map(mark => mark.text ?? '?')
    .join('')
  if (gap !== undefined) return { text, other: gap }
  const picture = painting.marks.find(({ kind }) => kind !== 'text' && kind !== 'path')
  if (picture !== undefined) return { text, other: remark('shows_picture', { kind: picture.kind }) }
  const isButton = fieldType(file, field) === 'Btn'
  if (isButton && isTickBox(file, widget)) return { text, other: undefined }
  const hasDrawing = findDrawings(painting.marks, box, frameKind(file, field)).length > 0
  return { text, other: hasDrawing ? remark('shows_drawing') : undefined }
}

/** What a widget without a value shows; a clause. Undefined if it is nothing but its frame. */
export function findShown(file: PdfFile, field: PdfDictionary, widget: PdfDictionary, value?: ShownValue): Remark | undefined {
  const isButton = fieldType(file, field) === 'Btn'
  const state = stateOf(file, widget)
  if (isButton && state !== '' && state !== 'Off') return remark('shows_state', { state })
  const appearance = appearanceOf(file, widget)
  if (appearance === undefined) return undefined
  const { text, other } = readContent(file, field, widget, appearance)
  if (other !== undefined) return other
  // A list shows its options, whether one is chosen or not.
  if (text === '' || (frameKind(file, field).isList && value?.matches(text))) return undefined
  return remark('shows_text', { text: text.slice(0, 60) })
}

function scaleOf(file: PdfFile, widget: PdfDictionary, box: Rectangle): number {
  const rectangle = readRectangle(file, widget.entries.get('Rect'))
  return rectangle === undefined ? 0 : (rectangle.top - rectangle.bottom) / (box.top - box.bottom)
}

/** Why the appearance of a filled-in text or choice field is not its value; a clause. */
function findFalseText(file: PdfFile, field: PdfDictionary, widget: PdfDictionary, value: ShownValue): Remark | undefined {
  const appearance = appearanceOf(file, widget)
  if (appearance === undefined) return undefined
  const { other } = readContent(file, field, widget, appearance)
  if (other !== undefined) return other
  const { text, doubt } = readShownText(appearance.painting, appearance.box, scaleOf(file, widget, appearance.box))
  if (doubt !== undefined) return doubt
  return text === '' || value.matches(text)
    ? undefined
    : remark('shows_other_text', { text: text.slice(0, 60), value: value.text.slice(0, 60) })
}

/** §12.7.5.2: why a button does not show its state; a clause. */
function findFalseState(file: PdfFile, field: PdfDictionary, widget: PdfDictionary, value: ShownValue): Remark | undefined {
  if (hasFlag(file, field, 'pushButton')) return remark('push_button')
  const state = stateOf(file, widget)
  if (state === '' || state === 'Off') return undefined
  if (state !== value.text) return remark('shows_other_state', { state, value: value.text.slice(0, 60) })
  const appearance = appearanceOf(file, widget, state)
  if (appearance === undefined) return undefined
  const { text, other } = readContent(file, field, widget, appearance)
  if (other !== undefined) return other
  const [doubt] = appearance.painting.doubts
  if (doubt !== undefined && appearance.painting.marks.some(({ kind }) => kind === 'text')) return doubt
  const texts = textMarks(appearance.painting.marks)
  const isTick = [...text].length <= 1 && texts.every(({ isDingbat, text: one }) => isDingbat || TICKS.test(one ?? ''))
  return isTick ? undefined : remark('shows_text', { text: text.slice(0, 60) })
}

/** Why a filled-in widget shows something else than its value; a clause. */
export function findFalseContent(
  file: PdfFile,
  field: PdfDictionary,
  widget: PdfDictionary,
  value: ShownValue,
): Remark | undefined {
  const isButton = fieldType(file, field) === 'Btn'
  if (!isButton && nameOf(file.resolve(widget.entries.get('AS')).value) !== '') return remark('appearance_with_states')
  return (isButton ? findFalseState : findFalseText)(file, field, widget, value)
}

/** Why a signature field is not empty before it is signed; a clause. */
export function findShownInSignatureField(file: PdfFile, widget: PdfDictionary): Remark | undefined {
  const appearance = appearanceOf(file, widget)
  if (appearance === undefined) return undefined
  const { text, other } = readContent(file, widget, widget, appearance)
  return other ?? (text === '' ? undefined : remark('shows_text', { text: text.slice(0, 60) }))
}

/** Finds text fields that show their value only where readers redraw them (/NeedAppearances). */
export function findRedrawnFields(file: PdfFile): number[] {
  return [...findFields(file)].filter(number => {
    const field = file.dictionary(makeReference(number))
    if (field?.entries.has('Rect') !== true || fieldType(file, field) !== 'Tx') return false
    const [value, appearance] = [shownValue(file, field), appearanceOf(file, field)]
    if (value === undefined || appearance === undefined) return value?.text !== ''
    const { text } = readShownText(appearance.painting, appearance.box, scaleOf(file, field, appearance.box))
    return text === undefined || (text === '' ? value.text !== '' : !value.matches(text))
  })
}
