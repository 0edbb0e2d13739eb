/** OCSP responses made by openssl, and revocation lists and issuers fetched within bounds. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { collectValidationData } from '../../src/pades/validation-data.ts'
import { DerError, der, octetString, oid, sequence, TAG, tagged } from '../../src/pki/der.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, ocspRequest, readOcspResponse } from '../../src/pki/ocsp.ts'
import { fetchIssuer, fetchRevocationProof, proofFromList } from '../../src/pki/revocation.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { ocspAnswer } from '../support/ocsp-responder.ts'
import { issue, openTestAuthority, useTestAuthority } from '../support/tsa.ts'

const DAY_MS = 86_400_000
const net = { allow: parseNetworks('127.0.0.0/8'), send: THIS_MACHINE.send }
const authority = useTestAuthority()
writeFileSync(join(authority.folder, 'empty.txt'), '')

function certificate(name: string, at = authority.folder): Certificate {
  const [bytes] = certificatesOfPem(readFileSync(join(at, `${name}.pem`), 'utf8'))
  if (!bytes) throw new Error(`there is no ${name}.pem`)
  return readCertificate(bytes)
}

const request = () => ocspRequest(certificate('tsa'), certificate('root'))
const answer = (more: Omit<Parameters<typeof ocspAnswer>[0], 'folder' | 'request'> = {}) =>
  ocspAnswer({ folder: authority.folder, request: request(), ...more })
const proof = (at = new Date(), more: { timeoutMs?: number } = {}) =>
  fetchRevocationProof(certificate('tsa'), certificate('root'), at, { ...net, ...more })

/** The missing proof after this response, without a revocation list. */
async function missingAfter(body: Uint8Array<ArrayBuffer>, at?: Date): Promise<string> {
  authority.behave('/ocsp', () => new Response(body))
  authority.behave('/root.crl', () => new Response('', { status: 404 }))
  const found = await proof(at)
  return 'missing' in found ? found.missing : 'a proof was taken'
}

describe('a request', () => {
  test('is read by openssl as a request for this certificate', () => {
    writeFileSync(join(authority.folder, 'asked'), request())
    const { stdout } = Bun.spawnSync(['openssl', 'ocsp', '-reqin', 'asked', '-req_text', '-noverify'], { cwd: authority.folder })
    const text = String(stdout)
    expect(text).toContain('Hash Algorithm: sha1')
    expect(text.toLowerCase()).toContain(`serial number: ${certificate('tsa').serial}`)
    expect(text).not.toContain('Nonce')
  })
})

describe('an authorised responder', () => {
  test('is the issuer itself', () => {
    const response = readOcspResponse(answer({ signer: 'root', days: 1 }))
    expect(findResponder(response, certificate('root'))?.serial).toBe(certificate('root').serial)
  })

  test('is a delegate of the issuer, which needs no proof if it has ocsp-nocheck', () => {
    const responder = findResponder(readOcspResponse(answer({ days: 1 })), certificate('root'))
    expect(responder?.serial).toBe(certificate('ocsp').serial)
    expect(responder && hasNoCheckExtension(responder)).toBe(true)
    expect(hasNoCheckExtension(certificate('tsa'))).toBe(false)
  })

  test('is not another certificate of the issuer, nor an expired delegate', async () => {
    issue(authority.folder, 'late', 'ocsp_cert', '-startdate', '20200101000000Z', '-enddate', '20210101000000Z')
    for (const signer of ['other', 'late'])
      expect(await missingAfter(answer({ signer, days: 1 }))).toContain('not signed by an authorised responder')
  })

  test('is not the delegate of another authority of the same name', async () => {
    const others = openTestAuthority()
    try {
      for (const name of ['pem', 'key'])
        writeFileSync(join(authority.folder, `foreign.${name}`), readFileSync(join(others.folder, `ocsp.${name}`)))
      expect(await missingAfter(answer({ signer: 'foreign', days: 1 }))).toContain('not signed by an authorised responder')
    } finally {
      await others.close()
    }
  })

  test('does not exist if one octet of the response was changed', () => {
    const bytes = answer({ days: 1 })
    const at = Buffer.from(bytes).indexOf(readOcspResponse(bytes).tbs) + 60
    bytes[at] = (bytes[at] ?? 0) ^ 1
    let taken = false
    try {
      taken = findResponder(readOcspResponse(bytes), certificate('root')) !== undefined
    } catch (error) {
      expect(error).toBeInstanceOf(DerError)
    }
    expect(taken).toBe(false)
  })
})

describe('a response', () => {
  test('about another certificate is no proof', async () => {
    const about = ocspRequest(certificate('other'), certificate('root'))
    const bytes = ocspAnswer({ folder: authority.folder, request: about, days: 1 })
    expect(findOcspStatus(readOcspResponse(bytes), certificate('tsa'), certificate('root'))).toBeUndefined()
    expect(await missingAfter(bytes)).toContain('about another certificate')
  })

  test('with the status unknown is followed by the revocation list', async () => {
    const bytes = answer({ index: 'empty.txt', days: 1 })
    expect(findOcspStatus(readOcspResponse(bytes), certificate('tsa'), certificate('root'))?.status).toBe('unknown')
    authority.behave('/ocsp', () => new Response(bytes))
    expect(await proof()).toMatchObject({ proof: { kind: 'crl', revokedAt: undefined } })
  })

  test('without nextUpdate is valid for a day, with one until then, and never before thisUpdate', async () => {
    const [open, ending] = [answer(), answer({ days: 3 })]
    const in2Days = new Date(Date.now() + 2 * DAY_MS)
    expect(await missingAfter(open)).toBe('a proof was taken')
    expect(await missingAfter(open, in2Days)).toContain('the response has expired')
    expect(await missingAfter(ending, in2Days)).toBe('a proof was taken')
    expect(await missingAfter(ending, new Date(Date.now() + 4 * DAY_MS))).toContain('the response has expired')
    expect(await missingAfter(ending, new Date(Date.now() - DAY_MS))).toContain('dated in the future')
  })

  test('with an error status is reported', async () => {
    expect(await missingAfter(Uint8Array.of(0x30, 3, 0x0a, 1, 3))).toContain('the responder is busy (tryLater)')
    expect(await missingAfter(Uint8Array.of(0x30, 3, 0x0a, 1, 6))).toContain('not authorised for this certificate')
  })

  test('with an invalid CertID is refused', () => {
    const now = der(TAG.generalizedTime, Buffer.from('20310304050607Z'))
    const single = sequence(sequence(octetString(Uint8Array.of(1))), der(0x80), now)
    const tbs = sequence(tagged(1, sequence()), now, sequence(single))
    const basic = sequence(tbs, sequence(oid('1.2.840.10045.4.3.2')), der(TAG.bitString, Uint8Array.of(0, 1)))
    const body = sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))
    expect(() => readOcspResponse(sequence(der(0x0a, Uint8Array.of(0)), tagged(0, body)))).toThrow('the hash of CertID')
  })
})

describe('proofs of responders', () => {
  const collect = (name = 'tsa') =>
    collectValidationData({ chains: [[certificate(name), certificate('root')]], at: new Date(), net, own: undefined })

  test('are fetched once for a delegate without ocsp-nocheck', async () => {
    issue(authority.folder, 'asked', 'asked_ocsp')
    authority.behave('/ocsp', async incoming => {
      const body = await incoming.bytes()
      return new Response(ocspAnswer({ folder: authority.folder, request: body, signer: 'asked', days: 1 }))
    })
    const { material, missing } = await collect()
    expect(missing).toEqual([])
    expect([material.certificates.length, material.ocspResponses.length]).toEqual([3, 2])
  })

  test('are bounded if every delegate has a delegate of its own', async () => {
    const before = authority.requests.length
    let last = 0
    authority.behave('/ocsp', async incoming => {
      const signer = `delegate-${++last}`
      const body = await incoming.bytes()
      issue(authority.folder, signer, 'asked_ocsp')
      return new Response(ocspAnswer({ folder: authority.folder, request: body, signer, days: 1 }))
    })
    const { missing } = await collect()
    expect(missing).toEqual([expect.stringContaining('too many certificates need one')])
    expect(authority.requests.length - before).toBe(24)
  })

  test('are asked of at most four addresses of a certificate, only by HTTP', async () => {
    issue(authority.folder, 'many', 'many')
    issue(authority.folder, 'ldap', 'ldap')
    const before = authority.requests.length
    expect((await collect('many')).missing).toHaveLength(1)
    expect(authority.requests.slice(before)).toEqual(['/list-0', '/list-1', '/list-2', '/list-3'])
    expect((await collect('ldap')).missing[0]).toContain('it names no responder and no revocation list')
    expect(authority.requests.length - before).toBe(4)
  })
})

describe('a revocation list', () => {
  const list = () => new Uint8Array(readFileSync(join(authority.folder, 'root.crl')))
  const checked = (ms: number, bytes = list()) =>
    proofFromList(bytes, certificate('tsa'), certificate('root'), new Date(Date.now() + ms))

  test('is valid minutes before thisUpdate, not an hour before, and not a month later', () => {
    expect(checked(0)).toMatchObject({ proof: { kind: 'crl' } })
    expect(checked(-3 * 60_000)).toMatchObject({ proof: { kind: 'crl' } })
    expect(checked(-3_600_000)).toMatchObject({ missing: expect.stringContaining('was not yet issued') })
    expect(checked(40 * DAY_MS)).toMatchObject({ missing: expect.stringContaining('expired on') })
    expect(checked(0, Uint8Array.of(0x30, 0))).toMatchObject({
      missing: expect.stringContaining('no proof that CN=tsa of tests'),
    })
  })

  test('of this instance that has expired is missing, and nothing is thrown', async () => {
    const { missing, material } = await collectValidationData({
      chains: [[certificate('tsa'), certificate('root')]],
      at: new Date(Date.now() + 40 * DAY_MS),
      net,
      own: { root: certificate('root'), revocationList: list() },
    })
    expect(missing).toEqual([expect.stringContaining('the revocation list expired on')])
    expect(material.revocationLists).toEqual([])
  })

  test('that is endless or never arrives is abandoned at its bounds', async () => {
    authority.behave('/ocsp', () => new Response('', { status: 500 }))
    let bytes = 0
    const chunk = new Uint8Array(256 * 1024)
    authority.behave('/root.crl', () => {
      const endless = (controller: ReadableStreamDefaultController) => {
        bytes += chunk.length
        if (bytes < 2 ** 30) controller.enqueue(chunk)
        else controller.close()
      }
      return new Response(new ReadableStream({ pull: endless }))
    })
    expect(await proof()).toMatchObject({ missing: expect.stringContaining('the response is too large') })
    expect(bytes).toBeLessThan(200 * 2 ** 20)
    const pending = Promise.withResolvers<Response>()
    authority.behave('/root.crl', () => pending.promise)
    expect(await proof(new Date(), { timeoutMs: 300 })).toMatchObject({ missing: expect.stringContaining('no answer within') })
    pending.resolve(new Response())
  })

  test('is not fetched after a redirect to a private address', async () => {
    authority.behave('/ocsp', () => Response.redirect('http://169.254.169.254/latest', 307))
    authority.behave('/root.crl', () => Response.redirect('http://10.0.0.1/', 302))
    expect(await proof()).toMatchObject({ missing: expect.stringMatching(/answered 307; .* answered 302/) })
  })
})

test('an issuer is accepted from its address only if it signed the certificate', async () => {
  expect((await fetchIssuer(certificate('tsa'), net))?.serial).toBe(certificate('root').serial)
  const others = openTestAuthority()
  try {
    const impostor = readFileSync(join(others.folder, 'root.der'))
    authority.behave('/root.der', () => new Response(impostor))
    expect(await fetchIssuer(certificate('tsa'), net)).toBeUndefined()
    authority.behave('/root.der', () => new Response(authority.root))
    expect((await fetchIssuer(certificate('tsa'), net))?.serial).toBe(certificate('root').serial)
    const bundle = ['-nocrl', '-certfile', 'other.pem', '-certfile', 'root.pem', '-outform', 'DER']
    const { stdout } = Bun.spawnSync(['openssl', 'crl2pkcs7', ...bundle], { cwd: authority.folder })
    authority.behave('/root.der', () => new Response(Uint8Array.from(stdout)))
    expect((await fetchIssuer(certificate('tsa'), net))?.serial).toBe(certificate('root').serial)
  } finally {
    await others.close()
  }
})
