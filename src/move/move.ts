/**
 * Moves an installation from one database and file store to another. A move that was killed goes
 * on where it was; the source is only read, until it is marked as moved.
 */
import { deleteRows, hasRows, type UnfitValue } from '../db/move/rows.ts'
import { clearMoveState, type MoveState, moveProblem, readMoveState, saveMoveState } from '../db/move/state.ts'
import { type MovedTable, type MoveSchema, readMoveSchema, startTriggers, stopTriggers } from '../db/move/tables.ts'
import { counted } from '../lib/counted.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { matchesKey } from '../settings/master-key-match.ts'
import { instanceFact } from '../settings/queries.ts'
import { copyFiles, type DamagedFile, type FilesToMove, surveyFiles, type Verification, verifyArrival } from './files.ts'
import { countDocuments, countFiles } from './queries.ts'
import { copyRows, type Digests, differences, digestRows, type MoveEnd, MoveError } from './rows.ts'

// Prints how far a move is, at most one line every few seconds.

const MIN_INTERVAL_MS = 5_000

export class Progress {
  readonly #say: (line: string) => void
  readonly #nowMs: () => number
  #label = ''
  #total = 0
  #done = 0
  #printedAt = 0

  constructor(say: (line: string) => void, nowMs: () => number) {
    this.#say = say
    this.#nowMs = nowMs
  }

  begin(label: string, total: number): void {
    this.#label = label
    this.#total = total
    this.#done = 0
    this.#printedAt = this.#nowMs()
  }

  add(count: number): void {
    this.#done += count
    const now = this.#nowMs()
    if (now - this.#printedAt < MIN_INTERVAL_MS) return
    this.#printedAt = now
    this.#say(`${this.#label}: ${this.#done}${this.#total > 0 ? ` of ${this.#total}` : ''}`)
  }
}

// The course of a move.

export interface MoveOptions {
  /** Only checks the source and counts. */
  dryRun: boolean
  /** Moves the rest when files of the source are missing or damaged. */
  allowDamaged: boolean
  /** The master key that the target will be served with. */
  secrets: SecretBox
  say(line: string): void
  now(): Date
}

export interface MoveReport {
  installation: string
  environment: string
  documents: number
  files: { count: number; bytes: number; copied: number; arrived: number; damaged: DamagedFile[] }
  rows: number
  tables: number
  /** Undefined for a dry run, and when an earlier run had verified everything. */
  verification: Verification | undefined
}

/** Reads all of the source and changes nothing. `target`: undefined if it does not exist yet. */
export async function surveyInstallation(
  source: MoveEnd,
  target: MoveEnd | undefined,
  options: MoveOptions,
): Promise<MoveReport> {
  return new Move(source, options).survey(target)
}

/** @throws MoveError when the ends do not allow it; nothing was changed then */
export async function moveInstallation(source: MoveEnd, target: MoveEnd, options: MoveOptions): Promise<MoveReport> {
  return new Move(source, options).run(target)
}

const NOTHING_TO_COPY: FilesToMove = { isCopied: new Uint8Array(0), copies: 0, arrived: 0, damaged: [] }

class Move {
  readonly #source: MoveEnd
  readonly #options: MoveOptions
  readonly #schema: MoveSchema = readMoveSchema()
  readonly #progress: Progress

  constructor(source: MoveEnd, options: MoveOptions) {
    this.#source = source
    this.#options = options
    this.#progress = new Progress(options.say, () => options.now().getTime())
  }

  async run(target: MoveEnd): Promise<MoveReport> {
    const source = this.#source
    const { from, to } = await this.#requireMovable(target)
    // An earlier run has verified everything and marked the source when it is recorded as moved.
    const isVerified = from?.role === 'source' && from.state === 'moved'
    const report = isVerified
      ? await this.#report(to?.role === 'target' ? to.digests : {}, NOTHING_TO_COPY)
      : await source.moveTo(target.name, keepMark => this.#copy(target, to, keepMark))
    // The source is marked: from here on the target alone may be served, at no time both.
    await target.database.write(clearMoveState)
    return report
  }

  async #copy(target: MoveEnd, to: MoveState | undefined, keepMark: () => void): Promise<MoveReport> {
    const source = this.#source
    const { engine } = target.database
    const { digests, work } = await this.#survey(to && target)
    const report = await this.#report(digests, work)
    keepMark()
    await this.#begin(target, to, { installation: report.installation, digests })
    this.#progress.begin('Files copied', work.copies)
    await copyFiles(source, target, this.#table('files'), work, this.#progress)
    this.#progress.begin('Rows copied', report.rows)
    await copyRows(source, target, this.#schema, this.#progress)
    await target.database.write(tx => startTriggers(tx, engine, this.#schema))
    this.#progress.begin('Rows verified', report.rows)
    const verification = await verifyArrival(source, target, this.#schema, { digests, work }, this.#progress)
    return { ...report, verification }
  }

  /** `target`: undefined if it does not exist yet. */
  async survey(target: MoveEnd | undefined): Promise<MoveReport> {
    if (target) await this.#requireMovable(target)
    const { digests, work } = await this.#survey(undefined)
    return this.#report(digests, work)
  }

  /** `target`: one to which an earlier run may have copied files. */
  async #survey(target: MoveEnd | undefined): Promise<{ digests: Digests; work: FilesToMove }> {
    const source = this.#source
    await this.#requireKey()
    this.#progress.begin('Rows checked', 0)
    const { digests, unfit } = await digestRows(source, this.#schema, this.#progress, { findUnfit: true })
    if (unfit.length > 0) throw new MoveError(unfitText(unfit))
    const { count } = await countFiles(source.database.db)
    this.#progress.begin('Files checked', count)
    const work = await surveyFiles(source, target, this.#table('files'), count, this.#progress)
    const { allowDamaged, dryRun } = this.#options
    if (work.damaged.length > 0 && !allowDamaged && !dryRun) throw new MoveError(damagedText(work.damaged))
    return { digests, work }
  }

  async #report(digests: Digests, { copies, arrived, damaged }: FilesToMove): Promise<MoveReport> {
    const { db } = this.#source.database
    return {
      installation: await installationOf(this.#source),
      environment: (await instanceFact(db, 'environment')) ?? '',
      documents: await countDocuments(db),
      files: { ...(await countFiles(db)), copied: copies, arrived, damaged },
      rows: Object.values(digests).reduce((sum, { rows }) => sum + rows, 0),
      tables: this.#schema.tables.length,
      verification: undefined,
    }
  }

  async #requireKey(): Promise<void> {
    if (await matchesKey(this.#source.database.db, this.#options.secrets)) return
    throw new MoveError(
      `The master key is not that of ${this.#source.name}: name the file with the right one in SIGNET_MASTER_KEY_FILE. Nothing was changed.`,
    )
  }

  async #requireMovable(target: MoveEnd): Promise<{ from: MoveState | undefined; to: MoveState | undefined }> {
    const from = await readMoveState(this.#source.database.db)
    const to = await readMoveState(target.database.db)
    requireSameMove({ source: this.#source, from, target, to, installation: await installationOf(this.#source) })
    if (to === undefined) await this.#requireEmpty(target)
    return { from, to }
  }

  /** A complete installation, or files of an unknown origin, must not be overwritten. */
  async #requireEmpty({ name, database, files }: MoveEnd): Promise<void> {
    for (const table of this.#schema.tables) {
      if (await hasRows(database.db, table)) {
        throw new MoveError(
          `The database of ${name} is in use (table ${table.name} has rows): name an empty one. Nothing was changed.`,
        )
      }
    }
    for await (const names of files.list()) {
      if (names.length > 0)
        throw new MoveError(`The file store of ${name} contains files: name an empty one. Nothing was changed.`)
    }
  }

  /** Records the move on the target, which is not served until it is complete. */
  async #begin(target: MoveEnd, to: MoveState | undefined, of: { installation: string; digests: Digests }): Promise<void> {
    const { database } = target
    const copied = to?.role === 'target' ? differences(to.digests, of.digests) : []
    if (to !== undefined && copied.length === 0) return
    if (to !== undefined) this.#options.say('The source has changed since the move began: its rows are copied again.')
    const state: MoveState = { role: 'target', from: this.#source.name, at: this.#options.now().toISOString(), ...of }
    await database.write(async tx => {
      if (to === undefined && (await hasRows(tx, this.#table('instance')))) {
        throw new MoveError(`${target.name} was put to use meanwhile: name an empty one.`)
      }
      await clearMoveState(tx)
      await stopTriggers(tx, database.engine, this.#schema)
      if (to !== undefined) await deleteRows(tx, database.engine, this.#schema.tables)
      await saveMoveState(tx, state)
    })
  }

  #table(name: string): MovedTable {
    const table = this.#schema.tables.find(one => one.name === name)
    if (!table) throw new Error(`there is no table ${name}`)
    return table
  }
}

async function installationOf({ database, name }: MoveEnd): Promise<string> {
  const id = await instanceFact(database.db, 'id')
  if (id === undefined) throw new MoveError(`${name} holds no installation: there is nothing to move.`)
  return id
}

/** Makes an installation that was moved serve again. Returns where it was moved to. */
export async function undoMark({ name, database }: Pick<MoveEnd, 'name' | 'database'>): Promise<string> {
  const state = await readMoveState(database.db)
  if (state?.role !== 'source') throw new MoveError(`${name} is not marked as moved: there is nothing to undo.`)
  await database.write(clearMoveState)
  return state.to
}

interface BothEnds {
  source: MoveEnd
  from: MoveState | undefined
  target: MoveEnd
  to: MoveState | undefined
  installation: string
}

/** Refuses an end that is in a move with another one. */
function requireSameMove({ source, from, target, to, installation }: BothEnds): void {
  const isBegun = to?.role === 'target' && to.installation === installation
  const isElsewhere = from && (from.role === 'target' || from.to !== target.name || (from.state === 'moved' && !isBegun))
  if (isElsewhere) throw new MoveError(moveProblem(from, source.name, source.database.engine))
  if (to && !isBegun) throw new MoveError(`${moveProblem(to, target.name, target.database.engine)} Name an empty target.`)
}

function unfitText(unfit: readonly UnfitValue[]): string {
  const lines = unfit.map(({ table, key, column, problem }) => `  table ${table}, row ${key}: ${column} ${problem}`)
  return `These values cannot be moved; correct them first. Nothing was changed.\n${lines.join('\n')}`
}

const MAX_LISTED_FILES = 100

function damagedText(damaged: readonly DamagedFile[]): string {
  const lines = damaged.slice(0, MAX_LISTED_FILES).map(({ sha256, problem }) => `  ${sha256}.pdf ${problem}`)
  const more = damaged.length > lines.length ? [`  and ${damaged.length - lines.length} more`] : []
  const remedy = 'restore them from a backup, or move the rest with --allow-damaged. Nothing was changed.'
  return [
    `${counted(damaged.length, 'file of the source is', 'files of the source are')} missing or damaged: ${remedy}`,
    ...lines,
    ...more,
  ].join('\n')
}
