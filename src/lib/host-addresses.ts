/** The addresses of names and of this host, as the system knows them. */
import { networkInterfaces } from 'node:os'
import type { Lookup } from './net-guard.ts'

/** Most processes look up no name, and the module takes 2 ms of each start. */
export const lookup: Lookup = async host => (await import('node:dns/promises')).lookup(host, { all: true })

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address.replace(/%.*$/, '')))
}
