/** Tagged PDFs, joined: one structure tree in which nothing of a file means something else. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import { join } from '../../../src/pdf/join/join.ts'
import { type LocatedValue, openPdf, resolveEntry, resolveItems } from '../../../src/pdf/parser/file.ts'
import { readPages } from '../../../src/pdf/parser/page.ts'
import { textOf } from '../../../src/pdf/parser/syntax.ts'
import { useFolder } from '../../support/folders.ts'
import { type DocumentParts, makePdf } from '../../support/make-pdf.ts'
import { run } from '../../verify/tools.ts'

const folder = useFolder()

interface Tags {
  text: string
  /** Entries of the structure tree root. */
  root?: string
  /** Entries of the element. */
  element?: string
  catalog?: string
}

/** One page with one tagged paragraph. */
function tagged({ text, root = '', element = '/S /P', catalog = '/MarkInfo << /Marked true >>' }: Tags): DocumentParts {
  const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  return {
    catalog: `/StructTreeRoot 50 0 R ${catalog}`,
    objects: {
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /StructParents 0 ${font} >>`,
      4: { head: '', data: `/P << /MCID 0 >> BDC BT /F 12 Tf 72 700 Td (${text}) Tj ET EMC` },
      50: `<< /Type /StructTreeRoot /K 51 0 R /ParentTree << /Nums [0 [52 0 R]] >> /ParentTreeNextKey 1 ${root} >>`,
      51: '<< /Type /StructElem /S /Document /P 50 0 R /K [52 0 R] >>',
      52: `<< /Type /StructElem /P 51 0 R /Pg 3 0 R /K 0 ${element} >>`,
    },
  }
}

let count = 0

async function joined(...sources: DocumentParts[]) {
  const parts = sources.map((source, i) => {
    const path = pathOf(folder, `part-${count++}.pdf`)
    writeFileSync(path, makePdf(source))
    return { path, title: `Part ${i + 1}` }
  })
  const path = pathOf(folder, `joined-${count++}.pdf`)
  const result = join({ parts, outPath: path, maxPages: 100 })
  if (result.verdict === 'refused') throw new Error(result.violation.code)
  expect(await inspect({ path, canonicalPath: pathOf(folder, 'unused'), maxPages: 100 })).toMatchObject({ verdict: 'accepted' })
  const file = openPdf(readFileSync(path))
  const catalog = file.resolve(file.crossReference.trailer.entries.get('Root'))
  const root = resolveEntry(file, catalog, 'StructTreeRoot')
  /** The paragraphs in order. */
  const documents = resolveItems(file, resolveEntry(file, resolveEntry(file, root, 'K'), 'K')).map(({ located }) => located)
  const elements = documents.flatMap(located => resolveItems(file, resolveEntry(file, located, 'K')).map(item => item.located))
  return { path, file, catalog, root, documents, elements, pages: readPages(file, catalog), warnings: result.warnings }
}

type Joined = Awaited<ReturnType<typeof joined>>

const nameOf = ({ value }: LocatedValue) => (value.kind === 'name' ? value.value : undefined)
const entry = ({ file }: Joined, located: LocatedValue | undefined, key: string) => resolveEntry(file, located!, key)

describe('the tree', () => {
  test('has the elements of all files, each for its own page', async () => {
    const result = await joined(tagged({ text: 'first' }), tagged({ text: 'second' }), tagged({ text: 'third' }))
    expect(result.warnings).toEqual([[], [], []])
    expect(result.elements).toHaveLength(3)
    const { file, pages, root } = result
    const pageNumbers = result.elements.map(element => {
      const raw = element.value.kind === 'dictionary' ? element.value.entries.get('Pg') : undefined
      return raw?.kind === 'reference' ? raw.number : undefined
    })
    expect(pageNumbers).toEqual(pages.map(page => page.number))
    const keys = pages.map(page => resolveEntry(file, page.dictionary, 'StructParents').value)
    expect(keys).toMatchObject([{ value: 0 }, { value: 1 }, { value: 2 }])
    const numbers = resolveEntry(file, resolveEntry(file, root, 'ParentTree'), 'Nums')
    const owners = file.items(numbers.value).flatMap(value => (value.kind === 'array' ? file.items(value) : []))
    expect(owners.map(owner => file.resolve(owner))).toEqual(result.elements)
    expect(entry(result, result.catalog, 'MarkInfo').value).toMatchObject({ entries: expect.anything() })
  })

  test.skipIf(Bun.which('pdfinfo') === null)('reads in other programs as the files do', async () => {
    const result = await joined(tagged({ text: 'the first file' }), tagged({ text: 'the second file' }))
    const { text } = run(['pdfinfo', '-struct-text', result.path])
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Document Document P (block) "the first file" Document P (block) "the second file"',
    )
  })

  test('is left out where one file has none: its pages would be skipped', async () => {
    const result = await joined(tagged({ text: 'tagged' }), {})
    expect(result.root.value.kind).toBe('null')
    expect(result.warnings).toMatchObject([[{ code: 'left_out_by_joining' }], []])
    expect(resolveEntry(result.file, result.pages[0]!.dictionary, 'StructParents').value.kind).toBe('null')
  })
})

describe('a name of one file', () => {
  test('for a role gets another name where an earlier file means something else by it', async () => {
    const custom = (standard: string) =>
      tagged({ text: 'x', root: `/RoleMap << /Own /${standard} /More /Own >>`, element: '/S /More' })
    const result = await joined(custom('P'), custom('P'), custom('H1'))
    const roles = resolveEntry(result.file, result.root, 'RoleMap')
    const standard = (element: LocatedValue) => {
      const own = nameOf(entry(result, element, 'S')) ?? ''
      return nameOf(resolveEntry(result.file, roles, nameOf(resolveEntry(result.file, roles, own)) ?? ''))
    }
    expect(result.elements.map(standard)).toEqual(['P', 'P', 'H1'])
    expect(result.elements.map(element => nameOf(entry(result, element, 'S')))).toEqual(['More', 'More', 'More.3'])
  })

  test('for a class gets another name in the same way', async () => {
    const classed = (align: string) =>
      tagged({ text: 'x', root: `/ClassMap << /Own << /O /Layout /TextAlign /${align} >> >>`, element: '/S /P /C [/Own 0]' })
    const result = await joined(classed('Start'), classed('End'))
    const classes = resolveEntry(result.file, result.root, 'ClassMap')
    const aligned = result.elements.map(element => {
      const [name] = resolveItems(result.file, entry(result, element, 'C'))
      return nameOf(resolveEntry(result.file, resolveEntry(result.file, classes, nameOf(name!.located) ?? ''), 'TextAlign'))
    })
    expect(aligned).toEqual(['Start', 'End'])
  })

  test('for an element stays unique, and header cells are still found by it', async () => {
    const cell = () =>
      tagged({
        text: 'x',
        root: '/IDTree << /Names [(a1) 52 0 R] >>',
        element: '/S /TD /ID (a1) /A << /O /Table /Headers [(a1)] >>',
      })
    const result = await joined(cell(), cell())
    const ids = result.elements.map(element => textOf(entry(result, element, 'ID').value))
    expect(ids).toEqual(['a1', '2-a1'])
    const headers = result.elements.map(element => {
      const [header] = resolveItems(result.file, resolveEntry(result.file, entry(result, element, 'A'), 'Headers'))
      return textOf(header!.located.value)
    })
    expect(headers).toEqual(ids)
    const names = resolveItems(result.file, resolveEntry(result.file, resolveEntry(result.file, result.root, 'IDTree'), 'Names'))
    expect(names.map(({ located }) => textOf(located.value)).filter(Boolean)).toEqual(['2-a1', 'a1'])
  })
})

test('each file keeps its language', async () => {
  const result = await joined(
    tagged({ text: 'ein', catalog: '/Lang (de-DE)' }),
    tagged({ text: 'one', catalog: '/Lang (en-GB)' }),
    tagged({ text: 'unknown', catalog: '' }),
  )
  expect(textOf(entry(result, result.catalog, 'Lang').value)).toBe('de-DE')
  expect(result.documents.map(document => textOf(entry(result, document, 'Lang').value))).toEqual(['de-DE', 'en-GB', ''])
  expect(entry(result, result.catalog, 'MarkInfo').value.kind).toBe('null')
})

const corpus = pathOf(import.meta.dir, '../../../../shared/corpus')
const REAL = ['paragraph_and_link.pdf', 'issue15340.pdf']

test.skipIf(!existsSync(corpus) || Bun.which('pdfinfo') === null)('real tagged files read as before', () => {
  const parts = REAL.map(name => ({ path: pathOf(corpus, name), title: name }))
  const outPath = pathOf(folder, 'real.pdf')
  expect(join({ parts, outPath, maxPages: 100 })).toMatchObject({ verdict: 'joined', warnings: [[], []] })
  const structure = (path: string) => {
    const lines = run(['pdfinfo', '-struct-text', path]).text.trim().split('\n')
    return lines.map(line => line.replace(/Object \d+ 0/, 'Object'))
  }
  expect(structure(outPath)).toEqual(['Document', ...parts.flatMap(({ path }) => structure(path).map(line => `  ${line}`))])
})
