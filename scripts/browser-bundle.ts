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

/** One ES module. `entry`: a whole path. */
export async function bundleForBrowser(entry: string): Promise<Uint8Array> {
  const made = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format: 'esm',
    minify: true,
    sourcemap: 'none',
    plugins: [BROWSER_PRIMITIVES],
  })
  for (const message of made.logs) console.error(String(message))
  const [output] = made.outputs
  if (!made.success || !output) throw new Error(`${entry} could not be bundled`)
  return new Uint8Array(await output.arrayBuffer())
}
