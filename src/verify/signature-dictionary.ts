/**
 * The signature dictionary of a field and the bytes it signs: /ByteRange is exactly the file but for the dictionary's own /Contents, and what stands
 * behind the signed revision is what may stand there. ISO 32000-2 §12.8.1, table 255. Knows no certificate.
 */

import { type ByteRange, byteRangeError, readHexContents } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { findSignatureFields, readFieldLock, readPermission, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../pdf/parser/syntax.ts'
import { algorithmName } from '../pki/algorithm.ts'
import { type Additions, judgeAdditions } from './changes/changes.ts'
import { endsRevision } from './changes/revisions.ts'
import type { Integrity } from './report.ts'

/**
 * What was found so far, in sentences. `broken`: the bytes, the cryptographic check or the structure that binds them failed. `unsupported`: a form or
 * an algorithm that cannot be checked here. `errors`: anything else that speaks against the signature.
 */
export interface ProblemsFound {
  broken: string[]
  unsupported: string[]
  errors: string[]
}

export function integrityOf({ broken, unsupported }: ProblemsFound): Integrity {
  if (broken.length > 0) return 'broken'
  return unsupported.length > 0 ? 'not-checked' : 'intact'
}

const SIGNATURE_FILTERS = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached', 'adbe.pkcs7.sha1'])
const TIME_STAMP_FILTER = 'ETSI.RFC3161'

/** Kinds of signatures that are known and not supported, and why. */
const UNSUPPORTED_FILTERS: Readonly<Record<string, string>> = {
  'adbe.x509.rsa_sha1': 'it signs by SHA-1, which others can be made to match (ISO 32000-2 §12.8.3.2)',
}

const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

export const isDocumentTimestamp = ({ value }: SignatureField): boolean =>
  nameOf(value.entries.get('Type')) === 'DocTimeStamp' || nameOf(value.entries.get('SubFilter')) === TIME_STAMP_FILTER

/** The four integers, direct in the dictionary, or undefined with the reason noted. */
export function readByteRange(dictionary: PdfDictionary, size: number, { broken }: ProblemsFound): ByteRange | undefined {
  const value = dictionary.entries.get('ByteRange')
  if (value?.kind !== 'array') {
    broken.push(value === undefined ? '/ByteRange is missing.' : '/ByteRange is not a direct array.')
    return undefined
  }
  const numbers = value.items.map(item => (item.kind === 'number' && item.integer ? item.value : Number.NaN))
  const fault = byteRangeError(numbers, size)
  if (fault !== undefined) {
    broken.push(`${fault}.`)
    return undefined
  }
  const [start = 0, first = 0, second = 0, length = 0] = numbers
  return [start, first, second, length]
}

/** The gap's value, when the gap is exactly the hexadecimal string of this dictionary's /Contents. */
export function readContents(
  file: PdfFile,
  field: SignatureField,
  [, first, second]: ByteRange,
  problemsFound: ProblemsFound,
): { gap: Uint8Array; lowerCase: boolean } | undefined {
  const { broken } = problemsFound
  const value = field.value.entries.get('Contents')
  if (value?.kind !== 'string' || !value.hex) {
    broken.push(value === undefined ? '/Contents is missing.' : '/Contents is not a direct hexadecimal string.')
    return undefined
  }
  if (!field.isInFile || value.start !== first || value.end !== second) {
    broken.push('The gap of /ByteRange is not exactly the /Contents of its signature dictionary.')
    return undefined
  }
  const gap = readHexContents(file.bytes.subarray(first, second))
  if (gap === undefined) {
    broken.push('/Contents holds something other than hexadecimal digits.')
    return undefined
  }
  if (gap.letters === 'mixed')
    problemsFound.errors.push('/Contents mixes upper-case and lower-case digits: it was touched after it was written.')
  return { gap: gap.bytes, lowerCase: gap.letters === 'lower' }
}

/** Notes what speaks against the dictionary, and gives its /SubFilter. */
export function checkDictionary(
  { value, unreadable }: SignatureField,
  isTimestamp: boolean,
  problemsFound: ProblemsFound,
): string {
  const { entries, duplicateKeys } = value
  const { broken, unsupported, errors } = problemsFound
  if (unreadable !== undefined) {
    broken.push(`The signature dictionary cannot be read: ${unreadable}.`)
    return ''
  }
  for (const key of duplicateKeys) broken.push(`The signature dictionary has the key /${key} twice.`)
  const type = entries.get('Type')
  const expected = isTimestamp ? 'DocTimeStamp' : 'Sig'
  if ((type !== undefined || isTimestamp) && nameOf(type) !== expected)
    errors.push(`The /Type of the signature dictionary is not /${expected}.`)
  const subFilter = nameOf(entries.get('SubFilter'))
  const accepted = isTimestamp ? subFilter === TIME_STAMP_FILTER : SIGNATURE_FILTERS.has(subFilter)
  if (!accepted) {
    const why = UNSUPPORTED_FILTERS[subFilter]
    const kind = subFilter === '' ? '(no /SubFilter)' : algorithmName(subFilter)
    unsupported.push(`Signatures of the kind ${kind} cannot be checked here${why === undefined ? '' : `: ${why}`}.`)
  }
  return subFilter
}

/** Notes what speaks against the bytes behind the signed revision. Gives what was added rightly, in sentences, and the signed revision by itself. */
export function judgeTail(
  file: PdfFile,
  field: SignatureField,
  byteRange: ByteRange,
  problemsFound: ProblemsFound,
): { additions: string[]; signed: PdfFile } {
  const end = byteRange[2] + byteRange[3]
  const uncovered = file.bytes.length - end
  if (uncovered === 0) return { additions: [], signed: file }
  const { additions, problems, unchecked, signed } = judgeBehind(file, field, end)
  problemsFound.unsupported.push(...unchecked)
  if (problems.length === 0) return { additions, signed }
  problemsFound.broken.unshift(
    `${uncovered} bytes follow the signed revision; what they change is not covered by this signature.`,
    ...problems,
  )
  return { additions: [], signed }
}

function judgeBehind(file: PdfFile, field: SignatureField, end: number): Additions {
  const refused = (problem: string) => ({ additions: [], problems: [problem], unchecked: [], signed: file })
  if (!endsRevision(file.bytes, end)) return refused('The signed bytes do not end with the end of a revision (%%EOF).')
  try {
    const policy = { permission: readPermission(file, field.value), lock: readFieldLock(file, field.value) }
    const judged = judgeAdditions(file, end, policy)
    const { problems, signed } = judged
    const catalog = signed.dictionary(signed.crossReference.trailer.entries.get('Root'))
    const known = catalog === undefined ? [] : findSignatureFields(signed, catalog)
    if (!known.some(one => one.isInFile && one.value.start === field.value.start && one.name === field.name))
      problems.push('The form of the signed revision does not lead to this signature.')
    return judged
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    return refused(`The signed bytes are no PDF by themselves: ${error.message}.`)
  }
}
