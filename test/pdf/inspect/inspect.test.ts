import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDF } from '@libpdf/core'
import { englishOfViolation } from '../../../src/locales/violations.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import type { Inspection } from '../../../src/pdf/inspect/report.ts'
import { useFolder } from '../../support/folders.ts'
import { BOMBS } from '../../support/hostile-pdf.ts'
import { makePdf, pdfOf } from '../../support/make-pdf.ts'
import { encrypted } from '../../verify/encrypted-fixture.ts'
import { hasQpdf, run } from '../../verify/tools.ts'

const folder = useFolder()

const canonical = () => join(folder, 'canonical.pdf')

async function inspectBytes(bytes: Uint8Array | string, maxPages = 10): Promise<Inspection> {
  const path = join(folder, 'upload.pdf')
  writeFileSync(path, bytes)
  rmSync(canonical(), { force: true })
  return inspect({ path, canonicalPath: canonical(), maxPages })
}

async function accepted(bytes: Uint8Array) {
  const inspection = await inspectBytes(bytes)
  if (inspection.verdict !== 'accepted') throw new Error(`refused: ${englishOfViolation(inspection.violation)}`)
  return inspection
}

const codesOf = async (bytes: Uint8Array) => (await accepted(bytes)).warnings.map(warning => warning.code)

async function refusal(bytes: Uint8Array | string, maxPages?: number) {
  const inspection = await inspectBytes(bytes, maxPages)
  expect(existsSync(canonical())).toBe(false)
  return inspection.verdict === 'refused' ? [inspection.code, englishOfViolation(inspection.violation)] : [inspection.verdict, '']
}

describe('an ordinary file', () => {
  test('is accepted unchanged, with its own hash, and nothing is written', async () => {
    const bytes = makePdf({ pages: [{}, { rotate: 90 }] })
    const { pages, rewritten, sha256, bytes: size, warnings } = await accepted(bytes)
    expect({ count: pages.length, rewritten, size, warnings }).toEqual({
      count: 2,
      rewritten: false,
      size: bytes.length,
      warnings: [],
    })
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(existsSync(canonical())).toBe(false)
  })

  test('may have a cross-reference stream', async () => {
    expect((await accepted(makePdf({ style: 'stream' }))).rewritten).toBe(false)
  })

  test('may have eight-byte fields in that stream with safe integers', async () => {
    const bytes = makePdf({ style: 'stream', widths: [1, 8, 2] })
    expect(await accepted(bytes)).toMatchObject({ rewritten: false, warnings: [] })
    const huge = Buffer.from(bytes)
    // The offset in the first row, the catalog's.
    huge[huge.lastIndexOf('stream\n', huge.lastIndexOf('endstream')) + 'stream\n'.length + 1] = 0xff
    expect(await accepted(huge)).toMatchObject({ rewritten: true })
  })
})

describe('a page box', () => {
  const boxOf = async (page: Parameters<typeof makePdf>[0] & object) => (await accepted(makePdf(page))).pages[0]

  test('is the crop box clipped to the media box', async () => {
    const box = await boxOf({ pages: [{ media: [0, 0, 600, 800], crop: [100, 50, 900, 400] }] })
    expect(box).toEqual({ left: 100, bottom: 50, width: 500, height: 350, rotation: 0, userUnit: 1 })
  })

  test('takes corners in any order, and ignores a crop box outside the page', async () => {
    const box = await boxOf({ pages: [{ media: [600, 800, 0, -10], crop: [1000, 1000, 1100, 1100] }] })
    expect(box).toEqual({ left: 0, bottom: -10, width: 600, height: 810, rotation: 0, userUnit: 1 })
  })

  test('has a rotation between 0 and 270, whatever the file says', async () => {
    const rotations = [-90, 450, 720, 180, 45]
    const { pages } = await accepted(makePdf({ pages: rotations.map(rotate => ({ rotate })) }))
    expect(pages.map(page => page.rotation)).toEqual([270, 90, 0, 180, 0])
  })

  test('keeps the user unit of its page', async () => {
    expect((await boxOf({ pages: [{ userUnit: 2.5 }] }))?.userUnit).toBe(2.5)
  })

  test('is inherited from the page tree, nearest first, through references', async () => {
    const bytes = pdfOf({
      objects: {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 9 9] /Rotate 90 >>',
        3: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [4 0 R] /MediaBox 5 0 R /CropBox [0 0 6 0 R 300] >>',
        4: '<< /Type /Page /Parent 3 0 R >>',
        5: '[0 0 400 500]',
        6: '200',
      },
    })
    expect((await accepted(bytes)).pages).toEqual([{ left: 0, bottom: 0, width: 200, height: 300, rotation: 90, userUnit: 1 }])
  })
})

describe('refused with advice:', () => {
  test('a file that is not a PDF, empty, truncated or without pages', async () => {
    expect((await refusal('PK\u0003\u0004'))[0]).toBe('invalid_pdf')
    expect((await refusal(''))[0]).toBe('invalid_pdf')
    expect((await refusal(makePdf().subarray(0, 40)))[0]).toBe('invalid_pdf')
    expect((await refusal(makePdf({ pages: [] })))[0]).toBe('invalid_pdf')
  })

  test('a file with a signature, but not one with an empty signature field', async () => {
    const form = (value: string) => ({
      50: '<< /Fields [51 0 R] >>',
      51: `<< /FT /Sig /T (A) /Kids [52 0 R] >>`,
      52: `<< /Parent 51 0 R ${value} >>`,
    })
    const signed = makePdf({ catalog: '/AcroForm 50 0 R', objects: form('/V << /Type /Sig /ByteRange [0 1 2 3] >>') })
    expect(await refusal(signed)).toEqual(['unsupported_pdf', expect.stringContaining('signature')])
    expect((await accepted(makePdf({ catalog: '/AcroForm 50 0 R', objects: form('') }))).rewritten).toBe(false)
  })

  test('a certified file without signature field', async () => {
    const bytes = makePdf({ catalog: '/Perms << /DocMDP 50 0 R >>', objects: { 50: '<< /Type /Sig >>' } })
    expect((await refusal(bytes))[0]).toBe('unsupported_pdf')
  })

  test('a dynamic XFA form, but not one that also has ordinary fields', async () => {
    const withFields = (fields: string, more = '') => makePdf({ catalog: `/AcroForm << /XFA [] /Fields [${fields}] >> ${more}` })
    expect(await refusal(withFields(''))).toEqual(['unsupported_pdf', expect.stringContaining('XFA')])
    expect((await refusal(withFields('50 0 R', '/NeedsRendering true')))[0]).toBe('unsupported_pdf')
    expect(await codesOf(withFields('50 0 R'))).toEqual(['xfa_form'])
  })

  test('more pages than allowed, with both numbers', async () => {
    const bytes = makePdf({ pages: Array.from({ length: 7 }, () => ({})) })
    expect(await refusal(bytes, 6)).toEqual(['unsupported_pdf', expect.stringMatching(/7 pages.*at most 6/)])
    expect((await inspectBytes(bytes, 7)).verdict).toBe('accepted')
  })

  test('pages too small or too large, including the user unit', async () => {
    expect(await refusal(makePdf({ pages: [{}, { media: [0, 0, 2, 800] }] }))).toEqual([
      'unsupported_pdf',
      expect.stringContaining('Page 2'),
    ])
    expect((await refusal(makePdf({ pages: [{ userUnit: 80_000 }] })))[0]).toBe('unsupported_pdf')
    expect((await refusal(makePdf({ pages: [{ media: [0, 0, 20, 20], userUnit: 0.1 }] })))[0]).toBe('unsupported_pdf')
    // ISO 32000-2 §C.2 limits the sides in units of the page: a poster has a larger unit.
    expect((await accepted(makePdf({ pages: [{ media: [0, 0, 1800, 3600], userUnit: 10 }] }))).pages[0]?.userUnit).toBe(10)
    expect((await accepted(makePdf({ pages: [{ media: [0, 0, 14_400, 14_400] }] }))).rewritten).toBe(false)
  })

  test('too many form fields, too much content and too large images, each with its own message', async () => {
    const hostile = [
      BOMBS['a hundred and twenty thousand fields, each its own'],
      BOMBS['a page content whose runs are 1 GiB'],
      BOMBS['an image of ten thousand million pixels'],
    ]
    for (const make of hostile) {
      expect(await refusal(make?.() ?? '')).toEqual([expect.stringMatching(/^(un|in)/), expect.stringMatching(/^[A-Z].*\.$/)])
    }
    expect(await refusal(BOMBS['an image of ten thousand million pixels']?.() ?? '')).toEqual([
      'unsupported_pdf',
      expect.stringContaining('100000 × 100000 pixels'),
    ])
  }, 60_000)

  test('but not a large scan that readers show: A0 at 300 dpi in colour, at 600 dpi in black and white', async () => {
    const image = (head: string) =>
      makePdf({
        objects: {
          3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2384 3370] /Resources << /XObject << /A 60 0 R >> >> >>',
          60: { head: `/Subtype /Image ${head}`, data: '' },
        },
      })
    const [a0, large] = ['/Width 9933 /Height 14043', '/Width 19866 /Height 28087']
    expect((await accepted(image(`${a0} /ColorSpace /DeviceRGB /BitsPerComponent 8`))).rewritten).toBe(false)
    expect((await accepted(image(`${a0} /ColorSpace /DeviceCMYK /BitsPerComponent 8`))).rewritten).toBe(false)
    expect((await accepted(image(`${large} /ImageMask true /BitsPerComponent 1`))).rewritten).toBe(false)
    expect((await refusal(image(`${large} /ColorSpace /DeviceRGB /BitsPerComponent 8`)))[1]).toContain('19866 × 28087 pixels')
  })

  test('every message is one complete sentence', async () => {
    for (const bytes of [Buffer.from('x'), makePdf().subarray(0, 40), makePdf({ pages: [] })]) {
      const [, message] = await refusal(bytes)
      expect(message).toMatch(/^[A-Z][^.]*; [^.]*\.$|^[A-Z][^.]*\.$/)
    }
  })
})

describe('a protected file', () => {
  async function protect(permissions: Record<string, boolean>, userPassword = '') {
    const document = await PDF.load(makePdf({ pages: [{ content: '0 0 100 100 re f' }] }))
    document.setProtection({ userPassword, ownerPassword: 'owner', permissions, algorithm: 'AES-256' })
    return document.save()
  }

  test('that needs a password is encrypted_pdf', async () => {
    expect(await refusal(await protect({}, 'secret'))).toEqual(['encrypted_pdf', expect.stringContaining('password')])
  })

  test('that forbids changes is encrypted_pdf', async () => {
    expect(await refusal(await protect({ modify: false }))).toEqual(['encrypted_pdf', expect.stringContaining('protected')])
  })

  test('without cross-reference is encrypted_pdf, because it cannot be rewritten without its key', async () => {
    const bytes = await protect({ modify: true })
    const text = Buffer.from(bytes)
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n99')
    expect((await refusal(Buffer.from(text, 'latin1')))[0]).toBe('encrypted_pdf')
  })

  test.each(['null', '99 0 R', '5', '(none)', '<< /V 4 >>'])(
    'is not what a file is that only has /Encrypt %s: it is repaired like other damage',
    async value => {
      const { rewritten, warnings } = await accepted(makePdf({ trailer: `/Encrypt ${value}` }))
      expect({ rewritten, codes: warnings.map(warning => warning.code) }).toEqual({ rewritten: true, codes: ['repaired'] })
      expect(readFileSync(canonical()).includes('/Encrypt')).toBe(false)
    },
  )

  test('is not a damaged file whose text contains /Encrypt', async () => {
    const text = makePdf({ pages: [{ content: '(the key /Encrypt 1 0 R of a trailer) Tj' }] }).toString('latin1')
    const damaged = Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n99'), 'latin1')
    expect(await codesOf(damaged)).toEqual(['repaired'])
  })

  // Readers open both: the key of version 4 has 128 bits, and without /ID its string is empty.
  test.skipIf(!hasQpdf).each([
    ['the length of its key', ['128', '--use-aes=y', '--'], /\/Length 128/],
    ['an /ID', ['256', '--'], /\/ID \[<[0-9a-f]*><[0-9a-f]*>\]/],
  ])('that does not name %s is read without a password', async (_, options, entry) => {
    const { bytes } = encrypted(makePdf({ pages: [{ content: '0 0 100 100 re f' }] }), options)
    const text = bytes.toString('latin1')
    expect(text).toMatch(entry)
    const without = Buffer.from(
      text.replace(entry, found => ' '.repeat(found.length)),
      'latin1',
    )
    expect(await codesOf(without)).toEqual(['protection_removed'])
    expect(run(['qpdf', '--stream-data=uncompress', canonical(), '-']).text).toContain('0 0 100 100 re f')
  })

  test('that allows changes is rewritten without its protection, with a warning', async () => {
    const bytes = await protect({ modify: true, copy: false })
    const { rewritten, sha256, warnings } = await accepted(bytes)
    const written = readFileSync(canonical())
    expect({ rewritten, codes: warnings.map(warning => warning.code) }).toEqual({
      rewritten: true,
      codes: ['protection_removed'],
    })
    expect(sha256).toBe(createHash('sha256').update(written).digest('hex'))
    expect(written.includes('/Encrypt')).toBe(false)
    expect((await PDF.load(written)).getPageCount()).toBe(1)
  })
})

test('a page that readers take for something else is not accepted: no seal over it would be valid', async () => {
  const page = (entries: string) => makePdf({ pages: [{ more: entries }] }).toString('latin1')
  const font = page('').replace('/Type /Page ', '/Type /Font ')
  expect((await refusal(Buffer.from(font, 'latin1')))[0]).toBe('invalid_pdf')
  expect((await accepted(Buffer.from(page('').replace('/Type /Page ', ' '.repeat(12)), 'latin1'))).rewritten).toBe(false)
})

describe('a damaged file', () => {
  const damaged = () => {
    const text = makePdf({ pages: [{ content: '0 0 100 100 re f' }] }).toString('latin1')
    return Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n99'), 'latin1')
  }

  test('is rewritten once, readable by its owner only, and the hash is that of the rewritten bytes', async () => {
    const { rewritten, sha256, bytes, warnings, pages } = await accepted(damaged())
    const written = readFileSync(canonical())
    expect({ rewritten, pages: pages.length, codes: warnings.map(warning => warning.code) }).toEqual({
      rewritten: true,
      pages: 1,
      codes: ['repaired'],
    })
    expect([sha256, bytes]).toEqual([createHash('sha256').update(written).digest('hex'), written.length])
    expect(statSync(canonical()).mode & 0o777).toBe(0o600)
    expect(await inspectBytes(written)).toMatchObject({ verdict: 'accepted', rewritten: false, sha256 })
  })

  const PAGES = { pages: [{ content: '0 0 100 100 re f' }, {}] }
  test.each<[string, Uint8Array]>([
    ['lacks its header', makePdf({ ...PAGES, header: '' })],
    ['lost its header, so that no offset is right', makePdf(PAGES).subarray('%PDF-1.7\n'.length)],
    ['has another line in its place', makePdf({ ...PAGES, header: '%!PS-Adobe\n' })],
    ['has something before its header', Buffer.concat([Buffer.from('HTTP/1.1 200\r\n'), makePdf(PAGES)])],
  ])('that %s is rewritten with all its pages', async (_, bytes) => {
    const { pages, warnings } = await accepted(bytes)
    expect({ pages: pages.length, codes: warnings.map(warning => warning.code) }).toEqual({ pages: 2, codes: ['repaired'] })
    const written = readFileSync(canonical())
    expect(written.subarray(0, 5).toString()).toBe('%PDF-')
    expect(written.includes('0 0 100 100 re f') || (await PDF.load(written)).getPageCount() === 2).toBe(true)
  })

  test('is refused as signed if its repaired version is', async () => {
    const signed = makePdf({
      catalog: '/AcroForm << /Fields [50 0 R] >>',
      objects: { 50: '<< /FT /Sig /T (A) /V << /Type /Sig >> >>' },
    }).toString('latin1')
    const broken = Buffer.from(signed.replace(/startxref\n\d+/, 'startxref\n99'), 'latin1')
    expect((await refusal(broken))[0]).toBe('unsupported_pdf')
  })

  test('whose second page has unresolved content is rewritten, so that an overlay is possible', async () => {
    const text = makePdf({ pages: [{}, {}] })
      .toString('latin1')
      .replace('/Contents 6 0 R', '/Contents 4 0 R')
    const wrong = text.replace(/(4 1\n)\d{10}/, '$10000000009')
    expect(await accepted(Buffer.from(wrong, 'latin1'))).toMatchObject({ rewritten: true })
  })

  test('with duplicate pages or a loop in the page tree is not accepted unchanged', async () => {
    const twice = pdfOf({
      objects: {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: '<< /Type /Pages /Count 2 /Kids [3 0 R 2 0 R] >>',
        3: '<< /Type /Page /Parent 2 0 R >>',
      },
    })
    expect((await refusal(twice))[0]).toBe('invalid_pdf')
  })
})

describe('an upload shows the objects of its cross-reference', () => {
  test('a second copy of an object after the end of the file is ignored', async () => {
    const bytes = makePdf({ pages: [{ media: [0, 0, 300, 300] }] })
    const shadow = Buffer.from('3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] >>\nendobj\n')
    const { pages, warnings } = await accepted(Buffer.concat([bytes, shadow]))
    expect(pages[0]?.width).toBe(300)
    expect(warnings.map(warning => warning.code)).toEqual(['trailing_bytes'])
  })

  test('a hybrid file that shows different objects to old and new readers is rewritten', async () => {
    const table = makePdf({ pages: [{ media: [0, 0, 300, 300] }] })
    const other = table.length
    const page = '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Resources << >> >>\nendobj\n'
    const row = Buffer.from([1, ...new Uint8Array(new Uint32Array([other]).buffer).reverse()])
    const at = other + page.length
    const head = `60 0 obj\n<< /Type /XRef /Size 61 /W [1 4 0] /Index [3 1] /Root 1 0 R /Length 5 >>\nstream\n`
    const trick = table.toString('latin1').replace('/Size 5', `/Size 61 /XRefStm ${String(at + 20).padStart(5, '0')}`)
    const shift = trick.length - table.length
    row.writeUInt32BE(other + shift, 1)
    const text = trick.replace(/\/XRefStm \d+/, `/XRefStm ${String(at + shift).padStart(5, '0')}`)
    const end = text.slice(text.lastIndexOf('startxref'))
    const bytes = Buffer.concat([
      Buffer.from(text + page + head, 'latin1'),
      row,
      Buffer.from(`\nendstream\nendobj\n${end}`, 'latin1'),
    ])
    expect(await accepted(bytes)).toMatchObject({ rewritten: true })
  })
})

describe('warnings for', () => {
  test('earlier revisions', async () => {
    const first = makePdf()
    const second = pdfOf({ objects: { 4: { head: '', data: '0 0 9 9 re f' } } }, first)
    expect(await codesOf(second)).toEqual(['earlier_revisions'])
  })

  test('scripts, programs and form submission, in every place', async () => {
    const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
    expect(await codesOf(makePdf({ catalog: `/OpenAction ${script}` }))).toEqual(['open_action', 'javascript'])
    expect(await codesOf(makePdf({ catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >>` }))).toEqual(['javascript'])
    expect(await codesOf(makePdf({ pages: [{ more: `/AA << /O ${script} >>` }] }))).toEqual(['additional_actions', 'javascript'])
    const annotation = (action: string) =>
      makePdf({ pages: [{ more: `/Annots [<< /Subtype /Link /Rect [0 0 9 9] /A ${action} >>]` }] })
    expect(await codesOf(annotation('<< /S /Launch /F (calc.exe) >>'))).toEqual(['launch'])
    expect(await codesOf(annotation('<< /S /SubmitForm /F (http://x) >>'))).toEqual(['submit_form'])
    expect(await codesOf(annotation(`<< /S /GoTo /D [3 0 R /Fit] /Next [${script}] >>`))).toEqual(['javascript'])
    const outline = { 50: '<< /First 51 0 R >>', 51: '<< /Title (a) /Next 51 0 R /First 52 0 R >>', 52: `<< /A ${script} >>` }
    expect(await codesOf(makePdf({ catalog: '/Outlines 50 0 R', objects: outline }))).toEqual(['javascript'])
    expect(await codesOf(annotation('<< /S /URI /URI (file:///etc/passwd) >>'))).toEqual(['unsafe_link'])
    expect(await codesOf(annotation('<< /S /URI /URI (https://example.com) >>'))).toEqual(['external_link'])
  })

  test('attachments, media and hidden layers', async () => {
    expect(await codesOf(makePdf({ catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }))).toEqual(['embedded_files'])
    expect(await codesOf(makePdf({ pages: [{ more: '/Annots [<< /Subtype /RichMedia >>]' }] }))).toEqual(['rich_media'])
    expect(await codesOf(makePdf({ catalog: '/OCProperties << /D << /OFF [50 0 R] >> >>' }))).toEqual(['hidden_content'])
  })

  test('but not a page to open at', async () => {
    expect(await codesOf(makePdf({ catalog: '/OpenAction [3 0 R /Fit]' }))).toEqual([])
    expect(await codesOf(makePdf({ catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }))).toEqual([])
  })
})
