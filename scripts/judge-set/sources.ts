/** The documents to seal: real ones where `../shared/corpus` exists, else generated ones. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import type { Evidence, EvidenceRecipient } from '../../src/evidence/model.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { join as joinFiles } from '../../src/pdf/join/join.ts'
import { everyKindPdf } from '../../test/support/every-kind.ts'
import { makePdf } from '../../test/support/make-pdf.ts'
import { samplePdf } from '../../test/support/sample.ts'
import { everyKindAppearances } from './every-kind.ts'

export interface Source {
  name: string
  bytes(): Promise<Uint8Array>
  /** Signers and title; they are drawn as marks and on the audit certificate. */
  people: readonly string[]
  title: string
  /** Must have been rewritten at its creation. */
  isRepaired?: boolean
  /** In place of a mark for each of the people; pictures are stored in the folder. */
  appearances?: (folder: string) => FieldAppearance[]
}

const CORPUS = join(import.meta.dir, '../../../shared/corpus')
const PEOPLE = ['Ada Lovelace']
const page = { content: '0.2 0.4 0.8 rg 72 500 300 40 re f', more: '/Annots []' }

const made = (parts: Parameters<typeof makePdf>[0]) => async () => makePdf(parts)
const real = (file: string, otherwise: () => Promise<Uint8Array>) => async () => {
  const path = join(CORPUS, file)
  return existsSync(path) ? readFileSync(path) : otherwise()
}

async function formPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const sheet = document.addPage([595.28, 841.89])
  const form = document.getForm()
  form.createTextField('town').addToPage(sheet, { x: 72, y: 700, width: 200, height: 24 })
  form.createCheckBox('agreed').addToPage(sheet, { x: 72, y: 650, width: 16, height: 16 })
  return document.save()
}

async function heavyPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage()
  document.context.register(document.context.stream(randomBytes(100 * 1024 * 1024)))
  return document.save()
}

/** Three files with forms of the same field names, rotated and cropped pages, as one document. */
async function joinedPdf(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-joined-'))
  try {
    const turned = makePdf({ pages: [{ ...page, rotate: 90, crop: [40, 40, 500, 700] }], style: 'stream' })
    const parts = [await formPdf(), turned, await formPdf()].map((bytes, i) => {
      const path = join(folder, `${i}.pdf`)
      writeFileSync(path, bytes)
      return { path, title: `File ${i + 1}` }
    })
    const outPath = join(folder, 'joined.pdf')
    const joined = joinFiles({ parts, outPath, maxPages: 100 })
    if (joined.verdict === 'refused') throw new Error(joined.violation.code)
    return readFileSync(outPath)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Its cross-reference leads nowhere: readers scan it. */
async function brokenPdf(): Promise<Uint8Array> {
  const intact = makePdf({ pages: [page] }).toString('latin1')
  return Buffer.from(intact.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1')
}

const sample = (pages: number) => async () => Buffer.from(await samplePdf(pages), 'base64')

export const SOURCES: readonly Source[] = [
  { name: 'clean', bytes: real('tracemonkey.pdf', sample(14)), people: PEOPLE, title: 'Service agreement' },
  ...[90, 180, 270].map(rotate => ({
    name: `rotated ${rotate}`,
    bytes: made({
      pages: [
        { ...page, rotate },
        { ...page, rotate, crop: [40, 40, 500, 700] },
      ],
    }),
    people: PEOPLE,
    title: `Turned by ${rotate}`,
  })),
  {
    name: 'real rotated',
    bytes: real('hello_world_rotated.pdf', made({ pages: [{ rotate: 90 }] })),
    people: PEOPLE,
    title: 'Turned',
  },
  { name: 'xref stream', bytes: made({ pages: [page, page], style: 'stream' }), people: PEOPLE, title: 'Cross-reference stream' },
  { name: 'form', bytes: real('form_two_pages.pdf', formPdf), people: PEOPLE, title: 'Form' },
  { name: 'joined', bytes: joinedPdf, people: PEOPLE, title: 'Three files' },
  { name: '100 pages', bytes: sample(100), people: ['Ada Lovelace', 'Bob Søndergård'], title: 'A hundred pages' },
  { name: 'repaired', bytes: real('issue9418.pdf', brokenPdf), people: PEOPLE, title: 'Repaired', isRepaired: true },
  {
    name: 'four scripts',
    bytes: sample(1),
    people: ['Zoë Łukaszewicz', 'Ελένη Παπαδοπούλου', 'محمد عبد الله', '山田太郎'],
    title: 'Vertrag · Σύμβαση · عقد · 契約',
  },
  {
    name: 'every kind',
    bytes: everyKindPdf,
    people: ['Ada Lovelace', 'Bob Søndergård'],
    title: 'Every kind of field',
    appearances: everyKindAppearances,
  },
]

export const LARGE: Source = { name: '100 MB', bytes: heavyPdf, people: PEOPLE, title: 'Large' }

export function appearancesFor({ people, appearances }: Source, folder: string): FieldAppearance[] {
  if (appearances) return appearances(folder)
  return people.map((name, i) => ({
    page: 1,
    box: { x: 8, y: 10 + i * 12, width: 40, height: 6 },
    content: { kind: 'signature', text: name },
  }))
}

function recipientOf(name: string, at: string): EvidenceRecipient {
  return {
    name,
    email: 'signer@example.com',
    role: 'signer',
    identifiedBy: ['email_link'],
    actedAt: at,
    signature: { kind: 'typed', text: name, sha256: sha256Hex(name), pages: [1], appearance: { kind: 'signature', text: name } },
    initials: undefined,
    ip: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    consentSha256: 'c1'.repeat(32),
    intent: 'I sign this document.',
    values: [],
  }
}

export interface EvidenceFacts {
  at: string
  original: { bytes: number; sha256: string; pages: number }
  uploadedSha256: string | undefined
  certificate: Evidence['sealCertificate']
}

export function evidenceFor(source: Source, { at, original, uploadedSha256, certificate }: EvidenceFacts): Evidence {
  return {
    organisation: 'Example Ltd',
    contact: 'legal@example.com',
    environment: 'judges',
    isTest: true,
    instanceId: 'ins_judges',
    software: 'Signet',
    timeZone: 'Europe/Berlin',
    language: 'en',
    han: undefined,
    logo: undefined,
    document: {
      id: 'doc_01JADQ7Y3K8MZ4V9T6W2XH5BCE',
      title: source.title,
      fileName: `${source.name}.pdf`,
      pageCount: original.pages,
      signingOrder: 'parallel',
      originalByteLength: original.bytes,
      originalSha256: original.sha256,
      uploadedSha256,
      senderValues: [],
    },
    recipients: source.people.map(name => recipientOf(name, at)),
    events: source.people.map(name => ({
      at,
      kind: 'recipient.signed',
      who: { kind: 'recipient', name },
      concernedRecipientName: undefined,
      newPerson: undefined,
      reason: undefined,
      ip: '192.0.2.7',
    })),
    sealedAt: at,
    consents: [{ version: '2026-01', sha256: 'c1'.repeat(32), text: undefined }],
    audit: { sequence: 42, hash: 'd0'.repeat(32) },
    sealCertificate: certificate,
    verifyUrl: 'https://sign.example.com/verify',
    sealCertificatesUrl: 'https://sign.example.com/seal.pem',
  }
}
