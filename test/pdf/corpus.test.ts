/**
 * Real files: each is accepted, then sealed and judged sound, or refused by a specific code; nothing crashes. They stand outside the project
 * (`../shared/corpus`); without that folder these tests skip themselves.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from '../../src/pdf/inspect.ts'
import { openReadable } from '../../src/pdf/readable.ts'
import { entryOf } from '../../src/pdf/write.ts'
import { prepare } from '../../src/seal/prepare.ts'
import { seal } from '../../src/seal/seal.ts'
import { verifyFile } from '../../src/seal/verify.ts'
import { hasPdfsig, hasQpdf, run } from '../seal/judges.ts'
import { differingPixels, hasPdftoppm, pictureOf } from '../support/page-picture.ts'
import { EVIDENCE, markOn, RED_BOXES, SIGNATURE } from '../support/prepare-order.ts'
import { sharedAuthority } from '../support/test-pki.ts'

const corpus = join(import.meta.dir, '../../../shared/corpus')
const hasCorpus = existsSync(corpus) && hasPdfsig && hasQpdf && hasPdftoppm
const names = existsSync(corpus) ? readdirSync(corpus).filter(name => name.endsWith('.pdf')) : []

/** Files nobody can show, that are protected or signed, or that only an XFA reader shows. All others have to be accepted. */
const REFUSED: Readonly<Record<string, string>> = {
  'REDHAT-1531897-0.pdf': 'invalid_pdf',
  'bug1020226.pdf': 'invalid_pdf',
  'empty_protected.pdf': 'encrypted_pdf',
  'encrypted-attachment.pdf': 'encrypted_pdf',
  'issue9105_other.pdf': 'invalid_pdf',
  'poppler-742-0-fuzzed.pdf': 'encrypted_pdf',
  'print_protection.pdf': 'encrypted_pdf',
  'signed_verified.pdf': 'unsupported_pdf',
  'xfa_filled_imm1344e.pdf': 'unsupported_pdf',
  'xfa_issue14315.pdf': 'unsupported_pdf',
}

/** Poppler draws nothing of these, sealed or not. */
const UNDRAWABLE = new Set(['poppler-91414-0-53.pdf', 'bug1978317.pdf'])

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-corpus-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Fields, annotations by page and outlines, which no update may lose. */
function inventory(path: string) {
  const { file, catalog, pages } = openReadable(readFileSync(path))
  const count = (container: Parameters<typeof entryOf>[1], key: string) => {
    const { value } = entryOf(file, container, key)
    return value.kind === 'array' ? value.items.length : 0
  }
  const catalogKeys = catalog.dictionary.value.kind === 'dictionary' ? [...catalog.dictionary.value.entries.keys()] : []
  return {
    fields: count(entryOf(file, catalog.dictionary, 'AcroForm'), 'Fields'),
    annotations: pages.map(page => count(page.dictionary, 'Annots')),
    kept: catalogKeys.filter(key =>
      ['Outlines', 'StructTreeRoot', 'OCProperties', 'PageLabels', 'Metadata', 'Dests'].includes(key),
    ),
  }
}

describe.skipIf(!hasCorpus)('every real file', () => {
  for (const name of names) {
    const expected = REFUSED[name]
    test(`${name} is ${expected === undefined ? 'accepted and can be sealed' : `refused as ${expected}`}`, async () => {
      const path = join(corpus, name)
      const canonicalPath = join(folder, `canonical-${name}`)
      const inspection = await inspect({ path, canonicalPath, maxPages: 2_000 })
      if (expected !== undefined || inspection.verdict === 'refused') {
        expect(inspection).toMatchObject({ verdict: 'refused', code: expected ?? 'nothing' })
        return
      }
      const sourcePath = inspection.rewritten ? canonicalPath : path
      const outPath = join(folder, name)
      const marks = [markOn(1, { x: 1, y: 1, width: 2, height: 2 })]
      const order = { sourcePath, outPath, marks, evidence: EVIDENCE, signature: SIGNATURE }
      const prepared = await prepare(order, RED_BOXES)
      const { key, rootPem } = await sharedAuthority()
      await seal({ prepared, key })

      const report = await verifyFile({ path: outPath, trust: [rootPem], originalPath: sourcePath })
      expect(report).toMatchObject({ sound: true, reasons: [], pageCount: inspection.pages.length + 1 })
      const text = run(['pdfsig', '-nocert', outPath]).text
      expect(text).toContain('Signature is Valid')
      expect(text).toContain('Total document signed')
      expect(run(['qpdf', '--check', outPath]).code).toBeLessThanOrEqual(run(['qpdf', '--check', sourcePath]).code)

      const [before, after] = [inventory(sourcePath), inventory(outPath)]
      expect(after.fields).toBe(before.fields + 1)
      const [first = 0, ...others] = before.annotations
      expect(after.annotations).toEqual([first + 1, ...others, 0])
      expect(after.kept).toEqual(before.kept)
      for (let page = 2; page <= Math.min(inspection.pages.length, 4); page++) {
        expect(differingPixels(pictureOf(sourcePath, page, 30), pictureOf(outPath, page, 30))).toBe(0)
      }
    }, 60_000)

    test.skipIf(expected !== undefined || UNDRAWABLE.has(name))(
      `${name} looks the same when no mark is laid over it`,
      async () => {
        const path = join(corpus, name)
        const canonicalPath = join(folder, `again-${name}`)
        const inspection = await inspect({ path, canonicalPath, maxPages: 2_000 })
        if (inspection.verdict === 'refused') throw new Error(inspection.message)
        const sourcePath = inspection.rewritten ? canonicalPath : path
        const outPath = join(folder, `plain-${name}`)
        await prepare({ sourcePath, outPath, marks: [], evidence: EVIDENCE, signature: SIGNATURE }, RED_BOXES)
        expect(differingPixels(pictureOf(sourcePath, 1, 30), pictureOf(outPath, 1, 30))).toBe(0)
      },
      60_000,
    )
  }
})
