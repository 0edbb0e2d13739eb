/**
 * Writes a new PDF to a file as its objects come: streams as they are, other objects compressed in
 * object streams, and a cross-reference stream. ISO 32000-2 §7.5.2, §7.5.7, §7.5.8.
 */
import { fsyncSync, writeSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { remark } from '../../locales/remarks.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import type { ObjectSink } from './import-objects.ts'
import { formatReference } from './object-changes.ts'

/** Objects and bytes of one object stream: readers decode all of it for one object. */
const MAX_OBJECTS = 200
const MAX_OBJECT_BYTES = 256 * 1024
/** Bytes that are collected before a write. */
const WRITE_BYTES = 1024 * 1024
/** Bytes of the three columns of the cross-reference: kind, offset or stream, index. */
const COLUMNS = [1, 5, 2] as const

type Entry = { kind: 1; offset: number } | { kind: 2; stream: number; index: number }

export class NewFile implements ObjectSink {
  readonly #descriptor: number
  readonly #entries = new Map<number, Entry>()
  #buffered: Uint8Array[] = []
  #bufferedBytes = 0
  #position = 0
  #next = 1
  #objects: { number: number; text: Buffer }[] = []
  #objectBytes = 0

  /** `descriptor`: an empty file, open for writing. `version`: such as `1.7`. */
  constructor(descriptor: number, version: string) {
    this.#descriptor = descriptor
    // §7.5.2: four bytes above 127 mark a binary file.
    this.#add(Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1'))
  }

  allocate(): number {
    return this.#next++
  }

  put(number: number, text: string, data?: Uint8Array): void {
    if (this.#entries.has(number)) throw new PdfSyntaxError(remark('object_written_twice', { number }))
    if (data !== undefined) {
      this.#putStream(number, text, data)
      return
    }
    // Its place is set when the object stream is written.
    this.#entries.set(number, { kind: 2, stream: 0, index: 0 })
    const bytes = Buffer.from(text, 'latin1')
    this.#objects.push({ number, text: bytes })
    this.#objectBytes += bytes.length
    if (this.#objects.length >= MAX_OBJECTS || this.#objectBytes >= MAX_OBJECT_BYTES) this.#putObjectStream()
  }

  /** Ends and syncs the file. `id`: 16 bytes. Returns the number of bytes. */
  finish(catalog: number, id: Uint8Array): number {
    if (this.#objects.length > 0) this.#putObjectStream()
    const number = this.allocate()
    const offset = this.#position
    this.#entries.set(number, { kind: 1, offset })
    const data = deflateSync(this.#formatEntries())
    const hex = Buffer.from(id).toString('hex')
    const trailer = `/Size ${this.#next} /Root ${formatReference(catalog)} /ID [<${hex}> <${hex}>]`
    const entries = `/Type /XRef ${trailer} /W [${COLUMNS.join(' ')}] /Filter /FlateDecode /Length ${data.length}`
    this.#addObject(number, `<< ${entries} >>`, data)
    this.#add(Buffer.from(`startxref\n${offset}\n%%EOF\n`))
    this.#flush()
    fsyncSync(this.#descriptor)
    return this.#position
  }

  #putStream(number: number, text: string, data: Uint8Array): void {
    this.#entries.set(number, { kind: 1, offset: this.#position })
    this.#addObject(number, text, data)
  }

  #putObjectStream(): void {
    const objects = this.#objects
    this.#objects = []
    this.#objectBytes = 0
    const stream = this.allocate()
    const index: string[] = []
    let offset = 0
    for (const [i, { number, text }] of objects.entries()) {
      this.#entries.set(number, { kind: 2, stream, index: i })
      index.push(`${number} ${offset}`)
      offset += text.length + 1
    }
    const head = Buffer.from(`${index.join(' ')}\n`)
    const data = deflateSync(Buffer.concat([head, ...objects.flatMap(({ text }) => [text, Buffer.from('\n')])]))
    const entries = `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode /Length ${data.length}`
    this.#putStream(stream, `<< ${entries} >>`, data)
  }

  /** An object that was allocated and never written is free: references to it are null. */
  #formatEntries(): Buffer {
    const width = COLUMNS[0] + COLUMNS[1] + COLUMNS[2]
    const data = Buffer.alloc(this.#next * width)
    data.writeUInt16BE(0xffff, COLUMNS[0] + COLUMNS[1])
    for (const [number, entry] of this.#entries) {
      const at = number * width
      data.writeUInt8(entry.kind, at)
      data.writeUIntBE(entry.kind === 1 ? entry.offset : entry.stream, at + COLUMNS[0], COLUMNS[1])
      data.writeUInt16BE(entry.kind === 1 ? 0 : entry.index, at + COLUMNS[0] + COLUMNS[1])
    }
    return data
  }

  #addObject(number: number, text: string, data: Uint8Array): void {
    this.#add(Buffer.from(`${number} 0 obj\n${text}\nstream\n`, 'latin1'))
    this.#add(data)
    this.#add(Buffer.from('\nendstream\nendobj\n'))
  }

  #add(bytes: Uint8Array): void {
    this.#buffered.push(bytes)
    this.#bufferedBytes += bytes.length
    this.#position += bytes.length
    if (this.#bufferedBytes >= WRITE_BYTES) this.#flush()
  }

  #flush(): void {
    const bytes = this.#buffered.length === 1 ? this.#buffered[0]! : Buffer.concat(this.#buffered)
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at)
    this.#buffered = []
    this.#bufferedBytes = 0
  }
}
