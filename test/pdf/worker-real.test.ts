/** The real child through the pool: each kind of order once. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHILD_FOLDER_PREFIX, PdfTaskError } from '../../src/pdf/child-process.ts'
import type { PdfTools } from '../../src/pdf/order.ts'
import { openPdfTools } from '../../src/pdf/worker.ts'
import { seal } from '../../src/seal/seal.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, markOn, SIGNATURE } from '../support/prepare-order.ts'
import { failureOf } from '../support/scripted-pool.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { scanBomb } from './jpeg-writer.ts'
import { PHOTO, photoOf, pngOfPhoto } from './signature-photo.ts'

let folder: string
let tools: PdfTools | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-worker-'))
})
afterEach(async () => {
  await tools?.close()
  tools = undefined
})
afterAll(() => rmSync(folder, { recursive: true }))

const inspectOrder = (path: string) => ({ path, canonicalPath: join(folder, 'canonical.pdf'), maxPages: 10 })

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

test('the real child judges a file', async () => {
  const path = join(folder, 'upload.pdf')
  writeFileSync(path, makePdf({ pages: [{}, {}] }))
  const entry = join(import.meta.dir, '../../src/main.ts')
  tools = openPdfTools({ command: [process.execPath, entry, '__pdf-child'], size: 1, wallMs: 60_000, rssBytes: 2 ** 30 })
  const inspection = await tools.inspect(inspectOrder(path))
  expect(inspection).toMatchObject({ verdict: 'accepted', rewritten: false })
  expect(inspection.verdict === 'accepted' && inspection.pages).toHaveLength(2)
})

test('the real child prepares, archives and stamps, and tells why it does not by code', async () => {
  const entry = join(import.meta.dir, '../../src/main.ts')
  const command = [process.execPath, entry, '__pdf-child']
  tools = openPdfTools({ command, size: 1, wallMs: 60_000, rssBytes: 2 ** 30, isPrewarmed: true })
  const [sourcePath, sealed, archived, stamped] = ['original', 'sealed', 'archived', 'stamped'].map(name =>
    join(folder, `${name}.pdf`),
  )
  if (!sourcePath || !sealed || !archived || !stamped) throw new Error('no paths')
  writeFileSync(sourcePath, makePdf())
  const prepared = await tools.prepare({
    sourcePath,
    outPath: sealed,
    marks: [markOn(1)],
    evidence: EVIDENCE,
    signature: SIGNATURE,
  })
  await seal({ prepared, key: (await sharedAuthority()).key })
  const material = { certificates: ['MAMCAQE='], ocspResponses: [], revocationLists: [] }
  const added = await tools.addValidationMaterial({ sourcePath: sealed, outPath: archived, material })
  expect(added).toEqual({ path: archived, bytes: statSync(archived).size, sha256: sha256Of(archived) })
  const stamp = await tools.prepareTimeStamp({ sourcePath: archived, outPath: stamped, contentsBytes: 16_384 })
  expect(stamp.byteRange[2] + stamp.byteRange[3]).toBe(statSync(stamped).size)
  for (const [order, code] of [
    [{ sourcePath, outPath: join(folder, 'never.pdf') }, 'unsigned_pdf'],
    [{ sourcePath: sealed, outPath: archived }, 'EEXIST'],
    [{ sourcePath: join(folder, 'nowhere.pdf'), outPath: join(folder, 'never.pdf') }, 'ENOENT'],
  ] as const) {
    for (const work of [
      tools.addValidationMaterial({ ...order, material }),
      tools.prepareTimeStamp({ ...order, contentsBytes: 16_384 }),
    ]) {
      const error = await failureOf(work)
      expect(error).toBeInstanceOf(PdfTaskError)
      expect(error).toMatchObject({ code })
    }
  }
  expect(existsSync(join(folder, 'never.pdf'))).toBe(false)
})

test('the real child takes the ink from a picture, and tells why it does not by code', async () => {
  const entry = join(import.meta.dir, '../../src/main.ts')
  tools = openPdfTools({ command: [process.execPath, entry, '__pdf-child'], size: 1, wallMs: 60_000, rssBytes: 2 ** 29 })
  const [path, outPath] = [join(folder, 'photo.png'), join(folder, 'ink.png')]
  writeFileSync(path, pngOfPhoto(photoOf({ ...PHOTO, width: 400, height: 300, pen: 4 })))
  const clean = await tools.cleanSignature({ path, outPath })
  expect(clean).toMatchObject({ path: outPath, bytes: statSync(outPath).size, sha256: sha256Of(outPath) })
  rmSync(outPath)
  for (const [bytes, code] of [
    [Buffer.from('no picture'), 'not_a_picture'],
    [Buffer.alloc(5_000_001), 'too_large'],
    [pngOfPhoto({ width: 90, height: 60, colour: new Uint8Array(16_200).fill(250), truth: new Float32Array(0) }), 'no_ink'],
    // Forty megapixels in sixty scans of nothing: within its time and memory, and the child lives on.
    [scanBomb(6400, 60), 'no_ink'],
  ] as const) {
    writeFileSync(path, bytes)
    const error = await failureOf(tools.cleanSignature({ path, outPath }))
    expect(error).toBeInstanceOf(PdfTaskError)
    expect(error).toMatchObject({ code })
  }
  expect(existsSync(outPath)).toBe(false)
}, 60_000)

test('a child whose parent ends takes its temporary folder with it', async () => {
  const entry = join(import.meta.dir, '../../src/main.ts')
  const own = mkdtempSync(join(folder, CHILD_FOLDER_PREFIX))
  const child = Bun.spawn([process.execPath, entry, '__pdf-child'], { stdin: 'pipe', stdout: 'pipe', env: { TMPDIR: own } })
  await child.stdin.end()
  expect(await child.exited).toBe(0)
  expect(existsSync(own)).toBe(false)
})
