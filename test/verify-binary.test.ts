/** Algorithms of other products in the executable, which has its own crypto library. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { derNull, oid, sequence } from '../src/pki/der.ts'
import { demandBinary, emptyFolder, run } from './support/executable.ts'
import { sharedAuthority } from './support/test-pki.ts'
import { encrypted, KINDS, signedBehind } from './verify/encrypted-fixture.ts'
import {
  cmsByOpenssl,
  type ForeignSigner,
  foreignSigner,
  handmadeCms,
  inBer,
  removeForeignSigners,
  signatureByOpenssl,
} from './verify/foreign-signer.ts'
import { plainPdf, sealTiny } from './verify/tiny-pdf.ts'
import { hasOpenssl, hasQpdf } from './verify/tools.ts'

beforeAll(demandBinary)
const folder = emptyFolder()
afterAll(() => folder.remove())

afterAll(removeForeignSigners)

const RSA = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]
const PSS = ['-md', 'sha256', '-keyopt', 'rsa_padding_mode:pss']

type Make = (signer: ForeignSigner, signed: Uint8Array) => Uint8Array
const openssl =
  (...options: string[]): Make =>
  (signer, signed) =>
    cmsByOpenssl(signer, signed, ...options)
const byHand =
  (signature: Uint8Array, digest = '2.16.840.1.101.3.4.2.3', hash = 'sha512', ...options: string[]): Make =>
  (signer, signed) =>
    handmadeCms({
      signed,
      signer,
      digestAlgorithm: sequence(oid(digest)),
      hash,
      signatureAlgorithm: signature,
      sign: data => signatureByOpenssl(signer, data, ...options),
    })

const CASES: [string, string[], Make][] = [
  ['RSA with SHA-256', RSA, openssl('-md', 'sha256')],
  ['RSA with SHA3-512', RSA, openssl('-md', 'sha3-512')],
  ['RSASSA-PSS', RSA, openssl(...PSS)],
  ['RSASSA-PSS with MGF1 by SHA-1', RSA, openssl(...PSS, '-keyopt', 'rsa_mgf1_md:sha1')],
  ['BER', RSA, (signer, signed) => inBer(cmsByOpenssl(signer, signed, '-md', 'sha256'))],
  ['P-521', ec('P-521'), openssl('-md', 'sha512')],
  ['brainpoolP256r1', ec('brainpoolP256r1'), openssl('-md', 'sha256')],
  ['brainpoolP512r1', ec('brainpoolP512r1'), openssl('-md', 'sha512')],
  ['Ed25519', ['-algorithm', 'ed25519'], byHand(sequence(oid('1.3.101.112')))],
  ['Ed448 with SHAKE256', ['-algorithm', 'ed448'], byHand(sequence(oid('1.3.101.113')), '2.16.840.1.101.3.4.2.12', 'shake256')],
  [
    'ECDSA with SHA3-256',
    ec('P-256'),
    byHand(sequence(oid('2.16.840.1.101.3.4.3.10')), '2.16.840.1.101.3.4.2.8', 'sha3-256', '-digest', 'sha3-256'),
  ],
  [
    'RSA by its identifier with a hash',
    RSA,
    byHand(sequence(oid('1.2.840.113549.1.1.13'), derNull()), undefined, undefined, '-digest', 'sha512'),
  ],
]

describe.skipIf(!hasOpenssl)('the executable (needs openssl)', () => {
  test.each(CASES)('accepts a signature by %s and refuses a changed document', async (_, key, make) => {
    const signer = foreignSigner(key)
    const { key: ours } = await sharedAuthority()
    const bytes = await sealTiny({
      base: await plainPdf(),
      key: ours,
      subFilter: 'adbe.pkcs7.detached',
      contentsBytes: 20_000,
      cms: async (_digest, signed) => make(signer, signed),
    })
    const path = join(folder.path, 'signed.pdf')
    writeFileSync(path, bytes)
    expect(run(folder.path, ['verify', path, '--trust', signer.pem.replace('signer.pem', 'certificate.pem')])).toMatchObject({
      code: 0,
    })
    bytes.write('Fabrika', bytes.indexOf('Contoso'), 'latin1')
    writeFileSync(path, bytes)
    expect(run(folder.path, ['verify', path, '--trust', signer.pem.replace('signer.pem', 'certificate.pem')])).toMatchObject({
      code: 1,
    })
  })
})

test.skipIf(!hasQpdf).each(KINDS)(
  'the executable reads a file that is encrypted by %s (needs qpdf)',
  async (_, options, cipher) => {
    const { rootPem } = await sharedAuthority()
    const path = join(folder.path, 'encrypted.pdf')
    writeFileSync(join(folder.path, 'root.pem'), rootPem)
    writeFileSync(path, await signedBehind(encrypted(await plainPdf(), options), cipher))
    const { code, out } = run(folder.path, ['verify', path, '--trust', 'root.pem'])
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringContaining('VALID')])
  },
)
