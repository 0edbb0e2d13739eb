/** An upgrade, beside nodes of the release before, and what can be used when it is finished. */
import { Refusal } from '../../src/core/refusal.ts'
import { finishUpgrade } from '../../src/health/upgrade.ts'
import { type App, COMMAND_LINE } from '../../src/ports.ts'
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import type { Client } from './client.ts'
import type { Installation } from './instance.ts'
import type { Model } from './model.ts'
import { OlderNode } from './older-node.ts'
import type { SimulatedServer } from './postgresql.ts'

/** Documents that try what is new: nobody asked for them. */
export const PROBE = 'Probe'

export class Upgrade {
  #older = 0

  constructor(
    readonly server: SimulatedServer,
    readonly model: Model,
  ) {}

  async #isFinished(): Promise<boolean> {
    return (await this.server.look<{ level: number }>('SELECT feature_level AS level FROM cluster'))[0]?.level !== 0
  }

  serveOlder(ms: number): Promise<void> {
    const { server, model } = this
    return new OlderNode(server, ++this.#older, sentence => model.violate(sentence)).serve(ms)
  }

  /** By an administrator: refused while an older node serves. */
  async finish(app: App, node: Installation): Promise<void> {
    // Of this process: the next one may serve before the oracle has looked.
    const { gone } = node
    const before = await this.#olderBoots()
    const wasFinished = await this.#isFinished()
    const done = await Promise.race([finishUpgrade(app, COMMAND_LINE).catch(refusedOnly), gone])
    const after = await this.#olderBoots()
    // One that was removed could not come back.
    if (done && !wasFinished && before.some(boot => after.includes(boot)))
      this.model.violate('an upgrade was finished beside an older node')
  }

  async #olderBoots(): Promise<string[]> {
    return (await this.server.look<{ boot: string }>('SELECT boot FROM nodes WHERE feature_level = 0')).map(({ boot }) => boot)
  }

  /** What older nodes would ignore is refused until the upgrade is finished. */
  async probe(program: Client, number: number): Promise<void> {
    const before = await this.#isFinished()
    const body = {
      title: `${PROBE} ${number}`,
      fileName: 'probe.pdf',
      file: await samplePdf(1),
      recipients: ['Ada', 'Grace'].map((name, i) => ({
        email: 'both@example.com',
        name,
        fields: [{ ...SIGNATURE, y: 10 + 20 * i }],
      })),
      send: true,
    }
    const answer = await program.ask('POST', '/documents', body, { 'idempotency-key': `probe-${number}` })
    const after = await this.#isFinished()
    if (answer?.status === 201 && !after) this.model.violate('what older nodes ignore was used before the upgrade was finished')
    if (answer?.body.error?.code === 'upgrade_unfinished' && before)
      this.model.violate('what is new is refused after the upgrade was finished')
  }
}

async function refusedOnly(error: unknown): Promise<false> {
  if (error instanceof Refusal) return false
  throw error
}
