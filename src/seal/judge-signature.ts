/**
 * Judges one signature of a PDF: that its dictionary is what the standard asks, that the signed bytes are exactly the file but for its own
 * /Contents, that the CMS holds, and where its certificate comes from. ISO 32000-2 §12.8.1; EN 319 142-1 §6.3.
 */

import type { PdfFile } from '../pdf/file.ts'
import type { SignatureReport } from '../pdf/order.ts'
import type { PdfDictionary, PdfValue } from '../pdf/syntax.ts'
import { algorithmName } from './algorithm.ts'
import { type ByteRange, byteRangeFault, digestRanges, readGap } from './byte-range.ts'
import { type Certificate, commonName, fingerprint } from './certificate.ts'
import { type CmsVerdict, judgeCms, readSignedCms } from './cms-read.ts'
import { DerError } from './der.ts'
import { certificationLevel, readDate, type SignatureField } from './signature-fields.ts'
import { judgeOrigin } from './trust.ts'

const SUB_FILTERS = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached'])

/** What was found so far. `broken` speaks against integrity, `faults` against anything else; sentences. */
interface Findings {
  broken: string[]
  faults: string[]
}

const nameOf = (value: PdfValue | undefined): string => (value?.kind === 'name' ? value.value : '')

/** The four integers, direct in the dictionary, or undefined with the reason noted. */
function readByteRange(dictionary: PdfDictionary, size: number, { broken }: Findings): ByteRange | undefined {
  const value = dictionary.entries.get('ByteRange')
  if (value?.kind !== 'array') {
    broken.push(value === undefined ? '/ByteRange is missing.' : '/ByteRange is not a direct array.')
    return undefined
  }
  const numbers = value.items.map(item => (item.kind === 'number' && item.integer ? item.value : Number.NaN))
  const fault = byteRangeFault(numbers, size)
  if (fault !== undefined) {
    broken.push(`${fault}.`)
    return undefined
  }
  const [start = 0, first = 0, second = 0, length = 0] = numbers
  return [start, first, second, length]
}

/** The gap's value, when the gap is exactly the hexadecimal string of this dictionary's /Contents. */
function readContents(
  file: PdfFile,
  field: SignatureField,
  [, first, second]: ByteRange,
  findings: Findings,
): { gap: Uint8Array; lowerCase: boolean } | undefined {
  const { broken } = findings
  const value = field.value.entries.get('Contents')
  if (value?.kind !== 'string' || !value.hex) {
    broken.push(value === undefined ? '/Contents is missing.' : '/Contents is not a direct hexadecimal string.')
    return undefined
  }
  if (!field.inFile || value.start !== first || value.end !== second) {
    broken.push('The gap of /ByteRange is not exactly the /Contents of its signature dictionary.')
    return undefined
  }
  const gap = readGap(file.bytes.subarray(first, second))
  if (gap === undefined) {
    broken.push('/Contents holds something other than hexadecimal digits.')
    return undefined
  }
  if (gap.letters === 'mixed')
    findings.faults.push('/Contents mixes upper-case and lower-case digits: it was touched after it was written.')
  return { gap: gap.bytes, lowerCase: gap.letters === 'lower' }
}

function checkDictionary(dictionary: PdfDictionary, { broken, faults }: Findings): string {
  const { entries, doubled } = dictionary
  for (const key of doubled) broken.push(`The signature dictionary has the key /${key} twice.`)
  const type = entries.get('Type')
  if (type !== undefined && nameOf(type) !== 'Sig') faults.push('The /Type of the signature dictionary is not /Sig.')
  const subFilter = nameOf(entries.get('SubFilter'))
  if (!SUB_FILTERS.has(subFilter)) {
    broken.push(
      `Signatures of the kind ${subFilter === '' ? '(no /SubFilter)' : algorithmName(subFilter)} cannot be judged here.`,
    )
  }
  return subFilter
}

function judgeContents(
  file: PdfFile,
  field: SignatureField,
  byteRange: ByteRange,
  subFilter: string,
  findings: Findings,
): { verdict: CmsVerdict; companions: readonly Certificate[] } | undefined {
  const contents = readContents(file, field, byteRange, findings)
  if (contents === undefined || findings.broken.length > 0) return undefined
  try {
    const cms = readSignedCms(contents.gap)
    const certifies = certificationLevel(file, field.value) === 1
    const verdict = judgeCms({ cms, digest: hash => digestRanges(file.bytes, byteRange, hash), subFilter, certifies })
    if (verdict.ownForm && !contents.lowerCase)
      findings.faults.push('/Contents is not in lower-case digits, as a seal of this form has it.')
    findings.broken.push(...verdict.broken)
    findings.faults.push(...verdict.faults)
    return { verdict, companions: cms.certificates.filter(one => one !== verdict.signer) }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    findings.broken.push(`The CMS is refused: ${error.message}.`)
    return undefined
  }
}

/** The verdict on one field's signature. `trust` are the certificates trusted as origin. @throws PdfSyntaxError when what the dictionary points to cannot be read */
export function judgeSignature(file: PdfFile, field: SignatureField, trust: readonly Certificate[]): SignatureReport {
  const findings: Findings = { broken: [], faults: [] }
  const subFilter = checkDictionary(field.value, findings)
  const at = readDate(file.resolve(field.value.entries.get('M')).value)
  const byteRange = readByteRange(field.value, file.bytes.length, findings)
  const judged = byteRange === undefined ? undefined : judgeContents(file, field, byteRange, subFilter, findings)
  const signer = judged?.verdict.signer
  const origin = signer === undefined ? undefined : judgeOrigin({ signer, companions: judged?.companions ?? [], trust, at })
  const uncovered = byteRange === undefined ? undefined : file.bytes.length - byteRange[2] - byteRange[3]
  const tail =
    uncovered === undefined || uncovered === 0
      ? []
      : [`${uncovered} bytes follow the signed revision; what they change is not covered by this signature.`]
  return {
    field: field.name,
    subFilter,
    signer: signer === undefined ? '' : commonName(signer.subject),
    claimedAt: at?.toISOString(),
    certificateSha256: signer === undefined ? '' : fingerprint(signer.der),
    coversWholeFile: uncovered === 0,
    integrity: findings.broken.length === 0 ? 'sound' : 'broken',
    origin: origin?.trusted === true ? 'trusted' : 'untrusted',
    reasons: [...findings.broken, ...tail, ...findings.faults, ...(origin?.reasons ?? [])],
  }
}
