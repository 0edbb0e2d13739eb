/** Types of the tables of nodes and of what pages of several releases share, a part of `Schema`. */
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
  consent_texts: {
    id: string
    kind: 'signing' | 'approval'
    language: string
    text: string
    intents: string
    shown_at: Time
  }
  asset_packs: { sha256: string; used_at: Time }
  leases: { name: string; boot: string; taken_at: Time }
}
