/** A SHA-256 over rows in order of their keys, the same for equal rows of every engine. */
import { createHash } from 'node:crypto'
import { sha256Hex } from '../../lib/token.ts'
import type { ColumnKind, MovedTable } from './tables.ts'

export type Row = Record<string, unknown>

export interface TableDigest {
  rows: number
  sha256: string
}

/** Each value with its type and length, so that no two rows have the same text. */
function valueText(value: unknown, kind: ColumnKind): string {
  if (value === null) return 'n'
  if (kind === 'blob') return `b${sha256Hex(value as Uint8Array)}`
  if (kind === 'text') return `t${(value as string).length}:${value}`
  // The shortest text that reads back as the same number; only -0 needs a word of its own.
  return `${kind === 'real' ? 'r' : 'i'}${Object.is(value, -0) ? '-0' : value};`
}

export function rowText(row: Row, { columns }: Pick<MovedTable, 'columns'>): string {
  return columns.map(({ name, kind }) => valueText(row[name], kind)).join('')
}

export class RowDigest {
  readonly #table: MovedTable
  readonly #hash = createHash('sha256')
  #rows = 0

  constructor(table: MovedTable) {
    this.#table = table
  }

  /** Returns the text that was added. */
  add(rows: readonly Row[]): string {
    const text = rows.map(row => rowText(row, this.#table)).join('')
    this.#hash.update(text)
    this.#rows += rows.length
    return text
  }

  result(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}
