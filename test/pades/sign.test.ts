import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { rangesOf } from '../../src/pades/byte-range.ts'
import { fill, sign } from '../../src/pades/cms.ts'
import { ByteRangeError, newPlaceholder, writeByteRange } from '../../src/pades/placeholder.ts'
import type { PreparedFile } from '../../src/pades/revision-file.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import type { KeyType } from '../../src/pki/key.ts'
import { useFolder } from '../support/folders.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority, testAuthority } from '../support/test-pki.ts'
import { verifyFile } from '../support/written-report.ts'
import { plainPdf, tinyWithGap } from '../verify/tiny-pdf.ts'
import { hasOpenssl, hasPdfsig, hasQpdf, opensslVerifies, pdfsig, run } from '../verify/tools.ts'

const folder = useFolder()

let count = 0
async function prepared(contentsBytes = 8192): Promise<PreparedFile & { before: Buffer<ArrayBuffer> }> {
  const placeholder = newPlaceholder(contentsBytes, THIS_MACHINE.random)
  const bytes = tinyWithGap({ base: await plainPdf(), placeholder })
  const byteRange = writeByteRange(bytes, placeholder)
  const path = join(folder, `prepared-${++count}.pdf`)
  writeFileSync(path, bytes)
  const digest = Buffer.from(digestOf('sha256', ...rangesOf(bytes, byteRange))).toString('hex')
  return { path, byteRange, sourceSha256: '', digest, pageCount: 1, before: Buffer.from(bytes) }
}

test.each<KeyType>(['rsa-3072', 'ec-p256'])('a seal by %s is valid, and changes only /Contents', async keyType => {
  const authority = await sharedAuthority(keyType)
  const order = await prepared()
  const inode = statSync(order.path).ino
  expect(await seal({ prepared: order, key: authority.key })).toEqual({ path: order.path })
  const after = readFileSync(order.path)
  const [, first, second] = order.byteRange
  expect(statSync(order.path).ino).toBe(inode)
  expect(after.subarray(0, first)).toEqual(order.before.subarray(0, first))
  expect(after.subarray(second)).toEqual(order.before.subarray(second))
  expect(after.toString('latin1', first, second)).toMatch(/^<3082[0-9a-f]+0{100,}>$/)
  const report = await verifyFile({ path: order.path, trust: [authority.rootPem], originalPath: undefined })
  expect(report).toMatchObject({ verdict: 'valid', reasons: [], pageCount: 1, revisions: 2, bytes: after.length })
})

test('a seal in another file does not change the prepared file', async () => {
  const { key } = await sharedAuthority()
  const order = await prepared()
  const outPath = join(folder, 'sealed.pdf')
  expect(await seal({ prepared: order, key, outPath })).toEqual({ path: outPath })
  expect(readFileSync(order.path)).toEqual(order.before)
  expect(readFileSync(outPath)).toHaveLength(order.before.length)
  expect(readFileSync(outPath)).not.toEqual(order.before)
})

test('after a crash between or after signing and writing, writing again gives the sealed file', async () => {
  const { key } = await sharedAuthority()
  const order = await prepared()
  const signed = await sign(order, key)
  expect(Object.isFrozen(signed)).toBeTrue()
  expect(readFileSync(order.path)).toEqual(order.before)
  await fill(THIS_FILE_SYSTEM, signed)
  const once = readFileSync(order.path)
  await fill(THIS_FILE_SYSTEM, signed)
  expect(readFileSync(order.path)).toEqual(once)
})

test('a CMS that does not fit is an error and changes nothing', async () => {
  const { key } = await sharedAuthority()
  const order = await prepared(500)
  await expect(seal({ prepared: order, key })).rejects.toThrow(ByteRangeError)
  expect(readFileSync(order.path)).toEqual(order.before)
})

test('a key that fails leaves no file behind', async () => {
  const { key } = await sharedAuthority()
  const order = await prepared()
  const outPath = join(folder, 'never.pdf')
  const broken = { ...key, sign: () => Promise.reject(new Error('the card was pulled')) }
  await expect(seal({ prepared: order, key: broken, outPath })).rejects.toThrow('the card was pulled')
  expect(existsSync(outPath)).toBeFalse()
  expect(readFileSync(order.path)).toEqual(order.before)
})

test.skipIf(!hasOpenssl || !hasPdfsig || !hasQpdf).each<KeyType>(['rsa-3072', 'ec-p256'])(
  'openssl, pdfsig and qpdf accept a seal by %s (needs openssl, pdfsig, certutil, qpdf)',
  async keyType => {
    const { key, rootPem } = await testAuthority(keyType, { now: new Date(), organisation: 'Ωμέγα & Söhne' })
    const order = await prepared()
    await seal({ prepared: order, key })
    const bytes = readFileSync(order.path)
    const [, first, second] = order.byteRange
    const cms = Buffer.from(bytes.toString('latin1', first + 1, second - 1), 'hex')
    const signed = Buffer.concat([bytes.subarray(0, first), bytes.subarray(second)])
    expect(opensslVerifies(folder, cms, signed, rootPem)).toContain('CMS Verification successful')
    const verdict = pdfsig(folder, order.path, rootPem)
    expect(verdict).toContain('Signature is Valid')
    expect(verdict).toContain('Total document signed')
    expect(verdict).toContain('Certificate is Trusted')
    expect(verdict).toContain('ETSI.CAdES.detached')
    expect(run(['qpdf', '--check', order.path])).toMatchObject({ code: 0 })
  },
)
