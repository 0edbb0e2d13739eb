/**
 * A test page, sealed as documents are: by the certificate that seals, in the same children, with the same time-stamps and certificate pages. It says
 * of itself that nobody signed it, and is not kept.
 */
import { readFile } from 'node:fs/promises'
import type { Document, SealLevel } from '../core/document.ts'
import { sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import { sealSource } from './sealing.ts'

export interface TestPage {
  file: Uint8Array
  level: SealLevel
  /** What it lacks of the level that is set, in clauses. */
  missing: string[]
}

const REASON = 'Test of the seal: nobody signed this page'

/** One page of constant ASCII with its cross-reference. ISO 32000-2 §7.5. */
function testPdf(lines: readonly string[]): Uint8Array {
  const text = lines.map((line, i) => `1 0 0 1 72 ${720 - i * 28} Tm (${line}) Tj`).join('\n')
  const content = `BT\n/F 16 Tf\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.7\n'
  const offsets = objects.map((object, i) => {
    const offset = pdf.length
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(`${pdf}xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`, 'latin1')
}

const SOURCE = testPdf(['Signet test page', 'Nobody has signed this page.', 'It shows whether the seal works.'])

/** Stands in no row: nothing refers to it. */
function testDocument(now: Date): Document {
  return {
    id: 'test-page',
    ownerId: undefined,
    title: 'Signet test page',
    fileName: 'test-page.pdf',
    status: 'sealing',
    pageCount: 1,
    message: undefined,
    signingOrder: 'parallel',
    locale: undefined,
    redirectUrl: undefined,
    allowDelegation: false,
    metadata: {},
    reminders: undefined,
    expiresInDays: 1,
    createdAt: now,
    sentAt: undefined,
    completedAt: undefined,
    expiresAt: undefined,
    sealingError: undefined,
    sha256Original: sha256Hex(SOURCE),
    sha256Uploaded: undefined,
    sha256Sealed: undefined,
    sealLevel: undefined,
    recipients: [],
  }
}

/** Failures that say something to whoever set up the seal. */
const TOLD: Record<string, string> = {
  InvalidSealError: 'The sealed page is not valid',
  SealKeyError: 'The seal certificate cannot be used',
  TimestampError: 'No time-stamp authority gave a time-stamp',
  PdfChildError: 'The page could not be sealed',
}

/** The sealed page that was judged sound, or why there is none, in a sentence. */
export async function sealTestDocument(app: App): Promise<TestPage | { failure: string }> {
  const source = await app.storage.writeTemporary(SOURCE)
  try {
    const made = await sealSource(app, testDocument(app.now()), { path: source.path, bytes: SOURCE.length, reason: REASON })
    try {
      return { file: await readFile(made.path), level: made.level, missing: made.missing }
    } finally {
      await app.storage.discard(made.path)
    }
  } catch (error) {
    const told = error instanceof Error ? TOLD[error.name] : undefined
    if (!(error instanceof Error) || told === undefined) throw error
    app.log('warn', 'test page not sealed', { error: error.message })
    return { failure: `${told}: ${error.message.replace(/\.$/, '')}.` }
  } finally {
    await app.storage.discard(source.path)
  }
}
