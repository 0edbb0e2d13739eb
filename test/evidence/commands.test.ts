/** The commands of the evidence pack, run on a sealed file. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../../src/evidence/prepare.ts'
import { formatCheckCommands } from '../../src/evidence/trail-commands.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { certificatePem } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { makePdf } from '../support/make-pdf.ts'
import { PROGRAM } from '../support/program.ts'
import { seal } from '../support/seal.ts'
import { type TestAuthority, testAuthority } from '../support/test-pki.ts'
import { inkArea, rasterOf, textOf } from './pdf-programs.ts'
import { evidenceOf, plainPng } from './sample.ts'

const NEEDED = ['pdfsig', 'openssl', 'pdftotext', 'xxd', 'sha256sum', 'pdftoppm']
const missing = NEEDED.filter(program => Bun.which(program) === null)
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const folder = useFolder()
let authority: TestAuthority
let older: TestAuthority
let original: Buffer
beforeAll(async () => {
  authority = await testAuthority('ec-p256', { now: new Date() })
  older = await testAuthority('ec-p256', { now: new Date() })
  // The original and the title contain the text that the commands search for, to mislead them.
  original = Buffer.concat([makePdf(), Buffer.from('%/ByteRange [0 1 2 3]\n')])
})

interface Sealed {
  path: string
  commands: string[]
  text: string
}

async function sealed(): Promise<Sealed> {
  const home = mkdtempSync(join(folder, 'sealed-'))
  const sourcePath = join(home, 'source.pdf')
  const outPath = join(home, 'FILE.pdf')
  writeFileSync(sourcePath, original)
  const logo = { path: join(home, 'logo.png') }
  writeFileSync(logo.path, plainPng(64, 16, [200, 30, 30, 128]))
  const sample = evidenceOf({ logo })
  const document = {
    ...sample.document,
    title: 'Contract /ByteRange [0 4 5 6]',
    originalByteLength: original.length,
    originalSha256: sha256Hex(original),
  }
  const sealCertificate = { ...sample.sealCertificate, sha256: sha256Hex(authority.leaf.certificateDer) }
  const signature = {
    name: 'Example Ltd',
    reason: document.title,
    location: undefined,
    at: new Date().toISOString(),
    contentsBytes: 8192,
  }
  const prepared = await prepare(
    {
      sourcePath,
      outPath,
      fields: [],
      evidence: { ...sample, document, sealCertificate },
      signature,
    },
    THIS_MACHINE,
  )
  await seal({ prepared, key: authority.key })
  const text = await textOf(readFileSync(outPath), '-raw')
  return { path: home, commands: Object.values(formatCheckCommands(original.length)).flat(), text }
}

/** As published: the seal's certificate, then an older one. */
const published = () => [authority.leaf, older.leaf].map(({ certificateDer }) => certificatePem(certificateDer)).join('')

/** Runs in a folder with only the sealed file and the certificates. `signet` is this program. */
function run(home: string, script: string, shell = 'sh', pem = published()) {
  const tools = join(home, 'tools')
  mkdirSync(tools, { recursive: true })
  writeFileSync(join(tools, 'signet'), `#!/bin/sh\nexec ${PROGRAM.map(part => `"${part}"`).join(' ')} "$@"\n`, { mode: 0o755 })
  writeFileSync(join(home, 'seal.pem'), pem)
  const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`, HOME: home }
  const done = Bun.spawnSync([shell, '-c', script], { cwd: home, env, stdout: 'pipe', stderr: 'pipe' })
  return { code: done.exitCode, out: `${done.stdout}${done.stderr}` }
}

describe.skipIf(missing.length > 0)('the commands', () => {
  let file: Sealed
  const fromSet = () => file.commands.slice(file.commands.findIndex(line => line.startsWith('set --'))).join('\n')
  const only = (start: string) => file.commands.find(line => line.startsWith(start)) ?? 'false'
  beforeAll(async () => {
    file = await sealed()
  })

  test('with this program is the one that the page names', () => {
    expect(file.text).toContain(only('signet verify'))
    expect(file.text).toContain(sha256Hex(original))
  })

  test.each(['sh', 'bash'])('verify the seal with OpenSSL only in %s, and print the certificate on the page', shell => {
    const { code, out } = run(file.path, fromSet(), shell)
    expect(out).toContain('CMS Verification successful')
    expect(out).toContain(`${sha256Hex(authority.leaf.certificateDer)}  -`)
    expect(file.text).toContain(sha256Hex(authority.leaf.certificateDer))
    expect(code).toBe(0)
  })

  test('verify the seal without xxd as the pack says', () => {
    const { code, out } = run(file.path, fromSet().replace('xxd -r -p', 'tr a-f A-F | basenc --base16 -d'))
    expect(out).toContain('CMS Verification successful')
    expect(code).toBe(0)
  })

  test('print the fingerprint of every certificate, including the seal’s, and nothing else', () => {
    const { code, out } = run(file.path, only('awk'))
    const all = [authority.leaf, older.leaf].map(one => `${sha256Hex(one.certificateDer)}  -\n`)
    expect({ code, out }).toEqual({ code: 0, out: all.join('') })
  })

  test('verify the seal with its certificate only, and not with another certificate', () => {
    const pem = (...of: Uint8Array[]) => of.map(certificatePem).join('')
    expect(run(file.path, fromSet(), 'sh', pem(authority.leaf.certificateDer)).out).toContain('CMS Verification successful')
    const others = pem(older.leaf.certificateDer)
    expect(run(file.path, fromSet(), 'sh', others).out).toContain('CMS Verification failure')
  })

  test('verify the file with Poppler and with this program', () => {
    const poppler = run(file.path, only('pdfsig')).out
    expect(poppler).toContain('Signature is Valid')
    expect(poppler).toContain('Total document signed')
    const own = run(file.path, only('signet verify'))
    expect(own.out).toStartWith('VALID: ')
    expect(own.code).toBe(0)
  }, 20_000)

  test('are in a file whose pages show the logo and the QR code', async () => {
    const bytes = readFileSync(join(file.path, 'FILE.pdf'))
    const raster = await rasterOf(bytes, 2, 72)
    const logo = inkArea(raster, { left: 50, top: 50, right: 300, bottom: 100 })!
    // Poppler enlarges an image to whole pixels.
    for (const [edge, at] of [
      [logo.left, 56],
      [logo.top, 56],
      [logo.right, 216],
      [logo.bottom, 96],
    ] as const) {
      expect(Math.abs(edge - at)).toBeLessThanOrEqual(1)
    }
    // Red 200, green 30, blue 30, half of it over white: a grey in the middle.
    const grey = raster.grey[76 * raster.width + 100]!
    expect(grey).toBeGreaterThan(140)
    expect(grey).toBeLessThan(190)
    expect(inkArea(raster, { left: 460, top: 56, right: 540, bottom: 134 })).toBeDefined()
  })

  test('find the seal even if an object with a ByteRange is added later', async () => {
    const later = mkdtempSync(join(folder, 'later-'))
    copyFileSync(join(file.path, 'FILE.pdf'), join(later, 'FILE.pdf'))
    appendFileSync(join(later, 'FILE.pdf'), '9 0 obj\n<< /ByteRange [0 7 8 9] /Contents <00> >>\nendobj\n')
    const { code, out } = run(later, fromSet())
    expect(out).toContain('CMS Verification successful')
    expect(code).toBe(0)
  })

  test('refuse a file in which one byte was changed', () => {
    const changed = mkdtempSync(join(folder, 'changed-'))
    const bytes = readFileSync(join(file.path, 'FILE.pdf'))
    bytes[original.length - 5]! ^= 1
    writeFileSync(join(changed, 'FILE.pdf'), bytes)
    const { out } = run(changed, fromSet())
    expect(out).toContain('CMS Verification failure')
    expect(out).not.toContain('successful')
  })
})
