/** Reading of CSV files as offices have them: every encoding, delimiter and line end. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type CsvOptions, DELIMITERS, type Encoding, readCsv } from '../../../src/core/csv/read.ts'
import { BYTE_ORDER_MARK, csvRow } from '../../../src/core/csv/write.ts'
import { InvalidInputError } from '../../../src/core/refusal.ts'
import { MAX_BATCH_ROWS } from '../../../src/core/template/batch.ts'
import { englishOfRefusal } from '../../../src/locales/violations.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (text: string, options?: CsvOptions) => readCsv(utf8(text), options)
const rowsOf = (text: string, options?: CsvOptions) => read(text, options).rows.map(({ cells }) => cells)

function wide(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), encoding === 'utf-16le')
  return bytes
}

/** By the decoder's own table, so that only what the encoding has can be written. */
function oneByte(text: string, encoding: 'windows-1252' | 'windows-1250'): Uint8Array {
  const table = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, i) => i))
  return Uint8Array.from([...text], character => table.indexOf(character))
}

function refusalOf(bytes: Uint8Array, options?: CsvOptions): string {
  try {
    readCsv(bytes, options)
  } catch (error) {
    if (error instanceof InvalidInputError) return englishOfRefusal(error)
    throw error
  }
  return 'none'
}

describe('encodings', () => {
  const text = 'Name;E-Mail\r\nJörg Müller;joerg@example.com\r\n'
  const expected = { header: ['Name', 'E-Mail'], rows: [{ line: 2, cells: ['Jörg Müller', 'joerg@example.com'] }] }

  const files: [name: string, bytes: Uint8Array, encoding: Encoding][] = [
    ['UTF-8', utf8(text), 'utf-8'],
    ['UTF-8 with a byte order mark', utf8(BYTE_ORDER_MARK + text), 'utf-8'],
    ['UTF-16 LE with a byte order mark', wide(BYTE_ORDER_MARK + text, 'utf-16le'), 'utf-16le'],
    ['UTF-16 BE with a byte order mark', wide(BYTE_ORDER_MARK + text, 'utf-16be'), 'utf-16be'],
    ['UTF-16 LE without one', wide(text, 'utf-16le'), 'utf-16le'],
    ['UTF-16 BE without one', wide(text, 'utf-16be'), 'utf-16be'],
    ['Windows-1252', oneByte(text, 'windows-1252'), 'windows-1252'],
  ]
  for (const [name, bytes, encoding] of files)
    test(`${name} is recognised`, () => {
      expect(readCsv(bytes)).toEqual({ encoding, delimiter: ';', ...expected })
    })

  test('Windows-1250 is what a Polish reader means by bytes that are not UTF-8', () => {
    const bytes = oneByte('Imię,Miasto\nŁucja,Łódź\n', 'windows-1250')
    expect(readCsv(bytes, { language: 'pl' })).toMatchObject({ encoding: 'windows-1250', header: ['Imię', 'Miasto'] })
    expect(readCsv(bytes, { language: 'de' }).encoding).toBe('windows-1252')
    expect(readCsv(bytes, { encoding: 'windows-1250' }).rows[0]?.cells).toEqual(['Łucja', 'Łódź'])
  })

  test('an encoding that the bytes do not have is refused, since the names would be wrong', () => {
    expect(refusalOf(oneByte('Name\nJörg', 'windows-1252'), { encoding: 'utf-8' })).toContain('is not in the encoding utf-8')
  })
})

describe('delimiters', () => {
  test('are recognised by equal numbers of cells, not by how often they occur', () => {
    expect(read('Name;Rent\nAnna, Bo, Cy;1.200,50\nDi, Ed;3,00\n').delimiter).toBe(';')
    expect(read('Name,Note\nAnna,a;b;c\nBo,d\n').delimiter).toBe(',')
    expect(read('First, middle, last name;Rent\nAnna Berg;1,50\nBo Lind;2\n').delimiter).toBe(';')
    expect(read('Name\tRent\nAnna\t1,50\n').delimiter).toBe('\t')
    expect(read('Name|Rent\nAnna|1,50\n').delimiter).toBe('|')
    expect(read('"Last; first";Rent\n"a,b";"c,d"\n').header).toEqual(['Last; first', 'Rent'])
    expect(read('E-mail\nanna@example.com\n').delimiter).toBe(',')
  })

  test('a first line "sep=" names it and does not count as a line', () => {
    expect(read('sep=|\r\nA,B|C\r\n1|2\r\n')).toEqual({
      encoding: 'utf-8',
      delimiter: '|',
      header: ['A,B', 'C'],
      rows: [{ line: 2, cells: ['1', '2'] }],
    })
  })

  test('can be chosen', () => {
    expect(read('a;b,c\n1;2,3\n', { delimiter: ',' }).header).toEqual(['a;b', 'c'])
  })
})

describe('lines', () => {
  test('are those of the spreadsheet: a break inside a cell adds none, an empty row counts', () => {
    const { rows } = read('Name,Address\n"Anna","Street 1\nBerlin"\n\n,\nBo,Street 2\n')
    expect(rows).toEqual([
      { line: 2, cells: ['Anna', 'Street 1\nBerlin'] },
      { line: 5, cells: ['Bo', 'Street 2'] },
    ])
  })

  test('end with CRLF, LF or CR', () => {
    for (const end of ['\r\n', '\n', '\r'])
      expect(rowsOf(['a,b', '1,2', '3,4'].join(end))).toEqual([
        ['1', '2'],
        ['3', '4'],
      ])
  })

  test('have as many cells as the header; empty ones at the end do not matter, others stay', () => {
    expect(rowsOf('a,b,,\n1\n1,2,,,\n1,2,3\n')).toEqual([
      ['1', ''],
      ['1', '2'],
      ['1', '2', '3'],
    ])
  })

  test('a quotation mark within a cell is text', () => {
    expect(rowsOf('a,b\n5" nail,"x"y\n')).toEqual([['5" nail', 'xy']])
  })
})

describe('refusals', () => {
  const refusals: [name: string, bytes: Uint8Array, message: string][] = [
    ['a spreadsheet', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'is a spreadsheet, not a CSV file: save it as CSV'],
    ['an old spreadsheet', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), 'is a spreadsheet, not a CSV file: save it as CSV'],
    ['a PDF', utf8('%PDF-1.7'), 'is a PDF'],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0), 'is not a CSV file'],
    ['an empty file', new Uint8Array(), 'must not be empty'],
    ['an open quotation mark', utf8('a,b\n1,2\n3,"4\n5,6\n'), 'a quotation mark in line 3 that is never closed'],
    ['too many bytes', new Uint8Array(5_000_001), 'at most 5 MB'],
    ['too many columns', utf8('a,'.repeat(501)), 'at most 500 columns'],
    ['a row wider than any spreadsheet', utf8(`a,b\n${','.repeat(16_384)}\n`), 'at most 500 columns'],
    ['too many empty rows', utf8(`a,b\n${'\n'.repeat(100_000)}c,d\n`), 'at most 5,000 rows'],
    ['too many cells in all', utf8(`a,b\n${`${','.repeat(9_999)}\n`.repeat(251)}`), 'at most 5,000 rows'],
    ['too many rows', utf8(`a\n${'1\n'.repeat(MAX_BATCH_ROWS + 1)}`), 'at most 5,000 rows'],
  ]
  for (const [name, bytes, message] of refusals)
    test(`${name} is refused with what to do`, () => {
      expect(refusalOf(bytes)).toContain(message)
    })

  test('as many rows as are allowed are read', () => {
    expect(read(`a\n${'1\n'.repeat(MAX_BATCH_ROWS)}`).rows).toHaveLength(MAX_BATCH_ROWS)
  })
})

describe('round trip', () => {
  /** Characters that matter to CSV, and those that Windows-1252 has too. */
  const character = fc.constantFrom(...'",;|\t\n\r=+-@\'aäöüßé€ 1')
  const cell = fc.string({ unit: character, maxLength: 8 })
  const rows = fc
    .integer({ min: 2, max: 5 })
    .chain(columns => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }))
  const isBlank = (cells: string[]) => cells.every(text => text.trim() === '')

  const encoders: Record<string, (text: string) => Uint8Array> = {
    'UTF-8': utf8,
    'UTF-8 with a byte order mark': text => utf8(BYTE_ORDER_MARK + text),
    'UTF-16 LE': text => wide(text, 'utf-16le'),
    'UTF-16 BE with a byte order mark': text => wide(BYTE_ORDER_MARK + text, 'utf-16be'),
    'Windows-1252': text => oneByte(text, 'windows-1252'),
  }
  for (const [name, encode] of Object.entries(encoders))
    test(`what is written is read again, in ${name}`, () => {
      fc.assert(
        fc.property(rows, fc.constantFrom(...DELIMITERS), (cells, delimiter) => {
          // A letter that only its own encoding reads as itself.
          const header = cells[0]!.map((_, i) => `Größe ${i}`)
          const text = [header, ...cells].map(row => csvRow(row, delimiter)).join('')
          const table = readCsv(encode(text), { delimiter })
          expect(table.header).toEqual(header)
          const expected = cells.map((row, i) => ({ line: i + 2, cells: row })).filter(row => !isBlank(row.cells))
          expect(table.rows).toEqual(expected)
        }),
      )
    })

  test('the delimiter is recognised whatever the cells hold', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(...DELIMITERS), (cells, delimiter) => {
        const header = cells[0]!.map((_, i) => `column ${i}`)
        const text = [header, ...cells].map(row => csvRow(row, delimiter)).join('')
        expect(read(text).delimiter).toBe(delimiter)
      }),
    )
  })

  test('any bytes at all are read or refused, never a failure', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        refusalOf(bytes)
      }),
    )
  })
})
