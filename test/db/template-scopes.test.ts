/** API tokens of an older schema: those for everything may use templates, no other gets a right. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { DEFAULT_SCOPES } from '../../src/ports.ts'
import { useFolder } from '../support/folders.ts'

const folder = useFolder()
const BEFORE = migrations.findIndex(({ name }) => name === 'template_scopes')
const ALL = ['documents:read', 'documents:write', 'webhooks:read', 'webhooks:write']
const READING = ['documents:read', 'webhooks:read']

test('a migration gives the scopes of templates to keys for everything alone', () => {
  const raw = openRaw(join(folder, 'signet.db'))
  try {
    migrate(raw, NO_CLOCK, { list: migrations.slice(0, BEFORE) })
    const user = raw.prepare(
      "INSERT INTO users (id, email, name, role, password_hash, created_at) VALUES (?, ?, 'n', ?, 'x', '')",
    )
    for (const role of ['admin', 'member', 'auditor']) user.run(role, role, role)
    const key = raw.prepare(`INSERT INTO api_keys (id, owner_id, name, sha256, prefix, last_four, scopes, created_at)
      VALUES (?, ?, 'n', ?, 'p', 'four', ?, '')`)
    const add = (id: string, owner: string | null, scopes: string[]) => key.run(id, owner, id, JSON.stringify(scopes))
    add('1 instance', null, ALL)
    add('2 member', 'member', ALL)
    add('3 reads only', 'member', READING)
    add('4 auditor', 'auditor', READING)
    add('5 documents', 'member', ALL.slice(0, 2))
    add('6 webhooks', 'auditor', ['webhooks:read'])
    migrate(raw, NO_CLOCK)
    const rows = raw.prepare('SELECT scopes FROM api_keys ORDER BY id').raw().all() as string[][]
    expect(rows.map(([scopes]) => JSON.parse(scopes ?? ''))).toEqual([
      [...DEFAULT_SCOPES],
      [...DEFAULT_SCOPES],
      READING,
      ['documents:read', 'templates:read', 'webhooks:read'],
      ALL.slice(0, 2),
      ['webhooks:read'],
    ])
  } finally {
    raw.close()
  }
})
