/** Seals a page of our own with a key and judges it: what the doctor shows to be working, and what a key must do before it seals documents. */

import { sealTestPage } from '../pades/test-page.ts'
import type { SealKey } from '../pki/key.ts'
import type { App } from '../ports.ts'
import { verifyOwnSeal } from './verify-own.ts'

/** Why a page sealed with this key is not sound; nothing when it is. Leaves no file. */
export async function testSealOf(app: Pick<App, 'pdf' | 'storage'>, key: SealKey): Promise<string[]> {
  const path = app.storage.temporaryPath()
  try {
    await sealTestPage(key, path)
    return (await verifyOwnSeal(app, { path, chain: key.chain, timestampTrust: [], originalPath: undefined })).reasons
  } finally {
    await app.storage.discard(path)
  }
}
