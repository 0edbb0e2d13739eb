/** Verifies any PDF as `signet verify` does, and looks its hash up among the sealed versions. */
import { maySign, mustAct } from '../../core/signing/routing.ts'
import type { Actor, App } from '../../ports.ts'
import { sealOrganisation, trustedRoots } from '../../settings/seal-certificate.ts'
import { allRevocationLists } from '../../settings/seal-root.ts'
import { pemOf, readServiceSettings } from '../../settings/service-settings.ts'
import type { Upload } from '../../storage/file-store.ts'
import type { UnreadableReport, VerificationReport } from '../../verify/report.ts'
import * as queries from '../queries.ts'
import { sealedVersion, timestampChains } from '../sealing/sealed-queries.ts'

export interface Verification {
  report: VerificationReport | UnreadableReport
  record: SealRecord
  /** The organisation in the certificate of this instance that made an intact seal of the file. */
  sealer: string | undefined
}

/**
 * Whether this instance sealed exactly these bytes. Whoever has them may know who signed and when:
 * the audit certificate in them says so. They do not say the `documentId`.
 */
export type SealRecord =
  | {
      known: true
      completedAt: Date
      documentId: string
      title: string
      people: { name: string; hasSigned: boolean; at: Date }[]
    }
  | { known: false }

export interface OwnTrust {
  trust: string[]
  timestampTrust: string[]
  /** DER, base64. */
  revocationLists: string[]
}

/** All that this instance knows of signers and authorities. */
export async function ownTrust(app: App): Promise<OwnTrust> {
  const lists = await allRevocationLists(app)
  return { ...(await trustOf(app)), revocationLists: lists.map(list => Buffer.from(list).toString('base64')) }
}

/** The roots of all seal certificates of this instance, and of its time-stamp authorities. PEM. */
export async function trustOf(
  app: Pick<App, 'db' | 'config' | 'secrets' | 'fileSystem'>,
): Promise<{ trust: string[]; timestampTrust: string[] }> {
  const { tsaCaFile } = await readServiceSettings(app)
  const [seen, configured] = [await timestampChains(app.db), await pemOf(app, tsaCaFile.value)]
  return { trust: await trustedRoots(app.db), timestampTrust: [...seen, ...(configured === undefined ? [] : [configured])] }
}

/** The trusted time-stamp authorities, and the roots of time-stamps not stored yet. PEM. */
export async function timestampTrustWith(
  app: Pick<App, 'db' | 'config' | 'secrets' | 'fileSystem'>,
  stamps: readonly (readonly { der: Uint8Array }[])[],
): Promise<string[]> {
  const { certificatePem } = await import('../../pki/x509.ts')
  const { timestampTrust } = await trustOf(app)
  return [...timestampTrust, ...stamps.flatMap(path => path.slice(-1)).map(({ der }) => certificatePem(der))]
}

/** A sealed file may be larger than the upload by this much. */
const MAX_SEAL_BYTES = 32_000_000

export function verifiableBytes({ config }: Pick<App, 'config'>): number {
  return config.maxPdfBytes + MAX_SEAL_BYTES
}

/** Without an actor, callers must not show the `documentId`. Stores nothing. */
export async function verifyUpload(app: App, { path }: Upload, actor: Actor | undefined): Promise<Verification> {
  const order = {
    path,
    ...(await ownTrust(app)),
    now: app.now().toISOString(),
    originalPath: undefined,
    isPublic: actor === undefined,
  }
  const report = await app.pdf.verify(order)
  if (report.verdict === 'unreadable') return { report, record: { known: false }, sealer: undefined }
  return { report, record: await recordOf(app, report.sha256, actor), sealer: await sealerIn(app.db, report) }
}

/** The organisation in the certificate of this instance that made an intact seal of the file. */
export async function sealerIn(db: App['db'], { signatures }: VerificationReport): Promise<string | undefined> {
  const intact = signatures.filter(({ kind, integrity }) => kind === 'signature' && integrity === 'intact')
  for (const { certificateSha256 } of intact) {
    const organisation = await sealOrganisation(db, certificateSha256)
    if (organisation !== undefined) return organisation
  }
  return undefined
}

export async function recordOf(app: App, sha256: string, actor: Actor | undefined): Promise<SealRecord> {
  const version = await sealedVersion(app.db, sha256)
  const document = version && (await queries.find(app.db, version.documentId))
  if (!document?.completedAt) return { known: false }
  // A member does not learn of another member's documents.
  if (actor && !actor.seesAll && document.ownerId !== actor.userId) return { known: false }
  const { id: documentId, title, completedAt, recipients } = document
  const people = recipients.flatMap(({ name, role, signedAt }) =>
    signedAt && mustAct({ role }) ? [{ name, hasSigned: maySign(role), at: signedAt }] : [],
  )
  return { known: true, completedAt, documentId, title, people: people.sort((a, b) => a.at.getTime() - b.at.getTime()) }
}
