/** A batch: documents made from one template and sent one after the other. Pure. */
import { Refusal } from '../refusal.ts'
import { type Violation, violation } from '../violation.ts'
import type { TemplateUse } from './template-draft.ts'

export const BATCH_STATES = ['draft', 'running', 'stopped', 'done'] as const
/** `draft`: its rows are not complete yet. `done`: every row was sent or failed. */
export type BatchState = (typeof BATCH_STATES)[number]

export const BATCH_ROW_STATES = ['waiting', 'sent', 'failed', 'stopped'] as const
export type BatchRowState = (typeof BATCH_ROW_STATES)[number]

export const STOP_REASONS = ['requested', 'restored', 'not_permitted', 'key_revoked', 'key_expired'] as const
/** Why the rest was not sent. `not_permitted`: its owner or its sender may send no more. */
export type StopReason = (typeof STOP_REASONS)[number]

export const MAX_BATCH_ROWS = 5000

/** One document to be made. */
export interface NewBatchRow {
  /** In the file that it comes from; 1 is the first. */
  line: number
  use: TemplateUse
}

export interface BatchCounts {
  waiting: number
  sent: number
  failed: number
  stopped: number
}

export interface Batch {
  id: string
  templateId: string
  /** Of the template whose copy the batch keeps. */
  templateVersion: number
  ownerId: string | undefined
  /** The label of the actor who created it, such as `user:usr_…`. */
  actor: string
  /** The label of whoever had the rest sent, once it was. */
  resumedBy: string | undefined
  title: string
  state: BatchState
  total: number
  counts: BatchCounts
  createdAt: Date
  startedAt: Date | undefined
  stoppedAt: Date | undefined
  /** Undefined also of batches that an earlier release stopped. */
  stopReason: StopReason | undefined
  finishedAt: Date | undefined
  /** Whether rows that were not sent can still be: later their data is deleted. */
  isKept: boolean
}

export interface BatchRow {
  /** From 1, in the order of the batch. */
  number: number
  line: number
  state: BatchRowState
  /** Until it is sent: then the document has it. */
  use: TemplateUse | undefined
  /** The document may have been deleted since. */
  documentId: string | undefined
  error: string | undefined
  sentAt: Date | undefined
}

/** What the state of a batch allows. */
export function allowedBatchActions({ state, counts, isKept }: Pick<Batch, 'state' | 'counts' | 'isKept'>) {
  return {
    edit: state === 'draft',
    stop: state === 'running',
    /** Sends what failed or was stopped. */
    retry: (state === 'stopped' || state === 'done') && isKept && counts.failed + counts.stopped > 0,
    delete: state === 'draft',
  }
}

export type BatchAction = keyof ReturnType<typeof allowedBatchActions>

const REFUSALS: Record<BatchAction, Violation> = {
  edit: violation('batch_started'),
  stop: violation('batch_not_sending'),
  retry: violation('batch_nothing_to_retry'),
  delete: violation('batch_not_a_draft'),
}

export function requireBatchAction(batch: Pick<Batch, 'state' | 'counts' | 'isKept'>, action: BatchAction): void {
  if (!allowedBatchActions(batch)[action]) throw new Refusal('invalid_state', REFUSALS[action])
}

/** Two rows for the same people. */
export interface Repeat {
  email: string
  line: number
  /** The line before it. */
  before: number
}

/**
 * Rows whose people are the same in all roles: one who signs with everybody, as the own company
 * does, repeats nothing by mistake.
 */
export function repeatsIn(rows: readonly NewBatchRow[]): Repeat[] {
  const seen = new Map<string, number>()
  return rows.flatMap(({ line, use }) => {
    const key = peopleKey(use)
    const before = seen.get(key)
    seen.set(key, line)
    return before === undefined ? [] : [{ email: use.recipients[0]?.email ?? '', line, before }]
  })
}

/** Whatever the order in which the roles are given. */
function peopleKey({ recipients }: TemplateUse): string {
  return recipients
    .map(({ role, email }) => `${role.trim().toLowerCase()}\n${email.trim().toLowerCase()}`)
    .sort()
    .join('\n\n')
}
