/**
 * The bytes of one incremental update: objects, then a cross-reference section in the style of the
 * one below. ISO 32000-2 §7.5.4, §7.5.6, §7.5.8. Objects stand plainly, never in an object stream.
 * Knows no page and no signature.
 */
import { randomBytes } from 'node:crypto'
import type { PdfFile } from '../parser/file.ts'
import { resolveEntry } from '../parser/file.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { reference, verbatim } from './serialize.ts'
import { findUnresolvedNumbers } from './unresolved-references.ts'

export interface Update {
  /** A number that no object of the file has, and none leads to. */
  allocate(): number
  /**
   * Writes an object of generation 0, or a new version of one: its text, and the data where it is a
   * stream (whose /Length is in the text).
   */
  put(number: number, text: string, data?: Uint8Array, generation?: number): void
  /** All bytes that follow the source. Nothing can be put afterwards. */
  finish(): Uint8Array
}

interface Written {
  offset: number
  generation: number
}

/** Consecutive object numbers, as both kinds of cross-reference want them. */
function runs(numbers: readonly number[]): number[][] {
  const out: number[][] = []
  for (const number of numbers) {
    const last = out.at(-1)
    if (last !== undefined && last.at(-1) === number - 1) last.push(number)
    else out.push([number])
  }
  return out
}

function tableText(written: ReadonlyMap<number, Written>, sections: readonly number[][]): string {
  const lines = sections.flatMap(numbers => [
    `${numbers[0]} ${numbers.length}\n`,
    ...numbers.map(number => {
      const { offset, generation } = written.get(number) ?? { offset: 0, generation: 0 }
      // Twenty bytes each, the line's end included (§7.5.4).
      return `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n\r\n`
    }),
  ])
  return `xref\n${lines.join('')}`
}

function streamData(written: ReadonlyMap<number, Written>, numbers: readonly number[]): Buffer {
  const rows = numbers.map(number => {
    const { offset, generation } = written.get(number) ?? { offset: 0, generation: 0 }
    const row = Buffer.alloc(8)
    row.writeUInt8(1, 0)
    row.writeUIntBE(offset, 1, 5)
    row.writeUInt16BE(generation, 6)
    return row
  })
  return Buffer.concat(rows)
}

/** §14.4: the first part stays, the second names this version. */
function identifier(file: PdfFile): string {
  const fresh = `<${randomBytes(16).toString('hex')}>`
  const trailer = { value: file.crossReference.trailer, bytes: file.bytes, isInFile: true }
  const known = resolveEntry(file, trailer, 'ID')
  const first = known.value.kind === 'array' ? known.value.items[0] : undefined
  return `[${first?.kind === 'string' ? verbatim({ bytes: known.bytes, value: first }) : fresh} ${fresh}]`
}

/** What the new trailer takes over from the newest one below (§7.5.5). */
function trailerEntries(file: PdfFile, size: number): string {
  const { trailer, newestSection } = file.crossReference
  const taken = ['Root', 'Info'].flatMap(key => {
    const value = trailer.entries.get(key)
    return value?.kind === 'reference' ? [`/${key} ${reference(value.number, value.generation)}`] : []
  })
  return [`/Size ${size}`, ...taken, `/ID ${identifier(file)}`, `/Prev ${newestSection.offset}`].join(' ')
}

function firstFreeNumber(file: PdfFile): number {
  const size = file.crossReference.trailer.entries.get('Size')
  let next = size?.kind === 'number' && size.integer && size.value <= 10_000_000 ? size.value : 1
  for (const number of file.crossReference.entries.keys()) if (number >= next) next = number + 1
  return next
}

export function newUpdate(file: PdfFile): Update {
  const written = new Map<number, Written>()
  const chunks: Uint8Array[] = []
  let position = file.bytes.length
  let next = firstFreeNumber(file)
  const dangling = findUnresolvedNumbers(file, next)

  const add = (bytes: Uint8Array): void => {
    chunks.push(bytes)
    position += bytes.length
  }
  const addText = (text: string): void => add(Buffer.from(text, 'latin1'))

  // The source may end without an end of line.
  addText('\n')

  function allocate(): number {
    while (dangling.has(next)) next++
    return next++
  }

  function put(number: number, text: string, data?: Uint8Array, generation = 0): void {
    if (written.has(number)) throw new PdfSyntaxError(`object ${number} would be written twice`)
    written.set(number, { offset: position, generation })
    addText(`${number} ${generation} obj\n${text}\n`)
    if (data !== undefined) {
      addText('stream\n')
      add(data)
      addText('\nendstream\n')
    }
    addText('endobj\n')
  }

  function finishTable(): void {
    const start = position
    const sections = runs([...written.keys()].sort((a, b) => a - b))
    addText(`${tableText(written, sections)}trailer\n<< ${trailerEntries(file, next)} >>\nstartxref\n${start}\n%%EOF\n`)
  }

  function finishStream(): void {
    const start = position
    const number = allocate()
    written.set(number, { offset: start, generation: 0 })
    const sections = runs([...written.keys()].sort((a, b) => a - b))
    const data = streamData(written, sections.flat())
    const index = sections.map(numbers => `${numbers[0]} ${numbers.length}`).join(' ')
    const head = `<< /Type /XRef ${trailerEntries(file, next)} /W [1 5 2] /Index [${index}] /Length ${data.length} >>`
    addText(`${number} 0 obj\n${head}\nstream\n`)
    add(data)
    addText(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`)
  }

  return {
    allocate,
    put,
    finish() {
      if (file.crossReference.newestSection.style === 'table') finishTable()
      else finishStream()
      return Buffer.concat(chunks)
    },
  }
}
