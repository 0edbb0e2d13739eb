/** Names and policies that authorities permit below them. RFC 5280 §6.1; openssl agrees. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { englishOfRemark } from '../../src/locales/remarks.ts'
import { bitString, oid, sequence, smallInteger, tagged, taggedPrimitive } from '../../src/pki/der.ts'
import { extension } from '../../src/pki/issue.ts'
import { OID } from '../../src/pki/oid.ts'
import { constraintReasons, verifyOrigin } from '../../src/pki/trust.ts'
import { certificatePem, readCertificate } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { certificateOf, type NameParts, nameOf, type PathCertificate } from '../support/path-certificates.ts'
import { SEAL_TIME } from '../support/test-pki.ts'
import { hasOpenssl, run } from '../verify/tools.ts'

const folder = useFolder()

/** The end certificate first, the trusted one last. */
const reasonsOf = (path: readonly PathCertificate[]) =>
  constraintReasons(path.map(one => readCertificate(one.der))).map(englishOfRemark)

/** What openssl says of the same path. */
function acceptedByOpenssl(path: readonly PathCertificate[], ...options: string[]): boolean {
  const put = (name: string, list: readonly PathCertificate[]) => {
    writeFileSync(join(folder, name), list.map(one => certificatePem(one.der)).join(''))
    return join(folder, name)
  }
  const files = ['-CAfile', put('root.pem', path.slice(-1)), '-untrusted', put('between.pem', path.slice(1, -1))]
  const at = String(Math.floor(SEAL_TIME.getTime() / 1000))
  return run(['openssl', 'verify', '-attime', at, ...options, ...files, put('end.pem', path.slice(0, 1))]).code === 0
}

const ia5 = (form: number, text: string) => taggedPrimitive(form, new TextEncoder().encode(text))
const email = (text: string) => ia5(1, text)
const dns = (text: string) => ia5(2, text)
const uri = (text: string) => ia5(6, text)
const ip = (...octets: number[]) => taggedPrimitive(7, Uint8Array.from(octets))
const directory = (parts: NameParts) => tagged(4, nameOf(parts))
const registered = taggedPrimitive(8, Uint8Array.of(0x2a, 3))

interface Row {
  permitted?: Uint8Array[]
  excluded?: Uint8Array[]
  names?: Uint8Array[]
  subject?: NameParts
}

const ADA: NameParts = [
  ['O', 'Example Ltd'],
  ['CN', 'Ada'],
]

/** Root, an authority with the constraints, and the certificate with the names. */
function pathOf({ permitted = [], excluded = [], names = [], subject = ADA }: Row, isCritical: boolean): PathCertificate[] {
  const trees = (n: number, list: Uint8Array[]) => (list.length === 0 ? [] : [tagged(n, ...list.map(base => sequence(base)))])
  const value = sequence(...trees(0, permitted), ...trees(1, excluded))
  const root = certificateOf([['CN', 'Root']])
  const between = certificateOf([['CN', 'Between']], { issuer: root, more: [extension(OID.nameConstraints, isCritical, value)] })
  const more = names.length === 0 ? [] : [extension(OID.subjectAltName, false, sequence(...names))]
  return [certificateOf(subject, { issuer: between, isAuthority: false, more }), between, root]
}

const PERMITTED: [name: string, row: Row][] = [
  ['no name of the constrained form', { permitted: [dns('example.com')], names: [email('a@b.org')] }],
  ['the DNS name itself', { permitted: [dns('example.com')], names: [dns('Example.com')] }],
  ['a DNS name below', { permitted: [dns('example.com')], names: [dns('a.b.example.com')] }],
  ['an e-mail address at the host', { permitted: [email('example.com')], names: [email('ada@EXAMPLE.com')] }],
  ['exactly the e-mail address', { permitted: [email('ada@example.com')], names: [email('ada@example.com')] }],
  ['an e-mail address at a host below', { permitted: [email('.example.com')], names: [email('ada@mail.example.com')] }],
  ['a directory name below', { permitted: [directory([['O', 'Example Ltd']])] }],
  ['a directory name in other letters', { permitted: [directory([['O', ' EXAMPLE  ltd']])] }],
  ['a URI at the host', { permitted: [uri('example.com')], names: [uri('https://example.com/a')] }],
  ['a URI at a host below', { permitted: [uri('.example.com')], names: [uri('https://a.example.com:8080/a')] }],
  ['an IPv4 address in the network', { permitted: [ip(10, 1, 0, 0, 255, 255, 0, 0)], names: [ip(10, 1, 2, 3)] }],
  ['names beside what is excluded', { excluded: [dns('evil.example')], names: [dns('good.example')] }],
]

const FORBIDDEN: [name: string, row: Row][] = [
  ['another DNS name', { permitted: [dns('example.com')], names: [dns('example.org')] }],
  ['a DNS name that only ends so', { permitted: [dns('example.com')], names: [dns('notexample.com')] }],
  ['one of two DNS names', { permitted: [dns('example.com')], names: [dns('a.example.com'), dns('b.org')] }],
  ['an excluded DNS name', { excluded: [dns('example.com')], names: [dns('a.example.com')] }],
  ['an excluded one within a permitted', { permitted: [dns('a.com')], excluded: [dns('b.a.com')], names: [dns('b.a.com')] }],
  ['an e-mail address at another host', { permitted: [email('example.com')], names: [email('ada@sub.example.com')] }],
  ['another e-mail address', { permitted: [email('ada@example.com')], names: [email('eve@example.com')] }],
  ['an e-mail address in the subject', { permitted: [email('example.com')], subject: [...ADA, ['email', 'eve@evil.org']] }],
  ['another organisation', { permitted: [directory([['O', 'Other Ltd']])] }],
  ['an excluded organisation', { excluded: [directory([['O', 'example ltd']])] }],
  ['a URI at another host', { permitted: [uri('example.com')], names: [uri('https://a.example.com/')] }],
  ['a URI without a host', { permitted: [uri('example.com')], names: [uri('urn:example:com')] }],
  ['an IPv4 address outside', { permitted: [ip(10, 1, 0, 0, 255, 255, 0, 0)], names: [ip(10, 2, 0, 1)] }],
  ['an excluded IPv4 address', { excluded: [ip(10, 0, 0, 0, 255, 0, 0, 0)], names: [ip(10, 2, 0, 1)] }],
  ['a constrained form that is not understood', { permitted: [registered], names: [registered] }],
]

describe.each([true, false])('name constraints, critical: %p', isCritical => {
  test.each(PERMITTED)('permit %s', (_, row) => {
    expect(reasonsOf(pathOf(row, isCritical))).toEqual([])
  })

  test.each(FORBIDDEN)('do not permit %s', (_, row) => {
    expect(reasonsOf(pathOf(row, isCritical)).join()).toContain('may not certify')
  })
})

test.skipIf(!hasOpenssl)('openssl agrees on every name', () => {
  for (const [name, row] of PERMITTED) expect([name, acceptedByOpenssl(pathOf(row, true))]).toEqual([name, true])
  for (const [name, row] of FORBIDDEN) expect([name, acceptedByOpenssl(pathOf(row, true))]).toEqual([name, false])
})

test('constraints bind all below, those of the trusted certificate too, and several authorities together', () => {
  const only = (text: string) => [extension(OID.nameConstraints, false, sequence(tagged(0, sequence(dns(text)))))]
  const end = (issuer: PathCertificate, name: string) =>
    certificateOf(ADA, { issuer, isAuthority: false, more: [extension(OID.subjectAltName, false, sequence(dns(name)))] })
  const root = certificateOf([['CN', 'Root']], { more: only('example.com') })
  const between = certificateOf([['CN', 'Between']], { issuer: root, more: only('a.example.com') })
  expect(reasonsOf([end(between, 'x.a.example.com'), between, root])).toEqual([])
  expect(reasonsOf([end(between, 'b.example.com'), between, root])).toHaveLength(1)
  expect(reasonsOf([end(between, 'a.example.org'), between, root])).toHaveLength(2)
  expect(reasonsOf([end(root, 'example.org'), root])).toHaveLength(1)
})

test('constraints that cannot be read are not met', () => {
  const root = certificateOf([['CN', 'Root']])
  const odd = certificateOf([['CN', 'Odd']], {
    issuer: root,
    more: [extension(OID.nameConstraints, true, bitString(Uint8Array.of(1)))],
  })
  const end = certificateOf(ADA, { issuer: odd, isAuthority: false })
  expect(reasonsOf([end, odd, root]).join()).toContain('A constraint of the path cannot be read')
})

const P1 = '1.3.6.1.4.1.99999.1'
const P2 = '1.3.6.1.4.1.99999.2'
const policies = (...list: string[]) => extension(OID.certificatePolicies, false, sequence(...list.map(id => sequence(oid(id)))))
const constraints = (explicit?: number, mapping?: number) =>
  extension(
    OID.policyConstraints,
    true,
    sequence(...[explicit, mapping].flatMap((n, i) => (n === undefined ? [] : [taggedPrimitive(i, Uint8Array.of(n))]))),
  )
const inhibitAny = (n: number) => extension(OID.inhibitAnyPolicy, true, smallInteger(n))
const mapping = (from: string, to: string) => extension(OID.policyMappings, false, sequence(sequence(oid(from), oid(to))))

/** Extensions of the authority and of the end certificate, and whether the path is valid. */
const POLICY_PATHS: [name: string, between: Uint8Array[], end: Uint8Array[], valid: boolean][] = [
  ['no policies, none required', [], [], true],
  ['no policies, required', [constraints(0)], [], false],
  ['required, and the same throughout', [constraints(0), policies(P1)], [policies(P1)], true],
  ['required, and another one below', [constraints(0), policies(P1)], [policies(P2)], false],
  ['required only two certificates below', [constraints(2)], [], true],
  ['any policy above one', [constraints(0), policies(OID.anyPolicy)], [policies(P1)], true],
  ['any policy below one', [constraints(0), policies(P1)], [policies(OID.anyPolicy)], true],
  ['any policy below one, inhibited', [constraints(0), policies(P1), inhibitAny(0)], [policies(OID.anyPolicy)], false],
  ['mapped', [constraints(0), policies(P1), mapping(P1, P2)], [policies(P2)], true],
  ['mapped, and the former one below', [constraints(0), policies(P1), mapping(P1, P2)], [policies(P1)], false],
  ['required by the end certificate itself', [policies(P1)], [policies(P2), constraints(0)], false],
]

describe('policies', () => {
  const pathWith = (between: Uint8Array[], end: Uint8Array[], top: Uint8Array[] = []) => {
    const root = certificateOf([['CN', 'Root']], { more: top })
    const middle = certificateOf([['CN', 'Between']], { issuer: root, more: between })
    return [certificateOf(ADA, { issuer: middle, isAuthority: false, more: end }), middle, root]
  }

  test.each(POLICY_PATHS)('%s', (_, between, end, valid) => {
    const expected = valid ? [] : ['The path does not have the certificate policies that it requires.']
    expect(reasonsOf(pathWith(between, end))).toEqual(expected)
  })

  test.skipIf(!hasOpenssl)('openssl agrees', () => {
    for (const [name, between, end, valid] of POLICY_PATHS)
      expect([name, acceptedByOpenssl(pathWith(between, end), '-policy_check', '-policy', OID.anyPolicy)]).toEqual([name, valid])
  })

  test('a mapping is not followed where it is inhibited', () => {
    const path = (n: number) => pathWith([policies(P1), mapping(P1, P2)], [policies(P2)], [constraints(0, n)])
    expect(reasonsOf(path(0))).toHaveLength(1)
    expect(reasonsOf(path(5))).toEqual([])
  })

  test('a mapping of any policy, and more policies than can be meant, are refused', () => {
    expect(reasonsOf(pathWith([policies(P1), mapping(OID.anyPolicy, P2)], [policies(P2)])).join()).toContain(
      'anyPolicy is mapped',
    )
    const many = Array.from({ length: 200 }, (_, n) => `1.3.6.1.4.1.99999.3.${n}`)
    expect(reasonsOf(pathWith([policies(...many)], [policies(P1)])).join()).toContain('more than 100 policies')
  })
})

test('a signer outside the names of its authority is not trusted, whatever the signature says', () => {
  const path = pathOf({ permitted: [directory([['O', 'Other Ltd']])] }, true).map(one => readCertificate(one.der))
  const [signer, ...issuers] = path as [(typeof path)[0], ...typeof path]
  const question = { signer, companions: issuers, provenAt: undefined, claimedAt: SEAL_TIME, now: SEAL_TIME }
  expect(verifyOrigin({ ...question, trust: issuers.slice(-1) }).findings).toMatchObject([
    { subIndication: 'CHAIN_CONSTRAINTS_FAILURE', trust: 'unknown' },
  ])
  // Whoever trusts the certificate itself asks nobody else.
  expect(verifyOrigin({ ...question, trust: [signer] }).findings).toEqual([])
})
