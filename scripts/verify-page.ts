/** Makes verify.html: one file with its style sheet and script, which asks for nothing else. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { BunPlugin } from 'bun'
import { markSvg } from '../views/parts/mark-svg.ts'
import { bundleForBrowser } from './browser-bundle.ts'
import { licencesOf } from './licences.ts'
import { withoutLightDark } from './light-dark.ts'
import { STANDARD_FONTS } from './standard-fonts.ts'

const ROOT = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** Later ones prevail. */
const STYLES = [
  'views/styles/reset.css',
  'views/styles/tokens.css',
  'views/styles/base.css',
  ...['button', 'icon', 'table', 'file-drop', 'progress', 'form', 'frame'].map(name => `views/parts/${name}.css`),
  'views/verify/verify.css',
  'views/verify/local-verify.css',
]
/** The icons that its parts show. */
const ICONS = ['circle-alert', 'lock', 'shield-check', 'triangle-alert', 'upload', 'x']
/** More than people like to receive beside their documents. */
export const MAX_PAGE_BYTES = 400_000

/** The others would be in the script, because a name chooses among them. */
const onlyIcons: BunPlugin = {
  name: 'icons of verify.html',
  setup(build) {
    build.onLoad({ filter: /views\/parts\/icons\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const [head = '', files = ''] = text.split('const FILES = {')
      const lines = files.slice(0, files.indexOf('\n}')).split('\n')
      const kept = lines.filter(line => ICONS.some(name => new RegExp(`^  '?${name}'?[:,]`).test(line)))
      if (kept.length !== ICONS.length) throw new Error('an icon of verify.html is not in views/parts/icons.ts')
      const names = kept.map(line => /(\w+),$/.exec(line)?.[1] ?? '')
      const imports = head.split('\n').filter(line => names.some(name => line.startsWith(`import ${name} `)))
      const rest = files.slice(files.indexOf('\n}'))
      return { contents: `${imports.join('\n')}\nconst FILES = {\n${kept.join('\n')}${rest}`, loader: 'ts' }
    })
  },
}

/** Notes the folders of the packages that are bundled. */
const noting = (folders: Set<string>): BunPlugin => ({
  name: 'packages of verify.html',
  setup(build) {
    build.onLoad({ filter: /node_modules/ }, ({ path }) => {
      const [, folder = ''] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
      folders.add(folder)
      return undefined
    })
  },
})

/** Without comments and blanks that mean nothing. */
const minified = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;}/g, '}')
    .trim()

interface Rule {
  head: string
  body: string
}

/** The rules of one level. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  let start = 0
  let depth = 0
  let open = 0
  for (let at = 0; at < css.length; at++) {
    if (css[at] === '{' && depth++ === 0) open = at
    if (css[at] !== '}' || --depth > 0) continue
    rules.push({ head: css.slice(start, open), body: css.slice(open + 1, at) })
    start = at + 1
  }
  return rules
}

/** Rules for classes that the page has. `isUsed`: whether it has this class. */
function usedRules(css: string, isUsed: (name: string) => boolean): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (head.startsWith('@media')) {
        const inner = usedRules(body, isUsed)
        return inner === '' ? '' : `${head}{${inner}}`
      }
      const selectors = head.startsWith('@') ? [head] : head.split(/,(?![^(]*\))/)
      const used = selectors.filter(selector => [...selector.matchAll(/\.([a-z][\w-]*)/g)].every(([, name = '']) => isUsed(name)))
      return used.length === 0 ? '' : `${used.join(',')}{${body}}`
    })
    .join('')
}

function styleFor(script: string): string {
  const css = minified(STYLES.map(read).join('\n'))
  const rules = usedRules(css, name => new RegExp(`[^\\w-]${name}[^\\w-]`).test(script))
  const older = minified(withoutLightDark(read('views/styles/tokens.css')))
  const isVariableUsed = (name: string) => rules.includes(`var(${name}`)
  const withoutUnused = (text: string) =>
    text.replace(/(--[\w-]+):[^;{}]+(;|(?=}))/g, (whole, name: string) => (isVariableUsed(name) ? whole : ''))
  return withoutUnused(rules) + withoutUnused(older)
}

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Of the page in its own `meta`, and of the response that carries it. CSP Level 3. */
const policyOf = (style: string, scripts: readonly string[]) =>
  [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${sourceOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/**
 * Unpacks the script of the page, which is compressed to a third, and runs it as an element of its
 * own: the policy names the SHA-256 of both.
 */
const LOADER = `(async () => {
  const packed = Uint8Array.from(atob(document.getElementById('verify-packed').textContent), c => c.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const script = document.createElement('script')
  script.id = 'verify-script'
  script.textContent = await new Response(stream).text()
  document.body.append(script)
  document.getElementById('verify-old').remove()
})()`

/** The only words that are there without the script, and so in one language. */
const NO_SCRIPT =
  'This page verifies signed files by a script, which this browser does not run: it is older than 2023, or scripts are not allowed. Use another browser, or the program: signet verify FILE.'

export interface VerifyPageFiles {
  page: Uint8Array
  /** The script in it, which pages of a service load by itself. */
  script: Uint8Array
}

/** The same bytes for the same sources. */
export async function makeVerifyPage(): Promise<VerifyPageFiles> {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const folders = new Set<string>()
  const options = { format: 'iife', plugins: [onlyIcons, STANDARD_FONTS, noting(folders)] } as const
  const bundled = new TextDecoder().decode(await bundleForBrowser(join(ROOT, 'src/browser/verify-page.ts'), options))
  const script = bundled.trim()
  const packed = deflateRawSync(script, { level: 9 }).toString('base64')
  const style = styleFor(script)
  const licences = licencesOf([...folders].sort()).replaceAll('--', '- -')
  const icon = `data:image/svg+xml,${encodeURIComponent(markSvg())}`
  const page = [
    '<!DOCTYPE html>',
    '<html lang="en" dir="ltr">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style, [LOADER, script])}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="robots" content="noindex">',
    '<title>Signet</title>',
    `<link rel="icon" type="image/svg+xml" href="${icon}">`,
    `<!--\nParts of other authors:\n\n${licences}\n-->`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<main class="narrow" id="verify-old"><p>${NO_SCRIPT}</p></main>`,
    `<div id="verify-app" data-version="${version}" hidden></div>`,
    `<script type="application/octet-stream" id="verify-packed">${packed}</script>`,
    `<script>${LOADER}</script>`,
    '</body>',
    '</html>\n',
  ].join('\n')
  const bytes = new TextEncoder().encode(page)
  if (bytes.length > MAX_PAGE_BYTES) throw new Error(`verify.html has ${bytes.length} bytes, more than ${MAX_PAGE_BYTES}`)
  return { page: bytes, script: new TextEncoder().encode(script) }
}
