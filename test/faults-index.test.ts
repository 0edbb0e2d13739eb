/** The index of promises: what it names exists, and what nothing tries is said to users. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineOf, REQUIREMENTS } from '../scripts/faults-index/list.ts'
import { test as inTest, script } from '../scripts/faults-index/requirement.ts'
import { ROOT } from './support/executable.ts'

test('each test and each line of a script that it names is there', () => {
  const places = REQUIREMENTS.flatMap(({ id, tried }) => tried.map(place => ({ id, place })))
  expect(places.length).toBeGreaterThan(200)
  const missing = places.filter(({ place }) => lineOf(place) === undefined)
  expect(missing.map(({ id, place }) => `${id}: ${place.file} › ${place.text}`)).toEqual([])
})

test('a title that is none, a file that is not there and a line without the text are found', () => {
  const title = 'each test and each line of a script that it names is there'
  expect(lineOf(inTest('faults-index', title))).toBe(9)
  expect(lineOf(inTest('faults-index', 'toBeGreaterThan'))).toBeUndefined()
  expect(lineOf(inTest('faults-index', title.slice(1)))).toBeUndefined()
  expect(lineOf(inTest('no-such', title))).toBeUndefined()
  expect(lineOf(script('faults-report', 'no such text'))).toBeUndefined()
})

test('each promise is listed once, and is tried or says that it is not', () => {
  const ids = REQUIREMENTS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(REQUIREMENTS.filter(({ tried, untried }) => tried.length === 0 && untried === undefined)).toEqual([])
})

test('what nothing tries is among the known limits', () => {
  const limits = readFileSync(join(ROOT, 'src/LIMITS.md'), 'utf8').replace(/\s+/g, ' ')
  const sentences = REQUIREMENTS.flatMap(({ untried }) => untried ?? [])
  expect(sentences.filter(sentence => !limits.includes(sentence))).toEqual([])
})
