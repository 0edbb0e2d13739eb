/** Changes PNG, ZIP and tar inside, so that checksums and sizes around a change are right again. */
import { deflateSync, inflateSync } from 'node:zlib'
import { type Unzipped, unzipSync, zipSync } from 'fflate'
import { pngChunk } from '../evidence/sample.ts'
import type { Chance } from '../simulation/chance.ts'
import { type Change, changeAnywhere, type Material } from './changes.ts'
import { mutateJson } from './mutate-json.ts'
import { mutatePdf } from './mutate-pdf.ts'

const PNG_START = 8
const CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'tEXt', 'gAMA', 'iCCP', 'acTL', 'fdAT', 'ABCD', 'abcd', '    ']

interface Chunk {
  type: string
  body: Uint8Array
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = PNG_START; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (at + 12 + length > bytes.length) break
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** The rows of an image change before they are compressed again. */
function changedBody({ type, body }: Chunk, chance: Chance, material: Material): Uint8Array {
  const general: Material = { ...material, format: 'bytes' }
  if (type !== 'IDAT' || chance.happens(0.3)) return changeAnywhere(body, chance, general)
  try {
    const rows = inflateSync(body, { maxOutputLength: 1 << 20 })
    return deflateSync(changeAnywhere(rows, chance, { ...general, seeds: [rows] }))
  } catch {
    return changeAnywhere(body, chance, general)
  }
}

export const mutatePng: Change = (bytes, chance, material) => {
  const chunks = chunksOf(Buffer.from(bytes))
  const chunk = chunks[chance.below(Math.max(1, chunks.length))]
  if (chunk === undefined) return changeAnywhere(bytes, chance, material)
  const at = chunks.indexOf(chunk)
  switch (chance.below(6)) {
    case 0:
      chunks.splice(at, 1)
      break
    case 1:
      chunks.splice(chance.below(chunks.length + 1), 0, chunk)
      break
    case 2:
      chunks[at] = { ...chunk, type: chance.pick(CHUNKS) }
      break
    default:
      chunks[at] = { ...chunk, body: changedBody(chunk, chance, material) }
  }
  return Buffer.concat([bytes.subarray(0, PNG_START), ...chunks.map(({ type, body }) => pngChunk(type, body))])
}

const ZIP_NAMES = [
  '../x',
  '/x',
  'a\\b',
  'audit.json',
  'AUDIT.JSON',
  'marks/',
  'marks/a',
  'attachments/é',
  'x',
  'marks/..',
  '__proto__',
]

function unzipped(bytes: Uint8Array): Unzipped | undefined {
  try {
    return unzipSync(bytes, { filter: ({ originalSize }) => originalSize < 1 << 22 })
  } catch {
    return undefined
  }
}

/** A central directory whose sizes and offsets are at a limit. */
function changeZipField(bytes: Uint8Array, chance: Chance): Uint8Array {
  const out = Buffer.from(bytes)
  const places: number[] = []
  for (let at = out.indexOf('PK'); at !== -1 && places.length < 100; at = out.indexOf('PK', at + 1)) places.push(at)
  const at = places.length > 0 ? chance.pick(places) + 4 + chance.below(42) : chance.below(out.length)
  if (at + 4 <= out.length) out.writeUInt32LE(chance.pick([0, 1, 0xffff, 0x7fffffff, 0xffffffff, out.length]), at)
  return out
}

function changedMember(name: string, content: Uint8Array, chance: Chance, material: Material): Uint8Array {
  if (name.endsWith('.json')) return mutateJson(content, chance, { ...material, format: 'json', seeds: [content] })
  if (name.endsWith('.pdf')) return mutatePdf(content, chance, { ...material, format: 'pdf', seeds: [content] })
  return changeAnywhere(content, chance, { ...material, format: 'text', seeds: [content] })
}

export const mutateZip: Change = (bytes, chance, material) => {
  const files = chance.happens(0.75) ? unzipped(bytes) : undefined
  const names = Object.keys(files ?? {})
  if (files === undefined || names.length === 0) return changeZipField(bytes, chance)
  const name = chance.pick(names)
  const content = files[name] ?? new Uint8Array()
  switch (chance.below(5)) {
    case 0:
      delete files[name]
      break
    case 1:
      files[chance.pick(ZIP_NAMES)] = content
      break
    default:
      files[name] = Uint8Array.from(changedMember(name, content, chance, material))
  }
  return zipSync(files, { level: chance.happens(0.5) ? 0 : 6, mtime: '2026-11-27' })
}

const BLOCK = 512
const [CHECKSUM, CHECKSUM_END] = [148, 156]

/** One change, after which each header that was one has its right checksum. */
export const mutateTar: Change = (bytes, chance, material) => {
  const out = Buffer.from(changeAnywhere(bytes, chance, { ...material, format: 'bytes' }))
  for (let at = 0; at + BLOCK <= out.length; at += BLOCK) {
    const header = out.subarray(at, at + BLOCK)
    if (header.toString('latin1', 257, 262) !== 'ustar') continue
    header.fill(0x20, CHECKSUM, CHECKSUM_END)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM, 'latin1')
  }
  return out
}
