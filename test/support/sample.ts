/** A plain PDF and the requests built on it. */
import { PDFDocument, StandardFonts } from 'pdf-lib'

const made = new Map<number, Promise<string>>()

/** Base64 of a text PDF with this many A4 pages; the same bytes every time. */
export function samplePdf(pages = 1): Promise<string> {
  const known = made.get(pages) ?? make(pages)
  made.set(pages, known)
  return known
}

async function make(pages: number): Promise<string> {
  const document = await PDFDocument.create()
  document.setCreationDate(new Date('2026-01-01T00:00:00Z'))
  document.setModificationDate(new Date('2026-01-01T00:00:00Z'))
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let i = 1; i <= pages; i++) {
    const page = document.addPage([595.28, 841.89])
    page.drawText(`Service agreement, page ${i}`, { x: 72, y: 760, size: 20, font })
    page.drawText('The parties agree on what is written here.', { x: 72, y: 720, size: 12, font })
  }
  return Buffer.from(await document.save()).toString('base64')
}

export const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' }
export const BOB = { email: 'bob@example.com', name: 'Bob Søndergård' }

export const SIGNATURE = { type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }

/** For Ada alone, to sign once. */
export const ONE = { recipients: [{ ...ADA, fields: [SIGNATURE] }] }

/** Bob beside her. */
export const BOB_SIGNS = { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] }

/** The body of a create request; members can be overridden. */
export async function newDocument(overrides: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return {
    fileName: 'agreement.pdf',
    file: await samplePdf(),
    recipients: [...ONE.recipients, BOB_SIGNS],
    ...overrides,
  }
}
