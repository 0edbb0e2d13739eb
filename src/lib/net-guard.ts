/**
 * Which network addresses the service may call for somebody else: the special-purpose ranges are refused unless a network is listed as allowed.
 * Judges addresses, URLs and resolved names; dials nothing. IANA IPv4/IPv6 Special-Purpose Address Registries (RFC 6890 and what updates it).
 */
import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** A range of addresses, both ends included. */
export interface Network {
  family: 4 | 6
  first: bigint
  last: bigint
  /** As it was written. */
  text: string
}

interface Address {
  family: 4 | 6
  value: bigint
}

/** Resolves a name to all its addresses; `dns.lookup` unless a test hands in another. */
export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>

export interface Rules {
  /** Networks that may be called although they lie in a refused range. */
  allow: readonly Network[]
  /** Addresses of this host, refused like the ranges. */
  own?: readonly string[]
}

export type Resolution =
  /** `addresses` holds every checked address, `address` the first of them: the one to dial. */
  | { outcome: 'resolved'; address: string; family: 4 | 6; addresses: { address: string; family: 4 | 6 }[] }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unresolved'; reason: string }

const SPECIAL: [cidr: string, what: string][] = [
  ['0.0.0.0/8', 'an address of this network'],
  ['10.0.0.0/8', 'a private address'],
  ['100.64.0.0/10', 'a shared (carrier) address'],
  ['127.0.0.0/8', 'a loopback address'],
  ['168.63.129.16/32', 'a metadata address'],
  ['169.254.0.0/16', 'a link-local or metadata address'],
  ['172.16.0.0/12', 'a private address'],
  ['192.0.0.0/24', 'an address for protocol assignments'],
  ['192.0.2.0/24', 'a documentation address'],
  ['192.88.99.0/24', 'a relay address'],
  ['192.168.0.0/16', 'a private address'],
  ['198.18.0.0/15', 'a benchmarking address'],
  ['198.51.100.0/24', 'a documentation address'],
  ['203.0.113.0/24', 'a documentation address'],
  ['224.0.0.0/4', 'a multicast address'],
  ['240.0.0.0/4', 'a reserved address'],
  ['::/128', 'the unspecified address'],
  ['::1/128', 'a loopback address'],
  ['::/96', 'an address of the retired IPv4-compatible form'],
  ['64:ff9b:1::/48', 'an address of a local translation prefix'],
  ['100::/64', 'a discard address'],
  ['2001::/32', 'a Teredo address'],
  ['2001:2::/48', 'a benchmarking address'],
  ['2001:10::/28', 'a retired ORCHID address'],
  ['2001:db8::/32', 'a documentation address'],
  ['2002::/16', 'a 6to4 address'],
  ['3fff::/20', 'a documentation address'],
  ['5f00::/16', 'a segment routing address'],
  ['fc00::/7', 'a private address'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a site-local address'],
  ['ff00::/8', 'a multicast address'],
]

/** IPv4-mapped (RFC 4291 §2.5.5.2) and the well-known NAT64 prefix (RFC 6052 §2.1): both carry an IPv4 address, which is what counts. */
const WRAPPERS = [0xffffn << 32n, 0x64ff9bn << 96n]
const LOW_32_BITS = 0xffff_ffffn
const REFUSED = SPECIAL.map(([cidr, what]) => ({ network: parseNetwork(cidr), what }))

/** Reads networks in CIDR notation, or single addresses, parted by commas or white space. Throws an `Error` that names the bad entry. */
export function parseNetworks(text: string): Network[] {
  return text
    .split(/[\s,]+/)
    .filter(entry => entry !== '')
    .map(parseNetwork)
}

function parseNetwork(text: string): Network {
  const [, host = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (!address) throw new Error(`"${text}" is not a network; write it like 10.0.0.0/8 or fd00::/8`)
  const whole = address.family === 4 ? 32 : 128
  const bits = length === undefined ? whole : Number(length)
  if (bits > whole) throw new Error(`"${text}" is not a network: an IPv${address.family} prefix has at most ${whole} bits`)
  const span = (1n << BigInt(whole - bits)) - 1n
  const first = address.value & ~span
  if (first !== address.value) {
    throw new Error(
      `"${text}" is not a network: it has bits set beyond its prefix; write ${formatAddress(address.family, first)}/${bits}`,
    )
  }
  const start = unwrap(address)
  if (start.family === 4 && address.family === 6 && bits >= 96) {
    return { family: 4, first: start.value, last: start.value + span, text }
  }
  return { family: address.family, first, last: first + span, text }
}

function parseAddress(text: string): Address | undefined {
  switch (isIP(text)) {
    case 4:
      return { family: 4, value: text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n) }
    case 6:
      return text.includes('%') ? undefined : { family: 6, value: valueOfIPv6(text) }
    default:
      return undefined
  }
}

/** Groups addresses that one subscriber holds: an IPv4 address by itself, IPv6 by its /64. Text that is no address is its own group. */
export function subscriberNetwork(text: string): string {
  const parsed = parseAddress(text)
  if (!parsed) return text
  const address = unwrap(parsed)
  return address.family === 4 ? formatAddress(4, address.value) : `${formatAddress(6, (address.value >> 64n) << 64n)}/64`
}

function valueOfIPv6(text: string): bigint {
  const hex = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map(group => group.toString(16)).join(':'),
  )
  const [head = '', tail] = hex.split('::')
  const groupsOf = (part: string) => part.split(':').filter(group => group !== '')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const groups = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

function formatAddress(family: 4 | 6, value: bigint): string {
  const count = family === 4 ? 4 : 8
  const size = family === 4 ? 8n : 16n
  const parts = Array.from({ length: count }, (_, i) => (value >> (size * BigInt(count - 1 - i))) & ((1n << size) - 1n))
  if (family === 4) return parts.join('.')
  return new URL(`http://[${parts.map(part => part.toString(16)).join(':')}]`).hostname.slice(1, -1)
}

function unwrap(address: Address): Address {
  const isWrapped = address.family === 6 && WRAPPERS.includes(address.value & ~LOW_32_BITS)
  return isWrapped ? { family: 4, value: address.value & LOW_32_BITS } : address
}

function holds(network: Network, address: Address): boolean {
  return network.family === address.family && network.first <= address.value && address.value <= network.last
}

/** Whether the address, unwrapped from its IPv6 form where it carries an IPv4 one, lies in one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && networks.some(network => holds(network, unwrap(parsed)))
}

/** Why the address must not be called, as the end of a sentence; `undefined` when it may. What is no address at all is refused. */
export function addressRefusal(address: string, { allow, own = [] }: Rules): string | undefined {
  const parsed = parseAddress(address)
  if (!parsed) return `${JSON.stringify(address)} is not an IP address`
  const inner = unwrap(parsed)
  if (allow.some(network => holds(network, inner))) return undefined
  const special = REFUSED.find(({ network }) => holds(network, inner))
  if (special) return `${address} is ${special.what} (${special.network.text})`
  const isOwn = own.some(text => {
    const mine = parseAddress(text)
    return mine && unwrap(mine).family === inner.family && unwrap(mine).value === inner.value
  })
  return isOwn ? `${address} is an address of this host` : undefined
}

/** The addresses of this host's network interfaces. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address.replace(/%.*$/, '')))
}

/** Judges a URL by its text alone; names are resolved only when they are dialled. A refusal is a sentence safe to show. */
export function checkUrl(text: string, allow: readonly Network[]): { url: URL } | { refusal: string } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser drops them in silence
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return { refusal: 'The URL must not contain spaces, control characters or backslashes.' }
  if (text.length > 2048) return { refusal: 'The URL must not be longer than 2048 characters.' }
  if (!/^https?:\/\/[^/?#]/i.test(text)) return { refusal: 'The URL must begin with https:// or http:// and a host.' }
  if (!URL.canParse(text)) return { refusal: 'The URL cannot be read; check its host and port.' }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return { refusal: 'The URL must not contain a user name or password.' }
  }
  if (text.includes('#')) return { refusal: 'The URL must not contain a fragment (#…): it would never be sent.' }
  if (url.port === '0') return { refusal: 'The URL must not name port 0.' }
  const refusal = refusedHost(url.hostname, { allow })
  return refusal === undefined ? { url } : { refusal }
}

function refusedHost(hostname: string, rules: Rules): string | undefined {
  const host = bare(hostname)
  const sentence = (reason: string) => `The URL's host is refused: ${reason}.`
  if (isIP(host)) {
    const reason = addressRefusal(host, rules)
    return reason === undefined ? undefined : sentence(`${reason}; an administrator can list its network as allowed`)
  }
  const name = host.replace(/\.$/, '')
  if (name.length > 253 || !name.split('.').every(label => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))) {
    return sentence(`${JSON.stringify(host)} is not a host name`)
  }
  // RFC 6761 §6.3: names under localhost always mean this host.
  if (!/(^|\.)localhost$/.test(name)) return undefined
  const isAllowed = ['127.0.0.1', '::1'].some(address => addressRefusal(address, rules) === undefined)
  return isAllowed ? undefined : sentence(`${host} is this host; an administrator can list its network as allowed`)
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

async function lookupAll(host: string): Promise<{ address: string; family: number }[]> {
  return dnsLookup(host, { all: true })
}

/**
 * Resolves the host once and checks every address it has: one refused address refuses the host. Nobody may resolve it again, the answer's
 * addresses are the ones to dial. `host` is a name or an address, in brackets or not.
 */
export async function resolveChecked(
  host: string,
  { allow, own = ownAddresses(), lookup = lookupAll }: Rules & { lookup?: Lookup },
): Promise<Resolution> {
  const name = bare(host)
  const found = isIP(name) ? [{ address: name }] : await lookup(name).catch((error: Error & { code?: string }) => error)
  if (found instanceof Error)
    return { outcome: 'unresolved', reason: `${name} could not be resolved (${found.code ?? found.message})` }
  const addresses: { address: string; family: 4 | 6 }[] = []
  for (const { address } of found) {
    const reason = addressRefusal(address, { allow, own })
    if (reason !== undefined)
      return { outcome: 'refused', reason: address === name ? reason : `${name} resolves to ${address}: ${reason}` }
    addresses.push({ address, family: isIP(address) === 6 ? 6 : 4 })
  }
  const [first] = addresses
  if (!first) return { outcome: 'unresolved', reason: `${name} has no address` }
  return { outcome: 'resolved', ...first, addresses }
}
