/**
 * Verifies an evidence pack from its bytes alone: audit trail, hashes, audit certificate, seal and
 * time-stamps. Without file access.
 */
import { differencesFrom } from '../../core/document/logged-facts.ts'
import { openPdf } from '../../pdf/parser/file.ts'
import { PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { DerError } from '../../pki/der.ts'
import { readTrustFile } from '../../pki/trust-file.ts'
import { type Certificate, certificateSummary, certificatesOfPem, readCertificate } from '../../pki/x509.ts'
import { verifyBytes } from '../../verify/verify.ts'
import { type AuditFile, isShown, type PackEvent, peopleOf, readAuditFile } from './audit-file.ts'
import { checkFiles } from './check-files.ts'
import { openPack, PACK_FILES, type Pack, PackError } from './open-pack.ts'
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
    if (error instanceof PackError) return { verdict: 'unreadable', reason: error.message }
    throw error
  }
}

function fileIn(pack: Pack, name: string): Uint8Array {
  const bytes = pack.get(name)
  if (bytes === undefined) throw new PackError(`it lacks ${name}`)
  return bytes
}

function verifyOpened(pack: Pack, audit: AuditFile, options: PackOptions): PackReport {
  const { document, events } = audit
  const completed = events.findLast(({ type }) => type === 'document.completed')
  const sealCertificateSha256 = textOf(completed?.data.sealCertificateSha256)
  const given = options.trust ?? []
  const trust = given.length > 0 ? given : certificatesIn(pack, PACK_FILES.seal).filter(hasFingerprint(sealCertificateSha256))
  const timestampTrust = [...(options.timestampTrust ?? []), ...certificatesIn(pack, PACK_FILES.authorities)]
  const seal = verifyBytes(fileIn(pack, PACK_FILES.sealed), trust, timestampTrust, options.now ? { now: options.now } : {})
  const printed = readPrinted(pack)
  const checks = [
    ...checkFiles(pack, audit),
    ...audit.checks,
    ...sealChecks(seal, sealCertificateSha256),
    ...certificateChecks(audit, printed),
  ]
  return {
    verdict: verdictOf(seal.verdict, checks),
    documentId: String(document.id),
    title: textOf(document.title) ?? '',
    people: peopleOf(audit),
    trustedBy: given.length > 0 ? 'given' : 'pack',
    sealCertificateSha256,
    seal,
    sealedEntry: 'entry' in printed ? printed.entry : undefined,
    checks,
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const hasFingerprint = (sha256: string | undefined) => (certificate: Certificate) =>
  certificateSummary(certificate.der).sha256 === sha256

/** @throws PackError */
function certificatesIn(pack: Pack, name: string): Certificate[] {
  const bytes = pack.get(name)
  if (bytes === undefined) return []
  const result = readTrustFile(bytes)
  if ('error' in result) throw new PackError(`${name} in it cannot be used: ${result.error}`)
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
  if (sealCertificateSha256 === undefined)
    return [{ outcome: 'failed', text: 'The log does not say that the document was completed and sealed.' }]
  if (seal.verdict === 'unreadable') return [{ outcome: 'failed', text: `sealed.pdf cannot be read: ${seal.reason}.` }]
  const own = seal.signatures.filter(({ kind }) => kind === 'signature')
  const isOwn = own.length > 0 && own.every(({ certificateSha256 }) => certificateSha256 === sealCertificateSha256)
  if (!isOwn)
    return [{ outcome: 'failed', text: 'sealed.pdf is not sealed by the certificate that the log names, or not by it alone.' }]
  return [{ outcome: 'passed', text: 'sealed.pdf is sealed by the certificate that the log names.' }]
}

type Printed = PrintedFacts | { problem: string }

function readPrinted(pack: Pack): Printed {
  try {
    const [sealed, original] = [PACK_FILES.sealed, PACK_FILES.original].map(name =>
      openPdf(fileIn(pack, name), { decrypts: true }),
    )
    return sealed && original ? printedFacts(sealed, original) : { problem: 'a file is missing' }
  } catch (error) {
    if (error instanceof CertificateTextError || error instanceof PdfSyntaxError || error instanceof DerError)
      return { problem: error.message }
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
  if ('problem' in printed)
    return [{ outcome: 'not-checked', text: `sealed.pdf does not show which entry was the newest: ${printed.problem}.` }]
  const { entry } = printed
  const at = events.findIndex(({ hash, sequence }) => hash === entry.hash && sequence === entry.sequence)
  const where = `Page ${entry.page} of sealed.pdf, the audit certificate, prints entry ${entry.sequence} of the log`
  if (at === -1) return [{ outcome: 'failed', text: `${where}, with a hash that no event of audit.json has.` }]
  const later = events.slice(at + 1)
  const wrong = later.filter(({ type }) => !AFTER_SEAL.has(type))
  return [
    { outcome: 'passed', text: `${where} with its hash: the seal covers all ${at + 1} events up to it.` },
    ...wrong.map(
      ({ type, sequence }): PackCheck => ({
        outcome: 'failed',
        text: `Entry ${sequence} (${type}) comes after the seal, which is impossible.`,
      }),
    ),
    ...sealedDocumentChecks(events.slice(0, at + 1), document),
    ...instanceChecks(printed, instanceId, environment),
    ...(later.length > 0 ? [afterSeal(later)] : []),
  ]
}

function afterSeal(later: readonly PackEvent[]): PackCheck {
  const list = later.map(({ sequence, type }) => `${sequence} ${type}`).join(', ')
  return {
    outcome: 'note',
    text: `The seal does not cover the entries after it (${list}): only the log of the service, or a checkpoint of it, shows them.`,
  }
}

/** What was agreed must follow from the entries that the seal covers. */
function sealedDocumentChecks(covered: readonly PackEvent[], document: AuditFile['document']): PackCheck[] {
  const isLater = (member: string) =>
    /^(status|completedAt|sealLevel|sha256\.sealed)$|^recipients\[\w+\]\.(status|viewedAt|sentAt)$/.test(member)
  const wrong = differencesFrom(covered, document, member => !isLater(member) && isShown(member))
  return wrong.map(({ member }) => ({
    outcome: 'failed',
    text: `The entries that the seal covers say another ${member} than audit.json.`,
  }))
}

function instanceChecks(printed: PrintedFacts, instanceId: string, environment: string): PackCheck[] {
  if (printed.instanceId === instanceId && printed.environment === environment)
    return [{ outcome: 'passed', text: `The audit certificate names the same instance: ${instanceId}, ${environment}.` }]
  return [{ outcome: 'failed', text: 'The audit certificate names another instance or environment than audit.json.' }]
}
