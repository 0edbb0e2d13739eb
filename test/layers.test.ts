/** The layers and the rules of place, checked on the text of the files. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, loadedImports, ROOT, sourcesIn, valueImports, withoutComments } from './support/sources.ts'

const SRC = sourcesIn('src')
const VIEWS = sourcesIn('views')
const MIGRATIONS = sourcesIn('migrations')
const ALL = [...SRC, ...VIEWS, ...MIGRATIONS]

/** Each adapter may import those to its right, also the folders inside `pdf` and `verify`. */
const ADAPTERS = [
  'sandbox',
  'evidence',
  'verify',
  'verify/changes',
  'pades',
  'pki',
  'appearance',
  'image',
  'text',
  'pdf/join',
  'pdf/detect',
  'pdf/inspect',
  'pdf/writer',
  'pdf/parser',
]
/** Modules in order: each may import those to its right. */
const MODULES = [
  'witness',
  'health',
  'batches',
  'templates',
  'move',
  'backups',
  'documents',
  'webhooks',
  'alerts',
  'accounts',
  'outbox',
  'settings',
  'audit',
  'files',
]
const ENTRY_POINTS = ['http', 'jobs', 'cli', 'browser']
const SMALL_ADAPTERS = ['locales', 'db', 'storage', 'mailer', 'config', 'master-key', 'migrations']
const COMPOSITION = ['main', 'app', 'serving', 'writing', 'in-memory', 'engine']

const ORDERED = [ADAPTERS, MODULES]
const SUBFOLDERS = ADAPTERS.filter(name => name.includes('/'))

/** The part of a path: a folder of src, an ordered folder inside it, or a file by its stem. */
function partOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/')
  if (top !== 'src') return top
  return SUBFOLDERS.includes(`${second}/${third}`) ? `${second}/${third}` : second.replace(/\.tsx?$/, '')
}

const LAYERS: [layer: number, parts: string[]][] = [
  [0, ['core', 'lib']],
  [1, [...ADAPTERS, ...SMALL_ADAPTERS]],
  [2, ['ports']],
  [3, MODULES],
  [4, ['views']],
  [5, ENTRY_POINTS],
  [6, COMPOSITION],
]

function layerOf(part: string): number | undefined {
  return LAYERS.find(([, parts]) => parts.includes(part))?.[0]
}

/** Parts that may import another part of their own layer. */
const SAME_LAYER: Record<string, string[]> = {
  db: ['migrations'],
  config: ['locales', 'mailer', 'db', 'storage'],
  pades: ['locales'],
  pki: ['locales'],
  sandbox: ['locales'],
  storage: ['locales'],
  mailer: ['locales'],
  app: ['writing', 'in-memory', 'engine'],
  serving: ['app'],
  main: ['app', 'serving'],
}

/** Constants alone: every part may import it. */
const DURATION = 'src/lib/duration.ts'
/** What the hash chain of the log needs: the port, which browsers have too. */
const HASH_OF_CHAIN = ['src/lib/bytes.ts', 'src/lib/primitives.ts']
const isHashOfChain = (path: string, name: string) => path === 'src/core/document/audit-chain.ts' && HASH_OF_CHAIN.includes(name)

/** The start of a child process; only `main` may import it. */
const CHILD_MAIN = 'src/sandbox/main.ts'

/** Why one part must not import another; `undefined` when it may. */
export function layerError(from: string, to: string): string | undefined {
  if (from === to || SAME_LAYER[from]?.includes(to)) return undefined
  // Their errors and reports take words from there.
  if (to === 'locales' && ADAPTERS.includes(from)) return undefined
  if (from === 'views')
    return ['core', 'lib', 'locales'].includes(to) ? undefined : 'views import values of core, lib and locales only'
  const [lower, upper] = [layerOf(to), layerOf(from)]
  if (lower === undefined || upper === undefined) return 'a part without a layer'
  if (lower > upper) return 'a higher layer'
  if (lower < upper) return undefined
  const order = ORDERED.find(parts => parts.includes(from) && parts.includes(to))
  if (order === undefined) return 'another part of the same layer'
  return order.indexOf(from) < order.indexOf(to) ? undefined : 'a part to the left'
}

/** Circles among the files, each as a path from a file back to itself. */
export function importCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path)
    if (at >= 0) circles.push([...trail.slice(at), path])
    if (at >= 0 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return circles
}

const expectNone = (list: string[]) => expect(list).toEqual([])

describe('the test itself', () => {
  test('sees every way of importing', () => {
    const code = `import a from './a.ts'
      import type { B } from "../db/b.ts"
      import {
        c,
      } from '../lib/c.ts'
      export { d } from './d.ts'
      import './e.ts'
      const f = await import('../f.ts')
      const g = require('g/h')
      import css from '../../views/x.css' with { type: 'text' }`
    expect(importsOf('src/http/x.ts', code).sort()).toEqual(
      ['src/http/a.ts', 'src/db/b.ts', 'src/lib/c.ts', 'src/http/d.ts', 'src/http/e.ts', 'src/f.ts', 'g/h', 'views/x.css'].sort(),
    )
  })

  test('tells a permitted import from a forbidden one', () => {
    const permitted = [
      'core core',
      'http documents',
      'documents audit',
      'pades pki',
      'verify pdf/parser',
      'evidence locales',
      'pdf/parser locales',
      'views core',
      'app http',
      'main app',
      'settings ports',
      'ports db',
    ]
    const forbidden = [
      'core lib',
      'lib core',
      'pki pades',
      'pdf/parser pdf/writer',
      'verify/changes verify',
      'verify storage',
      'locales verify',
      'db storage',
      'audit documents',
      'documents views',
      'views documents',
      'http jobs',
      'jobs app',
      'ports accounts',
      'storage ports',
      'cli main',
    ]
    expect(permitted.filter(pair => layerError(...(pair.split(' ') as [string, string])))).toEqual([])
    expect(forbidden.filter(pair => !layerError(...(pair.split(' ') as [string, string])))).toEqual([])
  })

  test('finds a circle of imports and leaves imports of types alone', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ])
    expect(importCircles(graph)).toEqual([['a', 'b', 'c', 'a']])
    const code = `import type { A } from './a.ts'
      import { type B, type C } from './b.ts'
      import { type D, e } from './e.ts'
      const f = await import('./f.ts')`
    expect(valueImports({ path: 'src/x.ts', text: code, code, imports: [] })).toEqual(['src/e.ts'])
  })

  test('reads the whole project', () => {
    expect(SRC.length).toBeGreaterThan(80)
    expect(VIEWS.length).toBeGreaterThan(4)
    const unknown = ALL.filter(s => s.path.startsWith('src') && layerOf(partOf(s.path)) === undefined)
    expect(unknown.map(s => s.path)).toEqual(['src/assets.d.ts'])
  })
})

describe('layers', () => {
  /** A view may name the types of what it shows, wherever a lower layer makes it. */
  const isTypeForView = (source: (typeof ALL)[number], name: string) =>
    partOf(source.path) === 'views' &&
    (layerOf(partOf(name)) ?? Infinity) < (layerOf('views') ?? 0) &&
    !loadedImports(source).includes(name)

  test('a file imports its own folder and lower layers, nothing else', () => {
    expectNone(
      ALL.flatMap(source => {
        const { path, imports } = source
        return imports
          .filter(name => !isTypeForView(source, name))
          .filter(name => /^(src|views|migrations)\//.test(name) && name !== DURATION && !isHashOfChain(path, name))
          .flatMap(name => {
            const why = layerError(partOf(path), partOf(name))
            return why ? [`${path} imports ${name}: ${why}`] : []
          })
      }),
    )
  })

  test('a view imports types of modules, and none of entry points or of values', () => {
    const view = (code: string) => ({ path: 'views/x.tsx', text: code, code, imports: importsOf('views/x.tsx', code) })
    const isOpen = (code: string, name: string) => isTypeForView(view(code), name)
    expect(isOpen("import type { A } from '../src/accounts/a.ts'", 'src/accounts/a.ts')).toBe(true)
    expect(isOpen("import { type A, b } from '../src/accounts/a.ts'", 'src/accounts/a.ts')).toBe(false)
    expect(isOpen("const a = await import('../src/accounts/a.ts')", 'src/accounts/a.ts')).toBe(false)
    expect(isOpen("import type { A } from '../src/http/a.ts'", 'src/http/a.ts')).toBe(false)
  })

  test('no file imports what is outside src, views and migrations', () => {
    const outside = ALL.flatMap(({ path, imports }) =>
      imports.filter(name => name.startsWith('..') || /^(test|scripts)\//.test(name)).map(name => `${path} imports ${name}`),
    )
    expectNone(outside)
  })

  test('no files import values from each other in a circle', () => {
    const graph = new Map(ALL.map(source => [source.path, valueImports(source)]))
    expectNone(importCircles(graph).map(circle => circle.join(' -> ')))
  })

  test('code that reads uploads is loaded by the child process alone', () => {
    const parsers =
      /^src\/(pdf\/inspect\/inspect|evidence\/prepare|verify\/verify|pades\/augment|appearance\/preview|image\/(signature-image|logo))\.ts$/
    // What runs in a browser reads files of its own reader there.
    const importers = ALL.filter(source => layerOf(partOf(source.path)) !== 1 && partOf(source.path) !== 'browser')
    expectNone(
      importers.flatMap(source =>
        valueImports(source)
          .filter(name => parsers.test(name))
          .map(name => `${source.path} imports ${name}`),
      ),
    )
    expectNone(
      SRC.filter(s => s.imports.includes(CHILD_MAIN) && s.path !== 'src/main.ts').map(s => `${s.path} imports ${CHILD_MAIN}`),
    )
  })
})

describe('core', () => {
  const core = SRC.filter(s => partOf(s.path) === 'core')

  test('imports nothing but itself and durations; the audit chain also imports its hash', () => {
    const mayImport = (path: string, name: string) =>
      name.startsWith('src/core/') || name === DURATION || isHashOfChain(path, name)
    expectNone(
      core.flatMap(({ path, imports }) => imports.filter(name => !mayImport(path, name)).map(name => `${path} imports ${name}`)),
    )
  })

  test('has no clock, no randomness and no await', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bawait\b|\basync\b|\bPromise\b|\bprocess\.|\bBun\.|\bfetch\(|\bsetTimeout\b|\bconsole\./
    expectNone(core.filter(s => forbidden.test(s.code)).map(s => `${s.path}: ${forbidden.exec(s.code)?.[0]}`))
  })
})

describe('packages', () => {
  const PLACES: [what: string, name: RegExp, where: RegExp][] = [
    ['the web framework', /^(elysia|@elysiajs\/)/, /^src\/http\//],
    ['the scheduler', /^croner$/, /^src\/jobs\/schedule\.ts$/],
    ['the database driver', /^better-sqlite3/, /^src\/db\/sqlite\.ts$/],
    ['the driver of PostgreSQL', /^pg$/, /^src\/db\/postgresql\/pool\.ts$/],
    ['the query builder', /^kysely/, /^src\/(db\/.*|\w+\/(\w+\/)?([\w-]+-)?queries)\.ts$/],
    [
      'PDF and signature libraries',
      /^(pdf-lib|@libpdf\/|@signpdf\/|node-forge)/,
      /^src\/(appearance|evidence|image|pades|pdf|pki|text)\//,
    ],
    ['fonts and shaping', /^(fontkit|harfbuzzjs|bidi-js)/, /^src\/text\//],
    ['the mail library', /^nodemailer/, /^src\/mailer\//],
    ['bun:sqlite', /^bun:sqlite/, /^$/],
  ]
  test.each(PLACES)('%s', (_, name, where) => {
    expectNone(ALL.flatMap(s => s.imports.filter(i => name.test(i) && !where.test(s.path)).map(i => `${s.path} imports ${i}`)))
  })
})

describe('rules of place', () => {
  test('SQL is in queries files and the database folder', () => {
    const sql =
      /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(<[^>]*>)?`|\breads\.(all|column|first|allAtOnce)\(|['"`]\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s|BEGIN\s)/
    const place = /^(src\/\w+\/(\w+\/)?(\w+-)?queries\.ts|src\/db\/.*|migrations\/.*)$/
    expectNone(ALL.filter(s => !place.test(s.path) && sql.test(s.code)).map(s => `${s.path}: ${sql.exec(s.code)?.[0].trim()}`))
  })

  test('HTML is in views', () => {
    const html =
      /<\/?(html|head|body|main|div|span|p|a|b|h[1-6]|ul|ol|li|table|thead|tbody|tr|td|th|form|input|button|label|select|option|script|style|link|meta|title|section|header|footer|nav|strong|em|br|img)(\s[^<>]*)?\/?>/
    expectNone(SRC.filter(s => html.test(s.code)).map(s => `${s.path}: ${html.exec(s.code)?.[0]}`))
  })

  test('the names of the roles are in core: other code asks core', () => {
    const word = /(['"])(viewer|approver|signer)\1/
    expectNone(
      [...SRC, ...VIEWS]
        .filter(s => partOf(s.path) !== 'core' && word.test(s.code))
        .map(s => `${s.path}: ${word.exec(s.code)?.[0]}`),
    )
  })

  test('no file is longer than 600 lines', () => {
    const files = [...new Bun.Glob('{src,views,migrations,scripts,test}/**/*.{ts,tsx,sql,css}').scanSync({ cwd: ROOT })]
    const lines = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1
    expectNone(files.filter(path => lines(path) > 600).map(path => `${path}: ${lines(path)}`))
  })

  test('no folder or file is a collection of unrelated code, no file re-exports others', () => {
    expectNone(
      ALL.filter(s => /\/(utils?|helpers?|types|constants|common|shared|misc)(\/|\.tsx?$)/.test(s.path)).map(s => s.path),
    )
    expectNone(
      ALL.filter(s => /\/index\.tsx?$/.test(s.path) && s.path !== 'migrations/index.ts' && s.path !== 'src/locales/index.ts').map(
        s => s.path,
      ),
    )
    expectNone(ALL.filter(s => /\bexport \* from\b/.test(s.code)).map(s => s.path))
  })

  test('every file begins with a comment on what it does', () => {
    expectNone(ALL.filter(s => !/^(\/\*\*|\/\/ |\/\*\* @jsx)/.test(s.text.trimStart())).map(s => s.path))
  })
})

const NOTHING = String.raw`(?:async\s*)?(?:\w+|\([^()]*\))\s*=>\s*(?:\{\s*\}|undefined|void 0)`
const EMPTY_CATCH = /catch\s*(\([^()]*\))?\s*\{\s*\}|\.catch\(\s*(?:\w+|\([^()]*\))\s*=>\s*\{\s*\},?\s*\)/
const SECOND_DOES_NOTHING = new RegExp(String.raw`,\s*${NOTHING}\s*,?\s*$`)

/** The code that discards an error, if there is any. */
function discardedError(code: string): string | undefined {
  const caught = EMPTY_CATCH.exec(code)?.[0]
  if (caught !== undefined) return caught
  for (const { index, 0: call } of code.matchAll(/\.then\(/g)) {
    const from = index + call.length
    const listed = code.slice(from, closingAt(code, from))
    if (SECOND_DOES_NOTHING.test(listed)) return `.then(${listed})`
  }
  return undefined
}

/** The end of a list of arguments that begins here. */
function closingAt(code: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < code.length; at++) {
    if (code[at] === '(') depth++
    else if (code[at] === ')' && --depth === 0) break
  }
  return at
}

describe('style', () => {
  test('the length of a day, an hour and a minute is said in one place', () => {
    const length = /86_?400_?000|3_?600_?000|[*/] 60_?000\b|60 \* 60 \* 1_?000|const (DAY|HOUR|MINUTE)_MS\b/
    expectNone(ALL.filter(s => s.path !== DURATION && length.test(s.code)).map(s => `${s.path}: ${length.exec(s.code)?.[0]}`))
  })

  test('no type is any and no work is left as a note', () => {
    const anyType = /\bas any\b(?=[\s),;\]}.]*$)|:\s*any(?=\s*[,)=;[\]|&}>]|\s*$)|<any>/m
    // One exception: where a library's own type cannot be named, and the line before says why.
    const checked = ALL.map(s => ({
      path: s.path,
      code: withoutComments(s.text.replace(/^.*biome-ignore lint\/suspicious\/noExplicitAny: .*\n.*$/gm, '')),
    }))
    expectNone(checked.filter(s => anyType.test(s.code)).map(s => `${s.path}: ${anyType.exec(s.code)?.[0]}`))
    expectNone(ALL.filter(s => /@ts-(ignore|expect-error|nocheck)/.test(s.text)).map(s => s.path))
    expectNone(ALL.filter(s => /\b(TODO|FIXME|XXX|HACK)\b/.test(s.text)).map(s => s.path))
  })

  test('no error is discarded in silence', () => {
    const sources = ALL.map(({ path, code }) => `${path}: ${discardedError(code) ?? ''}`)
    expectNone(sources.filter(found => !found.endsWith(': ')))
  })

  test('a discarded error is found in each form', () => {
    const forms = [
      'try { a() } catch {}',
      'try { a() } catch (error) { }',
      'a().catch(() => {})',
      'a().catch((_error: unknown) => {\n})',
      'a().then(b => b.go(), () => {})',
      'a?.then(\n  b => b.go(c(), [d]),\n  () => {},\n)',
      'a().then(undefined, _ => undefined)',
    ]
    expect(forms.filter(form => discardedError(form) === undefined)).toEqual([])
    const kept = ['a().then(() => {})', 'a().then(b, error => log(error))', 'a().catch(() => undefined)']
    expect(kept.filter(form => discardedError(form) !== undefined)).toEqual([])
  })
})
