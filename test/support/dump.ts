/** All rows of a database as text, to show that a request changed nothing. */
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openInMemory } from '../../src/db/sqlite.ts'
import type { TestApp } from './test-app.ts'

/** How one gets in, and who is here: not what can be read or changed. */
const LEFT_OUT = new Set(['sessions', 'sign_in_failures', 'nodes'])
const VOLATILE = new Set(['last_seen_at', 'last_sign_in_at', 'last_sign_in_methods', 'last_used_at', 'last_used_ip'])

let known: string[] | undefined

function tables(): string[] {
  if (known) return known
  const raw = openInMemory()
  migrate(raw, NO_CLOCK)
  const rows = raw
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 1 ORDER BY name")
    .all() as { name: string }[]
  raw.close()
  known = rows.map(({ name }) => name).filter(name => !LEFT_OUT.has(name))
  return known
}

export async function dumpOf({ sql }: Pick<TestApp, 'sql'>): Promise<string> {
  const rows: string[] = []
  const signIns = await sql<{ sequence: number }>(
    "SELECT sequence FROM events WHERE type IN ('user.signed_in', 'user.signed_out')",
  )
  const left = new Set(signIns.map(({ sequence }) => Number(sequence)))
  for (const table of tables()) {
    for (const row of await sql(`SELECT * FROM ${table}`)) {
      if (/^event(s|_details)$/.test(table) && left.has(Number(row.sequence))) continue
      const lasting = Object.entries(row).filter(([name]) => !VOLATILE.has(name))
      rows.push(`${table} ${JSON.stringify(lasting)}`)
    }
  }
  return rows.sort().join('\n')
}
