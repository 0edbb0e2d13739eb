/** The components of the executable as CycloneDX 1.6 JSON: packages and the files inside. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openPack } from '../src/lib/asset-pack.ts'
import { carried, type Package } from './licences.ts'

interface Component {
  type: 'library' | 'platform' | 'file' | 'application'
  'bom-ref'?: string
  name: string
  version?: string
  purl?: string
  licenses?: ({ license: { id: string } | { name: string } } | { expression: string })[]
  hashes?: { alg: 'SHA-256' | 'SHA-512'; content: string }[]
  /** Files of a package that are embedded as they are. */
  components?: Component[]
}

export interface Sbom {
  $schema: string
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  version: 1
  metadata: { timestamp: string; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** `name@version` to SHA-512 in hex, as the registry gave it. */
function hashesOf(lockfile: string): Map<string, string> {
  const { packages } = JSON.parse(lockfile.replace(/,(\s*[}\]])/g, '$1')) as { packages: Record<string, unknown[]> }
  const integrities = Object.values(packages).map(([id, ...rest]) => [String(id), String(rest.at(-1))] as const)
  const known = integrities.filter(([, integrity]) => integrity.startsWith('sha512-'))
  return new Map(known.map(([id, integrity]) => [id, Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')]))
}

const purlOf = ({ name, version }: Package) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** An identifier or an expression of SPDX, or else the words of the package. */
function licensesOf(text: string | undefined): NonNullable<Component['licenses']> {
  if (text === undefined) return [{ license: { name: 'see the licences text' } }]
  if (/^[\w.+-]+$/.test(text)) return [{ license: { id: text } }]
  if (/ (AND|OR|WITH) /.test(text)) return [{ expression: text }]
  return [{ license: { name: text } }]
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const fileComponent = (name: string, sha256: string): Component => ({
  type: 'file',
  name,
  hashes: [{ alg: 'SHA-256', content: sha256 }],
})

/** Fonts and modules that the source imports as files: `package/path`. */
function importedFiles(root: string): string[] {
  const sources = [...new Bun.Glob('src/**/*.ts').scanSync(root)].sort()
  return sources.flatMap(path => {
    const code = readFileSync(join(root, path), 'utf8')
    const imports = code.matchAll(/from '([^'.][^']*)' with \{\s*type: 'file'/g)
    return [...imports].map(([, specifier = '']) => specifier)
  })
}

/** What browsers load, by the package it is from. */
const PACKED: [prefix: string, packageName: string][] = [
  ['pdfjs/', 'pdfjs-dist'],
  ['inter-', '@fontsource-variable/inter'],
]

function embeddedFiles(root: string): Map<string, Component[]> {
  const found = new Map<string, Component[]>()
  const add = (packageName: string, component: Component) =>
    found.set(packageName, [...(found.get(packageName) ?? []), component])
  for (const specifier of importedFiles(root)) {
    const [, name = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(specifier) ?? []
    add(name, fileComponent(specifier.slice(name.length + 1), sha256Of(readFileSync(join(root, 'node_modules', specifier)))))
  }
  for (const { entry } of openPack(readFileSync(join(root, '.built/static.pack')))) {
    const owner = PACKED.find(([prefix]) => entry.name.startsWith(prefix))
    if (owner) add(owner[1], fileComponent(entry.name, entry.sha256))
  }
  return found
}

const sqliteVersion = () => String(new Sqlite(':memory:').prepare('SELECT sqlite_version()').pluck().get())

/** What packages and the compiler bring without naming it in `bun.lock`. */
function unlisted(): Component[] {
  const runtime = {
    type: 'platform',
    'bom-ref': `pkg:npm/bun@${Bun.version}`,
    name: 'bun',
    version: Bun.version,
    purl: `pkg:npm/bun@${Bun.version}`,
  } as const
  const sqlite = sqliteVersion()
  return [
    {
      ...runtime,
      licenses: [{ license: { name: 'MIT; parts under LGPL-2.1 and others, https://bun.com/docs/project/license' } }],
    },
    {
      type: 'library',
      'bom-ref': `pkg:generic/sqlite@${sqlite}`,
      name: 'sqlite',
      version: sqlite,
      purl: `pkg:generic/sqlite@${sqlite}`,
      licenses: [{ license: { id: 'blessing' } }],
    },
  ]
}

/** `made`: an ISO time that depends on the source alone. `files`: the executables. */
export function sbom(root: string, made: string, files: { name: string; sha256: string }[]): Sbom {
  // The same version may be in several folders.
  const byPurl = new Map([...carried(root).values()].map(each => [purlOf(each), each]))
  const packages = [...byPurl.values()].sort((a, b) => (purlOf(a) < purlOf(b) ? -1 : 1))
  const hashes = hashesOf(readFileSync(join(root, 'bun.lock'), 'utf8'))
  const embedded = embeddedFiles(root)
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package
  const components = packages.map((each): Component => {
    const hash = hashes.get(`${each.name}@${each.version}`)
    if (hash === undefined) throw new Error(`bun.lock has no hash of ${each.name} ${each.version}`)
    const parts = embedded.get(each.name)
    const identity = {
      type: 'library',
      'bom-ref': purlOf(each),
      name: each.name,
      version: each.version,
      purl: purlOf(each),
    } as const
    const facts = { licenses: licensesOf(each.license), hashes: [{ alg: 'SHA-512' as const, content: hash }] }
    return { ...identity, ...facts, ...(parts ? { components: parts } : {}) }
  })
  const all = [...components, ...unlisted()]
  const ref = `pkg:generic/${own.name}@${own.version}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: made,
      component: {
        type: 'application',
        'bom-ref': ref,
        name: own.name,
        version: own.version,
        components: files.map(({ name, sha256 }) => fileComponent(name, sha256)),
      },
    },
    components: all,
    dependencies: [{ ref, dependsOn: all.map(each => String(each['bom-ref'])) }],
  }
}
