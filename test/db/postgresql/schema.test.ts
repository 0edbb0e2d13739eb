/** The schema on PostgreSQL: made from SQLite's, migrated like it, and never another. */
import { afterAll, describe, expect, test } from 'bun:test'
import { type Migration, migrations } from '../../../migrations/index.ts'
import { ForeignSchemaError, latestVersion, migrate, NO_CLOCK, SchemaTooNewError } from '../../../src/db/migrate.ts'
import type { PgConnection, PgConnections } from '../../../src/db/postgresql/connection.ts'
import { BASELINE, checkPostgresqlSchema, migratePostgresql, sqliteSchema } from '../../../src/db/postgresql/schema.ts'
import { Translator } from '../../../src/db/postgresql/translate.ts'
import { openInMemory } from '../../../src/db/sqlite.ts'
import { connectionsTo, emptySchema } from '../../support/pglite.ts'

/** Tables that only PostgreSQL has. */
const ADDED_TABLES = ['writer', 'document_changes']

const opened: PgConnections[] = []

async function withConnection<T>(work: (connection: PgConnection) => Promise<T>, schema?: string): Promise<T> {
  const connections = await connectionsTo(schema ?? (await emptySchema()))
  opened.push(connections)
  const connection = await connections.acquire('write')
  try {
    return await work(connection)
  } finally {
    connections.release(connection, false)
  }
}

afterAll(async () => {
  for (const connections of opened) await connections.close()
})

/** Without the names of constraints, which PostgreSQL chose. */
async function catalogue(connection: PgConnection): Promise<unknown> {
  const read = async (sql: string) => (await connection.run(sql, [])).rows
  const inSchema = 'current_schema()::regnamespace'
  const withoutSchema = (rows: unknown) => JSON.parse(JSON.stringify(rows).replaceAll(/test_\d+\./g, ''))
  return withoutSchema({
    columns: await read(`SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY table_name, column_name`),
    constraints:
      await read(`SELECT conrelid::regclass::text AS named, contype::text, pg_get_constraintdef(oid) AS text FROM pg_constraint
      WHERE connamespace = ${inSchema} ORDER BY 1, 2, 3`),
    indexes:
      await read(`SELECT tablename, CASE WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname) THEN '' ELSE indexdef END AS text
      FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2`),
    triggers: await read(`SELECT pg_get_triggerdef(t.oid) AS text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = ${inSchema} AND NOT t.tgisinternal ORDER BY 1`),
    functions: await read(`SELECT proname, prosrc FROM pg_proc WHERE pronamespace = ${inSchema} ORDER BY 1, 2`),
  })
}

function additional(version: number, sql: string, more: Partial<Migration> = {}): Migration {
  return { version, name: 'added', sql, ...more }
}

const NEXT = latestVersion() + 1
/** What a later release may do: a rebuilt table, an added column, a trigger that is replaced. */
const LATER = additional(
  NEXT,
  `CREATE TABLE mails_new (id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind <> ''), label TEXT UNIQUE) STRICT;
  INSERT INTO mails_new (id, kind) SELECT id, kind FROM mails;
  DROP TABLE mails;
  ALTER TABLE mails_new RENAME TO mails;
  CREATE INDEX mails_kind ON mails (kind) WHERE label IS NULL;
  ALTER TABLE documents ADD COLUMN colour TEXT NOT NULL DEFAULT 'red' CHECK (colour IN ('red', 'blue'));
  DROP TRIGGER fields_added;
  CREATE TRIGGER fields_added AFTER INSERT ON fields WHEN NEW.label IS NOT NULL BEGIN
    UPDATE documents SET version = version + 2 WHERE id = NEW.document_id;
  END;`,
)

describe('a migrated schema', () => {
  test('has all tables of SQLite, and those that only PostgreSQL needs', async () => {
    const raw = openInMemory()
    migrate(raw, NO_CLOCK)
    const tables = raw
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all() as { name: string }[]
    raw.close()
    const found = await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      return connection.run('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()', [])
    })
    expect((found.rows as { tablename: string }[]).map(row => row.tablename).sort()).toEqual(
      [...tables.map(table => table.name), ...ADDED_TABLES].sort(),
    )
  })

  test('is the same whether its migrations ran one by one or at once', async () => {
    const list = [...migrations, LATER]
    const atOnce = await withConnection(async connection => {
      expect(await migratePostgresql(connection, NO_CLOCK, { list, baseline: NEXT })).toHaveLength(NEXT)
      return catalogue(connection)
    })
    const oneByOne = await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      expect(await migratePostgresql(connection, NO_CLOCK, { list })).toEqual([`00${NEXT}_added`])
      return catalogue(connection)
    })
    expect(oneByOne).toEqual(atOnce)
  })

  test('has time to be made: neither a migration nor waiting for that of another node is given up early', async () => {
    const hurried: string[] = []
    await withConnection(async connection => {
      const observed: typeof connection = {
        isUsable: true,
        run: (sql, values) => connection.run(sql, values),
        script(sql, maxMs = 0) {
          if (maxMs < 3_600_000) hurried.push(sql)
          return connection.script(sql)
        },
      }
      await migratePostgresql(observed, NO_CLOCK, { list: [...migrations, LATER] })
    })
    expect(new Set(hurried)).toEqual(new Set(['SELECT 1 FROM writer FOR UPDATE', 'COMMIT']))
  })

  test('differs where a migration differs', async () => {
    const other = { ...LATER, sql: LATER.sql.replace('version + 2', 'version + 3') }
    const [one, two] = await Promise.all(
      [LATER, other].map(migration =>
        withConnection(async connection => {
          await migratePostgresql(connection, NO_CLOCK, { list: [...migrations, migration] })
          return catalogue(connection)
        }),
      ),
    )
    expect(one).not.toEqual(two)
  })

  test('every migration after the first of PostgreSQL has a translation or a text of its own', () => {
    const translator = new Translator()
    for (const sql of sqliteSchema(migrations.filter(({ version }) => version <= BASELINE))) translator.translate(sql)
    for (const { version, sql, postgresql } of migrations) {
      if (version > BASELINE && postgresql === undefined) expect(translator.translate(sql)).not.toEqual([])
    }
  })

  test('runs once, and not again', async () => {
    await withConnection(async connection => {
      expect(await checkPostgresqlSchema(connection)).toBe(0)
      expect(await migratePostgresql(connection, NO_CLOCK)).toHaveLength(migrations.length)
      expect(await migratePostgresql(connection, NO_CLOCK)).toEqual([])
      expect(await checkPostgresqlSchema(connection)).toBe(latestVersion())
    })
  })

  test('a migration that fails leaves the schema as it was', async () => {
    const broken = additional(NEXT, "ALTER TABLE users ADD COLUMN nick TEXT; INSERT INTO settings (name) VALUES ('x')")
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      const before = await catalogue(connection)
      expect(migratePostgresql(connection, NO_CLOCK, { list: [...migrations, broken] })).rejects.toThrow('null value')
      expect(await catalogue(connection)).toEqual(before)
      expect(await checkPostgresqlSchema(connection)).toBe(latestVersion())
    })
  })

  test('an own text takes the place of the translation', async () => {
    const own = additional(NEXT, 'PRAGMA user_version', { postgresql: 'CREATE TABLE own (id TEXT PRIMARY KEY)' })
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK, { list: [...migrations, own] })
      expect((await connection.run('SELECT * FROM own', [])).rows).toEqual([])
    })
  })
})

describe('another schema', () => {
  test('tables of another program are left alone', async () => {
    await withConnection(async connection => {
      await connection.script('CREATE TABLE invoices (id TEXT)')
      expect(migratePostgresql(connection, NO_CLOCK)).rejects.toThrow(ForeignSchemaError)
      expect((await connection.run("SELECT to_regclass('writer') AS found", [])).rows).toEqual([{ found: null }])
    })
  })

  test('a newer schema that takes something away is refused, one that only adds is not', async () => {
    const adding = additional(NEXT, 'ALTER TABLE users ADD COLUMN nick TEXT')
    const taking = additional(NEXT + 1, 'ALTER TABLE users DROP COLUMN nick', { oldestWriter: NEXT })
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK, { list: [...migrations, adding] })
      expect(await checkPostgresqlSchema(connection)).toBe(NEXT)
      await migratePostgresql(connection, NO_CLOCK, { list: [...migrations, adding, taking] })
      expect(checkPostgresqlSchema(connection)).rejects.toThrow(SchemaTooNewError)
      expect(await checkPostgresqlSchema(connection, [...migrations, adding])).toBe(NEXT + 1)
    })
  })

  test('a migration with another text belongs to another build', async () => {
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      const changed = migrations.map(m => (m.version === 3 ? { ...m, sql: `${m.sql} ` } : m))
      expect(checkPostgresqlSchema(connection, changed)).rejects.toThrow('Migration 3 of the database differs')
    })
  })
})

describe('what only PostgreSQL has', () => {
  test('trigrams are those of the tokenizer of SQLite', async () => {
    const raw = openInMemory()
    raw.exec(`CREATE VIRTUAL TABLE t USING fts5 (text, tokenize = 'trigram case_sensitive 1');
      CREATE VIRTUAL TABLE v USING fts5vocab (t, 'row')`)
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      for (const text of [
        '',
        'ab',
        'abc',
        'Abcabc',
        'contrat été\nà signer',
        '契約書に署名',
        '😀a😀b😀',
        'a\tb  c',
        "o'neil, \\x {1,2}",
      ]) {
        raw.prepare('DELETE FROM t').run()
        raw.prepare('INSERT INTO t (text) VALUES (?)').run(text)
        const terms = (raw.prepare('SELECT term FROM v').all() as { term: string }[]).map(row => row.term)
        const { rows } = await connection.run('SELECT unnest(document_trigrams_of($1)) AS term', [text])
        expect([text, (rows as { term: string }[]).map(row => row.term).sort()]).toEqual([text, terms.sort()])
      }
    })
    raw.close()
  })

  test('every change of a document is noted under a higher number, its removal without a version', async () => {
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      await connection.script(`INSERT INTO files (sha256, bytes, created_at) VALUES ('s', 1, '');
        INSERT INTO documents (id, title, file_name, status, page_count, signing_order, allow_delegation, metadata, expires_in_days, created_at, sha256_original)
          VALUES ('doc_1', 't', 'f', 'draft', 1, 'parallel', 0, '{}', 1, '', 's')`)
      const changes = async () => (await connection.run('SELECT * FROM document_changes', [])).rows
      expect(await changes()).toEqual([{ document_id: 'doc_1', owner_id: null, version: 0, number: 1 }])
      await connection.script("UPDATE documents SET title = 'u'")
      expect(await changes()).toEqual([{ document_id: 'doc_1', owner_id: null, version: 1, number: 2 }])
      await connection.script('DELETE FROM documents')
      expect(await changes()).toEqual([{ document_id: 'doc_1', owner_id: null, version: null, number: 3 }])
    })
  })

  test('the audit log is not emptied at once either', async () => {
    await withConnection(async connection => {
      await migratePostgresql(connection, NO_CLOCK)
      for (const sql of ['TRUNCATE events CASCADE', "UPDATE events SET type = 'x'"]) {
        await connection
          .script("INSERT INTO events VALUES (1, 'a', NULL, 't', '', '', '') ON CONFLICT DO NOTHING")
          .catch(() => {})
        expect(connection.script(sql)).rejects.toThrow('the audit log is never changed')
      }
    })
  })
})
