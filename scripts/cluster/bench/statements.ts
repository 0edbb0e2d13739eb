/** Counts statements and round trips of each request, on the wire between a node and PostgreSQL. */
import { documentOf, signersOf } from '../client.ts'
import { Cluster } from '../cluster.ts'
import type { PostgresProxy } from '../postgres-proxy.ts'
import type { Site } from '../site.ts'

const RUNS = 12
/** Jobs of the request before have ended then. */
const QUIET_MS = 250
const MAX_QUIET_MS = 3_000
const IDLE_MS = 10_000

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
    const deadline = performance.now() + MAX_QUIET_MS
    for (let before = -1; before !== this.#proxy.statements && performance.now() < deadline; ) {
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

/** A document from its creation to its seal with all mails and deliveries. */
export interface DocumentCost {
  statements: number
  roundTrips: number
  transactions: number
  /** How long its transactions hold the writer row, which one of all nodes has at a time. */
  heldMs: number
  /** Of a node that nobody uses, a second. */
  idleStatements: number
  idleTransactions: number
}

/** Less what a node asks when nobody uses it. */
async function costOfDocuments(cluster: Cluster, proxy: PostgresProxy): Promise<DocumentCost> {
  const read = () => [proxy.statements, proxy.roundTrips, proxy.commits, proxy.heldMs]
  const startMs = performance.now()
  const before = read()
  for (let i = 0; i < RUNS; i++) await cluster.client.wholeStory(`whole-${i}`, signersOf(`whole-${i}`))
  await cluster.client.untilCompleted([...cluster.client.promised.sent], 60_000)
  await Bun.sleep(QUIET_MS * 4)
  const busyMs = performance.now() - startMs
  const after = read()
  await Bun.sleep(IDLE_MS)
  const idlePerMs = read().map((value, i) => (value - (after[i] ?? 0)) / IDLE_MS)
  const idle = idlePerMs.map(rate => rate * busyMs)
  const [statements = 0, roundTrips = 0, transactions = 0, heldMs = 0] = after.map(
    (value, i) => (value - (before[i] ?? 0) - (idle[i] ?? 0)) / RUNS,
  )
  const [idleStatements = 0, , idleTransactions = 0] = idlePerMs.map(rate => 1000 * rate)
  return { statements, roundTrips, transactions, heldMs, idleStatements, idleTransactions }
}

export async function measureStatements(site: Site): Promise<{ verbs: VerbCost[]; document: DocumentCost }> {
  const cluster = await Cluster.open(site, { engine: 'postgresql', nodes: 1 })
  const [proxy] = cluster.postgresProxies
  if (proxy === undefined) throw new Error('there is no proxy')
  const costs = new Costs(proxy)
  // Its questions would be counted, too.
  cluster.balancer.close()
  try {
    for (let i = 0; i < RUNS; i++) await oneDocument(cluster, costs, `cost-${i}`)
    return { verbs: costs.list(), document: await costOfDocuments(cluster, proxy) }
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
