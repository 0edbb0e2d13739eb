/** ZIP archives in forms that no usual program writes (APPNOTE.TXT 6.3). */
import { crc32 } from 'node:zlib'

export interface ZipPart {
  name: string
  content: Uint8Array
  /** As the local header says it. Default: the name. */
  localName?: string
  /** After the content, §4.3.9: with its signature, or without. */
  descriptor?: 'signed' | 'bare'
  /** §4.5.1. */
  extra?: Uint8Array
  /** Not in the directory. */
  isHidden?: boolean
  /** General purpose flag. */
  flags?: number
  /** Offset in the directory. Default: where it is. */
  offset?: number
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, i * 2)
  return bytes
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}

/** Stored, in this order. `before` and `comment`: bytes around the archive. */
export function zipOf(parts: readonly ZipPart[], { before = Buffer.alloc(0), comment = Buffer.alloc(0) } = {}): Buffer {
  const local: Buffer[] = [before]
  const central: Buffer[] = []
  let at = before.length
  for (const part of parts) {
    const { name, content, localName = name, descriptor, extra = Buffer.alloc(0), isHidden = false } = part
    const flags = (part.flags ?? 0x800) | (descriptor === undefined ? 0 : 8)
    const sums = u32(crc32(content), content.length, content.length)
    const [own, listed] = [Buffer.from(localName), Buffer.from(name)]
    const written = Buffer.concat([
      ...[u32(0x04034b50), u16(20, flags, 0, 0, 0), descriptor === undefined ? sums : Buffer.alloc(12)],
      ...[u16(own.length, extra.length), own, extra, content],
      ...(descriptor === undefined ? [] : [...(descriptor === 'signed' ? [u32(0x08074b50)] : []), sums]),
    ])
    if (!isHidden)
      central.push(
        Buffer.concat([
          ...[u32(0x02014b50), u16(20, 20, flags, 0, 0, 0), sums, u16(listed.length, extra.length, 0, 0, 0)],
          ...[u32(0, part.offset ?? at), listed, extra],
        ]),
      )
    local.push(written)
    at += written.length
  }
  const directory = Buffer.concat(central)
  const end = [u32(0x06054b50), u16(0, 0, central.length, central.length), u32(directory.length, at), u16(comment.length)]
  return Buffer.concat([...local, directory, ...end, comment])
}

/** The same archive with the record and locator of ZIP64 before its end, §4.3.14 and §4.3.15. */
export function asZip64(zip: Buffer): Buffer {
  const [count, size, start] = [
    zip.readUInt16LE(zip.length - 12),
    zip.readUInt32LE(zip.length - 10),
    zip.readUInt32LE(zip.length - 6),
  ]
  const record = Buffer.concat([u32(0x06064b50, 44, 0), u16(45, 45), u32(0, 0, count, 0, count, 0, size, 0, start, 0)])
  const locator = u32(0x07064b50, 0, start + size, 0, 1)
  const end = Buffer.concat([u32(0x06054b50), u16(0xffff, 0xffff, 0xffff, 0xffff), u32(0xffffffff, 0xffffffff), u16(0)])
  return Buffer.concat([zip.subarray(0, start + size), record, locator, end])
}
