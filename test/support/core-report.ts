/** What the verifying core says of a file, wherever it runs. */

import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { startsWithBytes } from '../../src/lib/bytes.ts'
import type { Certificate } from '../../src/pki/x509.ts'
import { verifyBytes } from '../../src/verify/verify.ts'

/** A ZIP is an evidence pack, anything else is taken for a PDF. */
export function reportOn(
  bytes: Uint8Array,
  trust: readonly Certificate[],
  timestampTrust: readonly Certificate[],
  options: { now: Date; revocationLists: readonly Uint8Array[] },
): object {
  if (startsWithBytes(bytes, 'PK')) return verifyPack(bytes, { trust, timestampTrust, now: options.now })
  return verifyBytes(bytes, trust, timestampTrust, options)
}
