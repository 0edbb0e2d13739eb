/** The file format of the embedded assets: a JSON header, then the compressed bytes. */

/** Content types by file extension. */
export const ASSET_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  html: 'text/html; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  wasm: 'application/wasm',
  bcmap: 'application/octet-stream',
  pfb: 'application/octet-stream',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
  icc: 'application/vnd.iccprofile',
}

/** The page that verifies without a service; the same bytes for each release. */
export const VERIFY_PAGE = 'verify.html'

export interface PackEntry {
  /** Name in the source. */
  name: string
  /** Path under which it is served. */
  path: string
  type: string
  /** SHA-256 of the uncompressed bytes, in hex. */
  sha256: string
  /** Length in the pack. */
  length: number
  /** Content coding in the pack, RFC 9110 §8.4.1. */
  coding: 'identity' | 'gzip'
}

/** `bodies`: the bytes of each entry, in the same order. */
export function packBytes(entries: PackEntry[], bodies: Uint8Array[]): Uint8Array {
  const header = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([length, header, ...bodies])
}

export interface PackedAsset {
  entry: PackEntry
  body: Uint8Array
}

export function openPack(bytes: Buffer): PackedAsset[] {
  const headerLength = bytes.readUInt32BE(0)
  const entries = JSON.parse(bytes.toString('utf8', 4, 4 + headerLength)) as PackEntry[]
  let at = 4 + headerLength
  return entries.map(entry => {
    const body = bytes.subarray(at, at + entry.length)
    at += entry.length
    return { entry, body }
  })
}
