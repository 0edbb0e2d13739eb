/** Verifies a file that this instance has sealed, in a child process, with its own root as the only trusted one. */
import { X509Certificate } from 'node:crypto'
import type { App } from '../ports.ts'
import type { BaselineLevel } from '../verify/report.ts'

interface Question {
  path: string
  /** DER, the sealing certificate first. */
  chain: readonly Uint8Array[]
  /** Certificates under which its time-stamps are trusted, PEM. */
  timestampTrust: string[]
  /** The bytes that must stand at its beginning. */
  originalPath: string | undefined
}

interface OwnJudgement {
  /** Why it is not valid; empty when it is. */
  reasons: string[]
  level: BaselineLevel
  /** Of the file as it was judged. */
  sha256: string
  bytes: number
}

export async function verifyOwnSeal(
  app: Pick<App, 'pdf'>,
  { path, chain, timestampTrust, originalPath }: Question,
): Promise<OwnJudgement> {
  const root = chain.at(-1)
  if (root === undefined) throw new Error('a seal has a certificate')
  const report = await app.pdf.verify({ path, trust: [new X509Certificate(root).toString()], timestampTrust, originalPath })
  if (report.verdict === 'unreadable')
    return { reasons: [`it cannot be read back: ${report.reason}`], level: 'B-B', sha256: '', bytes: 0 }
  const { sha256, bytes, signatures } = report
  const seals = signatures.filter(s => s.kind === 'signature')
  const level = seals[0]?.level ?? 'B-B'
  if (report.verdict === 'valid' && seals.length === 1) return { reasons: [], level, sha256, bytes }
  const why = [...report.reasons, ...signatures.flatMap(s => s.reasons)]
  return { reasons: [`it is ${report.verdict}, not valid`, ...why, `it holds ${seals.length} seals`], level, sha256, bytes }
}
