import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OwnTask, runTask } from '../../src/sandbox/main.ts'
import { temporaryFolder } from '../support/folders.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, fieldOn, SIGNATURE } from '../support/prepare-request.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { plainPdf, sealTiny } from '../verify/tiny-pdf.ts'

/** Counts up from a number. */
function counting(from: number) {
  let next = from
  return (bytes: number) => Uint8Array.from({ length: bytes }, () => next++ % 256)
}

test('with equal random bytes a task writes equal files, with others another file', async () => {
  const folder = temporaryFolder()
  const [plain, sealed] = [join(folder, 'plain.pdf'), join(folder, 'sealed.pdf')]
  writeFileSync(plain, makePdf())
  writeFileSync(sealed, await sealTiny({ base: await plainPdf(), key: (await sharedAuthority()).key }))
  const material = { certificates: ['MAMCAQE='], ocspResponses: [], revocationLists: [] }
  const tasks: Record<string, (outPath: string) => OwnTask> = {
    prepare: outPath => {
      const request = { sourcePath: plain, outPath, fields: [fieldOn(1)], evidence: EVIDENCE, signature: SIGNATURE }
      return { kind: 'prepare', request }
    },
    addValidationData: outPath => ({ kind: 'addValidationData', request: { sourcePath: sealed, outPath, material } }),
    prepareTimestamp: outPath => ({ kind: 'prepareTimestamp', request: { sourcePath: sealed, outPath, contentsBytes: 9000 } }),
    drawFields: outPath => ({ kind: 'drawFields', request: { sourcePath: plain, outPath, fields: [fieldOn(1)] } }),
  }
  for (const [name, taskFor] of Object.entries(tasks)) {
    const made = async (from: number, number: number) => {
      const path = join(folder, `${name}-${number}.pdf`)
      await runTask(taskFor(path), { random: counting(from) })
      return readFileSync(path)
    }
    const [one, same, other] = [await made(1, 1), await made(1, 2), await made(2, 3)]
    expect({ name, isSame: one.equals(same), isOther: !one.equals(other) }).toEqual({ name, isSame: true, isOther: true })
  }
})
