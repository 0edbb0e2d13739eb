/** The seal certificate: issued, renewed, imported. Former ones are kept for ever. */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent } from '../core/document/event.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { REVOCATION_REASONS, type RevocationReason, SealKeyError } from '../pki/issue.ts'
import {
  issueLeaf,
  type KeyAndCertificate,
  keyTypeOf,
  LEAF_YEARS,
  localKey,
  makeAuthority,
  type SealKey,
  yearsLater,
} from '../pki/key.ts'
import { readPkcs12 } from '../pki/pkcs12.ts'
import {
  type Certificate,
  certificatePem,
  certificateSummary,
  certificatesOfPem,
  organisationName,
  readCertificate,
} from '../pki/x509.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { readOrganisation } from './organisation.ts'
import * as queries from './queries.ts'
import { allRevocationLists, newRootRow, openRoot, rootRevocationList } from './seal-root.ts'
import { secretName } from './sealed.ts'

type Deps = Pick<App, 'db' | 'write' | 'secrets' | 'newId' | 'now' | 'random' | 'threads' | 'instance' | 'config' | 'log'>

/** A certificate of this instance is renewed so many days before its end. */
export const RENEW_DAYS = 90

function newRow(
  app: Deps,
  rootId: string | undefined,
  leaf: KeyAndCertificate,
  issuers: readonly Uint8Array[],
): queries.SealCertificateRow {
  const { notAfter, publicKey } = readCertificate(leaf.certificateDer)
  const id = app.newId('crt')
  return {
    id,
    rootId,
    chain: [leaf.certificateDer, ...issuers].map(certificatePem).join(''),
    sha256: sha256Hex(leaf.certificateDer),
    algorithm: keyTypeOf(publicKey),
    sealedKey: app.secrets.encrypt(secretName('sealCertificate', id), leaf.privateKeyPkcs8Der),
    createdAt: app.now(),
    notAfter,
    revokedAt: undefined,
    revocationReason: undefined,
    isActive: true,
  }
}

/** The public address of a root's revocation list; undefined if the service is local. */
export function crlUrlOf({ config }: Pick<App, 'config'>, rootId: string): string | undefined {
  const { hostname } = new URL(config.baseUrl)
  const isLocal = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname)
  return isLocal ? undefined : `${config.baseUrl}/seal.crl?root=${rootId}`
}

interface Issued {
  root: queries.SealRootRow | undefined
  certificate: queries.SealCertificateRow
}

/** Issues a certificate under `rootRow`, or under a new root. */
async function issue(app: Deps, organisation: string, rootRow?: queries.SealRootRow): Promise<Issued> {
  const rootId = rootRow?.id ?? app.newId('crt')
  const options = {
    organisation,
    environment: app.instance.environment,
    keyType: app.config.sealKeyType,
    now: app.now(),
    crlUrl: crlUrlOf(app, rootId),
    random: app.random,
    threads: app.threads,
  }
  if (rootRow) {
    const root = openRoot(app, rootRow)
    const leaf = await issueLeaf(root, options)
    return { root: undefined, certificate: newRow(app, rootId, leaf, [root.certificateDer]) }
  }
  const { root, leaf } = await makeAuthority(options)
  return { root: newRootRow(app, rootId, root), certificate: newRow(app, rootId, leaf, [root.certificateDer]) }
}

async function save(tx: Tx, { root, certificate }: Issued): Promise<void> {
  if (root) await queries.addSealRoot(tx, root)
  await queries.addSealCertificate(tx, certificate)
}

/**
 * The first certificate of the organisation, with a root. The returned function saves and activates
 * them in place of those from before the set-up.
 */
export async function prepareSealCertificate(
  app: Deps,
  organisation: string,
): Promise<(tx: Tx, origin: Origin) => Promise<void>> {
  const issued = await issue(app, organisation)
  return async (tx, origin) => {
    const before = await queries.activeSealCertificate(tx)
    await save(tx, issued)
    await recordChange(tx, app, 'seal_certificate.created', issued.certificate, before, origin)
  }
}

/**
 * At the start. The set-up replaces it, and its entry names this one.
 * Another node may have made one meanwhile: then nothing is stored.
 */
export async function createFirstSealCertificate(app: Deps): Promise<void> {
  const { name } = await readOrganisation(app.db)
  const issued = await issue(app, name)
  await app.write(async tx => {
    if (!(await queries.activeSealCertificate(tx))) await save(tx, issued)
  })
}

/** The active or newest root; undefined if it expires before a new certificate would. */
async function reusableRoot(app: Deps, rootId: string | undefined): Promise<queries.SealRootRow | undefined> {
  const roots = await queries.sealRoots(app.db)
  const root = rootId === undefined ? roots[0] : roots.find(row => row.id === rootId)
  return root && root.notAfter >= yearsLater(app.now(), LEAF_YEARS) ? root : undefined
}

/** Issues a certificate and a key. Replaces an imported one only on request. @throws Refusal */
export async function renewSealCertificate(app: Deps, origin: Origin, how?: 'replace imported'): Promise<SealCertificate> {
  const active = await activeRow(app.db)
  if (!active.rootId && how !== 'replace imported') {
    throw new Refusal('invalid_state', violation('seal_successor_not_imported'))
  }
  if (!(await replace(app, active, origin))) {
    throw new Refusal('invalid_state', violation('seal_changed_meanwhile'))
  }
  return describeSealCertificate(app.db)
}

/** Returns whether `active` was the active one until now: of two renewals at once one is stored. */
async function replace(app: Deps, active: queries.SealCertificateRow, origin: Origin): Promise<boolean> {
  const { name } = await readOrganisation(app.db)
  const issued = await issue(app, name, await reusableRoot(app, active.rootId))
  return app.write(async tx => {
    if ((await activeRow(tx)).id !== active.id) return false
    await save(tx, issued)
    await recordChange(tx, app, 'seal_certificate.renewed', issued.certificate, active, origin)
    return true
  })
}

async function recordChange(
  tx: Tx,
  app: Deps,
  type: InstanceEvent,
  { sha256 }: queries.SealCertificateRow,
  before: queries.SealCertificateRow | undefined,
  origin: Origin,
): Promise<void> {
  await appendInstanceEvent(tx, app, { type, data: { sha256, previousSha256: before?.sha256 ?? null } }, origin)
}

/** `test` seals a page and returns why it is not valid. @throws SealKeyError, Refusal */
export async function importSealCertificate(
  app: Deps & Pick<App, 'timers'>,
  origin: Origin,
  file: Uint8Array,
  passphrase: string,
  test: (key: SealKey) => Promise<string | undefined>,
): Promise<SealCertificate> {
  const imported = await readPkcs12(file, passphrase, app.now(), app.timers)
  const problem = await test(localKey(imported, app.threads))
  if (problem !== undefined) throw new SealKeyError(violation('seal_key_test', { reason: problem }))
  const row = newRow(app, undefined, imported.leaf, imported.issuers)
  await app.write(async tx => {
    const [before, known] = [await queries.activeSealCertificate(tx), await queries.findSealCertificate(tx, row.sha256)]
    if (known?.revokedAt) throw new Refusal('invalid_state', violation('seal_certificate_spent'))
    if (known?.isActive) return
    if (known) await queries.activateSealCertificate(tx, known.id)
    else await queries.addSealCertificate(tx, row)
    await recordChange(tx, app, 'seal_certificate.imported', row, before, origin)
  })
  return describeSealCertificate(app.db)
}

/** Scheduled: renews revocation lists and the certificate, unless it was imported. */
export async function renewWhenDue(app: Deps): Promise<void> {
  await allRevocationLists(app)
  const active = await queries.activeSealCertificate(app.db)
  if (!active?.rootId) return
  const daysLeft = (active.notAfter.getTime() - app.now().getTime()) / DAY_MS
  if (daysLeft >= RENEW_DAYS || !(await replace(app, active, SYSTEM))) return
  const { subject, sha256, notAfter } = await describeSealCertificate(app.db)
  app.log('info', 'seal certificate renewed', { subject, sha256, notAfter: notAfter.toISOString() })
}

/** Returns a loader of the active key, which decrypts a key once. */
export function createSealKeyLoader(app: Pick<Deps, 'db' | 'secrets' | 'threads'>): () => Promise<SealKey> {
  let opened: { id: string; key: SealKey } | undefined
  return async () => {
    const row = await activeRow(app.db)
    if (opened?.id !== row.id) opened = { id: row.id, key: openSealKey(app, row) }
    return opened.key
  }
}

function openSealKey({ secrets, threads }: Pick<Deps, 'secrets' | 'threads'>, row: queries.SealCertificateRow): SealKey {
  const [leaf, ...issuers] = certificatesOfPem(row.chain)
  if (!leaf) throw new Error(`seal certificate ${row.id} has no certificate in its chain`)
  const privateKeyPkcs8Der = secrets.decrypt(secretName('sealCertificate', row.id), row.sealedKey)
  return localKey({ leaf: { certificateDer: leaf, privateKeyPkcs8Der }, issuers }, threads)
}

/**
 * PEM, each once. `certificates`: all that ever sealed here, without their issuers, the active one
 * first; who trusts them trusts nobody else. `issuers`: the authorities above them.
 */
export async function allSealCertificates(db: Db): Promise<{ certificates: string; issuers: string }> {
  const chains = (await queries.sealCertificates(db)).map(({ chain }) => certificatesOfPem(chain).map(certificatePem))
  const joined = (all: readonly string[]) => [...new Set(all)].join('')
  return {
    certificates: joined(chains.flatMap(chain => chain.slice(0, 1))),
    issuers: joined(chains.flatMap(chain => chain.slice(1))),
  }
}

/** PEM. An imported certificate is its own anchor, because its issuer issues to others too. */
export async function trustedRoots(db: Db): Promise<string[]> {
  const anchors = (await queries.sealCertificates(db)).flatMap(({ chain, rootId }) => {
    const path = certificatesOfPem(chain)
    return (rootId ? path.slice(-1) : path.slice(0, 1)).map(certificatePem)
  })
  return [...new Set(anchors)]
}

/** The revocation list of a root, by default of the active or newest one, DER. @throws Refusal */
export async function ownRevocationList(app: Deps, rootId?: string): Promise<Uint8Array> {
  return rootRevocationList(app, rootId ?? (await queries.activeSealCertificate(app.db))?.rootId)
}

async function activeRow(db: Db | Tx): Promise<queries.SealCertificateRow> {
  const row = await queries.activeSealCertificate(db)
  if (!row) throw new Refusal('storage_unavailable', violation('seal_certificate_missing'), [], 5)
  return row
}

export interface SealChain {
  /** The seal certificate first. */
  chain: Certificate[]
  /** Of its root, if it is one of this instance. */
  revocationList: Uint8Array | undefined
}

/** The organisation, or else the name, in a certificate that sealed here. */
export async function sealOrganisation(db: Db, sha256: string): Promise<string | undefined> {
  const row = await queries.findSealCertificate(db, sha256)
  const [leaf] = row ? certificatesOfPem(row.chain) : []
  return leaf && organisationName(readCertificate(leaf).subject)
}

export async function sealChain(app: Deps, sha256: string): Promise<SealChain> {
  const row = await queries.findSealCertificate(app.db, sha256)
  if (!row) throw new Error(`the seal certificate ${sha256} is not known here`)
  const chain = certificatesOfPem(row.chain).map(readCertificate)
  return { chain, revocationList: row.rootId === undefined ? undefined : await ownRevocationList(app, row.rootId) }
}

export async function hasSealCertificate(db: Db): Promise<boolean> {
  return (await queries.activeSealCertificate(db)) !== undefined
}

/** Undefined if there is no certificate yet. */
export async function sealCertificateEnd(db: Db): Promise<Date | undefined> {
  return (await queries.activeSealCertificate(db))?.notAfter
}

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
  /** Its root in this instance; undefined if it was imported. */
  rootId: string | undefined
  /** PEM, leaf first. */
  chain: string
}

function describe(row: queries.SealCertificateRow): SealCertificate {
  const [leaf] = certificatesOfPem(row.chain)
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

export async function describeSealCertificate(db: Db): Promise<SealCertificate> {
  return describe(await activeRow(db))
}

/** All certificates that sealed here, the active one first, then the newest. */
export async function describeSealCertificates(db: Db): Promise<SealCertificate[]> {
  return (await queries.sealCertificates(db)).map(describe)
}
