/** Signed files that are encrypted with an empty user password, made by qpdf. ISO 32000-2 §7.6. */
import { describe, expect, test } from 'bun:test'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import { openDecryption } from '../../src/pdf/parser/decrypt.ts'
import { openPdf } from '../../src/pdf/parser/file.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { readDss } from '../../src/verify/changes/dss.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { encrypted, KINDS, secret, signedBehind } from './encrypted-fixture.ts'
import { plainPdf, rootOf, withRevision } from './tiny-pdf.ts'
import { hasQpdf, run } from './tools.ts'

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
      // Uploads are refused nevertheless.
      expect(() => openForUpdate(bytes)).toThrow('it is encrypted')
    }
  })

  test.each(KINDS)('has the same objects when it is encrypted by %s', async (_, options) => {
    const { bytes } = encrypted(await plainPdf({ pages: 2 }), options, '', ['--object-streams=generate'])
    const file = openPdf(bytes, { decrypts: true })
    for (const [number, entry] of file.crossReference.entries) {
      if (entry.kind !== 'free') file.resolve({ kind: 'reference', number, generation: 0, start: 0, end: 0 })
    }
    const encrypt = file.dictionary(file.crossReference.trailer.entries.get('Encrypt'))
    const undecrypted = openPdf(bytes).dictionary(file.crossReference.trailer.entries.get('Encrypt'))
    expect(encrypt?.entries.get('U')).toEqual(undecrypted?.entries.get('U') as never)
  })

  test.each(KINDS)(
    'may have its security store added behind the signature when it is encrypted by %s',
    async (_, options, cipher) => {
      const base = encrypted(await plainPdf(), options, '', ['--object-streams=generate'])
      // An approval, which allows a DSS to be added.
      const bytes = await signedBehind(base, cipher, text => text.replace(/\/Reference \[.*\] /, ''))
      const { root, catalog } = rootOf(bytes)
      const text = bytes.toString('latin1')
      const [form] = /\/AcroForm << .*? >>/.exec(text) ?? ['']
      const trailer = `${/\/Encrypt \d+ 0 R/.exec(text)?.[0]} ${/\/ID \[[^\]]*\]/.exec(text)?.[0]} `
      const perms = /\/Perms << .*? >>/.exec(text)?.[0] ?? ''
      const added = withRevision(bytes, new Map([[root, `${catalog} ${form} ${perms} /DSS << /Certs [] >> >>`]]), trailer)
      expect(await verdictOf(added)).toMatchObject({ verdict: 'valid', signatures: [{ coversWholeFile: false }] })
    },
  )

  test.each(KINDS)('gives its DSS when it is encrypted by %s', async (_, options) => {
    const { root } = await sharedAuthority()
    const certificate = Buffer.from(root.certificateDer).toString('latin1')
    const plain = await plainPdf()
    const { root: catalog, size, catalog: words } = rootOf(plain)
    const store = new Map([
      [catalog, `${words} /DSS << /Certs [${size} 0 R] >> >>`],
      [size, `<< /Length ${root.certificateDer.length} >>\nstream\n${certificate}\nendstream`],
    ])
    const { bytes } = encrypted(withRevision(plain, store), options)
    const [found] = readDss(openPdf(bytes, { decrypts: true })).certificates
    expect(Buffer.from(found ?? [])).toEqual(Buffer.from(root.certificateDer))
    expect(Buffer.from(readDss(openPdf(bytes)).certificates[0] ?? [])).not.toEqual(Buffer.from(root.certificateDer))
  })

  test('is not valid with a different encryption dictionary, even one that is the document information too', async () => {
    const base = encrypted(await plainPdf(), ['128', '--use-aes=y', '--'])
    const bytes = await signedBehind(base, 'AES', text => text.replace(/\/Reference \[.*\] /, ''))
    const text = bytes.toString('latin1')
    const number = Number(/\/Encrypt (\d+) 0 R/.exec(text)?.[1])
    const body = new RegExp(`\\n${number} 0 obj\\n([\\s\\S]*?)\\nendobj`).exec(text)?.[1] ?? ''
    expect(body).toContain('/StmF /StdCF')
    const open = body.replace('/StmF /StdCF', '/StmF /Identity')
    for (const information of ['', `/Info ${number} 0 R `]) {
      const trailer = `/Encrypt ${number} 0 R ${/\/ID \[[^\]]*\]/.exec(text)?.[0]} ${information}`
      const changed = withRevision(bytes, new Map([[number, open]]), trailer)
      const report = await verdictOf(changed)
      expect(report).toMatchObject({ verdict: 'not-valid' })
      expect(JSON.stringify(report)).toContain('the trailer names a different encryption')
    }
  })

  test('may leave its streams or its strings unencrypted (Identity)', async () => {
    const { bytes, key } = encrypted(await plainPdf(), ['256', '--'])
    const file = openPdf(bytes)
    const found = file.dictionary(file.crossReference.trailer.entries.get('Encrypt'))
    if (found === undefined) throw new Error('not encrypted')
    const identity = { kind: 'name', value: 'Identity', start: 0, end: 0 } as const
    const opened = (name: string) =>
      openDecryption({ ...found, entries: new Map([...found.entries, [name, identity]]) }, new Uint8Array())
    const hidden = Buffer.from(secret('text', key, 'AES', 5).slice(1, -1), 'hex')
    const text = (name: string) => opened(name).value({ kind: 'string', value: hidden, hex: true, start: 0, end: 0 }, 5, 0)
    expect(opened('StmF').stream(hidden, 5, 0)).toBe(hidden)
    expect(text('StmF')).toMatchObject({ value: Buffer.from('text') })
    expect(Buffer.from(opened('StrF').stream(hidden, 5, 0)).toString()).toBe('text')
    expect(text('StrF')).toMatchObject({ value: hidden })
  })

  test.each(KINDS)('cannot be read when %s asks for a password', async (_, options) => {
    const { bytes } = encrypted(await plainPdf(), options, 'secret')
    expect(await verdictOf(bytes)).toEqual({ verdict: 'unreadable', reason: 'it is encrypted with a password' })
  })

  test.each([
    ['another security handler', '/Filter /Standard', '/Filter /Fabrikam', 'not the standard security handler'],
    ['an unknown version', '/V 5', '/V 3', 'version 3, revision 6'],
    ['a cipher of another version', '/CFM /AESV3', '/CFM /AESV2', 'a cipher of another version'],
    ['a missing crypt filter', '/StmF /StdCF', '/StmF /StdXX', 'crypt filter StdXX'],
    ['a damaged key', '/UE <', '/XX <', 'no valid /UE'],
  ])('cannot be read with %s', async (_, before, after, reason) => {
    const { bytes } = encrypted(await plainPdf(), ['256', '--'])
    const text = bytes.toString('latin1')
    expect(text).toContain(before)
    const report = await verdictOf(Buffer.from(text.replace(before, after), 'latin1'))
    expect(report).toMatchObject({ verdict: 'unreadable', reason: expect.stringContaining(reason) })
  })
})
