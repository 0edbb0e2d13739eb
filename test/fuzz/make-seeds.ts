/**
 * Makes the seeds of the corpus anew, with new keys: `bun test/fuzz/make-seeds.ts`. Inputs that
 * were found stay. Needs openssl.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { createSignedData, withTimestamp } from '../../src/pades/cms.ts'
import { requestTimestamp } from '../../src/pades/timestamp.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { ocspRequest } from '../../src/pki/ocsp.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { temporaryFolder } from '../support/folders.ts'
import { Kit } from '../support/forged/document.ts'
import { cmsOf, tokenOf } from '../support/forged/pki.ts'
import { ocspAnswer } from '../support/ocsp-responder.ts'
import { testAuthority } from '../support/test-pki.ts'
import { openTestAuthority } from '../support/tsa.ts'
import { CORPUS, CORPUS_TIME } from './corpus.ts'
import { FIXED_RANDOM, SIGNED_TEXT } from './fixed.ts'
import { archiveSeeds } from './seeds-archives.ts'
import { pdfSeeds } from './seeds-pdf.ts'
import { textSeeds } from './seeds-text.ts'

export type Put = (folder: string, name: string, bytes: Uint8Array | string) => void

const put: Put = (folder, name, bytes) => {
  mkdirSync(join(CORPUS, folder), { recursive: true })
  writeFileSync(join(CORPUS, folder, name), bytes)
}

const digest = digestOf('sha256', SIGNED_TEXT)

function openssl(folder: string, ...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: folder, timeout: 30_000 })
  if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`)
}

/** Certificates, CMS, tokens and lists of the kit and of our own authority. */
async function ownSeeds(kit: Kit): Promise<void> {
  const ec = await testAuthority('ec-p256', { now: new Date('2026-11-01T00:00:00Z') })
  const rsa = await testAuthority('rsa-3072', { now: new Date('2026-11-01T00:00:00Z') })
  put('besides', 'kit-roots.pem', kit.trust.signers)
  put('besides', 'kit-time-roots.pem', kit.trust.times)
  put('besides', 'own-root.pem', ec.rootPem)
  put('besides', 'own-leaf.pem', ec.leafPem)
  const entities = { root: kit.root, signer: kit.signer, time: kit.time }
  for (const [name, { certificate }] of Object.entries(entities)) put('certificate', `kit-${name}.der`, certificate)
  put('certificate', 'own-root.der', ec.root.certificateDer)
  put('certificate', 'own-leaf.der', ec.leaf.certificateDer)
  put('certificate', 'own-rsa.der', rsa.leaf.certificateDer)
  put('trust-file', 'two.pem', `A comment\n${ec.rootPem}${ec.leafPem}`)
  put('trust-file', 'two.der', Buffer.concat([ec.root.certificateDer, rsa.leaf.certificateDer]))
  const cms = cmsOf({ signer: kit.signer, digest, issuers: [kit.root] })
  const token = tokenOf(kit.time, digestOf('sha256', SIGNED_TEXT), kit.at)
  put('cms', 'kit.der', cms)
  put('cms', 'padded.der', Buffer.concat([cms, Buffer.alloc(64)]))
  put('cms', 'own.der', await createSignedData({ digest, key: ec.key }))
  put('cms', 'stamped.der', withTimestamp(await createSignedData({ digest, key: ec.key }), token))
  put('cms', 'rsa.der', await createSignedData({ digest, key: rsa.key }))
  put('token', 'kit.der', token)
  const revoked = [
    { serial: '4a01', revokedAt: new Date('2026-11-20T10:00:00Z'), reason: 1 },
    { serial: '4a02', revokedAt: new Date('2026-11-20T10:00:00Z'), reason: 4 },
  ]
  const dates = { thisUpdate: new Date('2026-11-26T00:00:00Z'), nextUpdate: new Date('2036-12-27T00:00:00Z') }
  put('crl', 'own.der', issueRevocationList({ root: ec.root, number: 300, revoked, ...dates }))
  put('crl', 'empty.der', issueRevocationList({ root: ec.root, number: 1, revoked: [], ...dates }))
}

/** What openssl writes. */
async function foreignSeeds(): Promise<void> {
  const authority = openTestAuthority()
  try {
    const at = (name: string) => join(authority.folder, name)
    const certificate = (name: string) => readCertificate(certificatesOfPem(readFileSync(at(`${name}.pem`), 'utf8'))[0]!)
    writeFileSync(at('empty.txt'), '')
    for (const name of ['root', 'tsa', 'ocsp']) put('certificate', `openssl-${name}.der`, certificate(name).der)
    put('besides', 'openssl-root.pem', readFileSync(at('root.pem')))
    put('besides', 'openssl-tsa.pem', readFileSync(at('tsa.pem')))
    const request = ocspRequest(certificate('tsa'), certificate('root'))
    put('ocsp', 'delegate.der', ocspAnswer({ folder: authority.folder, request, days: 3650 }))
    put('ocsp', 'issuer.der', ocspAnswer({ folder: authority.folder, request, signer: 'root', days: 3650 }))
    put('ocsp', 'unknown.der', ocspAnswer({ folder: authority.folder, request, index: 'empty.txt', days: 3650 }))
    openssl(authority.folder, 'ca', '-config', 'pki.cnf', '-gencrl', '-crldays', '3650', '-out', 'long.crl', '-batch')
    openssl(authority.folder, 'crl', '-in', 'long.crl', '-outform', 'DER', '-out', 'long.der')
    put('crl', 'openssl.der', readFileSync(at('long.der')))
    let response = new Uint8Array()
    const { token } = await requestTimestamp({
      digest,
      authority: { url: authority.url, ca: authority.root },
      allow: parseNetworks('127.0.0.0/8'),
      now: () => new Date(),
      random: FIXED_RANDOM,
      async send(outgoing) {
        const answer = await THIS_MACHINE.send(outgoing)
        if (answer.outcome === 'answered') response = Uint8Array.from(answer.body)
        return answer
      },
    })
    put('token', 'openssl.der', token)
    put('timestamp-response', 'openssl.der', response)
  } finally {
    await authority.close()
  }
}

function pkcs12Seeds(): void {
  const folder = temporaryFolder()
  const made = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    '/CN=Imported',
  ]
  const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'keyUsage=critical,digitalSignature']
  openssl(folder, 'req', ...made, ...leaf, '-keyout', 'k.key', '-out', 'k.pem')
  const from = ['pkcs12', '-export', '-inkey', 'k.key', '-in', 'k.pem', '-passout', 'pass:secret', '-iter', '2']
  openssl(folder, ...from, '-out', 'new.p12')
  openssl(folder, ...from, '-legacy', '-out', 'legacy.p12')
  openssl(folder, ...from, '-keypbe', 'NONE', '-certpbe', 'NONE', '-nomac', '-out', 'plain.p12')
  for (const name of ['new', 'legacy', 'plain']) put('pkcs12', `${name}.p12`, readFileSync(join(folder, `${name}.p12`)))
  rmSync(folder, { recursive: true, force: true })
}

const kit = new Kit()
await ownSeeds(kit)
await foreignSeeds()
pkcs12Seeds()
await pdfSeeds(put, kit)
await archiveSeeds(put)
await textSeeds(put)
console.log(`The seeds are in ${CORPUS}; readers take ${CORPUS_TIME.toISOString()} as the time.`)
process.exit()
