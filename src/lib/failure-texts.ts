/** English words of this folder for what is refused or fails; other languages are in `locales`. */

const HOST_REFUSED = "The URL's host is refused"

/**
 * What is wrong with an address that somebody enters, in English. The codes are those of
 * `core/violation.ts`; other languages have their words in `locales`.
 */
export const ADDRESS_TEXTS = {
  url_with_spaces: () => 'The URL must not contain spaces, control characters or backslashes.',
  url_too_long: ({ max }: { max: number }) => `The URL must not be longer than ${max} characters.`,
  url_not_http: () => 'The URL must begin with https:// or http:// and a host.',
  url_unreadable: () => 'The URL cannot be read; check its host and port.',
  url_with_login: () => 'The URL must not contain a user name or password.',
  url_with_fragment: () => 'The URL must not contain a fragment (#…): it would never be sent.',
  url_port_zero: () => 'The URL must not name port 0.',
  url_host_refused: ({ host }: { host: string }) => `${HOST_REFUSED}: ${host} is not a host name.`,
  url_network_refused: ({ reason }: { reason: string }) =>
    `${HOST_REFUSED}: ${reason}; an administrator can list its network as allowed.`,
  network_unreadable: ({ text }: { text: string }) => `"${text}" is not a network; write it like 10.0.0.0/8 or fd00::/8.`,
  network_prefix_too_long: ({ text, version, bits }: { text: string; version: number; bits: number }) =>
    `"${text}" is not a network: an IPv${version} prefix has at most ${bits} bits.`,
  network_beyond_prefix: ({ text, network }: { text: string; network: string }) =>
    `"${text}" is not a network: it has bits set beyond its prefix; write ${network}.`,
  network_with_metadata: ({ network, address }: { network: string; address: string }) =>
    `${network} contains the metadata address ${address} of a cloud: list smaller networks.`,
}

type AddressCode = keyof typeof ADDRESS_TEXTS
type AddressParams = { [C in AddressCode]: Parameters<(typeof ADDRESS_TEXTS)[C]>[0] }
type GivenParams<C extends AddressCode> = AddressParams[C] extends undefined ? [] : [params: AddressParams[C]]
export type AddressViolation = { [C in AddressCode]: { code: C; params: AddressParams[C] } }[AddressCode]

export const addressViolation = <C extends AddressCode>(code: C, ...[params]: GivenParams<C>) =>
  ({ code, params }) as AddressViolation

export function addressText({ code, params }: AddressViolation): string {
  return (ADDRESS_TEXTS[code] as (given: unknown) => string)(params)
}

const is =
  (what: string) =>
  ({ address, network }: { address: string; network: string }) =>
    `${address} is ${what} (${network})`

/** Why an address is not called, as the end of a sentence. */
export const SPECIAL_TEXTS = {
  own_network: is('an address of this network'),
  private_address: is('a private address'),
  shared_address: is('a shared (carrier) address'),
  loopback_address: is('a loopback address'),
  metadata_address: is('a metadata address'),
  local_or_metadata_address: is('a link-local or metadata address'),
  protocol_address: is('an address for protocol assignments'),
  documentation_address: is('a documentation address'),
  relay_address: is('a relay address'),
  benchmarking_address: is('a benchmarking address'),
  multicast_address: is('a multicast address'),
  reserved_address: is('a reserved address'),
  unspecified_address: is('the unspecified address'),
  compatible_address: is('an address of the retired IPv4-compatible form'),
  translation_address: is('an address of a local translation prefix'),
  discard_address: is('a discard address'),
  teredo_address: is('a Teredo address'),
  orchid_address: is('a retired ORCHID address'),
  six_to_four_address: is('a 6to4 address'),
  routing_address: is('a segment routing address'),
  link_local_address: is('a link-local address'),
  site_local_address: is('a site-local address'),
}

/** Why another host is not called. */
export const HOST_TEXTS = {
  own_address: ({ address }: { address: string }) => `${address} is an address of this host`,
  this_host: ({ host }: { host: string }) => `${host} is this host`,
  no_ip_address: ({ address }: { address: string }) => `${address} is not an IP address`,
  host_resolves: ({ host, address, reason }: { host: string; address: string; reason: string }) =>
    `${host} resolves to ${address}: ${reason}`,
}

interface Failed {
  host: string
  /** The word of the system, which administrators search for. */
  errno: string
}

/** Why another server could not be called. */
export const SERVER_TEXTS = {
  server_refused: ({ host, errno }: Failed) => `${host} refused the connection (${errno})`,
  server_reset: ({ host, errno }: Failed) => `${host} reset the connection (${errno})`,
  server_closed_early: ({ host, errno }: Failed) => `${host} closed the connection while the request was sent (${errno})`,
  server_without_route: ({ host, errno }: Failed) => `${host} cannot be reached: no route to it (${errno})`,
  server_without_network: ({ host, errno }: Failed) => `${host} cannot be reached: the network is unreachable (${errno})`,
  server_timed_out: ({ host, errno }: Failed) => `${host} cannot be reached: the connection timed out (${errno})`,
  server_of_other_name: ({ host, errno }: Failed) => `${host} has a certificate for another name (${errno})`,
  server_certificate_over: ({ host, errno }: Failed) => `${host} has a certificate that has expired (${errno})`,
  server_self_signed: ({ host, errno }: Failed) => `${host} has a self-signed certificate (${errno})`,
  server_untrusted: ({ host, errno }: Failed) => `${host} has a certificate from an unknown authority (${errno})`,
  server_unresolved: ({ host, errno }: Failed) => `${host} could not be resolved (${errno})`,
  server_without_address: ({ host }: { host: string }) => `${host} has no address`,
  server_without_answer: ({ host }: { host: string }) => `${host} closed the connection without an answer`,
  server_silent: ({ host, time }: { host: string; time: string }) => `${host} gave no answer within ${time}`,
}

/** Why the kernel or the C library does not do what it is asked. */
export const LIBC_TEXTS = {
  libc_without: ({ functions }: { functions: string[] }) => `libc.so.6 has no ${functions.join(', ')}`,
  no_call_filter: ({ machine }: { machine: string }) => `no system call filter is known for ${machine}`,
  thread_filtered: ({ thread }: { thread: number }) => `seccomp: thread ${thread} has a filter of its own`,
}
