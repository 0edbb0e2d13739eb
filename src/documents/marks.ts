/** Creates marks from the values of a form, and prepares them and other fields for drawing. */
import type { FieldAppearance } from '../appearance/field-appearance.ts'
import { type DateLanguage, dateLanguage, printedDate } from '../core/date-format.ts'
import type { Document, Recipient } from '../core/document.ts'
import { type Field, isDate } from '../core/field.ts'
import { inkText, parseInk } from '../core/ink.ts'
import { type LocalizedMessage, localized } from '../core/message.ts'
import type { ValidationError } from '../core/refusal.ts'
import {
  initialsOf,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  type MarkKind,
  type MarkName,
  markKindOf,
  markMembers,
  type PersonalMark,
} from '../core/signature-mark.ts'
import { cleanLine } from '../core/text.ts'
import type { Db } from '../db/open.ts'
import { sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { PdfChildError } from '../sandbox/errors.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { formValuesOf, type MarkContent, markContent } from './form-queries.ts'

export interface MarkInput {
  kind: MarkKind
  text: string
  ink: string
}

export function markInputOf(form: Record<string, string>, name: MarkName): MarkInput {
  const { text, kind, ink } = markMembers(name)
  return { kind: markKindOf(form[kind]), text: form[text] ?? '', ink: form[ink] ?? '' }
}

type CreatedMark = { mark: PersonalMark | undefined; content?: MarkContent } | { error: ValidationError }

/** A picture is taken from the stored form values. */
export async function createMark(
  app: App,
  { id, name }: Recipient,
  path: MarkName,
  { kind, text, ink }: MarkInput,
): Promise<CreatedMark> {
  if (kind === 'typed') {
    const typed = cleanLine(text)
    return { mark: typed === '' ? undefined : { kind, text: typed } }
  }
  const content = kind === 'drawn' ? inkBytes(ink) : await findPicture(app.db, id, path)
  if (!(content instanceof Uint8Array)) return { error: { path, ...content } }
  const sha256 = sha256Hex(content)
  const shown = path === 'signature' ? name : initialsOf(name) || name
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
    return { content: { kind: 'uploaded', sha256, content: await Bun.file(outPath).bytes() }, width, height }
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

export type Drawings = (recipient: Recipient, mark: PersonalMark) => Content

/**
 * Pictures are temporary files until `work` ends. `unsaved`: contents without a row. Throws if the
 * content of a mark is missing or has changed.
 */
export async function withDrawings<T>(
  app: Pick<App, 'db' | 'storage'>,
  marked: readonly Recipient[],
  work: (drawings: Drawings) => Promise<T>,
  unsaved: readonly MarkContent[] = [],
): Promise<T> {
  const contents = new Map<string, Content>()
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
    return await work((recipient, mark) => {
      if (mark.kind === 'typed') return { kind: 'signature', text: mark.text }
      const content = contents.get(keyOf(recipient, mark))
      if (!content) throw new Error(`mark ${mark.sha256} was not prepared`)
      return content
    })
  } finally {
    for (const path of paths) await app.storage.discard(path)
  }
}

export async function dateLanguageOf(db: Db, { locale }: Pick<Document, 'locale'>): Promise<DateLanguage> {
  return dateLanguage(locale, (await readOrganisation(db)).language)
}

/** `language`: of printed dates. */
export function fieldAppearances(recipient: Recipient, drawings: Drawings, language: DateLanguage): FieldAppearance[] {
  return recipient.fields.flatMap((field): FieldAppearance[] => {
    const { page, x, y, width, height } = field
    const content = contentOfField(recipient, field, drawings, language)
    return content ? [{ page, box: { x, y, width, height }, content }] : []
  })
}

/** Undefined for a field that shows nothing. */
function contentOfField(recipient: Recipient, field: Field, drawings: Drawings, language: DateLanguage): Content | undefined {
  const { type, value = '', dateFormat, fontSize: size, align } = field
  if (type === 'signature' || type === 'initials') {
    const mark = recipient[type]
    return mark && drawings(recipient, mark)
  }
  if (value === '') return undefined
  if (type === 'checkbox') return value === 'true' ? { kind: 'check' } : undefined
  const text = isDate(type) ? printedDate(value, dateFormat, language) : value
  return { kind: 'text', text, size, align }
}

/** Of all recipients, before and after they have signed. Draw them below the fields. */
export function coverAppearances(recipients: readonly Recipient[]): FieldAppearance[] {
  const covers = recipients.flatMap(({ fields }) => fields.flatMap(field => field.covers ?? []))
  return covers.map(({ page, ...box }) => ({ page, box, content: { kind: 'cover' } }))
}

const keyOf = ({ id }: Recipient, { sha256 }: { sha256: string }) => `${id} ${sha256}`

async function contentOf(db: Db, { id }: Recipient, { sha256 }: { sha256: string }): Promise<Uint8Array> {
  const content = await markContent(db, id, sha256)
  if (!content || sha256Hex(content) !== sha256) throw new Error(`the content of mark ${sha256} is missing or has changed`)
  return content
}

function inkContent(bytes: Uint8Array): Content {
  const ink = parseInk(new TextDecoder().decode(bytes))
  if ('error' in ink) throw new Error(`a stored drawing is invalid: ${ink.error}`)
  return { kind: 'ink', ink }
}
