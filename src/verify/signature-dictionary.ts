/** Checks a signature dictionary and the bytes after it. ISO 32000-2 §12.8.1, table 255. */
import { type Remark, remark } from '../locales/remarks.ts'
import { type ByteRange, byteRangeError, readHexContents } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { findSignatureFields, readFieldLock, readPermission, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../pdf/parser/syntax.ts'
import { algorithmName } from '../pki/algorithm.ts'
import { type AdditionsResult, checkAdditions } from './changes/additions.ts'
import { endsRevision } from './changes/revisions.ts'
import type { Integrity } from './report.ts'

/** Problems found so far; sentences. */
export interface Problems {
  /** The signed bytes, the cryptographic check or the structure around them is wrong. */
  broken: Remark[]
  /** A form or an algorithm that this product cannot check. */
  unsupported: Remark[]
  /** All other problems with the signature. */
  errors: Remark[]
}

export const newProblems = (): Problems => ({ broken: [], unsupported: [], errors: [] })

export function deriveIntegrity({ broken, unsupported }: Problems): Integrity {
  if (broken.length > 0) return 'broken'
  return unsupported.length > 0 ? 'not-checked' : 'intact'
}

const SIGNATURE_FILTERS = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached', 'adbe.pkcs7.sha1'])
const TIMESTAMP_FILTER = 'ETSI.RFC3161'

const SHA1_FILTER = 'adbe.x509.rsa_sha1'

const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

export const isDocumentTimestamp = ({ value }: SignatureField): boolean =>
  nameOf(value.entries.get('Type')) === 'DocTimeStamp' || nameOf(value.entries.get('SubFilter')) === TIMESTAMP_FILTER

/** Reads the four integers, which must be direct values. Notes why they are not. */
export function readByteRange(dictionary: PdfDictionary, size: number, { broken }: Problems): ByteRange | undefined {
  const value = dictionary.entries.get('ByteRange')
  if (value?.kind !== 'array') {
    broken.push(value === undefined ? remark('byte_range_missing') : remark('byte_range_indirect'))
    return undefined
  }
  const numbers = value.items.map(item => (item.kind === 'number' && item.integer ? item.value : Number.NaN))
  const error = byteRangeError(numbers, size)
  if (error !== undefined) {
    broken.push(error)
    return undefined
  }
  const [start = 0, first = 0, second = 0, length = 0] = numbers
  return [start, first, second, length]
}

/** /ByteRange must leave out exactly this hexadecimal string. */
export function readContents(
  file: PdfFile,
  field: SignatureField,
  [, first, second]: ByteRange,
  { broken, errors }: Problems,
): { bytes: Uint8Array; isLowerCase: boolean } | undefined {
  const value = field.value.entries.get('Contents')
  if (value?.kind !== 'string' || !value.hex) {
    broken.push(value === undefined ? remark('contents_missing') : remark('contents_indirect'))
    return undefined
  }
  if (!field.isInFile || value.start !== first || value.end !== second) {
    broken.push(remark('contents_elsewhere'))
    return undefined
  }
  const contents = readHexContents(file.bytes.subarray(first, second))
  if (contents === undefined) {
    broken.push(remark('contents_not_hexadecimal'))
    return undefined
  }
  if (contents.letters === 'mixed') errors.push(remark('contents_of_both_cases'))
  return { bytes: contents.bytes, isLowerCase: contents.letters === 'lower' }
}

/** Notes problems with the dictionary itself and returns its /SubFilter. */
export function checkDictionary({ value, unreadable }: SignatureField, isTimestamp: boolean, problems: Problems): string {
  const { entries, duplicateKeys } = value
  const { broken, unsupported, errors } = problems
  if (unreadable !== undefined) {
    broken.push(remark('signature_unreadable', { why: unreadable }))
    return ''
  }
  for (const key of duplicateKeys) broken.push(remark('signature_key_twice', { key }))
  const type = entries.get('Type')
  const expected = isTimestamp ? 'DocTimeStamp' : 'Sig'
  if ((type !== undefined || isTimestamp) && nameOf(type) !== expected)
    errors.push(remark('signature_of_other_type', { type: expected }))
  const subFilter = nameOf(entries.get('SubFilter'))
  const isSupported = isTimestamp ? subFilter === TIMESTAMP_FILTER : SIGNATURE_FILTERS.has(subFilter)
  if (!isSupported) {
    const name = subFilter === '' ? '(no /SubFilter)' : algorithmName(subFilter)
    unsupported.push(remark(subFilter === SHA1_FILTER ? 'signature_type_of_sha1' : 'signature_type_unsupported', { name }))
  }
  return subFilter
}

export function checkLaterBytes(
  file: PdfFile,
  field: SignatureField,
  byteRange: ByteRange,
  problems: Problems,
): Pick<AdditionsResult, 'additions' | 'changes' | 'signed'> {
  const end = byteRange[2] + byteRange[3]
  const uncovered = file.bytes.length - end
  if (uncovered === 0) return { additions: [], changes: [], signed: file }
  const { additions, changes, violations, unchecked, signed } = checkRevisionsAfter(file, field, end)
  problems.unsupported.push(...unchecked)
  if (violations.length === 0) return { additions, changes, signed }
  problems.broken.unshift(...violations, remark('later_bytes', { bytes: uncovered }))
  return { additions: [], changes: [], signed }
}

function checkRevisionsAfter(file: PdfFile, field: SignatureField, end: number): AdditionsResult {
  const refuse = (violation: Remark) => ({ additions: [], changes: [], violations: [violation], unchecked: [], signed: file })
  if (!endsRevision(file.bytes, end)) return refuse(remark('signed_end_elsewhere'))
  try {
    const result = checkAdditions(file, end, readPermission(file, field), readFieldLock(file, field.value))
    const { violations, signed } = result
    const catalog = signed.dictionary(signed.crossReference.trailer.entries.get('Root'))
    const known = catalog === undefined ? [] : findSignatureFields(signed, catalog)
    if (!known.some(one => one.isInFile && one.value.start === field.value.start && one.name === field.name))
      violations.push(remark('signature_not_in_form'))
    return result
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    return refuse(remark('signed_bytes_unreadable', { why: error.remark }))
  }
}
