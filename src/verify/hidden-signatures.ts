/** Finds signatures that the form does not refer to. ISO 32000-2 §12.7.5.5, §12.8.2.2. */
import type { ByteRange } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { findSignatureFields, readCertificationLevel, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../pdf/parser/syntax.ts'
import { findByteRanges, TRUNCATED } from './raw-signatures.ts'

/** Byte ranges of signatures that are not in the form: a later revision removed them from it. */
function findHiddenRanges(file: PdfFile, fields: readonly SignatureField[]): ByteRange[] {
  const shown = new Set(fields.map(({ value }) => readContentsOffset(file, value)))
  return findByteRanges(file.bytes).filter(([, first]) => !shown.has(first))
}

/** The offset of /Contents according to /ByteRange. */
function readContentsOffset(file: PdfFile, signature: PdfDictionary): number | undefined {
  const first = file.items(signature.entries.get('ByteRange'))[1]
  return first?.kind === 'number' ? first.value : undefined
}

function isCertification(file: PdfFile, [, first, second, length]: ByteRange): boolean {
  try {
    const revision = file.revisionAt(second + length)
    const catalog = revision.dictionary(revision.crossReference.trailer.entries.get('Root'))
    const known = catalog === undefined ? [] : findSignatureFields(revision, catalog)
    const own = known.find(({ value }) => readContentsOffset(revision, value) === first)
    return own !== undefined && readCertificationLevel(revision, own.value) !== undefined
  } catch (error) {
    if (error instanceof PdfSyntaxError) return false
    throw error
  }
}

/** §12.8.2.2: no later signature may remove a certification from the form. */
export function checkRemovedCertifications(file: PdfFile, fields: readonly SignatureField[]): string[] {
  const isRemoved = findHiddenRanges(file, fields).some(range => isCertification(file, range))
  return isRemoved ? ['The document was changed: a certification (DocMDP) was removed from the form.'] : []
}

/** Returns sentences; none if the form refers to every signature in the bytes. */
export function checkHiddenSignatures(
  file: PdfFile,
  fields: readonly SignatureField[],
  usageRights: PdfDictionary | undefined,
): string[] {
  const isRights = ([, first]: ByteRange) => usageRights !== undefined && usageRights.start < first && first < usageRights.end
  const hidden = findHiddenRanges(file, fields).filter(range => !isRights(range))
  if (hidden.length === 0) return []
  const isTruncated = hidden.some(([, , second, length]) => second + length > file.bytes.length)
  return [isTruncated ? TRUNCATED : 'The bytes of the file contain a signature that its form does not refer to.']
}
