/** The text of tables, triggers and migrations, translated to PostgreSQL by rules. */
import { describe, expect, test } from 'bun:test'
import { TranslationError, Translator } from '../../../src/db/postgresql/translate.ts'

const PEOPLE = `CREATE TABLE people (
  id TEXT PRIMARY KEY,               -- an id
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  weight REAL, photo BLOB, age INTEGER NOT NULL DEFAULT 0 CHECK (age >= 0)
) STRICT, WITHOUT ROWID;`

function translated(sql: string, before = PEOPLE): string[] {
  const translator = new Translator()
  translator.translate(before)
  return translator.translate(sql)
}

describe('tables', () => {
  test('types keep all that they can hold: 64-bit numbers, doubles, bytes', () => {
    const [table] = new Translator().translate(PEOPLE)
    expect(table).toBe(`CREATE TABLE people (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  weight DOUBLE PRECISION,
  photo BYTEA,
  age BIGINT NOT NULL DEFAULT 0 CHECK (age >= 0)
)`)
  })

  test('a column without case is unique by its ASCII letters in lower case', () => {
    expect(new Translator().translate(PEOPLE)[1]).toBe(
      'CREATE UNIQUE INDEX people_email_folded ON people (lower(email COLLATE "C"))',
    )
    expect(translated('CREATE INDEX by_start ON people (substr(email, 1, 10), id)')).toEqual([
      'CREATE INDEX by_start ON people (substr(email, 1, 10), id)',
    ])
    expect(translated('CREATE INDEX by_mail ON people (email COLLATE NOCASE, id DESC) WHERE age IS NOT NULL')).toEqual([
      'CREATE INDEX by_mail ON people (lower(email COLLATE "C"), id DESC) WHERE age IS NOT NULL',
    ])
  })

  test.each([
    ['a table that takes values of any type', 'CREATE TABLE t (id TEXT PRIMARY KEY)'],
    ['an unknown type', 'CREATE TABLE t (id ANY PRIMARY KEY) STRICT'],
    ['a generated column', 'CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER AS (1)) STRICT'],
    ['an own number', 'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT) STRICT'],
    ['a default that is computed', 'CREATE TABLE t (id TEXT PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP) STRICT'],
    ['a column without case that is not unique', 'CREATE TABLE t (id TEXT PRIMARY KEY, n TEXT COLLATE NOCASE) STRICT'],
    ['an index over a function', 'CREATE INDEX i ON people (length(email))'],
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    ['a function that only SQLite has', "UPDATE people SET email = strftime('%Y', email)"],
    ['a comparison that depends on the engine', "DELETE FROM people WHERE email LIKE 'a%'"],
    ['a replacing insert', "INSERT OR REPLACE INTO people (id) VALUES ('1')"],
    ['a pragma', 'PRAGMA foreign_keys = ON'],
    ['an operator of another meaning', "UPDATE people SET email = email ->> '$'"],
    ['a sign that is not known', 'UPDATE people SET email = [id]'],
  ])('%s is refused by its text', (_, sql) => {
    expect(() => translated(sql)).toThrow(TranslationError)
    expect(() => translated(sql)).toThrow('No translation to PostgreSQL: ')
  })
})

describe('triggers', () => {
  test('a condition is checked inside of the function, where it may ask the database', () => {
    const [body, trigger] =
      translated(`CREATE TRIGGER moved AFTER UPDATE OF age, email ON people WHEN NEW.age IS NOT OLD.age BEGIN
      DELETE FROM people WHERE id IS NEW.id;
      UPDATE people SET age = CASE age WHEN 1 THEN 2 ELSE 3 END WHERE weight IS NOT NULL;
    END;`)
    expect(body).toBe(`CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.age IS DISTINCT FROM OLD.age THEN
    DELETE FROM people WHERE id IS NOT DISTINCT FROM NEW.id;
    UPDATE people SET age = CASE age WHEN 1 THEN 2 ELSE 3 END WHERE weight IS NOT NULL;
  END IF;
  RETURN NULL;
END $$`)
    expect(trigger).toBe('CREATE TRIGGER moved AFTER UPDATE OF age, email ON people FOR EACH ROW EXECUTE FUNCTION moved()')
  })

  test('a refusal keeps its sentence', () => {
    const [body] = translated("CREATE TRIGGER kept BEFORE DELETE ON people BEGIN SELECT RAISE(ABORT, 'people stay, 100 %'); END")
    expect(body).toContain("RAISE EXCEPTION 'people stay, 100 %%';")
    expect(body).toContain('RETURN OLD;')
  })

  test('an insert that meets a row names the key and whose value it raises', () => {
    const [body] = translated(`CREATE TRIGGER counted AFTER INSERT ON people BEGIN
      INSERT INTO people VALUES (NEW.id, NEW.email, 0, NULL, 1) ON CONFLICT DO UPDATE SET age = age + excluded.age; END`)
    expect(body).toContain('ON CONFLICT (id) DO UPDATE SET age = people.age + excluded.age;')
  })

  test('the full-text index of SQLite is left out with its triggers', () => {
    const search = "CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'trigram');"
    const only = 'CREATE TRIGGER a AFTER INSERT ON people BEGIN INSERT INTO words (text) VALUES (NEW.email); END;'
    expect(translated(search + only)).toEqual([])
    const mixed = `CREATE TRIGGER a AFTER INSERT ON people BEGIN
      INSERT INTO words (text) VALUES (NEW.email); UPDATE people SET age = 1; END;`
    expect(() => translated(search + mixed)).toThrow('changes more than a full-text index')
  })
})

describe('later migrations', () => {
  test('tables change by the statements that both engines know', () => {
    const sql = `ALTER TABLE people ADD COLUMN home TEXT REFERENCES people (id) ON DELETE CASCADE; -- ; not the end
      ALTER TABLE people RENAME COLUMN home TO town;
      ALTER TABLE people DROP COLUMN weight;
      UPDATE people SET age = coalesce(age, 0) + 1 WHERE id = 'it''s; one';
      ALTER TABLE people RENAME TO persons;
      DROP TABLE IF EXISTS persons;`
    expect(translated(sql)).toEqual([
      'ALTER TABLE people ADD COLUMN home TEXT REFERENCES people (id) ON DELETE CASCADE',
      'ALTER TABLE people RENAME COLUMN home TO town',
      'ALTER TABLE people DROP COLUMN weight',
      "UPDATE people SET age = coalesce(age, 0) + 1 WHERE id = 'it''s; one'",
      'ALTER TABLE people RENAME TO persons',
      'DROP TABLE IF EXISTS persons',
    ])
  })

  const TRIGGER = 'CREATE TRIGGER aged AFTER INSERT ON people BEGIN UPDATE people SET age = 1; END;'

  test('a trigger goes with its function, also when its table goes', () => {
    expect(translated(`${TRIGGER} DROP TRIGGER aged`).at(-1)).toBe('DROP FUNCTION aged() CASCADE')
    expect(translated(`${TRIGGER} DROP TABLE people`).slice(-2)).toEqual(['DROP TABLE people', 'DROP FUNCTION aged() CASCADE'])
  })

  test('what a trigger names is not renamed under it', () => {
    const rename = 'ALTER TABLE people RENAME COLUMN age TO years;'
    expect(() => translated(TRIGGER + rename)).toThrow('trigger aged uses age')
    expect(translated(`${TRIGGER} DROP TRIGGER aged; ${rename}`).at(-1)).toBe('ALTER TABLE people RENAME COLUMN age TO years')
  })
})
