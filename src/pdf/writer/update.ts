/**
 * Writes an incremental update: objects, then a cross-reference section in the style of the
 * previous one. ISO 32000-2 §7.5.4, §7.5.6, §7.5.8. It writes no object streams.
 */
import { type PdfFile, resolveEntry } from '../parser/file.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { formatReference, verbatim } from './serialize.ts'
import { findUnresolvedNumbers } from './unresolved-references.ts'

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
    if (this.#written.has(number)) throw new PdfSyntaxError(`object ${number} would be written twice`)
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
