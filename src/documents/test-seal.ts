/** Seals a page of our own with the active certificate and judges it: what the doctor shows to be working. */
import type { App } from '../ports.ts'
import { sealTestPage } from '../seal/test-page.ts'
import { judgeOwn } from './judge-own.ts'

/** Writes the sealed page to `path`. Answers why it is not sound; nothing when it is. */
export async function testSeal(app: App, path: string): Promise<string[]> {
  const key = await app.sealKey()
  await sealTestPage(key, path)
  return (await judgeOwn(app, { path, chain: key.chain, timeStampTrust: [], originalPath: undefined })).reasons
}
