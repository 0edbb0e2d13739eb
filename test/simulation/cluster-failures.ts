/** Begins and ends what goes wrong between several nodes, their database and their bucket. */
import type { Client } from './client.ts'
import type { ClusterAction } from './cluster-actions.ts'
import type { Model } from './model.ts'
import type { Service, Shared } from './nodes.ts'
import { Upgrade } from './upgrade.ts'
import { Life, type World } from './world.ts'

const TIME = new Life('failure')

export class ClusterFailures {
  readonly #upgrade: Upgrade

  constructor(
    readonly world: World,
    readonly service: Service,
    readonly shared: Shared,
    model: Model,
  ) {
    this.#upgrade = new Upgrade(shared.server, model)
  }

  async begin(action: ClusterAction, program: Client): Promise<void> {
    const { world, shared } = this
    switch (action.kind) {
      case 'bucket':
        shared.bucket.way = action.way
        return
      case 'database down':
        shared.server.shutDown()
        world.after(TIME, action.ms, () => {
          shared.server.isDown = false
        })
        return
      case 'older node':
        return this.#upgrade.serveOlder(action.ms)
      case 'probe':
        return this.#upgrade.probe(program, world.steps)
      default:
        return this.#beginOf(action)
    }
  }

  async #beginOf(action: Extract<ClusterAction, { node: number }>): Promise<void> {
    const { world, shared, service } = this
    const i = action.node % service.nodes.length
    const [node, link] = [service.nodes[i], shared.links[i]]
    if (!node || !link) return
    switch (action.kind) {
      case 'freeze':
        node.freeze(action.ms)
        return
      case 'statement':
        link.failure = { at: action.at, way: action.way, after: action.after, ofRequest: action.ofRequest }
        return
      case 'cut':
        if (node.life) shared.server.cut(node.life)
        return
      case 'silence':
        link.isSilent = true
        world.after(TIME, action.ms, () => {
          link.isSilent = false
        })
        return
      case 'finish upgrade':
        if (node.app) await this.#upgrade.finish(node.app, node)
    }
  }

  /** A frozen node goes on. */
  end(): void {
    const { server, bucket, links } = this.shared
    server.isDown = false
    bucket.way = 'works'
    for (const link of links) Object.assign(link, { isSilent: false, failure: undefined })
    for (const { life } of this.service.nodes) if (life) life.isFrozen = false
  }
}
