/** Validates the path to a trusted certificate, without revocation (`levels.ts`). RFC 5280 §6. */
import { equalBytes } from '../lib/bytes.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import { type Finding, newFailure, newTrustFinding } from './finding.ts'
import { findForbiddenName, readNameConstraints } from './name-constraints.ts'
import { OID } from './oid.ts'
import { keyError } from './public-key.ts'
import { isSignatureBy } from './signature-value.ts'
import { type Certificate, findExtension, nameText } from './x509.ts'

export interface Origin {
  /** Empty if the signer is trusted. */
  findings: Finding[]
  /** The signer first, then the known issuers. */
  path: readonly Certificate[]
  /** Certificates of the CMS outside the path, which a seal made here must not have; sentences. */
  unverified: Remark[]
}

export interface OriginRequest {
  signer: Certificate
  /** The other certificates of the CMS. */
  companions: readonly Certificate[]
  /** Roots, or signing certificates that are trusted themselves. */
  trust: readonly Certificate[]
  /** The earliest time of a trusted time-stamp of the signature. */
  provenAt: Date | undefined
  /** The signing time that the signer claims. */
  claimedAt: Date | undefined
  now: Date
  /** Further certificates, such as those of the DSS. */
  known?: readonly Certificate[]
}

/** Certificates. */
export const MAX_PATH = 8

/** Extended key usages that allow signing documents. TLS or code signing alone does not. */
const SIGNING_PURPOSES = new Set<string>([
  OID.anyExtendedKeyUsage,
  OID.documentSigning,
  OID.emailProtection,
  OID.adobeAuthenticDocuments,
  OID.microsoftDocumentSigning,
])

export function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  return isSignatureBy(issuer.publicKey, certificate.signatureAlgorithm, certificate.tbs, certificate.signature)
}

/** The path up to a self-issued certificate or an unknown issuer, with verified signatures. */
export function pathFrom(signer: Certificate, known: readonly Certificate[]): Certificate[] {
  const path = [signer]
  for (let last = signer; path.length < MAX_PATH && !equalBytes(last.subject, last.issuer); ) {
    const issuer = known.find(
      candidate => equalBytes(candidate.subject, last.issuer) && !path.includes(candidate) && isSignedBy(last, candidate),
    )
    if (issuer === undefined) break
    path.push(issuer)
    last = issuer
  }
  return path
}

type Times = Pick<OriginRequest, 'provenAt' | 'claimedAt' | 'now'>

/** Valid at the proven time, or now and at the claimed time. EN 319 102-1 §5.2.6, §5.5.4. */
function findValidityProblem({ notBefore, notAfter, subject }: Certificate, times: Times): Finding | undefined {
  const { provenAt, claimedAt, now } = times
  const name = nameText(subject)
  if (provenAt !== undefined) {
    if (provenAt < notBefore) return newFailure('NOT_YET_VALID', remark('not_yet_valid', { name, isProven: true }))
    return provenAt > notAfter
      ? newTrustFinding('OUT_OF_BOUNDS_NO_POE', remark('had_expired', { name, isProven: true }), 'expired')
      : undefined
  }
  if (claimedAt !== undefined && claimedAt < notBefore)
    return newTrustFinding('OUT_OF_BOUNDS_NO_POE', remark('not_yet_valid', { name, isProven: false }))
  if (claimedAt !== undefined && claimedAt > notAfter)
    return newTrustFinding('OUT_OF_BOUNDS_NO_POE', remark('had_expired', { name, isProven: false }), 'expired')
  if (now <= notAfter) return undefined
  return newTrustFinding('OUT_OF_BOUNDS_NO_POE', remark('expired', { name, at: notAfter.toISOString() }), 'expired')
}

/** RFC 5280 §6.1.4: checks an issuer `depth` levels above the signer; sentences. */
export function issuerReasons(issuer: Certificate, depth: number): Remark[] {
  const reasons: Remark[] = []
  const name = nameText(issuer.subject)
  if (!issuer.isAuthority) reasons.push(remark('issuer_no_authority', { name }))
  if (issuer.keyUsage !== undefined && !issuer.keyUsage.includes('keyCertSign')) {
    reasons.push(remark('issuer_key_usage', { name }))
  }
  if (issuer.pathLength !== undefined && depth - 1 > issuer.pathLength) reasons.push(remark('path_too_long', { name }))
  return reasons
}

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => equalBytes(subject, issuer)

/** RFC 5280 §6.1.3 (b), (c): the trusted certificate restricts as those below it do. */
function nameReasons(path: readonly Certificate[]): Remark[] {
  return path.flatMap((authority, height) => {
    const constraints = height === 0 ? undefined : readNameConstraints(authority)
    if (constraints === undefined) return []
    return path.slice(0, height).flatMap((certificate, depth) => {
      const forbidden = depth > 0 && isSelfIssued(certificate) ? undefined : findForbiddenName(certificate, constraints)
      if (forbidden === undefined) return []
      const [name, above] = [nameText(certificate.subject), nameText(authority.subject)]
      return [remark('name_forbidden', { name, authority: above, forbidden })]
    })
  })
}

/** `path` ends with the trusted certificate. RFC 5280 §6.1: names and policies; sentences. */
export function constraintReasons(path: readonly Certificate[]): Remark[] {
  try {
    const reasons = nameReasons(path)
    if (!meetsPolicies(path, isSelfIssued)) reasons.push(remark('policies_missing'))
    return reasons
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return [remark('constraint_unreadable', { cause: error.message })]
  }
}

export const allowsSigning = ({ keyUsage }: Certificate): boolean =>
  keyUsage === undefined || keyUsage.includes('digitalSignature') || keyUsage.includes('nonRepudiation')

function signerReasons(signer: Certificate): Remark[] {
  const { extendedKeyUsage } = signer
  const reasons: Remark[] = []
  if (!allowsSigning(signer)) {
    reasons.push(remark('signer_key_usage'))
  }
  if (extendedKeyUsage !== undefined && !extendedKeyUsage.some(use => SIGNING_PURPOSES.has(use))) {
    reasons.push(remark('signer_purpose'))
  }
  return reasons
}

function checkCertificate(certificate: Certificate, times: Times): Finding[] {
  const name = nameText(certificate.subject)
  const findings = certificate.unknownCritical.map(id =>
    newTrustFinding('CERTIFICATE_CHAIN_GENERAL_FAILURE', remark('extension_unknown', { name, id })),
  )
  const validity = findValidityProblem(certificate, times)
  if (validity !== undefined) findings.push(validity)
  const weak = keyError(certificate.publicKey)
  if (weak !== undefined)
    findings.push(newTrustFinding('CERTIFICATE_CHAIN_GENERAL_FAILURE', remark('key_refused', { name, why: weak })))
  return findings
}

/** Certificates outside the path would be unsigned, unchecked bytes in a seal. */
function unverifiedCompanions(companions: readonly Certificate[], path: readonly Certificate[]): Remark[] {
  const reasons: Remark[] = []
  for (const companion of companions) {
    if (!path.some(certificate => equalBytes(certificate.der, companion.der))) {
      reasons.push(remark('cms_certificate_aside', { name: nameText(companion.subject) }))
    }
  }
  const top = path.at(-1)
  if (top !== undefined && equalBytes(top.subject, top.issuer) && !isSignedBy(top, top)) {
    reasons.push(remark('self_issued_unsigned', { name: nameText(top.subject) }))
  }
  return reasons
}

export function verifyOrigin(question: OriginRequest): Origin {
  const { signer, companions, trust, known = [] } = question
  const path = pathFrom(signer, [...trust, ...companions, ...known])
  const anchor = path.findIndex(certificate => trust.some(trusted => equalBytes(trusted.der, certificate.der)))
  const findings: Finding[] = []
  if (anchor === -1) {
    findings.push(newTrustFinding('NO_CERTIFICATE_CHAIN_FOUND', remark('signer_unknown', { name: nameText(signer.subject) })))
  }
  const constraints = signerReasons(signer)
  path.slice(0, Math.max(anchor, 0) + 1).forEach((certificate, depth) => {
    findings.push(...checkCertificate(certificate, question))
    if (depth > 0) constraints.push(...issuerReasons(certificate, depth))
  })
  if (anchor !== -1) constraints.push(...constraintReasons(path.slice(0, anchor + 1)))
  findings.push(...constraints.map(one => newTrustFinding('CHAIN_CONSTRAINTS_FAILURE', one)))
  return { findings, path, unverified: unverifiedCompanions(companions, path) }
}

// Certificate policies along a path. RFC 5280 §6.1, without its tree: all policies are acceptable
// to the user, so only the newest level of the tree matters (RFC 9618 §3).

/** Bounds the work for a hostile certificate. */
const MAX_POLICIES = 100

const listOf = (certificate: Certificate, id: string, what: string): DerNode | undefined => {
  const extension = findExtension(certificate, id)
  return extension && expectTag(readDer(extension.value), TAG.sequence, what)
}

function bounded(nodes: readonly DerNode[]): readonly DerNode[] {
  if (nodes.length > MAX_POLICIES) throw new DerError(`a certificate has more than ${MAX_POLICIES} policies`)
  return nodes
}

/** Without the extension there is none, which empties the level. */
function policiesOf(certificate: Certificate): string[] {
  const list = listOf(certificate, OID.certificatePolicies, 'certificatePolicies')
  return bounded(list?.children ?? []).map(info => readOid(info.children[0], 'a policy'))
}

function mappingsOf(certificate: Certificate): [issuerPolicy: string, subjectPolicy: string][] {
  const list = listOf(certificate, OID.policyMappings, 'policyMappings')
  return bounded(list?.children ?? []).map(({ children: [from, to] }) => {
    const mapping: [string, string] = [readOid(from, 'a policy'), readOid(to, 'a policy')]
    if (mapping.includes(OID.anyPolicy)) throw new DerError('anyPolicy is mapped')
    return mapping
  })
}

function skipCount(node: DerNode | undefined): number | undefined {
  if (node === undefined) return undefined
  // A count of more than one octet is above every path.
  return node.contents.length === 1 ? (node.contents[0] ?? 0) : Number.MAX_SAFE_INTEGER
}

function constraintsOf(certificate: Certificate) {
  const parts = listOf(certificate, OID.policyConstraints, 'policyConstraints')?.children ?? []
  const inhibit = findExtension(certificate, OID.inhibitAnyPolicy)
  return {
    explicit: skipCount(parts.find(({ tag }) => tag === 0x80)),
    mapping: skipCount(parts.find(({ tag }) => tag === 0x81)),
    any: inhibit && skipCount(expectTag(readDer(inhibit.value), TAG.integer, 'inhibitAnyPolicy')),
  }
}

type Counters = Record<'explicit' | 'mapping' | 'any', number>
const COUNTERS = ['explicit', 'mapping', 'any'] as const

/** The valid policies so far, each with those that the next certificate may name for it. */
type Level = ReadonlyMap<string, readonly string[]>

function nextLevel(level: Level, policies: readonly string[], mayBeAny: boolean): Level {
  const next = new Map<string, readonly string[]>()
  const expected = new Set([...level.values()].flat())
  for (const policy of policies) {
    if (policy !== OID.anyPolicy && (expected.has(policy) || level.has(OID.anyPolicy))) next.set(policy, [policy])
  }
  if (policies.includes(OID.anyPolicy) && mayBeAny) {
    for (const policy of expected) if (!next.has(policy)) next.set(policy, [policy])
  }
  return next
}

/** RFC 5280 §6.1.4 (a), (b). */
function mapLevel(level: Level, mappings: readonly [string, string][], isAllowed: boolean): Level {
  const mapped = new Map(level)
  for (const from of new Set(mappings.map(([issuerPolicy]) => issuerPolicy))) {
    const to = mappings.filter(([issuerPolicy]) => issuerPolicy === from).map(([, subjectPolicy]) => subjectPolicy)
    if (!isAllowed) mapped.delete(from)
    else if (mapped.has(from) || mapped.has(OID.anyPolicy)) mapped.set(from, to)
  }
  return mapped
}

/** RFC 5280 §6.1.4 (h) to (j). */
function nextCounters(before: Counters, certificate: Certificate, isSelfIssued: boolean): Counters {
  const found = constraintsOf(certificate)
  const left = (name: keyof Counters) => (isSelfIssued ? before[name] : Math.max(0, before[name] - 1))
  const [explicit, mapping, any] = COUNTERS.map(name => Math.min(left(name), found[name] ?? left(name))) as [
    number,
    number,
    number,
  ]
  return { explicit, mapping, any }
}

/** §6.1.5 (a), (b): of the end certificate only requireExplicitPolicy 0 has an effect. */
const finalExplicit = ({ explicit }: Counters, end: Certificate): number =>
  constraintsOf(end).explicit === 0 ? 0 : Math.max(0, explicit - 1)

/**
 * Whether the path meets the policies that its authorities require. `path`: the end certificate
 * first, the trusted one last; the trusted one only restricts (RFC 5937 §3.2). @throws DerError
 */
export function meetsPolicies(path: readonly Certificate[], isSelfIssued: (certificate: Certificate) => boolean): boolean {
  const [anchor, ...below] = path.toReversed()
  const end = below.at(-1)
  if (anchor === undefined || end === undefined) return true
  const most = below.length + 1
  let counters = nextCounters({ explicit: most, mapping: most, any: most }, anchor, true)
  let level: Level = new Map([[OID.anyPolicy, [OID.anyPolicy]]])
  for (const certificate of below) {
    const mayBeAny = counters.any > 0 || (certificate !== end && isSelfIssued(certificate))
    level = nextLevel(level, policiesOf(certificate), mayBeAny)
    if (counters.explicit === 0 && level.size === 0) return false
    if (certificate === end) break
    level = mapLevel(level, mappingsOf(certificate), counters.mapping > 0)
    counters = nextCounters(counters, certificate, isSelfIssued(certificate))
  }
  return level.size > 0 || finalExplicit(counters, end) > 0
}
