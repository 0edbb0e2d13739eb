/** Bundles a script for browsers, with their own file in place of `primitives.ts`. */
import { join } from 'node:path'
import type { BunPlugin } from 'bun'

const LIB = join(import.meta.dir, '../src/lib')

export const BROWSER_PRIMITIVES: BunPlugin = {
  name: 'browser-primitives',
  setup: build => {
    build.onResolve({ filter: /\/primitives\.ts$/ }, () => ({ path: join(LIB, 'primitives.browser.ts') }))
  },
}

interface BundleOptions {
  /** `iife`: for a script inside a page, which has no address. Default `esm`. */
  format?: 'esm' | 'iife'
  plugins?: readonly BunPlugin[]
}

/** One file. `entry`: a whole path. */
export async function bundleForBrowser(
  entry: string,
  { format = 'esm', plugins = [] }: BundleOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const made = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format,
    minify: true,
    sourcemap: 'none',
    plugins: [BROWSER_PRIMITIVES, ...plugins],
  })
  for (const message of made.logs) console.error(String(message))
  const [output] = made.outputs
  if (!made.success || !output) throw new Error(`${entry} could not be bundled`)
  return new Uint8Array(await output.arrayBuffer())
}
