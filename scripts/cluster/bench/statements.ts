/** Counts statements and round trips of each request, on the wire between a node and PostgreSQL. */
import { documentOf, signersOf } from '../client.ts'
import { Cluster } from '../cluster.ts'
import type { PostgresProxy } from '../postgres-proxy.ts'
import type { Site } from '../site.ts'

const RUNS = 12
/** Jobs of the request before have ended then. */
const QUIET_MS = 250

export interface VerbCost {
  verb: string
  statements: number
  roundTrips: number
  ms: number
}

class Costs {
  readonly #proxy: PostgresProxy
  readonly #best = new Map<string, VerbCost>()

  constructor(proxy: PostgresProxy) {
    this.#proxy = proxy
  }

  /** Waits until nothing is asked but what is asked every second. */
  async #quiet(): Promise<void> {
    for (let before = -1; before !== this.#proxy.statements; ) {
      before = this.#proxy.statements
      await Bun.sleep(QUIET_MS)
    }
  }

  /** A poll may fall into a request: the fewest of several runs has none. */
  async of<T>(verb: string, work: () => Promise<T>): Promise<T> {
    await this.#quiet()
    const { statements, roundTrips } = this.#proxy
    const startedMs = performance.now()
    const result = await work()
    const cost = {
      verb,
      statements: this.#proxy.statements - statements,
      roundTrips: this.#proxy.roundTrips - roundTrips,
      ms: performance.now() - startedMs,
    }
    const best = this.#best.get(verb)
    if (best === undefined || cost.statements < best.statements) this.#best.set(verb, cost)
    return result
  }

  list(): VerbCost[] {
    return [...this.#best.values()]
  }
}

export async function measureStatements(site: Site): Promise<VerbCost[]> {
  const cluster = await Cluster.open(site, { engine: 'postgresql', nodes: 1 })
  const [proxy] = cluster.postgresProxies
  if (proxy === undefined) throw new Error('there is no proxy')
  const costs = new Costs(proxy)
  try {
    for (let i = 0; i < RUNS; i++) await oneDocument(cluster, costs, `cost-${i}`)
    return costs.list()
  } finally {
    await cluster.close()
  }
}

async function oneDocument(cluster: Cluster, costs: Costs, title: string): Promise<void> {
  const { client } = cluster
  const signers = signersOf(title)
  const body = await documentOf(title, signers)
  const key = crypto.randomUUID()
  const created = await costs.of('create, with an Idempotency-Key', () => client.once('POST', '/documents', { body, key }))
  const id = String(created.body.id)
  await costs.of('GET /documents/{id}, after a change', () => client.once('GET', `/documents/${id}`))
  await costs.of('GET /documents/{id}, again', () => client.once('GET', `/documents/${id}`))
  await costs.of('GET /documents', () => client.once('GET', '/documents'))
  await costs.of('send', () => client.once('POST', `/documents/${id}/send`, { key: `send-${id}` }))
  for (const [i, signer] of signers.entries()) {
    const link = await client.linkTo(signer.email)
    const visit = await costs.of('open a link: landing, button, form', () => client.openLink(link))
    const verb = i === 0 ? 'finish, first signer' : 'finish, last signer'
    await costs.of(verb, () => visit.finishOnce(signer.name))
  }
  await client.untilCompleted([id], 60_000)
}
