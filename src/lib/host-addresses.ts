/** The addresses of names and of this host, as the system knows them. */
import { lookup as dnsLookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import type { Lookup } from './net-guard.ts'

export const lookup: Lookup = host => dnsLookup(host, { all: true })

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address.replace(/%.*$/, '')))
}
