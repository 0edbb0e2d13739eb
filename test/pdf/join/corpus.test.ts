/**
 * Real files, joined in groups: every page looks as in its own file, and the seal of the joined
 * file is valid for other programs too. Skipped without the files in `../shared/corpus`.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join as pathOf } from 'node:path'
import { prepare } from '../../../src/evidence/prepare.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'
import { join } from '../../../src/pdf/join/join.ts'
import { useFolder } from '../../support/folders.ts'
import { differingPixels, hasPdftoppm, pictureOf } from '../../support/page-picture.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../../support/prepare-request.ts'
import { seal } from '../../support/seal.ts'
import { sharedAuthority } from '../../support/test-pki.ts'
import { verifyFile } from '../../support/written-report.ts'
import { hasPdfsig, hasQpdf, run } from '../../verify/tools.ts'

const corpus = pathOf(import.meta.dir, '../../../../shared/corpus')
const hasCorpus = existsSync(corpus) && hasPdfsig && hasQpdf && hasPdftoppm
/** 40,000 annotations on a page: Poppler takes 40 s for it and draws nothing. */
const SLOW = 'bug1978317.pdf'
const names = existsSync(corpus) ? readdirSync(corpus).filter(name => name.endsWith('.pdf') && name !== SLOW) : []
const GROUP = 6
const groups = Array.from({ length: Math.ceil(names.length / GROUP) }, (_, i) => names.slice(i * GROUP, (i + 1) * GROUP))

/** Poppler cannot draw this one in its own file. */
const UNDRAWABLE = new Set(['poppler-91414-0-53.pdf'])

const folder = useFolder()

interface AcceptedPart {
  name: string
  path: string
  pageCount: number
}

async function accepted(group: readonly string[]): Promise<AcceptedPart[]> {
  const parts: AcceptedPart[] = []
  for (const name of group) {
    const path = pathOf(corpus, name)
    const canonicalPath = pathOf(folder, `canonical-${name}`)
    const inspection = await inspect({ path, canonicalPath, maxPages: 2_000 })
    if (inspection.verdict === 'refused') continue
    parts.push({ name, path: inspection.rewritten ? canonicalPath : path, pageCount: inspection.pages.length })
  }
  return parts
}

describe.skipIf(!hasCorpus)('joined', () => {
  test.each(groups.map((group, i) => [i + 1, group] as const))(
    'group %d: %p',
    async (number, group) => {
      const parts = await accepted(group)
      const sourcePath = pathOf(folder, `joined-${number}.pdf`)
      const result = join({ parts: parts.map(({ name, path }) => ({ path, title: name })), outPath: sourcePath, maxPages: 2_000 })
      expect(result).toMatchObject({ verdict: 'joined' })
      const pageCount = parts.reduce((sum, part) => sum + part.pageCount, 0)
      const inspection = await inspect({ path: sourcePath, canonicalPath: pathOf(folder, 'unused'), maxPages: 2_000 })
      expect(inspection).toMatchObject({ verdict: 'accepted', rewritten: false })
      expect(run(['qpdf', '--check', sourcePath])).toMatchObject({ code: 0 })
      let first = 1
      for (const part of parts) {
        for (const page of new Set([1, part.pageCount])) {
          if (UNDRAWABLE.has(part.name)) continue
          const differing = differingPixels(pictureOf(part.path, page, 30), pictureOf(sourcePath, first + page - 1, 30))
          expect({ name: part.name, page, differing }).toEqual({ name: part.name, page, differing: 0 })
        }
        first += part.pageCount
      }
      const outPath = pathOf(folder, `sealed-${number}.pdf`)
      const field = fieldOn(pageCount, { x: 1, y: 1, width: 2, height: 2 })
      const prepared = await prepare(
        { sourcePath, outPath, fields: [field], evidence: EVIDENCE, signature: SIGNATURE },
        RED_BOXES,
      )
      const { key, rootPem } = await sharedAuthority()
      await seal({ prepared, key })
      const report = await verifyFile({ path: outPath, trust: [rootPem], originalPath: sourcePath })
      expect(report).toMatchObject({ verdict: 'valid', reasons: [], pageCount: pageCount + 1 })
      expect(run(['pdfsig', '-nocert', outPath]).text).toContain('Signature is Valid')
      expect(run(['qpdf', '--check', outPath])).toMatchObject({ code: 0 })
    },
    120_000,
  )
})
