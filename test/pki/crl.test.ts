/** Revocation lists: ours read by openssl, those of openssl read here, and invalid ones refused. */
import { describe, expect, test } from 'bun:test'
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { findRevocation, listCovers, readRevocationList, revocationListError } from '../../src/pki/crl.ts'
import {
  bitString,
  DerError,
  der,
  derTrue,
  octetString,
  oid,
  sequence,
  smallInteger,
  TAG,
  tagged,
  taggedPrimitive,
  time,
  unsignedInteger,
} from '../../src/pki/der.ts'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { type KeyType, makeAuthority } from '../../src/pki/key.ts'
import { OID } from '../../src/pki/oid.ts'
import { certificatePem, nameText, readCertificate } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { hasOpenssl, run } from '../verify/tools.ts'

const folder = useFolder()

const THIS = new Date('2031-04-01T00:00:00Z')
const NEXT = new Date('2031-05-02T00:00:00Z')
const WITHIN = new Date('2031-04-10T00:00:00Z')
const REVOKED = { serial: '4a01', revokedAt: new Date('2031-03-20T10:00:00Z'), reason: 1 }

async function ownList(keyType: KeyType = 'ec-p256', revoked = [REVOKED]) {
  const { root, leaf } = await sharedAuthority(keyType)
  const list = issueRevocationList({ root, thisUpdate: THIS, nextUpdate: NEXT, number: 300, revoked })
  return { list, root: readCertificate(root.certificateDer), leaf: readCertificate(leaf.certificateDer) }
}

/** A list with these parts, signed by the test root. */
async function listWith({
  extensions = [] as Uint8Array[],
  entries = [] as Uint8Array[],
  version = [smallInteger(1)],
  issuer = undefined as Uint8Array | undefined,
  next = [time(NEXT)],
}) {
  const { root } = await sharedAuthority('ec-p256')
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const tbs = sequence(
    ...version,
    algorithm,
    issuer ?? readCertificate(root.certificateDer).subject,
    time(THIS),
    ...next,
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    ...(extensions.length > 0 ? [tagged(0, sequence(...extensions))] : []),
  )
  const key = createPrivateKey({ key: Buffer.from(root.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  return { der: sequence(tbs, algorithm, bitString(sign('sha256', tbs, key))), root: readCertificate(root.certificateDer) }
}

const extension = (id: string, critical: boolean, value: Uint8Array) =>
  sequence(oid(id), ...(critical ? [derTrue()] : []), octetString(value))
const entry = (serial: number[], ...extensions: Uint8Array[]) =>
  sequence(
    unsignedInteger(Uint8Array.from(serial)),
    time(REVOKED.revokedAt),
    ...(extensions.length > 0 ? [sequence(...extensions)] : []),
  )

describe.each<KeyType>(['rsa-3072', 'ec-p256', 'ec-p384'])('a list issued here under %s', keyType => {
  test('is read as it was written, and is valid under its issuer’s certificate', async () => {
    const { list, root, leaf } = await ownList(keyType)
    const read = readRevocationList(list)
    expect(read).toMatchObject({ thisUpdate: THIS, nextUpdate: NEXT, revoked: [REVOKED], number: '012c', isDelta: false })
    expect(nameText(read.issuer)).toBe(nameText(root.subject))
    expect(revocationListError(read, root, WITHIN)).toBeUndefined()
    expect(listCovers(read, leaf)).toBeTrue()
    expect(findRevocation(read, leaf.serial)).toBeUndefined()
    expect(findRevocation(read, '4a01')).toEqual(REVOKED)
  })

  test.skipIf(!hasOpenssl)('is read and checked by openssl (needs openssl)', async () => {
    const { list, root } = await ownList(keyType)
    writeFileSync(join(folder, 'own.crl'), list)
    writeFileSync(join(folder, 'root.pem'), certificatePem(root.der))
    const shown = run([
      'openssl',
      'crl',
      '-inform',
      'DER',
      '-in',
      join(folder, 'own.crl'),
      '-noout',
      '-text',
      '-CAfile',
      join(folder, 'root.pem'),
    ])
    expect(shown.text).toContain('verify OK')
    expect(shown.text).toContain('Version 2 (0x1)')
    expect(shown.text).toMatch(/CRL Number:\s+300/)
    expect(shown.text).toContain('Authority Key Identifier')
    expect(shown.text).toMatch(/Serial Number: 4A01\s+Revocation Date: Mar 20 10:00:00 2031 GMT/)
    expect(shown.text).toContain('Key Compromise')
  })
})

test.skipIf(!hasOpenssl)('openssl accepts a leaf with our list, and refuses it once revoked (needs openssl)', async () => {
  const now = new Date()
  const crlUrl = 'https://sign.example.com/seal.crl?root=crt_1'
  const { root, leaf } = await makeAuthority({
    ...THIS_MACHINE,
    organisation: 'Contoso',
    environment: 'test',
    keyType: 'ec-p384',
    now,
    crlUrl,
  })
  const [rootPath, leafPath, listPath] = ['r.pem', 'l.pem', 'l.crl'].map(name => join(folder, name)) as [string, string, string]
  writeFileSync(rootPath, certificatePem(root.certificateDer))
  writeFileSync(leafPath, certificatePem(leaf.certificateDer))
  const check = (revoked: (typeof REVOKED)[]) => {
    const nextUpdate = new Date(now.getTime() + 86_400_000)
    const list = issueRevocationList({ root, thisUpdate: new Date(now.getTime() - 1000), nextUpdate, number: 1, revoked })
    writeFileSync(join(folder, 'l.der'), list)
    run(['openssl', 'crl', '-inform', 'DER', '-in', join(folder, 'l.der'), '-out', listPath])
    return run(['openssl', 'verify', '-x509_strict', '-crl_check', '-CAfile', rootPath, '-CRLfile', listPath, leafPath])
  }
  expect(check([])).toMatchObject({ code: 0 })
  const { serial } = readCertificate(leaf.certificateDer)
  expect(check([{ ...REVOKED, serial }]).text).toContain('certificate revoked')
  const text = run(['openssl', 'x509', '-in', leafPath, '-noout', '-text']).text
  expect(text).toMatch(new RegExp(`CRL Distribution Points:\\s+Full Name:\\s+URI:${crlUrl.replace(/[?.]/g, '\\$&')}`))
  expect(run(['openssl', 'x509', '-in', rootPath, '-noout', '-text']).text).not.toContain('CRL Distribution')
})

test.skipIf(!hasOpenssl)('a list made by openssl is read (needs openssl)', () => {
  const files = join(folder, 'ca')
  const conf = `[ca]\ndefault_ca=d\n[d]\ndatabase=${files}.idx\ncrlnumber=${files}.num\ndefault_md=sha256\ndefault_crl_days=30\ncrl_extensions=e\n[e]\nauthorityKeyIdentifier=keyid\n`
  writeFileSync(`${files}.cnf`, conf)
  writeFileSync(
    `${files}.idx`,
    'R\t351231000000Z\t251101000000Z,keyCompromise\t0A0B\tunknown\t/CN=x\nR\t351231000000Z\t251102000000Z\t7F\tunknown\t/CN=y\n',
  )
  writeFileSync(`${files}.num`, '10')
  run([
    ...['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Foreign', '-days', '9'],
    ...['-keyout', `${files}.key`, '-out', `${files}.pem`],
  ])
  run([
    'openssl',
    'ca',
    '-config',
    `${files}.cnf`,
    '-gencrl',
    '-keyfile',
    `${files}.key`,
    '-cert',
    `${files}.pem`,
    '-out',
    `${files}.crl`,
  ])
  run(['openssl', 'crl', '-in', `${files}.crl`, '-outform', 'DER', '-out', `${files}.der`])
  const read = readRevocationList(new Uint8Array(readFileSync(`${files}.der`)))
  expect(read.revoked).toHaveLength(2)
  expect(findRevocation(read, '0a0b')).toEqual({ serial: '0a0b', revokedAt: new Date('2025-11-01T00:00:00Z'), reason: 1 })
  expect(findRevocation(read, '7f')).toEqual({ serial: '7f', revokedAt: new Date('2025-11-02T00:00:00Z'), reason: undefined })
  const pem = readFileSync(`${files}.pem`, 'latin1')
  const issuer = readCertificate(new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')))
  expect(revocationListError(read, issuer, new Date())).toBeUndefined()
})

describe('a list is not valid', () => {
  const errorOf = async (made: { der: Uint8Array; root: ReturnType<typeof readCertificate> }, at = WITHIN) =>
    revocationListError(readRevocationList(made.der), made.root, at)

  test('before thisUpdate, after nextUpdate, or without nextUpdate', async () => {
    expect(await errorOf(await listWith({}))).toBeUndefined()
    expect(await errorOf(await listWith({}), new Date('2031-03-31T23:59:59Z'))).toContain('not yet issued')
    expect(await errorOf(await listWith({}), new Date('2031-05-02T00:00:01Z'))).toContain('expired on')
    expect(await errorOf(await listWith({ next: [] }))).toContain('nextUpdate')
  })

  test('of another issuer, or with a changed byte', async () => {
    const { list } = await ownList()
    const other = readCertificate((await sharedAuthority('ec-p256', 'theirs')).root.certificateDer)
    expect(revocationListError(readRevocationList(list), other, WITHIN)).toContain('was not issued by')
    const twin = { ...other, subject: readRevocationList(list).issuer }
    expect(revocationListError(readRevocationList(list), twin, WITHIN)).toContain('signature')
    const { root } = await ownList()
    const at = Buffer.from(list).indexOf(Buffer.from('4a01', 'hex'))
    const changed = Uint8Array.from(list, (octet, i) => (i === at + 1 ? 0x02 : octet))
    expect(revocationListError(readRevocationList(changed), root, WITHIN)).toContain('does not carry the signature')
  })

  test('of an issuer that is not allowed to issue lists', async () => {
    const { list, root } = await ownList()
    const error = revocationListError(readRevocationList(list), { ...root, keyUsage: ['keyCertSign'] }, WITHIN)
    expect(error).toContain('cRLSign')
  })

  test('that is a delta, indirect, restricted by reasons, or has an unknown critical extension', async () => {
    const point = (...parts: Uint8Array[]) => [extension(OID.issuingDistributionPoint, true, sequence(...parts))]
    const yes = Uint8Array.of(0xff)
    const cases: [Uint8Array[], string][] = [
      [[extension(OID.deltaCRLIndicator, true, smallInteger(4))], 'delta'],
      [point(taggedPrimitive(4, yes)), 'indirect'],
      [point(taggedPrimitive(5, yes)), 'attribute certificates only'],
      [point(taggedPrimitive(3, Uint8Array.of(1, 0x40))), 'some revocation reasons'],
      [[extension('1.2.3.4', true, smallInteger(1))], 'not understood (1.2.3.4)'],
    ]
    for (const [extensions, word] of cases) expect(await errorOf(await listWith({ extensions }))).toContain(word)
    expect(await errorOf(await listWith({ extensions: [extension('1.2.3.4', false, smallInteger(1))] }))).toBeUndefined()
  })

  test('with an entry of another issuer or with an unknown critical extension', async () => {
    const foreign = entry([5], extension(OID.certificateIssuer, true, sequence()))
    expect(await errorOf(await listWith({ entries: [entry([4]), foreign] }))).toContain('indirect')
    const strange = entry([5], extension('1.2.3.5', true, sequence()))
    expect(await errorOf(await listWith({ entries: [strange] }))).toContain('1.2.3.5')
  })

  test('for a certificate that it does not cover', async () => {
    const { root, leaf } = await ownList()
    const only = async (n: number) => {
      const value = sequence(taggedPrimitive(n, Uint8Array.of(0xff)))
      const made = await listWith({ extensions: [extension(OID.issuingDistributionPoint, true, value)] })
      expect(await errorOf(made)).toBeUndefined()
      return readRevocationList(made.der)
    }
    expect([listCovers(await only(1), leaf), listCovers(await only(1), root)]).toEqual([true, false])
    expect([listCovers(await only(2), leaf), listCovers(await only(2), root)]).toEqual([false, true])
    const stranger = readCertificate((await sharedAuthority('ec-p256', 'theirs')).leaf.certificateDer)
    expect(listCovers(await only(1), stranger)).toBeFalse()
  })
})

describe('a malformed list is refused', () => {
  test('truncated at any byte, or with an additional byte', async () => {
    const { list } = await ownList()
    for (let length = 0; length < list.length; length++)
      expect(() => readRevocationList(list.subarray(0, length))).toThrow(DerError)
    expect(() => readRevocationList(Buffer.concat([list, Uint8Array.of(0)]))).toThrow(DerError)
  })

  test('with a wrong version, entry or part', async () => {
    const refused = [
      { version: [smallInteger(0)] },
      { version: [], extensions: [extension(OID.cRLNumber, false, smallInteger(1))] },
      { entries: [smallInteger(5)] },
      { entries: [sequence(unsignedInteger(Uint8Array.of(5)))] },
      { entries: [sequence(time(THIS), time(THIS))] },
      { entries: [sequence(unsignedInteger(Uint8Array.of(5)), smallInteger(1))] },
      { next: [time(NEXT), time(NEXT)] },
      { issuer: smallInteger(1) },
      { extensions: [1, 2].map(n => extension(OID.cRLNumber, false, smallInteger(n))) },
    ]
    for (const what of refused) {
      const { der: bytes } = await listWith(what)
      expect(() => readRevocationList(bytes)).toThrow(DerError)
    }
    expect(readRevocationList((await listWith({ version: [] })).der).revoked).toEqual([])
    expect(() => readRevocationList(der(TAG.octetString, Uint8Array.of(1)))).toThrow(DerError)
  })
})

test('a hundred thousand entries are read and found by their serial numbers', async () => {
  const reason = extension(OID.reasonCode, false, der(0x0a, Uint8Array.of(4)))
  const entries = Array.from({ length: 100_000 }, (_, i) => entry([0x40, i >> 16, (i >> 8) & 255, i & 255], reason))
  const { der: bytes, root } = await listWith({ entries })
  const read = readRevocationList(bytes)
  expect(read.revoked).toHaveLength(100_000)
  expect(findRevocation(read, '4001869f')).toEqual({ serial: '4001869f', revokedAt: REVOKED.revokedAt, reason: 4 })
  expect(findRevocation(read, '400186a0')).toBeUndefined()
  expect(revocationListError(read, root, WITHIN)).toBeUndefined()
})
