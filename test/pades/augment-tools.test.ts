/**
 * Augmented files, checked by qpdf, poppler, mupdf and openssl. The tests with real files need the
 * folder `../shared/corpus`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { prepareTimestamp } from '../../src/pades/augment.ts'
import { fill } from '../../src/pades/cms.ts'
import { inspect } from '../../src/pdf/inspect/inspect.ts'
import { certificatesOfPem } from '../../src/pki/x509.ts'
import { material, opened, SOURCES, startsWith, store, workshop } from '../support/archived.ts'
import { useFolder } from '../support/folders.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { openTestAuthority, stampBy, type TestAuthority } from '../support/tsa.ts'
import { hasOpenssl, hasPdfsig, hasQpdf, pdfsig, run } from '../verify/tools.ts'

const corpus = join(import.meta.dir, '../../../shared/corpus')
const hasTools = hasOpenssl && hasPdfsig && hasQpdf && Bun.which('mutool') !== null && Bun.which('pdfinfo') !== null

const folder = useFolder()
let authority: TestAuthority
beforeAll(() => {
  if (hasOpenssl) authority = openTestAuthority()
})
afterAll(() => authority?.close())

const { fresh, sealedFile, withMaterial } = workshop(() => folder)

async function withTimestamp(sourcePath: string): Promise<string> {
  const prepared = await prepareTimestamp({ sourcePath, outPath: fresh(), contentsBytes: 16_384 }, THIS_MACHINE)
  const { token } = await stampBy(authority, Buffer.from(prepared.digest, 'hex'))
  await fill(THIS_MACHINE.fileSystem, { prepared, contents: token })
  return prepared.path
}

/** DER of the signer and its root. */
const authorityCertificates = () =>
  ['tsa', 'root'].flatMap(name => certificatesOfPem(readFileSync(join(authority.folder, `${name}.pem`), 'utf8')))

/** The output of `openssl ts -verify` for a token over these bytes. */
function verifiedByOpenssl(token: Uint8Array, bytes: Uint8Array): string {
  writeFileSync(join(folder, 'token.der'), token)
  writeFileSync(join(folder, 'signed.bin'), bytes)
  const args = ['-data', 'signed.bin', '-in', 'token.der', '-token_in', '-CAfile', join(authority.folder, 'root.pem')]
  return run(['env', '-C', folder, 'openssl', 'ts', '-verify', ...args]).text
}

/** Seal, validation data, time-stamp, validation data of the time-stamp, next time-stamp. */
async function archived(source: Uint8Array): Promise<string[]> {
  const der = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const { key } = await sharedAuthority()
  const sealed = await sealedFile(source)
  const first = await withMaterial(sealed, { ...material(), certificates: key.chain.map(der) })
  const second = await withTimestamp(first)
  const third = await withMaterial(second, { ...material([], [], ['list']), certificates: authorityCertificates().map(der) })
  return [sealed, first, second, third, await withTimestamp(third)]
}

async function checkWithTools(paths: string[]): Promise<void> {
  const { rootPem } = await sharedAuthority()
  for (const [i, path] of paths.entries()) {
    const below = paths[i - 1]
    if (below !== undefined) expect(startsWith(path, below)).toBe(true)
    // The certificate is not valid yet: only integrity is checked here.
    expect(pdfsig(folder, path, rootPem)).toMatch(/Signature #1:[\s\S]*Signature is Valid/)
    for (const command of [
      ['mutool', 'info', path],
      ['pdfinfo', path],
    ]) {
      const { code, text } = run(command)
      expect([code, /error|warning/i.test(text.replace(/^(Title|Keywords|Subject|Author).*$/gm, ''))]).toEqual([0, false])
    }
  }
}

const checkOf = (path: string) => run(['qpdf', '--check', path]).code

/** The last signature covers the file. Its token is verified over the two ranges. */
function expectTokens(path: string, names: string[]): void {
  const { file, fields } = opened(path)
  const stamps = fields.filter(field => field.name.startsWith('Time-stamp'))
  expect(stamps.map(field => field.name)).toEqual(names)
  for (const { value } of stamps) {
    const [range, contents] = [value.entries.get('ByteRange'), value.entries.get('Contents')]
    if (range?.kind !== 'array' || contents?.kind !== 'string') throw new Error('no signature')
    const [, first = 0, second = 0, length = 0] = range.items.map(item => (item.kind === 'number' ? item.value : 0))
    const signed = Buffer.concat([file.bytes.subarray(0, first), file.bytes.subarray(second, second + length)])
    const { value: der } = contents
    const token = der.subarray(0, 4 + (der[2] ?? 0) * 256 + (der[3] ?? 0))
    expect(verifiedByOpenssl(token, signed)).toContain('Verification: OK')
    expect(verifiedByOpenssl(token, signed.subarray(1))).toContain('FAILED')
  }
}

describe.skipIf(!hasTools)('other tools (qpdf, pdfsig, mutool, pdfinfo, openssl)', () => {
  for (const [what, source] of SOURCES) {
    test(`accept seal, validation data and time-stamps of ${what}`, async () => {
      const paths = await archived(source())
      await checkWithTools(paths)
      for (const path of paths) expect(checkOf(path)).toBe(0)
      const name = what.startsWith('a form') ? ['Time-stamp 2', 'Time-stamp 3'] : ['Time-stamp', 'Time-stamp 2']
      expectTokens(paths.at(-1) ?? '', name)
      expect(store(paths.at(-2) ?? '').names).toHaveLength(2)
    })
  }
})

const REAL = [
  '160F-2019.pdf',
  'annotation-button-widget.pdf',
  'form_two_pages.pdf',
  'hello_world_rotated.pdf',
  'issue2462.pdf',
  'issue9418.pdf',
  'rotation.pdf',
  'tracemonkey.pdf',
]
const present = existsSync(corpus) ? readdirSync(corpus) : []

describe.skipIf(!hasTools)('real files (../shared/corpus)', () => {
  for (const name of REAL) {
    test.skipIf(!present.includes(name))(
      `${name} is archived: qpdf finds nothing new, every tool opens it`,
      async () => {
        const path = join(corpus, name)
        const canonicalPath = fresh()
        const inspected = await inspect({ path, canonicalPath, maxPages: 2000 })
        expect(inspected.verdict).toBe('accepted')
        const source = inspected.verdict === 'accepted' && inspected.rewritten ? canonicalPath : path
        const paths = await archived(readFileSync(source))
        await checkWithTools(paths)
        for (const one of paths) expect([0, checkOf(source)]).toContain(checkOf(one))
        expectTokens(paths.at(-1) ?? '', ['Time-stamp', 'Time-stamp 2'])
      },
      60_000,
    )
  }
})
