/** Programs that follow all documents from any node miss no change, by cursor and by time. */
import type { Cluster } from '../cluster.ts'
import { disturbed, type Trial, withCluster } from './trial.ts'

const CLIENTS = 6
const KILLS = 6
const PAGE = 20

interface Page {
  data: { id: string; updatedAt: string }[]
  nextCursor: string | null
  asOf: string
}

/** Each request goes to the next node. */
class Follower {
  /** The newest change that it has seen of each document. */
  readonly seen = new Map<string, string>()
  readonly #cluster: Cluster
  readonly #order: 'created' | 'changed'
  /** Of the next page, or the time after which it asks. */
  #position: string | undefined
  #isOver = false
  #running: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, order: 'created' | 'changed') {
    this.#cluster = cluster
    this.#order = order
  }

  start(): void {
    this.#running = this.#follow()
  }

  /** Reads on until nothing is new. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#running
    await this.#read()
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) await this.#read()
  }

  #read(): Promise<void> {
    return this.#order === 'changed' ? this.#readByCursor() : this.#readByTime()
  }

  async #readByCursor(): Promise<void> {
    for (let count = PAGE; count > 0; ) {
      const { data, nextCursor } = await this.#page({ cursor: this.#position })
      this.#position = nextCursor ?? this.#position
      count = data.length
    }
  }

  async #readByTime(): Promise<void> {
    const updatedAfter = this.#position
    let page = await this.#page({ updatedAfter })
    this.#position = page.asOf
    while (page.nextCursor !== null) page = await this.#page({ updatedAfter, cursor: page.nextCursor })
  }

  async #page(asked: Record<string, string | undefined>): Promise<Page> {
    const query = new URLSearchParams({ order: this.#order, limit: String(PAGE) })
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value)
    const { status, body } = await this.#cluster.client.call('GET', `/documents?${query}`)
    if (status !== 200) throw new Error(`the list answered ${status} ${JSON.stringify(body)}`)
    for (const { id, updatedAt } of body.data) this.seen.set(id, updatedAt)
    return body
  }
}

export const followers: Trial = {
  name: 'followers',
  title: 'programs follow all changes by cursor and by time, under work, while nodes are killed',
  isForSqlite: true,
  run: context =>
    withCluster(context, {}, async cluster => {
      const all = [new Follower(cluster, 'changed'), new Follower(cluster, 'created')]
      for (const follower of all) follower.start()
      await disturbed(context, cluster, CLIENTS, async () => {
        for (let i = 0; i < KILLS; i++) {
          await Bun.sleep(2_000 + Math.random() * 2_000)
          const node = cluster.node(i % cluster.nodes.length)
          await node.kill()
          node.launch()
          await cluster.untilReady()
        }
      })
      await Promise.all(all.map(follower => follower.end()))
      const rows = await cluster.rows("SELECT id, updated_at FROM documents WHERE id LIKE 'doc_%' AND status <> 'template'")
      for (const [way, { seen }] of [
        ['cursor', all[0]],
        ['time', all[1]],
      ] as [string, Follower][]) {
        const missed = rows.filter(({ id, updated_at }) => seen.get(String(id)) !== updated_at)
        const first = missed[0] && `; first ${missed[0].id}: ${seen.get(String(missed[0].id))}, not ${missed[0].updated_at}`
        context.report.promise(
          `who follows by ${way} has the last change of each document`,
          rows.length > 0 && missed.length === 0,
          `${rows.length - missed.length} of ${rows.length}${first ?? ''}`,
        )
      }
    }),
}
