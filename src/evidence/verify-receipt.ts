/**
 * Verifies a receipt from its bytes alone, and compares it with the evidence pack or the sealed PDF
 * beside it. Without file access.
 */
import { isJsonObject, type JsonObject } from '../core/document/logged-facts.ts'
import { indexOfBytes } from '../lib/bytes.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { type Remark, type RemarkCode, remark } from '../locales/remarks.ts'
import { verifyOrigin } from '../pki/trust.ts'
import { type Certificate, certificatesOfPem, commonName, readCertificate, readTrustFile } from '../pki/x509.ts'
import { verifyBytes } from '../verify/verify.ts'
import { openPack, PACK_FILES, type Pack, PackError } from './pack/open-pack.ts'
import type { PackCheck, PackVerdict } from './pack/report.ts'
import { verifyPack } from './pack/verify-pack.ts'
import { findContradiction, type Receipt, receiptIn, valuesHash } from './receipt.ts'
import { readStatement, type SignedStatement, StatementError, type StatementTimestamp } from './signed-statement.ts'

export interface ReceiptOptions {
  /** Certificates of the organisation. Empty: those in the pack. */
  trust: readonly Certificate[]
  /** Authorities of time-stamps. Those in the pack count, too. */
  timestampTrust: readonly Certificate[]
  /** The validation time. */
  now: Date
  /** The evidence pack of the document. */
  pack?: Uint8Array | undefined
  /** The sealed PDF. */
  sealed?: Uint8Array | undefined
}

/** Whose key signed: that of the organisation's seal. */
export interface ReceiptSigner<Reason = Remark> {
  name: string
  certificateSha256: string
  isTrusted: boolean
  /** Where the certificates come from by which it is trusted or not. */
  trustedBy: 'given' | 'pack' | 'nothing'
  /** Why it is not trusted; sentences. */
  reasons: Reason[]
}

export interface ReceiptReport<Check = PackCheck, Reason = Remark> {
  verdict: Exclude<PackVerdict, 'unreadable'>
  receipt: Receipt
  signer: ReceiptSigner<Reason>
  timestamp: (Omit<StatementTimestamp, 'reasons'> & { reasons: Reason[] }) | undefined
  checks: Check[]
}

/** `reason`: a clause. `not-valid`: a receipt, but not as it was signed. */
export interface RefusedReceipt {
  verdict: 'unreadable' | 'not-valid'
  reason: Remark
}

const FALSE: ReadonlySet<RemarkCode> = new Set(['statement_changed', 'statement_signature_wrong', 'statement_weak'])

/** @throws DerError if a certificate in the pack cannot be read */
export function verifyReceipt(bytes: Uint8Array, options: ReceiptOptions): ReceiptReport | RefusedReceipt {
  const beside = options.pack && openBeside(options.pack)
  const timestampTrust = [...options.timestampTrust, ...certificatesIn(beside, PACK_FILES.authorities)]
  try {
    const statement = readStatement(bytes, { timestampTrust, now: options.now })
    return reportOf(statement, receiptIn(statement), beside, { ...options, timestampTrust })
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return { verdict: FALSE.has(error.remark.code) ? 'not-valid' : 'unreadable', reason: error.remark }
  }
}

type OpenedPack = Pack | { problem: Remark }

function openBeside(bytes: Uint8Array): OpenedPack {
  try {
    return openPack(bytes)
  } catch (error) {
    if (error instanceof PackError) return { problem: error.remark }
    throw error
  }
}

function certificatesIn(pack: OpenedPack | undefined, name: string): Certificate[] {
  const bytes = pack === undefined || 'problem' in pack ? undefined : pack.get(name)
  const result = bytes && readTrustFile(bytes)
  return result && 'pem' in result ? certificatesOfPem(result.pem).map(readCertificate) : []
}

function reportOf(
  statement: SignedStatement,
  receipt: Receipt,
  pack: OpenedPack | undefined,
  options: ReceiptOptions,
): ReceiptReport {
  const { timestamp } = statement
  const signer = signerOf(statement, pack, options)
  const contradiction = findContradiction(receipt)
  const checks: PackCheck[] = [
    passed(remark('receipt_unchanged', { name: signer.name, sha256: signer.certificateSha256 })),
    ...(contradiction ? [failed(contradiction)] : [passed(remark('receipt_agrees', { sequence: receipt.entry.sequence }))]),
    timestampCheck(timestamp),
    ...(options.pack ? packChecks(receipt, options.pack, pack, options) : []),
    ...(options.sealed ? fileChecks(receipt, options.sealed, options) : []),
    ...(options.pack ? [] : [note(remark('receipt_without_log', { sequence: receipt.entry.sequence }))]),
  ]
  return { verdict: verdictOf(signer.isTrusted, checks), receipt, signer, timestamp, checks }
}

const passed = (found: Remark): PackCheck => ({ outcome: 'passed', remark: found })
const failed = (found: Remark): PackCheck => ({ outcome: 'failed', remark: found })
const unchecked = (found: Remark): PackCheck => ({ outcome: 'not-checked', remark: found })
const note = (found: Remark): PackCheck => ({ outcome: 'note', remark: found })

function verdictOf(isTrusted: boolean, checks: readonly PackCheck[]): ReceiptReport['verdict'] {
  if (checks.some(({ outcome }) => outcome === 'failed')) return 'not-valid'
  if (!isTrusted) return 'signer-unknown'
  return checks.some(({ outcome }) => outcome === 'not-checked') ? 'not-checked' : 'valid'
}

function signerOf(
  { signer, certificates, timestamp }: SignedStatement,
  pack: OpenedPack | undefined,
  { trust: given, now }: ReceiptOptions,
): ReceiptSigner {
  const ofPack = certificatesIn(pack, PACK_FILES.seal)
  const trust = given.length > 0 ? given : ofPack
  const trustedBy = given.length > 0 ? 'given' : ofPack.length > 0 ? 'pack' : 'nothing'
  const provenAt = timestamp?.verdict === 'trusted' && timestamp.at !== undefined ? new Date(timestamp.at) : undefined
  const companions = certificates.filter(one => one !== signer)
  const { findings } = verifyOrigin({ signer, companions, trust, provenAt, claimedAt: undefined, now })
  const reasons = findings.map(finding => finding.remark)
  const facts = { name: commonName(signer.subject), certificateSha256: sha256Hex(signer.der) }
  return { ...facts, isTrusted: findings.length === 0, trustedBy, reasons }
}

function timestampCheck(timestamp: StatementTimestamp | undefined): PackCheck {
  if (timestamp === undefined) return note(remark('receipt_without_timestamp'))
  const { at = '', authority = '', verdict, reasons } = timestamp
  if (verdict === 'trusted') return passed(remark('receipt_timestamped', { at, authority }))
  if (verdict === 'false') return failed(remark('receipt_timestamp_false', { why: reasons }))
  return note(remark('receipt_timestamp_untrusted', { at, authority, why: reasons }))
}

// The log, as the evidence pack has it.

function packChecks(
  receipt: Receipt,
  bytes: Uint8Array,
  pack: OpenedPack | undefined,
  { trust, timestampTrust, now }: ReceiptOptions,
): PackCheck[] {
  const report = verifyPack(bytes, { trust, timestampTrust, now })
  if (report.verdict === 'unreadable') return [unchecked(remark('receipt_pack_unreadable', { why: report.reason }))]
  if (pack === undefined || 'problem' in pack) return []
  const { instanceId, events } = auditIn(pack)
  if (instanceId !== receipt.instance.id) return [failed(remark('receipt_of_other_instance', { instance: String(instanceId) }))]
  if (report.documentId !== receipt.document.id)
    return [failed(remark('receipt_of_other_document', { document: report.documentId, title: report.title }))]
  const own = events.find(({ sequence }) => sequence === receipt.entry.sequence)
  const { sequence, hash, text } = receipt.entry
  const isThere = own?.hash === hash && own.entry === text
  return [
    isThere ? passed(remark('receipt_entry_in_log', { sequence })) : failed(remark('receipt_entry_not_in_log', { sequence })),
    ...(isThere ? valueChecks(receipt, own) : []),
    ...packVerdictChecks(report.verdict),
  ]
}

/** Its form was checked by `verifyPack`. */
function auditIn(pack: Pack): { instanceId: unknown; events: JsonObject[] } {
  const { instanceId, events } = JSON.parse(new TextDecoder().decode(pack.get(PACK_FILES.audit))) as JsonObject
  return { instanceId, events: Array.isArray(events) ? events.filter(isJsonObject) : [] }
}

function valueChecks({ valuesSha256 }: Receipt, { salt, personal }: JsonObject): PackCheck[] {
  if (typeof salt !== 'string' || !isJsonObject(personal)) return [note(remark('receipt_values_erased'))]
  const isSame = valuesHash(salt, personal) === valuesSha256
  return [isSame ? passed(remark('receipt_values_agree')) : failed(remark('receipt_values_differ'))]
}

function packVerdictChecks(verdict: PackVerdict): PackCheck[] {
  if (verdict === 'valid') return [passed(remark('receipt_pack_valid'))]
  return [verdict === 'not-valid' ? failed(remark('receipt_pack_false')) : unchecked(remark('receipt_pack_unchecked'))]
}

// The sealed file, which begins with the bytes that the person was shown.

function fileChecks({ document }: Receipt, sealed: Uint8Array, { trust, timestampTrust, now }: ReceiptOptions): PackCheck[] {
  if (!beginsWith(sealed, document.sha256)) return [failed(remark('receipt_of_other_file'))]
  const { verdict } = verifyBytes(sealed, trust, timestampTrust, { now })
  const begins = passed(remark('receipt_of_file'))
  if (verdict === 'valid' || verdict === 'valid-changed') return [begins, passed(remark('receipt_file_valid'))]
  return [begins, verdict === 'not-valid' ? failed(remark('receipt_file_false')) : unchecked(remark('receipt_file_unchecked'))]
}

const END_OF_FILE = '%%EOF'
/** Updates that add proofs follow the seal. */
const MAX_ENDS = 64
const MAX_BREAK_BYTES = 2
const LINE_BREAKS: readonly number[] = [0x0a, 0x0d]

/** Whether the bytes up to the end of a revision have this hash. */
function beginsWith(bytes: Uint8Array, sha256: string): boolean {
  let end = indexOfBytes(bytes, END_OF_FILE)
  for (let i = 0; end !== -1 && i < MAX_ENDS; i++) {
    const after = end + END_OF_FILE.length
    for (let to = after; to <= after + MAX_BREAK_BYTES; to++) {
      if (to > after && !LINE_BREAKS.includes(bytes[to - 1] ?? 0)) break
      if (sha256Hex(bytes.subarray(0, to)) === sha256) return true
    }
    end = indexOfBytes(bytes, END_OF_FILE, after)
  }
  return false
}
