/** PDFs that try to make a reader loop endlessly or fill its memory. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { makePdf, pdfOf, startxref } from './make-pdf.ts'

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'
const TREE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
const MEBIBYTE = 1024 * 1024

/** A zlib stream of zeros (RFC 1950), a thousandth as long: one repeated block. */
export function zeros(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros: the first sum stays 1, the second counts them.
  checksum.writeUInt32BE((((mebibytes * MEBIBYTE) % 65521) * 65536 + 1) >>> 0)
  return Buffer.concat([Buffer.of(0x78, 0x9c), ...Array<Buffer>(mebibytes).fill(block), Buffer.of(3, 0), checksum])
}

/** A section whose /Prev is its own offset. */
function previousLoop(style: 'table' | 'stream'): Buffer {
  const text = (at: number) => makePdf({ style, trailer: `/Prev ${String(at).padStart(10, '0')}` })
  return text(startxref(text(0)))
}

function hiddenLoop(): Buffer {
  const text = (at: number) => makePdf({ trailer: `/XRefStm ${String(at).padStart(10, '0')}` })
  return text(startxref(text(0)))
}

/** More than two thousand sections. */
function manySections(): Buffer {
  const base = makePdf()
  const parts: Buffer[] = [base]
  let [position, previous] = [base.length, startxref(base)]
  for (let i = 0; i < 2100; i++) {
    const text = `xref\n0 1\n0000000000 65535 f\r\ntrailer\n<< /Size 5 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${position}\n%%EOF\n`
    previous = position
    position += text.length
    parts.push(Buffer.from(text, 'latin1'))
  }
  return Buffer.concat(parts)
}

/** A table with a false entry count. */
const tableOf = (count: number | string): Buffer => {
  const text = makePdf().toString('latin1')
  return Buffer.from(text.replace('xref\n0 1\n', `xref\n0 ${count}\n`), 'latin1')
}

/** Objects 1 to 3 in an object stream with these entries and data. */
function objectStream(head: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([
    Buffer.from(`%PDF-1.7\n10 0 obj\n<< /Type /ObjStm ${head} /Length ${data.length} >>\nstream\n`),
    data,
  ])
  const at = body.length + '\nendstream\nendobj\n'.length
  const rows = [
    [2, 10],
    [2, 10],
    [2, 10],
    [1, 9],
    [1, at],
  ].map(([type = 0, second = 0]) => {
    const row = Buffer.alloc(6)
    row.writeUInt8(type)
    row.writeUInt32BE(second, 1)
    return row
  })
  const table = Buffer.concat(rows)
  const xref = `11 0 obj\n<< /Type /XRef /Size 12 /W [1 4 1] /Index [1 3 10 2] /Root 1 0 R /Length ${table.length} >>\nstream\n`
  const tail = Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`)
  return Buffer.concat([body, Buffer.from(`\nendstream\nendobj\n${xref}`), table, tail])
}

function crossReferenceStream(head: string, data: Uint8Array): Buffer {
  const body = Buffer.from(`%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\n2 0 obj\n${TREE}\nendobj\n3 0 obj\n${PAGE}\nendobj\n`)
  const xref = `4 0 obj\n<< /Type /XRef /Root 1 0 R ${head} /Length ${data.length} >>\nstream\n`
  return Buffer.concat([body, Buffer.from(xref), data, Buffer.from(`\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`)])
}

/** Objects up to the given number, all the same small object except the first three. */
function manyObjects(count: number): Buffer {
  const body = `%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\n2 0 obj\n${TREE}\nendobj\n3 0 obj\n${PAGE}\nendobj\n`
  const at = [1, 2, 3].map(number => body.indexOf(`${number} 0 obj`))
  const rows = Array.from({ length: count }, (_, i) => `${String(at[i] ?? at[2]).padStart(10, '0')} 00000 n\r\n`)
  return Buffer.from(
    `${body}xref\n0 1\n0000000000 65535 f\r\n1 ${count}\n${rows.join('')}trailer\n<< /Size ${count + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

/** A page tree in which both kids of a node are the same: few objects, 2^depth pages. */
function doublingTree(depth: number): Buffer {
  const objects: Record<number, string> = { 1: CATALOG }
  for (let i = 0; i < depth; i++) objects[2 + i] = `<< /Type /Pages /Count ${2 ** 30} /Kids [${3 + i} 0 R ${3 + i} 0 R] >>`
  objects[2 + depth] = PAGE
  return pdfOf({ objects })
}

function deepTree(depth: number): Buffer {
  const objects: Record<number, string> = { 1: CATALOG }
  for (let i = 0; i < depth; i++) objects[2 + i] = `<< /Type /Pages /Count 1 /Kids [${3 + i} 0 R] >>`
  objects[2 + depth] = PAGE
  return pdfOf({ objects })
}

const page = (more: string, objects: Parameters<typeof makePdf>[0] extends infer P ? NonNullable<P> : never = {}): Buffer =>
  makePdf({ pages: [{ more }], ...objects })

const catalog = (text: string, objects: Record<number, string> = {}): Buffer => makePdf({ catalog: text, objects })

const treeOf = (tree: string): Buffer => pdfOf({ objects: { 1: CATALOG, 2: tree, 3: PAGE } })

const content = (head: string, data: Uint8Array): Buffer =>
  pdfOf({
    objects: {
      1: CATALOG,
      2: TREE,
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
      4: { head, data },
    },
  })

const SCRIPT = '<< /S /JavaScript /JS (x) /Next 60 0 R >>'

/** Form fields from object 60. */
function manyFields(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, i) => 60 + i)
  const objects = Object.fromEntries(numbers.map(number => [number, `<< /FT /Tx /T (a${number}) >>`]))
  return catalog(`/AcroForm << /Fields [${numbers.map(number => `${number} 0 R`).join(' ')}] >>`, objects)
}

/** Pages with the same content stream. */
function sharedContent(count: number, data: Uint8Array): Buffer {
  const numbers = Array.from({ length: count }, (_, i) => 3 + i)
  const one = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 60 0 R >>'
  const kids = numbers.map(number => `${number} 0 R`).join(' ')
  return pdfOf({
    objects: {
      1: CATALOG,
      2: `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
      ...Object.fromEntries(numbers.map(number => [number, one])),
      60: { head: '/Filter /FlateDecode', data },
    },
  })
}

export const LOOPS: Readonly<Record<string, () => Buffer>> = {
  'a page tree that is its own kid': () => treeOf('<< /Type /Pages /Count 1 /Kids [2 0 R] >>'),
  'a page tree of two that are each other’s kids': () =>
    pdfOf({ objects: { 1: CATALOG, 2: '<< /Kids [3 0 R] >>', 3: '<< /Kids [2 0 R] >>' } }),
  'a page that is in the tree twice': () => treeOf('<< /Type /Pages /Count 2 /Kids [3 0 R 3 0 R] >>'),
  'a page tree that is a thousand million pages by doubling': () => doublingTree(30),
  'a page whose parent is itself': () => pdfOf({ objects: { 1: CATALOG, 2: TREE, 3: '<< /Type /Page /Parent 3 0 R >>' } }),
  'a table that is before itself': () => previousLoop('table'),
  'a cross-reference stream that is before itself': () => previousLoop('stream'),
  'a hybrid table whose hidden part is itself': hiddenLoop,
  'two thousand one hundred cross-references': manySections,
  'a reference to itself': () => catalog('/Names 60 0 R', { 60: '60 0 R' }),
  'references in a circle': () => catalog('/AcroForm 60 0 R', { 60: '61 0 R', 61: '60 0 R' }),
  'a stream whose length is that stream': () => content('/Length 4 0 R', Buffer.from('q Q')),
  'an object stream whose length is inside it': () => objectStream('/N 3 /First 20 /Length 1 0 R', Buffer.from('1 0 2 5 3 9')),
  'an object stream that extends itself': () =>
    objectStream('/N 3 /First 14 /Extends 10 0 R', Buffer.from(`1 0 2 34 3 75 ${CATALOG} ${TREE} ${PAGE}`)),
  'an action that follows itself': () => catalog('/OpenAction 60 0 R', { 60: SCRIPT }),
  'a field that is its own kid': () => catalog('/AcroForm << /Fields [60 0 R] >>', { 60: '<< /T (a) /Kids [60 0 R] >>' }),
  'a field whose parent is itself': () =>
    catalog('/AcroForm << /Fields [60 0 R] >>', { 60: '<< /T (a) /Parent 60 0 R /FT /Sig >>' }),
  'an outline that goes round': () =>
    catalog('/Outlines 60 0 R', {
      60: '<< /First 61 0 R /Last 61 0 R >>',
      61: '<< /Title (a) /Next 61 0 R /First 60 0 R /Parent 60 0 R >>',
    }),
  'a name tree that is its own kid': () =>
    catalog('/Names << /JavaScript 60 0 R /EmbeddedFiles 60 0 R >>', { 60: '<< /Kids [60 0 R] >>' }),
  'resources that are their own': () =>
    page('/Resources 60 0 R', { objects: { 60: '<< /XObject 60 0 R /Font 60 0 R /Properties 60 0 R >>' } }),
  'a form that draws itself': () =>
    page('/Resources << /XObject << /A 60 0 R >> >>', {
      objects: { 60: { head: '/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A 60 0 R >> >>', data: '/A Do' } },
    }),
  'a list of annotations that is its own item': () => page('/Annots 60 0 R', { objects: { 60: '[60 0 R 60 0 R]' } }),
}

/** Index and data of an object stream. */
const inStream = (tail: string): Buffer => {
  const texts = [CATALOG, TREE, PAGE]
  const places = texts.map((_, i) => texts.slice(0, i).join(' ').length + (i === 0 ? 0 : 1))
  const index = places.map((place, i) => `${i + 1} ${place}`).join(' ')
  return Buffer.from(`${index.padEnd(40)}${texts.join(' ')} ${tail}`)
}

export const BOMBS: Readonly<Record<string, () => Buffer>> = {
  'an object stream of 2 GiB': () => objectStream('/N 3 /First 40 /Filter /FlateDecode', zeros(2048)),
  'an object stream of 2 GiB, packed twice': () =>
    objectStream('/N 3 /First 40 /Filter [/FlateDecode /FlateDecode]', deflateSync(zeros(2048))),
  'an object stream that says it holds a thousand million objects': () =>
    objectStream('/N 1000000000 /First 40 /Filter /FlateDecode', deflateSync(inStream('0 '.repeat(100_000)))),
  'a cross-reference stream of 2 GiB': () => crossReferenceStream('/Size 5 /W [1 4 1] /Filter /FlateDecode', zeros(2048)),
  'a cross-reference stream with a predictor as wide as memory': () =>
    crossReferenceStream(
      '/Size 5 /W [1 4 1] /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4000000000 >>',
      deflateSync(Buffer.alloc(64)),
    ),
  'a cross-reference stream whose entries have no width': () =>
    crossReferenceStream('/Size 2000000000 /W [0 0 0] /Index [0 2000000000]', Buffer.alloc(8)),
  'a table that says it has four thousand million entries': () => tableOf(4_294_967_295),
  'a table whose count has a hundred digits': () => tableOf('9'.repeat(100)),
  'one object more than a million': () => manyObjects(1_000_001),
  'a page content of 2 GiB': () => content('/Filter /FlateDecode', zeros(2048)),
  'a page content in a hundred filters': () =>
    content(`/Filter [${'/ASCIIHexDecode '.repeat(100)}]`, Buffer.from('00'.repeat(10_000))),
  'a page content whose runs are 100 MiB': () =>
    content('/Filter [/RunLengthDecode /RunLengthDecode]', Buffer.alloc(1_600_000, Buffer.of(0x81, 0x81))),
  'a page content of ten million operators': () =>
    content('/Filter /FlateDecode', deflateSync(Buffer.from('q '.repeat(10_000_000)))),
  'arrays a million deep': () => catalog('/Names 60 0 R', { 60: '['.repeat(1_000_000) }),
  'dictionaries a hundred thousand deep': () =>
    catalog('/Names 60 0 R', { 60: `${'<< /A '.repeat(100_000)}1${' >>'.repeat(100_000)}` }),
  'a page tree ten thousand deep': () => deepTree(10_000),
  'an array of five million numbers': () => catalog('/Names 60 0 R', { 60: `[${'1 '.repeat(5_000_000)}]` }),
  'a string that never ends': () => catalog('/Names 60 0 R', { 60: `(${'('.repeat(5_000_000)}` }),
  'two thousand and one pages': () => makePdf({ pages: Array.from({ length: 2001 }, () => ({})) }),
  'a count of pages beyond any sense': () => treeOf('<< /Type /Pages /Count 999999999999999 /Kids [3 0 R] >>'),
  'a page as large as a country': () => makePdf({ pages: [{ media: [0, 0, 1e9, 1e9] }] }),
  'a size of objects beyond any sense': () => makePdf({ trailer: '/Size 999999999999' }),
  'a hundred and twenty thousand fields that are one, with a script': () =>
    catalog(`/AcroForm << /Fields [${'60 0 R '.repeat(120_000)}] >>`, { 60: `<< /T (a) /AA << /K ${SCRIPT} >> >>` }),
  'a hundred and twenty thousand fields, each its own': () => manyFields(120_000),
  'a hundred and twenty thousand fields that are no objects': () =>
    catalog(`/AcroForm << /Fields [${'<< /T (a) >> '.repeat(120_000)}] >>`),
  'a page content whose runs are 1 GiB': () =>
    content('/Filter [/FlateDecode /RunLengthDecode]', deflateSync(Buffer.alloc(16 * MEBIBYTE, Buffer.of(0x81, 0x20)))),
  'a page content of 2 GiB, packed twice': () => content('/Filter [/FlateDecode /FlateDecode]', deflateSync(zeros(2048))),
  'a page content of 600 MiB in ASCII85': () =>
    content('/Filter [/FlateDecode /ASCII85Decode]', deflateSync(Buffer.alloc(100 * MEBIBYTE, 'z'))),
  'six pages whose contents are 100 MiB each': () => sharedContent(6, zeros(100)),
  'a page whose parts are 60 MiB each': () =>
    makePdf({
      pages: [{}],
      objects: {
        4: { head: '/Filter /FlateDecode', data: zeros(60) },
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [4 0 R 4 0 R 4 0 R] >>',
      },
    }),
  'an image of ten thousand million pixels': () =>
    page('', {
      objects: {
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /A 60 0 R >> >> >>',
        60: { head: '/Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceGray /BitsPerComponent 1', data: '' },
      },
    }),
}
