/** The chain of a certificate that seals or once sealed here, with what tells that it was not revoked where its authority is ours. */

import type { Certificate } from '../pki/x509.ts'
import type { App } from '../ports.ts'
import * as queries from './queries.ts'
import { ownRevocationList } from './seal-certificate.ts'

export interface SealChain {
  /** The sealing certificate first, as far up as it was kept. */
  chain: Certificate[]
  revocationList: Uint8Array | undefined
}

/** `sha256`: the fingerprint, as the audit log has it. */
export async function sealChain(app: App, sha256: string): Promise<SealChain> {
  const row = await queries.findSealCertificate(app.db, sha256)
  if (!row) throw new Error(`the seal certificate ${sha256} is not known here`)
  const { certificatesOfPem, readCertificate } = await import('../pki/x509.ts')
  const chain = certificatesOfPem(row.chain).map(readCertificate)
  return { chain, revocationList: row.rootId === undefined ? undefined : await ownRevocationList(app, row.rootId) }
}
