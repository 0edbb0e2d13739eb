/**
 * Marks as people make them: what was entered becomes a mark with what it is made of, and that
 * again what a child draws.
 */

import type { FieldAppearance } from '../appearance/field-appearance.ts'
import type { Recipient } from '../core/document.ts'
import { inkText, parseInk } from '../core/ink.ts'
import { type LocalizedMessage, localized } from '../core/message.ts'
import type { ValidationError } from '../core/refusal.ts'
import {
  initialsOf,
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  type MarkKind,
  type MarkName,
  markMembers,
  type PersonalMark,
} from '../core/signature-mark.ts'
import { cleanLine } from '../core/text.ts'
import type { Db } from '../db/open.ts'
import { sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { PdfChildError } from '../sandbox/errors.ts'
import { formValuesOf, type MarkContent, markContent } from './form-queries.ts'

/** As a form sends it. */
export interface MarkInput {
  kind: MarkKind
  text: string
  ink: string
}

type Made = { mark: PersonalMark | undefined; content?: MarkContent } | { error: ValidationError }

/** What a drawing or a picture shows, in words: the name it stands for. */
function inWords({ name }: Recipient, mark: MarkName): string {
  return mark === 'signature' ? name : initialsOf(name) || name
}

/** The mark a person has made, with what it is made of. The picture is the one in their draft. */
export async function createMark(app: App, recipient: Recipient, name: MarkName, { kind, text, ink }: MarkInput): Promise<Made> {
  const shown = inWords(recipient, name)
  switch (kind) {
    case 'typed': {
      const typed = cleanLine(text)
      return { mark: typed === '' ? undefined : { kind, text: typed } }
    }
    case 'drawn': {
      if (ink === '') return { error: { path: name, ...localized('drawingMissing') } }
      const parsed = parseInk(ink)
      if ('error' in parsed) return { error: { path: name, ...localized('drawingUnreadable') } }
      // The same strokes give the same bytes: their hash is evidence.
      const content = new TextEncoder().encode(inkText(parsed))
      const sha256 = sha256Hex(content)
      return { mark: { kind, text: shown, sha256 }, content: { kind, sha256, content } }
    }
    case 'uploaded': {
      const sha256 = (await formValuesOf(app.db, recipient.id))[markMembers(name).picture]
      const content = sha256 === undefined ? undefined : await markContent(app.db, recipient.id, sha256)
      if (sha256 === undefined || content === undefined) return { error: { path: name, ...localized('pictureMissing') } }
      // Kept with the mark: another picture may take its place in the draft meanwhile.
      return { mark: { kind, text: shown, sha256 }, content: { kind, sha256, content } }
    }
  }
}

export function inkErrorOf(name: MarkName, text: string): ValidationError | undefined {
  return 'error' in parseInk(text) ? { path: name, ...localized('drawingUnreadable') } : undefined
}

const tooLarge = () => localized('pictureTooLarge', MAX_PICTURE_BYTES / 1_000_000, MAX_PICTURE_PIXELS / 1_000_000)

const PICTURE_FAULTS: Record<string, () => LocalizedMessage> = {
  not_a_picture: () => localized('pictureUnreadable'),
  too_large: tooLarge,
  no_ink: () => localized('pictureEmpty'),
}

type Cleaned = { content: MarkContent; width: number; height: number } | { error: LocalizedMessage }

/** The ink of an upload, as PNG without anything else the upload held. */
export async function extractSignature(app: App, bytes: Uint8Array): Promise<Cleaned> {
  if (bytes.length > MAX_PICTURE_BYTES) return { error: tooLarge() }
  const { path } = await app.storage.writeTemporary(bytes)
  const outPath = app.storage.temporaryPath()
  try {
    const { width, height, sha256 } = await app.pdf.cleanSignature({ path, outPath })
    return { content: { kind: 'uploaded', sha256, content: await Bun.file(outPath).bytes() }, width, height }
  } catch (error) {
    const said = error instanceof Error && 'code' in error ? PICTURE_FAULTS[String(error.code)] : undefined
    // A picture that cannot be read in time or memory is none that can be taken.
    const isTooMuch = error instanceof PdfChildError
    if (said || isTooMuch) return { error: said?.() ?? localized('pictureUnreadable') }
    throw error
  } finally {
    await app.storage.discard(path)
    await app.storage.discard(outPath)
  }
}

type Content = FieldAppearance['content']

/** What is drawn where a mark of this kind goes. */
export type Drawings = (recipient: Recipient, mark: PersonalMark) => Content

/**
 * Hands `work` what draws the marks of these recipients; pictures lie in temporary files as long as
 * it works. `unsaved`: what no row holds yet. Throws when what a mark is made of is missing:
 * nothing is drawn in its stead.
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

/** What stands in a recipient's fields. */
export function fieldAppearances(recipient: Recipient, drawings: Drawings): FieldAppearance[] {
  return recipient.fields.flatMap((field): FieldAppearance[] => {
    const { page, x, y, width, height, value, type } = field
    const box = { x, y, width, height }
    if (type === 'signature' || type === 'initials') {
      const mark = recipient[type]
      return mark ? [{ page, box, content: drawings(recipient, mark) }] : []
    }
    if (value === undefined || value === '') return []
    if (type === 'checkbox') return value === 'true' ? [{ page, box, content: { kind: 'check' } }] : []
    return [{ page, box, content: { kind: 'text', text: value } }]
  })
}

const keyOf = ({ id }: Recipient, { sha256 }: { sha256: string }) => `${id} ${sha256}`

async function contentOf(db: Db, { id }: Recipient, { sha256 }: { sha256: string }): Promise<Uint8Array> {
  const content = await markContent(db, id, sha256)
  if (!content || sha256Hex(content) !== sha256) throw new Error(`what the mark ${sha256} is made of is missing or has changed`)
  return content
}

function inkContent(bytes: Uint8Array): Content {
  const ink = parseInk(new TextDecoder().decode(bytes))
  if ('error' in ink) throw new Error(`a kept drawing cannot be read: ${ink.error}`)
  return { kind: 'ink', ink }
}
