/** What the login of this process may do: the service changes rows, `migrate` changes tables. */
import type { PgConnection } from './connection.ts'

export interface Login {
  name: string
  /** Owns the tables, or may make them in an empty schema. */
  mayMigrate: boolean
  /** May change rows. */
  mayWrite: boolean
}

/** `writer` is the first table: who owns it, owns them all. */
export const LOGIN = `
  SELECT current_user AS name, COALESCE(
    (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('writer')),
    has_schema_privilege(current_schema(), 'CREATE')) AS may_migrate,
    COALESCE(has_table_privilege(to_regclass('writer'), 'UPDATE'), false) AS may_write`

export function loginIn(row: unknown): Login {
  const { name, may_migrate, may_write } = row as { name: string; may_migrate: unknown; may_write: unknown }
  return { name, mayMigrate: Boolean(may_migrate), mayWrite: Boolean(may_write) }
}

export async function loginOf(connection: PgConnection): Promise<Login> {
  return loginIn((await connection.run(LOGIN, [])).rows[0])
}
