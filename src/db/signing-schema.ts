/** Types of the tables of what recipients enter, a part of `Schema`. */
import type { Generated } from 'kysely'

type Flag = 0 | 1
type Time = string

export interface SigningSchema {
  drafts: { recipient_id: string; name: string; value: string }
  mark_contents: { recipient_id: string; sha256: string; kind: string; content: Uint8Array }
  field_files: {
    recipient_id: string
    field_id: string
    sha256: string
    file_name: string
    media_type: 'application/pdf' | 'image/png' | 'image/jpeg'
    bytes: number
    active_content: Flag
    added_at: Time
  }
  one_time_codes: {
    id: string
    recipient_id: string
    link_version: number
    browser_hash: string
    attempts: Generated<number>
    created_at: Time
    used_at: Time | null
  }
}
