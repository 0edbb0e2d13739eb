import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { openForUpdate } from '../../../src/pdf/inspect/open-for-update.ts'
import { balanceContent } from '../../../src/pdf/parser/content-balance.ts'
import { openPdf } from '../../../src/pdf/parser/file.ts'
import { PdfSyntaxError, readValue, textOf } from '../../../src/pdf/parser/syntax.ts'
import { makeIncrement } from '../../../src/pdf/writer/increment.ts'
import {
  formatDate,
  formatDictionary,
  formatName,
  formatNumber,
  formatTextString,
} from '../../../src/pdf/writer/object-changes.ts'
import { Update } from '../../../src/pdf/writer/update.ts'
import { makePdf, pdfOf, startxref } from '../../support/make-pdf.ts'

const read = (text: string) => readValue({ bytes: Buffer.from(text, 'latin1'), at: 0 })
const balance = (content: string) => balanceContent(Buffer.from(content, 'latin1'))
const words = (text: string) => text.trim().split(/\s+/)

describe('what is written', () => {
  test('any text reads back as itself and is written in hexadecimal digits only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const written = formatTextString(text)
        expect(written).toMatch(/^<[0-9a-f]*>$/)
        expect(textOf(read(written))).toBe(text)
      }),
    )
  })

  test('any name reads back as itself', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), bytes => {
        const name = Buffer.from(bytes).toString('latin1')
        expect(read(formatName(name))).toMatchObject({ kind: 'name', value: name })
      }),
    )
  })

  test('any page coordinate is written without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: -20_000, max: 20_000, noNaN: true }), value => {
        expect(formatNumber(value)).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(formatNumber(value))).toBeCloseTo(value, 4)
      }),
    )
  })

  test('a time is written in UTC', () => {
    expect(formatDate('2031-03-04T05:06:07.890+02:00')).toBe('(D:20310304030607Z)')
    expect(() => formatDate('soon')).toThrow(RangeError)
  })

  test('a dictionary keeps every other value byte for byte', () => {
    const source = '<</A   (a\\)\\012)/B#20C[1 .50 -0]/D<41 4>/E 1 0 R/F<</G/H>>>>'
    const value = read(source)
    if (value.kind !== 'dictionary') throw new Error('no dictionary')
    const changed = formatDictionary(
      Buffer.from(source),
      value,
      new Map([
        ['D', '7'],
        ['E', undefined],
        ['N', '8'],
      ]),
    )
    expect(changed.split('\n')).toEqual(['<<', '/A (a\\)\\012)', '/B#20C [1 .50 -0]', '/F <</G/H>>', '/D 7', '/N 8', '>>'])
  })

  test('a dictionary with a duplicate key is not rewritten', () => {
    const value = read('<< /A 1 /A 2 >>')
    if (value.kind !== 'dictionary') throw new Error('no dictionary')
    expect(() => formatDictionary(new Uint8Array(), value, new Map())).toThrow(PdfSyntaxError)
  })
})

describe('content that a page leaves open', () => {
  test('is closed, and extra closing operators get opening ones', () => {
    expect(balance('0 0 9 9 re f')).toEqual({ before: 'q \n', after: '\nQ\n' })
    expect(words(balance('q q Q q').after)).toEqual(['Q', 'Q', 'Q'])
    const over = balance('Q Q q')
    expect([words(over.before), words(over.after)]).toEqual([
      ['q', 'q', 'q'],
      ['Q', 'Q'],
    ])
    expect(words(balance('/A BMC q BT /B << /C (EMC) >> BDC 1 0 0 1 0 0 cm').after)).toEqual(['ET', 'EMC', 'EMC', 'Q', 'Q'])
    expect(words(balance('0 0 m 9 9 l').after)).toEqual(['n', 'Q'])
    expect(words(balance('0 0 m 9 9 l S').after)).toEqual(['Q'])
  })

  test('is not counted in strings, names, comments and images', () => {
    for (const content of [
      '(q \\( q (q) \\)) Tj',
      '<71 20 71> Tj',
      '/q /Q gs',
      '% q q q\n',
      'BI /W 1 ID q q \nEIq Q EI',
      '<< /q /Q >>',
    ]) {
      expect(balance(content)).toEqual({ before: 'q \n', after: '\nQ\n' })
    }
  })

  test('is balanced for any content: as many states restored as saved', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('q', 'Q', 'BT', 'ET', 'n', '(', ')', '<', '%\n', 'ID', 'EI')), operators => {
        const { before, after } = balance(operators.join(' '))
        const whole = balance(`${before}${operators.join(' ')}\n`)
        expect(words(before).length).toBeGreaterThan(0)
        expect(whole.before).toBe('q \n')
        expect(words(after).filter(word => word === 'Q').length).toBe(words(whole.after).filter(word => word === 'Q').length - 1)
      }),
    )
  })
})

describe('the update', () => {
  const placeholder = { byteRange: [0, 1, 2, 3], contentsHex: '00' }
  const signature = { name: 'A', reason: 'B', location: undefined, at: '2031-03-04T05:06:07Z' }
  const updated = (source: Buffer) =>
    Buffer.concat([
      source,
      makeIncrement(openForUpdate(source), {
        overlay: undefined,
        appendix: undefined,
        signature,
        placeholder,
        id: new Uint8Array(16),
      }).bytes,
    ])

  for (const style of ['table', 'stream'] as const) {
    test(`of a cross-reference ${style} points to it by /Prev and changes only necessary objects`, () => {
      const source = makePdf({ style, pages: [{}, {}, {}], objects: { 90: '(kept)' } })
      const { crossReference } = openPdf(updated(source))
      expect(crossReference.trailer.entries.get('Prev')).toMatchObject({ value: startxref(source) })
      expect(crossReference.revisions).toBe(2)
      // Catalog, page 1, signature, field, and a cross-reference stream itself.
      expect(crossReference.newestInUse).toHaveLength(style === 'table' ? 4 : 5)
      expect(crossReference.newestInUse).toEqual(expect.arrayContaining([1, 3]))
      for (const number of [2, 5, 7, 90]) expect(crossReference.newestInUse).not.toContain(number)
    })
  }

  test('gives new objects unused numbers, even if /Size is too small', () => {
    const source = Buffer.from(
      makePdf({ objects: { 500: '(x)' } })
        .toString('latin1')
        .replace('/Size 501', '/Size 004'),
      'latin1',
    )
    const { crossReference } = openPdf(updated(source))
    expect(Math.min(...crossReference.newestInUse.filter(number => number > 4))).toBe(501)
    expect(crossReference.trailer.entries.get('Size')).toMatchObject({ value: 503 })
  })

  test('gives no number to which the file has an unresolved reference', () => {
    for (const style of ['table', 'stream'] as const) {
      const size = style === 'table' ? 91 : 92
      const objects = { 90: `<< /A [${size} 0 R<< /B ${size + 2}\r\n0\nR >>] /C 2000000000 0 R /D (R) >>` }
      const source = makePdf({ style, objects, catalog: `/Outlines ${size + 3} 0 R` })
      const { crossReference, resolve } = openPdf(updated(source))
      const added = crossReference.newestInUse.filter(number => number >= size)
      expect(added).toEqual(style === 'table' ? [size + 1, size + 4] : [size + 1, size + 4, size + 5])
      for (const number of [size, size + 2, size + 3]) {
        expect(resolve({ kind: 'reference', number, generation: 0, start: 0, end: 0 }).value.kind).toBe('null')
      }
    }
  })

  test('keeps the generation of rewritten objects', () => {
    const text = makePdf().toString('latin1').replace('3 0 obj', '3 7 obj').replace('[3 0 R]', '[3 7 R]')
    const source = Buffer.from(text.replace(/(3 1\n\d{10}) 00000/, '$1 00007'), 'latin1')
    const file = openPdf(updated(source))
    expect(file.crossReference.entries.get(3)).toMatchObject({ kind: 'offset', generation: 7 })
  })

  test('can follow a source without a final end of line', () => {
    const source = makePdf()
    expect(openPdf(updated(source.subarray(0, source.length - 1))).crossReference.revisions).toBe(2)
  })

  test('keeps the first part of /ID and renews the second', () => {
    const source = makePdf({ trailer: '/ID [<0102> <0304>]' })
    const id = openPdf(updated(source)).crossReference.trailer.entries.get('ID')
    if (id?.kind !== 'array') throw new Error('no /ID')
    const [first, second] = id.items.map(item => (item.kind === 'string' ? Buffer.from(item.value).toString('hex') : ''))
    expect(first).toBe('0102')
    expect(second).toMatch(/^[0-9a-f]{32}$/)
  })

  test('writes no object twice', () => {
    const update = new Update(openPdf(makePdf()), new Uint8Array(16))
    update.put(3, '<< >>')
    expect(() => update.put(3, '<< >>')).toThrow(PdfSyntaxError)
  })

  test('rewrites a catalog and a page from an object stream as plain objects', () => {
    const inner = [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 12 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /Annots [<< /Subtype /Text /Rect [0 0 1 1] /Contents (kept) >>] >>',
    ]
    const index = inner.map((_, i) => `${i + 1} ${inner.slice(0, i).reduce((sum, text) => sum + text.length + 1, 0)}`).join(' ')
    const first = index.length + 1
    const below = pdfOf({
      objects: {
        10: {
          head: `/Type /ObjStm /N 3 /First ${first} /Filter /FlateDecode`,
          data: deflateSync(Buffer.from(`${index}\n${inner.join('\n')}`)),
        },
      },
      style: 'stream',
    })
    const at = below.lastIndexOf('11 0 obj')
    const rows = Buffer.concat(
      [
        [2, 10, 0],
        [2, 10, 1],
        [2, 10, 2],
        [1, below.indexOf('10 0 obj'), 0],
        [1, at, 0],
      ].map(([type, second, third]) => {
        const row = Buffer.alloc(6)
        row.writeUInt8(type ?? 0)
        row.writeUInt32BE(second ?? 0, 1)
        row.writeUInt8(third ?? 0, 5)
        return row
      }),
    )
    const head = `11 0 obj\n<< /Type /XRef /Size 12 /W [1 4 1] /Index [1 3 10 2] /Root 1 0 R /Length ${rows.length} >>\nstream\n`
    const source = Buffer.concat([
      below.subarray(0, at),
      Buffer.from(head),
      rows,
      Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
    ])
    const whole = updated(source)
    const { file, pages } = openForUpdate(whole)
    // The unresolved outline reference in the object stream stays unresolved.
    expect(file.crossReference.entries.has(12)).toBe(false)
    expect(file.crossReference.entries.get(1)).toMatchObject({ kind: 'offset' })
    expect(file.crossReference.entries.get(2)).toMatchObject({ kind: 'compressed' })
    expect(pages).toHaveLength(1)
    expect(whole.subarray(source.length).toString('latin1')).toContain('/Contents (kept)')
  })
})
