/**
 * For whom the present work is done. Requests and jobs set it; the queue of child tasks shares its
 * slots by it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscriberNetwork } from '../lib/net-guard.ts'

/** Work without a person: jobs and the service's own start. */
const SERVICE = 'service'

// Tasks are made many calls below the request that knows its owner, and its work may be shared.
const owners = new AsyncLocalStorage<string>()

/** Everything that `work` starts is done for this owner. */
export function asOwner<T>(owner: string, work: () => T): T {
  return owners.run(owner, work)
}

/** Everything that `work` starts is done for the service itself. */
export function asService<T>(work: () => T): T {
  return owners.run(SERVICE, work)
}

export function currentOwner(): string {
  return owners.getStore() ?? SERVICE
}

/** A person, whose tokens and sessions share it, or a token without a person. */
export const accountOwner = (id: string): string => `account ${id}`

/** Somebody without an account. Addresses of one subscriber's network share it. */
export const addressOwner = (ip: string | undefined): string => `address ${ip === undefined ? '' : subscriberNetwork(ip)}`
