/**
 * Translates SQLite's text of tables, indexes, triggers and migrations to PostgreSQL, by rules
 * that refuse what they do not know. Queries are not translated: they are written for both.
 */
import { isWord, splitAt, statementsOf, type Token, TokenReader, textOf } from './translate-tokens.ts'

/** The text has no translation: the migration needs a text of its own for PostgreSQL. */
export class TranslationError extends Error {}

const TYPES: Record<string, string> = { TEXT: 'TEXT', INTEGER: 'BIGINT', REAL: 'DOUBLE PRECISION', BLOB: 'BYTEA' }

/** Words before a bracket: functions that both engines have, and keywords. */
const BEFORE_BRACKET = new Set(
  'COALESCE MIN MAX SUM COUNT LENGTH LOWER UPPER REPLACE SUBSTR ABS ROW_NUMBER IN EXISTS AND OR NOT WHERE SELECT FROM VALUES ON THEN WHEN ELSE OVER BETWEEN AS BY SET'.split(
    ' ',
  ),
)
/** They exist in both engines with other results, or in one alone. */
const REFUSED_WORDS = new Set('COLLATE GLOB LIKE REGEXP MATCH CAST RAISE ROWID OID INDEXED REPLACE_INTO ATTACH PRAGMA'.split(' '))

interface Table {
  columns: string[]
  primaryKey: string[]
}

interface Trigger {
  table: string
  words: Set<string>
}

/** Knows the tables and triggers that it has translated: later statements depend on them. */
export class Translator {
  readonly #tables = new Map<string, Table>()
  readonly #triggers = new Map<string, Trigger>()
  /** Full-text indexes of SQLite, which are left out with their triggers. */
  readonly #searchTables = new Set<string>()

  /** @throws TranslationError */
  translate(sql: string): string[] {
    let place = ''
    try {
      return statementsOf(sql).flatMap(tokens => {
        place = ` (in: ${textOf(tokens).slice(0, 200)})`
        return this.#statement(new TokenReader(tokens))
      })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw new TranslationError(`No translation to PostgreSQL: ${error.message}${place}`)
    }
  }

  #statement(reader: TokenReader): string[] {
    if (reader.take('CREATE TABLE')) return this.#table(reader)
    if (reader.take('CREATE UNIQUE INDEX')) return this.#index(reader, 'UNIQUE INDEX')
    if (reader.take('CREATE INDEX')) return this.#index(reader, 'INDEX')
    if (reader.take('CREATE TRIGGER')) return this.#trigger(reader)
    if (reader.take('CREATE VIRTUAL TABLE')) return this.#virtualTable(reader)
    if (reader.take('ALTER TABLE')) return this.#alter(reader)
    if (reader.take('DROP')) return this.#drop(reader)
    return this.#dataStatement(reader.rest())
  }

  #table(reader: TokenReader): string[] {
    const name = reader.name()
    const body = reader.bracket()
    const options = textOf(reader.rest()).toUpperCase()
    if (options !== 'STRICT' && options !== 'STRICT, WITHOUT ROWID') throw new Error(`a table that is not STRICT: ${name}`)
    const table: Table = { columns: [], primaryKey: [] }
    const after: string[] = []
    const lines = splitAt(body, ',').map(item => {
      const part = new TokenReader(item)
      return tableConstraint(part, table) ?? column(part, name, table, after)
    })
    if (table.primaryKey.length === 0 && options !== 'STRICT') throw new Error(`no primary key: ${name}`)
    this.#tables.set(name, table)
    return [`CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n)`, ...after]
  }

  #virtualTable(reader: TokenReader): string[] {
    const name = reader.name()
    reader.expect('USING FTS5')
    reader.bracket()
    this.#searchTables.add(name)
    return []
  }

  #index(reader: TokenReader, kind: string): string[] {
    const name = reader.name()
    reader.expect('ON')
    const table = reader.name()
    const columns = splitAt(reader.bracket(), ',').map(indexColumn)
    const where = reader.take('WHERE') ? ` WHERE ${expression(reader.rest())}` : ''
    if (!reader.isAtEnd) throw reader.unknown()
    return [`CREATE ${kind} ${name} ON ${table} (${columns.join(', ')})${where}`]
  }

  #trigger(reader: TokenReader): string[] {
    const name = reader.name()
    const time = reader.take('BEFORE') ? 'BEFORE' : reader.take('AFTER') ? 'AFTER' : undefined
    const event = ['INSERT', 'UPDATE', 'DELETE'].find(word => reader.take(word))
    if (!time || !event) throw reader.unknown()
    const columns = reader.take('OF') ? ` OF ${expression(reader.until('ON'))}` : ''
    reader.expect('ON')
    const table = reader.name()
    const condition = reader.take('WHEN') ? expression(reader.until('BEGIN')) : undefined
    reader.expect('BEGIN')
    const body = reader.rest()
    const statements = splitAt(body.slice(0, -1), ';')
    const forSearch = statements.filter(statement => this.#searchTables.has(targetOf(statement)))
    if (forSearch.length > 0) {
      if (forSearch.length < statements.length) throw new Error(`trigger ${name} changes more than a full-text index`)
      return []
    }
    const lines = statements.map(statement => `  ${raised(statement) ?? this.#dataStatement(statement)[0]};`)
    const inner = condition === undefined ? lines : [`  IF ${condition} THEN`, ...lines.map(line => `  ${line}`), '  END IF;']
    const result = time === 'AFTER' ? 'NULL' : event === 'DELETE' ? 'OLD' : 'NEW'
    this.#triggers.set(name, { table, words: wordsIn(body) })
    return [
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n${inner.join('\n')}\n  RETURN ${result};\nEND $$`,
      `CREATE TRIGGER ${name} ${time} ${event}${columns} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
    ]
  }

  #alter(reader: TokenReader): string[] {
    const name = reader.name()
    const table = this.#known(name)
    if (reader.take('ADD COLUMN')) {
      const after: string[] = []
      return [`ALTER TABLE ${name} ADD COLUMN ${column(reader, name, table, after)}`, ...after]
    }
    if (reader.take('DROP COLUMN')) {
      const gone = reader.name()
      this.#requireUnused(gone)
      table.columns = table.columns.filter(known => known !== gone)
      return [`ALTER TABLE ${name} DROP COLUMN ${gone}`]
    }
    if (reader.take('RENAME TO')) {
      const to = reader.name()
      this.#requireUnused(name)
      this.#tables.delete(name)
      this.#tables.set(to, table)
      for (const trigger of this.#triggers.values()) if (trigger.table === name) trigger.table = to
      return [`ALTER TABLE ${name} RENAME TO ${to}`]
    }
    reader.expect('RENAME COLUMN')
    const from = reader.name()
    reader.expect('TO')
    const to = reader.name()
    this.#requireUnused(from)
    const renamed = (list: string[]) => list.map(known => (known === from ? to : known))
    this.#tables.set(name, { columns: renamed(table.columns), primaryKey: renamed(table.primaryKey) })
    return [`ALTER TABLE ${name} RENAME COLUMN ${from} TO ${to}`]
  }

  #known(name: string): Table {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`table ${name} is not known`)
    return table
  }

  /** PostgreSQL does not rename inside the functions of triggers, as SQLite does. */
  #requireUnused(name: string): void {
    for (const [trigger, { words }] of this.#triggers) {
      if (words.has(name)) throw new Error(`trigger ${trigger} uses ${name}: drop it before and create it after`)
    }
  }

  #drop(reader: TokenReader): string[] {
    const kind = ['TABLE', 'INDEX', 'TRIGGER'].find(word => reader.take(word))
    if (!kind) throw reader.unknown()
    const ifExists = reader.take('IF EXISTS') ? 'IF EXISTS ' : ''
    const name = reader.name()
    if (kind === 'INDEX') return [`DROP INDEX ${ifExists}${name}`]
    if (kind === 'TRIGGER') return this.#dropTriggers([name])
    if (this.#searchTables.delete(name)) return []
    this.#tables.delete(name)
    const own = [...this.#triggers].filter(([, trigger]) => trigger.table === name).map(([trigger]) => trigger)
    return [`DROP TABLE ${ifExists}${name}`, ...this.#dropTriggers(own)]
  }

  /** The trigger goes with its function. One that was left out is not there. */
  #dropTriggers(names: string[]): string[] {
    return names.filter(name => this.#triggers.delete(name)).map(name => `DROP FUNCTION ${name}() CASCADE`)
  }

  #dataStatement(tokens: Token[]): string[] {
    if (!['INSERT', 'UPDATE', 'DELETE'].some(word => isWord(tokens[0], word))) throw new Error('an unknown statement')
    if (isWord(tokens[1], 'OR')) throw new Error('INSERT OR')
    const table = targetOf(tokens)
    if (this.#searchTables.has(table)) return []
    const reader = new TokenReader(tokens)
    const before = reader.until('ON')
    const start = expression(before)
    if (!reader.take('ON CONFLICT')) return [start + (reader.isAtEnd ? '' : ` ${expression(reader.rest())}`)]
    const { columns, primaryKey } = this.#known(table)
    if (reader.take('DO NOTHING')) return [`${start} ON CONFLICT DO NOTHING`]
    reader.expect('DO UPDATE SET')
    const sets = splitAt(reader.rest(), ',').map(set => qualified(set, table, columns))
    return [`${start} ON CONFLICT (${primaryKey.join(', ')}) DO UPDATE SET ${sets.join(', ')}`]
  }
}

function tableConstraint(part: TokenReader, table: Table): string | undefined {
  const kind = ['PRIMARY KEY', 'UNIQUE', 'CHECK'].find(words => part.take(words))
  if (kind === undefined) return undefined
  const inside = part.bracket()
  if (!part.isAtEnd) throw part.unknown()
  if (kind === 'PRIMARY KEY') table.primaryKey = splitAt(inside, ',').map(name => textOf(name).toLowerCase())
  return `${kind} (${expression(inside)})`
}

function column(part: TokenReader, tableName: string, table: Table, after: string[]): string {
  const name = part.name()
  const type = TYPES[part.name().toUpperCase()]
  if (type === undefined) throw new Error(`the type of column ${name}`)
  const words = [name, type]
  let isFolded = false
  let isUnique = false
  while (!part.isAtEnd) {
    if (part.take('COLLATE NOCASE')) isFolded = true
    else if (part.take('UNIQUE')) isUnique = true
    else words.push(columnConstraint(part, name, table))
  }
  if (isFolded && !isUnique) throw new Error(`column ${name}: NOCASE without UNIQUE`)
  if (isFolded) after.push(`CREATE UNIQUE INDEX ${tableName}_${name}_folded ON ${tableName} (${folded(name)})`)
  else if (isUnique) words.push('UNIQUE')
  table.columns.push(name)
  return words.join(' ')
}

function columnConstraint(part: TokenReader, name: string, table: Table): string {
  if (part.take('NOT NULL')) return 'NOT NULL'
  if (part.take('CHECK')) return `CHECK (${expression(part.bracket())})`
  if (part.take('DEFAULT')) return `DEFAULT ${literal(part)}`
  if (part.take('PRIMARY KEY')) {
    table.primaryKey = [name]
    return 'PRIMARY KEY'
  }
  part.expect('REFERENCES')
  const target = `REFERENCES ${part.name()} (${expression(part.bracket())})`
  return part.take('ON DELETE CASCADE') ? `${target} ON DELETE CASCADE` : target
}

function literal(part: TokenReader): string {
  const token = part.token()
  if (token.kind !== 'number' && token.kind !== 'text') throw new Error(`the default ${token.text}`)
  return token.text
}

/** NOCASE folds ASCII letters alone; so does `lower` with collation C. */
function folded(name: string): string {
  return `lower(${name} COLLATE "C")`
}

function indexColumn(tokens: Token[]): string {
  const part = new TokenReader(tokens)
  const name = part.name()
  // Means the same on both.
  if (name === 'substr') return `substr(${expression(part.bracket())})`
  if (part.take('COLLATE NOCASE')) return folded(name)
  const order = part.take('DESC') ? ' DESC' : ''
  if (!part.isAtEnd) throw part.unknown()
  return name + order
}

/** `SELECT RAISE(ABORT, 'text')`. */
function raised(tokens: Token[]): string | undefined {
  const part = new TokenReader(tokens)
  if (!part.take('SELECT RAISE')) return undefined
  const [action, text] = splitAt(part.bracket(), ',')
  if (!part.isAtEnd || !isWord(action?.[0], 'ABORT') || text?.[0]?.kind !== 'text' || text.length > 1) throw part.unknown()
  return `RAISE EXCEPTION ${text[0].text.replaceAll('%', '%%')}`
}

/** The table that a data statement changes, or the empty text. */
function targetOf(tokens: readonly Token[]): string {
  const part = new TokenReader(tokens)
  return part.take('INSERT INTO') || part.take('UPDATE') || part.take('DELETE FROM') ? part.name() : ''
}

function wordsIn(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.filter(token => token.kind === 'word').map(token => token.text.toLowerCase()))
}

/** In `DO UPDATE SET` a bare column is ambiguous: it may be the row's or the proposed one's. */
function qualified(set: Token[], table: string, columns: string[]): string {
  const known = new Set(columns)
  const qualify = (token: Token, i: number): Token => {
    const isColumn = i > 0 && token.kind === 'word' && known.has(token.text.toLowerCase())
    const isQualified = set[i - 1]?.text === '.'
    return isColumn && !isQualified ? { ...token, text: `${table}.${token.text}` } : token
  }
  return expression(set.map(qualify))
}

/** Checks that both engines read it alike; `IS` between values becomes `IS [NOT] DISTINCT FROM`. */
function expression(tokens: readonly Token[]): string {
  const output: Token[] = []
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]
    if (token.kind === 'word') checkWord(token, tokens[i - 1], next)
    if (token.kind === 'sign' && /^(\?|->>?)$/.test(token.text)) throw new Error(`the sign ${token.text}`)
    if (isWord(token, 'IS') && !isWord(next, 'NULL') && !isWord(next, 'NOT')) {
      output.push({ ...token, text: 'IS NOT DISTINCT FROM' })
    } else if (isWord(token, 'NOT') && isWord(tokens[i - 1], 'IS') && !isWord(next, 'NULL')) {
      output.push({ ...token, text: 'DISTINCT FROM' })
    } else output.push(token)
  }
  return textOf(output)
}

function checkWord(token: Token, before: Token | undefined, next: Token | undefined): void {
  const word = token.text.toUpperCase()
  const isName = before?.text === '.'
  if (REFUSED_WORDS.has(word) && !isName) throw new Error(token.text)
  const isTable = isWord(before, 'INTO')
  if (next?.text === '(' && next.kind === 'sign' && !isTable && !BEFORE_BRACKET.has(word)) throw new Error(`${token.text}(…)`)
}
