/** Types of the tables of batches, a part of `Schema`. */
import type { Generated } from 'kysely'

type Time = string

export interface BatchSchema {
  batches: {
    id: string
    template_id: string
    template_version: number
    owner_id: string | null
    actor: string
    title: string
    state: 'draft' | 'running' | 'stopped' | 'done'
    total: number
    sent: Generated<number>
    failed: Generated<number>
    stopped: Generated<number>
    template: string | null
    sha256: string | null
    content_sha256: string | null
    source: Uint8Array | null
    reading: string | null
    created_at: Time
    started_at: Time | null
    last_row_at: Time | null
    stopped_at: Time | null
    finished_at: Time | null
    resumed_by: string | null
    stop_reason: string | null
  }
  batch_rows: {
    batch_id: string
    number: number
    line: number
    state: 'waiting' | 'sent' | 'failed' | 'stopped'
    data: string | null
    document_id: string | null
    error: string | null
    mails: number | null
    sent_at: Time | null
  }
}
