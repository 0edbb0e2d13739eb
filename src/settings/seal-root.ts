/** Own authorities: their keys under the master key, and the revocation list each keeps in readiness. Which certificate seals is not asked here. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import type { Db, Tx } from '../db/open.ts'
import type { RevocationReason } from '../pki/issue-crl.ts'
import type { KeyAndCertificate } from '../pki/key.ts'
import type { App, Origin } from '../ports.ts'
import * as queries from './queries.ts'

type Deps = Pick<App, 'db' | 'write' | 'secrets' | 'newId' | 'now'>

/** A list says for this long when the next one comes. Made anew when half of it is over. */
const LIST_DAYS = 31
const DAY_MS = 86_400_000

const secretOf = (id: string) => `seal-root:${id}`

export async function derOfPem(pem: string): Promise<Uint8Array[]> {
  const { certificatesOfPem } = await import('../pki/x509.ts')
  return certificatesOfPem(pem)
}

/** The root with its private key. */
export async function openRoot({ secrets }: Pick<App, 'secrets'>, row: queries.SealRootRow): Promise<KeyAndCertificate> {
  const [certificateDer] = await derOfPem(row.certificate)
  if (!certificateDer) throw new Error(`seal root ${row.id} has no certificate`)
  return { certificateDer, privateKeyPkcs8Der: secrets.decrypt(secretOf(row.id), row.sealedKey) }
}

/** A new root as it is kept, with its first list, which is empty. */
export async function newRootRow(app: Deps, id: string, root: KeyAndCertificate): Promise<queries.SealRootRow> {
  const { certificatePem, readCertificate } = await import('../pki/x509.ts')
  return {
    id,
    certificate: certificatePem(root.certificateDer),
    sealedKey: app.secrets.encrypt(secretOf(id), root.privateKeyPkcs8Der),
    notAfter: readCertificate(root.certificateDer).notAfter,
    ...(await makeList(app, root, 1, [])),
  }
}

async function makeList(
  { now }: Pick<App, 'now'>,
  root: KeyAndCertificate,
  number: number,
  rows: readonly queries.SealCertificateRow[],
): Promise<queries.NewList> {
  const [{ issueRevocationList }, { certificatesOfPem, readCertificate }] = await Promise.all([
    import('../pki/issue-crl.ts'),
    import('../pki/x509.ts'),
  ])
  const thisUpdate = now()
  const revoked = rows.flatMap(({ chain, revokedAt, revocationReason: reason }) => {
    const [leaf] = certificatesOfPem(chain)
    return leaf && revokedAt ? [{ serial: readCertificate(leaf).serial, at: revokedAt, reason }] : []
  })
  const inDays = (days: number) => new Date(thisUpdate.getTime() + days * DAY_MS)
  const list = issueRevocationList({ root, thisUpdate, nextUpdate: inDays(LIST_DAYS), number, revoked })
  return { list, listNumber: number, listRenewAt: inDays(LIST_DAYS / 2) }
}

/** Makes the next list of a root from what is revoked now. Inside a transaction. */
async function replaceList(app: Deps, tx: Tx, rootId: string): Promise<Uint8Array> {
  const row = await demandRoot(tx, rootId)
  const made = await makeList(app, await openRoot(app, row), row.listNumber + 1, await queries.revokedUnder(tx, rootId))
  await queries.saveRevocationList(tx, rootId, made)
  return made.list
}

async function demandRoot(db: Db | Tx, id: string | undefined): Promise<queries.SealRootRow> {
  const roots = await queries.sealRoots(db)
  const root = id === undefined ? roots[0] : roots.find(row => row.id === id)
  if (!root) throw new Refusal('not_found', 'There is no such authority here.')
  return root
}

/** What signs and lists is loaded before a transaction begins, which waits for nothing but the database. */
const loaded = () => Promise.all([import('../pki/issue-crl.ts'), import('../pki/x509.ts')])

/** The list of one root, of the newest when none is named, DER. Read as it lies there; made anew only when nobody did in time. */
export async function rootRevocationList(app: Deps, rootId?: string): Promise<Uint8Array> {
  const row = await demandRoot(app.db, rootId)
  if (app.now() < row.listRenewAt) return row.list
  return renewList(app, row.id)
}

async function renewList(app: Deps, rootId: string): Promise<Uint8Array> {
  await loaded()
  return app.write(
    async tx => {
      const { list, listRenewAt } = await demandRoot(tx, rootId)
      return app.now() < listRenewAt ? list : replaceList(app, tx, rootId)
    },
    { wake: false },
  )
}

/** The lists of all roots whose own time is not over, DER. */
export async function allRevocationLists(app: Deps): Promise<Uint8Array[]> {
  const roots = (await queries.sealRoots(app.db)).filter(root => app.now() < root.notAfter)
  return Promise.all(roots.map(root => rootRevocationList(app, root.id)))
}

/** Revokes a certificate that an own root issued; the next reader of the list finds it. @throws Refusal */
export async function revokeSealCertificate(app: Deps, origin: Origin, sha256: string, reason: RevocationReason): Promise<void> {
  const [{ REVOCATION_REASONS }] = await loaded()
  await app.write(async tx => {
    const row = await queries.findSealCertificate(tx, sha256)
    if (!row) throw new Refusal('not_found', 'There is no seal certificate with this SHA-256 fingerprint.')
    if (!row.rootId) throw new Refusal('invalid_state', 'The certificate was imported: only its issuer can revoke it.')
    if (row.revokedAt) throw new Refusal('invalid_state', `The certificate was revoked on ${row.revokedAt.toISOString()}.`)
    if (row.isActive) throw new Refusal('invalid_state', 'The certificate seals at present: renew it first, then revoke it.')
    await queries.markRevoked(tx, row.id, app.now(), REVOCATION_REASONS[reason])
    await replaceList(app, tx, row.rootId)
    await appendInstanceEvent(tx, app, { type: 'seal_certificate.revoked', data: { sha256, reason } }, origin)
  })
}
