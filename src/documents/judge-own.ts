/** Judges a file this instance has sealed, as any reader would, against its own root. In a child. */
import { X509Certificate } from 'node:crypto'
import type { App } from '../ports.ts'
import type { SealKey } from '../seal/key.ts'

interface OwnJudgement {
  /** Why it is not sound; empty when it is. */
  reasons: string[]
  /** Of the file as it was judged. */
  sha256: string
  bytes: number
}

/** `originalPath`: the bytes that must stand at its beginning. */
export async function judgeOwn(
  app: Pick<App, 'pdf'>,
  { chain, certificate }: Pick<SealKey, 'chain' | 'certificate'>,
  path: string,
  originalPath?: string,
): Promise<OwnJudgement> {
  const root = new X509Certificate(chain.at(-1) ?? certificate).toString()
  const report = await app.pdf.verify({ path, trust: [root], originalPath })
  if ('unreadable' in report) return { reasons: [`it cannot be read back: ${report.unreadable}`], sha256: '', bytes: 0 }
  const { sha256, bytes, signatures } = report
  if (report.sound && signatures.length === 1) return { reasons: [], sha256, bytes }
  const why = [...report.reasons, ...signatures.flatMap(s => s.reasons)]
  return { reasons: ['it is not sound', ...why, `it holds ${signatures.length} signatures`], sha256, bytes }
}
