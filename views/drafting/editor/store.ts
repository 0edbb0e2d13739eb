/** Undo steps and unsaved changes of each draft, kept in IndexedDB where there is one. */
import type { Extent } from './commands.ts'
import type { HistoryData } from './history.ts'
import { BLANK, type Change, type EditorField } from './model.ts'

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
const MAX_AGE_MS = 90 * 86_400_000

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
