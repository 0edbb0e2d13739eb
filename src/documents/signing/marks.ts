/** Creates marks from the values of a form, and prepares them and other fields for drawing. */
import type { FieldAppearance, MarkAppearance } from '../../appearance/field-appearance.ts'
import type { TextContent } from '../../appearance/text-appearance.ts'
import type { Document, Recipient } from '../../core/document/document.ts'
import { type DateLanguage, dateLanguage, printedValue } from '../../core/field/date-format.ts'
import { type Field, type FieldFile, hasBoxes, isDrawnFile, isMark } from '../../core/field/field.ts'
import { hiddenFields, placedFields } from '../../core/field/visibility.ts'
import type { ValidationError } from '../../core/refusal.ts'
import { inkText, parseInk } from '../../core/signing/ink.ts'
import { type LocalizedMessage, localized } from '../../core/signing/message.ts'
import {
  type Hand,
  handOf,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  type MarkKind,
  type MarkName,
  markKindOf,
  markMembers,
  type PersonalMark,
} from '../../core/signing/signature-mark.ts'
import { cleanLine } from '../../core/text.ts'
import type { Db } from '../../db/open.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { App } from '../../ports.ts'
import { PdfChildError } from '../../sandbox/errors.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { formValuesOf, type MarkContent, markContent } from './form-queries.ts'
import { ownText } from './hands.ts'

export interface MarkInput {
  kind: MarkKind
  text: string
  ink: string
  hand?: Hand
}

export function markInputOf(form: Record<string, string>, name: MarkName): MarkInput {
  const { text, kind, ink, hand } = markMembers(name)
  return { kind: markKindOf(form[kind]), text: form[text] ?? '', ink: form[ink] ?? '', hand: handOf(form[hand]) }
}

type CreatedMark = { mark: PersonalMark | undefined; content?: MarkContent } | { error: ValidationError }

/** A picture is taken from the stored form values. */
export async function createMark(
  app: App,
  { id, name }: Recipient,
  path: MarkName,
  { kind, text, ink, hand }: MarkInput,
): Promise<CreatedMark> {
  if (kind === 'typed') {
    const typed = cleanLine(text)
    return { mark: typed === '' ? undefined : { kind, text: typed, ...(hand && { hand }) } }
  }
  const content = kind === 'drawn' ? inkBytes(ink) : await findPicture(app.db, id, path)
  if (!(content instanceof Uint8Array)) return { error: { path, ...content } }
  const sha256 = sha256Hex(content)
  const shown = ownText({ name }, path) || name
  return { mark: { kind, text: shown, sha256 }, content: { kind, sha256, content } }
}

/** Equal strokes give equal bytes: their hash is evidence. */
function inkBytes(text: string): Uint8Array | LocalizedMessage {
  if (text === '') return localized('drawingMissing')
  const ink = parseInk(text)
  return 'error' in ink ? localized('drawingUnreadable') : new TextEncoder().encode(inkText(ink))
}

async function findPicture(db: Db, recipientId: string, name: MarkName): Promise<Uint8Array | LocalizedMessage> {
  return (await savedPicture(db, recipientId, name)) ?? localized('pictureMissing')
}

/** PNG. */
export async function savedPicture(db: Db, recipientId: string, name: MarkName): Promise<Uint8Array | undefined> {
  const sha256 = (await formValuesOf(db, recipientId))[markMembers(name).picture]
  return sha256 === undefined ? undefined : markContent(db, recipientId, sha256)
}

export function inkErrorOf(name: MarkName, text: string): ValidationError | undefined {
  return 'error' in parseInk(text) ? { path: name, ...localized('drawingUnreadable') } : undefined
}

const tooLarge = () => localized('pictureTooLarge', MAX_PICTURE_BYTES / 1_000_000, MAX_PICTURE_PIXELS / 1_000_000)

const PICTURE_ERRORS: Record<string, () => LocalizedMessage> = {
  not_a_picture: () => localized('pictureUnreadable'),
  too_large: tooLarge,
  no_ink: () => localized('pictureEmpty'),
}

type ExtractedSignature = { content: MarkContent; width: number; height: number } | { error: LocalizedMessage }

/** The ink of an uploaded picture as a new PNG. */
export async function extractSignature(app: App, bytes: Uint8Array): Promise<ExtractedSignature> {
  if (bytes.length > MAX_PICTURE_BYTES) return { error: tooLarge() }
  const { path } = await app.storage.writeTemporary(bytes)
  const outPath = app.storage.temporaryPath()
  try {
    const { width, height, sha256 } = await app.pdf.cleanSignature({ path, outPath })
    return { content: { kind: 'uploaded', sha256, content: await app.fileSystem.read(outPath) }, width, height }
  } catch (error) {
    const known = error instanceof Error && 'code' in error ? PICTURE_ERRORS[String(error.code)] : undefined
    // A PdfChildError means that reading the picture took too much time or memory.
    if (known || error instanceof PdfChildError) return { error: known?.() ?? localized('pictureUnreadable') }
    throw error
  } finally {
    await app.storage.discard(path)
    await app.storage.discard(outPath)
  }
}

type Content = FieldAppearance['content']

export interface Drawings {
  mark(recipient: Recipient, mark: PersonalMark): MarkAppearance
  /** Of an image field. */
  image(file: FieldFile): Content
}

/**
 * Pictures of marks are temporary files until `work` ends. `unsaved`: contents without a row.
 * Throws if the content of a mark or an image is missing or has changed.
 */
export async function withDrawings<T>(
  app: Pick<App, 'db' | 'storage'>,
  marked: readonly Recipient[],
  work: (drawings: Drawings) => Promise<T>,
  unsaved: readonly MarkContent[] = [],
): Promise<T> {
  const contents = new Map<string, MarkAppearance>()
  const images = new Map<string, Content>()
  const paths: string[] = []
  try {
    const marks = marked.flatMap(recipient => [recipient.signature, recipient.initials].map(mark => ({ recipient, mark })))
    for (const { recipient, mark } of marks) {
      if (mark === undefined || mark.kind === 'typed') continue
      const content = unsaved.find(({ sha256 }) => sha256 === mark.sha256)?.content ?? (await contentOf(app.db, recipient, mark))
      if (mark.kind === 'drawn') contents.set(keyOf(recipient, mark), inkContent(content))
      else {
        const { path, synced } = await app.storage.writeTemporary(content)
        paths.push(path)
        await synced
        contents.set(keyOf(recipient, mark), { kind: 'picture', path })
      }
    }
    for (const { sha256 } of marked.flatMap(imagesOf)) {
      images.set(sha256, { kind: 'image', path: (await app.storage.intact(sha256)).path })
    }
    return await work({
      mark: (recipient, mark) =>
        mark.kind === 'typed'
          ? { kind: 'signature', text: mark.text, hand: mark.hand }
          : prepared(contents, keyOf(recipient, mark)),
      image: ({ sha256 }) => prepared(images, sha256),
    })
  } finally {
    for (const path of paths) await app.storage.discard(path)
  }
}

function prepared<C>(contents: ReadonlyMap<string, C>, key: string): C {
  const content = contents.get(key)
  if (!content) throw new Error(`the drawing ${key} was not prepared`)
  return content
}

function imagesOf({ fields }: Recipient): FieldFile[] {
  return fields.flatMap(({ type, file }) => (isDrawnFile(type) && file ? [file] : []))
}

export async function dateLanguageOf(db: Db, { locale }: Pick<Document, 'locale'>): Promise<DateLanguage> {
  return dateLanguage(locale, (await readOrganisation(db)).language)
}

/**
 * What everybody sees from the beginning (covered tags, then the sender's values), and the fields
 * of these recipients above it. `language`: of printed dates.
 */
export function fieldAppearances(
  document: Document,
  shown: readonly Recipient[],
  drawings: Drawings,
  language: DateLanguage,
): FieldAppearance[] {
  const placed = placedFields(document).map(({ field }) => field)
  const covers = placed.flatMap(({ covers = [] }) => covers)
  const hidden = hiddenFields(placed, ({ value }) => value)
  const fixed = document.senderFields.filter(({ id }) => !hidden.has(id))
  return [
    ...covers.map(({ page, ...box }): FieldAppearance => ({ page, box, content: { kind: 'cover' } })),
    ...fixed.flatMap(field => appearancesOf(field, contentOfValue(field, language))),
    ...shown.flatMap(recipient =>
      recipient.fields.flatMap(field => appearancesOf(field, contentOfField(recipient, field, drawings, language))),
    ),
  ]
}

function appearancesOf(field: Field, content: Content | undefined): FieldAppearance[] {
  if (content === undefined) return []
  const chosen = field.options.indexOf(field.value ?? '')
  const areas = hasBoxes(field.type) ? field.boxes.slice(chosen, chosen + 1) : [field]
  return areas.map(({ page, x, y, width, height }) => ({ page, box: { x, y, width, height }, content }))
}

/** Undefined for a field that shows nothing. */
function contentOfField(recipient: Recipient, field: Field, drawings: Drawings, language: DateLanguage): Content | undefined {
  if (isDrawnFile(field.type)) return field.file && drawings.image(field.file)
  if (!isMark(field.type)) return contentOfValue(field, language)
  const mark = recipient[field.type]
  return mark && field.value !== undefined ? { ...drawings.mark(recipient, mark), rule: field.rule } : undefined
}

/** How a field shows a text. */
export function printedText({ type, fontSize: size, align }: Field, text: string): TextContent {
  return { kind: 'text', text, size, align, isParagraph: type === 'paragraph' }
}

function contentOfValue(field: Field, language: DateLanguage): Content | undefined {
  const { type, value = '' } = field
  if (value === '') return undefined
  if (type === 'checkbox') return value === 'true' ? { kind: 'check' } : undefined
  if (hasBoxes(type)) return { kind: 'dot' }
  return printedText(field, printedValue(field, value, language))
}

const keyOf = ({ id }: Recipient, { sha256 }: { sha256: string }) => `${id} ${sha256}`

async function contentOf(db: Db, { id }: Recipient, { sha256 }: { sha256: string }): Promise<Uint8Array> {
  const content = await markContent(db, id, sha256)
  if (!content || sha256Hex(content) !== sha256) throw new Error(`the content of mark ${sha256} is missing or has changed`)
  return content
}

function inkContent(bytes: Uint8Array): MarkAppearance {
  const ink = parseInk(new TextDecoder().decode(bytes))
  if ('error' in ink) throw new Error(`a stored drawing is invalid: ${ink.error}`)
  return { kind: 'ink', ink }
}

// Whether an approver makes a signature, which a release that may still serve asks for.

export type MarkedRecipient = Recipient & { isApprovalMarked: boolean }

/** Until the upgrade is finished an approver is asked for what the release before asks for. */
export async function withMarking(app: App, recipient: Recipient): Promise<MarkedRecipient> {
  return { ...recipient, isApprovalMarked: !(await app.features.isUsable(app.db, 'approvalWithoutMark')) }
}
