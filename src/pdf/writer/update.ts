/**
 * Writes an incremental update: objects, then a cross-reference section in the style of the
 * previous one. ISO 32000-2 §7.5.4, §7.5.6, §7.5.8. It writes no object streams.
 */
import { remark } from '../../locales/remarks.ts'
import { type PdfFile, resolveEntry } from '../parser/file.ts'
import { MAX_STREAM_BYTES } from '../parser/limits.ts'
import { decodeStream, readStream } from '../parser/stream.ts'
import { PdfSyntaxError, readIndirect } from '../parser/syntax.ts'
import { formatReference, verbatim } from './object-changes.ts'

// Finds references to objects that do not exist (ISO 32000-2 §7.3.10), so that an update does not
// use their numbers. It searches the text, faster than parsing, and may find too many.

/** White space and the R of a reference (§7.3.10). */
const REFERENCE_ENDS = [' R', '\nR', '\rR']
/** No update adds as many objects. */
const MAX_ADDED_OBJECTS = 1_000_000

const isDigit = (octet = 0): boolean => octet >= 0x30 && octet <= 0x39
const isSpace = (octet = 0): boolean => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d)

/** The object number of the reference whose R follows `at`. Undefined if it is not a reference. */
function numberBefore(bytes: Uint8Array, at: number): number | undefined {
  let place = at
  while (isSpace(bytes[place])) place--
  if (!isDigit(bytes[place])) return undefined
  while (isDigit(bytes[place])) place--
  if (!isSpace(bytes[place])) return undefined
  while (isSpace(bytes[place])) place--
  let number = 0
  for (let factor = 1; isDigit(bytes[place]) && factor < 1e12; factor *= 10) number += ((bytes[place--] ?? 0) - 0x30) * factor
  return number
}

function collectReferences(bytes: Uint8Array, from: number, into: Set<number>): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const end of REFERENCE_ENDS) {
    for (let at = view.indexOf(end, 0, 'latin1'); at !== -1; at = view.indexOf(end, at + 1, 'latin1')) {
      const number = numberBefore(bytes, at)
      if (number !== undefined && number >= from && number < from + MAX_ADDED_OBJECTS) into.add(number)
    }
  }
}

/** Empty if it is unreadable, because then no reader follows its references. */
function objectStreamData({ bytes, crossReference, resolve }: PdfFile, number: number): Uint8Array {
  const entry = crossReference.entries.get(number)
  if (entry?.kind !== 'offset') return new Uint8Array()
  try {
    const { value, cursor } = readIndirect(bytes, entry.offset, number, entry.generation)
    if (value.kind !== 'dictionary') return new Uint8Array()
    const length = resolve(value.entries.get('Length')).value
    return decodeStream(readStream(cursor, length.kind === 'number' ? length.value : undefined), value, MAX_STREAM_BYTES)
  } catch (error) {
    if (error instanceof PdfSyntaxError) return new Uint8Array()
    throw error
  }
}

/** Returns object numbers from `from` on that the file refers to. */
function findUnresolvedNumbers(file: PdfFile, from: number): ReadonlySet<number> {
  const unresolved = new Set<number>()
  collectReferences(file.bytes, from, unresolved)
  const streams = new Set<number>()
  for (const entry of file.crossReference.entries.values()) if (entry.kind === 'compressed') streams.add(entry.stream)
  for (const number of streams) collectReferences(objectStreamData(file, number), from, unresolved)
  return unresolved
}

// The bytes of an update.

interface Written {
  offset: number
  generation: number
}

type Group = [number: number, written: Written][]

/** Both kinds of cross-reference list runs of consecutive object numbers. */
function groupConsecutive(written: ReadonlyMap<number, Written>): Group[] {
  const groups: Group[] = []
  for (const entry of [...written].sort(([a], [b]) => a - b)) {
    const last = groups.at(-1)
    if (last?.at(-1)?.[0] === entry[0] - 1) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** Each entry has 20 bytes, including the end of line (§7.5.4). */
function formatTable(groups: readonly Group[]): string {
  const lines = groups.flatMap(group => [
    `${group[0]?.[0]} ${group.length}\n`,
    ...group.map(
      ([, { offset, generation }]) => `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n\r\n`,
    ),
  ])
  return `xref\n${lines.join('')}`
}

function xrefStreamData(groups: readonly Group[]): Buffer {
  const rows = groups.flat().map(([, { offset, generation }]) => {
    const row = Buffer.alloc(8)
    row.writeUInt8(1, 0)
    row.writeUIntBE(offset, 1, 5)
    row.writeUInt16BE(generation, 6)
    return row
  })
  return Buffer.concat(rows)
}

/** §14.4: the first part identifies the file and stays; the second identifies this version. */
function formatId(file: PdfFile, id: Uint8Array): string {
  const fresh = `<${Buffer.from(id).toString('hex')}>`
  const trailer = { value: file.crossReference.trailer, bytes: file.bytes, isInFile: true }
  const known = resolveEntry(file, trailer, 'ID')
  const first = known.value.kind === 'array' ? known.value.items[0] : undefined
  return `[${first?.kind === 'string' ? verbatim({ bytes: known.bytes, value: first }) : fresh} ${fresh}]`
}

/** §7.5.5. */
function formatTrailer(file: PdfFile, size: number, id: Uint8Array): string {
  const { trailer, newestSection } = file.crossReference
  const kept = ['Root', 'Info'].flatMap(key => {
    const value = trailer.entries.get(key)
    return value?.kind === 'reference' ? [`/${key} ${formatReference(value.number, value.generation)}`] : []
  })
  return [`/Size ${size}`, ...kept, `/ID ${formatId(file, id)}`, `/Prev ${newestSection.offset}`].join(' ')
}

function firstFreeNumber(file: PdfFile): number {
  const size = file.crossReference.trailer.entries.get('Size')
  let next = size?.kind === 'number' && size.integer && size.value <= 10_000_000 ? size.value : 1
  for (const number of file.crossReference.entries.keys()) if (number >= next) next = number + 1
  return next
}

export class Update {
  readonly #written = new Map<number, Written>()
  readonly #chunks: Uint8Array[] = []
  readonly #unresolved: ReadonlySet<number>
  #position: number
  #next: number

  /** `id`: of this version of the file (§14.4), 16 bytes. */
  constructor(
    private readonly file: PdfFile,
    private readonly id: Uint8Array,
  ) {
    this.#position = file.bytes.length
    this.#next = firstFreeNumber(file)
    this.#unresolved = findUnresolvedNumbers(file, this.#next)
    // The source may end without an end of line.
    this.#addText('\n')
  }

  /** Returns a number that no object of the file has and no reference names. */
  allocate(): number {
    while (this.#unresolved.has(this.#next)) this.#next++
    return this.#next++
  }

  /** Writes an object. For a stream, `text` is its dictionary with the /Length of `data`. */
  put(number: number, text: string, data?: Uint8Array, generation = 0): void {
    if (this.#written.has(number)) throw new PdfSyntaxError(remark('object_written_twice', { number }))
    this.#written.set(number, { offset: this.#position, generation })
    this.#addText(`${number} ${generation} obj\n${text}\n`)
    if (data !== undefined) {
      this.#addText('stream\n')
      this.#add(data)
      this.#addText('\nendstream\n')
    }
    this.#addText('endobj\n')
  }

  /** Returns all bytes to append to the source. Call it last. */
  finish(): Uint8Array {
    if (this.file.crossReference.newestSection.style === 'table') this.#addTable()
    else this.#addStream()
    return Buffer.concat(this.#chunks)
  }

  #add(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#position += bytes.length
  }

  #addText(text: string): void {
    this.#add(Buffer.from(text, 'latin1'))
  }

  #addTable(): void {
    const start = this.#position
    const table = formatTable(groupConsecutive(this.#written))
    this.#addText(`${table}trailer\n<< ${formatTrailer(this.file, this.#next, this.id)} >>\nstartxref\n${start}\n%%EOF\n`)
  }

  #addStream(): void {
    const start = this.#position
    const number = this.allocate()
    this.#written.set(number, { offset: start, generation: 0 })
    const groups = groupConsecutive(this.#written)
    const data = xrefStreamData(groups)
    const index = groups.map(group => `${group[0]?.[0]} ${group.length}`).join(' ')
    const trailer = formatTrailer(this.file, this.#next, this.id)
    const dictionary = `<< /Type /XRef ${trailer} /W [1 5 2] /Index [${index}] /Length ${data.length} >>`
    this.#addText(`${number} 0 obj\n${dictionary}\nstream\n`)
    this.#add(data)
    this.#addText(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`)
  }
}
