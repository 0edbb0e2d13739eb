/** The certificate that seals: made at the first start, its private keys kept under the master key, older ones kept for ever. */
import { X509Certificate } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import type { Db, Tx } from '../db/open.ts'
import { sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import type { KeyType, SealKey } from '../seal/key.ts'
import * as queries from './queries.ts'

type Means = Pick<App, 'db' | 'write' | 'secrets' | 'newId' | 'now' | 'instance' | 'config'>

function toPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

export function chainOf(pem: string): Uint8Array[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map(block => new X509Certificate(block).raw)
}

const leafSecret = (id: string) => `seal-certificate:${id}`
const ROOT_SECRET = 'seal-root'

/** Makes an own authority for the organisation, and its leaf the certificate that seals from now on. */
export async function makeSealCertificate(
  app: Means,
  organisation: string,
  keyType: KeyType = app.config.sealKeyType,
): Promise<void> {
  const { makeAuthority } = await import('../seal/key.ts')
  const now = app.now()
  const { root, leaf } = await makeAuthority({ organisation, environment: app.instance.environment, keyType, now })
  const id = app.newId('crt')
  const row: queries.SealCertificateRow = {
    id,
    chain: toPem(leaf.certificateDer) + toPem(root.certificateDer),
    sha256: sha256Hex(leaf.certificateDer),
    algorithm: keyType,
    sealedKey: app.secrets.close(leafSecret(id), leaf.privateKeyPkcs8Der),
    createdAt: now,
    notAfter: new Date(new X509Certificate(leaf.certificateDer).validTo),
  }
  await app.write(async tx => {
    await queries.saveSecret(tx, ROOT_SECRET, app.secrets.close(ROOT_SECRET, root.privateKeyPkcs8Der))
    await queries.addSealCertificate(tx, row)
  })
}

/** Gives the active certificate's key, ready to sign; opened once for each certificate that becomes the active one. */
export function sealKeyOf(app: Means): () => Promise<SealKey> {
  let opened: { id: string; key: SealKey } | undefined
  return async () => {
    const row = await activeRow(app.db)
    if (opened?.id !== row.id) opened = { id: row.id, key: await openSealKey(app, row) }
    return opened.key
  }
}

async function openSealKey(app: Means, row: queries.SealCertificateRow): Promise<SealKey> {
  const { localKey } = await import('../seal/key.ts')
  const [leaf, ...issuers] = chainOf(row.chain)
  if (!leaf) throw new Error(`seal certificate ${row.id} has no certificate in its chain`)
  const privateKeyPkcs8Der = app.secrets.open(leafSecret(row.id), row.sealedKey)
  return localKey({ leaf: { certificateDer: leaf, privateKeyPkcs8Der }, issuers })
}

/** Every certificate that ever sealed here, with its root, PEM, the active one first: what a reader needs to trust our seals. */
export async function allSealCertificates(db: Db): Promise<string> {
  return (await queries.sealCertificateChains(db)).join('')
}

async function activeRow(db: Db | Tx): Promise<queries.SealCertificateRow> {
  const row = await queries.activeSealCertificate(db)
  if (!row) throw new Refusal('storage_unavailable', 'There is no seal certificate yet.', [], 5)
  return row
}

export async function hasSealCertificate(db: Db): Promise<boolean> {
  return (await queries.activeSealCertificate(db)) !== undefined
}

/** What the certificate pages, the audit log and the doctor print of the active certificate. */
export async function describeSealCertificate(db: Db) {
  const row = await activeRow(db)
  const certificate = new X509Certificate(row.chain)
  const oneLine = (name: string) => name.split('\n').join(', ')
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serial: certificate.serialNumber.toLowerCase(),
    sha256: row.sha256,
    algorithm: row.algorithm,
    notAfter: row.notAfter,
    chain: row.chain,
  }
}
