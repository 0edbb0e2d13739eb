/**
 * Verifies an evidence pack from its bytes alone: audit trail, hashes, audit certificate, seal and
 * time-stamps. Without file access.
 */
import { differencesFrom } from '../../core/document/logged-facts.ts'
import { EMPTY_BYTES } from '../../lib/bytes.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import { openPdf } from '../../pdf/parser/file.ts'
import { PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { DerError } from '../../pki/der.ts'
import { pathFrom } from '../../pki/trust.ts'
import { type Certificate, certificateSummary, certificatesOfPem, readCertificate, readTrustFile } from '../../pki/x509.ts'
import { verifyBytes } from '../../verify/verify.ts'
import { type AuditFile, isShown, type PackEvent, peopleOf, readAuditFile } from './audit-file.ts'
import { deviceKeyChecks, deviceKeysIn } from './device-keys.ts'
import { openPack, PACK_FILES, type Pack, PackError } from './open-pack.ts'
import { checkFiles } from './pack-files.ts'
import { CertificateTextError, type PrintedFacts, printedFacts } from './printed-facts.ts'
import type { PackCheck, PackReport, UnreadablePack } from './report.ts'

export interface PackOptions {
  /** Certificates of the organisation, from elsewhere. Empty: those in the pack. */
  trust?: readonly Certificate[]
  /** Besides those in the pack. */
  timestampTrust?: readonly Certificate[]
  now?: Date
}

export function verifyPack(bytes: Uint8Array, options: PackOptions = {}): PackReport | UnreadablePack {
  try {
    const pack = openPack(bytes)
    return verifyOpened(pack, readAuditFile(fileIn(pack, PACK_FILES.audit)), options)
  } catch (error) {
    if (error instanceof PackError) return { verdict: 'unreadable', reason: error.remark }
    throw error
  }
}

function fileIn(pack: Pack, name: string): Uint8Array {
  const bytes = pack.get(name)
  if (bytes === undefined) throw new PackError(remark('pack_files_missing', { names: [name] }))
  return bytes
}

function verifyOpened(pack: Pack, audit: AuditFile, options: PackOptions): PackReport {
  const { document, events } = audit
  const completed = events.findLast(({ type }) => type === 'document.completed')
  const sealCertificateSha256 = textOf(completed?.data.sealCertificateSha256)
  const given = options.trust ?? []
  const own = certificatesIn(pack, PACK_FILES.seal)
  const named = own.filter(({ der }) => certificateSummary(der).sha256 === sealCertificateSha256)
  const authorities = certificatesIn(pack, PACK_FILES.authorities)
  const timestampTrust = [...(options.timestampTrust ?? []), ...authorities]
  const sealed = fileIn(pack, PACK_FILES.sealed)
  const trust = given.length > 0 ? given : named
  const seal = verifyBytes(sealed, trust, timestampTrust, options.now ? { now: options.now } : {})
  const printed = readPrinted(pack)
  const deviceKeys = deviceKeysIn(audit)
  const checks = [
    ...checkFiles(pack, audit),
    ...audit.checks,
    ...deviceKeyChecks(deviceKeys),
    ...sealChecks(seal, sealCertificateSha256),
    ...levelNotes(seal, events),
    ...(sealCertificateSha256 === undefined || named.length > 0 ? [] : [failed(remark('seal_certificate_missing'))]),
    ...issuerChecks(own, certificatesIn(pack, PACK_FILES.sealChain)),
    ...authorityNotes(authorities),
    ...certificateChecks(audit, printed),
    ...pageChecks(pack.get(PACK_FILES.page), printed),
  ]
  return {
    verdict: verdictOf(seal.verdict, checks),
    documentId: String(document.id),
    title: textOf(document.title) ?? '',
    people: peopleOf(audit, deviceKeys),
    trustedBy: given.length > 0 ? 'given' : 'pack',
    sealCertificateSha256,
    seal,
    sealedEntry: 'entry' in printed ? printed.entry : undefined,
    checks,
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const passed = (found: Remark): PackCheck => ({ outcome: 'passed', remark: found })
const failed = (found: Remark): PackCheck => ({ outcome: 'failed', remark: found })
const note = (found: Remark): PackCheck => ({ outcome: 'note', remark: found })

/** @throws PackError */
function certificatesIn(pack: Pack, name: string): Certificate[] {
  const bytes = pack.get(name) ?? EMPTY_BYTES
  // A certificate that nobody issued has no chain.
  if (bytes.length === 0) return []
  const result = readTrustFile(bytes)
  if ('error' in result) throw new PackError(remark('pack_certificates_unusable', { name, cause: result.error }))
  return certificatesOfPem(result.pem).map(readCertificate)
}

function verdictOf(seal: string, checks: readonly PackCheck[]): PackReport['verdict'] {
  if (seal === 'signer-unknown' || seal === 'not-checked' || seal === 'valid') {
    if (checks.some(({ outcome }) => outcome === 'failed')) return 'not-valid'
    if (seal === 'not-checked' || checks.some(({ outcome }) => outcome === 'not-checked')) return 'not-checked'
    return seal
  }
  return 'not-valid'
}

function sealChecks(seal: PackReport['seal'], sealCertificateSha256: string | undefined): PackCheck[] {
  if (sealCertificateSha256 === undefined) return [failed(remark('seal_not_logged'))]
  if (seal.verdict === 'unreadable') return [failed(remark('seal_unreadable', { why: seal.reason }))]
  const own = seal.signatures.filter(({ kind }) => kind === 'signature')
  const isOwn = own.length > 0 && own.every(({ certificateSha256 }) => certificateSha256 === sealCertificateSha256)
  if (!isOwn) return [failed(remark('seal_by_another'))]
  return [passed(remark('seal_as_logged'))]
}

/** As the log says it: without the authorities, only a lower one can be proven here. */
function levelNotes(seal: PackReport['seal'], events: readonly PackEvent[]): PackCheck[] {
  const logged = events.findLast(({ data }) => data.sealedSha256 !== undefined)?.data.sealLevel
  const [own] = seal.verdict === 'unreadable' ? [] : seal.signatures.filter(({ kind }) => kind === 'signature')
  const rank = (level: string | undefined) => LEVELS.indexOf(level ?? '')
  if (typeof logged !== 'string' || rank(logged) <= Math.max(0, rank(own?.partsOf))) return []
  return [note(remark('seal_level_lower', { logged, found: own?.partsOf ?? 'B-B' }))]
}

const LEVELS: readonly string[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']

const described = ({ der }: Certificate): string => {
  const { subject, sha256 } = certificateSummary(der)
  return `${subject} (SHA-256 ${sha256})`
}

/** Each pair may cost a verification of a signature. */
const MAX_COMPARED = 64

/** Other programs may build paths by them. */
function issuerChecks(certificates: readonly Certificate[], issuers: readonly Certificate[]): PackCheck[] {
  if (certificates.length > MAX_COMPARED || issuers.length > MAX_COMPARED) return [note(remark('issuers_too_many'))]
  const onPaths = new Set(certificates.flatMap(certificate => pathFrom(certificate, issuers).slice(1)))
  const unrelated = issuers.filter(issuer => !onPaths.has(issuer))
  if (unrelated.length > 0) return [failed(remark('issuers_unrelated', { names: unrelated.map(described) }))]
  return issuers.length > 0 ? [passed(remark('issuers_as_named', { count: issuers.length }))] : []
}

const authorityNotes = (authorities: readonly Certificate[]): PackCheck[] =>
  authorities.length === 0 ? [] : [note(remark('authorities_of_pack', { names: authorities.map(described) }))]

type Printed = PrintedFacts | { problem: Remark }

function readPrinted(pack: Pack): Printed {
  try {
    const open = (name: string) => openPdf(fileIn(pack, name), { decrypts: true })
    return printedFacts(open(PACK_FILES.sealed), open(PACK_FILES.original))
  } catch (error) {
    if (error instanceof CertificateTextError || error instanceof PdfSyntaxError) return { problem: error.remark }
    if (error instanceof DerError) return { problem: remark('printed_unreadable', { cause: error.message }) }
    throw error
  }
}

/** After the seal nobody signs, and nothing about people or the document changes. */
const AFTER_SEAL: ReadonlySet<string> = new Set([
  ...['document.completed', 'document.seal_augmented', 'document.sealing_failed', 'document.viewed', 'document.owner_changed'],
  ...['document.legal_hold_set', 'document.legal_hold_lifted', 'recipient.notified', 'recipient.email_accepted'],
  ...['recipient.email_written', 'recipient.email_failed', 'recipient.access_code_failed', 'recipient.access_code_accepted'],
  ...['recipient.access_code_locked', 'recipient.access_code_unlocked', 'recipient.code_sent', 'recipient.code_failed'],
  'recipient.identified',
  ...['recipient.link_created', 'recipient.link_opened'],
])

function certificateChecks({ events, document, instanceId, environment }: AuditFile, printed: Printed): PackCheck[] {
  if ('problem' in printed) return [{ outcome: 'not-checked', remark: remark('printed_unknown', { why: printed.problem }) }]
  const { entry } = printed
  const at = events.findIndex(({ hash, sequence }) => hash === entry.hash && sequence === entry.sequence)
  const { page, sequence } = entry
  if (at === -1) return [failed(remark('printed_hash_unknown', { page, sequence }))]
  const later = events.slice(at + 1)
  const wrong = later.filter(({ type }) => !AFTER_SEAL.has(type))
  return [
    passed(remark('printed_entry_found', { page, sequence, count: at + 1 })),
    ...wrong.map((one): PackCheck => failed(remark('entry_after_seal', { sequence: one.sequence, type: one.type }))),
    ...sealedDocumentChecks(events.slice(0, at + 1), document),
    ...instanceChecks(printed, instanceId, environment),
    ...(later.length > 0 ? [afterSeal(later)] : []),
  ]
}

/** A page in a false pack could call anything valid: the sealed file names the true one. */
function pageChecks(page: Uint8Array | undefined, printed: Printed): PackCheck[] {
  const named = 'verifyPages' in printed ? printed.verifyPages : []
  if (page === undefined) return named.length > 0 ? [note(remark('page_missing'))] : []
  if (named.length === 0) return [note(remark('page_not_printed', { sha256: sha256Hex(page) }))]
  return named.length === 1 && named[0] === sha256Hex(page)
    ? [passed(remark('page_as_printed'))]
    : [failed(remark('page_differs'))]
}

function afterSeal(later: readonly PackEvent[]): PackCheck {
  const names = later.map(({ sequence, type }) => `${sequence} ${type}`)
  return note(remark('entries_not_sealed', { names }))
}

/** What was agreed must follow from the entries that the seal covers. */
function sealedDocumentChecks(covered: readonly PackEvent[], document: AuditFile['document']): PackCheck[] {
  const isLater = (member: string) =>
    /^(status|completedAt|sealLevel|sha256\.sealed)$|^recipients\[\w+\]\.(status|viewedAt|sentAt)$/.test(member)
  const wrong = differencesFrom(covered, document, member => !isLater(member) && isShown(member))
  return wrong.map(({ member }) => failed(remark('sealed_entries_differ', { member })))
}

function instanceChecks(printed: PrintedFacts, instanceId: string, environment: string): PackCheck[] {
  if (printed.instanceId === instanceId && printed.environment === environment)
    return [passed(remark('printed_instance_agrees', { instance: instanceId, environment }))]
  return [failed(remark('printed_instance_differs'))]
}
