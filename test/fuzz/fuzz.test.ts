/** Readers of untrusted bytes: the kept corpus and a fixed number of new inputs. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS } from './corpus.ts'
import { inputFor, materialOf } from './run.ts'
import { plan, TARGETS, targetNamed } from './targets.ts'

const MAX_CORPUS_BYTES = 1_000_000
/** A reader that does not return has to be ended from outside. */
const TIMEOUT_MS = 180_000

interface Checked {
  name: string
  inputs: number
  violations: string[]
}

let checked = new Map<string, Checked>()
let last = ''

beforeAll(async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'check.ts')], { stderr: 'inherit', timeout: TIMEOUT_MS })
  const lines = (await new Response(child.stdout).text()).split('\n').filter(line => line.startsWith('{'))
  const messages = lines.map(line => JSON.parse(line) as Partial<Checked> & { begins?: string })
  last = messages.at(-1)?.begins ?? ''
  checked = new Map(
    messages.flatMap(({ name, inputs = 0, violations = [] }) => (name ? [[name, { name, inputs, violations }]] : [])),
  )
}, TIMEOUT_MS + 10_000)

describe('no input is answered as none may be', () => {
  test.each(TARGETS.map(({ name }) => name))('%s', name => {
    expect({ unfinished: last, violations: checked.get(name)?.violations }).toEqual({ unfinished: '', violations: [] })
    expect(checked.get(name)?.inputs).toBeGreaterThan(3)
  })
})

test('the same seed gives the same inputs, another seed others', () => {
  for (const name of ['der', 'pdf-inspect', 'png', 'evidence-pack', 'json-body']) {
    const target = targetNamed(name)
    const material = materialOf(target, false)
    const made = (seed: number) =>
      Array.from({ length: 5 }, (_, i) => Buffer.from(inputFor(target, material, seed, i)).toString('base64'))
    expect(made(7)).toEqual(made(7))
    expect(made(8)).not.toEqual(made(7))
  }
})

test('a plan has all inputs, and gives faster readers more of them', () => {
  const shares = plan(1_000_000)
  const total = [...shares.values()].reduce((a, b) => a + b, 0)
  expect(total).toBeGreaterThanOrEqual(1_000_000)
  expect(total).toBeLessThan(1_000_000 + TARGETS.length)
  const byCost = TARGETS.toSorted((a, b) => a.costUs - b.costUs).map(({ name }) => shares.get(name) ?? 0)
  expect(byCost).toEqual(byCost.toSorted((a, b) => b - a))
})

test('the corpus is small, and each target has its own name', () => {
  const files = readdirSync(CORPUS, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeLessThan(MAX_CORPUS_BYTES)
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length)
})
