/**
 * Real files: each is accepted, sealed and then valid, or refused with a specific code. The tests
 * are skipped without the files in `../shared/corpus`.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../../../src/evidence/prepare.ts'
import { englishOfViolation } from '../../../src/locales/violations.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import { useFolder } from '../../support/folders.ts'
import { IS_LONG } from '../../support/long.ts'
import { differingPixels, hasPdftoppm, pictureOf } from '../../support/page-picture.ts'
import { inventoryOf } from '../../support/pdf-inventory.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../../support/prepare-request.ts'
import { seal } from '../../support/seal.ts'
import { sharedAuthority } from '../../support/test-pki.ts'
import { verifyFile } from '../../support/written-report.ts'
import { hasPdfsig, hasQpdf, run } from '../../verify/tools.ts'

const corpus = join(import.meta.dir, '../../../../shared/corpus')
const hasCorpus = existsSync(corpus) && hasPdfsig && hasQpdf && hasPdftoppm
/** 40,000 annotations on a page: half a minute, in a long run alone. */
const SLOW = 'bug1978317.pdf'
const names = existsSync(corpus) ? readdirSync(corpus).filter(name => name.endsWith('.pdf') && (IS_LONG || name !== SLOW)) : []

/**
 * Files that are unreadable, protected, signed or dynamic XFA forms. All others must be accepted.
 */
const REFUSED: Readonly<Record<string, string>> = {
  'REDHAT-1531897-0.pdf': 'invalid_pdf',
  'bug1020226.pdf': 'invalid_pdf',
  'empty_protected.pdf': 'encrypted_pdf',
  'encrypted-attachment.pdf': 'encrypted_pdf',
  'issue9105_other.pdf': 'invalid_pdf',
  'poppler-742-0-fuzzed.pdf': 'invalid_pdf',
  'print_protection.pdf': 'encrypted_pdf',
  'signed_verified.pdf': 'unsupported_pdf',
  'xfa_filled_imm1344e.pdf': 'unsupported_pdf',
  'xfa_issue14315.pdf': 'unsupported_pdf',
}

/** The largest file takes half a minute, several times that beside other tests. */
const LIMIT_MS = 180_000

/** Poppler cannot draw these, sealed or not. */
const UNDRAWABLE = new Set(['poppler-91414-0-53.pdf', 'bug1978317.pdf'])

/**
 * Poppler draws an icon for an attached file or movie without appearance. Maximum of pixels that
 * differ without the icon, at 30 dpi.
 */
const LOST_ICON_PIXELS: Readonly<Record<string, number>> = {
  'annotation-fileattachment.pdf': 36,
  'multimedia_annotations.pdf': 242,
}

const folder = useFolder()

describe.skipIf(!hasCorpus)('every real file', () => {
  for (const name of names) {
    const expected = REFUSED[name]
    test(
      `${name} is ${expected === undefined ? 'accepted and can be sealed' : `refused as ${expected}`}`,
      async () => {
        const path = join(corpus, name)
        const canonicalPath = join(folder, `canonical-${name}`)
        const inspection = await inspect({ path, canonicalPath, maxPages: 2_000 })
        if (expected !== undefined || inspection.verdict === 'refused') {
          expect(inspection).toMatchObject({ verdict: 'refused', code: expected ?? 'nothing' })
          return
        }
        const sourcePath = inspection.rewritten ? canonicalPath : path
        const outPath = join(folder, name)
        const field = fieldOn(1, { x: 1, y: 1, width: 2, height: 2 })
        const request = { sourcePath, outPath, fields: [field], evidence: EVIDENCE, signature: SIGNATURE }
        const prepared = await prepare(request, RED_BOXES)
        const { key, rootPem } = await sharedAuthority()
        await seal({ prepared, key })

        const report = await verifyFile({ path: outPath, trust: [rootPem], originalPath: sourcePath })
        expect(report).toMatchObject({ verdict: 'valid', reasons: [], pageCount: inspection.pages.length + 1 })
        const text = run(['pdfsig', '-nocert', outPath]).text
        expect(text).toContain('Signature is Valid')
        expect(text).toContain('Total document signed')
        expect(run(['qpdf', '--check', outPath]).code).toBeLessThanOrEqual(run(['qpdf', '--check', sourcePath]).code)

        const source = readFileSync(sourcePath)
        expect(readFileSync(outPath).subarray(0, source.length).equals(source)).toBe(true)
        const before = inventoryOf(sourcePath)
        // The seal's field is also its widget.
        const { pages, fields, annotations } = before
        expect(inventoryOf(outPath)).toEqual({ ...before, pages: pages + 1, fields: fields + 1, annotations: annotations + 1 })
        for (let page = 2; page <= Math.min(inspection.pages.length, 4); page++) {
          expect(differingPixels(pictureOf(sourcePath, page, 30), pictureOf(outPath, page, 30))).toBe(0)
        }
      },
      LIMIT_MS,
    )

    test.skipIf(expected !== undefined || UNDRAWABLE.has(name))(
      `${name} looks the same without an overlay`,
      async () => {
        const path = join(corpus, name)
        const canonicalPath = join(folder, `again-${name}`)
        const inspection = await inspect({ path, canonicalPath, maxPages: 2_000 })
        if (inspection.verdict === 'refused') throw new Error(englishOfViolation(inspection.violation))
        const sourcePath = inspection.rewritten ? canonicalPath : path
        const outPath = join(folder, `plain-${name}`)
        await prepare({ sourcePath, outPath, fields: [], evidence: EVIDENCE, signature: SIGNATURE }, RED_BOXES)
        const differing = differingPixels(pictureOf(sourcePath, 1, 30), pictureOf(outPath, 1, 30))
        expect(differing).toBeLessThanOrEqual(LOST_ICON_PIXELS[name] ?? 0)
      },
      LIMIT_MS,
    )
  }
})
