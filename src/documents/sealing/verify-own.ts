/** Verifies a file just sealed here, in a child process, and trusts only its own chain. */
import { X509Certificate } from 'node:crypto'
import { counted } from '../../lib/counted.ts'
import type { App } from '../../ports.ts'
import type { BaselineLevel } from '../../verify/report.ts'

interface OwnSeal {
  path: string
  /** DER, the sealing certificate first. */
  chain: readonly Uint8Array[]
  /** Certificates under which its time-stamps are trusted, PEM. */
  timestampTrust: string[]
  /** The file must begin with the bytes of this one. */
  originalPath: string
}

export interface OwnVerification {
  level: BaselineLevel
  /** Of the file as it was verified. */
  sha256: string
  bytes: number
}

/** A file sealed here is not valid. It must not be published. The message is a list of clauses. */
export class InvalidSealError extends Error {
  override name = 'InvalidSealError'
}

/** @throws InvalidSealError */
export async function verifyOwnSeal(
  app: Pick<App, 'pdf' | 'now'>,
  { path, chain, timestampTrust, originalPath }: OwnSeal,
): Promise<OwnVerification> {
  const root = chain.at(-1)
  if (root === undefined) throw new Error('a seal has a certificate')
  const trust = [new X509Certificate(root).toString()]
  const report = await app.pdf.verify({ path, trust, timestampTrust, originalPath, now: app.now().toISOString() })
  if (report.verdict === 'unreadable') throw new InvalidSealError(`it cannot be read back: ${report.reason}`)
  const { verdict, sha256, bytes, signatures, reasons } = report
  const seals = signatures.filter(({ kind }) => kind === 'signature')
  if (verdict === 'valid' && seals.length === 1) return { level: seals[0]?.level ?? 'B-B', sha256, bytes }
  const details = [...reasons, ...signatures.flatMap(signature => signature.reasons)]
  throw new InvalidSealError([`it is ${verdict}, not valid`, ...details, `it holds ${counted(seals.length, 'seal')}`].join('; '))
}
