/** A signed document with every kind of field, as the service draws it and records it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import { createDraft } from '../../src/core/document/create-document.ts'
import { type Document, send, view } from '../../src/core/document/document.ts'
import type { NewDocument } from '../../src/core/document/new-document.ts'
import { type Field, type FieldFile, isFile } from '../../src/core/field/field.ts'
import { finish } from '../../src/core/signing/signing.ts'
import { fieldAppearances } from '../../src/documents/signing/marks.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { ENTRIES, EVERY_KIND } from '../../test/support/every-kind.ts'
import { JPEG } from '../../test/support/jpegs.ts'

const NOW = new Date('2026-11-20T17:25:00.000Z')
const SHA256 = 'a'.repeat(64)

const fileOf = (fileName: string, mediaType: FieldFile['mediaType'], bytes: Uint8Array): FieldFile => ({
  fileName,
  mediaType,
  bytes: bytes.length,
  sha256: sha256Hex(bytes),
})

function signedBy(document: Document, id: string, entries: Record<string, string>): Document {
  const viewed = view(document, id, NOW).document
  const { name, fields = [] } = viewed.recipients.find(r => r.id === id) ?? {}
  const byLabel = <T>(valueFor: (field: Field) => T | undefined): Record<string, T> =>
    Object.fromEntries(
      fields.flatMap(field => {
        const value = valueFor(field)
        return value === undefined ? [] : [[field.id, value]]
      }),
    )
  const input = {
    values: byLabel(({ label, type }) => {
      const value = entries[label ?? '']
      return type === 'checkbox' && value === 'on' ? 'true' : value
    }),
    files: byLabel(({ type, label }) => {
      if (!isFile(type)) return undefined
      return type === 'image'
        ? fileOf('meter.jpg', 'image/jpeg', JPEG)
        : fileOf(`${label}.pdf`, 'application/pdf', new Uint8Array(9))
    }),
    marks: { signature: { kind: 'typed', text: name ?? '' }, initials: { kind: 'typed', text: 'AB' } } as const,
    consent: { version: '1', sha256: SHA256, text: 'I agree.', given: true },
    shownSha256: SHA256,
    day: '2026-11-20',
    intent: 'I sign this document.',
    language: 'en',
  }
  return finish(viewed, id, input, NOW).document
}

function signedDocument(): Document {
  let count = 0
  const deps = { newId: (prefix: string) => `${prefix}_${++count}`, hashAccessCode: () => '', now: NOW }
  const input = { ...EVERY_KIND, fileName: 'every-kind.pdf' } as NewDocument
  const draft = createDraft(input, undefined, { pageCount: 2, sha256Original: SHA256, sha256Uploaded: undefined }, deps).document
  const [ada, bob] = draft.recipients
  if (!ada || !bob) throw new Error('the document has two signers')
  return signedBy(signedBy(send(draft, NOW).document, ada.id, ENTRIES.ada), bob.id, ENTRIES.bob)
}

/** What the sealed file shows. The picture of the image field is stored in `folder`. */
export function everyKindAppearances(folder: string): FieldAppearance[] {
  const document = signedDocument()
  const path = join(folder, 'field-image.jpg')
  writeFileSync(path, JPEG)
  const drawings = {
    mark: (_: unknown, { text }: { text: string }) => ({ kind: 'signature', text }) as const,
    image: () => ({ kind: 'image', path }) as const,
  }
  return fieldAppearances(document, document.recipients, drawings, 'en-GB')
}
