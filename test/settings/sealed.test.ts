/** The list of what the master key encrypts is complete: a rotation leaves nothing behind. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { SEALED, type SealedColumn } from '../../src/settings/sealed.ts'
import { useFolder } from '../support/folders.ts'
import { sourcesIn, withoutComments } from '../support/sources.ts'

const folder = useFolder()

/** Bytes that are stored as they are. */
const PLAIN = [
  'batches.source',
  'mark_contents.content',
  'passkeys.public_key',
  'public_event_data.data',
  'seal_roots.list',
  'verify_pages.content',
]

function binaryColumns(): string[] {
  const raw = openRaw(join(folder, 'signet.db'))
  try {
    migrate(raw, NO_CLOCK)
    const columns = raw
      .prepare(
        `SELECT t.name || '.' || c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND c.type = 'BLOB' AND t.name NOT LIKE 'document_trigrams%' ORDER BY 1`,
      )
      .pluck()
      .all()
    return columns as string[]
  } finally {
    raw.close()
  }
}

test('every binary column of the database is in the list, or is known to be plain', () => {
  const listed = Object.values(SEALED).map(({ table, column }: SealedColumn) => `${table}.${column}`)
  expect([...listed, ...PLAIN].sort()).toEqual(binaryColumns())
})

test('a secret can be encrypted only under a name of the list', () => {
  const sources = sourcesIn('src').map(({ path, text }) => ({ path, text: withoutComments(text) }))
  const named = sources.filter(({ text }) => /\bas (unknown as )?SecretName\b/.test(text)).map(({ path }) => path)
  expect(named).toEqual(['src/settings/sealed.ts'])
  // The reader of encrypted PDFs needs it for the hash of their passwords.
  const encrypting = sources.filter(({ text }) => text.includes('createCipheriv')).map(({ path }) => path)
  // Copies of the database are gone within days, and open with the key of their time.
  expect(encrypting).toEqual(['src/lib/encrypted-file.ts', 'src/lib/primitives.ts', 'src/lib/secret-box.ts'])
})

test('no two kinds share a name, but for one secret in several columns', () => {
  const names = Object.values(SEALED).map(({ nameOf, keys }: SealedColumn) => nameOf(...keys.map((_, i) => `key${i}`)))
  expect(new Set(names).size).toBe(names.length - 2)
})
