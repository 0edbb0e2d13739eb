/** The vocabulary of a table of members: what each holds, within which bounds. Pure. */

/**
 * A `line` has one character at least and no line break, a `text` may be empty. An `object` and a
 * `list` are no plain kinds: each has a schema of its own.
 */
export type Kind = 'line' | 'text' | 'flag' | 'number' | 'whole' | 'one of' | 'some of' | 'time' | 'object' | 'list'

declare const VALUE: unique symbol

interface Holding<V, K extends Kind> {
  readonly is: K
  /** Of a number the least and the greatest, of a text its characters. */
  readonly min?: number
  readonly max?: number
  /** To choose from. */
  readonly values?: readonly string[]
  /** Only in the type. */
  readonly [VALUE]?: V
}

export type Member<V = unknown, K extends Kind = Kind, IsOptional extends boolean = boolean> = Holding<V, K> & {
  readonly isOptional: IsOptional
}

export type Members = Readonly<Record<string, Member>>

type HeldBy<M> = M extends Holding<infer V, Kind> ? V : never
type IsOptional<M> = M extends { isOptional: true } ? true : false

/** A value of the core: an optional member without a value is `undefined`. */
export type Values<T> = { -readonly [M in keyof T]: IsOptional<T[M]> extends true ? HeldBy<T[M]> | undefined : HeldBy<T[M]> }

/** JSON has texts for times. */
type InRequest<V> = V extends Date ? string : V

/** What a request may give: each member may be absent. */
export type Given<T> = { -readonly [M in keyof T]?: InRequest<HeldBy<T[M]>> }

/** Members left out keep their value; `null` clears an optional one. */
export type Edit<T> = {
  -readonly [M in keyof T]?: InRequest<HeldBy<T[M]>> | (IsOptional<T[M]> extends true ? null : never)
}

export const line = (max: number): Holding<string, 'line'> => ({ is: 'line', max })
export const text = (max: number): Holding<string, 'text'> => ({ is: 'text', max })
export const flag = (): Holding<boolean, 'flag'> => ({ is: 'flag' })
export const number = (bounds: { min?: number; max?: number } = {}): Holding<number, 'number'> => ({ is: 'number', ...bounds })
export const whole = (bounds: { min: number; max?: number }): Holding<number, 'whole'> => ({ is: 'whole', ...bounds })
export const oneOf = <V extends string>(values: readonly V[]): Holding<V, 'one of'> => ({ is: 'one of', values })
export const someOf = <V extends string>(values: readonly V[]): Holding<V[], 'some of'> => ({ is: 'some of', values })
export const time = (): Holding<Date, 'time'> => ({ is: 'time' })
export const object = <V extends object>(): Holding<V, 'object'> => ({ is: 'object' })
export const list = <V>(): Holding<V[], 'list'> => ({ is: 'list' })

/** It always has a value: the given one or a default. */
export const given = <V, K extends Kind>(held: Holding<V, K>): Member<V, K, false> => ({ ...held, isOptional: false })

/** It may have none; `null` in an edit clears it. */
export const optional = <V, K extends Kind>(held: Holding<V, K>): Member<V, K, true> => ({ ...held, isOptional: true })

export type NameOf<T> = keyof T & string

export const namesOf = <T extends Members>(table: T) => Object.keys(table) as NameOf<T>[]

type NamesOfKind<T, K extends Kind> = { [M in NameOf<T>]: T[M] extends Member<unknown, K> ? M : never }[NameOf<T>]

export function namesOfKind<T extends Members, K extends Kind>(table: T, kind: K): NamesOfKind<T, K>[] {
  return namesOf(table).filter(name => table[name]?.is === kind) as string[] as NamesOfKind<T, K>[]
}

function blank({ is, min, values }: Member): unknown {
  switch (is) {
    case 'line':
    case 'text':
      return ''
    case 'flag':
      return false
    case 'number':
    case 'whole':
      return min ?? 0
    case 'one of':
      return values?.[0]
    case 'some of':
    case 'list':
      return []
    case 'time':
    case 'object':
      return undefined
  }
}

/** The values of a table in which nothing is given. */
export function blankOf<T extends Members>(table: T): Values<T> {
  const entries = Object.entries(table).map(([name, member]) => [name, member.isOptional ? undefined : blank(member)])
  return Object.fromEntries(entries) as Values<T>
}

/** The values after an edit. Times are not read. */
export function editedValues<T extends Members>(table: T, before: Values<T>, edit: { [M in keyof T]?: unknown }): Values<T> {
  const entries = namesOf(table).map(name => [name, edit[name] === undefined ? before[name] : (edit[name] ?? undefined)])
  return Object.fromEntries(entries) as Values<T>
}

/** The members that have a value, as a request gives them. */
export function givenOf<T extends Members>(table: T, values: Values<T>): Given<T> {
  const entries = namesOf(table).flatMap((name): [string, unknown][] => {
    const value: unknown = values[name]
    return value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
  })
  return Object.fromEntries(entries) as Given<T>
}
