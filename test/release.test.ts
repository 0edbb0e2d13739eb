/** The bill of materials of a release is complete, and its hashes are those of the lock file. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { sbom } from '../scripts/sbom.ts'
import { ROOT } from './support/executable.ts'

const bill = sbom(ROOT, '2026-11-22T12:00:00.000Z', [{ name: 'signet-linux-x64', sha256: 'ab'.repeat(32) }])
const named = (name: string) => bill.components.find(component => component.name === name)

test('names every dependency with its version, a licence and the hash of its archive', () => {
  const listed = new Set(bill.components.map(({ name, version }) => `${name} ${version}`))
  const direct = Object.entries(packageJson.dependencies).map(([name, version]) => `${name} ${version}`)
  expect(direct.filter(each => !listed.has(each))).toEqual([])
  expect(bill.components.filter(({ licenses }) => !licenses?.length).map(({ name }) => name)).toEqual([])
  const lock = readFileSync(join(ROOT, 'bun.lock'), 'utf8')
  const integrity = Buffer.from(named('elysia')?.hashes?.[0]?.content ?? '', 'hex').toString('base64')
  expect(integrity).toHaveLength(88)
  expect(lock).toContain(`sha512-${integrity}`)
})

test('every package that is carried is imported, and has a reason in the decisions', () => {
  const sources = ['src', 'views', 'scripts'].flatMap(folder =>
    [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)].map(path => readFileSync(join(ROOT, path), 'utf8')),
  )
  const decisions = readFileSync(join(ROOT, 'src/DECISIONS.md'), 'utf8')
  const names = Object.keys(packageJson.dependencies)
  const isImported = (name: string) => sources.some(code => code.includes(`'${name}'`) || code.includes(`${name}/`))
  // Elysia imports it and declares it as a peer.
  expect(names.filter(name => !isImported(name))).toEqual(['@sinclair/typebox'])
  expect(names.filter(name => !name.startsWith('@expo-google-fonts/') && !decisions.includes(`\`${name}\``))).toEqual([])
})

test('names what packages embed: every font with its hash, the decoders of pdf.js, SQLite and the runtime', () => {
  const files = bill.components.flatMap(({ components = [] }) => components.map(({ name }) => name))
  const fonts = files.filter(name => name.endsWith('.ttf'))
  const imported = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].flatMap(
    path => readFileSync(join(ROOT, path), 'utf8').match(/[\w/.-]+\.ttf(?=')/g) ?? [],
  )
  expect(imported.length).toBeGreaterThan(20)
  expect(imported.filter(path => !fonts.some(font => path.endsWith(font)))).toEqual([])
  expect(files.filter(name => name.endsWith('.woff2')).length).toBeGreaterThan(3)
  expect(files.filter(name => name.endsWith('.wasm')).length).toBeGreaterThan(2)
  expect(named('bun')?.version).toBe(Bun.version)
  expect(named('sqlite')?.version).toMatch(/^3\.\d+\.\d+$/)
})

test('refers to each component once, and is the same for the same source', () => {
  const references = bill.components.map(component => component['bom-ref'])
  expect(new Set(references).size).toBe(references.length)
  expect(bill.dependencies[0]?.dependsOn).toEqual(references.map(String))
  expect(sbom(ROOT, '2026-11-22T12:00:00.000Z', [{ name: 'signet-linux-x64', sha256: 'ab'.repeat(32) }])).toEqual(bill)
})
