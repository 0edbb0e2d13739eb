/**
 * A node of the release before this one, while an upgrade is not finished. It shares no code with
 * the product: it reports by its row, and writes while the database allows the schema it knows.
 */
import type { PgConnection } from '../../src/db/postgresql/connection.ts'
import { Link, type SimulatedServer } from './postgresql.ts'
import { Life } from './world.ts'

/** Of the release before the first feature level. */
export const OLDER_SCHEMA = 49
const REPORT_MS = 5_000
const CLOCK = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const BEGIN = 'BEGIN; SELECT schema, oldest_writer FROM writer FOR UPDATE'

export class OlderNode {
  readonly #life: Life
  readonly #boot: string

  constructor(
    readonly server: SimulatedServer,
    number: number,
    readonly violate: (sentence: string) => void,
  ) {
    this.#life = new Life(`older node ${number}`)
    this.#boot = `older-${number}`
  }

  /** Serves for this time, or until the database refuses it. */
  async serve(ms: number): Promise<void> {
    const { world } = this.server
    const untilMs = world.nowMs + ms
    const report = `INSERT INTO nodes (boot, name, version, feature_level, started_at, seen_at)
      VALUES ('${this.#boot}', 'older', '0.0', 0, ${CLOCK}, ${CLOCK})
      ON CONFLICT (boot) DO UPDATE SET seen_at = excluded.seen_at`
    while (world.nowMs < untilMs) {
      if ((await this.#write(report)) === 'refused') {
        world.trace.say(world.nowMs, this.#life.name, 'is refused and ends')
        return
      }
      await world.sleep(this.#life, REPORT_MS)
    }
    await this.#write(`DELETE FROM nodes WHERE boot = '${this.#boot}'`)
  }

  async #write(statement: string): Promise<'done' | 'refused' | 'failed'> {
    const connections = this.server.connections(this.#life, new Link())
    let connection: PgConnection | undefined
    try {
      connection = await connections.acquire('write')
      const [row] = (await connection.script(BEGIN)).rows as { oldest_writer: number }[]
      const isRefused = row === undefined || row.oldest_writer > OLDER_SCHEMA
      const [cluster] = (await connection.run('SELECT feature_level FROM cluster', [])).rows as { feature_level: number }[]
      if (!isRefused && cluster?.feature_level !== 0) this.violate('an older node may write after the upgrade was finished')
      if (!isRefused) await connection.run(statement, [])
      await connection.script(isRefused ? 'ROLLBACK' : 'COMMIT')
      return isRefused ? 'refused' : 'done'
    } catch {
      // The database is away: it tries again with its next report.
      return 'failed'
    } finally {
      if (connection) connections.release(connection, false)
    }
  }
}
