/** Makes `dist/signet`: one executable for this machine. */
import { mkdirSync, statSync } from 'node:fs'
import { compile } from './compile.ts'

mkdirSync('dist', { recursive: true })
if (!(await compile('dist/signet'))) process.exit(1)
console.log(`dist/signet, ${Math.round(statSync('dist/signet').size / 1e6)} MB`)
