/** Validation data is fetched, verified and collected, and missing data is named. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { collectValidationData, type ValidationDataOptions } from '../../src/pades/validation-data.ts'
import { findOcspStatus, findResponder, readOcspResponse } from '../../src/pki/ocsp.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { openTestAuthority, type TestAuthority } from '../support/tsa.ts'

let authority: TestAuthority
const { send } = THIS_MACHINE
const net = { allow: parseNetworks('127.0.0.0/8'), send }

beforeEach(() => {
  authority = openTestAuthority()
})
afterEach(() => authority.close())

function certificate(name: string): Certificate {
  const [der] = certificatesOfPem(readFileSync(join(authority.folder, `${name}.pem`), 'utf8'))
  if (!der) throw new Error(`there is no ${name}.pem`)
  return readCertificate(der)
}

const collect = (more: Partial<ValidationDataOptions> = {}) =>
  collectValidationData({
    chains: [[certificate('tsa'), certificate('root')]],
    at: new Date(),
    net,
    own: undefined,
    ...more,
  })

test('the responder is asked first, and its certificate is collected with the response', async () => {
  const { material, missing, revoked } = await collect()
  expect([missing, revoked]).toEqual([[], []])
  expect(authority.requests).toEqual(['/ocsp'])
  expect([material.certificates.length, material.ocspResponses.length, material.revocationLists.length]).toEqual([3, 1, 0])
  const response = readOcspResponse(Buffer.from(material.ocspResponses[0] ?? '', 'base64'))
  expect(findOcspStatus(response, certificate('tsa'), certificate('root'))).toMatchObject({ status: 'good' })
  expect(findOcspStatus(response, certificate('other'), certificate('root'))).toBeUndefined()
})

test('the revocation list is fetched if the responder fails', async () => {
  authority.behave('/ocsp', () => new Response('', { status: 500 }))
  const { material, missing } = await collect()
  expect(missing).toEqual([])
  expect(authority.requests).toEqual(['/ocsp', '/root.crl'])
  expect([material.ocspResponses.length, material.revocationLists.length]).toEqual([0, 1])
})

test('a missing issuer is fetched', async () => {
  const { missing } = await collect({ chains: [[certificate('tsa')]] })
  expect(missing).toEqual([])
  expect(authority.requests).toContain('/root.der')
})

test('a proof that no source gives is missing, with the failure of each source', async () => {
  authority.behave('/ocsp', () => new Response('nonsense'))
  authority.behave('/root.crl', () => new Response('nonsense'))
  const { missing } = await collect()
  expect(missing).toHaveLength(1)
  expect(missing[0]).toMatch(/^no proof that CN=tsa of tests was not revoked \(127\.0\.0\.1:\d+: .*; 127\.0\.0\.1:\d+: .*\)$/)
})

test('a revoked certificate is reported with its time, from a list or a responder', async () => {
  authority.revokeAuthority()
  const byResponder = await collect()
  authority.behave('/ocsp', () => new Response('', { status: 500 }))
  const byList = await collect()
  for (const { revoked } of [byResponder, byList]) expect(revoked[0]).toMatch(/^CN=tsa of tests was revoked on \d{4}-/)
})

test('a response by an unauthorised signer is no proof', async () => {
  authority.behave('/ocsp', async (_request, honest) => {
    const bytes = await (await honest()).bytes()
    const at = bytes.length - 400
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return new Response(bytes)
  })
  authority.behave('/root.crl', () => new Response('', { status: 404 }))
  expect((await collect()).missing).toHaveLength(1)
})

test('private addresses in a certificate are not called', async () => {
  const { missing } = await collect({ net: { allow: [], send } })
  expect(missing).toHaveLength(1)
  expect(authority.requests).toEqual([])
})

test('an expired response is no proof', async () => {
  const { missing } = await collect({ at: new Date(Date.now() + 40 * 86_400_000) })
  expect(missing[0]).toContain('the response has expired')
})

test('a responder is the issuer or its delegate, never another of its certificates', async () => {
  const { material } = await collect()
  const response = readOcspResponse(Buffer.from(material.ocspResponses[0] ?? '', 'base64'))
  expect(findResponder(response, certificate('root'))?.serial).toBe(certificate('ocsp').serial)
  expect(findResponder(response, certificate('tsa'))).toBeUndefined()
})
