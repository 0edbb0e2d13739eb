/** Reads a multipart form (RFC 7578) as it arrives: buffers its fields, streams its files. */
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'

const MAX_HEADER_BYTES = 8192
/** More than most forms have. */
const MAX_PARTS = 200
const CRLF = Buffer.from('\r\n')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')

const malformed = () => new Refusal('validation_failed', violation('form_unreadable'))

interface Options {
  /** The Content-Type header of the request. */
  contentType: string
  maxKeptBytes: number
  /** Whether the fields of this name are files. */
  isFileField(name: string): boolean
  /** Default 200. */
  maxParts?: number | undefined
  /** Fields that are buffered also if they have a file name, as browsers give to a `Blob`. */
  textFields?: readonly string[]
  /** Begins a file, with the name that the sender gives it, and that of its field. */
  open(fileName: string, name: string): void
  /** Receives each part of the file opened last. The bytes are valid only during the call. */
  take(part: Uint8Array): void
}

export class MultipartScanner {
  /** The buffered fields. Of a name that is sent twice, the last. */
  readonly contents = new Map<string, Buffer>()
  /** The name of every part, in order. */
  readonly names: string[] = []
  #state: 'before' | 'boundary-end' | 'headers' | 'field' | 'file' | 'ignored' | 'end' = 'before'
  readonly #delimiter: Buffer
  readonly #options: Options
  /** Bytes not processed yet. The initial line break makes all boundaries alike. */
  #rest: Buffer = CRLF
  #name = ''
  #fieldParts: Buffer[] = []
  #keptBytes = 0

  constructor(options: Options) {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(options.contentType) ?? []
    const boundary = quoted ?? plain
    if (boundary === undefined) throw malformed()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#options = options
  }

  get fields(): Record<string, string> {
    return Object.fromEntries([...this.contents].map(([name, content]) => [name, content.toString('utf8')]))
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Throws `validation_failed`, or `payload_too_large` when the fields exceed their bound. */
  add(bytes: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    while (this.#advance());
  }

  /** Throws `validation_failed` unless the form is complete. */
  end(): void {
    if (this.#state !== 'end') throw malformed()
  }

  /** Returns whether to call it again. */
  #advance(): boolean {
    if (this.#state === 'end') {
      this.#rest = Buffer.alloc(0)
      return false
    }
    if (this.#state === 'boundary-end') return this.#readBoundaryEnd()
    if (this.#state === 'headers') return this.#readHeaders()
    const at = this.#rest.indexOf(this.#delimiter)
    const length = at < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : at
    this.#takeContent(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(at < 0 ? length : at + this.#delimiter.length)
    if (at < 0) return false
    this.#endPart()
    this.#state = 'boundary-end'
    return true
  }

  /**
   * The offset of an end that has to come within the bound; undefined until it arrives. The answer
   * is the same in whatever parts the form arrives.
   */
  #endWithin(end: Buffer): number | undefined {
    const at = this.#rest.subarray(0, MAX_HEADER_BYTES).indexOf(end)
    if (at >= 0) return at
    if (this.#rest.length < MAX_HEADER_BYTES) return undefined
    throw malformed()
  }

  /** Expects two hyphens after the last part, else white space and a line break. */
  #readBoundaryEnd(): boolean {
    if (this.#rest.length < 2) return false
    if (this.#rest.toString('latin1', 0, 2) === '--') {
      this.#state = 'end'
      return true
    }
    const at = this.#endWithin(CRLF)
    if (at === undefined) return false
    if (!/^[ \t]*$/.test(this.#rest.toString('latin1', 0, at))) throw malformed()
    // Keep the line break: END_OF_HEADERS then also matches a part without headers.
    this.#rest = this.#rest.subarray(at)
    this.#state = 'headers'
    return true
  }

  #readHeaders(): boolean {
    const at = this.#endWithin(END_OF_HEADERS)
    if (at === undefined) return false
    const disposition = /^content-disposition:[ \t]*form-data(;.*)$/im.exec(this.#rest.toString('utf8', 0, at))?.[1] ?? ''
    const name = parameterOf(disposition, 'name')
    const fileName = parameterOf(disposition, 'filename')
    const { textFields, isFileField, maxParts = MAX_PARTS } = this.#options
    if (name === undefined || this.names.length >= maxParts) throw malformed()
    this.names.push(name)
    this.#rest = this.#rest.subarray(at + END_OF_HEADERS.length)
    this.#name = name
    const isField = fileName === undefined || textFields?.includes(name) === true
    this.#state = isField ? 'field' : isFileField(name) ? 'file' : 'ignored'
    if (this.#state === 'file') this.#options.open(fileName ?? '', name)
    return true
  }

  #takeContent(bytes: Buffer): void {
    if (this.#state === 'file') this.#options.take(bytes)
    if (this.#state !== 'field') return
    this.#keptBytes += bytes.length
    if (this.#keptBytes > this.#options.maxKeptBytes)
      throw new Refusal('payload_too_large', violation('form_too_large', { bytes: this.#options.maxKeptBytes }))
    this.#fieldParts.push(Buffer.from(bytes))
  }

  #endPart(): void {
    if (this.#state === 'field') this.contents.set(this.#name, Buffer.concat(this.#fieldParts))
    this.#fieldParts = []
  }
}

/** Browsers percent-encode quotes and line breaks in names (HTML standard). */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  return (quoted ?? plain)?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
