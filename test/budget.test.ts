/** Counts the lines of code of each part, and compares them with the table of `src/README.md`. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, sourcesIn } from './support/sources.ts'

/** Neither blank nor a comment. Translated texts are not counted. */
const linesOf = (text: string) => text.split('\n').filter(line => line.trim() !== '' && !/^\s*(\/\/|\*|\/\*)/.test(line)).length

interface Part {
  folders: string[]
  most: number
}

const README = readFileSync(join(ROOT, 'src/README.md'), 'utf8')
const TABLE = README.slice(README.indexOf('## What each part costs'), README.indexOf('## Change the schema'))
const PARTS: Part[] = [...TABLE.matchAll(/^\| (`.*?) \| ([\d,]+) \|/gm)].map(([, names = '', most = '']) => ({
  folders: [...names.matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name),
  most: Number(most.replaceAll(',', '')),
}))

/** The part with the longest folder. Files beside the folders of `src` are in the last one. */
function partOf(path: string): Part | undefined {
  const place = path.replace(/^src\//, '')
  if (!place.includes('/')) return PARTS.at(-1)
  const matching = PARTS.flatMap(part => part.folders.map(folder => ({ part, folder })))
  const found = matching.filter(({ folder }) => place.startsWith(`${folder}/`))
  return found.sort((a, b) => b.folder.length - a.folder.length)[0]?.part
}

const SOURCES = ['src', 'views'].flatMap(sourcesIn).filter(({ path }) => !/^src\/locales\/[a-z]{2}\//.test(path))

test('every file is in a part of the table', () => {
  expect(PARTS.length).toBeGreaterThan(15)
  expect(SOURCES.filter(({ path }) => partOf(path) === undefined).map(({ path }) => path)).toEqual([])
})

test('no part has more lines of code than the table permits', () => {
  const counts = PARTS.map(part => {
    const own = SOURCES.filter(({ path }) => partOf(path) === part)
    return { part, lines: own.reduce((sum, { text }) => sum + linesOf(text), 0) }
  })
  const over = counts.filter(({ part, lines }) => lines > part.most)
  expect(over.map(({ part, lines }) => `${part.folders.join(', ')}: ${lines} of ${part.most}`)).toEqual([])
  console.log(counts.map(({ part, lines }) => `${lines} of ${part.most}  ${part.folders.join(', ')}`).join('\n'))
})
