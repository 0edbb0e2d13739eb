/** The events of an older schema are listed after the migration, by their present types. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { useFolder } from '../support/folders.ts'

const folder = useFolder()
const BEFORE = migrations.findIndex(({ name }) => name === 'public_events')

test('a migration lists the public events of documents that are still there and of those that are not', () => {
  const raw = openRaw(join(folder, 'signet.db'))
  try {
    migrate(raw, NO_CLOCK, { list: migrations.slice(0, BEFORE) })
    raw.pragma('foreign_keys = OFF')
    const columns = raw.prepare(
      'SELECT name, type, dflt_value AS value FROM pragma_table_info(\'documents\') WHERE "notnull" = 1 OR pk = 1',
    )
    const given: Record<string, string> = { id: 'doc_1', owner_id: 'usr_1' }
    for (const { name, type, value } of columns.all() as { name: string; type: string; value: string | null }[]) {
      if (value === null) given[name] ??= type === 'INTEGER' ? '1' : name === 'status' ? 'sent' : '[]'
    }
    const names = Object.keys(given)
    raw.prepare(`INSERT INTO documents (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(given))
    const insert = raw.prepare(
      'INSERT INTO events (sequence, id, document_id, type, at, entry, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    const events: [string | null, string][] = [
      ['doc_1', 'document.created'],
      ['doc_gone', 'recipient.handed_over'],
      ['doc_1', 'recipient.mail_accepted'],
      ['doc_1', 'recipient.code_locked'],
      [null, 'organisation.changed'],
      ['doc_1', 'recipient.notified'],
    ]
    for (const [i, [documentId, type]] of events.entries())
      insert.run(i + 1, `evt_${i}`, documentId, type, '2026-11-20', '{}', 'x')
    raw.pragma('foreign_keys = ON')
    migrate(raw, NO_CLOCK)
    expect(raw.prepare('SELECT sequence, type, document_id, owner_id FROM public_events ORDER BY sequence').raw().all()).toEqual([
      [1, 'document.created', 'doc_1', 'usr_1'],
      [2, 'recipient.delegated', 'doc_gone', null],
      [4, 'recipient.access_code_locked', 'doc_1', 'usr_1'],
      [6, 'recipient.notified', 'doc_1', 'usr_1'],
    ])
  } finally {
    raw.close()
  }
})
