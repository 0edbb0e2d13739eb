/** The stored files of a database, in order, with the sum that a manifest has of them. */
import { createHash, type Hash } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { type FileRow, filePage } from './queries.ts'

const ROWS_AT_ONCE = 1000

export async function* filesOf(db: Db): AsyncGenerator<FileRow> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: FileRow[] = await filePage(db, after, ROWS_AT_ONCE)
    yield* page
    after = page.length < ROWS_AT_ONCE ? undefined : page.at(-1)?.sha256
  }
}

export interface FileSum {
  count: number
  bytes: number
  list: string
}

/** Adds files in the order of their names. */
export class FileSummer {
  readonly #hash: Hash = createHash('sha256')
  #count = 0
  #bytes = 0

  add({ sha256, bytes }: FileRow): void {
    this.#hash.update(`${sha256}\n`)
    this.#count++
    this.#bytes += bytes
  }

  /** Call once, after the last file. */
  sum(): FileSum {
    return { count: this.#count, bytes: this.#bytes, list: this.#hash.digest('hex') }
  }
}

export async function sumOfFiles(db: Db): Promise<FileSum> {
  const summer = new FileSummer()
  for await (const file of filesOf(db)) summer.add(file)
  return summer.sum()
}

export const isSameSum = (a: FileSum, b: FileSum): boolean => a.count === b.count && a.bytes === b.bytes && a.list === b.list
