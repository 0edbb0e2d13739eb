/** The verifying core: what it imports and names, and what its page for auditors says of it. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadedImports, ROOT, type Source, sourcesIn } from '../support/sources.ts'

const SOURCES = new Map(sourcesIn('src').map(source => [source.path, source]))
const PORT = 'src/lib/primitives.ts'
const PORT_OF_BROWSERS = 'src/lib/primitives.browser.ts'
const PACKAGES = /^(@noble\/(curves|hashes|ciphers)\/[\w-]+\.js|@pdf-lib\/standard-fonts)$/
/** Names of what only a process has. A sentence may end with "process". */
const FORBIDDEN_NAMES = /\b(Buffer|Bun|__dirname|__filename)\b|\bprocess\.\w|\bglobalThis\b|\bimport\.meta\b/

/** The file and all that it imports by value, in bundles for browsers as well. */
function walk(...entries: string[]): Map<string, Source> {
  const found = new Map<string, Source>()
  const visit = (path: string) => {
    const source = SOURCES.get(path)
    if (source === undefined || found.has(path)) return
    found.set(path, source)
    loadedImports(source).forEach(visit)
  }
  entries.forEach(visit)
  return found
}

/** What the file uses against the rules. */
function misuses({ path, code, text }: Source): string[] {
  if (path === PORT) return []
  const packages = loadedImports({ path, code, text, imports: [] }).filter(name => !name.startsWith('src/'))
  const names = FORBIDDEN_NAMES.exec(code)
  return [...packages.filter(name => !PACKAGES.test(name)), ...(names ? [names[0]] : [])].map(what => `${path}: ${what}`)
}

const CORE = walk('src/verify/verify.ts', PORT_OF_BROWSERS)
/** What reads an evidence pack, a receipt and a checkpoint, with the core that they use. */
const AROUND = walk(...['pack/verify-pack', 'verify-receipt', 'checkpoint'].map(name => `src/evidence/${name}.ts`))
const PAGE = readFileSync(join(ROOT, 'src/verify/CORE.md'), 'utf8')
const linesOf = (path: string) => (SOURCES.get(path)?.text.split('\n').length ?? 1) - 1

/** Of a name with a star all files of the core that it fits. */
const filesNamed = (name: string): string[] =>
  name.includes('*') ? [...CORE.keys()].filter(path => new Bun.Glob(name).match(path)) : [name]

interface Part {
  title: string
  most: number
  files: string[]
}

const PARTS: Part[] = [...PAGE.matchAll(/^## (\d\. [^\n]*): ([\d,]+) lines$(.*?)(?=^## )/gms)].map(
  ([, title = '', most = '', text = '']) => ({
    title,
    most: Number(most.replaceAll(',', '')),
    files: [...text.matchAll(/^- `(src\/[\w/]+)`: ((?:`[\w.*-]+`[,\s]*)+)\./gm)].flatMap(([, folder, names = '']) =>
      [...names.matchAll(/`([\w.*-]+)`/g)].flatMap(([, name = '']) => filesNamed(`${folder}/${name}.ts`)),
    ),
  }),
)

describe('the verifying core', () => {
  test('imports no module of a process and no other package, and names nothing that browsers lack', () => {
    expect([...CORE.values()].flatMap(misuses)).toEqual([])
  })

  test('nor does what reads packs, receipts and checkpoints with it', () => {
    expect([...AROUND.keys()]).toContain('src/verify/verify.ts')
    expect([...AROUND.keys()].filter(path => path.startsWith('src/evidence/')).length).toBeGreaterThan(6)
    expect([...AROUND.values()].flatMap(misuses)).toEqual([])
  })

  test('a misuse is found in each form', () => {
    const misuse = (code: string) => misuses({ path: 'src/verify/x.ts', code, text: code, imports: [] }).length
    const forms = [
      "import { createHash } from 'node:crypto'",
      "import { readFile } from 'fs'",
      "const { inflateSync } = require('node:zlib')",
      "const file = await import('node:fs')",
      "import { Elysia } from 'elysia'",
      'Buffer.from(bytes)',
      'const view: Buffer = made',
      'process.cpuUsage()',
      "globalThis['process']",
      'Bun.file(path)',
    ]
    expect(forms.filter(code => misuse(code) === 0)).toEqual([])
    expect(misuse("import { hashOf } from '../lib/primitives.ts'\nconst arrayBuffer = 'ends the process.'")).toBe(0)
  })

  test('has no words of other languages, and no part that draws, stores or serves', () => {
    const outside = [...CORE.keys()].filter(
      path =>
        !/^src\/(lib|locales(\/en)?|pades|pdf|pki|text|verify)\/[\w./-]+$/.test(path) ||
        /^src\/locales\/(?!en\/|remarks\.ts)/.test(path),
    )
    expect(outside).toEqual([])
    expect([...CORE.keys()].filter(path => path.startsWith('src/locales/en/') && !path.endsWith('remarks.ts'))).toEqual([])
  })
})

describe('the page for auditors', () => {
  test('names each file of the core once, and no other', () => {
    const named = PARTS.flatMap(({ files }) => files)
    expect(named.toSorted()).toEqual([...CORE.keys()].toSorted())
  })

  test('gives the size of each part, to a tenth', () => {
    const sizes = PARTS.map(({ title, most, files }) => ({
      title,
      most,
      lines: files.reduce((sum, path) => sum + linesOf(path), 0),
    }))
    expect(sizes.filter(({ lines, most }) => lines > most || lines < 0.9 * most - 50)).toEqual([])
    expect(sizes.length).toBe(8)
    const total = sizes.reduce((sum, { lines }) => sum + lines, 0)
    console.log(`The verifying core: ${CORE.size} files, ${total} lines.`)
  })
})
