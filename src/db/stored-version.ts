/**
 * Reads PRAGMA user_version from the bytes of a database and its log. SQLite itself would empty a
 * log that an unclean end left. https://www.sqlite.org/walformat.html
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { APPLICATION_ID } from './migrate.ts'

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const USER_VERSION_AT = 60
const APPLICATION_ID_AT = 68

const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Its last bit says that the checksums are of big-endian words. */
const WAL_MAGIC = 0x377f0682

/** 0 for a file that is not a database of Signet, or none yet. */
export function storedVersion(path: string): number {
  const header = Buffer.alloc(HEADER_BYTES)
  const isWhole = withFile(path, read => read(header, 0)) ?? false
  return versionInLog(`${path}-wal`) ?? (isWhole ? versionIn(header) : 0)
}

/** `page`: the first one, or its beginning. */
function versionIn(page: Buffer): number {
  const isOurs = page.toString('latin1', 0, MAGIC.length) === MAGIC && page.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID
  return isOurs ? page.readUInt32BE(USER_VERSION_AT) : 0
}

type Read = (into: Buffer, position: number) => boolean

function withFile<T>(path: string, work: (read: Read) => T): T | undefined {
  if (!existsSync(path)) return undefined
  const file = openSync(path, 'r')
  try {
    return work((into, position) => readSync(file, into, 0, into.length, position) === into.length)
  } finally {
    closeSync(file)
  }
}

/** That of the last committed copy of the first page; undefined if the log has none. */
function versionInLog(path: string): number | undefined {
  return withFile(path, read => {
    const header = Buffer.alloc(WAL_HEADER_BYTES)
    if (!read(header, 0)) return undefined
    const magic = header.readUInt32BE(0)
    if ((magic & ~1) !== WAL_MAGIC) return undefined
    const sum = new WalChecksum((magic & 1) === 1)
    sum.add(header.subarray(0, 24))
    if (!sum.matches(header, 24)) return undefined
    return lastVersion(read, header, sum)
  })
}

function lastVersion(read: Read, header: Buffer, sum: WalChecksum): number | undefined {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8))
  let found: number | undefined
  let uncommitted: number | undefined
  for (let position = WAL_HEADER_BYTES; read(frame, position); position += frame.length) {
    // Frames of before the log was begun anew have other salts.
    if (header.compare(frame, 8, 16, 16, 24) !== 0) break
    sum.add(frame.subarray(0, 8))
    sum.add(frame.subarray(FRAME_HEADER_BYTES))
    if (!sum.matches(frame, 16)) break
    if (frame.readUInt32BE(0) === 1) uncommitted = versionIn(frame.subarray(FRAME_HEADER_BYTES))
    const isCommit = frame.readUInt32BE(4) !== 0
    if (isCommit) found = uncommitted ?? found
  }
  return found
}

/** Cumulative over the header and all frames before. */
class WalChecksum {
  readonly #isBigEndian: boolean
  #first = 0
  #second = 0

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian
  }

  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < bytes.length; at += 8) {
      this.#first = (this.#first + view.getUint32(at, !this.#isBigEndian) + this.#second) >>> 0
      this.#second = (this.#second + view.getUint32(at + 4, !this.#isBigEndian) + this.#first) >>> 0
    }
  }

  matches(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second
  }
}
