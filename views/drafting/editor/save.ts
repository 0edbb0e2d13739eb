/**
 * Saves the fields of a draft as changes by field id: one request at a time, merged with what
 * others saved meanwhile, repeated while the server cannot be reached.
 */
import { type Draft, type FieldEdit, fieldEdits, proposalsOf } from './draft.ts'
import { type Merged, merge } from './merge.ts'
import { applyChanges, type Change, difference, type Fields, isSameField } from './model.ts'

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

interface Options {
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
  readonly #options: Options
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

  constructor(options: Options) {
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
