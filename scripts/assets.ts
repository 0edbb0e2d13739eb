/**
 * Makes `.built/static.pack`, the compressed files that browsers load, and `.built/licences.txt`.
 * Does nothing when both are newer than their sources. `--watch` repeats it at every change.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, watch, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ASSET_TYPES, type PackedAsset, packBytes, VERIFY_PAGE } from '../src/lib/asset-pack.ts'
import { markSvg } from '../views/parts/mark-svg.ts'
import { bundleForBrowser } from './browser-bundle.ts'
import { licences } from './licences.ts'
import { withoutLightDark } from './light-dark.ts'
import { makeVerifyPage } from './verify-page.ts'

const ROOT = join(import.meta.dir, '..')
const PACK = join(ROOT, '.built/static.pack')
const LICENCES = join(ROOT, '.built/licences.txt')
const PDFJS = join(ROOT, 'node_modules/pdfjs-dist')
/** Of the document's pages, for the sender and the recipients. */
const DOCUMENT_VIEW = 'views/documents/document-view.css'
/** The style sheet of the signing page. Later ones prevail. */
const SIGNING_STYLES = [
  'views/signing/signing.css',
  'views/signing/signing-marks.css',
  'views/signing/signing-fields.css',
  'views/signing/signing-phone.css',
  DOCUMENT_VIEW,
]
const REFERENCE_STYLE = 'views/reference/reference.css'
/** What is not in the style sheet of all pages, or in another layer of it. */
const APART = [...SIGNING_STYLES, REFERENCE_STYLE]
/** In this order; a file of one is in its layer. */
const LAYERS = ['reset', 'tokens', 'base', 'parts', 'pages'] as const
const INTER = join(ROOT, 'node_modules/@fontsource-variable/inter')
/** Bundled each into one file. */
const SCRIPTS = [
  { name: 'app.js', entry: 'views/browser/app.ts' },
  { name: 'sending.js', entry: 'views/drafting/browser/sending.ts' },
  { name: 'settings.js', entry: 'views/settings/browser/settings.ts' },
  { name: 'use.js', entry: 'views/templates/browser/use.ts' },
  { name: 'viewing.js', entry: 'views/documents/browser/viewing.ts' },
  { name: 'editor.js', entry: 'views/drafting/editor/editor.ts' },
  { name: 'editor-layout.js', entry: 'views/drafting/editor/layout.ts' },
  { name: 'signing.js', entry: 'views/signing/browser/signing.ts' },
  { name: 'signing-files.js', entry: 'views/signing/browser/file.ts' },
  { name: 'signing-numbers.js', entry: 'views/signing/browser/number.ts' },
  { name: 'device-key.js', entry: 'views/signing/browser/device-key.ts' },
  { name: 'done.js', entry: 'views/signing/browser/done.ts' },
  { name: 'reading.js', entry: 'views/signing/browser/reading.ts' },
  { name: 'frame.js', entry: 'views/signing/browser/frame.ts' },
  { name: 'embed.js', entry: 'views/signing/browser/embed.ts' },
  { name: 'reference.js', entry: 'views/reference/browser/reference.ts' },
]
/** What the signing page may load before a document can be read, all by gzip. */
const MAX_KILOBYTES = 600
/** What a change of can change the pack. */
const SOURCES = [
  // Of verify.html.
  ...[
    'src/browser',
    'src/verify',
    'src/evidence',
    'src/pki',
    'src/pades',
    'src/pdf',
    'src/text',
    'package.json',
    'scripts/verify-page.ts',
  ],
  ...['scripts/light-dark.ts'],
  'views',
  'src/core',
  'src/locales',
  'src/lib',
  'scripts/assets.ts',
  'scripts/browser-bundle.ts',
  'scripts/licences.ts',
  'bun.lock',
]

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap(entry => filesIn(join(path, entry.name)))
}

/** Pages and mails are made by the server; parts, and those of verify, are in scripts too. */
const isLoaded = (path: string) => !/views\/(?!parts\/|verify\/)[\w-]+\/[\w-]+\.tsx$/.test(path)

function isFresh(): boolean {
  const made = statSync(PACK, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined) return false
  return SOURCES.flatMap(source => filesIn(join(ROOT, source)))
    .filter(isLoaded)
    .every(path => statSync(path).mtimeMs < made)
}

interface Source {
  name: string
  bytes: Uint8Array
  /** Named by its own bytes, so that browsers may keep it for good. */
  isHashed: boolean
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
    // A page has its own route, which sends its policy along.
    path: name === VERIFY_PAGE ? `/${name}` : `/static/${path}`,
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

/** Inter by range of characters: a page loads only the files it has letters of. */
function faces(): { files: Source[]; css: string } {
  const ranges = JSON.parse(readFileSync(join(INTER, 'unicode.json'), 'utf8')) as Record<string, string>
  const files = Object.keys(ranges).map(range => ({
    name: `inter-${range}.woff2`,
    bytes: read(join(INTER, 'files', `inter-${range}-wght-normal.woff2`)),
    isHashed: true,
  }))
  const rules = files.map(file => {
    const range = ranges[file.name.slice('inter-'.length, -'.woff2'.length)]
    const { path } = packed(file).entry
    return `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${path}) format("woff2");unicode-range:${range}}`
  })
  return { files, css: rules.join('\n') }
}

/** Those of pages are in the folders of features. */
function stylesOf(layer: (typeof LAYERS)[number]): string[] {
  if (layer === 'parts') return [...cssIn('views/parts'), DOCUMENT_VIEW]
  if (layer !== 'pages') return [`views/styles/${layer}.css`]
  return cssIn('views').filter(path => !/^views\/(parts|styles)\//.test(path) && !APART.includes(path))
}

function styleOf(layer: (typeof LAYERS)[number]): string {
  const texts = stylesOf(layer).map(path => readFileSync(join(ROOT, path), 'utf8'))
  return `@layer ${layer} {\n${texts.join('\n')}}`
}

/** In the order of the names of the files, from the root. */
function cssIn(folder: string): string[] {
  const paths = filesIn(join(ROOT, folder)).filter(path => path.endsWith('.css'))
  return paths.sort((a, b) => (basename(a) < basename(b) ? -1 : 1)).map(path => relative(ROOT, path))
}

/** The style sheet of all pages. */
function appCss(faceRules: string): Source {
  const fallback = readFileSync(join(ROOT, 'views/styles/faces.css'), 'utf8')
  const tokens = readFileSync(join(ROOT, 'views/styles/tokens.css'), 'utf8')
  const older = `@layer tokens {${withoutLightDark(tokens)}}`
  const parts = [`@layer ${LAYERS.join(', ')};`, fallback, faceRules, ...LAYERS.map(styleOf), older]
  return { name: 'app.css', bytes: Buffer.from(parts.join('\n')), isHashed: true }
}

async function make(): Promise<void> {
  if (isFresh()) return
  const style = (name: string) => read(join(ROOT, 'views/static', name))
  const inter = faces()
  const css = [
    appCss(inter.css),
    { name: 'reference.css', bytes: read(join(ROOT, REFERENCE_STYLE)), isHashed: true },
    { name: 'signing.css', bytes: Buffer.concat(SIGNING_STYLES.map(path => read(join(ROOT, path)))), isHashed: true },
  ]
  const scripts = await Promise.all(
    SCRIPTS.map(async ({ name, entry }) => ({ name, bytes: await bundleForBrowser(join(ROOT, entry)), isHashed: true })),
  )
  const icons = [
    { name: 'favicon.svg', bytes: Buffer.from(markSvg()), isHashed: true },
    ...['favicon.png', 'touch-icon.png'].map(name => ({ name, bytes: style(name), isHashed: true })),
  ]
  const { page, script } = await makeVerifyPage()
  const verify = [
    { name: VERIFY_PAGE, bytes: page, isHashed: false },
    { name: 'verify.js', bytes: script, isHashed: true },
  ]
  const made = [...css, ...scripts, ...icons, ...inter.files, ...pdfjs(), ...verify].map(packed)
  const bytes = packBytes(
    made.map(({ entry }) => entry),
    made.map(({ body }) => body),
  )
  mkdirSync(join(ROOT, '.built'), { recursive: true })
  put(LICENCES, licences(ROOT))
  put(PACK, bytes)
  const signing = made.filter(({ entry }) => /signing\.js$|\.mjs$/.test(entry.name))
  const kilobytes = Math.round(signing.reduce((sum, { entry }) => sum + entry.length, 0) / 1000)
  console.error(`.built/static.pack: ${made.length} files; scripts of the signing page ${kilobytes} kB by gzip`)
  if (kilobytes > MAX_KILOBYTES) throw new Error(`the scripts of the signing page are over their ${MAX_KILOBYTES} kB`)
}

await make()
if (process.argv.includes('--watch')) {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Report a source that cannot be bundled yet; the next change may repair it.
  const again = () => void make().catch((error: unknown) => console.error(String(error)))
  for (const folder of SOURCES.filter(source => statSync(join(ROOT, source)).isDirectory())) {
    watch(join(ROOT, folder), { recursive: true }, (_, path) => {
      if (!isLoaded(path ?? '')) return
      clearTimeout(timer)
      timer = setTimeout(again, 100)
    })
  }
}
