/** Files encrypted by qpdf, and signatures added with the key that qpdf prints. */
import { createCipheriv, createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedAuthority } from '../support/test-pki.ts'
import { rootOf, sealTiny } from './tiny-pdf.ts'
import { run } from './tools.ts'

export type Cipher = 'RC4' | 'AES'

/** Options of `qpdf --encrypt "" owner`, and the cipher of strings. */
export const KINDS: [string, string[], Cipher][] = [
  ['RC4 with 40 bits', ['40', '--'], 'RC4'],
  ['RC4 with 128 bits', ['128', '--use-aes=n', '--'], 'RC4'],
  ['RC4 with crypt filters, metadata unencrypted', ['128', '--use-aes=n', '--force-V4', '--cleartext-metadata', '--'], 'RC4'],
  ['AES-128', ['128', '--use-aes=y', '--'], 'AES'],
  ['AES-128, metadata unencrypted', ['128', '--use-aes=y', '--cleartext-metadata', '--'], 'AES'],
  ['AES-256 of revision 5', ['256', '--force-R5', '--'], 'AES'],
  ['AES-256', ['256', '--'], 'AES'],
]

export function encrypted(
  bytes: Uint8Array,
  options: readonly string[],
  user = '',
  more: readonly string[] = [],
): { bytes: Buffer; key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'signet-encrypted-'))
  const [plain, out] = [join(folder, 'plain.pdf'), join(folder, 'encrypted.pdf')]
  writeFileSync(plain, bytes)
  const made = run(['qpdf', '--allow-weak-crypto', ...more, '--encrypt', user, 'owner', ...options, plain, out])
  if (made.code !== 0) throw new Error(made.text)
  const shown = run(['qpdf', '--show-encryption', '--show-encryption-key', `--password=${user}`, out]).text
  const whole = readFileSync(out)
  rmSync(folder, { recursive: true })
  return { bytes: whole, key: Buffer.from(/Encryption key = ([0-9a-f]+)/.exec(shown)?.[1] ?? '', 'hex') }
}

/** ISO 32000-2 §7.6.3: the text as an encrypted hexadecimal string of object `number`. */
export function secret(text: string, key: Buffer, cipher: Cipher, number: number): string {
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

/** A file encrypted by qpdf and then signed. */
export async function signedBehind(
  { bytes, key }: { bytes: Buffer; key: Buffer },
  cipher: Cipher,
  change = (dictionary: string) => dictionary,
): Promise<Buffer> {
  const text = bytes.toString('latin1')
  const [encrypt, id] = [/\/Encrypt \d+ 0 R/.exec(text)?.[0], /\/ID \[[^\]]*\]/.exec(text)?.[0]]
  const { key: signer } = await sharedAuthority()
  const { size } = rootOf(bytes)
  return sealTiny({
    base: bytes,
    key: signer,
    trailerEntries: `${encrypt} ${id} `,
    dictionary: words =>
      change(words)
        .replace(`(${SIGNED_AT})`, secret(SIGNED_AT, key, cipher, size + 1))
        .replace('(Contoso)', secret('Contoso', key, cipher, size + 1)),
    objects: objects => {
      for (const [number, words] of objects) objects.set(number, words.replace('(Seal)', secret('Seal', key, cipher, number)))
    },
  })
}
