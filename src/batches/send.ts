/**
 * Sends the rows of running batches. One transaction makes and sends the document of a row and
 * marks the row: whatever crashes, no row is sent twice.
 */
import { rightsOf } from '../accounts/rights.ts'
import type { Document } from '../core/document/document.ts'
import { type Reason, Refusal } from '../core/refusal.ts'
import type { Batch, BatchRow } from '../core/template/batch.ts'
import type { Tx } from '../db/open.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { isOutOfFiles } from '../lib/disk.ts'
import { errorMessage } from '../lib/error-message.ts'
import { MAIL_BULK_LANE } from '../outbox/outbox.ts'
import { moveMails } from '../outbox/queries.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { createFromTemplate } from '../templates/use.ts'
import { keptTemplateOf, loadBatch } from './batches.ts'
import { mailAllowance } from './pace.ts'
import { ranBefore, runningBatches } from './pace-queries.ts'
import { reasonToStop, senderOf } from './permission.ts'
import * as queries from './queries.ts'
import { refusalOfRow } from './row-refusal.ts'
import { finishIn, stopIn } from './stop.ts'

/**
 * One round: as many rows as the pace allows, one of each batch in turn. To be called once a
 * second. Nothing is sent while sending is paused.
 */
export async function sendBatches(app: App): Promise<void> {
  const ids = await runningBatches(app.db)
  if (ids.length === 0) return
  const pause = await sendingPause(app.db)
  if (pause) return stopRestored(app, ids, pause.since)
  const templates = new Map<string, Document | undefined>()
  let left = await mailAllowance(app)
  for (let id = ids.shift(); id !== undefined && left > 0; id = ids.shift()) {
    if (!templates.has(id)) templates.set(id, await keptTemplateOf(app.db, id))
    const mails = await sendNextRow(app, id, templates.get(id))
    if (mails !== undefined) ids.push(id)
    left -= mails ?? 0
    await app.timers.yield()
  }
}

/**
 * More of their rows may have been sent since the backup was made: a person decides whether they go
 * on. Batches that were started after the restore wait.
 */
async function stopRestored(app: App, ids: readonly string[], restoredAt: Date): Promise<void> {
  for (const id of ids) {
    await app.write(async tx => {
      if (await ranBefore(tx, id, restoredAt)) await stopIn(tx, app, await loadBatch(tx, SYSTEM.actor, id), SYSTEM, 'restored')
    })
  }
}

/** This row cannot be sent; its transaction is rolled back. */
class RowFailedError extends Error {
  constructor(
    readonly row: BatchRow,
    override readonly cause: unknown,
  ) {
    super(errorMessage(cause))
  }
}

/** Returns the number of queued mails, `undefined` if the batch has no more rows to send. */
async function sendNextRow(app: App, id: string, template: Document | undefined): Promise<number | undefined> {
  try {
    return await app.write(tx => sendRow(tx, app, id, template))
  } catch (error) {
    if (!(error instanceof RowFailedError)) throw error
    await app.write(tx => failRow(tx, app, { id, template, error }))
    return 0
  }
}

async function sendRow(tx: Tx, app: App, id: string, template: Document | undefined): Promise<number | undefined> {
  const batch = await queries.findBatch(tx, id)
  if (batch?.state !== 'running') return undefined
  const row = await queries.nextWaitingRow(tx, id)
  if (!row) {
    await finishIn(tx, app, batch)
    return undefined
  }
  const reason = await reasonToStop(tx, batch, app.now())
  if (reason) {
    await stopIn(tx, app, batch, SYSTEM, reason)
    return undefined
  }
  const documentId = await makeDocument(tx, app, batch, row, template)
  const mails = await moveMails(tx, documentId, MAIL_BULK_LANE)
  await queries.saveSentRow(tx, id, row, { documentId, mails, at: app.now() })
  if (batch.counts.waiting === 1) await finishIn(tx, app, batch)
  return mails
}

async function makeDocument(tx: Tx, app: App, batch: Batch, row: BatchRow, template: Document | undefined): Promise<string> {
  try {
    if (!template || !row.use) throw new Error(`row ${row.number} of ${batch.id} has no content`)
    const options = { send: true, version: batch.templateVersion, batch: { id: batch.id, row: row.number } }
    return (await createFromTemplate(tx, app, template, row.use, originOf(batch), options)).id
  } catch (error) {
    throw isTemporary(error) ? error : new RowFailedError(row, error)
  }
}

/** Documents belong to the owner that the batch has now. */
function originOf(batch: Batch): Origin {
  const { ownerId } = batch
  const rights = { ...SYSTEM.actor, seesAll: ownerId === undefined, isAdmin: false, scopes: rightsOf('member').scopes }
  return { actor: { ...rights, label: senderOf(batch), userId: ownerId }, ip: undefined, userAgent: undefined }
}

const TEMPORARY: ReadonlySet<Reason> = new Set<Reason>(['storage_unavailable', 'overloaded', 'shutting_down'])

/** Nothing is wrong with the row: a later round sends it. */
function isTemporary(error: unknown): boolean {
  if (error instanceof Refusal) return TEMPORARY.has(error.reason)
  return storageRefusal(error) !== undefined || isOutOfFiles(error)
}

const NOT_MADE = 'The document of this row could not be made. An administrator finds the cause in the log.'

interface Failure {
  id: string
  template: Document | undefined
  error: RowFailedError
}

async function failRow(tx: Tx, app: App, { id, template, error: { row, cause } }: Failure): Promise<void> {
  const batch = await queries.findBatch(tx, id)
  // It may have been stopped meanwhile.
  if (batch?.state !== 'running' || (await queries.nextWaitingRow(tx, id))?.number !== row.number) return
  const isRefused = cause instanceof Refusal
  if (!isRefused) app.log('error', 'row of a batch not sent', { batchId: id, row: row.number, error: errorMessage(cause) })
  await queries.saveFailedRow(tx, id, row, { error: isRefused ? refusalOfRow(cause, row, template) : NOT_MADE, at: app.now() })
  if (batch.counts.waiting === 1) await finishIn(tx, app, batch)
}
