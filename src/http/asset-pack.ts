/**
 * The pack of what browsers load: a head in JSON that names each file, then their bytes, compressed beforehand. Written when the program is built, read
 * while it serves.
 */

/** By the ending of the name. */
export const ASSET_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  wasm: 'application/wasm',
  bcmap: 'application/octet-stream',
  pfb: 'application/octet-stream',
  ttf: 'font/ttf',
  icc: 'application/vnd.iccprofile',
}

export interface PackEntry {
  /** As it is called in the source. */
  name: string
  /** Where it is served. */
  path: string
  type: string
  /** Of its plain bytes, hex. */
  sha256: string
  /** Length of what is kept. */
  length: number
  /** Kept in this content coding, RFC 9110 §8.4.1. */
  coding: 'identity' | 'gzip'
}

/** `bodies`: what is kept of each entry, in their order. */
export function packBytes(entries: PackEntry[], bodies: Uint8Array[]): Uint8Array {
  const head = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, ...bodies])
}

export interface PackedAsset {
  entry: PackEntry
  body: Uint8Array
}

export function openPack(bytes: Buffer): PackedAsset[] {
  const headLength = bytes.readUInt32BE(0)
  const entries = JSON.parse(bytes.toString('utf8', 4, 4 + headLength)) as PackEntry[]
  let at = 4 + headLength
  return entries.map(entry => {
    const body = bytes.subarray(at, at + entry.length)
    at += entry.length
    return { entry, body }
  })
}
