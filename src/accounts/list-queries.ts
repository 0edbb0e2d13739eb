/** The list of people in parts: filters, two orders, and how many lack a second factor. */
import { type SelectQueryBuilder, sql } from 'kysely'
import { isStorable } from '../core/text.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { sqlOf, type Words, wordsOf } from '../db/words.ts'
import type { Role } from '../ports.ts'
import { COLUMNS, PEOPLE, type Person } from './people-queries.ts'
import type { SignInMethod } from './queries.ts'
import type { Factors } from './second-factor.ts'

export const FACTOR_FILTERS = ['none', 'app', 'passkey'] as const
export type FactorFilter = (typeof FACTOR_FILTERS)[number]

export interface PeopleFilter {
  /** A part of the name or of the address. */
  text?: string
  role?: Role
  factor?: FactorFilter
  isDisabled?: boolean
}

export const PEOPLE_ORDERS = ['name', 'newest', 'oldest'] as const
/** By name, or by the last sign-in; somebody who never signed in is the oldest. */
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number]

export interface ListedPerson extends Person, Factors {
  lastSignIn: { at: Date; methods: SignInMethod[] } | undefined
}

/** Where the next part begins: the key of the order, and the id. */
type PeoplePosition = [key: string, id: string]

export interface PeoplePage {
  people: ListedPerson[]
  /** `peoplePositionIn` reads it. */
  next: string | undefined
}

const positionText = (position: PeoplePosition) => Buffer.from(JSON.stringify(position)).toString('base64url')

/** Undefined unless it is one of ours. */
export function peoplePositionIn(text = ''): PeoplePosition | undefined {
  try {
    const [key, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    return typeof key === 'string' && typeof id === 'string' && isStorable(key + id) ? [key, id] : undefined
  } catch {
    return undefined
  }
}

const HAS_APP = sql<number>`EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id)`
const HAS_PASSKEY = sql<number>`EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id)`
const PASSKEYS = sql<number>`(SELECT count(*) FROM passkeys p WHERE p.user_id = users.id)`

const SORT_KEYS: Record<PeopleOrder, (words: Words) => string> = {
  name: words => words.nameKey('name'),
  newest: () => "coalesce(last_sign_in_at, '')",
  oldest: () => "coalesce(last_sign_in_at, '')",
}

type Users = SelectQueryBuilder<Schema, 'users', object>

function filtered(db: Db | Tx, { text = '', role, factor, isDisabled }: PeopleFilter): Users {
  const words = wordsOf(db)
  const part = text.toLowerCase()
  const within = (column: string) => sqlOf<boolean>(words.contains(`lower(${column})`, '?'), part)
  return db
    .selectFrom('users')
    .$if(text !== '', query => query.where(({ or }) => or([within('name'), within('email')])))
    .$if(role !== undefined, query => query.where('role', '=', role ?? 'member'))
    .$if(isDisabled !== undefined, query => query.where('disabled_at', isDisabled ? 'is not' : 'is', null))
    .$if(factor === 'app', query => query.where(sql<boolean>`${HAS_APP}`))
    .$if(factor === 'passkey', query => query.where(sql<boolean>`${HAS_PASSKEY}`))
    .$if(factor === 'none', query => query.where(sql<boolean>`NOT ${HAS_APP} AND NOT ${HAS_PASSKEY}`))
}

/** At most `limit` people after the position. */
export async function listPeoplePage(
  db: Db | Tx,
  filter: PeopleFilter,
  { order, limit, after }: { order: PeopleOrder; limit: number; after?: PeoplePosition | undefined },
): Promise<PeoplePage> {
  const key = SORT_KEYS[order](wordsOf(db))
  const [direction, beyond] = order === 'newest' ? (['desc', '<'] as const) : (['asc', '>'] as const)
  const rows = await filtered(db, filter)
    .$if(after !== undefined, query => query.where(sqlOf<boolean>(`(${key}, id) ${beyond} (?, ?)`, ...(after ?? []))))
    .select([...COLUMNS, 'last_sign_in_at', 'last_sign_in_methods'])
    .select([sqlOf<string>(key).as('sort_key'), PASSKEYS.as('passkeys'), HAS_APP.as('has_app')])
    .orderBy(sqlOf(key), direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    people: rows.slice(0, limit).map(row => ({
      ...PEOPLE.read(row),
      hasApp: Boolean(row.has_app),
      passkeys: Number(row.passkeys),
      lastSignIn: signInOf(row),
    })),
    next: last && positionText([last.sort_key, last.id]),
  }
}

interface SignInColumns {
  last_sign_in_at: string | null
  last_sign_in_methods: string | null
}

function signInOf({ last_sign_in_at: at, last_sign_in_methods: methods }: SignInColumns): ListedPerson['lastSignIn'] {
  return at === null ? undefined : { at: new Date(at), methods: JSON.parse(methods ?? '[]') as SignInMethod[] }
}

export async function lastSignInOf(db: Db | Tx, id: string): Promise<ListedPerson['lastSignIn']> {
  const own = db.selectFrom('users').select(['last_sign_in_at', 'last_sign_in_methods']).where('id', '=', id)
  const row = await own.executeTakeFirst()
  return row && signInOf(row)
}

export async function countPeople(db: Db | Tx, filter: PeopleFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
