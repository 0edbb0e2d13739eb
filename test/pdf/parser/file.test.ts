/** Files are read only by their cross-reference, whatever else the bytes contain. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { openPdf, type PdfFile } from '../../../src/pdf/parser/file.ts'
import { readDate } from '../../../src/pdf/parser/signature-fields.ts'
import { PdfSyntaxError, readValue, textOf } from '../../../src/pdf/parser/syntax.ts'
import { verifyBytes } from '../../support/written-report.ts'
import { plainPdf, withRevision } from '../../verify/tiny-pdf.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const read = (text: string) => readValue({ bytes: latin1(text), at: 0 })
const object = (file: PdfFile, number: number) =>
  file.resolve({ kind: 'reference', number, generation: 0, start: 0, end: 0 }).value

/**
 * A file of objects and any cross-reference text. `{n}` is the offset of object n, `{end}` the
 * start of the text.
 */
function fileOf(objects: [number, string][], crossReference: string, startxref = '{end}'): Buffer {
  let text = '%PDF-1.7\n'
  const offsets = new Map<string, number>()
  for (const [number, body] of objects) {
    offsets.set(String(number), text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  offsets.set('end', text.length)
  const fill = (part: string) => part.replace(/\{(\w+)\}/g, (_, name) => String(offsets.get(name) ?? 0))
  const padded = crossReference.replace(/\{\{(\w+)\}\}/g, (_, name) => String(offsets.get(name) ?? 0).padStart(10, '0'))
  return latin1(`${text}${fill(padded)}\nstartxref\n${fill(startxref)}\n%%EOF\n`)
}

const stream = (dictionary: string, data: Buffer | string): string => {
  const body = typeof data === 'string' ? data : data.toString('latin1')
  return `<< ${dictionary} /Length ${body.length} >>\nstream\n${body}\nendstream`
}

describe('objects', () => {
  test('are read with their offsets', () => {
    expect(read('  <</A [1 2 R]/B(x)>>')).toMatchObject({ kind: 'dictionary', start: 2, end: 21 })
    expect(read('[1 2 R 3 0 R -4.5 +6 .5]')).toMatchObject({
      items: [
        { kind: 'reference', number: 1, generation: 2 },
        { kind: 'reference', number: 3, generation: 0 },
        { kind: 'number', value: -4.5, integer: false },
        { kind: 'number', value: 6, integer: true },
        { kind: 'number', value: 0.5 },
      ],
    })
  })

  test('strings and names are unescaped', () => {
    expect(textOf(read('(a\\(b\\)\\101\\\r\n(c)\\n)'))).toBe('a(b)A(c)\n')
    expect(textOf(read('<feff 00E9 4e0>'))).toBe('é一')
    expect(read('/A#42#5a#')).toMatchObject({ kind: 'name', value: 'ABZ#' })
  })

  test('a duplicate key is reported, in any spelling, and the first one counts', () => {
    const value = read('<< /Contents 1 /C#6fntents 2 /Other 3 >>')
    expect(value).toMatchObject({ kind: 'dictionary', duplicateKeys: ['Contents'] })
    expect(value.kind === 'dictionary' && value.entries.get('Contents')).toMatchObject({ value: 1 })
  })

  test.each(['', '<<', '<< 1 2 >>', '(', '<0', '<0x>', '[', 'foo', '-', '>>', ']'])('%j is not an object', text => {
    expect(() => read(text)).toThrow(PdfSyntaxError)
  })

  test.each([
    ['(D:20310304050607Z)', '2031-03-04T05:06:07.000Z'],
    ["(D:20310304050607+02'00')", '2031-03-04T03:06:07.000Z'],
    ['(D:20310304050607-0530)', '2031-03-04T10:36:07.000Z'],
    ["(D:20310304050607Z00'00')", '2031-03-04T05:06:07.000Z'],
    ['(D:2031)', '2031-01-01T00:00:00.000Z'],
  ])('the date %s is %s', (text, at) => {
    expect(readDate(read(text))?.toISOString()).toBe(at)
  })

  test.each(['(20310304050607Z)', '(D:20311304050607Z)', '(yesterday)', '1', '()'])('%s is not a date', text => {
    expect(readDate(read(text))).toBeUndefined()
  })
})

describe('the cross-reference', () => {
  const pages: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, '<< /Type /Pages /Kids [] /Count 0 >>'],
  ]
  const table = 'xref\n0 3\n0000000000 65535 f \n{{1}} 00000 n \n{{2}} 00000 n \n'

  test('alone decides which object counts: a second one of the same number is ignored', () => {
    const bytes = fileOf(
      [...pages, [3, '(PAY 100)']],
      `${table.replace('0 3', '0 4')}{{3}} 00000 n \ntrailer\n<< /Size 4 /Root 1 0 R >>`,
    )
    const shadowed = Buffer.concat([bytes, latin1('3 0 obj\n(PAY 900)\nendobj\n')])
    expect(textOf(object(openPdf(shadowed), 3))).toBe('PAY 100')
  })

  test('the newest revision wins, and what it frees is gone', async () => {
    const first = withRevision(
      await plainPdf(),
      new Map([
        [9, '(old)'],
        [8, '(kept)'],
      ]),
    )
    const second = withRevision(first, new Map([[9, '(new)']]))
    const file = openPdf(second)
    expect([textOf(object(file, 9)), textOf(object(file, 8))]).toEqual(['new', 'kept'])
    expect(file.crossReference).toMatchObject({ revisions: 3, newestInUse: [9], errors: [] })
    const at = second.lastIndexOf(' 00000 n')
    const freed = Buffer.from(second)
    freed.write(' 00000 f', at)
    expect(object(openPdf(freed), 9).kind).toBe('null')
  })

  test('must point to the object it names', () => {
    const bytes = fileOf(pages, `${table.replace('{{1}}', '{{2}}')}trailer\n<< /Root 1 0 R >>`)
    expect(() => object(openPdf(bytes), 1)).toThrow('does not lead to object 1')
  })

  test('a table whose free list starts at 1 is corrected', () => {
    const bytes = fileOf(pages, `${table.replace('0 3', '1 3')}trailer\n<< /Root 1 0 R >>`)
    expect(object(openPdf(bytes), 2).kind).toBe('dictionary')
  })

  const hybrid = (hidden: Buffer) =>
    fileOf(
      [...pages, [3, '(shown)'], [4, '(hidden)'], [5, stream('/Type /XRef /W [1 4 1] /Index [3 1] /Size 6', hidden)]],
      `${table.replace('0 3', '0 4')}{{3}} 00000 {kind} \ntrailer\n<< /Size 6 /Root 1 0 R /XRefStm {5} >>`,
    )
  const entryTo = (offset: number) => Buffer.from([1, 0, 0, offset >> 8, offset & 255, 0])

  test('a hybrid one that adds hidden objects is read, one that gives a number two locations is an error', () => {
    const probe = hybrid(entryTo(0))
    const [shown, other] = [probe.indexOf('3 0 obj'), probe.indexOf('4 0 obj')]
    const honest = Buffer.from(
      hybrid(entryTo(shown))
        .toString('latin1')
        .replace(/ 0 \ntrailer/, ' f \ntrailer'),
      'latin1',
    )
    expect(openPdf(honest).crossReference.errors).toEqual([])
    expect(textOf(object(openPdf(honest), 3))).toBe('shown')
    const two = Buffer.from(
      hybrid(entryTo(other))
        .toString('latin1')
        .replace(/ 0 \ntrailer/, ' n \ntrailer'),
      'latin1',
    )
    expect(openPdf(two).crossReference.errors).toHaveLength(1)
    expect(verifyBytes(two, [])).toMatchObject({
      verdict: 'not-signed',
      reasons: expect.arrayContaining(['The file holds no signature.', expect.stringContaining('hybrid')]),
    })
  })

  test('object streams are read, but not recursively', () => {
    const index = '7 0 8 6 '
    const inside = (length: string) =>
      fileOf(
        [
          ...pages,
          [3, `<< /Type /ObjStm /N 2 /First ${index.length} /Length ${length} >>\nstream\n${index}(one) 17     \nendstream`],
        ],
        `9 0 obj\n<< /Type /XRef /Root 1 0 R /Size 9 /W [1 2 1] /Length 36 >>\nstream\n${xref()}\nendstream\nendobj`,
      )
    const xref = () => {
      const rows: number[][] = [
        [0, 0, 0, 255],
        [1, 0, 9, 0],
        [1, 0, 58, 0],
        [1, 0, 110, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [2, 0, 3, 0],
        [2, 0, 3, 1],
      ]
      return Buffer.from(rows.flat()).toString('latin1')
    }
    const good = inside(String(index.length + 13))
    expect(good.indexOf('3 0 obj')).toBe(110)
    expect(textOf(object(openPdf(good), 7))).toBe('one')
    expect(() => object(openPdf(inside('8 0 R')), 7)).toThrow('refers to itself')
    const twice = Buffer.from(good)
    twice.write('7', twice.indexOf(index) + 4)
    expect(() => object(openPdf(twice), 7)).toThrow('does not lead to object 7')
  })

  test('a compressed stream with a predictor is read', () => {
    const rows = [
      [0, 0, 0],
      [1, 0, 9],
      [1, 0, 58],
    ]
    const predicted = Buffer.from(
      rows.flatMap((row, i) => [2, ...row.map((value, at) => (value - (rows[i - 1]?.[at] ?? 0)) & 255)]),
    )
    const data = deflateSync(predicted).toString('latin1')
    const parameters = '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 3 >>'
    const bytes = fileOf(pages, `9 0 obj\n${stream(`/Type /XRef /Root 1 0 R /Size 3 /W [1 2 0] ${parameters}`, data)}\nendobj`)
    expect(bytes.indexOf('2 0 obj')).toBe(58)
    expect(object(openPdf(bytes), 2).kind).toBe('dictionary')
  })

  test('a decompression bomb in it is refused', () => {
    const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024))
    const bytes = fileOf(
      pages,
      `9 0 obj\n${stream('/Type /XRef /Root 1 0 R /Size 3 /W [1 2 1] /Filter /FlateDecode', bomb)}\nendobj`,
    )
    expect(() => openPdf(bytes)).toThrow('too large')
  })

  test.each([
    ['W with a huge width', '/W [1 99 1] /Size 3'],
    ['W of two', '/W [1 2] /Size 3'],
    ['W of nothing', '/W [0 0 0] /Size 3'],
    ['an endless /Size', '/W [1 2 1] /Size 99999999999'],
    ['an index beyond its data', '/W [1 2 1] /Index [0 50]'],
    ['a negative index', '/W [1 2 1] /Index [-5 1]'],
  ])('a stream with %s is refused', (_, entries) => {
    const bytes = fileOf(pages, `9 0 obj\n${stream(`/Type /XRef /Root 1 0 R ${entries}`, 'abcdefgh')}\nendobj`)
    expect(() => openPdf(bytes)).toThrow(PdfSyntaxError)
  })
})

describe('the page tree', () => {
  const tree = (kids: string) => {
    const bytes = fileOf(
      [
        [1, '<< /Type /Catalog /Pages 2 0 R >>'],
        [2, `<< /Type /Pages /Kids [${kids}] /Count 7 >>`],
        [3, '<< /Type /Page >>'],
      ],
      'xref\n0 4\n0000000000 65535 f \n{{1}} 00000 n \n{{2}} 00000 n \n{{3}} 00000 n \ntrailer\n<< /Root 1 0 R >>',
    )
    return verifyBytes(bytes, [])
  }

  test('is counted by its leaves, not by /Count', () => {
    expect(tree('3 0 R')).toMatchObject({ pageCount: 1 })
  })

  test.each(['2 0 R', '3 0 R 3 0 R'])('with a repeated node (%s) is unreadable', kids => {
    expect(tree(kids)).toEqual({ verdict: 'unreadable', reason: 'a page is in the page tree twice' })
  })
})

const corpus = join(import.meta.dir, '../../../../shared/corpus')

test.skipIf(!existsSync(corpus))(
  'every file of the corpus is read or refused with a reason, and none is valid (needs the corpus)',
  () => {
    const files = readdirSync(corpus).filter(name => name.endsWith('.pdf'))
    let readable = 0
    for (const name of files) {
      const report = verifyBytes(readFileSync(join(corpus, name)), [])
      if (report.verdict === 'unreadable') expect(report.reason).toBeString()
      else {
        readable++
        expect(report.verdict).not.toBe('valid')
        expect(report.reasons.length + report.signatures.length).toBeGreaterThan(0)
      }
    }
    expect(readable).toBeGreaterThan(files.length * 0.8)
  },
)
