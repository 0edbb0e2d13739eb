/**
 * Loops and bombs in the real children under the service's limits: each gets a result, even if a
 * child had to be killed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'
import { DEFAULT_LIMITS } from '../../src/sandbox/pool.ts'
import { useFolder } from '../support/folders.ts'
import { BOMBS, LOOPS } from '../support/hostile-pdf.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, fieldOn, SIGNATURE } from '../support/prepare-request.ts'
import { PROGRAM } from '../support/program.ts'

const folder = useFolder()
let tools: PdfTools
let count = 0
beforeAll(() => {
  const command = [...PROGRAM, '__pdf-child']
  tools = openPdfTools({ command, size: 2, limits: DEFAULT_LIMITS, isPrewarmed: true })
})
afterAll(() => tools.close())

for (const [kind, files] of Object.entries({ loop: LOOPS, bomb: BOMBS })) {
  describe(`a ${kind}:`, () => {
    for (const [what, make] of Object.entries(files)) {
      test(`${what} is refused with a code or can be prepared with a field, and can be verified`, async () => {
        const [path, canonicalPath, outPath] = ['upload', 'canonical', 'prepared'].map(name =>
          join(folder, `${name}-${++count}.pdf`),
        )
        if (path === undefined || canonicalPath === undefined || outPath === undefined) throw new Error('no paths')
        writeFileSync(path, make())
        const inspection = await tools.inspect({ path, canonicalPath, maxPages: 2000 })
        if (inspection.verdict === 'refused') expect(['invalid_pdf', 'unsupported_pdf']).toContain(inspection.code)
        else {
          const sourcePath = inspection.rewritten ? canonicalPath : path
          const request = { sourcePath, outPath, fields: [fieldOn(1)], evidence: EVIDENCE, signature: SIGNATURE }
          const prepared = await tools.prepare(request).catch((error: unknown) => error)
          // An accepted file must be sealable: a failure here would be retried for ever.
          expect(prepared).toMatchObject({ path: outPath })
        }
        const report = await tools.verify({ path, trust: [], originalPath: undefined })
        expect(report).not.toMatchObject({ verdict: 'valid' })
        // A crash would be a bug.
        if (report.verdict === 'unreadable') expect(report.reason.code).not.toBe('reader_crash')
      }, 60_000)
    }
  })
}

test('after all of them the pool inspects a valid file', async () => {
  const path = join(folder, 'valid.pdf')
  writeFileSync(path, makePdf())
  expect(await tools.inspect({ path, canonicalPath: join(folder, 'none.pdf'), maxPages: 2000 })).toMatchObject({
    verdict: 'accepted',
  })
})
