/** Checks the stored files and the database for damage and raises alerts. Repairs nothing. */
import { endAlert, raiseAlert, raiseAlertIn } from '../../alerts/alerts.ts'
import { alertSubjects, findAlert } from '../../alerts/queries.ts'
import { type CheckMode, isDatabaseDamage } from '../../db/check.ts'
import type { Db, Tx } from '../../db/open.ts'
import { filesAfter, isFileReferenced } from '../../files/queries.ts'
import { DAY_MS } from '../../lib/duration.ts'
import { errorMessage } from '../../lib/log.ts'
import { diagnosis } from '../../locales/diagnoses.ts'
import type { App, DamageWatch } from '../../ports.ts'
import { allSettings, saveSetting } from '../../settings/queries.ts'
import { type FileDamage, FileStoreUnavailableError } from '../../storage/file-store.ts'
import { documentsOfFile, findUncached } from '../queries.ts'

/** When all files and the database were last read; at first the time of the first start. */
export const CHECKED_AT = 'damage.checkedAt'
const CHECK_EVERY_MS = 7 * DAY_MS
const FILES_AT_ONCE = 100
/** With an alert each: more say nothing that these do not say. */
const MAX_DOCUMENTS = 20

interface Options {
  checkDatabase(mode: CheckMode): Promise<string[]>
}

export class StoredDataWatch implements DamageWatch {
  readonly #app: App
  readonly #checkDatabase: Options['checkDatabase']
  readonly #running = new Set<Promise<unknown>>()
  #databaseProblem: string | undefined
  #isChecking = false
  #isClosed = false

  constructor(app: App, { checkDatabase }: Options) {
    this.#app = app
    this.#checkDatabase = checkDatabase
  }

  databaseProblem(): string | undefined {
    return this.#databaseProblem
  }

  noteError(error: unknown): void {
    if (isDatabaseDamage(error)) this.#noteDatabase(error.message)
  }

  noteFile(sha256: string, damage: FileDamage): void {
    this.#inBackground('a damaged file could not be reported', () => this.#raiseForFile(sha256, damage))
  }

  noteDocument(documentId: string, error: unknown): void {
    this.#inBackground('a document that cannot be read could not be reported', () => this.#raiseForDocument(documentId, error))
  }

  async checkDatabase(): Promise<string[]> {
    const problems = await this.#checkDatabase('full')
    if (problems.length > 0) this.#noteDatabase(problems.join('; '))
    return problems
  }

  checkAfterStart(): void {
    this.#inBackground('the database could not be checked', async () => {
      // The quick check may miss what the full check found.
      const isKnown = (await findAlert(this.#app.db, 'database_damaged', '')) !== undefined
      await this.#check(isKnown ? 'full' : 'quick')
    })
  }

  async checkWhenDue(): Promise<void> {
    const app = this.#app
    const isDue = await this.#isDue()
    await this.recheck()
    if (!isDue || this.#isChecking) return
    this.#isChecking = true
    this.#inBackground('the weekly check did not end', async () => {
      try {
        await this.checkFiles()
        await this.#check('full')
        if (!this.#isClosed) await app.write(tx => saveSetting(tx, CHECKED_AT, app.now().toISOString()))
      } finally {
        this.#isChecking = false
      }
    })
  }

  async checkFiles(): Promise<void> {
    const { db, steadyMs, timers } = this.#app
    for (let after = ''; !this.#isClosed; ) {
      const some = await filesAfter(db, after, FILES_AT_ONCE)
      for (const sha256 of some) {
        if (this.#isClosed) return
        const startedMs = steadyMs()
        await this.#isIntact(sha256)
        // Uses the disk at most half of the time.
        await timers.sleep(steadyMs() - startedMs)
      }
      const last = some.at(-1)
      if (last === undefined || some.length < FILES_AT_ONCE) return
      after = last
    }
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
  }

  /** The first start only stores the date. */
  async #isDue(): Promise<boolean> {
    const app = this.#app
    const checkedAt = (await allSettings(app.db)).get(CHECKED_AT)
    if (checkedAt !== undefined) return app.now().getTime() - new Date(checkedAt).getTime() >= CHECK_EVERY_MS
    await app.write(tx => saveSetting(tx, CHECKED_AT, app.now().toISOString()))
    return false
  }

  async recheck(): Promise<void> {
    const app = this.#app
    for (const sha256 of await alertSubjects(app.db, 'file_damaged')) {
      if ((await this.#isIntact(sha256)) || !(await isFileReferenced(app.db, sha256))) await endAlert(app, 'file_damaged', sha256)
    }
    const documents = await alertSubjects(app.db, 'document_unreadable')
    const { unreadable } = await findUncached(app.db, documents)
    for (const id of documents) if (!unreadable.has(id)) await endAlert(app, 'document_unreadable', id)
  }

  /** The store reports a damaged file itself. */
  async #isIntact(sha256: string): Promise<boolean> {
    const { storage, log } = this.#app
    try {
      return (await storage.hashOf(sha256)) === sha256
    } catch (error) {
      // Then no file can be checked. The next run begins again.
      if (error instanceof FileStoreUnavailableError) throw error
      log('error', 'a stored file could not be read', { sha256, error: String(error) })
      return false
    }
  }

  async #check(mode: CheckMode): Promise<void> {
    const problems = await this.#checkDatabase(mode)
    if (problems.length > 0) this.#noteDatabase(problems.join('; '))
    else if (this.#databaseProblem === undefined) await endAlert(this.#app, 'database_damaged')
  }

  #noteDatabase(problem: string): void {
    if (this.#databaseProblem !== undefined) return
    this.#databaseProblem = problem
    this.#app.log('error', 'the database is damaged', { problem })
    this.#inBackground('the damaged database could not be reported', () =>
      raiseAlert(this.#app, { kind: 'database_damaged', found: diagnosis('database_damaged', { problem }) }),
    )
  }

  async #raiseForFile(sha256: string, damage: FileDamage): Promise<void> {
    const app = this.#app
    if (!(await isFileReferenced(app.db, sha256))) return
    const documents = await documentsOfFile(app.db, sha256)
    const place = app.config.filesUrl === undefined ? 'folder' : 'bucket'
    const found = diagnosis(`${place}_file_${damage}`, {
      file: `${sha256}.pdf`,
      hasDocuments: documents.length > 0,
      documents,
    })
    await raiseAlert(app, { kind: 'file_damaged', subject: sha256, found })
  }

  async #raiseForDocument(documentId: string, error: unknown): Promise<void> {
    const app = this.#app
    const isNew = async (db: Db | Tx) => {
      const open = await alertSubjects(db, 'document_unreadable')
      return open.length < MAX_DOCUMENTS && !open.includes(documentId)
    }
    // Most reads find it open, and begin no transaction.
    if (!(await isNew(app.db))) return
    const found = diagnosis('document_unreadable', { documentId })
    await app.write(async tx => {
      if (!(await isNew(tx))) return
      await raiseAlertIn(tx, app, { kind: 'document_unreadable', subject: documentId, found })
      const facts = { documentId, error: errorMessage(error) }
      app.afterCommit(tx, () => app.log('error', 'a document cannot be read', facts))
    })
  }

  /** Logs a failure: the next check reports the damage again. */
  #inBackground(failure: string, work: () => Promise<unknown>): void {
    const running = work()
      .catch(error => this.#app.log('error', failure, { error: errorMessage(error) }))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}
