/** Makes `dist/signet`: one executable with everything in it. */
import { mkdirSync, statSync } from 'node:fs'

mkdirSync('dist', { recursive: true })
const result = await Bun.build({
  entrypoints: ['src/main.ts'],
  compile: { outfile: 'dist/signet', autoloadDotenv: false, autoloadBunfig: false },
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: 'none',
  target: 'bun',
})
for (const message of result.logs) console.error(String(message))
if (!result.success) process.exit(1)
console.log(`dist/signet, ${Math.round(statSync('dist/signet').size / 1e6)} MB`)
