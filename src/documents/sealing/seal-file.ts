/** Seals a file: prepares and verifies it in a child, signs and time-stamps it here. */
import { X509Certificate } from 'node:crypto'
import type { FieldAppearance } from '../../appearance/field-appearance.ts'
import { SEAL_SUB_FILTERS, type SealLevel, type SealSubFilter } from '../../core/document/document.ts'
import { violation } from '../../core/violation.ts'
import type { Evidence } from '../../evidence/model.ts'
import { counted } from '../../lib/counted.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { englishOfRemark } from '../../locales/remarks.ts'
import { contentsBytesFor, fill, sign } from '../../pades/cms.ts'
import type { PreparedFile } from '../../pades/revision-file.ts'
import { TimestampError } from '../../pades/timestamp.ts'
import { SealKeyError } from '../../pki/issue.ts'
import type { SealKey } from '../../pki/key.ts'
import { readCertificate } from '../../pki/x509.ts'
import type { App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { timestampCms } from '../../settings/sign-statement.ts'
import { readTimestampSettings } from '../../settings/timestamp-settings.ts'
import type { BaselineLevel, SignatureReport } from '../../verify/report.ts'
import { timestampTrustWith } from '../evidence/verification.ts'
import { type Augmentation, augmentTo, type SealedRevision } from './long-term.ts'

/** What is added to the file beside the signature. */
export interface SealContent {
  fields: FieldAppearance[]
  evidence: Evidence
}

/** What sealing needs of a document. The test page is one too. */
export interface SealSubject {
  /** The document's id, for the log. */
  id: string
  sourcePath: string
  /** The source must have this hash: it is what the signers saw. */
  sourceSha256: string
  /** For the signature dictionary. */
  reason: string
  /** Pictures of the content are temporary files that exist until `work` ends. */
  withContent<T>(work: (content: SealContent) => Promise<T>): Promise<T>
}

export interface SealOptions {
  key: SealKey
  subFilter: SealSubFilter
  /** The level whose parts it is to have. */
  level: SealLevel
}

/** A verified temporary file; the caller discards it. `missing`: why it is below the level. */
export interface SealedCopy extends SealedRevision, OwnVerification {
  certificateSha256: string
}

/** The source is missing or is not the file that the signers saw. The message is a clause. */
export class OriginalMissingError extends Error {
  override name = 'OriginalMissingError'
  constructor(readonly hasChanged: boolean) {
    super(hasChanged ? 'has changed' : 'is missing')
  }
}

/** @throws InvalidSealError, OriginalMissingError, SealKeyError, PdfChildError, TimestampError */
export async function sealFile(app: App, subject: SealSubject, options: SealOptions): Promise<SealedCopy> {
  const { key } = options
  requireValidKey(key, app.now())
  const outPath = app.storage.temporaryPath()
  let path = outPath
  try {
    const { file, failure } = await makeSealedFile(app, subject, options, outPath)
    path = file.path
    if (failure !== undefined) {
      if ((await readTimestampSettings(app)).fallback === 'wait') throw failure
      // The missing revisions are appended later.
      app.log('warn', 'sealed below the configured level', { documentId: subject.id, why: failure.message })
    }
    const { timestampChains } = file
    const timestampTrust = await timestampTrustWith(app, timestampChains)
    const verified = await verifyOwnSeal(app, { path, chain: key.chain, timestampTrust, originalPath: subject.sourcePath })
    const missing = failure === undefined ? file.missing : [...file.missing, failure.message]
    return { ...verified, path, certificateSha256: sha256Hex(key.certificate), timestampChains, missing }
  } catch (error) {
    await app.storage.discard(path)
    throw error
  } finally {
    if (path !== outPath) await app.storage.discard(outPath)
  }
}

/** Readers call a seal invalid that was made outside this time. @throws SealKeyError */
export function requireValidKey({ certificate }: SealKey, now: Date): void {
  const { notBefore, notAfter } = readCertificate(certificate)
  if (now < notBefore) throw new SealKeyError(violation('seal_too_early', { from: notBefore.toISOString() }))
  if (now > notAfter) {
    throw new SealKeyError(violation('seal_ended', { on: notAfter.toISOString() }))
  }
}

/** Seals into `outPath`, then augments the file. */
async function makeSealedFile(app: App, subject: SealSubject, options: SealOptions, outPath: string): Promise<Augmentation> {
  const { key, level } = options
  const prepared = await prepare(app, subject, options, outPath)
  if (prepared.sourceSha256 !== subject.sourceSha256) throw new OriginalMissingError(true)
  const { contents: cms } = await sign(prepared, key)
  const plain = { path: outPath, timestampChains: [], missing: [] }
  if (level === 'B-B') {
    await fill(app.fileSystem, { prepared, contents: cms })
    return { file: plain, failure: undefined }
  }
  try {
    const { cms: contents, path } = await timestampCms(app, cms)
    await fill(app.fileSystem, { prepared, contents })
    return augmentTo(app, { ...plain, timestampChains: [path] }, level, sha256Hex(key.certificate))
  } catch (failure) {
    if (!(failure instanceof TimestampError)) throw failure
    await fill(app.fileSystem, { prepared, contents: cms })
    return { file: plain, failure }
  }
}

async function prepare(
  app: App,
  subject: SealSubject,
  { key, level, subFilter }: SealOptions,
  outPath: string,
): Promise<PreparedFile> {
  const { name } = await readOrganisation(app.db)
  const { sourcePath, reason } = subject
  const contentsBytes = contentsBytesFor(key.chain, level !== 'B-B')
  return subject.withContent(({ fields, evidence }) => {
    const signature = { name, reason, location: undefined, at: evidence.sealedAt, contentsBytes }
    return app.pdf.prepare({ sourcePath, outPath, fields, evidence: { ...evidence, sealSubFilter: subFilter }, signature })
  })
}

// Verifies a file just sealed here, in a child process, and trusts only its own chain.

interface OwnSeal {
  path: string
  /** DER, the sealing certificate first. */
  chain: readonly Uint8Array[]
  /** Certificates under which its time-stamps are trusted, PEM. */
  timestampTrust: string[]
  /** The file must begin with the bytes of this one. */
  originalPath: string
}

interface OwnVerification {
  subFilter: SealSubFilter
  /** The level whose parts it has. */
  level: BaselineLevel
  /** Of the file as it was verified. */
  sha256: string
  bytes: number
}

/** A file sealed here is not valid. It must not be published. The message is a list of clauses. */
export class InvalidSealError extends Error {
  override name = 'InvalidSealError'
}

const levelOf = (subFilter: SealSubFilter, seal: SignatureReport | undefined): BaselineLevel =>
  (subFilter === 'ETSI.CAdES.detached' ? seal?.level : seal?.partsOf) ?? 'B-B'

/** @throws InvalidSealError */
export async function verifyOwnSeal(
  app: Pick<App, 'pdf' | 'now'>,
  { path, chain, timestampTrust, originalPath }: OwnSeal,
): Promise<OwnVerification> {
  const root = chain.at(-1)
  if (root === undefined) throw new Error('a seal has a certificate')
  const trust = [new X509Certificate(root).toString()]
  const report = await app.pdf.verify({ path, trust, timestampTrust, originalPath, now: app.now().toISOString() })
  if (report.verdict === 'unreadable') throw new InvalidSealError(`it cannot be read back: ${englishOfRemark(report.reason)}`)
  const { verdict, sha256, bytes, signatures, reasons } = report
  const seals = signatures.filter(({ kind }) => kind === 'signature')
  const subFilter = SEAL_SUB_FILTERS.find(one => one === seals[0]?.subFilter)
  if (verdict === 'valid' && seals.length === 1 && subFilter !== undefined)
    return { subFilter, level: levelOf(subFilter, seals[0]), sha256, bytes }
  const details = [...reasons, ...signatures.flatMap(signature => signature.reasons)].map(englishOfRemark)
  throw new InvalidSealError([`it is ${verdict}, not valid`, ...details, `it holds ${counted(seals.length, 'seal')}`].join('; '))
}
