/** Seals a page with @signpdf/signpdf and @signpdf/placeholder-plain, by a `SealKey`. */
import { writeFile } from 'node:fs/promises'
import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { SignPdf } from '@signpdf/signpdf'
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { contentsBytesFor, createSignedData } from '../../src/pades/cms.ts'
import type { SealKey } from '../../src/pki/key.ts'

/** Ignores `signingTime`, which PAdES forbids in the CMS. */
class SealKeySigner extends Signer {
  readonly #key: SealKey
  constructor(key: SealKey) {
    super()
    this.#key = key
  }
  override async sign(signedBytes: Buffer): Promise<Buffer> {
    const digest = Buffer.from(sha256Hex(signedBytes), 'hex')
    return Buffer.from(await createSignedData({ digest, key: this.#key }))
  }
}

/** Writes one sealed page to `path`. */
export async function sealWithSignpdf(key: SealKey, path: string): Promise<void> {
  const document = await PDFDocument.create()
  const page = document.addPage()
  page.drawText('Signet test page', { x: 72, y: 720, size: 24, font: await document.embedFont(StandardFonts.Helvetica) })
  const pdfBuffer = Buffer.from(await document.save({ useObjectStreams: false }))
  const prepared = plainAddPlaceholder({
    pdfBuffer,
    reason: 'Test of the seal',
    contactInfo: '',
    name: 'Signet',
    location: '',
    signatureLength: contentsBytesFor(key.chain, false),
    subFilter: SUBFILTER_ETSI_CADES_DETACHED,
  })
  await writeFile(path, await new SignPdf().sign(prepared, new SealKeySigner(key)), { mode: 0o600 })
}
