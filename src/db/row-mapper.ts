/** Maps rows to values and back, by one table of members and columns per type. Knows no SQL. */
import type { Kind as MemberKind, Members } from '../core/members.ts'
import { storable } from '../core/text.ts'

type Kind = 'same' | 'time' | 'flag' | 'json'
type Optional<K extends Kind> = K extends 'same' ? 'optional' : `optional ${K}`

/** `never` if the column cannot store the value. A nullable column needs an optional member. */
type Storage<Value, Column> = null extends Column
  ? undefined extends Value
    ? Optional<Required<Exclude<Value, undefined>, NonNullable<Column>>>
    : never
  : undefined extends Value
    ? never
    : Required<Value, Column>

type Required<Value, Column> = [Value] extends [Column]
  ? 'same'
  : [Value, Column] extends [Date, string]
    ? 'time'
    : [Value, Column] extends [boolean, number]
      ? 'flag'
      : [Column] extends [string]
        ? 'json'
        : never

type EntryIn<Column, S> = [S] extends [never] ? never : S extends 'same' ? Column : readonly [Column, S]

/** A missing member and a column of the wrong type are type errors. */
type Columns<Value, Row> = {
  readonly [M in keyof Value]-?: { [C in keyof Row]: EntryIn<C, Storage<Value[M], Row[C]>> }[keyof Row]
}

type MappedColumn<Entry> = Entry extends readonly [infer Column, unknown] ? Column : Entry

export interface RowMapper<Value, Row> {
  read(row: Row): Value
  write(value: Value): Row
}

/** @throws RangeError: a row that cannot be read is found here, not where somebody prints it */
export function validTime(cell: string): Date {
  const time = new Date(cell)
  if (Number.isNaN(time.getTime())) throw new RangeError(`"${cell}" is no time`)
  return time
}

const READ: Record<Kind, (cell: string) => string> = {
  same: cell => cell,
  time: cell => `time(${cell})`,
  flag: cell => `${cell} === 1`,
  // Most lists are empty: not parsing them is ten times faster.
  json: cell => `${cell} === '[]' ? [] : JSON.parse(${cell})`,
}

const WRITE: Record<Kind, (member: string) => string> = {
  same: member => member,
  time: member => `${member}.toISOString()`,
  flag: member => `${member} ? 1 : 0`,
  json: member => `JSON.stringify(${member})`,
}

const STORED = {
  line: 'same',
  text: 'same',
  flag: 'flag',
  number: 'same',
  whole: 'same',
  'one of': 'same',
  'some of': 'json',
  time: 'time',
  object: 'json',
  list: 'json',
} as const satisfies Record<MemberKind, Kind>

type SnakeCase<S extends string> = S extends `${infer C}${infer Rest}`
  ? `${C extends Lowercase<C> ? C : `_${Lowercase<C>}`}${SnakeCase<Rest>}`
  : S

type EntryOf<Name extends string, M> = M extends { is: infer K extends MemberKind; isOptional: infer O }
  ? EntryIn<SnakeCase<Name>, O extends true ? Optional<(typeof STORED)[K]> : (typeof STORED)[K]>
  : never

/** The columns of a table of members: each has its name in snake_case. */
export function columnsOf<T extends Members>(table: T): { readonly [M in keyof T & string]: EntryOf<M, T[M]> } {
  const entries = Object.entries(table).map(([name, { is, isOptional }]) => {
    const storage = STORED[is]
    const column = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    return [name, [column, isOptional ? `optional ${storage}` : storage]]
  })
  return Object.fromEntries(entries)
}

/**
 * Two calls, since the second infers the mapped columns. Compiled: a loop is five times slower.
 * `readTime`: by default a text that is no time becomes an invalid one.
 */
export function rowMapper<Value, Row>(readTime = (cell: string) => new Date(cell)) {
  return <const Table extends Columns<Value, Row>>(table: Table) => {
    const reads: string[] = []
    const writes: string[] = []
    for (const [member, entry] of Object.entries(table as Record<string, string | readonly [string, string]>)) {
      const [column, storage] = typeof entry === 'string' ? [entry, 'same'] : entry
      const [, optional, kind = 'same'] = /^(optional ?)?(\w+)?$/.exec(storage) as unknown as [string, string?, Kind?]
      const [cell, value] = [`row.${column}`, `value.${member}`]
      reads.push(`${member}: ${optional ? `${cell} === null ? undefined : ` : ''}${READ[kind](cell)}`)
      writes.push(`${column}: ${optional ? `${value} === undefined ? null : ` : ''}${WRITE[kind](value)}`)
    }
    return {
      read: new Function('time', `return row => ({ ${reads} })`)(readTime),
      write: new Function('value', `return { ${writes} }`),
    } as unknown as RowMapper<Value, Pick<Row, MappedColumn<Table[keyof Value]> & keyof Row>>
  }
}

// Replaces what no database can store in the values of a statement, after all other checks.

/**
 * Values that people enter are checked before; this is for text that others derive: replies of
 * servers, messages of errors, texts of PDFs. The same list, unless something has to be replaced.
 */
export function storableValues(values: readonly unknown[]): readonly unknown[] {
  for (const value of values) {
    if (typeof value === 'string' && storable(value) !== value) return values.map(storableValue)
  }
  return values
}

const storableValue = (value: unknown) => (typeof value === 'string' ? storable(value) : value)
