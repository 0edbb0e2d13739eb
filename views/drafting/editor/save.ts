/**
 * Saves the fields of a draft as changes by field id: one request at a time, merged with what
 * others saved meanwhile, repeated while the server cannot be reached.
 */
import { DAY_MS } from '../../../src/lib/duration.ts'
import { MAX_KEEPALIVE_LENGTH, PATIENCE_MS } from '../../browser/request-limits.ts'
import type { Extent } from './commands.ts'
import { type ApiDraft, type Draft, type FieldEdit, fieldEdits, proposalsOf, readDraft } from './draft.ts'
import { type HistoryData, type Merged, merge } from './history.ts'
import { applyChanges, BLANK, type Change, difference, type EditorField, type Fields, isSameField } from './model.ts'

export type SaveState =
  | 'saved'
  | 'saving'
  /** The server cannot be reached; the change is kept and repeated. */
  | 'offline'
  /** The server refused fields, which keep their errors until they change. */
  | 'refused'
  /** The document is no draft any more. */
  | 'closed'
  | 'signedOut'

export type SaveAnswer =
  | { kind: 'saved'; version: number }
  /** 412: somebody else saved. `by`: their name, if the server said so. */
  | { kind: 'changed'; by: string | undefined }
  /** 422: errors by the index of the change, or of the whole. */
  | { kind: 'refused'; errors: { index: number | undefined; message: string }[] }
  | { kind: 'closed' }
  | { kind: 'signedOut' }
  | { kind: 'failed' }

export interface DraftEdit {
  version: number
  fields: FieldEdit[]
  title?: string
  /** Of new fields, by field id. */
  proposals?: Record<string, number>
}

/** What the server does not have. */
export interface Unsaved {
  changes: readonly Change[]
  title: string | undefined
}

export function editOf(version: number, changes: readonly Change[], title: string | undefined): DraftEdit {
  const proposals = proposalsOf(changes)
  return {
    version,
    fields: fieldEdits(changes),
    ...(title === undefined ? {} : { title }),
    ...(Object.keys(proposals).length === 0 ? {} : { proposals }),
  }
}

export type MergedDraft = Merged & { draft: Draft; by: string | undefined }

interface SaverOptions {
  draft: Draft
  /** The fields as the editor shows them now. */
  fields(): Fields
  post(edit: DraftEdit): Promise<SaveAnswer>
  /** Sends without waiting: the page is left. */
  beacon(edit: DraftEdit): void
  /** The draft as it is now; rejects when it cannot be reached. */
  get(): Promise<Draft | 'signedOut'>
  later(ms: number, run: () => void): () => void
  onState(state: SaveState): void
  /** The editor replaces its fields by `fields`. */
  onMerged(merged: MergedDraft): void
  onRefused(errors: { id: string | undefined; message: string }[]): void
}

const SAVE_AFTER_MS = 500
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 20_000]

export class DraftSaver {
  readonly #options: SaverOptions
  #saved: Fields
  #version: number
  #state: SaveState = 'saved'
  #timer: (() => void) | undefined
  #running: Promise<void> | undefined
  /** Values that the server refused; they are sent again only after they changed. */
  readonly #refused = new Map<string, Change['after']>()
  #failures = 0
  /** Typed and not saved yet. */
  #title: string | undefined

  constructor(options: SaverOptions) {
    this.#options = options
    this.#saved = options.draft.fields
    this.#version = options.draft.version
  }

  get state(): SaveState {
    return this.#state
  }

  get version(): number {
    return this.#version
  }

  /** What the server does not have yet. */
  pending(): Change[] {
    return difference(this.#saved, this.#options.fields())
  }

  get unsaved(): Unsaved {
    return { changes: this.pending(), title: this.#title }
  }

  setTitle(title: string): void {
    this.#title = title
    this.noteChange()
  }

  get #isSaved(): boolean {
    return this.#title === undefined && this.pending().length === 0
  }

  /** Call after every change of the fields. */
  noteChange(): void {
    if (this.#isClosed) return
    if (this.#isSaved) {
      if (!this.#running) this.#setState('saved')
      return
    }
    if (this.#state === 'offline') return
    this.#setState('saving')
    this.#timer ??= this.#options.later(SAVE_AFTER_MS, () => void this.#start())
  }

  /** Saves at once. Resolves with whether everything is saved. */
  async flush(): Promise<boolean> {
    if (!this.#isClosed) await this.#start()
    return this.#isSaved
  }

  /** The page is left: what is not saved goes along without an answer. */
  leave(): void {
    // A second request beside a running one would be refused: its version is not known yet.
    const changes = this.#sendable()
    if (this.#running || this.#isClosed || (changes.length === 0 && this.#title === undefined)) return
    this.#options.beacon(this.#editOf(changes))
  }

  /** Somebody saved version `version`: fetch it unless it is ours. */
  async noteVersion(version: number): Promise<void> {
    await this.#running
    if (version > this.#version && !this.#isClosed) await this.#start(true)
  }

  get #isClosed(): boolean {
    return this.#state === 'closed' || this.#state === 'signedOut'
  }

  #setState(state: SaveState): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.onState(state)
  }

  #sendable(): Change[] {
    return this.pending().filter(({ id, after }) => !(this.#refused.has(id) && isSameField(this.#refused.get(id), after)))
  }

  #start(isOutdated = false): Promise<void> {
    this.#timer?.()
    this.#timer = undefined
    this.#running ??= this.#run(isOutdated).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(isOutdated: boolean): Promise<void> {
    if (isOutdated && !(await this.#refresh(await this.#whoChanged()))) return
    for (let changes = this.#sendable(); changes.length > 0 || this.#title !== undefined; changes = this.#sendable()) {
      if (this.#state !== 'offline') this.#setState('saving')
      if (!(await this.#send(changes))) return
    }
    this.#setState(this.#isSaved ? 'saved' : 'refused')
  }

  /** An edit without changes is answered with who changed the draft since our version. */
  async #whoChanged(): Promise<string | undefined> {
    const answer = await this.#options.post({ version: this.#version, fields: [] })
    return answer.kind === 'changed' ? answer.by : undefined
  }

  #editOf(changes: Change[]): DraftEdit {
    return editOf(this.#version, changes, this.#title)
  }

  /** Whether to continue with what is left. */
  async #send(changes: Change[]): Promise<boolean> {
    const edit = this.#editOf(changes)
    const answer = await this.#options.post(edit)
    switch (answer.kind) {
      case 'saved':
        return this.#noteSaved(edit, changes, answer.version)
      case 'changed':
        return this.#refresh(answer.by)
      case 'refused':
        this.#failures = 0
        if (edit.title === this.#title) this.#title = undefined
        this.#refuse(changes, answer.errors)
        return true
      case 'closed':
      case 'signedOut':
        this.#setState(answer.kind)
        return false
      case 'failed':
        this.#retryLater()
        return false
    }
  }

  async #noteSaved({ version, title }: DraftEdit, changes: Change[], nextVersion: number): Promise<boolean> {
    this.#failures = 0
    this.#saved = applyChanges(this.#saved, changes)
    this.#version = nextVersion
    if (title === this.#title) this.#title = undefined
    for (const { id } of changes) this.#refused.delete(id)
    if (this.#state === 'offline') this.#setState('saving')
    // Another version in between: another window of this person saved too.
    return nextVersion === version + 1 || this.#refresh(undefined)
  }

  #refuse(changes: Change[], errors: { index: number | undefined; message: string }[]): void {
    const named = errors.map(({ index, message }) => ({ id: index === undefined ? undefined : changes[index]?.id, message }))
    const ids = new Set(named.flatMap(({ id }) => id ?? []))
    // An error of the whole: nothing of this would be accepted.
    const refused = ids.size > 0 ? changes.filter(({ id }) => ids.has(id)) : changes
    for (const { id, after } of refused) this.#refused.set(id, after)
    this.#options.onRefused(named)
  }

  /** Merges with the server's draft. */
  async #refresh(by: string | undefined): Promise<boolean> {
    let draft: Draft | 'signedOut'
    try {
      draft = await this.#options.get()
    } catch {
      this.#retryLater()
      return false
    }
    if (draft === 'signedOut' || !draft.isDraft) {
      this.#setState(draft === 'signedOut' ? 'signedOut' : 'closed')
      return false
    }
    const people = new Set(draft.people.map(({ id }) => id))
    const merged = merge(this.#saved, this.pending(), draft.fields, people)
    this.#saved = draft.fields
    this.#version = draft.version
    this.#options.onMerged({ ...merged, draft, by })
    return true
  }

  #retryLater(): void {
    this.#setState('offline')
    const pauseMs = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)]!
    this.#timer ??= this.#options.later(pauseMs, () => void this.#start())
  }
}

// Requests for the draft and its changes.

interface RequestsOptions {
  /** `/documents/doc_…/draft` */
  url: string
  csrf: string
}

interface ErrorBody {
  error?: {
    message?: string
    /** `by` and `isOwn`: of `draft_changed`. */
    details?: { path: string; message: string; by?: string; isOwn?: boolean }[]
  }
}

export function draftRequests({ url, csrf }: RequestsOptions) {
  const bodyOf = ({ version, proposals = {}, ...edit }: DraftEdit) =>
    new URLSearchParams({
      csrf,
      version: String(version),
      edit: JSON.stringify(edit),
      proposals: JSON.stringify(proposals),
    })
  return {
    async get(): Promise<Draft | 'signedOut'> {
      const response = await fetch(url, { redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
      if (isSignedOut(response)) return 'signedOut'
      if (!response.ok) throw new Error(`the draft was answered ${response.status}`)
      return readDraft((await response.json()) as ApiDraft)
    },

    async post(edit: DraftEdit): Promise<SaveAnswer> {
      const body = bodyOf(edit)
      const keepalive = body.toString().length < MAX_KEEPALIVE_LENGTH
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS)
        return await readAnswer(await fetch(url, { method: 'POST', body, redirect: 'manual', keepalive, signal }))
      } catch {
        return { kind: 'failed' }
      }
    },

    beacon(edit: DraftEdit): void {
      navigator.sendBeacon(url, bodyOf(edit))
    },
  }
}

/** A page for signed-in people redirects others. */
function isSignedOut(response: Response): boolean {
  return response.type === 'opaqueredirect' || response.status === 401
}

async function readAnswer(response: Response): Promise<SaveAnswer> {
  if (isSignedOut(response)) return { kind: 'signedOut' }
  if (response.ok) return { kind: 'saved', version: Number(((await response.json()) as { version: number }).version) }
  const isJson = response.headers.get('content-type')?.includes('json')
  const { error }: ErrorBody = isJson ? ((await response.json()) as ErrorBody) : {}
  if (response.status === 412) return { kind: 'changed', by: error?.details?.find(({ isOwn }) => isOwn === false)?.by }
  if (response.status === 409 || response.status === 404) return { kind: 'closed' }
  if (response.status === 422) return { kind: 'refused', errors: refusedFields(error) }
  return { kind: 'failed' }
}

function refusedFields(error: ErrorBody['error']): { index: number | undefined; message: string }[] {
  const details = error?.details ?? []
  if (details.length === 0) return [{ index: undefined, message: error?.message ?? '' }]
  return details.map(({ path, message }) => {
    const index = /^fields\[(\d+)\]/.exec(path)?.[1]
    return index === undefined ? { index, message: `${path}: ${message}` } : { index: Number(index), message }
  })
}

// Undo steps and unsaved changes of each draft, kept in IndexedDB where there is one.

export interface StoredDraft {
  history: HistoryData
  pending: Change[]
  /** The last size of each type, pt. */
  sizes: Record<string, Extent>
  isSnapping: boolean
  /** Indexes of proposals that were dismissed. */
  dismissed: number[]
  atMs: number
}

const NAME = 'signet-editor'
const STORE = 'drafts'
const MAX_AGE_MS = 90 * DAY_MS

export interface DraftStore {
  read(): Promise<StoredDraft | undefined>
  write(stored: StoredDraft): Promise<void>
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database of the browser refused'))
  })
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return answerOf(request)
}

/** Private windows and full disks have no database: reading gives nothing, writing does nothing. */
export function openStore(documentId: string): DraftStore {
  const database = open().catch((error: unknown) => {
    console.warn('undo steps end with this page', error)
    return undefined
  })
  void database.then(opened => opened && forgetOld(opened))
  const store = async (mode: IDBTransactionMode) => (await database)?.transaction(STORE, mode).objectStore(STORE)
  return {
    async read() {
      const drafts = await store('readonly')
      const stored = await (drafts && answerOf(drafts.get(documentId) as IDBRequest<StoredDraft | undefined>))
      return stored && completed(stored)
    },
    async write(stored) {
      const drafts = await store('readwrite')
      if (drafts) await answerOf(drafts.put(stored, documentId))
    },
  }
}

/** Fields that an earlier release kept lack members that it did not have. */
function completed(stored: StoredDraft): StoredDraft {
  const field = (kept: EditorField | undefined) => kept && { ...BLANK, ...kept }
  const changes = (kept: readonly Change[]) =>
    kept.map(({ id, before, after }) => ({ id, before: field(before), after: field(after) }))
  const steps = (kept: HistoryData['undo']) => kept.map(step => ({ ...step, changes: changes(step.changes) }))
  const { undo, redo } = stored.history
  return { ...stored, pending: changes(stored.pending), history: { undo: steps(undo), redo: steps(redo) } }
}

async function forgetOld(database: IDBDatabase): Promise<void> {
  const drafts = database.transaction(STORE, 'readwrite').objectStore(STORE)
  const request = drafts.openCursor()
  request.onsuccess = () => {
    const cursor = request.result
    if (!cursor) return
    if ((cursor.value as StoredDraft).atMs < Date.now() - MAX_AGE_MS) cursor.delete()
    cursor.continue()
  }
}
