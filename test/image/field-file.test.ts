/** Files that signers add are what their content says, and nothing else gets through. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { PDF } from '@libpdf/core'
import type { MediaType } from '../../src/core/field/field.ts'
import type { ExaminedFile } from '../../src/image/field-file.ts'
import { readImage } from '../../src/image/xobject-image.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'
import { DEFAULT_LIMITS } from '../../src/sandbox/pool.ts'
import { plainPng, pngChunk } from '../evidence/sample.ts'
import { useFreshFolder } from '../support/folders.ts'
import { BOMBS } from '../support/hostile-pdf.ts'
import { CMYK_JPEG, exifSegment, JPEG, withSegments } from '../support/jpegs.ts'
import { IS_LONG } from '../support/long.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { PROGRAM } from '../support/program.ts'
import { samplePdf } from '../support/sample.ts'

const tools = pdfTools()

const folder = useFreshFolder()

const pdfFile = async () => Buffer.from(await samplePdf(), 'base64')
const RED = plainPng(64, 16, [200, 30, 30, 255])

function examine(bytes: Uint8Array, { name = 'file', isDrawn = false, by = tools } = {}) {
  const path = folder(name)
  writeFileSync(path, bytes)
  return by.examineFile({ path, outPath: isDrawn ? folder('drawn') : undefined })
}

const kept = (bytes: Uint8Array, mediaType: MediaType, hasActiveContent = false): ExaminedFile => ({
  verdict: 'accepted',
  mediaType,
  hasActiveContent,
  sha256: sha256Hex(bytes),
  bytes: bytes.length,
})

describe('an attachment', () => {
  test('is kept byte for byte, with its metadata: it is evidence', async () => {
    const photo = withSegments(JPEG, [exifSegment(6)])
    const pdf = await pdfFile()
    expect(await examine(photo)).toEqual(kept(photo, 'image/jpeg'))
    expect(await examine(RED)).toEqual(kept(RED, 'image/png'))
    expect(await examine(pdf)).toEqual(kept(pdf, 'application/pdf'))
    expect(readdirSync(folder())).toEqual(['file'])
  })

  test('has the type of its content: a PDF named .png is a PDF', async () => {
    expect(await examine(await pdfFile(), { name: 'photo.png' })).toMatchObject({ mediaType: 'application/pdf' })
    expect(await examine(JPEG, { name: 'contract.pdf' })).toMatchObject({ mediaType: 'image/jpeg' })
  })

  test.each([
    ['HTML', '<!DOCTYPE html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a program', 'MZ\u0090\0'],
    ['a ZIP', 'PK\u0003\u0004'],
    ['nothing at all', ''],
    ['HTML with a PDF behind it', '<html>%PDF-1.7\n'],
  ])('that is %s is none of the three types', async (_, text) => {
    const bytes = Buffer.concat([Buffer.from(text, 'latin1'), text.includes('%PDF') ? await pdfFile() : Buffer.alloc(0)])
    expect(await examine(bytes, { name: 'invoice.pdf' })).toEqual({ verdict: 'unknown_type' })
  })

  test('that is damaged beyond reading is refused by its type', async () => {
    const pdf = await pdfFile()
    expect(await examine(JPEG.subarray(0, -9))).toEqual({ verdict: 'unreadable', mediaType: 'image/jpeg' })
    expect(await examine(RED.subarray(0, -9))).toEqual({ verdict: 'unreadable', mediaType: 'image/png' })
    expect(await examine(pdf.subarray(0, 40))).toEqual({ verdict: 'unreadable', mediaType: 'application/pdf' })
    expect(await examine(Buffer.from('%PDF-1.7 and nothing else'))).toEqual({
      verdict: 'unreadable',
      mediaType: 'application/pdf',
    })
  })

  test('that was cut off a little is accepted if programs can repair it', async () => {
    const pdf = await pdfFile()
    const cut = pdf.subarray(0, pdf.length - 7)
    expect(await examine(cut)).toEqual(kept(cut, 'application/pdf'))
  })
})

describe('a PNG that lies about its size', () => {
  const header = (width: number, height: number) => {
    const body = Buffer.alloc(13)
    body.writeUInt32BE(width, 0)
    body.writeUInt32BE(height, 4)
    body.set([8, 2, 0, 0, 0], 8)
    return body
  }
  const pngWith = (width: number, height: number, data: Buffer) =>
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      pngChunk('IHDR', header(width, height)),
      pngChunk('IDAT', data),
      pngChunk('IEND', Buffer.alloc(0)),
    ])

  test('is refused before anything is unpacked, if it says many pixels', async () => {
    const refused = { verdict: 'too_many_pixels', megapixels: 50 } as const
    expect(await examine(pngWith(60_000, 60_000, deflateSync(Buffer.alloc(9))))).toEqual(refused)
  })

  test('is refused at the first row too many: 200 MB of zeros in 200 kB', async () => {
    const bomb = pngWith(10, 10, deflateSync(Buffer.alloc(200_000_000)))
    for (const isDrawn of [false, true]) expect(await examine(bomb, { isDrawn })).toMatchObject({ verdict: 'unreadable' })
  })
})

describe('an image', () => {
  test('is drawn from a copy without metadata', async () => {
    const photo = withSegments(JPEG, [exifSegment(6)])
    const found = await examine(photo, { isDrawn: true })
    const drawn = readFileSync(folder('drawn'))
    expect(found).toEqual(kept(drawn, 'image/jpeg'))
    expect(drawn.includes('ACME')).toBe(false)
    expect(await readImage(drawn, 100)).toMatchObject({ width: 48, height: 32, orientation: 6 })
  })

  test('as PNG keeps its pixels, loses its texts, and is scaled down if it is large', async () => {
    const at = RED.length - 12
    const withText = Buffer.concat([RED.subarray(0, at), pngChunk('tEXt', Buffer.from('Author\0Ada')), RED.subarray(at)])
    expect(await examine(withText, { isDrawn: true })).toMatchObject({ verdict: 'accepted', mediaType: 'image/png' })
    const drawn = readFileSync(folder('drawn'))
    expect(drawn.includes('Author')).toBe(false)
    expect(await readImage(drawn, 100)).toMatchObject({ width: 64, height: 16, alpha: undefined })
    rmSync(folder('drawn'))
    await examine(plainPng(6000, 3000, [9, 99, 9, 255]), { isDrawn: true })
    expect(await readImage(readFileSync(folder('drawn')), 30_000)).toMatchObject({ width: 2000, height: 1000 })
  })

  test('in CMYK is accepted, as printers write it', async () => {
    expect(await examine(CMYK_JPEG, { isDrawn: true })).toMatchObject({ verdict: 'accepted', mediaType: 'image/jpeg' })
  })
})

describe('a PDF', () => {
  const CORPUS = join(import.meta.dir, '../../../shared/corpus')
  const corpus = existsSync(CORPUS) ? readdirSync(CORPUS).filter(name => name.endsWith('.pdf')) : []
  if (corpus.length === 0) console.warn(`skipped: no files in ${CORPUS}`)
  const ofCorpus = (name: string) => examine(readFileSync(join(CORPUS, name)))

  const bombs = ['an object stream of 2 GiB', 'a cross-reference stream of 2 GiB'] as const
  test.each(IS_LONG ? bombs : bombs.slice(0, 1))('that is a bomb (%s) is refused, and the next file is examined', async name => {
    const asServed = openPdfTools({ command: [...PROGRAM, '__pdf-child'], size: 1, limits: DEFAULT_LIMITS })
    expect(await examine(BOMBS[name]?.() ?? Buffer.alloc(0), { by: asServed })).toMatchObject({
      verdict: expect.stringMatching(/^(too_complex|unreadable)$/),
    })
    expect(await examine(RED, { by: asServed })).toMatchObject({ verdict: 'accepted' })
    await asServed.close()
  })

  test.skipIf(corpus.length === 0)('of the corpus is accepted, or refused with a reason', async () => {
    for (const name of corpus) {
      const found = await ofCorpus(name)
      expect({ name, verdict: found.verdict }).toEqual({
        name,
        verdict: expect.stringMatching(/^(accepted|unreadable|needs_password|too_complex|unknown_type)$/),
      })
    }
  })

  test.skipIf(corpus.length === 0)('is noted if it holds other files; one that is signed already is welcome', async () => {
    expect(await ofCorpus('annotation-fileattachment.pdf')).toMatchObject({ verdict: 'accepted', hasActiveContent: true })
    expect(await ofCorpus('signed_verified.pdf')).toMatchObject({ verdict: 'accepted' })
    expect(await ofCorpus('rotation.pdf')).toMatchObject({ verdict: 'accepted', hasActiveContent: false })
  })

  test('is refused if it needs a password, accepted if it opens without one, as bank statements do', async () => {
    const protectedBy = async (userPassword: string, permissions: Record<string, boolean>) => {
      const document = await PDF.load(await pdfFile())
      document.setProtection({ userPassword, ownerPassword: 'owner', permissions, algorithm: 'AES-256' })
      return document.save()
    }
    const secret = await examine(await protectedBy('secret', {}))
    expect(secret).toEqual({ verdict: 'needs_password', mediaType: 'application/pdf' })
    for (const modify of [true, false]) {
      const open = await protectedBy('', { modify })
      // What may not be taken apart is not known to be harmless.
      expect(await examine(open)).toEqual(kept(open, 'application/pdf', !modify))
    }
  })
})
