/** Reads a form with files (RFC 7578, RFC 2046 §5.1) as it arrives: fields are kept, the bytes of its one file are handed on. */
import { Refusal } from '../core/refusal.ts'

const MAX_HEADER_BYTES = 8192
/** More than any form of ours has. */
const MAX_PARTS = 200
const CRLF = Buffer.from('\r\n')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')

const malformed = () => new Refusal('validation_failed', 'The form could not be read: please send it again.')

interface Options {
  /** Of the Content-Type. */
  contentType: string
  maxKeptBytes: number
  /** The field that holds the file. */
  fileField: string
  /** Called with the bytes of the file. Use them at once. */
  take(part: Uint8Array): void
}

export class MultipartScanner {
  readonly fields: Record<string, string> = {}
  /** As the sender names it; undefined before it came. */
  fileName: string | undefined
  #state: 'before' | 'line' | 'headers' | 'field' | 'file' | 'ignored' | 'end' = 'before'
  readonly #delimiter: Buffer
  readonly #options: Options
  /** What is not decided yet. A line break before the first boundary, so that all of them look the same. */
  #rest: Buffer = CRLF
  #name = ''
  #kept: Buffer[] = []
  #keptBytes = 0
  #parts = 0

  constructor(options: Options) {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(options.contentType) ?? []
    const boundary = quoted ?? plain
    if (boundary === undefined) throw malformed()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#options = options
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Throws `validation_failed`, or `payload_too_large` when the fields take more than the bound. */
  add(bytes: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes])
    while (this.#advance());
  }

  /** Throws `validation_failed` unless the form is whole. */
  end(): void {
    if (this.#state !== 'end') throw malformed()
  }

  /** Returns whether there may be more to do. */
  #advance(): boolean {
    if (this.#state === 'end') {
      this.#rest = Buffer.alloc(0)
      return false
    }
    if (this.#state === 'line') return this.#endLine()
    if (this.#state === 'headers') return this.#readHeaders()
    const at = this.#rest.indexOf(this.#delimiter)
    const length = at < 0 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : at
    this.#content(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(at < 0 ? length : at + this.#delimiter.length)
    if (at < 0) return false
    this.#endPart()
    this.#state = 'line'
    return true
  }

  /** What follows a boundary: two hyphens at the end of all parts, else white space and a line break. */
  #endLine(): boolean {
    if (this.#rest.length < 2) return false
    if (this.#rest.toString('latin1', 0, 2) === '--') {
      this.#state = 'end'
      return true
    }
    const at = this.#rest.indexOf(CRLF)
    if (at < 0 && this.#rest.length < MAX_HEADER_BYTES) return false
    if (at < 0 || !/^[ \t]*$/.test(this.#rest.toString('latin1', 0, at))) throw malformed()
    // The line break stays: headers begin behind one, also when there are none.
    this.#rest = this.#rest.subarray(at)
    this.#state = 'headers'
    return true
  }

  #readHeaders(): boolean {
    const at = this.#rest.indexOf(END_OF_HEADERS)
    if (at < 0 && this.#rest.length < MAX_HEADER_BYTES) return false
    if (at < 0) throw malformed()
    const disposition = /^content-disposition:[ \t]*form-data(;.*)$/im.exec(this.#rest.toString('utf8', 0, at))?.[1] ?? ''
    const name = parameterOf(disposition, 'name')
    const fileName = parameterOf(disposition, 'filename')
    if (name === undefined || ++this.#parts > MAX_PARTS) throw malformed()
    this.#rest = this.#rest.subarray(at + END_OF_HEADERS.length)
    this.#name = name
    const isFile = name === this.#options.fileField && fileName !== undefined && this.fileName === undefined
    if (isFile) this.fileName = fileName
    this.#state = isFile ? 'file' : fileName === undefined ? 'field' : 'ignored'
    return true
  }

  #content(bytes: Buffer): void {
    if (this.#state === 'file') this.#options.take(bytes)
    if (this.#state !== 'field') return
    this.#keptBytes += bytes.length
    if (this.#keptBytes > this.#options.maxKeptBytes)
      throw new Refusal(
        'payload_too_large',
        `The form has more than the ${this.#options.maxKeptBytes} bytes accepted beside its file.`,
      )
    this.#kept.push(Buffer.from(bytes))
  }

  #endPart(): void {
    if (this.#state === 'field') this.fields[this.#name] = Buffer.concat(this.#kept).toString('utf8')
    this.#kept = []
  }
}

/** Browsers write quotes and line breaks of a name in percent (HTML, multipart/form-data encoding algorithm). */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
  return (quoted ?? plain)?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
