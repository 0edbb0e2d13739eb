/** Source or target of a move: a database and its file store, which no process serves. */
import type { Database } from '../db/open.ts'
import type { StoredFiles } from './stored-files.ts'

/** The move cannot be made, or not be completed. The message is a sentence with the remedy. */
export class MoveError extends Error {}

export interface MoveEnd {
  /** For people: a folder or the address of a server, without passwords. */
  name: string
  database: Database
  files: StoredFiles
  /**
   * Runs `work` while no other process changes the rows, then records that they moved to `to`.
   * `work` calls `keepMark` before it changes the target: an error before that leaves no mark.
   */
  moveTo<T>(to: string, work: (keepMark: () => void) => Promise<T>): Promise<T>
  close(): Promise<void>
}
