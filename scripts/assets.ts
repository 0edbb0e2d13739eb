/**
 * Makes `.built/static.pack`, the compressed files that browsers load, and `.built/licences.txt`.
 * Does nothing when both are newer than their sources. `--watch` repeats it at every change.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ASSET_TYPES, type PackedAsset, packBytes } from '../src/http/asset-pack.ts'
import { licences } from './licences.ts'

const ROOT = join(import.meta.dir, '..')
const PACK = join(ROOT, '.built/static.pack')
const LICENCES = join(ROOT, '.built/licences.txt')
const PDFJS = join(ROOT, 'node_modules/pdfjs-dist')
/** Later ones prevail. */
const SIGNING_STYLES = ['signing.css', 'signing-marks.css', 'signing-phone.css', 'document-view.css']
/** What the signing page may load before a document can be read, all by gzip. */
const MAX_KILOBYTES = 600
/** What a change of can change the pack. */
const SOURCES = [
  'views/browser',
  'views/static',
  'src/core',
  'src/locales',
  'src/lib',
  'src/http/asset-pack.ts',
  'scripts/assets.ts',
  'scripts/licences.ts',
  'bun.lock',
]

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap(entry => filesIn(join(path, entry.name)))
}

function isFresh(): boolean {
  const made = statSync(PACK, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined) return false
  return SOURCES.flatMap(source => filesIn(join(ROOT, source))).every(path => statSync(path).mtimeMs < made)
}

interface Source {
  name: string
  bytes: Uint8Array
  /** Named by its own bytes, so that browsers may keep it for good. */
  isHashed: boolean
}

async function script(entry: string): Promise<Uint8Array> {
  const made = await Bun.build({
    entrypoints: [join(ROOT, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    sourcemap: 'none',
  })
  for (const message of made.logs) console.error(String(message))
  const [output] = made.outputs
  if (!made.success || !output) throw new Error(`${entry} could not be bundled`)
  return new Uint8Array(await output.arrayBuffer())
}

const read = (path: string) => new Uint8Array(readFileSync(path))

/** pdf.js for older browsers too; the parts it asks for by itself keep their names. */
function pdfjs(): Source[] {
  const { version } = JSON.parse(readFileSync(join(PDFJS, 'package.json'), 'utf8')) as { version: string }
  const parts = [
    ...['pdf.min.mjs', 'pdf.worker.min.mjs'].map(name => ({ name, path: join(PDFJS, 'legacy/build', name) })),
    ...['cmaps', 'standard_fonts', 'wasm', 'iccs'].flatMap(folder =>
      filesIn(join(PDFJS, folder)).map(path => ({ name: relative(PDFJS, path), path })),
    ),
  ]
  return parts
    .filter(({ name }) => !/LICENSE|quickjs/.test(name))
    .map(({ name, path }) => ({ name: `pdfjs/${version}/${name}`, bytes: read(path), isHashed: false }))
}

function packed({ name, bytes, isHashed }: Source): PackedAsset {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? ''
  const type = ASSET_TYPES[extension]
  if (!type) throw new Error(`${name} has no known type`)
  const path = isHashed ? name.replace(/\.(\w+)$/, `.${sha256.slice(0, 16)}.$1`) : name
  const gzip = gzipSync(bytes, { level: 9 })
  const isWorthIt = gzip.length < bytes.length * 0.95
  const body = isWorthIt ? gzip : bytes
  const entry = {
    name,
    path: `/static/${path}`,
    type,
    sha256,
    length: body.length,
    coding: isWorthIt ? 'gzip' : 'identity',
  } as const
  return { entry, body }
}

/** Two processes may make it at once: each its own, and the last one stays. */
function put(path: string, content: Uint8Array | string): void {
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, content)
  renameSync(fresh, path)
}

async function make(): Promise<void> {
  if (isFresh()) return
  const style = (name: string) => read(join(ROOT, 'views/static', name))
  const css = [
    { name: 'app.css', bytes: style('app.css'), isHashed: true },
    { name: 'reference.css', bytes: style('reference.css'), isHashed: true },
    { name: 'signing.css', bytes: Buffer.concat(SIGNING_STYLES.map(style)), isHashed: true },
  ]
  const signing = { name: 'signing.js', bytes: await script('views/browser/signing.ts'), isHashed: true }
  const reference = { name: 'reference.js', bytes: await script('views/browser/reference.ts'), isHashed: true }
  const made = [...css, signing, reference, ...pdfjs()].map(packed)
  const bytes = packBytes(
    made.map(({ entry }) => entry),
    made.map(({ body }) => body),
  )
  mkdirSync(join(ROOT, '.built'), { recursive: true })
  put(LICENCES, licences(ROOT))
  put(PACK, bytes)
  const scripts = made.filter(({ entry }) => /signing\.js$|\.mjs$/.test(entry.name))
  const kilobytes = Math.round(scripts.reduce((sum, { entry }) => sum + entry.length, 0) / 1000)
  console.error(`.built/static.pack: ${made.length} files; scripts of the signing page ${kilobytes} kB by gzip`)
  if (kilobytes > MAX_KILOBYTES) throw new Error(`the scripts of the signing page are over their ${MAX_KILOBYTES} kB`)
}

await make()
if (process.argv.includes('--watch')) {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Report a source that cannot be bundled yet; the next change may repair it.
  const again = () => void make().catch((error: unknown) => console.error(String(error)))
  for (const folder of SOURCES.filter(source => statSync(join(ROOT, source)).isDirectory())) {
    watch(join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(again, 100)
    })
  }
}
