/** Makes `dist/signet`: one executable with everything in it. */
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { BunPlugin } from 'bun'

/** Fonts are half of the executable: they are embedded compressed, and the reader unpacks them. */
const compressedFaces: BunPlugin = {
  name: 'compressed fonts',
  setup(build) {
    build.onLoad({ filter: /\.ttf$/ }, ({ path }) => ({ contents: gzipSync(readFileSync(path), { level: 9 }), loader: 'file' }))
  },
}

mkdirSync('dist', { recursive: true })
const result = await Bun.build({
  entrypoints: ['src/main.ts'],
  // Parsed at the build: a start takes half the time and less.
  bytecode: true,
  format: 'esm',
  compile: { outfile: 'dist/signet', autoloadDotenv: false, autoloadBunfig: false },
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: 'none',
  target: 'bun',
  plugins: [compressedFaces],
})
for (const message of result.logs) console.error(String(message))
if (!result.success) process.exit(1)
console.log(`dist/signet, ${Math.round(statSync('dist/signet').size / 1e6)} MB`)
