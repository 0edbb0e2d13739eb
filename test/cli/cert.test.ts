/** `signet cert` while an instance has the same folder open: its output and its failures. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApp } from '../../src/app.ts'
import { certImport, certRenew, certRevoke, certShow } from '../../src/cli/cert.ts'
import { type Io, UsageError, type Verb } from '../../src/cli/verb.ts'
import { readConfig } from '../../src/config.ts'
import { readRevocationList } from '../../src/pki/crl.ts'
import { certificateSummary, certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import type { AppHandle } from '../../src/ports.ts'
import { ownRevocationList } from '../../src/settings/seal-certificate.ts'
import { temporaryFolder, useFolder } from '../support/folders.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { hasOpenssl, run } from '../verify/tools.ts'

const files = useFolder()

const ENV = { SIGNET_SEAL_KEY: 'ec-p256' }
let folder: string
let serving: AppHandle

const means = (exclusive: boolean, lockHolder: string) => ({
  command: [],
  exclusive,
  lockHolder,
  log: () => {},
  pdf: { ...pdfTools(), close: async () => {} },
})

beforeEach(async () => {
  folder = temporaryFolder()
  serving = await openApp(readConfig({}, { ...ENV, SIGNET_DATA: folder }), means(true, 'signet serve'))
})
afterEach(async () => {
  await serving.close()
  rmSync(folder, { recursive: true })
})

interface Ran {
  code: number
  out: string
  err: string
}

async function runVerb(verb: Verb, args: string[], { stdin = '', data = folder } = {}): Promise<Ran> {
  const ran = { code: -1, out: '', err: '' }
  const io: Io = {
    out: text => {
      ran.out += `${text}\n`
    },
    err: text => {
      ran.err += `${text}\n`
    },
    env: ENV,
    stdin: async () => stdin,
    command: [],
    open: (config, lockHolder, exclusive) => openApp(config, means(exclusive, lockHolder)),
    serve: async () => {},
  }
  ran.code = await verb.run([...args, '--data', data], io)
  return ran
}

const fingerprints = (text: string) => [...text.matchAll(/^SHA-256 +([0-9a-f]{64})$/gm)].map(match => match[1])
const sealing = async () => readCertificate((await serving.app.sealKey()).certificate).serial

const JSON_MEMBERS = [
  ...['active', 'algorithm', 'chainPem', 'createdAt', 'issuer', 'notAfter', 'notBefore', 'rootId', 'serial', 'sha256'],
  ...['source', 'subject'],
]

test('show prints the active certificate as text, JSON and PEM', async () => {
  const { code, out } = await runVerb(certShow, [])
  expect(code).toBe(0)
  expect(out).toMatch(/^Subject +CN=Signet Seal \(TEST\), O=Signet$/m)
  expect(out).toMatch(/^Issuer +CN=Signet Root \(TEST\), O=Signet$/m)
  expect(out).toMatch(/^Valid +\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/m)
  expect(out).toMatch(/^Algorithm +ECDSA, curve P-256$/m)
  expect(out).toMatch(/^Source +own$/m)
  expect(out).toMatch(/^State +active$/m)
  expect(out).toContain(await sealing())
  const [json] = JSON.parse((await runVerb(certShow, ['--json'])).out)
  expect(json).toMatchObject({ sha256: fingerprints(out)[0], active: true, source: 'own' })
  expect(certificatesOfPem(json.chainPem)).toHaveLength(2)
  expect(Object.keys(json).sort()).toEqual(JSON_MEMBERS)
  const subjects = async (flag: string) =>
    certificatesOfPem((await runVerb(certShow, [flag])).out).map(der => certificateSummary(der).subject)
  expect(await subjects('--pem')).toEqual(['CN=Signet Seal (TEST), O=Signet'])
  expect(await subjects('--chain')).toEqual(['CN=Signet Root (TEST), O=Signet'])
  for (const args of [[], ['--json'], ['--pem'], ['--chain']])
    expect((await runVerb(certShow, args)).out).not.toMatch(/PRIVATE|sealedKey/)
})

test('renew issues a certificate that the serving instance uses for its next seal', async () => {
  const before = await sealing()
  const { code, out } = await runVerb(certRenew, [])
  expect(code).toBe(0)
  expect(await sealing()).not.toBe(before)
  expect(out).toContain(await sealing())
  const shown = (await runVerb(certShow, [])).out
  expect(fingerprints(shown)).toHaveLength(2)
  expect(shown).toContain('former, kept for the documents it sealed')
})

test('revoke lists a former certificate, and refuses the active one', async () => {
  const [first] = fingerprints((await runVerb(certShow, [])).out)
  const serial = await sealing()
  await expect(runVerb(certRevoke, [first ?? ''])).rejects.toThrow('seal_certificate_active')
  await runVerb(certRenew, [])
  const colons = first?.toUpperCase().match(/../g)?.join(':') ?? ''
  expect(await runVerb(certRevoke, [colons, '--reason', 'superseded'])).toMatchObject({ code: 0, err: '' })
  const list = readRevocationList(await ownRevocationList(serving.app))
  expect(list.revoked).toMatchObject([{ serial, reason: 4 }])
  expect((await runVerb(certShow, [])).out).toContain('revoked on ')
})

describe.skipIf(!hasOpenssl)('import (needs openssl)', () => {
  const at = (name: string) => join(files, name)
  const usage = ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'keyUsage=critical,digitalSignature']
  beforeAll(() => {
    if (!hasOpenssl) return
    const request = ['openssl', 'req', '-x509', '-newkey', 'rsa:3072', '-nodes', '-subj', '/CN=Imported', '-days', '365']
    run([...request, ...usage, '-keyout', at('k.key'), '-out', at('k.pem')])
    run([
      'openssl',
      'pkcs12',
      '-export',
      '-inkey',
      at('k.key'),
      '-in',
      at('k.pem'),
      '-passout',
      'pass:schlüssel',
      '-out',
      at('k.p12'),
    ])
    writeFileSync(at('text.p12'), 'not a key')
    writeFileSync(at('large.p12'), new Uint8Array(1_000_001))
  })

  test('seals a test page with the key first, and the serving instance then uses it', async () => {
    const { code, out, err } = await runVerb(certImport, [at('k.p12'), '--passphrase-stdin'], { stdin: 'schlüssel\n' })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Subject +CN=Imported$/m)
    expect(out).toMatch(/^Source +imported$/m)
    expect(out).toContain(await sealing())
    const [certificate] = certificatesOfPem(readFileSync(at('k.pem'), 'latin1'))
    expect((await serving.app.sealKey()).certificate).toEqual(certificate ?? new Uint8Array())
  })

  test.each([
    ['k.p12', 'falsch\n', 'The pass-phrase is wrong, or the file is damaged.'],
    ['text.p12', 'x', 'The file is damaged or no PKCS#12 file'],
    ['large.p12', 'x', 'is larger than 1 MB'],
    ['missing.p12', 'x', 'cannot be read (ENOENT)'],
  ])('of %s with %j is refused in one sentence, and the active certificate stays', async (name, stdin, message) => {
    const before = await sealing()
    await expect(runVerb(certImport, [at(name), '--passphrase-stdin'], { stdin })).rejects.toThrow(message)
    expect(await sealing()).toBe(before)
  })

  test('is replaced by a renewal only with --replace-imported', async () => {
    await runVerb(certImport, [at('k.p12'), '--passphrase-stdin'], { stdin: 'schlüssel' })
    const imported = await sealing()
    await expect(runVerb(certRenew, [])).rejects.toThrow('seal_successor_not_imported')
    expect(await sealing()).toBe(imported)
    expect((await runVerb(certRenew, ['--replace-imported'])).out).toMatch(/^Source +own$/m)
  })
})

describe('misuse is reported', () => {
  test.each<[Verb, string[]]>([
    [certShow, ['extra']],
    [certRenew, ['extra']],
    [certImport, ['--passphrase-stdin']],
    [certImport, ['a.p12']],
    [certImport, ['a.p12', 'b.p12', '--passphrase-stdin']],
    [certRevoke, []],
    [certRevoke, ['abc']],
    [certRevoke, ['0'.repeat(64), '--reason', 'boredom']],
  ])('%#', async (verb, args) => {
    await expect(runVerb(verb, args)).rejects.toThrow(UsageError)
  })

  test('a folder without an instance is not changed', async () => {
    const empty = temporaryFolder()
    try {
      for (const verb of [certShow, certRenew]) {
        const ran = await runVerb(verb, [], { data: empty })
        expect(ran).toMatchObject({ code: 1, out: '' })
        expect(ran.err).toContain('run signet serve once')
      }
      expect([...new Bun.Glob('**/*').scanSync({ cwd: empty })]).toEqual([])
    } finally {
      rmSync(empty, { recursive: true })
    }
  })
})
