/**
 * Decides which addresses the service may call: special-purpose ranges (RFC 6890 and later) only if
 * they are allowed. Sends nothing.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AddressViolation, addressText, addressViolation, HOST_TEXTS, SERVER_TEXTS, SPECIAL_TEXTS } from './failure-texts.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface Network {
  prefix: [address: Address, bits: number]
  /** As it was written. */
  text: string
}

/** Resolves a name to all its addresses. */
export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>

export interface Rules {
  /** Networks that may be called although they are in a refused range. */
  allow: readonly Network[]
  /** Addresses of this host, refused like the ranges. */
  own?: readonly string[]
}

export type Resolution =
  /** All checked addresses; `address` is the first of them. */
  | { outcome: 'resolved'; address: string; family: 4 | 6; addresses: { address: string; family: 4 | 6 }[] }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unresolved'; reason: string }

const SPECIAL: [cidr: string, code: keyof typeof SPECIAL_TEXTS][] = [
  ['0.0.0.0/8', 'own_network'],
  ['10.0.0.0/8', 'private_address'],
  ['100.64.0.0/10', 'shared_address'],
  ['127.0.0.0/8', 'loopback_address'],
  ['168.63.129.16/32', 'metadata_address'],
  ['169.254.0.0/16', 'local_or_metadata_address'],
  ['172.16.0.0/12', 'private_address'],
  ['192.0.0.0/24', 'protocol_address'],
  ['192.0.2.0/24', 'documentation_address'],
  ['192.88.99.0/24', 'relay_address'],
  ['192.168.0.0/16', 'private_address'],
  ['198.18.0.0/15', 'benchmarking_address'],
  ['198.51.100.0/24', 'documentation_address'],
  ['203.0.113.0/24', 'documentation_address'],
  ['224.0.0.0/4', 'multicast_address'],
  ['240.0.0.0/4', 'reserved_address'],
  ['::/128', 'unspecified_address'],
  ['::1/128', 'loopback_address'],
  ['::/96', 'compatible_address'],
  ['64:ff9b:1::/48', 'translation_address'],
  ['100::/64', 'discard_address'],
  ['2001::/32', 'teredo_address'],
  ['2001:2::/48', 'benchmarking_address'],
  ['2001:10::/28', 'orchid_address'],
  ['2001:db8::/32', 'documentation_address'],
  ['2002::/16', 'six_to_four_address'],
  ['3fff::/20', 'documentation_address'],
  ['5f00::/16', 'routing_address'],
  ['fc00::/7', 'private_address'],
  ['fe80::/10', 'link_local_address'],
  ['fec0::/10', 'site_local_address'],
  ['ff00::/8', 'multicast_address'],
]

/** Under these, clouds give the credentials of a machine to every program on it. */
export const METADATA_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fe80::a9fe:a9fe',
]

/** IPv4-mapped (RFC 4291 §2.5.5.2) and NAT64 (RFC 6052 §2.1): the IPv4 address in it decides. */
const WRAPPERS = [ipaddr.parseCIDR('::ffff:0:0/96'), ipaddr.parseCIDR('64:ff9b::/96')]
const METADATA = new Set(METADATA_ADDRESSES.map(address => ipaddr.parse(address).toString()))
const REFUSED = SPECIAL.map(([cidr, code]) => ({ network: parseNetwork(cidr), code }))

/** Of any address that is called. */
const MAX_URL_LENGTH = 2048
export const MAX_PORT = 65_535
export const MAX_HOST_NAME = 253

/** The message is the sentence without its full stop, for whoever starts the service. */
export class NetworkTextError extends Error {
  constructor(readonly violation: AddressViolation) {
    super(addressText(violation).replace(/\.$/, ''))
  }
}

/** @throws NetworkTextError that names the wrong entry */
export function parseNetworks(text: string): Network[] {
  return text
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
    .map(parseNetwork)
}

function parseNetwork(text: string): Network {
  const [, host = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (!address) throw new NetworkTextError(addressViolation('network_unreadable', { text }))
  const [version, maxBits] = address.kind() === 'ipv4' ? [4, 32] : [6, 128]
  const bits = length === undefined ? maxBits : Number(length)
  if (bits > maxBits) throw new NetworkTextError(addressViolation('network_prefix_too_long', { text, version, bits: maxBits }))
  const first = firstAddress(address, bits)
  if (first.toString() !== address.toString())
    throw new NetworkTextError(addressViolation('network_beyond_prefix', { text, network: `${first}/${bits}` }))
  const inner = unwrap(address)
  return { prefix: inner === address || bits < 96 ? [address, bits] : [inner, bits - 96], text }
}

function firstAddress(address: Address, bits: number): Address {
  const version = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return version.networkAddressFromCIDR(`${address}/${bits}`)
}

/**
 * Accepts only the standard notations: the library would also read octal and shortened IPv4 forms,
 * and ::1.2.3.4 as if it were IPv4-mapped. The URL parser writes the latter in hexadecimal.
 */
function parseAddress(text: string): Address | undefined {
  const version = text.includes('%') ? 0 : isIP(text)
  if (version === 0) return undefined
  if (version === 4) return ipaddr.parse(text)
  // The URL parser of the runtime refuses some with an IPv4 part: they are no address here.
  const url = URL.parse(`http://[${text}]`)
  return url ? ipaddr.parse(bare(url.hostname)) : undefined
}

/** RFC 5952, without a port, as IPv4 where it is mapped; undefined for what is no address. */
export function canonicalAddress(text: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d{1,5})?$/.exec(text) ?? []
  const address = parseAddress(bracketed ?? plain ?? text)
  return address && ipaddr.process(address.toString()).toString()
}

function unwrap(address: Address): Address {
  const isWrapped = WRAPPERS.some(wrapper => isInside(address, wrapper))
  return isWrapped ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address
}

function isInside(address: Address, prefix: Network['prefix']): boolean {
  return address.kind() === prefix[0].kind() && address.match(prefix)
}

/** The addresses that one subscriber has: an IPv4 address, or the /64 of an IPv6 address. */
export function subscriberNetwork(text: string): string {
  const parsed = parseAddress(text)
  if (!parsed) return text
  const address = unwrap(parsed)
  return address.kind() === 'ipv4' ? address.toString() : `${firstAddress(address, 64)}/64`
}

/** Whether the address, or the IPv4 address it contains, is in one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && networks.some(({ prefix }) => isInside(unwrap(parsed), prefix))
}

/** For hosts that an administrator names: all addresses, but for those of metadata. */
export const ANY_NETWORK: readonly Network[] = parseNetworks('0.0.0.0/0, ::/0')

/** In any notation that `isIP` knows, also mapped. */
export function isMetadataAddress(text: string): boolean {
  const parsed = parseAddress(text)
  return parsed !== undefined && METADATA.has(unwrap(parsed).toString())
}

const isOneAddress = ([address, bits]: Network['prefix']) => bits === (address.kind() === 'ipv4' ? 32 : 128)

/**
 * The reason as the end of a sentence; `undefined` if the address may be called. A metadata address
 * is allowed by an entry for it alone, by no larger network.
 */
export function addressRefusal(address: string, { allow, own = [] }: Rules): string | undefined {
  const parsed = parseAddress(address)
  if (!parsed) return HOST_TEXTS.no_ip_address({ address: JSON.stringify(address) })
  const inner = unwrap(parsed)
  const isMetadata = isMetadataAddress(address)
  if (allow.some(({ prefix }) => isInside(inner, prefix) && (!isMetadata || isOneAddress(prefix)))) return undefined
  const special = REFUSED.find(({ network }) => isInside(inner, network.prefix))
  if (special) return SPECIAL_TEXTS[special.code]({ address, network: special.network.text })
  const isOwn = own.some(text => {
    const parsed = parseAddress(text)
    return parsed !== undefined && unwrap(parsed).toString() === inner.toString()
  })
  return isOwn ? HOST_TEXTS.own_address({ address }) : undefined
}

/** Checks a URL by its text alone. */
export function checkUrl(text: string, allow: readonly Network[]): { url: URL } | { refusal: AddressViolation } {
  const refusal = (found: AddressViolation) => ({ refusal: found })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser removes them
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refusal(addressViolation('url_with_spaces'))
  if (text.length > MAX_URL_LENGTH) return refusal(addressViolation('url_too_long', { max: MAX_URL_LENGTH }))
  if (!/^https?:\/\/[^/?#]/i.test(text)) return refusal(addressViolation('url_not_http'))
  if (!URL.canParse(text)) return refusal(addressViolation('url_unreadable'))
  const url = new URL(text)
  const hasLogin = url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)
  if (hasLogin) return refusal(addressViolation('url_with_login'))
  if (text.includes('#')) return refusal(addressViolation('url_with_fragment'))
  if (url.port === '0') return refusal(addressViolation('url_port_zero'))
  const found = refusedHost(url.hostname, { allow })
  return found === undefined ? { url } : refusal(found)
}

function refusedHost(hostname: string, rules: Rules): AddressViolation | undefined {
  const host = bare(hostname)
  if (isIP(host)) {
    const reason = addressRefusal(host, rules)
    return reason === undefined ? undefined : addressViolation('url_network_refused', { reason })
  }
  const name = host.replace(/\.$/, '')
  if (name.length > MAX_HOST_NAME || !name.split('.').every(label => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) {
    return addressViolation('url_host_refused', { host: JSON.stringify(host) })
  }
  // RFC 6761 §6.3: names under localhost always mean this host.
  if (!/(^|\.)localhost$/.test(name)) return undefined
  const isAllowed = ['127.0.0.1', '::1'].some(address => addressRefusal(address, rules) === undefined)
  return isAllowed ? undefined : addressViolation('url_network_refused', { reason: HOST_TEXTS.this_host({ host }) })
}

/**
 * The reason as the end of a sentence, for a host that an administrator names; `undefined` for any
 * but one with a metadata address, also for one that does not resolve.
 */
export async function namedHostRefusal(host: string, lookup: Lookup): Promise<string | undefined> {
  const resolution = await resolveChecked(host, { allow: ANY_NETWORK, own: [], lookup })
  return resolution.outcome === 'refused' ? resolution.reason : undefined
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Resolves the host once and checks every address: one refused address refuses the host. The caller
 * connects to the returned addresses and does not resolve the name again. `host` is a name or an
 * address, with or without brackets.
 */
export async function resolveChecked(
  host: string,
  { allow, own, lookup }: Required<Rules> & { lookup: Lookup },
): Promise<Resolution> {
  const name = bare(host)
  const found = isIP(name) ? [{ address: name }] : await lookup(name).catch((error: Error & { code?: string }) => error)
  if (found instanceof Error)
    return { outcome: 'unresolved', reason: SERVER_TEXTS.server_unresolved({ host: name, errno: found.code ?? found.message }) }
  const addresses: { address: string; family: 4 | 6 }[] = []
  for (const { address } of found) {
    const reason = addressRefusal(address, { allow, own })
    if (reason !== undefined)
      return { outcome: 'refused', reason: address === name ? reason : HOST_TEXTS.host_resolves({ host: name, address, reason }) }
    addresses.push({ address, family: isIP(address) === 6 ? 6 : 4 })
  }
  const [first] = addresses
  if (!first) return { outcome: 'unresolved', reason: SERVER_TEXTS.server_without_address({ host: name }) }
  return { outcome: 'resolved', ...first, addresses }
}
