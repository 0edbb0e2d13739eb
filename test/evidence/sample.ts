/** A sample record of the audit certificate, changed by each test, and readers for its pages. */
import { deflateSync } from 'node:zlib'
import type { Evidence, EvidenceEvent, EvidenceMark, EvidenceRecipient } from '../../src/evidence/model.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { textOf } from './pdf-programs.ts'

export const A4 = { width: 595.28, height: 841.89 }
export const LETTER = { width: 612, height: 792 }

/** A typed signature. */
export function typed(text: string): EvidenceMark {
  return { kind: 'typed', text, sha256: sha256Hex(text), pages: [3], appearance: { kind: 'signature', text } }
}

export function recipient(i: number, more: Partial<EvidenceRecipient> = {}): EvidenceRecipient {
  return {
    name: `Ada Lovelace ${i}`,
    email: `ada.${i}@example.com`,
    role: 'signer',
    identifiedBy: ['email_link'],
    actedAt: '2026-03-29T01:00:00.123Z',
    signature: typed(`A. Lovelace ${i}`),
    initials: { ...typed('AL'), pages: [1, 2, 3, 5] },
    ip: '2001:db8::7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
    consentSha256: 'c1'.repeat(32),
    intent: 'I sign this document.',
    values: [{ label: 'Town', page: 2, kind: 'text', value: 'Łódź' }],
    ...more,
  }
}

export function event(more: Partial<EvidenceEvent> = {}): EvidenceEvent {
  const who = { kind: 'recipient', name: 'Ada Lovelace 1' } as const
  return {
    at: '2026-03-28T09:00:00.000Z',
    kind: 'document.viewed',
    who,
    concernedRecipientName: undefined,
    newPerson: undefined,
    reason: undefined,
    ip: undefined,
    ...more,
  }
}

export function evidenceOf(more: Partial<Evidence> = {}): Evidence {
  return {
    organisation: 'Example Ltd',
    contact: 'legal@example.com',
    environment: 'production',
    isTest: false,
    instanceId: 'ins_1',
    software: 'Signet 0.1.0',
    timeZone: 'Europe/Berlin',
    language: 'en',
    han: undefined,
    logo: undefined,
    document: {
      id: 'doc_01JADQ7Y3K8MZ4V9T6W2XH5BCE',
      title: 'Agreement on Ελλάδα',
      fileName: 'agreement.pdf',
      pageCount: 3,
      signingOrder: 'sequential',
      originalByteLength: 1234567,
      originalSha256: 'a1'.repeat(32),
      uploadedSha256: undefined,
      senderValues: [],
    },
    recipients: [recipient(1)],
    events: [
      event({
        kind: 'recipient.invitation_mailed',
        who: undefined,
        concernedRecipientName: 'Ada Lovelace 1',
      }),
      event({ at: '2026-03-29T01:00:00.123Z', kind: 'recipient.signed', ip: '192.0.2.7' }),
    ],
    sealedAt: '2026-03-29T01:00:07.000Z',
    consents: [{ version: '2026-01', sha256: 'c1'.repeat(32), text: 'I agree to sign electronically.\nI may ask for paper.' }],
    audit: { sequence: 42, hash: 'd0'.repeat(32) },
    sealCertificate: {
      subject: 'CN=Example Seal',
      issuer: 'CN=Example Root',
      serial: '4f3a',
      sha256: 'e5'.repeat(32),
      algorithm: 'ECDSA P-256',
    },
    verifyUrl: 'https://sign.example.com/verify',
    sealCertificatesUrl: 'https://sign.example.com/seal.pem',
    verifyPageSha256: 'e5'.repeat(32),
    ...more,
  }
}

/** A chunk of a PNG with its CRC. */
export function pngChunk(kind: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(body.length)
  named.copy(out, 4)
  out.writeUInt32BE(Bun.hash.crc32(named), named.length + 4)
  return out
}

/** A PNG of one colour (RGBA). */
export function plainPng(width: number, height: number, colour: readonly [number, number, number, number]): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, pngChunk('IHDR', head), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))])
}

/** The text of each page. */
export async function pagesOf(pdf: Uint8Array, ...options: string[]): Promise<string[]> {
  return (await textOf(pdf, ...options)).split('\f').slice(0, -1)
}

/** All text on one line, so that wrapping does not matter. */
export function flat(text: string): string {
  return text.replace(/\s+/g, ' ')
}
