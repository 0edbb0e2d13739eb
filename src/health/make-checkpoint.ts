/** Makes a signed checkpoint of the audit log, with the root of its tree, and keeps it as a row. */
import { raiseAlert } from '../alerts/alerts.ts'
import { addTimestamp, insertCheckpoint, type KeptCheckpoint, newestCheckpoints } from '../audit/checkpoint-queries.ts'
import { appendInstanceEvent, auditHead } from '../audit/log.ts'
import { eventsBySequence } from '../audit/queries.ts'
import { growTree, MissingEntryError } from '../audit/tree.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Checkpoint } from '../evidence/checkpoint.ts'
import { EMPTY, type Frontier, isFrontier, treeRoot } from '../evidence/merkle-tree.ts'
import { readStatement } from '../evidence/signed-statement.ts'
import { DAY_MS } from '../lib/duration.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import type { App, Origin } from '../ports.ts'
import { signStatement } from '../settings/sign-statement.ts'
import { readTimestampSettings } from '../settings/timestamp-settings.ts'

export interface SignedCheckpoint {
  checkpoint: Checkpoint
  fileName: string
  /** An S/MIME message. */
  text: string
}

export const checkpointFileName = ({ at, sequence }: Pick<KeptCheckpoint, 'at' | 'sequence'>): string =>
  `audit-checkpoint-${at.toISOString().slice(0, 10)}-${sequence}.eml`

/** Records it first: it covers the entry before its own. @throws Refusal if the log has a gap */
export async function makeCheckpoint(app: App, origin: Origin): Promise<SignedCheckpoint> {
  // Nothing is recorded if nobody can sign, or if the log has a gap.
  await app.sealKey()
  const grown = await treeOfLog(app, (await auditHead(app.db)).sequence)
  const at = app.now()
  const { sequence, hash } = await app.write(async tx => {
    const head = await auditHead(tx)
    await appendInstanceEvent(tx, app, { type: 'audit.checkpoint_made', data: { ...head } }, origin)
    return head
  })
  const frontier = await growTree(app, grown, sequence)
  const root = treeRoot(frontier)
  const checkpoint = { instance: app.instance.id, sequence, hash, count: sequence, at: at.toISOString(), treeRoot: root }
  const signed = await signedText(app, checkpoint)
  const kept = { id: app.newId('chk'), sequence, hash, treeRoot: root, frontier, at, ...signed }
  await app.write(tx => insertCheckpoint(tx, kept), { wake: false })
  return { checkpoint, text: signed.text, fileName: checkpointFileName(kept) }
}

async function signedText(app: App, checkpoint: Checkpoint): Promise<Pick<KeptCheckpoint, 'text' | 'stampedAt' | 'authority'>> {
  const text = await signStatement(app, 'audit-checkpoint', { ...checkpoint })
  const { timestamp } = readStatement(new TextEncoder().encode(text), { timestampTrust: [], now: app.now() })
  const at = timestamp?.at
  return { text, stampedAt: at === undefined ? undefined : new Date(at), authority: timestamp?.authority }
}

/** Grown from the newest kept one, if the log still contains it. @throws Refusal, with an alert */
async function treeOfLog(app: App, upTo: number): Promise<Frontier> {
  const [newest] = await newestCheckpoints(app.db, 1)
  const isUsable = newest !== undefined && newest.sequence <= upTo && isFrontier(newest.frontier) && (await isInLog(app, newest))
  try {
    return await growTree(app, isUsable ? newest.frontier : EMPTY, upTo)
  } catch (error) {
    if (!(error instanceof MissingEntryError)) throw error
    const { sequence } = error
    await raiseAlert(app, { kind: 'audit_log_cut', found: diagnosis('audit_log_has_gap', { sequence }) })
    throw new Refusal('invalid_state', violation('audit_log_has_gap', { sequence }))
  }
}

/** Of an empty log everything is a continuation. */
export async function isInLog(app: App, { sequence, hash }: Pick<KeptCheckpoint, 'sequence' | 'hash'>): Promise<boolean> {
  if (sequence === 0) return true
  const [entry] = await eventsBySequence(app.db, [sequence])
  return entry?.hash === hash
}

/** A later time-stamp would say nothing of the time that the checkpoint names. */
export const MAX_STAMP_DELAY_MS = 8 * DAY_MS

/** Tries again what no authority has stamped at first. The newest covers all others. */
export async function stampNewestCheckpoint(app: App): Promise<void> {
  const { authorities } = await readTimestampSettings(app)
  const [newest] = authorities.length === 0 ? [] : await newestCheckpoints(app.db, 1)
  if (newest === undefined || newest.stampedAt !== undefined) return
  if (Math.abs(app.now().getTime() - newest.at.getTime()) > MAX_STAMP_DELAY_MS) return
  const { sequence, hash, treeRoot: root } = newest
  const checkpoint = { instance: app.instance.id, sequence, hash, count: sequence, at: newest.at.toISOString(), treeRoot: root }
  const { text, stampedAt, authority } = await signedText(app, checkpoint)
  if (stampedAt === undefined) return
  await app.write(tx => addTimestamp(tx, newest.id, { text, stampedAt, authority }), { wake: false })
}
