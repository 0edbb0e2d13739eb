/** Signed files that are encrypted with an empty user password, made by qpdf; what is written behind them is encrypted with the key that qpdf names. */
import { afterAll, describe, expect, test } from 'bun:test'
import { createCipheriv, createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPdf } from '../../src/pdf/file.ts'
import { openReadable } from '../../src/pdf/readable.ts'
import { readCertificate } from '../../src/seal/certificate.ts'
import { readStore } from '../../src/seal/security-store.ts'
import { verifyBytes } from '../../src/seal/verify.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { hasQpdf, run } from './judges.ts'
import { plainPdf, rootOf, sealTiny, withRevision } from './tiny-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-encrypted-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Cipher = 'RC4' | 'AES'

/** Options of `qpdf --encrypt "" owner`, and the cipher of strings. */
const KINDS: [string, string[], Cipher][] = [
  ['RC4 with 40 bits', ['40', '--'], 'RC4'],
  ['RC4 with 128 bits', ['128', '--use-aes=n', '--'], 'RC4'],
  ['RC4 with crypt filters, the metadata in the open', ['128', '--use-aes=n', '--force-V4', '--cleartext-metadata', '--'], 'RC4'],
  ['AES-128', ['128', '--use-aes=y', '--'], 'AES'],
  ['AES-128, the metadata in the open', ['128', '--use-aes=y', '--cleartext-metadata', '--'], 'AES'],
  ['AES-256 of revision 5', ['256', '--force-R5', '--'], 'AES'],
  ['AES-256', ['256', '--'], 'AES'],
]

function encrypted(
  bytes: Uint8Array,
  options: readonly string[],
  user = '',
  more: readonly string[] = [],
): { bytes: Buffer; key: Buffer } {
  const [plain, out] = [join(folder, 'plain.pdf'), join(folder, 'encrypted.pdf')]
  writeFileSync(plain, bytes)
  const made = run(['qpdf', '--allow-weak-crypto', ...more, '--encrypt', user, 'owner', ...options, plain, out])
  if (made.code !== 0) throw new Error(made.text)
  const shown = run(['qpdf', '--show-encryption', '--show-encryption-key', `--password=${user}`, out]).text
  return { bytes: readFileSync(out), key: Buffer.from(/Encryption key = ([0-9a-f]+)/.exec(shown)?.[1] ?? '', 'hex') }
}

/** ISO 32000-2 §7.6.3: the text as an encrypted hexadecimal string of object `number`. */
function secret(text: string, key: Buffer, cipher: Cipher, number: number): string {
  const suffix = Buffer.from([number & 0xff, number >> 8, 0, 0, 0])
  const salt = Buffer.from(cipher === 'AES' ? 'sAlT' : '', 'latin1')
  const short = createHash('md5')
    .update(key)
    .update(suffix)
    .update(salt)
    .digest()
    .subarray(0, Math.min(16, key.length + 5))
  const own = key.length === 32 ? key : short
  if (cipher === 'RC4') return `<${createCipheriv('rc4', own, null).update(text, 'latin1', 'hex')}>`
  const iv = Buffer.alloc(16, 7)
  const running = createCipheriv(`aes-${own.length * 8}-cbc`, own, iv)
  return `<${Buffer.concat([iv, running.update(text, 'latin1'), running.final()]).toString('hex')}>`
}

const SIGNED_AT = 'D:20310304050607Z'

/** A file by qpdf, signed in a revision behind its encryption. */
async function signedBehind({ bytes, key }: { bytes: Buffer; key: Buffer }, cipher: Cipher): Promise<Buffer> {
  const text = bytes.toString('latin1')
  const [encrypt, id] = [/\/Encrypt \d+ 0 R/.exec(text)?.[0], /\/ID \[[^\]]*\]/.exec(text)?.[0]]
  const { key: signer } = await sharedAuthority()
  const { size } = rootOf(bytes)
  return sealTiny({
    base: bytes,
    key: signer,
    trailerEntries: `${encrypt} ${id} `,
    dictionary: words =>
      words
        .replace(`(${SIGNED_AT})`, secret(SIGNED_AT, key, cipher, size + 1))
        .replace('(Contoso)', secret('Contoso', key, cipher, size + 1)),
    objects: objects => {
      for (const [number, words] of objects) objects.set(number, words.replace('(Seal)', secret('Seal', key, cipher, number)))
    },
  })
}

async function verdictOf(bytes: Uint8Array) {
  const { root } = await sharedAuthority()
  return verifyBytes(bytes, [readCertificate(root.certificateDer)])
}

describe.skipIf(!hasQpdf)('a file that opens without a password (needs qpdf)', () => {
  test.each(KINDS)('is verified when it is encrypted by %s', async (_, options, cipher) => {
    for (const form of ['--object-streams=disable', '--object-streams=generate']) {
      const bytes = await signedBehind(encrypted(await plainPdf({ pages: 2 }), options, '', [form]), cipher)
      expect(run(['qpdf', '--check', '-'], bytes).text).not.toContain('damaged')
      const report = await verdictOf(bytes)
      expect(report).toMatchObject({
        verdict: 'valid',
        pageCount: 2,
        signatures: [{ field: 'Seal', integrity: 'intact', time: { claimedAt: '2031-03-04T05:06:07.000Z' } }],
      })
      const changed = Buffer.from(bytes)
      changed.write('PPKLits', changed.lastIndexOf('PPKLite'), 'latin1')
      expect((await verdictOf(changed)).verdict).toBe('not-valid')
      // Uploads are refused all the same.
      expect(() => openReadable(bytes)).toThrow('it is encrypted')
    }
  })

  test.each(KINDS)('gives its security store when it is encrypted by %s', async (_, options) => {
    const { root } = await sharedAuthority()
    const certificate = Buffer.from(root.certificateDer).toString('latin1')
    const plain = await plainPdf()
    const { root: catalog, size, catalog: words } = rootOf(plain)
    const store = new Map([
      [catalog, `${words} /DSS << /Certs [${size} 0 R] >> >>`],
      [size, `<< /Length ${root.certificateDer.length} >>\nstream\n${certificate}\nendstream`],
    ])
    const { bytes } = encrypted(withRevision(plain, store), options)
    const [found] = readStore(openPdf(bytes, { decrypts: true })).certificates
    expect(Buffer.from(found ?? [])).toEqual(Buffer.from(root.certificateDer))
    expect(Buffer.from(readStore(openPdf(bytes)).certificates[0] ?? [])).not.toEqual(Buffer.from(root.certificateDer))
  })

  test.each(KINDS)('cannot be read when %s asks for a password', async (_, options) => {
    const { bytes } = encrypted(await plainPdf(), options, 'secret')
    expect(await verdictOf(bytes)).toEqual({ verdict: 'unreadable', reason: 'it is encrypted with a password' })
  })

  test.each([
    ['another security handler', '/Filter /Standard', '/Filter /Fabrikam', 'not the standard security handler'],
    ['a version that is not known', '/V 5', '/V 3', 'version 3, revision 6'],
    ['a cipher of another version', '/CFM /AESV3', '/CFM /AESV2', 'a cipher of another version'],
    ['a crypt filter that is not there', '/StmF /StdCF', '/StmF /StdXX', 'crypt filter StdXX'],
    ['a damaged key', '/UE <', '/XX <', 'no valid /UE'],
  ])('cannot be read with %s', async (_, before, after, reason) => {
    const { bytes } = encrypted(await plainPdf(), ['256', '--'])
    const text = bytes.toString('latin1')
    expect(text).toContain(before)
    const report = await verdictOf(Buffer.from(text.replace(before, after), 'latin1'))
    expect(report).toMatchObject({ verdict: 'unreadable', reason: expect.stringContaining(reason) })
  })
})
