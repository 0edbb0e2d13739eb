/** The real child through the pool: each kind of task once. */
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import type { PageBox } from '../../src/core/field/geometry.ts'
import { INK_LIMITS, inkText, parseInk } from '../../src/core/signing/ink.ts'
import { writePng } from '../../src/image/png-write.ts'
import { PdfTaskError } from '../../src/sandbox/errors.ts'
import { DEFAULT_LIMITS } from '../../src/sandbox/pool.ts'
import { greyPng, PHOTO, photoOf, pngOfPhoto } from '../image/signature-photo.ts'
import { times } from '../support/long.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, fieldOn, SIGNATURE } from '../support/prepare-request.ts'
import { PROGRAM } from '../support/program.ts'
import { failureOf, usePools } from '../support/scripted-pool.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority } from '../support/test-pki.ts'

const { pathOf, openTools } = usePools()

const COMMAND = [...PROGRAM, '__pdf-child']
const IMAGES = times(10, 40)
const limitsOf = (rssBytes: number) => ({ cpuMs: 60_000, wallMs: 120_000, rssBytes })

const inspectRequest = (path: string) => ({ path, canonicalPath: pathOf('canonical.pdf'), maxPages: 10 })

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

test('the real child inspects a file', async () => {
  const path = pathOf('upload.pdf')
  writeFileSync(path, makePdf({ pages: [{}, {}] }))
  const tools = openTools({ command: COMMAND, size: 1, limits: limitsOf(2 ** 30) })
  const inspection = await tools.inspect(inspectRequest(path))
  expect(inspection).toMatchObject({ verdict: 'accepted', rewritten: false })
  expect(inspection.verdict === 'accepted' && inspection.pages).toHaveLength(2)
})

test('the real child prepares, adds validation data and a timestamp, and fails with a code', async () => {
  const tools = openTools({ command: COMMAND, size: 1, limits: limitsOf(2 ** 30), isPrewarmed: true })
  const [sourcePath, sealed, withData, timestamped] = ['original', 'sealed', 'withData', 'timestamped'].map(name =>
    pathOf(`${name}.pdf`),
  )
  if (!sourcePath || !sealed || !withData || !timestamped) throw new Error('no paths')
  writeFileSync(sourcePath, makePdf())
  const prepared = await tools.prepare({
    sourcePath,
    outPath: sealed,
    fields: [fieldOn(1)],
    evidence: EVIDENCE,
    signature: SIGNATURE,
  })
  await seal({ prepared, key: (await sharedAuthority()).key })
  const material = { certificates: ['MAMCAQE='], ocspResponses: [], revocationLists: [] }
  const added = await tools.addValidationData({ sourcePath: sealed, outPath: withData, material })
  expect(added).toEqual({ path: withData, bytes: statSync(withData).size, sha256: sha256Of(withData) })
  const timestamp = await tools.prepareTimestamp({ sourcePath: withData, outPath: timestamped, contentsBytes: 16_384 })
  expect(timestamp.byteRange[2] + timestamp.byteRange[3]).toBe(statSync(timestamped).size)
  for (const [request, code] of [
    [{ sourcePath, outPath: pathOf('never.pdf') }, 'unsigned_pdf'],
    [{ sourcePath: sealed, outPath: withData }, 'EEXIST'],
    [{ sourcePath: pathOf('nowhere.pdf'), outPath: pathOf('never.pdf') }, 'ENOENT'],
  ] as const) {
    for (const work of [
      tools.addValidationData({ ...request, material }),
      tools.prepareTimestamp({ ...request, contentsBytes: 16_384 }),
    ]) {
      const error = await failureOf(work)
      expect(error).toBeInstanceOf(PdfTaskError)
      expect(error).toMatchObject({ code })
    }
  }
  expect(existsSync(pathOf('never.pdf'))).toBe(false)
})

test('the real child extracts the ink of a picture, and fails with a code', async () => {
  const tools = openTools({ command: COMMAND, size: 1, limits: limitsOf(2 ** 29) })
  const [path, outPath] = [pathOf('photo.png'), pathOf('ink.png')]
  writeFileSync(path, pngOfPhoto(photoOf({ ...PHOTO, width: 400, height: 300, pen: 4 })))
  const clean = await tools.cleanSignature({ path, outPath })
  expect(clean).toMatchObject({ path: outPath, bytes: statSync(outPath).size, sha256: sha256Of(outPath) })
  rmSync(outPath)
  for (const [bytes, code] of [
    [Buffer.from('no picture'), 'not_a_picture'],
    [Buffer.alloc(5_000_001), 'too_large'],
    [pngOfPhoto({ width: 90, height: 60, colour: new Uint8Array(16_200).fill(250), truth: new Float32Array(0) }), 'no_ink'],
    // Forty-two megapixels in 41 kB: within the time and memory of a child, which survives.
    [greyPng(7000, 6000, () => 255), 'no_ink'],
  ] as const) {
    writeFileSync(path, bytes)
    const error = await failureOf(tools.cleanSignature({ path, outPath }))
    expect(error).toBeInstanceOf(PdfTaskError)
    expect(error).toMatchObject({ code })
  }
  expect(existsSync(outPath)).toBe(false)
}, 60_000)

test('the ink of a photo of twenty-two megapixels, written from edge to edge, is extracted within a child’s memory', async () => {
  const tools = openTools({ command: COMMAND, size: 1, limits: limitsOf(2 ** 29) })
  const [width, height] = [5456, 4096]
  const isInk = (x: number, y: number) => x > 23 && x < width - 24 && y > 23 && y < height - 24 && (y % 560 < 24 || x % 1840 < 24)
  const [path, outPath] = [pathOf('photo-large.png'), pathOf('large.png')]
  writeFileSync(
    path,
    greyPng(width, height, (x, y) => (isInk(x, y) ? 28 : 228)),
  )
  expect(await tools.cleanSignature({ path, outPath })).toMatchObject({ path: outPath, height: 600 })
}, 60_000)

test('the longest accepted drawings are drawn within a child’s time and memory', async () => {
  const tools = openTools({ command: COMMAND, size: 1, limits: limitsOf(2 ** 29) })
  const drawing = (seed: number) => {
    const points = Array.from({ length: INK_LIMITS.points }, (_, i) => [(i * (7919 + seed)) % 1000, (i * 10_473) % 1000, i % 256])
    const ink = parseInk(inkText({ width: 1000, height: 1000, strokes: [points.flat()] }))
    if ('error' in ink) throw new Error(ink.error)
    return ink
  }
  const box: PageBox = { left: 0, bottom: 0, width: 595, height: 842, rotation: 0, userUnit: 1 }
  // The marks of two people, in many fields each.
  const marks = Array.from({ length: IMAGES }, (_, i): FieldAppearance => {
    return {
      page: 1,
      box: { x: 50 * (i % 2), y: 4 * (i >> 1), width: 40, height: 3 },
      content: { kind: 'ink', ink: drawing(i % 2) },
    }
  })
  const outPath = pathOf('drawn.pdf')
  const { bytes } = await tools.writeOverlay({ pages: [{ page: 1, box, fields: marks }], outPath })
  expect(bytes).toBeLessThan(4_000_000)
  expect(statSync(outPath).size).toBe(bytes)
}, 60_000)

test(`${IMAGES} images of signers are drawn within the time and memory that the service gives a child`, async () => {
  const tools = openTools({ command: COMMAND, size: 1, limits: DEFAULT_LIMITS })
  const [width, height] = [2000, 2000]
  const [colour, alpha] = [new Uint8Array(width * height * 3), new Uint8Array(width * height).fill(255)]
  const image = writePng({ width, height, colour, alpha })
  const fields = Array.from({ length: IMAGES }, (_, i): FieldAppearance => {
    const path = pathOf(`image-${i}.png`)
    writeFileSync(path, image)
    return { page: 1, box: { x: 10, y: i, width: 10, height: 1 }, content: { kind: 'image', path } }
  })
  const box: PageBox = { left: 0, bottom: 0, width: 595, height: 842, rotation: 0, userUnit: 1 }
  const outPath = pathOf('images.pdf')
  const { bytes } = await tools.writeOverlay({ pages: [{ page: 1, box, fields }], outPath })
  expect(statSync(outPath).size).toBe(bytes)
}, 120_000)
