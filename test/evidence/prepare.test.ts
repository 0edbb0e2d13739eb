/** Preparing and sealing, verified by Signet and, if installed, by qpdf, Poppler and OpenSSL. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDF } from '@libpdf/core'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import type { PrepareRequest } from '../../src/evidence/prepare.ts'
import { prepare } from '../../src/evidence/prepare.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { rangesOf } from '../../src/pades/byte-range.ts'
import type { PreparedFile } from '../../src/pades/revision-file.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf, pdfOf } from '../support/make-pdf.ts'
import { boxOfPixels, differingPixels, hasPdftoppm, pictureOf } from '../support/page-picture.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../support/prepare-request.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyFile } from '../support/written-report.ts'
import { hasPdfsig, hasQpdf, pdfsig, run } from '../verify/tools.ts'

const folder = useFolder()
let count = 0

interface Made {
  sourcePath: string
  path: string
  source: Buffer
  prepared: PreparedFile
}

async function prepared(source: Buffer, fields: FieldAppearance[] = [], more: Partial<PrepareRequest> = {}): Promise<Made> {
  const sourcePath = join(folder, `source-${++count}.pdf`)
  const path = join(folder, `prepared-${count}.pdf`)
  writeFileSync(sourcePath, source)
  const request = { sourcePath, outPath: path, fields, evidence: EVIDENCE, signature: SIGNATURE, ...more }
  return { sourcePath, path, source, prepared: await prepare(request, RED_BOXES) }
}

async function sealed(
  source: Buffer,
  fields: FieldAppearance[] = [],
  more: Partial<PrepareRequest> = {},
): Promise<Made & { report: VerificationReport<string> }> {
  const made = await prepared(source, fields, more)
  const { key, rootPem } = await sharedAuthority()
  await seal({ prepared: made.prepared, key })
  const report = await verifyFile({ path: made.path, trust: [rootPem], originalPath: made.sourcePath })
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  return { ...made, report }
}

const newest = ({ path, source }: Made): string => readFileSync(path).subarray(source.length).toString('latin1')

describe('the prepared file', () => {
  test('starts with the source, is readable by its owner only, and has the returned digest', async () => {
    const made = await prepared(makePdf(), [fieldOn(1)])
    const bytes = readFileSync(made.path)
    expect(bytes.subarray(0, made.source.length).equals(made.source)).toBe(true)
    expect(statSync(made.path).mode & 0o777).toBe(0o600)
    const { byteRange, digest, pageCount } = made.prepared
    expect(sha256Hex(Buffer.concat(rangesOf(bytes, byteRange)))).toBe(digest)
    expect(byteRange[2] + byteRange[3]).toBe(bytes.length)
    expect(pageCount).toBe(2)
  })

  test('never replaces an existing file', async () => {
    const made = await prepared(makePdf())
    const before = readFileSync(made.path)
    const again = prepare(
      { sourcePath: made.sourcePath, outPath: made.path, fields: [], evidence: EVIDENCE, signature: SIGNATURE },
      RED_BOXES,
    )
    expect(again).rejects.toMatchObject({ code: 'EEXIST' })
    await again.catch(() => undefined)
    expect(readFileSync(made.path).equals(before)).toBe(true)
  })

  test('refuses a field on a missing page, and leaves no file', async () => {
    const path = join(folder, `prepared-${count + 1}.pdf`)
    await expect(prepared(makePdf(), [fieldOn(2)])).rejects.toThrow('no page 2')
    expect(await Bun.file(path).exists()).toBe(false)
  })
})

describe('the sealed file', () => {
  for (const style of ['table', 'stream'] as const) {
    test(`is valid over a cross-reference ${style}, with and without fields, and continues in that style`, async () => {
      for (const fields of [[], [fieldOn(1)]]) {
        const made = await sealed(makePdf({ style, trailer: '/Info 50 0 R', objects: { 50: '<< /Title (A) >>' } }), fields)
        expect(made.report).toMatchObject({ verdict: 'valid', reasons: [], pageCount: 2, revisions: 2 })
        expect(newest(made).includes('\nxref\n')).toBe(style === 'table')
        expect(newest(made)).toContain('/Info 50 0 R')
      }
    })
  }

  test('is a certification that allows no change, by an invisible locked field in page 1 and in the form', async () => {
    const made = await sealed(makePdf())
    const [signature] = made.report.signatures
    expect(signature).toMatchObject({ field: 'Seal', subFilter: 'ETSI.CAdES.detached', integrity: 'intact', trust: 'trusted' })
    const text = newest(made)
    expect(text).toMatch(/\/TransformMethod \/DocMDP \/TransformParams << \/Type \/TransformParams \/P 1 \/V \/1\.2 >>/)
    expect(text).toMatch(/\/Perms << \/DocMDP \d+ 0 R >>/)
    expect(text).toMatch(/\/Subtype \/Widget \/Rect \[0 0 0 0\] \/F 132 \/P 3 0 R >?.*\/FT \/Sig/)
    expect(text).toContain('/SigFlags 3')
    expect(text).not.toContain('/Cert')
    expect(text).not.toContain('/ObjStm')
  })

  test('treats names as text, whatever they contain', async () => {
    const hostile = ')>> /Contents <00> endobj\n%%EOF\nstartxref\n0\n\\ Ωμέγα 株式会社 🦊 \ud800'
    const made = await sealed(makePdf(), [], { signature: { ...SIGNATURE, name: hostile, reason: hostile, location: hostile } })
    expect(made.report).toMatchObject({ verdict: 'valid' })
    const names = (newest(made).match(/\/(Name|Reason|Location) <(.*)>/g) ?? []).map(line => /<feff(.*)>/.exec(line)?.[1] ?? '')
    expect(names).toHaveLength(3)
    for (const hex of names) {
      expect(Buffer.from(hex, 'hex').swap16().toString('utf16le')).toBe(hostile.replace('\ud800', '\ufffd'))
    }
  })

  test('has a unique field name', async () => {
    const source = makePdf({
      catalog: '/AcroForm << /Fields [50 0 R 51 0 R] >>',
      objects: { 50: '<< /FT /Tx /T (Seal) >>', 51: '<< /FT /Tx /T <FEFF005300650061006C00200032> >>' },
    })
    const { report } = await sealed(source)
    expect(report.signatures.map(signature => signature.field)).toEqual(['Seal 3'])
  })

  test('keeps form, annotations, outline, structure and layers', async () => {
    const source = makePdf({
      pages: [{ more: '/Annots 60 0 R /StructParents 0' }],
      catalog:
        '/AcroForm 50 0 R /Outlines 53 0 R /StructTreeRoot 54 0 R /MarkInfo << /Marked true >> /OCProperties << /D << >> >> /Lang (de)',
      objects: {
        50: '<< /Fields [51 0 R 52 0 R] /DA (/Helv 0 Tf) /NeedAppearances true >>',
        51: '<< /FT /Tx /T (a) /V (kept) /Subtype /Widget /Rect [0 0 9 9] /P 3 0 R >>',
        52: '<< /FT /Btn /T (b) /Subtype /Widget /Rect [9 9 18 18] /P 3 0 R >>',
        53: '<< /First 55 0 R /Last 55 0 R /Count 1 >>',
        54: '<< /Type /StructTreeRoot >>',
        55: '<< /Title (One) /Parent 53 0 R /Dest [3 0 R /Fit] >>',
        60: '[51 0 R 52 0 R << /Subtype /Link /Rect [0 0 1 1] /Dest [3 0 R /Fit] >>]',
      },
    })
    const made = await sealed(source, [fieldOn(1)])
    expect(made.report.verdict).toBe('valid')
    const document = await PDF.load(readFileSync(made.path))
    const form = document.getForm()
    expect(
      form
        ?.getFields()
        .map(field => field.name)
        .sort(),
    ).toEqual(['Seal', 'a', 'b'])
    expect(form?.getTextField('a')?.getValue()).toBe('kept')
    expect(document.getPage(0)?.getAnnotations()).toHaveLength(1)
    const catalog = document.context.catalog.getDict()
    for (const key of ['Outlines', 'StructTreeRoot', 'MarkInfo', 'OCProperties', 'Lang']) expect(catalog.has(key)).toBe(true)
    expect(newest(made)).toContain('/DA (/Helv 0 Tf)')
  })

  test('ends with the audit certificate, on paper like that of the first page', async () => {
    for (const [media, size] of [
      [[0, 0, 595, 842], { width: 595.28, height: 841.89 }],
      [[0, 0, 842, 595], { width: 595.28, height: 841.89 }],
      [[0, 0, 612, 792], { width: 612, height: 792 }],
    ] as const) {
      const made = await sealed(makePdf({ pages: [{ media }, { media: [0, 0, 100, 100] }] }))
      const document = await PDF.load(readFileSync(made.path))
      const last = document.getPage(2)
      expect([document.getPageCount(), last?.width, last?.height]).toEqual([3, size.width, size.height])
    }
  })

  test('inherits nothing from the page tree in the audit certificate', async () => {
    const source = pdfOf({
      objects: {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 100 100] /CropBox [0 0 50 50] /Rotate 90 >>',
        3: '<< /Type /Page /Parent 2 0 R >>',
      },
    })
    const made = await sealed(source)
    const page = (await PDF.load(readFileSync(made.path))).getPage(1)
    expect([page?.rotation, page?.getCropBox()]).toEqual([0, { x: 0, y: 0, width: 612, height: 792 }])
  })

  test.skipIf(!hasQpdf || !hasPdfsig)('is valid according to qpdf and pdfsig', async () => {
    for (const style of ['table', 'stream'] as const) {
      const made = await sealed(makePdf({ style, pages: [{}, { rotate: 90 }] }), [fieldOn(1), fieldOn(2)])
      expect(run(['qpdf', '--check', made.path])).toMatchObject({ code: 0 })
      const text = pdfsig(folder, made.path, (await sharedAuthority()).rootPem)
      expect(text).toContain('Signature is Valid')
      expect(text).toContain('Total document signed')
    }
  })
})

describe('active content', () => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const source = () =>
    makePdf({
      pages: [
        {
          more: `/AA << /O ${script} >> /Annots [50 0 R << /Subtype /Link /Rect [0 0 1 1] /A << /S /Launch /F (x) >> >> 51 0 R]`,
        },
        { more: `/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /GoTo /D [3 0 R /Fit] /Next ${script} >> >>]` },
      ],
      catalog: `/OpenAction ${script} /AA << /WC ${script} >> /Names 53 0 R /AcroForm << /Fields [52 0 R] /XFA (x) >>`,
      objects: {
        50: `<< /Subtype /Widget /FT /Btn /Parent 52 0 R /Rect [0 0 9 9] /A << /S /SubmitForm /F (http://x) >> /MK << /CA (kept) >> >>`,
        51: '<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.com/) >> >>',
        52: `<< /T (b) /Kids [50 0 R] /AA << /K ${script} >> >>`,
        53: `<< /JavaScript << /Names [(a) ${script}] >> /Dests << /Names [] >> >>`,
      },
    })

  test('is unreachable in the sealed file, and all other content is kept', async () => {
    const made = await sealed(source())
    expect(made.report.verdict).toBe('valid')
    const { readable, kinds } = await reopened(made.path)
    expect([...kinds]).toEqual(['external_link'])
    expect(readable).toContain('/Dests << /Names [] >>')
    expect(readable).toContain('/MK << /CA (kept) >>')
    expect(readable).not.toContain('XFA')
    for (const word of ['JavaScript', 'Launch', 'SubmitForm']) expect(readable).not.toContain(word)
  })

  test('is known to the audit certificate', async () => {
    const known: (boolean | undefined)[] = []
    const composers: typeof RED_BOXES = {
      ...RED_BOXES,
      evidence: (evidence, paper) => {
        known.push(evidence.document.hasActiveContent)
        return RED_BOXES.evidence(evidence, paper)
      },
    }
    for (const [name, bytes] of Object.entries({ active: source(), plain: makePdf() })) {
      const [sourcePath, outPath] = [join(folder, `${name}.pdf`), join(folder, `${name}-prepared.pdf`)]
      writeFileSync(sourcePath, bytes)
      await prepare({ sourcePath, outPath, fields: [], evidence: EVIDENCE, signature: SIGNATURE }, composers)
    }
    expect(known).toEqual([true, false])
  })

  async function reopened(path: string) {
    const { openForUpdate } = await import('../../src/pdf/inspect/open-for-update.ts')
    const { activeContentEdits } = openForUpdate(readFileSync(path))
    return { kinds: activeContentEdits.kinds, readable: readFileSync(path).subarray(source().length).toString('latin1') }
  }
})

describe.skipIf(!hasPdftoppm)('fields', () => {
  const isRed = (red: number, green: number, blue: number) => red > 200 && green < 60 && blue < 60
  const box = { x: 12, y: 30, width: 40, height: 8 }

  function expectAt(path: string, page: number): void {
    const picture = pictureOf(path, page)
    const found = boxOfPixels(picture, isRed)
    if (found === undefined) throw new Error(`no field on page ${page}`)
    for (const key of ['x', 'width'] as const) expect(Math.abs(found[key] - box[key]) * picture.width).toBeLessThanOrEqual(150)
    for (const key of ['y', 'height'] as const) expect(Math.abs(found[key] - box[key]) * picture.height).toBeLessThanOrEqual(150)
  }

  test('are at their position, with every rotation, crop box and user unit', async () => {
    const rotations = [0, 90, 180, 270, -90]
    const pages = rotations.flatMap(rotate => [
      { rotate, media: [0, 0, 400, 500] },
      { rotate, media: [-50, -70, 450, 530], crop: [20, 30, 320, 500] },
      { rotate, media: [0, 0, 400, 500], crop: [100, 100, 380, 480], userUnit: 2 },
    ])
    const made = await sealed(
      makePdf({ pages }),
      pages.map((_, i) => fieldOn(i + 1, box)),
    )
    expect(made.report.verdict).toBe('valid')
    for (const i of pages.keys()) expectAt(made.path, i + 1)
  })

  test('are not moved, clipped, hidden or coloured by states that the page left open', async () => {
    const contents = [
      '0.5 0 0 0.5 100 100 cm 0 1 0 rg',
      'q 2 0 0 2 0 0 cm q 0 0 10 10 re W n',
      'Q Q 0.1 0 0 0.1 0 0 cm Q 3 0 0 3 9 9 cm',
      'q BT 5 0 0 5 1 1 Tm',
      '/OC /Off BDC q 1 0 0 1 50 50 cm',
      '0 0 5 5 re W',
      'BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI q 0 0 0 0 0 0 cm',
      '(Q Q \\) Q) pop <51> % Q Q Q\n 7 0 0 7 0 0 cm q',
    ]
    const off = '/Resources << /Properties << /Off 50 0 R >> >>'
    const source = makePdf({
      pages: contents.map(content => ({ content, media: [0, 0, 300, 300] })),
      catalog: '/OCProperties << /OCGs [50 0 R] /D << /OFF [50 0 R] >> >>',
      objects: { 50: '<< /Type /OCG /Name (off) >>' },
    })
    const withLayer = Buffer.from(source.toString('latin1').replaceAll('/Resources << >>', off), 'latin1')
    const path = join(folder, 'repaired.pdf')
    writeFileSync(path, withLayer)
    const { inspect } = await import('../../src/pdf/inspect/inspect.ts')
    const canonicalPath = join(folder, 'canonical.pdf')
    expect(await inspect({ path, canonicalPath, maxPages: 100 })).toMatchObject({ verdict: 'accepted', rewritten: true })
    const made = await sealed(
      readFileSync(canonicalPath),
      contents.map((_, i) => fieldOn(i + 1, box)),
    )
    for (const i of contents.keys()) expectAt(made.path, i + 1)
  })

  test('do not change the content of this page or other pages', async () => {
    const content = '0 0 1 rg 20 20 100 100 re f q 0 1 0 rg 0.5 0 0 0.5 0 0 cm 300 300 50 50 re f'
    const made = await sealed(makePdf({ pages: [{ content }, { content, rotate: 90 }] }), [
      fieldOn(1, { x: 1, y: 1, width: 1, height: 1 }),
    ])
    const isBlueOrGreen = (red: number, green: number, blue: number) => red < 60 && green + blue > 200 && green + blue < 300
    const [before, after] = [pictureOf(made.sourcePath, 1), pictureOf(made.path, 1)]
    expect(boxOfPixels(after, isBlueOrGreen)).toEqual(
      boxOfPixels(before, isBlueOrGreen) as { x: number; y: number; width: number; height: number },
    )
    expect(boxOfPixels(after, isBlueOrGreen)).toBeDefined()
    expect(differingPixels(pictureOf(made.sourcePath, 2), pictureOf(made.path, 2))).toBe(0)
  })
})
