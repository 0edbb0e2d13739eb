/**
 * Seals a page of our own, to show that key, CMS and verifier work together. The placeholder searches the file for strings, which is safe only
 * on a file we made ourselves from constant ASCII: never on an upload.
 */
import { writeFile } from 'node:fs/promises'
import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { SignPdf } from '@signpdf/signpdf'
import { Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { sha256Hex } from '../lib/token.ts'
import type { SealKey } from '../pki/key.ts'
import { createSignedData } from './cms.ts'
import { contentsBytesFor } from './sign.ts'

class KeySigner extends Signer {
  readonly #key: SealKey
  constructor(key: SealKey) {
    super()
    this.#key = key
  }
  override async sign(content: Buffer): Promise<Buffer> {
    const digest = Buffer.from(sha256Hex(content), 'hex')
    return Buffer.from(await createSignedData({ digest, key: this.#key }))
  }
}

/** Writes one sealed page to `path`. */
export async function sealTestPage(key: SealKey, path: string): Promise<void> {
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
  await writeFile(path, await new SignPdf().sign(prepared, new KeySigner(key)), { mode: 0o600 })
}
