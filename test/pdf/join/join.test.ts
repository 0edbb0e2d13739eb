/** Joined PDFs: every page as it was, and what refers to pages, fields and layers still does. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { violation } from '../../../src/core/violation.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import { join } from '../../../src/pdf/join/join.ts'
import { openPdf, type PdfFile, resolveEntry, resolveItems } from '../../../src/pdf/parser/file.ts'
import { readPages } from '../../../src/pdf/parser/page.ts'
import { type PdfValue, textOf } from '../../../src/pdf/parser/syntax.ts'
import { useFolder } from '../../support/folders.ts'
import { type DocumentParts, makePdf, pdfOf } from '../../support/make-pdf.ts'
import { hasQpdf, run } from '../../verify/tools.ts'

const folder = useFolder()

let count = 0

function partOf(bytes: Uint8Array, title: string): { path: string; title: string } {
  const path = pathOf(folder, `part-${count++}.pdf`)
  writeFileSync(path, bytes)
  return { path, title }
}

/** Joins parts, and has the result inspected as the upload that it replaces. */
async function joined(...documents: DocumentParts[]) {
  const parts = documents.map((document, i) => partOf(makePdf(document), `Part ${i + 1}`))
  const outPath = pathOf(folder, `joined-${count++}.pdf`)
  const result = join({ parts, outPath, maxPages: 100 })
  if (result.verdict === 'refused') throw new Error(result.violation.code)
  const inspection = await inspect({ path: outPath, canonicalPath: pathOf(folder, `unused-${count++}`), maxPages: 100 })
  expect(inspection).toMatchObject({ verdict: 'accepted', rewritten: false })
  if (hasQpdf) expect(run(['qpdf', '--check', outPath])).toMatchObject({ code: 0 })
  const file = openPdf(readFileSync(outPath))
  const catalog = file.resolve(file.crossReference.trailer.entries.get('Root'))
  return { path: outPath, bytes: readFileSync(outPath), file, catalog, pages: readPages(file, catalog), inspection, result }
}

const numberOf = (value: PdfValue | undefined) => (value?.kind === 'reference' ? value.number : undefined)

/** The object number of the page that a destination array names. */
function pageOf(file: PdfFile, value: PdfValue | undefined): number | undefined {
  return numberOf(file.items(value)[0])
}

describe('a page', () => {
  test('keeps its boxes, rotation, user unit and resources, its own and inherited ones', async () => {
    const inheriting: DocumentParts = {
      objects: {
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [-20 -30 380 270] /CropBox [-10 -20 300 200] /Rotate 270 /Resources << /Marker 7 >> >>',
        3: '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      },
    }
    const own: DocumentParts = {
      pages: [
        { media: [0, 0, 842, 595], crop: [-50, 10, 400, 300], rotate: -90, userUnit: 2.5, content: '1 0 0 rg 0 0 9 9 re f' },
        { media: [300, 400, 100, 200] },
      ],
    }
    const { pages } = await joined(inheriting, own)
    expect(pages.map(page => page.box)).toEqual([
      { left: -10, bottom: -20, width: 310, height: 220, rotation: 270, userUnit: 1 },
      { left: 0, bottom: 10, width: 400, height: 290, rotation: 270, userUnit: 2.5 },
      { left: 100, bottom: 200, width: 200, height: 200, rotation: 0, userUnit: 1 },
    ])
    expect(pages[0]?.resources.value).toMatchObject({ entries: new Map([['Marker', expect.objectContaining({ value: 7 })]]) })
  })

  test('brings its annotations, and links lead to the pages of its own file', async () => {
    const links: DocumentParts = {
      pages: [
        {
          more: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /Dest (two) >> << /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D [5 0 R /Fit] >> >> << /Subtype /Link /Rect [0 0 9 9] /Dest [1 /Fit] >> << /Subtype /Link /Rect [0 0 9 9] /Dest (none) >>]',
        },
        {},
      ],
      catalog: '/Names << /Dests << /Names [(two) [5 0 R /XYZ 0 0 0]] >> >>',
    }
    const { file, pages } = await joined(links, links)
    for (const first of [0, 2]) {
      const annotations = resolveItems(file, resolveEntry(file, pages[first]!.dictionary, 'Annots')).map(({ located }) => located)
      const [named, action, byNumber, nowhere] = annotations
      const target = pages[first + 1]?.number
      expect(pageOf(file, resolveEntry(file, named!, 'Dest').value)).toBe(target)
      expect(pageOf(file, resolveEntry(file, resolveEntry(file, action!, 'A'), 'D').value)).toBe(target)
      expect(pageOf(file, resolveEntry(file, byNumber!, 'Dest').value)).toBe(target)
      expect(resolveEntry(file, nowhere!, 'Dest').value.kind).toBe('null')
    }
  })

  test('that its file does not show is not copied, nor an earlier revision', async () => {
    const hidden: DocumentParts = {
      pages: [{ more: '/Annots [<< /Subtype /Link /Rect [0 0 9 9] /Dest [50 0 R /Fit] >>]' }],
      objects: {
        50: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 51 0 R >>',
        51: { head: '', data: '(a secret page) Tj' },
        52: { head: '', data: '(an unused secret) Tj' },
      },
    }
    const { bytes } = await joined({}, hidden)
    expect(bytes.includes('secret')).toBe(false)
    const below = makePdf({ pages: [{ content: 'an earlier secret' }] })
    const parts = [below, pdfOf({ objects: { 4: { head: '', data: 'the newest content' } } }, below)].map((b, i) =>
      partOf(b, `${i}`),
    )
    const outPath = pathOf(folder, `revised-${count++}.pdf`)
    expect(join({ parts: parts.slice(1), outPath, maxPages: 9 })).toMatchObject({ verdict: 'joined' })
    const revised = readFileSync(outPath)
    expect([revised.includes('secret'), revised.includes('the newest content')]).toEqual([false, true])
  })
})

describe('the form', () => {
  const form = (name: string, font: string, more = ''): DocumentParts => ({
    pages: [{ more: '/Annots [50 0 R]' }],
    catalog: `/AcroForm << /Fields [50 0 R] /DA (/Helv 9 Tf) /DR << /Font << /Helv << /Type /Font /BaseFont /${font} >> >> >> ${more} >>`,
    objects: { 50: `<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (${name}) /V (old) /P 3 0 R >>` },
  })
  const readForm = ({ file, catalog }: Awaited<ReturnType<typeof joined>>) => {
    const located = resolveEntry(file, catalog, 'AcroForm')
    const fields = resolveItems(file, resolveEntry(file, located, 'Fields')).map(({ located: field }) => field)
    return { located, fields, names: fields.map(field => textOf(resolveEntry(file, field, 'T').value)) }
  }

  test('has the fields of all files under their names', async () => {
    const result = await joined(form('Name', 'Helvetica'), form('Place', 'Helvetica'))
    const { fields, names } = readForm(result)
    expect(names).toEqual(['Name', 'Place'])
    expect(fields.map(field => numberOf(field.value.kind === 'dictionary' ? field.value.entries.get('P') : undefined))).toEqual(
      result.pages.map(page => page.number),
    )
    expect(fields.map(field => textOf(resolveEntry(result.file, field, 'DA').value))).toEqual(['/Helv 9 Tf', '/Helv 9 Tf'])
  })

  test('never makes one field of two of the same name', async () => {
    const result = await joined(form('Name', 'Helvetica'), form('Name', 'Helvetica'), form('Name', 'Helvetica'))
    const { fields, names } = readForm(result)
    expect(names).toEqual(['Name', 'File 2', 'File 3'])
    const [child] = resolveItems(result.file, resolveEntry(result.file, fields[1]!, 'Kids'))
    expect(textOf(resolveEntry(result.file, child!.located, 'T').value)).toBe('Name')
  })

  test('gives a font another name where an earlier file has a different font of that name', async () => {
    const result = await joined(form('A', 'Helvetica'), form('B', 'Courier'), form('C', 'Courier'))
    const { located, fields } = readForm(result)
    const fonts = resolveEntry(result.file, resolveEntry(result.file, located, 'DR'), 'Font')
    const baseFonts = ['Helv', 'Helv.2'].map(name =>
      resolveEntry(result.file, resolveEntry(result.file, fonts, name), 'BaseFont'),
    )
    expect(baseFonts.map(({ value }) => value)).toMatchObject([{ value: 'Helvetica' }, { value: 'Courier' }])
    expect(fields.map(field => textOf(resolveEntry(result.file, field, 'DA').value))).toEqual([
      '/Helv 9 Tf',
      '/Helv.2 9 Tf',
      '/Helv.2 9 Tf',
    ])
  })

  test('tells fonts apart whose only difference is deep inside them', async () => {
    const deep = (name: string, width: number): DocumentParts => ({
      ...form(name, 'X'),
      catalog: '/AcroForm << /Fields [50 0 R] /DA (/Helv 9 Tf) /DR << /Font << /Helv 60 0 R >> >> >>',
      objects: {
        ...form(name, 'X').objects,
        60: '<< /Type /Font /Subtype /Type0 /DescendantFonts 61 0 R >>',
        61: '[62 0 R]',
        62: '<< /FontDescriptor 63 0 R >>',
        63: '<< /FontFile2 64 0 R >>',
        64: { head: '', data: `glyphs ${width}` },
      },
    })
    const result = await joined(deep('A', 1), deep('B', 2), deep('C', 1))
    const { fields } = readForm(result)
    const das = fields.map(field => textOf(resolveEntry(result.file, field, 'DA').value))
    expect(das).toEqual(['/Helv 9 Tf', '/Helv.2 9 Tf', '/Helv 9 Tf'])
  })

  test('is joined in time where a forged font refers to itself a million times', async () => {
    const own = Array.from({ length: 1000 }, (_, i) => `/k${i} 60 0 R`).join(' ')
    const forged = (name: string): DocumentParts => ({
      ...form(name, 'X'),
      catalog: '/AcroForm << /Fields [50 0 R] /DR << /Font << /Helv 60 0 R >> >> >>',
      objects: { ...form(name, 'X').objects, 60: `<< ${own} /All [${'60 0 R '.repeat(1000)}] >>` },
    })
    expect(readForm(await joined(forged('A'), forged('B'))).names).toEqual(['A', 'B'])
  }, 20_000)

  test('loses no request to redraw fields', async () => {
    const { file, catalog } = await joined(form('A', 'Helvetica'), form('B', 'Helvetica', '/NeedAppearances true'))
    expect(resolveEntry(file, resolveEntry(file, catalog, 'AcroForm'), 'NeedAppearances').value).toMatchObject({ value: true })
  })
})

test('each file has a bookmark, with its own bookmarks below it', async () => {
  const outlined: DocumentParts = {
    catalog: '/Outlines 50 0 R',
    objects: {
      50: '<< /Type /Outlines /First 51 0 R /Last 51 0 R /Count 1 >>',
      51: '<< /Title (Inner) /Parent 50 0 R /Dest [3 0 R /Fit] >>',
    },
  }
  const { file, catalog, pages } = await joined({}, outlined)
  const first = resolveEntry(file, resolveEntry(file, catalog, 'Outlines'), 'First')
  const second = resolveEntry(file, first, 'Next')
  const inner = resolveEntry(file, second, 'First')
  expect([first, second, inner].map(item => textOf(resolveEntry(file, item, 'Title').value))).toEqual([
    'Part 1',
    'Part 2',
    'Inner',
  ])
  expect([first, second, inner].map(item => pageOf(file, resolveEntry(file, item, 'Dest').value))).toEqual([
    pages[0]?.number,
    pages[1]?.number,
    pages[1]?.number,
  ])
  expect(resolveEntry(file, inner, 'Parent')).toEqual(second)
})

test('a forged destination that contains itself is dropped', async () => {
  const links = ['[50 0 R]', '[<< /S /GoTo /D 50 0 R >>]', '[3 0 R /XYZ << /S /GoTo /D 50 0 R >>]']
  for (const destination of links) {
    const link = `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D 50 0 R >> >>]`
    const { pages } = await joined({ pages: [{ more: link }], objects: { 50: destination } }, {})
    expect(pages).toHaveLength(2)
  }
})

test('page labels stay; pages without a label are counted in the joined file', async () => {
  const labelled = { pages: [{}, {}], catalog: '/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (A-) >>] >>' }
  const { file, catalog } = await joined({ pages: [{}, {}] }, labelled, {})
  const numbers = file.items(resolveEntry(file, resolveEntry(file, catalog, 'PageLabels'), 'Nums').value)
  const ranges = numbers.flatMap((value, i) => (i % 2 === 0 && value.kind === 'number' ? [value.value] : []))
  expect(ranges).toEqual([0, 2, 3, 4])
  expect(file.dictionary(numbers[7])?.entries.get('St')).toMatchObject({ value: 5 })
})

test('a layer that was hidden stays hidden, listed itself or by default', async () => {
  const layered = (standard: string): DocumentParts => ({
    pages: [{ more: '/Marker [50 0 R 51 0 R]' }],
    catalog: `/OCProperties << /OCGs [50 0 R 51 0 R] /D << ${standard} >> >>`,
    objects: { 50: '<< /Type /OCG /Name (shown) >>', 51: '<< /Type /OCG /Name (hidden) >>' },
  })
  const { file, catalog, inspection } = await joined(layered('/OFF [51 0 R]'), layered('/BaseState /OFF /ON [50 0 R]'))
  const properties = resolveEntry(file, catalog, 'OCProperties')
  const off = resolveItems(file, resolveEntry(file, resolveEntry(file, properties, 'D'), 'OFF'))
  expect(off.map(({ located }) => textOf(resolveEntry(file, located, 'Name').value))).toEqual(['hidden', 'hidden'])
  expect(file.items(resolveEntry(file, properties, 'OCGs').value)).toHaveLength(4)
  expect(inspection).toMatchObject({ warnings: [{ code: 'hidden_content' }] })
})

test('what joining leaves out is said for the file that had it', async () => {
  const { result } = await joined(
    {},
    { catalog: '/StructTreeRoot << /Type /StructTreeRoot >> /OutputIntents [<< /S /GTS_PDFA1 >>]' },
  )
  expect(result).toMatchObject({ warnings: [[], [{ code: 'left_out_by_joining' }]] })
})

test('scripts of the file are not copied', async () => {
  const script = '<< /S /JavaScript /JS 50 0 R >>'
  const { bytes, inspection } = await joined(
    {},
    {
      catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >> /OpenAction ${script}`,
      objects: { 50: { head: '', data: 'app.alert' } },
    },
  )
  expect(bytes.includes('app.alert')).toBe(false)
  expect(inspection).toMatchObject({ warnings: [] })
})

test('equal parts give equal bytes, in another order others', async () => {
  const [a, b]: DocumentParts[] = [{ pages: [{ content: '1 0 0 rg' }] }, { pages: [{}, {}] }]
  const [one, again, other] = [await joined(a!, b!), await joined(a!, b!), await joined(b!, a!)]
  expect(one.bytes.equals(again.bytes)).toBe(true)
  expect(one.bytes.equals(other.bytes)).toBe(false)
})

test('more pages than allowed in all are refused, and nobody is blamed', () => {
  const parts = [1, 2].map(i => partOf(makePdf({ pages: [{}, {}] }), `${i}`))
  const result = join({ parts, outPath: pathOf(folder, `many-${count++}.pdf`), maxPages: 3 })
  expect(result).toMatchObject({
    verdict: 'refused',
    part: undefined,
    violation: violation('files_with_too_many_pages', { max: 3 }),
  })
})

test('a chain of 50,000 objects is copied without a deep stack', async () => {
  const objects = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [50 + i, `<< /Next ${51 + i} 0 R >>`]))
  const { pages } = await joined({ pages: [{ more: '/PieceInfo << /Chain 50 0 R >>' }], objects }, {})
  expect(pages).toHaveLength(2)
})
