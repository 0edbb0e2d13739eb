/** Signatures that the bytes of a file hold and its form does not lead to. ISO 32000-2 §12.7.5.5, §12.8.2.2. Verifies none of them. */

import type { ByteRange } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { findSignatureFields, readCertificationLevel, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { CUT_SHORT, findByteRanges } from './raw-signatures.ts'

/** Byte ranges of signatures that the form does not lead to: whoever made the last revision took them out of what readers show. */
function hiddenRanges(file: PdfFile, fields: readonly SignatureField[]): ByteRange[] {
  const shown = new Set(fields.map(({ value }) => firstOf(file, value)))
  return findByteRanges(file.bytes).filter(([, first]) => !shown.has(first))
}

/** Where the gap begins, as /ByteRange says. */
function firstOf(file: PdfFile, signature: PdfDictionary): number | undefined {
  const first = file.items(signature.entries.get('ByteRange'))[1]
  return first?.kind === 'number' ? first.value : undefined
}

/** §12.8.2.2: certifications are for the document as a whole, and no later signature may take one out of the form. */
export function removedCertifications(file: PdfFile, fields: readonly SignatureField[]): string[] {
  const isCertification = ([, first, second, length]: ByteRange): boolean => {
    try {
      const revision = file.revisionAt(second + length)
      const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
      const known = catalog === undefined ? [] : findSignatureFields(revision, catalog)
      const own = known.find(({ value }) => firstOf(revision, value) === first)
      return own !== undefined && readCertificationLevel(revision, own.value) !== undefined
    } catch (error) {
      if (error instanceof PdfSyntaxError) return false
      throw error
    }
  }
  const removed = hiddenRanges(file, fields).some(isCertification)
  return removed ? ['A certification (DocMDP) that the bytes hold was taken out of the form: its document was changed.'] : []
}

/** Sentences; none when the form leads to every signature that the bytes hold. */
export function hiddenReasons(file: PdfFile, fields: readonly SignatureField[]): string[] {
  const { bytes } = file
  const hidden = hiddenRanges(file, fields)
  if (hidden.length === 0) return []
  const isCut = hidden.some(([, , second, length]) => second + length > bytes.length)
  return [isCut ? CUT_SHORT : 'The bytes of the file hold a signature that its form does not lead to.']
}
