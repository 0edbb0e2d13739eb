/** Types of the tables of what nodes share about themselves, a part of `Schema`. */
import type { Generated } from 'kysely'

type Time = string

export interface ClusterSchema {
  cluster: {
    one: number
    feature_level: number
    finished_at: Time | null
    quiet_ms: Generated<number>
    counted_at: Time | null
  }
  nodes: {
    boot: string
    name: string
    version: string
    started_at: Time
    seen_at: Time
    feature_level: Generated<number>
  }
  leases: { name: string; boot: string; taken_at: Time }
}
