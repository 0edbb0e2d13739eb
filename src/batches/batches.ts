/** Creates, reads and presents batches. A draft has a file with rows; its pages complete it. */
import { personById } from '../accounts/people-queries.ts'
import { keyName } from '../accounts/queries.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { canonicalHash } from '../core/document/audit-chain.ts'
import { type Document, daysAfter, type Recipient } from '../core/document/document.ts'
import type { Json } from '../core/document/event.ts'
import { errorAt, errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { type Batch, type BatchRow, type NewBatchRow, requireBatchAction } from '../core/template/batch.ts'
import { cleanLine, lineError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { versionOf } from '../documents/draft/draft-version.ts'
import { type FileRemoval, finishRemovals, removeIfUnused } from '../files/claims.ts'
import type { Actor, App, Committed, Origin } from '../ports.ts'
import { loadCachedTemplate, loadTemplate } from '../templates/edit.ts'
import * as queries from './queries.ts'
import { type RowPath, type RowSource, requireDifferentPeople, requireValidRows } from './rules.ts'

export const maySee = (actor: Actor, { ownerId }: Pick<Batch, 'ownerId'>): boolean => actor.seesAll || ownerId === actor.userId

/** Throws `not_found` both for unknown batches and for those the actor may not see. */
export async function loadBatch(db: Db | Tx, actor: Actor, id: string): Promise<Batch> {
  const batch = await queries.findBatch(db, id)
  if (!batch || !maySee(actor, batch)) throw new Refusal('not_found', violation('batch_not_found'))
  return batch
}

/** Whose batches an actor sees. */
export const visibleTo = ({ seesAll, userId }: Actor): queries.BatchFilter => (seesAll ? {} : { ownerId: userId ?? '' })

/** The rows were sent before, perhaps by somebody whose batches the actor does not see. */
export class SentBeforeError extends Refusal {
  constructor(
    readonly batch: Batch,
    /** Who has sent it. */
    readonly by: string,
  ) {
    super('duplicate_batch', violation('rows_sent_already', { at: batch.startedAt?.toISOString() ?? '', by }), [
      errorAt('rows', violation('rows_sent_before', { batchId: batch.id })),
    ])
  }
}

export interface NewBatch {
  /** By default that of the template. */
  title?: string | undefined
  rows: readonly NewBatchRow[]
  /** Also if the rows were sent before, or several are for the same people. */
  force?: boolean | undefined
  /** Somebody has said so: several rows may be for the same people. */
  allowsRepeats?: boolean
  pathOf: RowPath
}

/** Starts it. @throws Refusal `validation_failed` with the errors of all rows, `duplicate_batch` */
export async function createBatch(app: App, templateId: string, input: NewBatch, origin: Origin): Promise<Committed<Batch>> {
  const { document: template, version } = await loadCachedTemplate(app.db, origin.actor, templateId)
  const title = titleOf(input.title, template)
  await requireRows(app, { template, ownerId: origin.actor.userId }, input)
  const contentSha256 = hashOf(input.rows)
  const copy = copyOf(template, version)
  return app.write(async tx => {
    await requireUnchanged(tx, copy)
    const batch = newBatch(app, copy, { title, total: input.rows.length, state: 'running' }, origin)
    if (!input.force) await requireNew(tx, app, templateId, contentSha256)
    await queries.insertBatch(tx, batch, copy, { contentSha256 })
    await queries.insertRows(tx, batch.id, input.rows)
    await recordCreation(tx, app, batch, origin)
    return loadBatch(tx, origin.actor, batch.id)
  })
}

/** How a file is read, and the number of its rows. */
export interface DraftReading {
  reading: Json
  total: number
}

/** Keeps the file with the rows until the batch is started. `title`: the name of the file. */
export async function createDraftBatch(
  app: App,
  templateId: string,
  draft: DraftReading & { title: string; source: Uint8Array },
  origin: Origin,
): Promise<Batch> {
  return app.write(async tx => {
    const template = await loadTemplate(tx, origin.actor, templateId, 'use')
    const copy = copyOf(template, await versionOf(tx, templateId))
    const batch = newBatch(app, copy, { title: titleOf(draft.title, template), total: draft.total, state: 'draft' }, origin)
    await queries.insertBatch(tx, batch, copy, { draft })
    return loadBatch(tx, origin.actor, batch.id)
  })
}

export interface BatchDraft {
  batch: Batch
  template: Document
  source: Uint8Array
  reading: Json
}

/** @throws Refusal `invalid_state` if it has been started */
export async function loadDraftBatch(db: Db | Tx, actor: Actor, id: string): Promise<BatchDraft> {
  const batch = await loadBatch(db, actor, id)
  requireBatchAction(batch, 'edit')
  const content = await queries.draftContent(db, id)
  const template = await keptTemplateOf(db, id)
  if (!content || !template) throw new Error(`the draft ${id} has no content`)
  return { batch, template, ...content }
}

export async function saveDraftReading(app: App, id: string, reading: DraftReading, origin: Origin): Promise<void> {
  await app.write(async tx => {
    requireBatchAction(await loadBatch(tx, origin.actor, id), 'edit')
    await queries.saveReading(tx, id, reading)
  })
}

/** Of the way a list is read: a form says which one its page has shown. */
export const readingHash = (reading: Json): string => canonicalHash(reading)

/** `seen`: absent in a form of the release before. @throws Refusal `draft_changed` */
export function requireReading(reading: Json, seen: string | undefined): void {
  if (seen === undefined || seen === readingHash(reading)) return
  throw new Refusal('draft_changed', violation('list_read_anew'))
}

/**
 * Starts a draft with these rows. `seen`: how they were read. @throws Refusal as `createBatch`, and
 * `draft_changed`
 */
export async function startDraftBatch(
  app: App,
  id: string,
  input: Pick<NewBatch, 'rows' | 'force' | 'allowsRepeats'> & { seen?: string | undefined },
  origin: Origin,
): Promise<Batch> {
  const { template, batch: draft } = await loadDraftBatch(app.db, origin.actor, id)
  const pathOf: RowPath = (i, path) => [`line ${input.rows[i]?.line}`, path].filter(Boolean).join(', ')
  await requireRows(app, { template, ownerId: draft.ownerId }, { ...input, pathOf })
  const contentSha256 = hashOf(input.rows)
  return app.write(async tx => {
    requireReading((await loadDraftBatch(tx, origin.actor, id)).reading, input.seen)
    if (!input.force) await requireNew(tx, app, draft.templateId, contentSha256)
    await queries.insertRows(tx, id, input.rows)
    await queries.saveStart(tx, id, { total: input.rows.length, contentSha256, at: app.now() })
    const batch = await loadBatch(tx, origin.actor, id)
    await recordCreation(tx, app, batch, origin)
    return batch
  })
}

export async function deleteDraftBatch(app: App, id: string, origin: Origin): Promise<void> {
  const removals = await app.write(async tx => {
    requireBatchAction(await loadBatch(tx, origin.actor, id), 'delete')
    return deleteBatchIn(tx, app, id)
  })
  await finishRemovals(app, removals)
}

/** Call `finishRemovals` after the commit. */
export async function deleteBatchIn(tx: Tx, app: App, id: string): Promise<FileRemoval[]> {
  const kept = await queries.keptTemplate(tx, id)
  await queries.deleteBatch(tx, id)
  return kept ? removeIfUnused(app, tx, kept.sha256) : []
}

/** The template as it was when the batch was created; `undefined` when no row can be sent. */
export async function keptTemplateOf(db: Db | Tx, id: string): Promise<Document | undefined> {
  const kept = await queries.keptTemplate(db, id)
  return kept && readSnapshot(kept.text)
}

interface Copy extends queries.KeptTemplate {
  templateId: string
  version: number
}

function copyOf(template: Document, version: number): Copy {
  return { templateId: template.id, version, text: snapshotText(template), sha256: template.sha256Original }
}

/** The rows were checked against this version. @throws Refusal `draft_changed` */
async function requireUnchanged(tx: Tx, { templateId, version }: Copy): Promise<void> {
  if ((await versionOf(tx, templateId)) === version) return
  throw new Refusal('draft_changed', violation('template_changed'))
}

function newBatch(
  { newId, now }: App,
  { templateId, version }: Copy,
  facts: Pick<Batch, 'title' | 'total' | 'state'>,
  { actor }: Origin,
): queries.NewBatchFacts {
  const [id, createdAt] = [newId('bat'), now()]
  const startedAt = facts.state === 'draft' ? undefined : createdAt
  return { id, templateId, templateVersion: version, ownerId: actor.userId, actor: actor.label, createdAt, startedAt, ...facts }
}

function titleOf(title: string | undefined, template: Document): string {
  // Placeholders have a value in each document, and none here.
  if (title === undefined) return template.title.replace(/\{\{\s*(.*?)\s*\}\}/g, '$1')
  refuseIfInvalid(errorsIn([['title', lineError(title)]]))
  return cleanLine(title)
}

async function requireRows(
  app: App,
  source: RowSource,
  { rows, force, allowsRepeats, pathOf }: Omit<NewBatch, 'title'>,
): Promise<void> {
  await requireValidRows(app, source, rows, pathOf)
  if (!force && !allowsRepeats) requireDifferentPeople(rows, pathOf)
}

const DAYS_OF_REPETITION = 1

/** Of what the rows say, whatever their lines. Slow for many rows: not for a transaction. */
function hashOf(rows: readonly NewBatchRow[]): string {
  // Without members that are undefined, as a client would send them.
  return canonicalHash(JSON.parse(JSON.stringify(rows.map(({ use }) => use))) as Json)
}

/** @throws Refusal `duplicate_batch` if rows with this hash were sent before */
async function requireNew(tx: Tx, app: App, templateId: string, contentSha256: string): Promise<void> {
  const same = await queries.findSameContent(tx, templateId, contentSha256, daysAfter(app.now(), -DAYS_OF_REPETITION))
  if (!same) return
  throw new SentBeforeError(same, await nameOfActor(tx, same.actor))
}

async function recordCreation(
  tx: Tx,
  app: App,
  batch: Pick<Batch, 'id' | 'templateId' | 'title' | 'total'>,
  origin: Origin,
): Promise<void> {
  const { id, templateId, title, total } = batch
  const data = { batchId: id, templateId, total }
  await appendInstanceEvent(tx, app, { type: 'batch.created', data, personal: { title } }, origin)
}

// The JSON of batches and their rows in the API.

const time = (moment: Date | undefined) => moment?.toISOString() ?? null

export function presentBatch(batch: Batch) {
  return {
    id: batch.id,
    templateId: batch.templateId,
    title: batch.title,
    state: batch.state,
    total: batch.total,
    counts: batch.counts,
    createdAt: batch.createdAt.toISOString(),
    startedAt: time(batch.startedAt),
    stoppedAt: time(batch.stoppedAt),
    stopReason: batch.stopReason ?? null,
    finishedAt: time(batch.finishedAt),
  }
}

export function presentBatchRow({ number, line, state, documentId, error, sentAt }: BatchRow) {
  return { number, line, state, documentId: documentId ?? null, error: error ?? null, sentAt: time(sentAt) }
}

// The copy of a template that a batch keeps, as text and back.

type TimeMember<T> = { [M in keyof T]-?: Date extends T[M] ? M : never }[keyof T]

const DOCUMENT_TIMES: Record<TimeMember<Document>, true> = {
  createdAt: true,
  updatedAt: true,
  sentAt: true,
  completedAt: true,
  endedAt: true,
  heldAt: true,
  expiresAt: true,
}
const RECIPIENT_TIMES: Record<TimeMember<Recipient>, true> = {
  accessCodeWaitUntil: true,
  sentAt: true,
  viewedAt: true,
  signedAt: true,
  declinedAt: true,
  lastMailedAt: true,
  nextReminderAt: true,
}

const snapshotText = (template: Document): string => JSON.stringify(template)

/** Members that were `undefined` are missing. */
function readSnapshot(text: string): Document {
  const template = JSON.parse(text) as Document
  reviveTimes(template, DOCUMENT_TIMES)
  for (const recipient of template.recipients) reviveTimes(recipient, RECIPIENT_TIMES)
  return template
}

function reviveTimes(value: object, names: Record<string, true>): void {
  const members = value as Record<string, unknown>
  for (const name of Object.keys(names)) if (typeof members[name] === 'string') members[name] = new Date(members[name])
}

// The name of the person or API token that a label of the audit log means.

/** The label itself if there is no such account or key any more. */
async function nameOfActor(db: Db | Tx, label: string): Promise<string> {
  const [, kind, id = ''] = /^(user|key):(.+)$/.exec(label) ?? []
  if (kind === 'user') return (await personById(db, id))?.name ?? label
  if (kind === 'key') return (await keyName(db, id)) ?? label
  return label
}
