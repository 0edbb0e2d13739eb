/** Targets: bodies, lists and texts that people and programs send. */
import { parseDate } from '../../src/core/csv/dates.ts'
import { readCsv } from '../../src/core/csv/read.ts'
import { mappingOf, rowsToUses } from '../../src/core/csv/rows.ts'
import { csvRow } from '../../src/core/csv/write.ts'
import { parseMailboxes } from '../../src/core/draft/mailbox.ts'
import { numberOf, parseNumber } from '../../src/core/field/number.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { inkShapes, inkText, parseInk, svgPath } from '../../src/core/signing/ink.ts'
import { emailError } from '../../src/core/text.ts'
import { JsonScanner } from '../../src/http/body/json-scanner.ts'
import { MultipartScanner } from '../../src/http/body/multipart-scanner.ts'
import { Base64Decoder } from '../../src/http/body/receive.ts'
import { foldText, trigramsOf } from '../../src/lib/search-text.ts'
import { LEASE } from '../core/csv/scene.ts'
import { type Target, ViolationError } from './target.ts'

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a reader of parts answers: its value, or the reason of its refusal. */
function answerOf(work: () => unknown): { value: unknown } | { reason: string } {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.reason }
    throw error
  }
}

function* divided(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The parts in which a body arrives decide nothing. */
function demandSame(answer: (size: number) => unknown): unknown {
  const whole = answer(1 << 20)
  for (const size of [1, 7])
    if (!same(whole, answer(size))) throw new ViolationError('what is read depends on the parts in which it arrives')
  return whole
}

const wordOf = (answer: unknown): string =>
  answer !== null && typeof answer === 'object' && 'reason' in answer ? `refused: ${answer.reason}` : 'read'

function scanJson(bytes: Uint8Array, size: number): { value: unknown; files: string[] } {
  const files: string[] = []
  const scanner = new JsonScanner(100_000, {
    name: 'content',
    list: 'files',
    open() {
      files.push('')
      return part => {
        files[files.length - 1] += Buffer.from(part).toString('latin1')
      }
    },
  })
  for (const part of divided(bytes, size)) scanner.add(Buffer.from(part))
  return { value: scanner.end(), files }
}

/** The platform's parser, of whose values the scanner refuses some. */
function demandValueOf(bytes: Uint8Array): void {
  const scanner = new JsonScanner(100_000)
  const found = answerOf(() => {
    scanner.add(bytes)
    return scanner.end()
  })
  if ('reason' in found) return
  if (!same(found.value, JSON.parse(Buffer.from(bytes).toString('utf8'))))
    throw new ViolationError('JSON has another value than the parser says')
}

const JSON_BODY: Target = {
  name: 'json-body',
  format: 'json',
  seeds: ['json-body'],
  words: ['"', '\\', '{', '}', '[', ']', ',', ':', '\\u0041', '\\ud800', '"content":"', '"files":[', 'null', '1e9', '\u00e9'],
  refusals: [],
  costUs: 120,
  open: () => ({
    read(bytes) {
      demandValueOf(bytes)
      return wordOf(demandSame(size => answerOf(() => scanJson(bytes, size))))
    },
  }),
}

function scanForm(bytes: Uint8Array, size: number): unknown {
  const files: { name: string; content: string }[] = []
  const scanner = new MultipartScanner({
    contentType: 'multipart/form-data; boundary=----b',
    maxKeptBytes: 100_000,
    isFileField: name => name === 'file',
    textFields: ['document'],
    open: name => void files.push({ name, content: '' }),
    take(part) {
      const last = files.at(-1)
      if (last) last.content += Buffer.from(part).toString('latin1')
    },
  })
  for (const part of divided(bytes, size)) scanner.add(part)
  scanner.end()
  return { fields: scanner.fields, names: scanner.names, files }
}

const MULTIPART: Target = {
  name: 'multipart',
  format: 'text',
  seeds: ['multipart'],
  words: [
    '\r\n',
    '------b',
    '--',
    '\r\n------b\r\n',
    'Content-Disposition: form-data; name="a"',
    '; filename="x"',
    '%22',
    '%0D%0A',
    '"',
    ' ',
  ],
  refusals: [],
  costUs: 250,
  open: () => ({ read: bytes => wordOf(demandSame(size => answerOf(() => scanForm(bytes, size)))) }),
}

/** A table that is written and read again is the same. */
function demandRoundTrip(header: readonly string[], rows: readonly (readonly string[])[]): void {
  if (/^sep=/i.test(header[0] ?? '')) return
  const text = [header, ...rows].map(row => csvRow(row)).join('')
  const again = answerOf(() => readCsv(new TextEncoder().encode(text), { encoding: 'utf-8', delimiter: ',' }))
  if ('reason' in again) throw new ViolationError('a list that was written is refused')
  const table = again.value as ReturnType<typeof readCsv>
  if (
    !same(table.header, header) ||
    !same(
      table.rows.map(({ cells }) => cells),
      rows,
    )
  )
    throw new ViolationError('a list that was written has other cells')
}

const CSV: Target = {
  name: 'csv',
  format: 'text',
  seeds: ['csv'],
  words: [',', ';', '\t', '|', '"', '""', '\r\n', '\r', '\n', 'sep=;\n', '\ufeff', "'=", '31.02.2026', '1.234,5', '\u0000', ' '],
  refusals: ['InvalidInputError'],
  costUs: 300,
  open: () => ({
    read(bytes) {
      const table = readCsv(bytes)
      demandRoundTrip(
        table.header,
        table.rows.map(({ cells }) => cells),
      )
      for (const cell of table.rows.flatMap(({ cells }) => cells).slice(0, 50)) {
        parseDate(cell, undefined, {})
        parseNumber(cell, undefined)
      }
      const mapping = mappingOf(table, LEASE)
      return rowsToUses(table, LEASE, { mapping }).uses.length > 0 ? 'uses' : 'rows'
    },
  }),
}

function decode(bytes: Uint8Array, size: number): string {
  const decoder = new Base64Decoder()
  const parts: Uint8Array[] = []
  for (const part of divided(bytes, size)) {
    const target = new Uint8Array(Base64Decoder.maxBytes(part.length))
    parts.push(target.subarray(0, decoder.decode(part, target)))
  }
  return Buffer.concat([...parts, decoder.end()]).toString('hex')
}

const BASE64: Target = {
  name: 'base64',
  format: 'text',
  seeds: ['base64'],
  words: ['=', '==', '\n', ' ', 'A', '-', '_', '\u00e9'],
  refusals: ['SyntaxError'],
  costUs: 25,
  open: () => ({
    read(bytes) {
      const found = decode(bytes, 1 << 20)
      if (found !== decode(bytes, 3)) throw new ViolationError('what is read depends on the parts in which it arrives')
      const bare = Buffer.from(bytes)
        .toString('latin1')
        .replace(/[ \t\n\f\r]/g, '')
      if (Buffer.from(found, 'hex').toString('base64') !== bare)
        throw new ViolationError('base64 has other bytes than it encodes')
      return 'read'
    },
  }),
}

const INK: Target = {
  name: 'ink',
  format: 'json',
  seeds: ['ink'],
  refusals: [],
  costUs: 600,
  open: () => ({
    read(bytes) {
      const ink = parseInk(Buffer.from(bytes).toString('utf8'))
      if ('error' in ink) return ink.error
      if (!same(parseInk(inkText(ink)), ink)) throw new ViolationError('ink that is written again is another')
      if (/[^-\d.A-Za-z ,]|NaN|Infinity/.test(svgPath(inkShapes(ink)))) throw new ViolationError('a path has what is no number')
      return 'drawn'
    },
  }),
}

const MAILBOXES: Target = {
  name: 'mailboxes',
  format: 'text',
  seeds: ['mailboxes'],
  words: ['<', '>', '@', ';', ',', '"', '\\', '(', ')', 'mailto:', '\r\n', '\u202e', 'a@b.example'],
  refusals: [],
  costUs: 100,
  open: () => ({
    read(bytes) {
      const text = Buffer.from(bytes).toString('utf8')
      const found = parseMailboxes(text)
      for (const { email } of found) if (emailError(email)) throw new ViolationError('an address that is read is none')
      trigramsOf(foldText(text.slice(0, 5_000)))
      numberOf(text.slice(0, 100))
      return found.length > 0 ? 'people' : 'nobody'
    },
  }),
}

export const BODY_TARGETS: readonly Target[] = [JSON_BODY, MULTIPART, CSV, BASE64, INK, MAILBOXES]
