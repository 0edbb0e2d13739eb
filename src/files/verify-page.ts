/** verify.html of this release, which the executable has inside. */
import { gunzipSync } from 'node:zlib'
import { openPack, VERIFY_PAGE } from '../lib/asset-pack.ts'
import { ownAssetPack } from './asset-packs.ts'

export interface EmbeddedPage {
  bytes: Uint8Array
  /** Hex. */
  sha256: string
}

let page: EmbeddedPage | undefined

export function verifyPage(): EmbeddedPage {
  if (page) return page
  const found = openPack(ownAssetPack().bytes).find(({ entry }) => entry.name === VERIFY_PAGE)
  if (!found) throw new Error('verify.html is not embedded: scripts/assets.ts makes it')
  const { entry, body } = found
  page = { bytes: entry.coding === 'gzip' ? gunzipSync(body) : body, sha256: entry.sha256 }
  return page
}

/** The policy of the page, which its `meta` states. CSP Level 3 §3.3 */
export function verifyPagePolicy(): string {
  const [, policy] =
    /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(Buffer.from(verifyPage().bytes).toString('utf8', 0, 2000)) ?? []
  if (policy === undefined) throw new Error('verify.html states no policy')
  return policy
}
