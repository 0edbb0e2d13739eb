/** Keeps the files that tests verify, so that the browser's core can be asked about them too. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBase64, toHex } from '../../src/lib/bytes.ts'
import { hashOf } from '../../src/lib/primitives.ts'
import type { Certificate } from '../../src/pki/x509.ts'
import type { CoreFile } from './browser-core.ts'

/** A folder; without it nothing is kept. */
const FOLDER = process.env.SIGNET_TEST_RECORDED_FILES

/** A test that changes each octet verifies thousands of files of one length: one of so many. */
const [FEW, PART] = [40, 60]
const countOfLength = new Map<number, number>()

interface Kept {
  trust: string[]
  timestampTrust: string[]
  revocationLists: string[]
  now: string
}

/** The arguments of `verifyBytes`. */
export function recordFile(
  bytes: Uint8Array,
  trust: readonly Certificate[],
  timestampTrust: readonly Certificate[] = [],
  { now = new Date(), revocationLists = [] }: { now?: Date; revocationLists?: readonly Uint8Array[] } = {},
): void {
  const count = countOfLength.get(bytes.length) ?? 0
  countOfLength.set(bytes.length, count + 1)
  if (FOLDER === undefined || (count >= FEW && count % PART !== 0)) return
  mkdirSync(FOLDER, { recursive: true })
  const kept: Kept = {
    trust: trust.map(({ der }) => toBase64(der)),
    timestampTrust: timestampTrust.map(({ der }) => toBase64(der)),
    revocationLists: revocationLists.map(toBase64),
    now: now.toISOString(),
  }
  const text = JSON.stringify(kept)
  const name = toHex(hashOf('sha256', bytes, new TextEncoder().encode(text))).slice(0, 32)
  writeFileSync(join(FOLDER, `${name}.pdf`), bytes)
  writeFileSync(join(FOLDER, `${name}.json`), text)
}

const octets = (list: readonly string[]) => list.map(text => new Uint8Array(Buffer.from(text, 'base64')))

export function* recordedFiles(folder: string): Generator<CoreFile> {
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    const kept = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Kept
    const path = join(folder, file.replace('.json', '.pdf'))
    yield {
      name: path,
      bytes: new Uint8Array(readFileSync(path)),
      trust: octets(kept.trust),
      timestampTrust: octets(kept.timestampTrust),
      revocationLists: octets(kept.revocationLists),
      now: new Date(kept.now),
    }
  }
}
