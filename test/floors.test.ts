/** The plan of the house, enforced on the text of its files: who may import whom, and what may stand where. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dir, '..')

interface Source {
  path: string
  text: string
  /** Without comments: laws of place are about code. */
  code: string
  imports: string[]
}

/** Relative imports as paths from the root, packages by their name. */
export function importsOf(path: string, code: string): string[] {
  const patterns = [
    /\b(?:import|export)\s[^'";]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
    /\brequire\(\s*['"]([^'"]+)['"]/g,
  ]
  const found = patterns.flatMap(pattern => [...code.matchAll(pattern)].map(match => match[1] ?? ''))
  return found.map(name => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
}

function sourcesIn(folder: string): Source[] {
  const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: join(ROOT, folder) })].sort()
  return paths.map(name => {
    const path = join(folder, name)
    const text = readFileSync(join(ROOT, path), 'utf8')
    const code = withoutComments(text)
    return { path, text, code, imports: importsOf(path, code) }
  })
}

const SRC = sourcesIn('src')
const VIEWS = sourcesIn('views')
const MIGRATIONS = sourcesIn('migrations')
const ALL = [...SRC, ...VIEWS, ...MIGRATIONS]

/** Each may import only rooms to its right. */
const ROOMS = ['templates', 'documents', 'webhooks', 'alerts', 'accounts', 'outbox', 'settings', 'audit', 'files']
const DOORS = ['http', 'jobs', 'cli']
const TOOLS = ['language', 'pdf', 'seal', 'db', 'storage', 'mailer', 'config', 'master-key', 'migrations']
const WIRING = ['main', 'app', 'serving', 'writing']

/** The part of the house a path belongs to: a folder of src, a file of src by its stem, `views`, `migrations`. */
function partOf(path: string): string {
  const [top = '', second = ''] = path.split('/')
  return top === 'src' ? second.replace(/\.tsx?$/, '') : top
}

const FLOORS: [floor: number, parts: string[]][] = [
  [0, ['core', 'lib']],
  [1, TOOLS],
  [2, ['ports']],
  [3, ROOMS],
  [4, ['views']],
  [5, DOORS],
  [6, WIRING],
]

function floorOf(part: string): number | undefined {
  return FLOORS.find(([, parts]) => parts.includes(part))?.[0]
}

/** Tools that may lean on another tool. */
const BESIDE: Record<string, string[]> = {
  seal: ['pdf'],
  db: ['migrations'],
  config: ['mailer'],
  app: ['writing'],
  serving: ['app'],
  main: ['app', 'serving'],
}

/** Why one part must not import another; `undefined` when it may. */
export function lawBroken(from: string, to: string): string | undefined {
  if (from === to || BESIDE[from]?.includes(to)) return undefined
  if (from === 'views') return ['core', 'lib', 'language'].includes(to) ? undefined : 'views import only core, lib and language'
  const [lower, upper] = [floorOf(to), floorOf(from)]
  if (lower === undefined || upper === undefined) return 'a part without a floor'
  if (lower > upper) return 'a higher floor'
  if (lower < upper) return undefined
  if (ROOMS.includes(from) && ROOMS.indexOf(from) < ROOMS.indexOf(to)) return undefined
  return ROOMS.includes(from) ? 'a room to the left' : 'a neighbour on the same floor'
}

const told = (list: string[]) => expect(list).toEqual([])

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

  test('knows a broken law from a kept one', () => {
    const kept = [
      'core core',
      'http documents',
      'documents audit',
      'seal pdf',
      'views core',
      'app http',
      'main app',
      'settings ports',
      'ports db',
    ]
    const broken = [
      'core lib',
      'lib core',
      'pdf seal',
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
    expect(kept.filter(pair => lawBroken(...(pair.split(' ') as [string, string])))).toEqual([])
    expect(broken.filter(pair => !lawBroken(...(pair.split(' ') as [string, string])))).toEqual([])
  })

  test('reads the house', () => {
    expect(SRC.length).toBeGreaterThan(80)
    expect(VIEWS.length).toBeGreaterThan(4)
    expect(
      ALL.every(s => !s.path.startsWith('src') || floorOf(partOf(s.path)) !== undefined || s.path === 'src/assets.d.ts'),
    ).toBe(true)
  })
})

describe('floors', () => {
  test('a file imports its own folder and lower floors, nothing else', () => {
    told(
      ALL.flatMap(({ path, imports }) =>
        imports
          .filter(name => /^(src|views|migrations)\//.test(name))
          .flatMap(name => {
            const why = lawBroken(partOf(path), partOf(name))
            return why ? [`${path} imports ${name}: ${why}`] : []
          }),
      ),
    )
  })

  test('nobody imports what stands outside the house', () => {
    const outside = ALL.flatMap(({ path, imports }) =>
      imports.filter(name => name.startsWith('..') || /^(test|scripts)\//.test(name)).map(name => `${path} imports ${name}`),
    )
    told(outside)
  })
})

describe('core', () => {
  const core = SRC.filter(s => partOf(s.path) === 'core')

  test('imports nothing but itself, and the chain its hash', () => {
    told(
      core.flatMap(({ path, imports }) =>
        imports
          .filter(name => !name.startsWith('src/core/') && !(path === 'src/core/chain.ts' && name === 'node:crypto'))
          .map(name => `${path} imports ${name}`),
      ),
    )
  })

  test('has no clock, no chance and waits for nothing', () => {
    const forbidden =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bawait\b|\basync\b|\bPromise\b|\bprocess\.|\bBun\.|\bfetch\(|\bsetTimeout\b|\bconsole\./
    told(core.filter(s => forbidden.test(s.code)).map(s => `${s.path}: ${forbidden.exec(s.code)?.[0]}`))
  })
})

describe('packages stand where they belong', () => {
  const PLACES: [what: string, name: RegExp, where: RegExp][] = [
    ['the web framework', /^(elysia|@elysiajs\/)/, /^src\/http\//],
    ['the clock table', /^croner$/, /^src\/jobs\/schedule\.ts$/],
    ['the database driver', /^better-sqlite3/, /^src\/db\/open\.ts$/],
    ['the query builder', /^kysely/, /^src\/(db\/.*|\w+\/([\w-]+-)?queries)\.ts$/],
    ['PDF and signature libraries', /^(pdf-lib|@libpdf\/|@signpdf\/|node-forge)/, /^src\/(pdf|seal)\//],
    ['fonts and shaping', /^(fontkit|harfbuzzjs|bidi-js)/, /^src\/pdf\//],
    ['the mail library', /^nodemailer/, /^src\/mailer\//],
    ['bun:sqlite', /^bun:sqlite/, /^$/],
  ]
  test.each(PLACES)('%s', (_, name, where) => {
    told(ALL.flatMap(s => s.imports.filter(i => name.test(i) && !where.test(s.path)).map(i => `${s.path} imports ${i}`)))
  })
})

describe('laws of place', () => {
  test('SQL stands in queries files and the database folder', () => {
    const sql =
      /\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(<[^>]*>)?`|\bprepared\(|['"`]\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|PRAGMA\s|BEGIN\s)/
    const place = /^(src\/\w+\/(\w+-)?queries\.ts|src\/db\/.*|migrations\/.*)$/
    told(ALL.filter(s => !place.test(s.path) && sql.test(s.code)).map(s => `${s.path}: ${sql.exec(s.code)?.[0].trim()}`))
  })

  test('HTML stands in views', () => {
    const html =
      /<\/?(html|head|body|main|div|span|p|a|b|h[1-6]|ul|ol|li|table|thead|tbody|tr|td|th|form|input|button|label|select|option|script|style|link|meta|title|section|header|footer|nav|strong|em|br|img)(\s[^<>]*)?\/?>/
    told(SRC.filter(s => html.test(s.code)).map(s => `${s.path}: ${html.exec(s.code)?.[0]}`))
  })

  test('the words of the roles stand in core: everybody else asks', () => {
    const word = /(['"])(viewer|approver|signer)\1/
    told(
      [...SRC, ...VIEWS]
        .filter(s => partOf(s.path) !== 'core' && word.test(s.code))
        .map(s => `${s.path}: ${word.exec(s.code)?.[0]}`),
    )
  })

  test('no file is longer than 400 lines', () => {
    const files = [...new Bun.Glob('{src,views,migrations,scripts,test}/**/*.{ts,tsx,sql,css}').scanSync({ cwd: ROOT })]
    const lines = (path: string) => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1
    told(files.filter(path => lines(path) > 400 && path !== 'views/static/app.css').map(path => `${path}: ${lines(path)}`))
  })

  test('no folder is a drawer for everything, no file gathers others', () => {
    told(ALL.filter(s => /\/(utils?|helpers?|types|constants|common|shared|misc)(\/|\.tsx?$)/.test(s.path)).map(s => s.path))
    told(ALL.filter(s => /\/index\.tsx?$/.test(s.path) && s.path !== 'migrations/index.ts').map(s => s.path))
    told(ALL.filter(s => /\bexport \* from\b/.test(s.code)).map(s => s.path))
  })

  test('every file begins by saying its job', () => {
    told(ALL.filter(s => !/^(\/\*\*|\/\/ |\/\*\* @jsx)/.test(s.text.trimStart())).map(s => s.path))
  })
})

describe('manners', () => {
  test('no type is waved through and no work is left as a note', () => {
    const waved = /\bas any\b(?=[\s),;\]}.]*$)|:\s*any(?=\s*[,)=;[\]|&}>]|\s*$)|<any>/m
    // One exception: where a library's own type cannot be named, and the line before says why.
    const judged = ALL.map(s => ({
      path: s.path,
      code: withoutComments(s.text.replace(/^.*biome-ignore lint\/suspicious\/noExplicitAny: .*\n.*$/gm, '')),
    }))
    told(judged.filter(s => waved.test(s.code)).map(s => `${s.path}: ${waved.exec(s.code)?.[0]}`))
    told(ALL.filter(s => /@ts-(ignore|expect-error|nocheck)/.test(s.text)).map(s => s.path))
    told(ALL.filter(s => /\b(TODO|FIXME|XXX|HACK)\b/.test(s.text)).map(s => s.path))
  })

  test('no error is swallowed without a word', () => {
    const swallowed = /catch\s*(\(\w*\))?\s*\{\s*\}|\.catch\(\(\)\s*=>\s*\{\s*\}\)/
    told(ALL.filter(s => swallowed.test(s.code)).map(s => `${s.path}: ${swallowed.exec(s.code)?.[0]}`))
  })
})
