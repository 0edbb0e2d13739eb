/** The signature lines of real PDFs: the one that exists is found, and no others. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFields } from '../../../src/pdf/detect/find-fields.ts'
import { inspect } from '../../../src/pdf/inspect/inspect.ts'

const CORPUS = join(import.meta.dir, '../../../../shared/corpus')
const isMissing = !existsSync(CORPUS)
if (isMissing) console.log(`${CORPUS} is not here: proposals in real PDFs are not tested.`)

describe.skipIf(isMissing)('real PDFs', () => {
  test('have one signature line, and it is found without a false one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signet-corpus-'))
    const lines: string[] = []
    try {
      for (const name of readdirSync(CORPUS).filter(file => file.endsWith('.pdf'))) {
        const [path, canonicalPath] = [join(CORPUS, name), join(folder, name)]
        const inspected = await inspect({ path, canonicalPath, maxPages: 2_000 })
        if (inspected.verdict === 'refused') continue
        const { proposals } = await findFields({ path: inspected.rewritten ? canonicalPath : path })
        const found = proposals.filter(({ source }) => source !== 'form')
        lines.push(...found.map(({ page, type, label }) => `${name} ${page} ${type} ${label}`))
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(lines).toEqual(["160F-2019.pdf 1 signature signature de l'employeur"])
  }, 60_000)
})
