/** Seals a page of our own with the active certificate and judges it: what the doctor shows to be working. */
import { X509Certificate } from 'node:crypto'
import type { App } from '../ports.ts'
import { sealTestPage } from '../seal/test-page.ts'

/** Writes the sealed page to `path`. Answers why it is not sound; nothing when it is. */
export async function testSeal(app: App, path: string): Promise<string[]> {
  const key = await app.sealKey()
  await sealTestPage(key, path)
  const trust = [new X509Certificate(key.chain.at(-1) ?? key.certificate).toString()]
  const report = await app.pdf.verify({ path, trust, originalPath: undefined })
  if ('unreadable' in report) return [report.unreadable]
  return report.sound ? [] : [...report.reasons, ...report.signatures.flatMap(s => s.reasons)]
}
