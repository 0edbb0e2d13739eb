/**
 * Certificate policies along a path. RFC 5280 §6.1, without its tree: all policies are acceptable
 * to the user, so only the newest level of the tree matters (RFC 9618 §3).
 */
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import { OID } from './oid.ts'
import type { Certificate } from './x509.ts'
import { findExtension } from './x509-extensions.ts'

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
