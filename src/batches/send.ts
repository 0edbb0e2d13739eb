/**
 * Sends the rows of running batches. One transaction makes and sends the document of a row and
 * marks the row: whatever crashes, no row is sent twice.
 */
import { type Person, personById } from '../accounts/people-queries.ts'
import { keyLife } from '../accounts/queries.ts'
import { rightsOf } from '../accounts/rights.ts'
import type { Document } from '../core/document/document.ts'
import { type Reason, Refusal } from '../core/refusal.ts'
import type { Batch, BatchRow, StopReason } from '../core/template/batch.ts'
import { roleKey } from '../core/template/template-texts.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { isOutOfFiles } from '../lib/disk.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import type { AppTexts } from '../locales/app.ts'
import { batches as english } from '../locales/en/app/batches.ts'
import { englishOf, englishOfRefusal, englishOfViolation } from '../locales/violations.ts'
import { MAIL_BULK_LANE } from '../outbox/outbox.ts'
import { moveMails } from '../outbox/queries.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { readServiceSetting } from '../settings/service-settings.ts'
import { createFromTemplate } from '../templates/use.ts'
import { keptTemplateOf, loadBatch } from './batches.ts'
import * as queries from './queries.ts'
import { finishIn, stopIn } from './stop.ts'
import { mailsDue, mailsQueued, type NewestMail, newestMails, ranBefore, runningBatches } from './upkeep-queries.ts'

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
  await queries.saveFailedRow(tx, id, row, {
    error: isRefused ? refusalOfRow(cause, row, template) : englishOfViolation(violation('row_not_made')),
    at: app.now(),
  })
  if (batch.counts.waiting === 1) await finishIn(tx, app, batch)
}

// Why a row was refused, for people who do not know the paths of a request.

type RowPart = keyof typeof english.page.rowParts

const PARTS_OF_PATHS: Partial<Record<string, RowPart>> = {
  email: 'email',
  name: 'name',
  locale: 'locale',
  title: 'title',
  message: 'message',
  expiresAt: 'expiry',
  expiresInDays: 'expiry',
}

function nameOfPath(path: string): string | undefined {
  const part = PARTS_OF_PATHS[path]
  return part && english.page.rowParts[part]
}

/** The first reason alone: one English sentence that names the role and the entry. */
export function refusalOfRow(refusal: Refusal, { use }: BatchRow, template: Document | undefined): string {
  const [first] = refusal.details
  if (!first) return englishOfRefusal(refusal)
  const [, index, rest = first.path] = /^recipients\[(\d+)\]\.?(.*)$/s.exec(first.path) ?? []
  const role = index === undefined ? undefined : roleName(use?.recipients[Number(index)]?.role, template)
  const field = /^values\.(.*?)(?:\.(?:value|readOnly))?$/s.exec(rest)?.[1]
  const part = field ?? nameOfPath(rest)
  return [role, part, englishOf(first)].filter(text => text !== undefined).join(': ')
}

/** What `refusalOfRow` made, in the language of a page. */
export function rowErrorText({ batches, storedText }: AppTexts, stored: string): string {
  const parts = Object.entries(batches.page.rowParts) as [RowPart, string][]
  return parts.reduce(
    (text, [part, name]) => text.replace(new RegExp(`(^|: )${english.page.rowParts[part]}: `), `$1${name}: `),
    storedText(stored),
  )
}

function roleName(given: string | undefined, template: Document | undefined): string | undefined {
  if (given === undefined) return undefined
  const role = template?.recipients.find(({ id, name }) => id === given || roleKey(name) === roleKey(given))
  return role?.name ?? given
}

// Whether a batch may go on: whoever lost the right to send has nothing more sent.

/** Who started its sending last. */
const senderOf = ({ actor, resumedBy }: Pick<Batch, 'actor' | 'resumedBy'>): string => resumedBy ?? actor

/** Why no further row may be sent. An API token without an owner acts for the instance. */
async function reasonToStop(tx: Tx, batch: Batch, now: Date): Promise<StopReason | undefined> {
  const owner = batch.ownerId === undefined ? undefined : await personById(tx, batch.ownerId)
  if (batch.ownerId !== undefined && !(owner && maySend(owner))) return 'not_permitted'
  const [, kind, id = ''] = /^(user|key):(.+)$/.exec(senderOf(batch)) ?? []
  if (kind === 'key') return reasonOfKey(tx, id, now)
  const sender = kind === 'user' ? await personById(tx, id) : undefined
  // Batches of a person who was removed went over to another.
  return sender && !maySend(sender) ? 'not_permitted' : undefined
}

function maySend({ role, disabledAt }: Person): boolean {
  return !disabledAt && rightsOf(role).scopes.includes('documents:write')
}

async function reasonOfKey(tx: Tx, id: string, now: Date): Promise<StopReason | undefined> {
  const key = await keyLife(tx, id)
  if (!key || key.revokedAt) return 'key_revoked'
  return key.expiresAt && key.expiresAt <= now ? 'key_expired' : undefined
}

// How many bulk mails may be queued now: by the rate that is set, and by how fast they leave.

/** More are not queued than are sent within a minute or two: a batch that is stopped soon rests. */
const MAX_MAILS_DUE = 100
/** The newest mails show whether the server accepts more. After an hour it is tried again. */
const MAILS_READ = 10
const READ_FOR_MS = HOUR_MS
/** One recipient's own server may be away; these are more. */
const MIN_DEFERRED = 3

/** By rows, not by what this process knows: it holds after a restart and on another node. */
async function mailAllowance(app: Pick<App, 'config' | 'db' | 'secrets' | 'now'>): Promise<number> {
  const now = app.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const perMinute = await readServiceSetting(app, 'bulkMailsPerMinute')
  const due = await mailsDue(app.db, now, MAX_MAILS_DUE)
  if (due >= MAX_MAILS_DUE || isDeferring(await newestMails(app.db, before(READ_FOR_MS), MAILS_READ))) return 0
  const queued = await mailsQueued(app.db, before(MINUTE_MS), now)
  // Called once a second: evenly, instead of all at the begin of each minute.
  return Math.min(perMinute - queued, Math.ceil(perMinute / 60), MAX_MAILS_DUE - due)
}

/** Whether the mail server asks for later attempts, or does not answer. */
function isDeferring(mails: readonly NewestMail[]): boolean {
  const deferred = mails.filter(({ status, reply }) => status === 'queued' && reply !== null).length
  return deferred >= MIN_DEFERRED && deferred > mails.filter(({ status }) => status === 'accepted').length
}
