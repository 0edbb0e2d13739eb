/**
 * The certificate that seals: made at the first start, renewed in time or imported; private keys kept under the master key, older ones kept
 * for ever. A change takes effect at the next seal, also when another process makes it.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent } from '../core/event.ts'
import { Refusal } from '../core/refusal.ts'
import type { Db, Tx } from '../db/open.ts'
import { sha256Hex } from '../lib/token.ts'
import type { RevocationReason } from '../pki/issue-crl.ts'
import type { KeyAndCertificate, KeyType, SealKey } from '../pki/key.ts'
import { SealKeyError } from '../pki/seal-key-error.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { organisation as organisationOf } from './organisation.ts'
import * as queries from './queries.ts'
import { allRevocationLists, derOfPem, newRootRow, openRoot, rootRevocationList } from './seal-root.ts'

type Deps = Pick<App, 'db' | 'write' | 'secrets' | 'newId' | 'now' | 'instance' | 'config' | 'log'>

const DAY_MS = 86_400_000
/** So long before the end of an own certificate its successor is made. */
export const RENEW_DAYS = 90
/** Days before the end of an imported certificate, and its end. */
const WARN_DAYS = [30, 7, 1, 0]

const leafSecret = (id: string) => `seal-certificate:${id}`

async function newRow(app: Deps, rootId: string | undefined, leaf: KeyAndCertificate, issuers: readonly Uint8Array[]) {
  const [{ certificatePem, readCertificate }, { keyTypeOf }] = await Promise.all([
    import('../pki/x509.ts'),
    import('../pki/key.ts'),
  ])
  const { notAfter, publicKey } = readCertificate(leaf.certificateDer)
  const id = app.newId('crt')
  const row: queries.NewSealCertificate = {
    id,
    rootId,
    chain: [leaf.certificateDer, ...issuers].map(certificatePem).join(''),
    sha256: sha256Hex(leaf.certificateDer),
    algorithm: keyTypeOf(publicKey),
    sealedKey: app.secrets.encrypt(leafSecret(id), leaf.privateKeyPkcs8Der),
    createdAt: app.now(),
    notAfter,
  }
  return row
}

/** Where others can fetch a root's revocation list: nowhere while the service is only reached from its own machine. */
export function crlUrlOf({ config }: Pick<App, 'config'>, rootId: string): string | undefined {
  const { hostname } = new URL(config.baseUrl)
  const isOwn = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
  return isOwn ? undefined : `${config.baseUrl}/seal.crl?root=${rootId}`
}

interface Made {
  root: queries.SealRootRow | undefined
  certificate: queries.NewSealCertificate
}

async function makeUnderNewRoot(app: Deps, organisation: string, keyType: KeyType): Promise<Made> {
  const { makeAuthority } = await import('../pki/key.ts')
  const { environment } = app.instance
  const rootId = app.newId('crt')
  const { root, leaf } = await makeAuthority({
    organisation,
    environment,
    keyType,
    now: app.now(),
    crlUrl: crlUrlOf(app, rootId),
  })
  return { root: await newRootRow(app, rootId, root), certificate: await newRow(app, rootId, leaf, [root.certificateDer]) }
}

async function makeUnder(app: Deps, row: queries.SealRootRow, organisation: string, keyType: KeyType): Promise<Made> {
  const { issueLeaf } = await import('../pki/key.ts')
  const root = await openRoot(app, row)
  const { environment } = app.instance
  const leaf = await issueLeaf(root, { organisation, environment, keyType, now: app.now(), crlUrl: crlUrlOf(app, row.id) })
  return { root: undefined, certificate: await newRow(app, row.id, leaf, [root.certificateDer]) }
}

async function keep(tx: Tx, { root, certificate }: Made): Promise<void> {
  if (root) await queries.addSealRoot(tx, root)
  await queries.addSealCertificate(tx, certificate)
}

/** Makes an own authority for the organisation; what is answered stores it and lets its leaf seal from then on. */
export async function prepareSealCertificate(app: Deps, organisation: string): Promise<(tx: Tx) => Promise<void>> {
  const made = await makeUnderNewRoot(app, organisation, app.config.sealKeyType)
  return tx => keep(tx, made)
}

/** The same, stored at once. */
export async function createSealCertificate(app: Deps, organisation: string): Promise<void> {
  await app.write(await prepareSealCertificate(app, organisation))
}

/** The root to go on with: the one at work, or the newest; none when it ends before a new leaf would. */
async function rootToGoOn(app: Deps, rootId: string | undefined): Promise<queries.SealRootRow | undefined> {
  const { LEAF_YEARS, yearsLater } = await import('../pki/key.ts')
  const roots = await queries.sealRoots(app.db)
  const root = rootId === undefined ? roots[0] : roots.find(row => row.id === rootId)
  return root && root.notAfter >= yearsLater(app.now(), LEAF_YEARS) ? root : undefined
}

/**
 * A new leaf with a new key under the same root, or under a new root when the old one ends too soon. Older ones are kept.
 * An imported certificate is replaced by an own one only when that is said. @throws Refusal
 */
export async function renewSealCertificate(app: Deps, origin: Origin, how?: 'replace imported'): Promise<SealCertificate> {
  const active = await activeRow(app.db)
  if (!active.rootId && how !== 'replace imported') {
    throw new Refusal('invalid_state', 'The certificate that seals was imported, so its successor must be imported too.')
  }
  const { name } = await organisationOf(app.db)
  const keyType = app.config.sealKeyType
  const root = await rootToGoOn(app, active.rootId)
  const made = root ? await makeUnder(app, root, name, keyType) : await makeUnderNewRoot(app, name, keyType)
  await app.write(async tx => {
    await demandStillActive(tx, active.id)
    await keep(tx, made)
    await tellOf(tx, app, 'seal_certificate.renewed', made.certificate, active, origin)
  })
  return describeSealCertificate(app.db)
}

/** Tells the audit log which certificate seals from now on, and which did so before. */
async function tellOf(
  tx: Tx,
  app: Deps,
  type: InstanceEvent,
  { sha256 }: Pick<queries.SealCertificateRow, 'sha256'>,
  before: queries.SealCertificateRow | undefined,
  origin: Origin,
): Promise<void> {
  await appendInstanceEvent(tx, app, { type, data: { sha256, previousSha256: before?.sha256 ?? null } }, origin)
}

async function demandStillActive(tx: Tx, id: string): Promise<void> {
  if ((await activeRow(tx)).id === id) return
  throw new Refusal('invalid_state', 'Another certificate has become the one that seals meanwhile; nothing was changed.')
}

/**
 * Reads a PKCS#12 file, seals a test page with its key (`test` returns the reason if the page is not valid), and makes it the certificate that seals.
 * @throws SealKeyError with the reason in words; Refusal. Nothing is changed then.
 */
export async function importSealCertificate(
  app: Deps,
  origin: Origin,
  file: Uint8Array,
  passphrase: string,
  test: (key: SealKey) => Promise<string | undefined>,
): Promise<SealCertificate> {
  const [{ readPkcs12 }, { localKey }] = await Promise.all([import('../pki/pkcs12.ts'), import('../pki/key.ts')])
  const imported = await readPkcs12(file, passphrase, app.now())
  const problem = await test(localKey(imported))
  if (problem !== undefined) throw new SealKeyError(`A test page sealed with this key is not valid: ${problem}.`)
  const row = await newRow(app, undefined, imported.leaf, imported.issuers)
  await app.write(async tx => {
    const [before, known] = [await queries.activeSealCertificate(tx), await queries.findSealCertificate(tx, row.sha256)]
    if (known?.revokedAt) throw new Refusal('invalid_state', 'This certificate was revoked here: it cannot seal again.')
    if (known?.isActive) return
    if (known) await queries.activateSealCertificate(tx, known.id)
    else await queries.addSealCertificate(tx, row)
    await tellOf(tx, app, 'seal_certificate.imported', row, before, origin)
  })
  return describeSealCertificate(app.db)
}

/** For the schedule: an own certificate and the revocation lists are renewed in time, the end of an imported one is told in the log. */
export async function renewWhenDue(app: Deps): Promise<void> {
  await allRevocationLists(app)
  const active = await queries.activeSealCertificate(app.db)
  if (!active) return
  const daysLeft = (active.notAfter.getTime() - app.now().getTime()) / DAY_MS
  if (!active.rootId) return warnOf(app, active, daysLeft)
  if (daysLeft >= RENEW_DAYS) return
  const { subject, sha256, notAfter } = await renewSealCertificate(app, SYSTEM)
  app.log('info', 'seal certificate renewed', { subject, sha256, notAfter: notAfter.toISOString() })
}

/** Once for each step. */
async function warnOf(app: Deps, row: queries.SealCertificateRow, daysLeft: number): Promise<void> {
  const step = WARN_DAYS.findLast(days => daysLeft <= days)
  if (step === undefined || (row.warnedDays !== undefined && row.warnedDays <= step)) return
  const what =
    daysLeft <= 0
      ? 'the seal certificate has ended: import its successor'
      : 'the seal certificate ends soon: import its successor'
  app.log('warn', what, { sha256: row.sha256, notAfter: row.notAfter.toISOString(), days: Math.floor(daysLeft) })
  await app.write(tx => queries.markWarned(tx, row.id, step), { wake: false })
}

/** Gives the active certificate's key, ready to sign; opened once for each certificate that becomes the active one. */
export function createSealKeyLoader(app: Pick<Deps, 'db' | 'secrets'>): () => Promise<SealKey> {
  let opened: { id: string; key: SealKey } | undefined
  return async () => {
    const row = await activeRow(app.db)
    if (opened?.id !== row.id) opened = { id: row.id, key: await openSealKey(app, row) }
    return opened.key
  }
}

async function openSealKey({ secrets }: Pick<Deps, 'secrets'>, row: queries.SealCertificateRow): Promise<SealKey> {
  const { localKey } = await import('../pki/key.ts')
  const [leaf, ...issuers] = await derOfPem(row.chain)
  if (!leaf) throw new Error(`seal certificate ${row.id} has no certificate in its chain`)
  return localKey({
    leaf: { certificateDer: leaf, privateKeyPkcs8Der: secrets.decrypt(leafSecret(row.id), row.sealedKey) },
    issuers,
  })
}

/** Every certificate that ever sealed here, with its root, PEM, the active one first: what a reader needs to trust our seals. */
export async function allSealCertificates(db: Db): Promise<string> {
  return (await queries.sealCertificates(db)).map(row => row.chain).join('')
}

/**
 * What our own seals are trusted by, PEM each: own roots, which nobody else issues under, and imported certificates themselves, because others
 * hold certificates of the same issuer.
 */
export async function trustedRoots(db: Db): Promise<string[]> {
  const { certificatePem } = await import('../pki/x509.ts')
  const rows = await queries.sealCertificates(db)
  const anchors = await Promise.all(
    rows.map(async ({ chain, rootId }) => {
      const path = await derOfPem(chain)
      const anchor = rootId ? path.at(-1) : path[0]
      return anchor ? [certificatePem(anchor)] : []
    }),
  )
  return [...new Set(anchors.flat())]
}

/** The revocation list of an own root, DER: of the one named, else of the one under which is sealed, else of the newest. @throws Refusal */
export async function ownRevocationList(app: Deps, rootId?: string): Promise<Uint8Array> {
  return rootRevocationList(app, rootId ?? (await queries.activeSealCertificate(app.db))?.rootId)
}

async function activeRow(db: Db | Tx): Promise<queries.SealCertificateRow> {
  const row = await queries.activeSealCertificate(db)
  if (!row) throw new Refusal('storage_unavailable', 'There is no seal certificate yet.', [], 5)
  return row
}

export async function hasSealCertificate(db: Db): Promise<boolean> {
  return (await queries.activeSealCertificate(db)) !== undefined
}

/** A certificate as it is shown. */
export interface SealCertificate {
  subject: string
  issuer: string
  serial: string
  /** Fingerprint, lower-case hex. */
  sha256: string
  algorithm: string
  source: 'own' | 'imported'
  notBefore: Date
  notAfter: Date
  createdAt: Date
  revokedAt: Date | undefined
  revocationReason: RevocationReason | undefined
  isActive: boolean
  /** Of the own root it stands under. */
  rootId: string | undefined
  /** PEM, leaf first. */
  chain: string
}

async function describe(row: queries.SealCertificateRow): Promise<SealCertificate> {
  const [{ certificateSummary }, { REVOCATION_REASONS }] = await Promise.all([
    import('../pki/x509.ts'),
    import('../pki/issue-crl.ts'),
  ])
  const [leaf] = await derOfPem(row.chain)
  if (!leaf) throw new Error(`seal certificate ${row.id} has no certificate in its chain`)
  const { subject, issuer, serial, notBefore } = certificateSummary(leaf)
  const { sha256, algorithm, notAfter, createdAt, revokedAt, isActive, chain, rootId } = row
  const reasons = Object.keys(REVOCATION_REASONS) as RevocationReason[]
  return {
    subject,
    issuer,
    serial,
    sha256,
    algorithm,
    source: rootId ? 'own' : 'imported',
    notBefore,
    notAfter,
    createdAt,
    revokedAt,
    revocationReason: reasons.find(reason => REVOCATION_REASONS[reason] === row.revocationReason),
    isActive,
    rootId,
    chain,
  }
}

/** What the certificate pages, the audit log and the doctor print of the active certificate. */
export async function describeSealCertificate(db: Db): Promise<SealCertificate> {
  return describe(await activeRow(db))
}

/** Every certificate that ever sealed here, the active one first, then the newest. */
export async function describeSealCertificates(db: Db): Promise<SealCertificate[]> {
  return Promise.all((await queries.sealCertificates(db)).map(describe))
}
