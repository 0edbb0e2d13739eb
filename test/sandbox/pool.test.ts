/** The pool with misbehaving children: small scripts in place of the real one. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../src/lib/log.ts'
import { remark } from '../../src/locales/remarks.ts'
import { PdfChildError, PdfTaskError } from '../../src/sandbox/errors.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { ECHO, failureOf, gone, isAlive, programOf, usePools, verifyRequest } from '../support/scripted-pool.ts'

const { pathOf, openTools, openScripted } = usePools()

const inspectRequest = (path = pathOf('none.pdf')) => ({ path, canonicalPath: pathOf('canonical.pdf'), maxPages: 10 })

describe('a file that', () => {
  const badRequest = { ...verifyRequest, path: '/bad.pdf', originalPath: '/original.pdf' }
  const failed = (pool: PdfTools) => failureOf(pool.readPageBoxes(badRequest))

  for (const [what, act, limits, reason] of [
    ['makes a child loop for ever', 'for (;;) {}', { cpuMs: 400 }, 'cpu'],
    [
      'makes a child use up its memory',
      'const a = []; for (;;) a.push(new Uint8Array(2 ** 22).fill(1))',
      { rssBytes: 300_000_000 },
      'memory',
    ],
    ['makes a child exit', 'process.exit(3)', {}, 'crash'],
    ['crashes a child', "process.kill(process.pid, 'SIGSEGV'); for (;;) {}", {}, 'crash'],
  ] as const) {
    test(`${what} is blamed after a second child failed at it, and the pool continues`, async () => {
      const { tools: pool, started } = openScripted(`if (task.request.path === '/bad.pdf') { ${act} }\n ${ECHO}`, limits)
      const error = await failed(pool)
      expect(error).toBeInstanceOf(PdfChildError)
      expect(error).toMatchObject({ reason, isCausedByFile: true })
      expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
      const [first = 0, second = 0, third = 0, ...others] = started()
      expect(others).toEqual([])
      expect(new Set([first, second, third]).size).toBe(3)
      expect([first, second].map(isAlive)).toEqual([false, false])
    })

    test(`${what} once is read in a fresh child`, async () => {
      const { tools: pool, started } = openScripted(`if (isFirst) { ${act} }\n ${ECHO}`, limits)
      expect((await pool.readPageBoxes(badRequest)) as unknown).toBe('/bad.pdf')
      expect(started()).toHaveLength(2)
    })
  }

  test('no child can read is unsupported_pdf as an upload and unreadable to the verifier, not an internal error', async () => {
    const { tools: pool } = openScripted('process.exit(1)')
    expect(await pool.inspect(inspectRequest())).toMatchObject({ verdict: 'refused', code: 'unsupported_pdf' })
    expect(await pool.verify(verifyRequest)).toEqual({ verdict: 'unreadable', reason: remark('reader_crash') })
    expect(await pool.checkLogo({ path: '/logo.png' })).toEqual({ verdict: 'unreadable' })
  })

  test('keeps a child busy delays no other task: a second child continues, and waiting tasks get a new one', async () => {
    const act = `if (task.request.path === '/bad.pdf') for (;;) {}\n ${ECHO}`
    const { tools: pool } = openScripted(act, { size: 2, cpuMs: 1_000 })
    const loop = failed(pool)
    const answers = await Promise.all(Array.from({ length: 5 }, () => pool.verify(verifyRequest)))
    expect(answers as unknown[]).toEqual(Array(5).fill('/nowhere.pdf'))
    expect(await loop).toBeInstanceOf(PdfChildError)
  })
})

describe('an answer', () => {
  const FORGED = `{ value: 'forged' }`

  for (const [what, bytes] of [
    ['with the number of the previous task', `encodeMessage({ number: past, content: ${FORGED} })`],
    ['without a number', `encodeMessage(${FORGED})`],
    ['with the right number and no content', 'encodeMessage({ number })'],
    ['whose error is not an error', `encodeMessage({ number, content: { error: 'no' } })`],
    ['whose error has a code that is not a text', `encodeMessage({ number, content: { error: { message: 'no', code: 1 } } })`],
    ['that is not an object', 'encodeMessage(null)'],
    ['that is not JSON', 'new Uint8Array([0, 0, 0, 2, 123, 123])'],
    ['that is empty', 'new Uint8Array(4)'],
    ['written twice in one chunk', `Buffer.concat([0, 0].map(() => encodeMessage({ number, content: ${FORGED} })))`],
    [
      'with the first byte of another after it',
      `Buffer.concat([encodeMessage({ number, content: ${FORGED} }), Buffer.alloc(1)])`,
    ],
  ] as const) {
    test(`${what} is rejected and ends the child; a fresh one gets the task`, async () => {
      const { tools: pool, started } = openScripted(
        `if (isFirst && turn === 1) { await write(${bytes}); continue }\n past = number\n ${ECHO}`,
        { before: 'let past' },
      )
      expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
      expect((await pool.verify({ ...verifyRequest, path: '/next.pdf' })) as unknown).toBe('/next.pdf')
      const [first = 0, ...others] = started()
      expect(isAlive(first)).toBe(false)
      expect(others).toHaveLength(1)
    })
  }

  for (const [what, bytes] of [
    ['a whole second answer', `encodeMessage({ number, content: ${FORGED} })`],
    ['the beginning of one', 'new Uint8Array([0])'],
  ] as const) {
    test(`followed by ${what} between tasks ends the child, and the next task has a new one`, async () => {
      const { tools: pool, started } = openScripted(`${ECHO}\n if (isFirst) { await signalled; await write(${bytes}) }`, {
        before: `const signalled = new Promise(resolve => process.once('SIGUSR1', resolve))`,
      })
      expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
      const [first = 0] = started()
      process.kill(first, 'SIGUSR1')
      await gone(first)
      expect((await pool.verify({ ...verifyRequest, path: '/next.pdf' })) as unknown).toBe('/next.pdf')
      expect(started()).toHaveLength(2)
    })
  }

  test('written before its task was known is never accepted, however early the task comes', async () => {
    const { tools: pool } = openScripted(
      `await reply({ value: task.request.path })\n await write(encodeMessage({ number, content: ${FORGED} }))`,
    )
    for (let i = 0; i < 20; i++) {
      const got = await failureOf(pool.readPageBoxes({ path: `/${i}.pdf` }))
      if (!(got instanceof PdfChildError)) expect(got as unknown).toBe(`/${i}.pdf`)
    }
  })

  test('longer than 64 MiB ends the child at its header, before the rest is read', async () => {
    const header = '[0x04, 0, 0, 0x01]'
    const { tools: pool, started } = openScripted(
      `if (isFirst) { await write(new Uint8Array(${header})); for (;;) {} }\n ${ECHO}`,
    )
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
    expect(isAlive(started()[0] ?? 0)).toBe(false)
    expect(started()).toHaveLength(2)
  })
})

describe('a child that ends', () => {
  test('while idle is replaced, and the next task succeeds', async () => {
    const { tools: pool, started } = openScripted(ECHO)
    await pool.verify(verifyRequest)
    const [first = 0] = started()
    process.kill(first, 'SIGKILL')
    await gone(first)
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
    expect(started()).toHaveLength(2)
  })

  test('with the task half read fails it as a crash, not with a pipe error', async () => {
    const before = `const all = chunks
      chunks = (async function* () {
        let turn = 0
        for await (const chunk of all) if (turn++ === 0) yield chunk; else process.exit(0)
      })()`
    const { tools: pool, started } = openScripted(ECHO, { before })
    const big = { ...verifyRequest, trust: ['x'.repeat(8_000_000)] }
    expect(await pool.verify(big)).toEqual({ verdict: 'unreadable', reason: remark('reader_crash') })
    expect(started()).toHaveLength(2)
  })

  test('only its output fails the task and is killed', async () => {
    const { tools: pool, started } = openScripted(
      `if (isFirst) { require('node:fs').closeSync(1); await new Promise(() => {}) }\n ${ECHO}`,
    )
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
    expect(isAlive(started()[0] ?? 0)).toBe(false)
    expect(started()).toHaveLength(2)
  })
})

describe('the queue', () => {
  for (const [how, act] of [
    ['ends itself', 'process.exit(1)'],
    ['has to be killed', 'await write(new Uint8Array(5)); for (;;) {}'],
  ] as const) {
    test(`never runs a child too many beside one that ${how}, with new tasks at every turn`, async () => {
      const { tools: pool, mostAlive } = openScripted(`if (task.request.path === '/bad.pdf') { ${act} }\n ${ECHO}`, { size: 2 })
      const work: Promise<unknown>[] = []
      for (let round = 0; round < 10; round++) {
        let isOver = false
        const bad = failureOf(pool.readPageBoxes({ path: '/bad.pdf' })).finally(() => {
          isOver = true
        })
        // Fewer than the queue accepts.
        for (let i = 0; i < 200 && !isOver; i++) {
          work.push(pool.verify(verifyRequest))
          await new Promise(resolve => setImmediate(resolve))
        }
        expect(await bad).toBeInstanceOf(PdfChildError)
        await Promise.all(work)
      }
      expect(new Set(await Promise.all(work))).toEqual(new Set<unknown>(['/nowhere.pdf']))
      expect(mostAlive()).toBe(2)
    })
  }

  test('continues if a child cannot be started: its tasks are refused as busy, and later tasks are done', async () => {
    const pids = pathOf('pids-gone')
    const script = `${pids}.ts`
    const command = pathOf('start-child')
    writeFileSync(
      script,
      programOf(pids, `if (isFirst) { require('node:fs').rmSync(${JSON.stringify(command)}); process.exit(1) }\n ${ECHO}`, ''),
    )
    const install = () => {
      writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`)
      chmodSync(command, 0o700)
    }
    install()
    const logged: unknown[] = []
    const log: Log = (_level, what, facts) => void logged.push({ what, ...facts })
    const limits = { cpuMs: 60_000, wallMs: 60_000, rssBytes: 2 ** 31 }
    const pool = openTools({ command: [command], size: 1, limits, log })
    const refused = await Promise.all([0, 1, 2].map(() => failureOf(pool.verify(verifyRequest))))
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: 'overloaded', retryAfterS: 10 })
    expect(logged).toContainEqual({
      what: 'pdf child failed',
      task: 'verify',
      reason: 'start',
      cause: expect.stringContaining('ENOENT'),
    })
    install()
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
  })
})

describe('a task', () => {
  test('too long for a message is refused, and its child goes on', async () => {
    const { tools: pool, started } = openScripted(ECHO)
    await pool.verify(verifyRequest)
    await expect(pool.verify({ ...verifyRequest, trust: ['x'.repeat(64 * 1024 * 1024)] })).rejects.toBeInstanceOf(RangeError)
    await pool.verify(verifyRequest)
    expect(started()).toHaveLength(1)
  })

  test('that throws does not end its child, and its error keeps its code', async () => {
    const { tools: pool, started } = openScripted(`await reply({ error: { message: 'no such file', code: 'ENOENT' } })`)
    for (let i = 0; i < 2; i++) {
      const error = await pool.verify(verifyRequest).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(PdfTaskError)
      expect(error).toMatchObject({ message: 'no such file', code: 'ENOENT' })
    }
    expect(started()).toHaveLength(1)
  })

  test('gets no variable of the service’s environment', async () => {
    const { tools: pool } = openScripted('await reply({ value: Object.keys(process.env) })')
    expect((await pool.verify(verifyRequest)) as unknown).not.toContain('PATH')
  })

  test('has a temporary folder of its child’s own, which is removed however the child ends', async () => {
    const { tools: pool } = openScripted(
      `if (task.request.path === '/bad.pdf') process.exit(1)
      writeFileSync(join(process.env.TMPDIR, 'left'), 'x')
      await reply({ value: [process.env.TMPDIR, statSync(process.env.TMPDIR).mode & 0o777] })`,
      {
        size: 2,
        before: `const { statSync, writeFileSync } = require('node:fs'); const { join } = require('node:path')`,
      },
    )
    const answers = (await Promise.all([pool.verify(verifyRequest), pool.verify(verifyRequest)])) as unknown as [string, number][]
    const folders = answers.map(([path]) => path)
    expect(new Set(folders).size).toBe(2)
    expect(answers.map(([, mode]) => mode)).toEqual([0o700, 0o700])
    expect(folders.every(path => existsSync(join(path, 'left')))).toBe(true)
    await Promise.all([1, 2].map(() => failureOf(pool.readPageBoxes({ path: '/bad.pdf' }))))
    expect(folders.some(path => existsSync(path))).toBe(false)
  })

  test('waits for a child: no more children than allowed, and each answer goes to its caller', async () => {
    const { tools: pool, started, mostAlive } = openScripted(ECHO, { size: 2 })
    const paths = Array.from({ length: 20 }, (_, i) => `/${i}.pdf`)
    const answers = await Promise.all(paths.map(path => pool.verify({ ...verifyRequest, path })))
    expect(answers as unknown[]).toEqual(paths)
    expect(started().length).toBeLessThanOrEqual(2)
    expect(mostAlive()).toBeLessThanOrEqual(2)
  })
})

test('closing ends all children, and refuses running, waiting and later tasks', async () => {
  const { tools: pool, started } = openScripted('await reply({ value: 1 })\n for (;;) {}', { size: 1 })
  await pool.verify(verifyRequest)
  const [working, waiting] = [failureOf(pool.verify(verifyRequest)), failureOf(pool.verify(verifyRequest))]
  await pool.close()
  for (const refused of [working, waiting, failureOf(pool.verify(verifyRequest))]) {
    expect(await refused).toMatchObject({ reason: 'shutting_down' })
  }
  expect(started().filter(isAlive)).toEqual([])
})
