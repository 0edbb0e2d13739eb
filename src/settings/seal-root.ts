/** Root certificates of this instance, and their revocation lists. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS } from '../lib/duration.ts'
import { issueRevocationList, REVOCATION_REASONS, type RevocationReason } from '../pki/issue.ts'
import type { KeyAndCertificate } from '../pki/key.ts'
import { certificatePem, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import type { App, Origin } from '../ports.ts'
import * as queries from './queries.ts'
import { secretName } from './sealed.ts'

type Deps = Pick<App, 'db' | 'write' | 'secrets' | 'newId' | 'now' | 'random'>

/** Validity of a list. It is reissued after half of it. */
const LIST_DAYS = 31

export function openRoot({ secrets }: Pick<App, 'secrets'>, row: queries.SealRootRow): KeyAndCertificate {
  const [certificateDer] = certificatesOfPem(row.certificate)
  if (!certificateDer) throw new Error(`seal root ${row.id} has no certificate`)
  return { certificateDer, privateKeyPkcs8Der: secrets.decrypt(secretName('sealRoot', row.id), row.sealedKey) }
}

/** The row of a new root, with an empty list. */
export function newRootRow(app: Deps, id: string, root: KeyAndCertificate): queries.SealRootRow {
  return {
    id,
    certificate: certificatePem(root.certificateDer),
    sealedKey: app.secrets.encrypt(secretName('sealRoot', id), root.privateKeyPkcs8Der),
    notAfter: readCertificate(root.certificateDer).notAfter,
    ...issueList(app, root, 1, []),
  }
}

function issueList(
  { now }: Pick<App, 'now'>,
  root: KeyAndCertificate,
  number: number,
  rows: readonly queries.SealCertificateRow[],
): queries.NewList {
  const thisUpdate = now()
  const revoked = rows.flatMap(({ chain, revokedAt, revocationReason: reason }) => {
    const [leaf] = certificatesOfPem(chain)
    return leaf && revokedAt ? [{ serial: readCertificate(leaf).serial, revokedAt, reason }] : []
  })
  const inDays = (days: number) => new Date(thisUpdate.getTime() + days * DAY_MS)
  const list = issueRevocationList({ root, thisUpdate, nextUpdate: inDays(LIST_DAYS), number, revoked })
  return { list, listNumber: number, listRenewAt: inDays(LIST_DAYS / 2) }
}

async function reissueList(app: Deps, tx: Tx, rootId: string): Promise<Uint8Array> {
  const row = await requireRoot(tx, rootId)
  const made = issueList(app, openRoot(app, row), row.listNumber + 1, await queries.revokedUnder(tx, rootId))
  await queries.saveRevocationList(tx, rootId, made)
  return made.list
}

async function requireRoot(db: Db | Tx, id: string | undefined): Promise<queries.SealRootRow> {
  const roots = await queries.sealRoots(db)
  const root = id === undefined ? roots[0] : roots.find(row => row.id === id)
  if (!root) throw new Refusal('not_found', violation('authority_unknown'))
  return root
}

/** The list of a root, by default of the newest, DER. Reissued if it is due. @throws Refusal */
export async function rootRevocationList(app: Deps, rootId?: string): Promise<Uint8Array> {
  const { id, list, listRenewAt } = await requireRoot(app.db, rootId)
  if (app.now() < listRenewAt) return list
  return app.write(
    async tx => {
      const row = await requireRoot(tx, id)
      return app.now() < row.listRenewAt ? row.list : reissueList(app, tx, id)
    },
    { wake: false },
  )
}

/** The lists of all roots that have not expired, DER. */
export async function allRevocationLists(app: Deps): Promise<Uint8Array[]> {
  const roots = (await queries.sealRoots(app.db)).filter(root => app.now() < root.notAfter)
  return Promise.all(roots.map(root => rootRevocationList(app, root.id)))
}

/** Revokes a former certificate of this instance and reissues the list. @throws Refusal */
export async function revokeSealCertificate(app: Deps, origin: Origin, sha256: string, reason: RevocationReason): Promise<void> {
  await app.write(async tx => {
    const row = await queries.findSealCertificate(tx, sha256)
    if (!row) throw new Refusal('not_found', violation('seal_certificate_unknown'))
    if (!row.rootId) throw new Refusal('invalid_state', violation('seal_certificate_imported'))
    if (row.revokedAt)
      throw new Refusal('invalid_state', violation('seal_certificate_revoked', { at: row.revokedAt.toISOString() }))
    if (row.isActive) throw new Refusal('invalid_state', violation('seal_certificate_active'))
    await queries.markRevoked(tx, row.id, app.now(), REVOCATION_REASONS[reason])
    await reissueList(app, tx, row.rootId)
    await appendInstanceEvent(tx, app, { type: 'seal_certificate.revoked', data: { sha256, reason } }, origin)
  })
}
