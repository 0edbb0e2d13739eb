/** Name constraints of authorities on the names of certificates below them. RFC 5280 §4.2.1.10. */
import { EMPTY_BYTES, toHex } from '../lib/bytes.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import { OID } from './oid.ts'
import { type Certificate, findExtension } from './x509.ts'

/** A GeneralName, or the base of a GeneralSubtree (RFC 5280 §4.2.1.6). */
interface Name {
  /** The number of its form: 1 rfc822Name, 2 dNSName, 4 directoryName, 6 URI, 7 iPAddress. */
  form: number
  node: DerNode
}

export interface NameConstraints {
  permitted: readonly Name[]
  excluded: readonly Name[]
}

const FORM_NAMES: Readonly<Record<number, string>> = {
  0: 'another name',
  1: 'e-mail address',
  2: 'DNS name',
  3: 'X.400 address',
  4: 'directory name',
  5: 'EDI party name',
  6: 'URI',
  7: 'IP address',
  8: 'registered identifier',
}

const formOf = ({ tag }: DerNode): number => tag & 0x1f
const toText = ({ contents }: DerNode): string => new TextDecoder('latin1').decode(contents)

function readSubtrees(list: DerNode | undefined): Name[] {
  return (list?.children ?? []).map(subtree => {
    const [base, ...range] = expectTag(subtree, TAG.sequence, 'a subtree').children
    if (base === undefined) throw new DerError('a subtree has no base')
    // RFC 5280: minimum is 0, which DER omits, and maximum is absent.
    if (range.length > 0) throw new DerError('a subtree has a minimum or maximum')
    return { form: formOf(base), node: base }
  })
}

/** Undefined if the certificate has none. @throws DerError */
export function readNameConstraints(authority: Certificate): NameConstraints | undefined {
  const extension = findExtension(authority, OID.nameConstraints)
  if (extension === undefined) return undefined
  const { children } = expectTag(readDer(extension.value), TAG.sequence, 'nameConstraints')
  const [permitted, excluded] = [0xa0, 0xa1].map(tag => children.find(node => node.tag === tag))
  return { permitted: readSubtrees(permitted), excluded: readSubtrees(excluded) }
}

/** The subject, its e-mail addresses, and all alternative names. @throws DerError */
function namesOf(certificate: Certificate): Name[] {
  const subject = readDer(certificate.subject)
  const emails = subject.children
    .flatMap(set => set.children)
    .filter(part => readOid(part.children[0], 'the type of a name part') === OID.emailAddress)
    .flatMap(part => part.children[1] ?? [])
  const extension = findExtension(certificate, OID.subjectAltName)
  const others = extension === undefined ? [] : expectTag(readDer(extension.value), TAG.sequence, 'subjectAltName').children
  return [
    ...(subject.children.length === 0 ? [] : [{ form: 4, node: { ...subject, tag: 0xa4, children: [subject] } }]),
    ...emails.map(node => ({ form: 1, node })),
    ...others.map(node => ({ form: formOf(node), node })),
  ]
}

const lower = (text: string): string => text.toLowerCase().replace(/\.$/, '')

/** `.example.com`: hosts below it; `example.com`: exactly this host. */
function isHostWithin(host: string, base: string): boolean {
  return base.startsWith('.') ? host.endsWith(base) && host.length > base.length : host === base
}

function isMailboxWithin(address: string, base: string): boolean {
  const at = address.lastIndexOf('@')
  if (at === -1) return false
  const [local, host] = [address.slice(0, at), lower(address.slice(at + 1))]
  const baseAt = base.lastIndexOf('@')
  if (baseAt === -1) return base === '' || isHostWithin(host, lower(base))
  return local === base.slice(0, baseAt) && host === lower(base.slice(baseAt + 1))
}

/** A leading dot is not in the standard, but in use: hosts below it. */
function isDnsNameWithin(name: string, base: string): boolean {
  const [host, above] = [lower(name), lower(base)]
  if (above === '' || host === above) return true
  return host.endsWith(above.startsWith('.') ? above : `.${above}`)
}

/** A name of a host has no colon, and never only numbers. */
const isAddress = (host: string): boolean => host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host)

/** Undefined without a host name: no constraint applies to it. */
function hostOfUri(uri: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1]
  const host = authority?.replace(/^.*@/, '').replace(/:\d*$/, '')
  return host === undefined || host === '' || host.startsWith('[') || isAddress(host) ? undefined : lower(host)
}

function isAddressWithin(address: Uint8Array, base: Uint8Array): boolean {
  const size = address.length
  if ((size !== 4 && size !== 16) || base.length !== 2 * size) return false
  return address.every((octet, i) => (octet & (base[size + i] ?? 0)) === ((base[i] ?? 0) & (base[size + i] ?? 0)))
}

const TEXT_TAGS = new Set<number>([TAG.utf8String, TAG.printableString, TAG.t61String, TAG.ia5String, TAG.bmpString])

/** RFC 5280 §7.1: letters of either case, and any white space, are equal. */
function comparable(value: DerNode | undefined): string {
  if (value === undefined) return ''
  if (!TEXT_TAGS.has(value.tag)) return toHex(value.encoded)
  const encoding = value.tag === TAG.bmpString ? 'utf-16be' : value.tag === TAG.utf8String ? 'utf-8' : 'latin1'
  return `=${new TextDecoder(encoding).decode(value.contents).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()}`
}

const comparableSet = (set: DerNode): string =>
  set.children
    .map(({ children: [type, value] }) => `${toHex(type?.contents ?? EMPTY_BYTES)}${comparable(value)}`)
    .sort()
    .join('\n')

/** The parts of the base are the first parts of the name. */
function isDirectoryNameWithin(name: DerNode, base: DerNode): boolean {
  const [parts, first] = [name, base].map(node => node.children[0]?.children ?? []) as [DerNode[], DerNode[]]
  return first.length <= parts.length && first.every((set, i) => comparableSet(set) === comparableSet(parts[i] ?? set))
}

const MATCHES: Readonly<Record<number, (name: DerNode, base: DerNode) => boolean>> = {
  1: (name, base) => isMailboxWithin(toText(name), toText(base)),
  2: (name, base) => isDnsNameWithin(toText(name), toText(base)),
  4: isDirectoryNameWithin,
  6: (name, base) => {
    const host = hostOfUri(toText(name))
    return host !== undefined && isHostWithin(host, lower(toText(base)))
  },
  7: (name, base) => isAddressWithin(name.contents, base.contents),
}

/** A form that is constrained and not understood, or a URI without a host, is refused. */
function isAllowed({ form, node }: Name, { permitted, excluded }: NameConstraints): boolean {
  const [inside, outside] = [permitted, excluded].map(list => list.filter(one => one.form === form)) as [Name[], Name[]]
  if (inside.length + outside.length === 0) return true
  const matches = MATCHES[form]
  if (matches === undefined || (form === 6 && hostOfUri(toText(node)) === undefined)) return false
  if (outside.some(base => matches(node, base.node))) return false
  return inside.length === 0 || inside.some(base => matches(node, base.node))
}

/** The form of the first name that the constraints do not allow, in words. @throws DerError */
export function findForbiddenName(certificate: Certificate, constraints: NameConstraints): string | undefined {
  const found = namesOf(certificate).find(name => !isAllowed(name, constraints))
  return found && (FORM_NAMES[found.form] ?? `name of form ${found.form}`)
}
