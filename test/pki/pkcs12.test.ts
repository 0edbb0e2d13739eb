/** PKCS#12 files of other programs, old and new, and one sentence for each problem. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { berToDer } from '../../src/pki/ber.ts'
import { DerError, der, octetString, oid, readDer, sequence, smallInteger } from '../../src/pki/der.ts'
import { SealKeyError } from '../../src/pki/issue.ts'
import { localKey } from '../../src/pki/key.ts'
import { readPkcs12 } from '../../src/pki/pkcs12.ts'
import { pkcs12Kdf } from '../../src/pki/pkcs12-decrypt.ts'
import { certificatesOfPem, commonName, readCertificate } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { sealWithSignpdf } from '../support/signpdf.ts'
import { verifyFile } from '../support/written-report.ts'
import { hasOpenssl, hasPdfsig, pdfsig, run } from '../verify/tools.ts'

const folder = useFolder()

const at = (name: string) => join(folder, name)

function openssl(...args: string[]): void {
  const { code, text } = run(['openssl', ...args])
  if (code !== 0) throw new Error(`openssl ${args.join(' ')}: ${text}`)
}

const KINDS: Record<string, string[]> = {
  rsa: ['-newkey', 'rsa:3072'],
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  short: ['-newkey', 'rsa:2048'],
  koblitz: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
}

const USAGE: Record<string, string> = {
  ca: 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n',
  sign: 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation\n',
  encrypt: 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyEncipherment\n',
  tls: 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n',
}

/** Issues a certificate under `issuer`, which is `name` for a root. */
function issue(name: string, kind: string, usage: string, issuer: string, days = ['-days', '90']): void {
  openssl(
    'req',
    '-new',
    ...(KINDS[kind] ?? []),
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    at(`${name}.key`),
    '-out',
    at(`${name}.csr`),
  )
  writeFileSync(at(`${name}.ext`), USAGE[usage] ?? '')
  const signer = issuer === name ? ['-signkey', at(`${name}.key`)] : ['-CA', at(`${issuer}.pem`), '-CAkey', at(`${issuer}.key`)]
  const serial = ['-set_serial', String(1000 + Math.floor(name.length * 7919))]
  openssl(
    'x509',
    '-req',
    '-in',
    at(`${name}.csr`),
    ...signer,
    ...serial,
    ...days,
    '-extfile',
    at(`${name}.ext`),
    '-out',
    at(`${name}.pem`),
  )
}

let made = 0
/** A PKCS#12 file by `openssl pkcs12 -export`. */
function exported(name: string, passphrase: string, options: string[] = [], others: string[] = []): Uint8Array {
  const out = at(`${++made}.p12`)
  const chain = others.length > 0 ? ['-certfile', at('others.pem')] : []
  if (others.length > 0) writeFileSync(at('others.pem'), others.map(one => readFileSync(at(`${one}.pem`), 'latin1')).join(''))
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    at(`${name}.key`),
    '-in',
    at(`${name}.pem`),
    ...chain,
    ...options,
    '-passout',
    `pass:${passphrase}`,
    '-out',
    out,
  )
  return new Uint8Array(readFileSync(out))
}

/** The certificates made here are valid from this second on. */
const now = new Date(Date.now() + 3_600_000)
const openP12 = (file: Uint8Array, passphrase: string, at: Date) => readPkcs12(file, passphrase, at, THIS_MACHINE.timers)

async function errorOf(file: Uint8Array, passphrase = 'test', when = now): Promise<string> {
  try {
    await openP12(file, passphrase, when)
  } catch (error) {
    if (error instanceof SealKeyError) return error.message
    throw error
  }
  throw new Error('the file was accepted')
}

beforeAll(() => {
  if (!hasOpenssl) return
  issue('root', 'ec', 'ca', 'root')
  issue('middle', 'ec', 'ca', 'root')
  issue('stranger', 'ec', 'ca', 'stranger')
  issue('rsa', 'rsa', 'sign', 'middle')
  issue('ec', 'ec', 'sign', 'middle')
})

const FORMS: [string, string[]][] = [
  ['today’s defaults (PBES2, AES-256, SHA-256)', []],
  ['the legacy defaults (RC2-40, 3DES, SHA-1)', ['-legacy']],
  ['RC2-128 and two-key 3DES', ['-legacy', '-keypbe', 'PBE-SHA1-RC2-128', '-certpbe', 'PBE-SHA1-2DES']],
  ['AES-128 and AES-192', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC']],
  ['PBES2 with 3DES', ['-keypbe', 'DES-EDE3-CBC', '-certpbe', 'DES-EDE3-CBC']],
  ['a MAC of SHA-512', ['-macalg', 'sha512']],
  ['a MAC of SHA-384', ['-macalg', 'sha384']],
  ['a MAC of one round', ['-nomaciter']],
  ['no MAC', ['-nomac']],
  ['unencrypted certificates', ['-certpbe', 'NONE']],
  ['an unencrypted key', ['-keypbe', 'NONE']],
]

describe.skipIf(!hasOpenssl).each(['rsa', 'ec'])('a key of %s (needs openssl)', kind => {
  test.each(FORMS)('is read from %s', async (_, options) => {
    const { leaf, issuers } = await openP12(exported(kind, 'test', options), 'test', now)
    expect(commonName(readCertificate(leaf.certificateDer).subject)).toBe(kind)
    expect(issuers).toEqual([])
    expect(localKey({ leaf, issuers }, THIS_MACHINE.threads).algorithm).toBe(kind === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256')
  })

  test.each(FORMS.filter(([what]) => what !== 'an unencrypted key'))(
    'is not read from %s with a wrong pass-phrase',
    async (_, options) => {
      const file = exported(kind, 'test', options)
      for (const wrong of ['tset', '', 'test ', 'TEST']) expect(await errorOf(file, wrong)).toContain('pass-phrase is wrong')
    },
  )

  test('seals a page that pdfsig and Signet accept (needs pdfsig)', async () => {
    const imported = await openP12(exported(kind, 'test', ['-legacy'], ['root', 'middle']), 'test', now)
    const path = at(`${kind}.pdf`)
    await sealWithSignpdf(localKey(imported, THIS_MACHINE.threads), path)
    const root = readFileSync(at('root.pem'), 'latin1')
    const report = await verifyFile({ path, trust: [root], originalPath: undefined })
    expect(report).toMatchObject({ verdict: 'valid', reasons: [] })
    if (!hasPdfsig) return
    const said = pdfsig(folder, path, root)
    expect(said).toContain('Signature is Valid.')
    expect(said).toContain('Certificate is Trusted.')
  })
})

describe.skipIf(!hasOpenssl)('pass-phrases (needs openssl)', () => {
  test.each(['', 'ä ß €', '株式会社', 'пароль', '🔑 key', 'a"b\\c\'d', 'x'.repeat(200)])(
    '%j decrypts old and new files',
    async passphrase => {
      for (const options of [[], ['-legacy'], ['-nomac']]) {
        const file = exported('ec', passphrase, options)
        expect((await openP12(file, passphrase, now)).issuers).toEqual([])
        expect(await errorOf(file, `${passphrase}x`)).toContain('pass-phrase is wrong')
      }
    },
  )
})

/** An unencrypted file with a MAC under these octets instead of the standard's encoding. */
async function guardedBy(bmp: Uint8Array, rounds = smallInteger(3)): Promise<Uint8Array> {
  const [version, authSafe] = readDer(exported('ec', 'test', ['-nomac', '-keypbe', 'NONE', '-certpbe', 'NONE'])).children
  const content = authSafe?.children[1]?.children[0]?.contents ?? new Uint8Array()
  const salt = Buffer.alloc(8, 5)
  const key = await pkcs12Kdf({ hash: 'sha256', bmp, salt, iterations: 3, timers: THIS_MACHINE.timers }, 'mac', 32)
  const digest = octetString(createHmac('sha256', key).update(content).digest())
  const mac = sequence(sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), digest), octetString(salt), rounds)
  return sequence(version?.encoded ?? new Uint8Array(), authSafe?.encoded ?? new Uint8Array(), mac)
}

test.skipIf(!hasOpenssl)('deriving a key with a million rounds does not block the event loop (needs openssl)', async () => {
  const million = der(0x02, Uint8Array.from([0x0f, 0x42, 0x40]))
  let turns = 0
  let isOver = false
  const reading = errorOf(await guardedBy(new Uint8Array(2), million), '').finally(() => {
    isOver = true
  })
  while (!isOver) {
    turns++
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await reading).toContain('pass-phrase is wrong')
  expect(turns).toBeGreaterThan(100)
})

describe.skipIf(!hasOpenssl)('encodings of a pass-phrase by other programs (needs openssl)', () => {
  const bmp = (text: string) => Buffer.from(text, 'utf16le').swap16()

  test('an empty one as no octets', async () => {
    expect((await openP12(await guardedBy(new Uint8Array()), '', now)).issuers).toEqual([])
    expect((await openP12(await guardedBy(bmp('\0')), '', now)).issuers).toEqual([])
    expect(await errorOf(await guardedBy(new Uint8Array()), ' ')).toContain('pass-phrase is wrong')
  })

  test('UTF-8 octets as Latin-1 characters', async () => {
    const octets = Buffer.from('schlüssel', 'utf8').toString('latin1')
    expect((await openP12(await guardedBy(bmp(`${octets}\0`)), 'schlüssel', now)).issuers).toEqual([])
    expect(await errorOf(await guardedBy(bmp('schlüssel')), 'schlüssel')).toContain('pass-phrase is wrong')
  })
})

describe.skipIf(!hasOpenssl)('certificates above the key (needs openssl)', () => {
  const names = async (file: Uint8Array) =>
    (await openP12(file, 'test', now)).issuers.map(one => commonName(readCertificate(one).subject))

  test('are put in order, the root last', async () => {
    expect(await names(exported('ec', 'test', [], ['middle', 'root']))).toEqual(['middle', 'root'])
    expect(await names(exported('ec', 'test', ['-legacy'], ['root', 'middle']))).toEqual(['middle', 'root'])
  })

  test('may be missing in part', async () => {
    expect(await names(exported('ec', 'test', [], ['middle']))).toEqual(['middle'])
    expect(await names(exported('ec', 'test', [], ['root']))).toEqual([])
  })

  test('that do not belong to the key are omitted', async () => {
    expect(await names(exported('ec', 'test', [], ['stranger', 'root', 'middle']))).toEqual(['middle', 'root'])
  })
})

describe.skipIf(!hasOpenssl)('a file is refused with the reason (needs openssl)', () => {
  test('that holds no key', async () => {
    openssl('pkcs12', '-export', '-nokeys', '-in', at('ec.pem'), '-passout', 'pass:test', '-out', at('nokey.p12'))
    expect(await errorOf(readFileSync(at('nokey.p12')))).toBe('The file holds no private key: export it together with the key.')
  })

  test('that holds no certificate for its key', async () => {
    openssl('pkcs12', '-export', '-nocerts', '-inkey', at('ec.key'), '-passout', 'pass:test', '-out', at('nocert.p12'))
    expect(await errorOf(readFileSync(at('nocert.p12')))).toBe('The file holds no certificate for its private key.')
  })

  test('that holds several keys', async () => {
    const safes = ['rsa', 'ec'].map(kind => {
      const file = exported(kind, 'test', ['-nomac', '-keypbe', 'NONE', '-certpbe', 'NONE'])
      return readDer(readDer(file).children[1]?.children[1]?.children[0]?.contents ?? new Uint8Array()).contents
    })
    const both = readDer(exported('ec', 'test', ['-nomac']))
    const data = both.children[1]?.children[0]?.encoded ?? new Uint8Array()
    const file = sequence(smallInteger(3), sequence(data, der(0xa0, octetString(sequence(...safes)))))
    expect(await errorOf(file)).toContain('several private keys')
  })

  test('whose certificate has expired, or is not valid yet', async () => {
    const file = exported('ec', 'test')
    const end = readCertificate(certificatesOfPem(readFileSync(at('ec.pem'), 'latin1'))[0] ?? new Uint8Array()).notAfter
    expect(await errorOf(file, 'test', new Date(end.getTime() + 1000))).toBe(
      `The certificate CN=ec has expired on ${end.toISOString().slice(0, 10)}.`,
    )
    expect(await errorOf(file, 'test', new Date('2020-01-01T00:00:00Z'))).toContain('CN=ec is not valid before')
  })

  test('whose certificate has another purpose', async () => {
    issue('encrypt', 'ec', 'encrypt', 'middle')
    issue('tls', 'ec', 'tls', 'middle')
    expect(await errorOf(exported('encrypt', 'test'))).toContain('key usage of CN=encrypt does not allow signing')
    expect(await errorOf(exported('tls', 'test'))).toContain('extended key usage')
  })

  test('whose key is too short or on a curve that is not accepted', async () => {
    issue('short', 'short', 'sign', 'middle')
    issue('koblitz', 'koblitz', 'sign', 'middle')
    expect(await errorOf(exported('short', 'test'))).toContain('RSA of 2048 bits is too short, 3072 are needed')
    expect(await errorOf(exported('koblitz', 'test'))).toMatch(/curve.*not accepted/)
  })

  test('that requires minutes of key derivation, or has an invalid number of rounds', async () => {
    const bmp = new Uint8Array(2)
    const rounds = (...octets: number[]) => guardedBy(bmp, der(0x02, Uint8Array.from(octets)))
    expect(await errorOf(await rounds(0x00, 0x98, 0x96, 0x81), '')).toContain('ten million rounds')
    expect(await errorOf(await rounds(0x7f, 0xff, 0xff, 0xff), '')).toContain('ten million rounds')
    for (const invalid of [await rounds(0), await rounds(0x01, 0, 0, 0, 0)])
      expect(await errorOf(invalid, '')).toContain('number of iterations is invalid')
  })

  test('that is too large, cut off or changed', async () => {
    const file = exported('ec', 'test')
    expect(await errorOf(new Uint8Array(1_000_001))).toContain('larger than 1 MB')
    for (let length = 0; length < file.length; length += 7) expect(await errorOf(file.subarray(0, length))).toContain('damaged')
    for (let i = 0; i < file.length; i += 97) {
      const changed = Uint8Array.from(file, (octet, n) => (n === i ? octet ^ 0x41 : octet))
      let error = 'none'
      try {
        await openP12(changed, 'test', now)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(SealKeyError)
        error = String(thrown)
      }
      expect(error).not.toBe('none')
    }
  })
})

test('another file is refused as no PKCS#12 file', async () => {
  for (const text of ['', '%PDF-1.7', '-----BEGIN CERTIFICATE-----', '\x30\x80\x00\x00', '\x30\x00']) {
    expect(await errorOf(Buffer.from(text, 'latin1'))).toContain('damaged or no PKCS#12 file')
  }
})

describe('BER', () => {
  const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
  const rewritten = (hex: string) => Buffer.from(berToDer(bytes(hex))).toString('hex')

  test('becomes DER: indefinite lengths, long lengths and segmented strings', () => {
    expect(rewritten('3080 020105 0000')).toBe('3003020105')
    expect(rewritten('308103 020105')).toBe('3003020105')
    expect(rewritten('2480 040101 2403 040102 040103 0000')).toBe('0403010203')
    expect(rewritten('2308 03020001 03020403')).toBe('0303040103')
    expect(rewritten('a080 3080 0500 0000 0000')).toBe('a00430020500')
  })

  test('that is malformed is refused', () => {
    for (const hex of [
      '3080 020105',
      '3003 0201',
      '0480 0000',
      '2403 020101',
      '3080 0000 00',
      '30',
      '1f8101 00',
      '3084ffffffff',
    ]) {
      expect(() => berToDer(bytes(hex))).toThrow(DerError)
    }
    expect(() => berToDer(bytes('3080'.repeat(100)))).toThrow('nested too deeply')
  })
})

test.skipIf(!hasOpenssl)('a file with indefinite lengths and segments is read like its DER (needs openssl)', async () => {
  const file = readDer(exported('ec', 'test', ['-legacy']))
  const [version, authSafe, mac] = file.children
  const octets = authSafe?.children[1]?.children[0]?.contents ?? new Uint8Array()
  const open = (tag: number, ...parts: Uint8Array[]) => Buffer.concat([Uint8Array.of(tag, 0x80), ...parts, Uint8Array.of(0, 0)])
  const pieces = [octets.subarray(0, 100), octets.subarray(100)].map(octetString)
  const type = authSafe?.children[0]?.encoded ?? new Uint8Array()
  const ber = open(
    0x30,
    version?.encoded ?? new Uint8Array(),
    open(0x30, type, open(0xa0, open(0x24, ...pieces))),
    mac?.encoded ?? new Uint8Array(),
  )
  expect(await openP12(ber, 'test', now)).toEqual(await openP12(file.encoded, 'test', now))
})

const hasNss = Bun.which('pk12util') !== null && Bun.which('certutil') !== null

test.skipIf(!hasOpenssl || !hasNss)(
  'a BER file by NSS is read (needs openssl, pk12util, certutil)',
  async () => {
    const store = `sql:${mkdtempSync(join(folder, 'nss-'))}`
    exported('rsa', 'test')
    const nss = (...command: string[]) => expect(run(command)).toMatchObject({ code: 0 })
    nss('certutil', '-N', '-d', store, '--empty-password')
    nss('pk12util', '-i', at(`${made}.p12`), '-d', store, '-W', 'test')
    for (const ciphers of [[], ['-c', 'DES-EDE3-CBC', '-C', 'DES-EDE3-CBC']]) {
      const out = at(`nss-${ciphers.length}.p12`)
      nss('pk12util', '-o', out, '-d', store, '-n', 'rsa', '-W', 'pä', ...ciphers)
      const file = new Uint8Array(readFileSync(out))
      expect(file[1]).toBe(0x80)
      expect(commonName(readCertificate((await openP12(file, 'pä', now)).leaf.certificateDer).subject)).toBe('rsa')
      expect(await errorOf(file, 'test')).toContain('pass-phrase is wrong')
    }
  },
  60_000,
)
