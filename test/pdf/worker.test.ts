/** The pool of children against children that misbehave: small scripts in place of the real one, so that each does exactly one wrong thing. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PdfTools } from '../../src/pdf/order.ts'
import { frame, openPdfTools, PdfChildFailure, PdfTaskError, unframe } from '../../src/pdf/worker.ts'
import { makePdf } from '../support/make-pdf.ts'

let folder: string
let tools: PdfTools | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-worker-'))
})
afterEach(async () => {
  await tools?.close()
  tools = undefined
})
afterAll(() => rmSync(folder, { recursive: true }))

const worker = join(import.meta.dir, '../../src/pdf/worker.ts')

/** A child that notes its process in `pids`, and does `act` with each task; `act` sees `task`, `reply` and `isFirst` (of all children). */
function poolOf(act: string, { size = 1, wallMs = 60_000, rssBytes = 2 ** 31 } = {}) {
  const pids = join(folder, `pids-${Math.random().toString(36).slice(2)}`)
  const script = `${pids}.ts`
  writeFileSync(
    script,
    `import { appendFileSync, existsSync } from 'node:fs'
import { frame, unframe } from ${JSON.stringify(worker)}
const isFirst = !existsSync(${JSON.stringify(pids)})
appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n')
const reply = (value) => Bun.write(Bun.stdout, frame(value))
for await (const task of unframe(Bun.stdin.stream())) { ${act} }
`,
  )
  tools = openPdfTools({ command: [process.execPath, script], size, wallMs, rssBytes })
  const started = () => (existsSync(pids) ? readFileSync(pids, 'latin1').trim().split('\n').map(Number) : [])
  return { tools, started }
}

const inspectOrder = (path = join(folder, 'none.pdf')) => ({ path, canonicalPath: join(folder, 'canonical.pdf'), maxPages: 10 })
const verifyOrder = { path: '/nowhere.pdf', trust: [], originalPath: undefined }

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

const ECHO = 'await reply({ value: task.order.path })'

describe('a child that misbehaves', () => {
  for (const [what, act, limits, reason] of [
    ['loops for ever', 'for (;;) {}', { wallMs: 400 }, 'time'],
    ['never answers', 'await new Promise(() => {})', { wallMs: 400 }, 'time'],
    ['eats memory', 'const a = []; for (;;) a.push(new Uint8Array(2 ** 22).fill(1))', { rssBytes: 300_000_000 }, 'memory'],
    ['ends itself', 'process.exit(3)', {}, 'crash'],
    ['kills itself', 'process.kill(process.pid, 9)', {}, 'crash'],
  ] as const) {
    test(`that ${what} is ended, told apart, and replaced`, async () => {
      const { tools: pool, started } = poolOf(`if (isFirst) { ${act} }\n ${ECHO}`, limits)
      const error = await pool.verify(verifyOrder).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(PdfChildFailure)
      expect(error).toMatchObject({ reason })
      expect((await pool.verify(verifyOrder)) as unknown).toBe('/nowhere.pdf')
      const [first, second, ...others] = started()
      expect(others).toEqual([])
      expect(second).not.toBe(first)
      expect(isAlive(first ?? 0)).toBe(false)
    })
  }

  test('makes an upload unsupported_pdf, not an error of the service', async () => {
    const { tools: pool } = poolOf('process.exit(1)')
    expect(await pool.inspect(inspectOrder())).toMatchObject({ verdict: 'refused', code: 'unsupported_pdf' })
  })

  test('holds nobody else up: a second child goes on, and who waits gets a new one', async () => {
    const { tools: pool } = poolOf(`if (task.order.path === '/loop.pdf') for (;;) {}\n ${ECHO}`, { size: 2, wallMs: 1_000 })
    const loop = pool.verify({ ...verifyOrder, path: '/loop.pdf' }).catch((error: unknown) => error)
    const answers = await Promise.all(Array.from({ length: 5 }, () => pool.verify(verifyOrder)))
    expect(answers as unknown[]).toEqual(Array(5).fill('/nowhere.pdf'))
    expect(await loop).toBeInstanceOf(PdfChildFailure)
  })
})

describe('a task', () => {
  test('that throws leaves its child at work, and its error’s code is kept', async () => {
    const { tools: pool, started } = poolOf(`await reply({ error: { message: 'no such file', code: 'ENOENT' } })`)
    for (let i = 0; i < 2; i++) {
      const error = await pool.verify(verifyOrder).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(PdfTaskError)
      expect(error).toMatchObject({ message: 'no such file', code: 'ENOENT' })
    }
    expect(started()).toHaveLength(1)
  })

  test('finds nothing of the service’s environment', async () => {
    const { tools: pool } = poolOf('await reply({ value: Object.keys(process.env) })')
    expect((await pool.verify(verifyOrder)) as unknown).not.toContain('PATH')
  })

  test('waits its turn: no more children than allowed, and every answer goes to who asked', async () => {
    const { tools: pool, started } = poolOf(ECHO, { size: 2 })
    const paths = Array.from({ length: 20 }, (_, i) => `/${i}.pdf`)
    const answers = await Promise.all(paths.map(path => pool.verify({ ...verifyOrder, path })))
    expect(answers as unknown[]).toEqual(paths)
    expect(started().length).toBeLessThanOrEqual(2)
  })
})

test('closing ends the children, those at work too, and takes no more tasks', async () => {
  const { tools: pool, started } = poolOf('await reply({ value: 1 })\n for (;;) {}', { size: 1 })
  await pool.verify(verifyOrder)
  const working = pool.verify(verifyOrder).catch((error: unknown) => error)
  const waiting = pool.verify(verifyOrder).catch((error: unknown) => error)
  await pool.close()
  expect(await working).toBeInstanceOf(PdfChildFailure)
  expect(await waiting).toBeInstanceOf(PdfChildFailure)
  await expect(pool.verify(verifyOrder)).rejects.toBeInstanceOf(PdfChildFailure)
  expect(started().filter(isAlive)).toEqual([])
})

test('values cross the pipe whole, however the stream is cut', async () => {
  const values = [{ a: 'ä🦊' }, [], 'x'.repeat(70_000)]
  const bytes = Buffer.concat(values.map(frame))
  for (const size of [1, 3, 4_096, bytes.length]) {
    async function* cut() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const got: unknown[] = []
    for await (const value of unframe(cut())) got.push(value)
    expect(got).toEqual(values)
  }
})

test('the real child judges a file', async () => {
  const path = join(folder, 'upload.pdf')
  writeFileSync(path, makePdf({ pages: [{}, {}] }))
  const entry = join(import.meta.dir, '../../src/main.ts')
  tools = openPdfTools({ command: [process.execPath, entry, '__pdf-child'], size: 1, wallMs: 60_000, rssBytes: 2 ** 30 })
  const inspection = await tools.inspect(inspectOrder(path))
  expect(inspection).toMatchObject({ verdict: 'accepted', rewritten: false })
  expect(inspection.verdict === 'accepted' && inspection.pages).toHaveLength(2)
})
