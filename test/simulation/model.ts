/**
 * What clients learned, and what must therefore be true. It shares no code with the product:
 * documents are what the API shows, rows are read by SQL of its own.
 */
import { createHash } from 'node:crypto'
import type { Authority } from './authority.ts'
import { type Change, differencesOf, eitherOf, first, isHeld } from './changes.ts'
import type { Answer, Outcome } from './client.ts'
import type { Service } from './nodes.ts'
import { PROBE } from './upgrade.ts'
import type { World } from './world.ts'

export interface KnownRecipient {
  id: string | undefined
  /** Of whom has this place, one after another. */
  addresses: Change<string>[]
  name: string
  signed: Outcome
  declined: Outcome
  /** Of the answer that acknowledged it. */
  signedAtStep?: number
}

export interface KnownDocument {
  number: number
  title: string
  id: string | undefined
  created: Outcome
  sent: Outcome
  voided: Outcome
  deleted: Outcome
  recipients: KnownRecipient[]
  messages: Change<string | null>[]
  /** Whether a legal hold keeps it from being deleted. */
  holds: Change<boolean>[]
  /** True times of the first request and of the answer that acknowledged it. */
  createdFromMs: number
  createdToMs: number
  /** As it was served last, when completed. */
  file: Uint8Array | undefined
  reminders: number
  /** Of the answer that acknowledged it. */
  voidedAtStep?: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** No request takes so long. */
const SUSPENDED_MS = 6 * HOUR_MS
/** Nothing expires so early. */
const WEEK_MS = 7 * DAY_MS
/** The shortest one, less an hour for clocks that differ. */
const MONTH_MS = 28 * DAY_MS - HOUR_MS
/** Between the announcement and the first erasure. */
const WARNED_DAYS = 13
/** So far the clocks of nodes may be from that of the database. */
const NODES_DIFFER_MS = 2_000

export interface FeedEvent {
  id: string
  type: string
  documentId: string | null
}

interface Entry {
  sequence: number
  entry: string
  hash: string
}

/** Of what clients knew before a request and know after it, an answer may show either. */
const between = (before: Outcome, after: Outcome): Outcome => (before === 'yes' || after === 'no' ? after : 'unknown')

/** The document as an answer has to show it, to a request that began at `before`. */
export function knownBetween(before: KnownDocument, after: KnownDocument): KnownDocument {
  const [sent, voided, deleted] = (['sent', 'voided', 'deleted'] as const).map(name => between(before[name], after[name])) as [
    Outcome,
    Outcome,
    Outcome,
  ]
  const recipients = after.recipients.map((recipient, i) => ({
    ...recipient,
    signed: between(before.recipients[i]?.signed ?? 'no', recipient.signed),
    declined: between(before.recipients[i]?.declined ?? 'no', recipient.declined),
    addresses: eitherOf(before.recipients[i]?.addresses ?? [], recipient.addresses),
  }))
  const [messages, holds] = [eitherOf(before.messages, after.messages), eitherOf(before.holds, after.holds)]
  return { ...after, sent, voided, deleted, recipients, messages, holds }
}

export class Model {
  readonly documents: KnownDocument[] = []
  readonly violations: string[] = []
  /** Between the clocks of this run that were furthest apart. */
  largestJumpMs = 0
  /** What clocks have shown beyond the true time. */
  readonly #offsetsMs = [0]
  /** Since when an administrator has documents erased a month after their end. */
  retainedSinceMs: number | undefined
  /** Documents that retention has erased. */
  readonly erased = new Set<string>()
  /** Titles of documents that a node made again after a day. */
  readonly madeAnew = new Set<string>()
  /** At the end: that of each sealed file, where an authority stamps. */
  level: string | undefined

  constructor(
    readonly world: World,
    readonly service: Pick<Service, 'rows' | 'shared'>,
  ) {}

  violate(sentence: string): void {
    this.violations.push(sentence)
    this.world.trace.say(this.world.nowMs, 'oracle', `VIOLATION: ${sentence}`)
  }

  add(document: Omit<KnownDocument, 'number' | 'file' | 'reminders' | 'messages' | 'holds'>): KnownDocument {
    const changes = { messages: first<string | null>(null), holds: first(false) }
    const known = { ...document, ...changes, number: this.documents.length, file: undefined, reminders: 0 }
    this.documents.push(known)
    return known
  }

  /** Mostly one for which an action makes sense. */
  documentAt(which: number, isFit: (known: KnownDocument) => boolean): KnownDocument | undefined {
    const all = this.documents.filter(({ id }) => id !== undefined)
    const fit = which % 5 === 0 ? all : all.filter(isFit)
    return fit[which % Math.max(1, fit.length)]
  }

  noteClock(offsetMs: number): void {
    this.#offsetsMs.push(offsetMs)
    this.largestJumpMs = Math.max(...this.#offsetsMs) - Math.min(...this.#offsetsMs)
  }

  /**
   * Whether a request since then may meet a file that is not there: a bucket has said so, or the
   * machine was suspended in its midst, and the upload is swept.
   */
  mayBeDamaged(fromMs: number): boolean {
    const liedAtMs = this.service.shared?.bucket.liedAtMs ?? Number.NEGATIVE_INFINITY
    return liedAtMs >= fromMs || this.world.nowMs - fromMs > SUSPENDED_MS
  }

  /** Any answer of the API. */
  noteAnswer(what: string, { status, headers, fromMs }: Answer): void {
    if (status >= 500 && status !== 503 && !this.mayBeDamaged(fromMs)) this.violate(`${what} answered ${status}`)
    if (status === 503 && !headers.has('retry-after')) this.violate(`${what} answered 503 without Retry-After`)
  }

  /** What `GET /documents/{id}` says, against what clients know. */
  checkDocument(known: KnownDocument, answer: Answer): void {
    const { status, body } = answer
    const name = `“${known.title}”`
    if (status === 404) {
      if (known.deleted === 'no') this.#checkErasure(known)
      return
    }
    if (status !== 200) return
    if (known.deleted === 'yes') this.violate(`${name} was deleted and is shown`)
    if (known.sent === 'yes' && body.status === 'draft') this.violate(`${name} was sent and is a draft`)
    if (known.sent === 'no' && !['draft', 'voided'].includes(body.status))
      this.violate(`${name} was never sent and is ${body.status}`)
    if (known.voided === 'yes' && body.status !== 'voided') this.violate(`${name} was voided and is ${body.status}`)
    if (known.voided === 'no' && body.status === 'voided') this.violate(`nobody voided ${name}`)
    this.#checkRecipients(known, body)
    for (const difference of differencesOf(known, body)) this.violate(difference)
    this.#checkTimes(known, body)
    if (body.status === 'expired') this.checkExpiry(known.title, body.expiresAt, this.world.nowMs)
    if (this.level !== undefined && body.status === 'completed' && body.sealLevel !== this.level)
      this.violate(`the seal of ${name} is ${body.sealLevel} for ever, and not ${this.level}`)
  }

  /** A month after the end at the earliest, and after the warnings. Clients know the creation. */
  #checkErasure(known: KnownDocument): void {
    const { id, title, createdFromMs } = known
    if (isHeld(known)) this.violate(`“${title}” is gone, under a legal hold`)
    const { nowMs } = this.world
    const since = this.retainedSinceMs
    const isOver = nowMs >= createdFromMs + MONTH_MS && since !== undefined && nowMs >= since + WARNED_DAYS * DAY_MS
    if (id !== undefined) this.erased.add(id)
    if (!isOver) this.violate(`“${title}” was acknowledged and is gone`)
  }

  /**
   * A deletion was acknowledged. What waits for signatures is never deleted, nor what is held.
   */
  checkDeletion(before: KnownDocument, after: KnownDocument): void {
    const { title, sent, voided, recipients, createdFromMs } = before
    if (isHeld(before, after)) this.violate(`“${title}” was deleted under a legal hold`)
    const isOver = voided !== 'no' || recipients.some(({ declined }) => declined !== 'no')
    const isSigned = recipients.every(({ signed }) => signed !== 'no')
    const mayHaveExpired = this.largestJumpMs > HOUR_MS || this.world.nowMs > createdFromMs + WEEK_MS
    if (sent === 'yes' && !isOver && !isSigned && !mayHaveExpired)
      this.violate(`“${title}” was deleted while it was to be signed`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of the API
  #checkRecipients(known: KnownDocument, body: any): void {
    for (const [i, recipient] of known.recipients.entries()) {
      const shown = body.recipients[i]
      const name = `${recipient.name} of “${known.title}”`
      if (!shown) this.violate(`${name} is not there`)
      else if (recipient.signed === 'yes' && shown.status !== 'signed') this.violate(`${name} signed and is ${shown.status}`)
      else if (recipient.signed === 'no' && shown.status === 'signed') this.violate(`${name} never signed and is shown as signed`)
      else if (recipient.declined === 'yes' && shown.status !== 'declined')
        this.violate(`${name} declined and is ${shown.status}`)
    }
    const isComplete = known.recipients.every((_, i) => body.recipients[i]?.status === 'signed')
    if (body.status === 'completed' && !isComplete) this.violate(`“${known.title}” is completed and not all have signed`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of the API
  #checkTimes(known: KnownDocument, { createdAt, sentAt, updatedAt, completedAt }: any): void {
    // What a clock has shown that was wrong by more than an hour is not waited for.
    const between: [string, string | null | undefined][] =
      this.largestJumpMs > HOUR_MS
        ? []
        : [
            ['sentAt', sentAt],
            ['completedAt', completedAt],
          ]
    const ascending: [string, string | null | undefined][] = [['createdAt', createdAt], ...between, ['updatedAt', updatedAt]]
    const times = ascending.filter(([, at]) => at !== null && at !== undefined)
    for (let i = 1; i < times.length; i++) {
      const [before, after] = [times[i - 1], times[i]]
      if (before?.[1] && after?.[1] && before[1] > after[1])
        this.violate(`“${known.title}” has ${after[0]} ${after[1]} before ${before[0]} ${before[1]}`)
    }
    if (this.largestJumpMs > 0 || known.created !== 'yes') return
    const createdMs = Date.parse(createdAt)
    const differMs = this.service.shared ? NODES_DIFFER_MS : 0
    if (createdMs < known.createdFromMs - differMs || createdMs > known.createdToMs + differMs)
      this.violate(`“${known.title}” has createdAt ${createdAt}, outside its request`)
  }

  /** By the time that clients were shown. A clock may differ by a day before it is doubted. */
  checkExpiry(title: string, expiresAt: string, shownAtMs: number): void {
    const earliestMs = Date.parse(expiresAt) - Math.min(this.largestJumpMs, DAY_MS + HOUR_MS)
    if (shownAtMs < earliestMs) this.violate(`“${title}” expired before its time`)
  }

  /** A served file of a completed document: later ones only add to it (ISO 32000-2, 7.5.6). */
  checkFile(known: KnownDocument, answer: Answer): void {
    if (answer.status !== 200) {
      if (answer.status !== 503 && answer.status !== 404 && !this.mayBeDamaged(answer.fromMs))
        this.violate(`the file of “${known.title}” answers ${answer.status}`)
      return
    }
    const file = Buffer.from(answer.body as Uint8Array)
    const before = known.file ?? Buffer.alloc(0)
    const isLater = file.length >= before.length
    const [short, long] = isLater ? [before, file] : [file, before]
    if (!Buffer.from(long.subarray(0, short.length)).equals(short)) this.violate(`“${known.title}” has been sealed twice`)
    if (isLater) known.file = file
  }

  /** What somebody else of the organisation is shown of it. */
  checkStranger({ title }: KnownDocument, answer: Answer): void {
    if (answer.status === 200) this.violate(`“${title}” is shown to somebody who may not see it`)
  }

  /** Somebody who has no documents lists them. */
  checkStrangerList(answer: Answer): void {
    if (answer.status === 200 && answer.body.data.length > 0)
      this.violate(`“${answer.body.data[0].title}” is listed for somebody who may not see it`)
  }

  /**
   * All documents that the API lists: each was asked for, once. A node that was halted for as long
   * as an idempotency key counts may then carry out a request that was made elsewhere.
   */
  checkList(listed: readonly { id: string; title: string; createdAt: string }[]): void {
    const byTitle = Map.groupBy(listed, ({ title }) => title)
    for (const [title, all] of byTitle) {
      const [first = 0, second] = all.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b)
      if (second !== undefined && this.service.shared && second >= first + DAY_MS) this.madeAnew.add(title)
      else if (second !== undefined) this.violate(`“${title}” was asked for once and is there ${all.length} times`)
      if (!title.startsWith(PROBE) && !this.documents.some(known => known.title === title))
        this.violate(`nobody asked for “${title}”`)
    }
  }

  /** The chain of the audit log, and its rows: hash = SHA-256(0x00 ‖ previous ‖ entry). */
  async checkLog(read: (sql: string) => Promise<Entry[]> = sql => this.service.rows<Entry>(sql)): Promise<void> {
    const rows = await read('SELECT sequence, entry, hash FROM events ORDER BY sequence')
    let previous = '0'.repeat(64)
    let expected = rows[0]?.sequence ?? 1
    for (const { sequence, entry, hash } of rows) {
      if (sequence !== expected++) {
        this.violate(`entry ${sequence} of the audit log follows a gap`)
        return
      }
      const made = createHash('sha256')
        .update(Buffer.of(0))
        .update(Buffer.from(previous, 'hex'))
        .update(entry, 'utf8')
        .digest('hex')
      if (made !== hash) {
        this.violate(`entry ${sequence} of the audit log does not match its hash`)
        return
      }
      previous = hash
    }
  }

  /** When failures have ended and time has passed: nothing waits for ever. */
  async checkQueues(): Promise<void> {
    const { service } = this
    const open = await service.rows<{ kind: string; number: number }>(
      "SELECT kind, count(*) AS number FROM jobs WHERE state = 'open' GROUP BY kind",
    )
    for (const { kind, number } of open) if (kind !== 'webhook') this.violate(`${number} jobs of kind ${kind} are still open`)
    const claims = await service.rows<{ sha256: string }>('SELECT sha256 FROM file_claims')
    if (claims.length > 0) this.violate(`${claims.length} claims of files are left`)
    const sealing = await service.rows<{ title: string }>("SELECT title FROM documents WHERE status = 'sealing'")
    for (const { title } of sealing) this.violate(`“${title}” is still being sealed`)
  }

  /** Nothing grows without end: rows of jobs for a document. */
  async checkBounds(): Promise<void> {
    const sql = 'SELECT document_id AS id, count(*) AS number FROM jobs WHERE document_id IS NOT NULL GROUP BY document_id'
    const rows = await this.service.rows<{ id: string; number: number }>(sql)
    for (const { id, number } of rows) if (number > MAX_JOBS) this.violate(`${id} has ${number} jobs`)
  }

  /**
   * From `fromMs` on nothing is sealed any more: a file has one new time-stamp a day at most, and
   * the audit log a checkpoint with one. A file that was sealed without gets its first two at once,
   * when a clock that was ahead is passed; a receipt has one, with a mail that may have waited.
   */
  async checkTimestamps({ tokensAtMs }: Authority, fromMs: number): Promise<void> {
    const completed = this.documents.filter(({ recipients }) => recipients.every(({ signed }) => signed !== 'no')).length
    const [receipts] = await this.service.rows<{ number: number }>('SELECT count(*) AS number FROM receipts')
    let late = completed + (receipts?.number ?? 0)
    for (let dayMs = fromMs; dayMs < this.world.nowMs; dayMs += DAY_MS) {
      const tokens = tokensAtMs.filter(atMs => atMs >= dayMs && atMs < dayMs + DAY_MS).length
      late -= Math.max(0, tokens - completed - 1)
      if (late < 0) this.violate(`${tokens} time-stamps were asked for in a day, for ${completed} documents`)
    }
  }
}

/** Of mails and deliveries together. */
const MAX_JOBS = 150
