/**
 * Which task gets a child and which limits it has: prewarmed children, public tasks, large files.
 */
import { describe, expect, test } from 'bun:test'
import { truncateSync, writeFileSync } from 'node:fs'
import { violation } from '../../src/core/violation.ts'
import { remark } from '../../src/locales/remarks.ts'
import { PdfChildError } from '../../src/sandbox/errors.ts'
import { asOwner } from '../../src/sandbox/task-owner.ts'
import { ECHO, failureOf, gone, isAlive, until, usePools, verifyRequest } from '../support/scripted-pool.ts'

const { pathOf, openScripted } = usePools()

const inspectRequest = (path = pathOf('none.pdf')) => ({ path, canonicalPath: pathOf('canonical.pdf'), maxPages: 10 })

describe('a prewarmed pool', () => {
  const act = `if (task.request.path === '/bad.pdf') process.exit(1)
    if (task.request.path === '/pid.pdf') { await reply({ value: process.pid }); continue }
    ${ECHO}`

  test('starts its children before there is a task, and gives the tasks to them', async () => {
    const { tools: pool, started } = openScripted(act, { size: 2, isPrewarmed: true })
    await until(() => started().length === 2)
    const answers = await Promise.all([1, 2, 3].map(() => pool.verify(verifyRequest)))
    expect(answers as unknown[]).toEqual(Array(3).fill('/nowhere.pdf'))
    expect(started()).toHaveLength(2)
  })

  test('replaces a child that ends, busy or idle, at once, and never has one too many', async () => {
    const { tools: pool, started, mostAlive } = openScripted(act, { size: 2, isPrewarmed: true })
    expect(await failureOf(pool.readPageBoxes({ path: '/bad.pdf' }))).toBeInstanceOf(PdfChildError)
    await until(() => started().filter(isAlive).length === 2)
    // Only a child that was ready is replaced when it ends.
    const worked = new Set<unknown>()
    const ask = () => pool.verify({ ...verifyRequest, path: '/pid.pdf' })
    while (worked.size < 2) for (const pid of await Promise.all([ask(), ask()])) worked.add(pid)
    const [one = 0] = started().filter(isAlive)
    process.kill(one, 'SIGKILL')
    await gone(one)
    await until(() => started().filter(isAlive).length === 2)
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
    expect(mostAlive()).toBe(2)
  })

  test('starts only one child for a task that waits behind a child that ends', async () => {
    const { tools: pool, started } = openScripted(act, { size: 1, isPrewarmed: true })
    const bad = failureOf(pool.readPageBoxes({ path: '/bad.pdf' }))
    const answers = await Promise.all([pool.verify(verifyRequest), bad.then(() => pool.verify(verifyRequest))])
    expect([await bad, ...(answers as unknown[])]).toEqual([expect.any(PdfChildError), '/nowhere.pdf', '/nowhere.pdf'])
    await pool.verify(verifyRequest)
    // Two children failed at the file.
    expect(started()).toHaveLength(3)
  })

  test('does not start children endlessly if all of them fail, and tasks are refused as busy', async () => {
    const { tools: pool, started } = openScripted('', { before: 'process.exit(1)', isPrewarmed: true })
    expect(await failureOf(pool.verify(verifyRequest))).toMatchObject({ reason: 'overloaded' })
    expect(await failureOf(pool.verify(verifyRequest))).toMatchObject({ reason: 'overloaded' })
    expect(started()).toHaveLength(5)
  })

  test('is an option: without it no child starts before the first task', async () => {
    const { tools: pool, started } = openScripted(ECHO)
    expect(started()).toEqual([])
    await pool.verify(verifyRequest)
    expect(started()).toHaveLength(1)
  })
})

describe('a public task', () => {
  const gate = () => pathOf(`gate-${Math.random().toString(36).slice(2)}`)
  const publicRequest = (path: string) => ({ ...verifyRequest, path, isPublic: true })
  /** A task whose path ends in `.wait` ends when that file exists. */
  const WAIT = `while (task.request.path.endsWith('.wait') && !existsSync(task.request.path)) await new Promise(resolve => setTimeout(resolve, 1))
    ${ECHO}`

  test('waits while internal tasks wait', async () => {
    const { tools: pool } = openScripted(WAIT)
    const path = `${gate()}.wait`
    const done: string[] = []
    const first = pool.verify({ ...verifyRequest, path }).then(() => done.push('first'))
    const waiting = [
      pool.verify(publicRequest('/public.pdf')).then(() => done.push('public')),
      ...[1, 2, 3].map(() => pool.verify(verifyRequest).then(() => done.push('internal'))),
    ]
    writeFileSync(path, '')
    await Promise.all([first, ...waiting])
    expect(done).toEqual(['first', 'internal', 'internal', 'internal', 'public'])
  })

  test('does not wait for another one that takes long', async () => {
    const { tools: pool } = openScripted(WAIT, { size: 2 })
    const path = `${gate()}.wait`
    const slow = pool.verify(publicRequest(path))
    expect((await pool.verify(publicRequest('/other.pdf'))) as unknown).toBe('/other.pdf')
    writeFileSync(path, '')
    expect((await slow) as unknown).toBe(path)
  })

  test('is served even if there is only one child', async () => {
    const { tools: pool } = openScripted(ECHO)
    expect((await pool.verify(publicRequest('/public.pdf'))) as unknown).toBe('/public.pdf')
  })
})

const BUSY = { reason: 'overloaded', retryAfterS: 10, messageRef: { key: 'busy' } }

describe('a busy machine', () => {
  test('that gives a child no processor time is not confused with a file that uses it up, and there is no second try', async () => {
    const { tools: pool, started } = openScripted(`if (isFirst) await new Promise(() => {})\n ${ECHO}`, {
      wallMs: 300,
      cpuMs: 10_000,
    })
    expect(await failureOf(pool.inspect(inspectRequest()))).toMatchObject(BUSY)
    expect(started()).toHaveLength(1)
    expect(started().filter(isAlive)).toEqual([])
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
  })

  test('that gives a child little processor time is waited for beyond the child’s own limit', async () => {
    // Elapsed time three times the limit of processor time, of which the child uses almost none.
    const wait = 'await new Promise(resolve => setTimeout(resolve, 600))'
    const { tools: pool, started } = openScripted(`${wait}\n ${ECHO}`, { cpuMs: 200, wallMs: 60_000 })
    expect((await pool.verify(verifyRequest)) as unknown).toBe('/nowhere.pdf')
    expect(started()).toHaveLength(1)
  })

  test('that kills a child gets a second try, and no file is blamed', async () => {
    const kill = `process.kill(process.pid, 'SIGKILL'); for (;;) {}`
    const once = openScripted(`if (isFirst) { ${kill} }\n ${ECHO}`)
    expect((await once.tools.readPageBoxes({ path: '/a.pdf' })) as unknown).toBe('/a.pdf')
    await once.tools.close()
    const always = openScripted(kill)
    expect(await failureOf(always.tools.inspect(inspectRequest()))).toMatchObject(BUSY)
    expect(always.started()).toHaveLength(2)
  })

  test('that kills one child after the file crashed another does not blame the file', async () => {
    const { tools: pool } = openScripted(`if (isFirst) process.exit(1)\n process.kill(process.pid, 'SIGTERM'); for (;;) {}`)
    expect(await failureOf(pool.inspect(inspectRequest()))).toMatchObject(BUSY)
  })

  test('may start a child slowly: the start does not count as part of a task', async () => {
    const before = `const used = () => { const { user, system } = process.cpuUsage(); return user + system }
      const burn = ms => { const end = used() + ms * 1000; while (used() < end) {} }
      warmed = async () => burn(900)`
    const { tools: pool, started } = openScripted(`burn(100)\n ${ECHO}`, { before, cpuMs: 600 })
    expect((await pool.readPageBoxes({ path: '/a.pdf' })) as unknown).toBe('/a.pdf')
    expect(started()).toHaveLength(1)
  })
})

test('a large accepted document gets more memory by its size, an upload does not', async () => {
  const act = `const kept = Array.from({ length: 300 }, () => new Uint8Array(1_000_000).fill(1))
    await new Promise(resolve => setTimeout(resolve, task.request.isPublic || task.kind === 'inspect' ? 60_000 : 300))
    await reply({ value: kept.length })`
  const path = pathOf('large.pdf')
  writeFileSync(path, '')
  truncateSync(path, 10_000_000)
  const { tools: pool, started } = openScripted(act, { rssBytes: 300_000_000 })
  expect(await pool.inspect(inspectRequest(path))).toMatchObject({
    verdict: 'refused',
    violation: violation('pdf_not_processed', { cause: expect.stringContaining('memory') }),
  })
  expect(await pool.verify({ ...verifyRequest, path, isPublic: true })).toEqual({
    verdict: 'unreadable',
    reason: remark('reader_memory'),
  })
  expect((await pool.readPageBoxes({ path })) as unknown).toBe(300)
  expect(started()).toHaveLength(5)
})

describe('one owner with files that take long', () => {
  const LOOP = `if (task.request.path.endsWith('loop.pdf')) for (;;) {}\n ${ECHO}`

  test('does not keep another from a child, and the files are blamed in their turn', async () => {
    const { tools: pool, started, mostAlive } = openScripted(LOOP, { size: 2, cpuMs: 3_000 })
    const slow = [1, 2].map(n => asOwner('a', () => pool.inspect(inspectRequest(pathOf(`${n}-loop.pdf`)))))
    // Both have a child.
    await until(() => started().length === 2)
    let isSlowOver = false
    void Promise.race(slow).then(() => {
      isSlowOver = true
    })
    const other = await asOwner('b', () => pool.verify(verifyRequest))
    expect(other as unknown).toBe('/nowhere.pdf')
    expect(isSlowOver).toBe(false)
    for (const found of await Promise.all(slow)) expect(found).toMatchObject({ verdict: 'refused', code: 'unsupported_pdf' })
    expect(mostAlive()).toBe(2)
  })

  test('an upload that used up its processor time is not tried again', async () => {
    const { tools: pool, started } = openScripted(LOOP, { cpuMs: 300 })
    expect(await pool.inspect(inspectRequest(pathOf('loop.pdf')))).toMatchObject({ verdict: 'refused' })
    expect(started()).toHaveLength(1)
  })

  test('all tries of an upload together have a fifth more processor time than one', async () => {
    const before = `const used = () => { const { user, system } = process.cpuUsage(); return user + system }
      const burn = ms => { const end = used() + ms * 1000; while (used() < end) {} }`
    const { tools: pool, started } = openScripted(`burn(700)\n if (isFirst) process.exit(3)\n ${ECHO}`, { before, cpuMs: 1_000 })
    expect(await pool.inspect(inspectRequest())).toMatchObject({
      verdict: 'refused',
      violation: violation('pdf_not_processed', { cause: expect.stringContaining('too long') }),
    })
    expect(started()).toHaveLength(2)
  })

  test('a file that was refused is known to its owner for some minutes, to nobody else', async () => {
    const { tools: pool, started } = openScripted(LOOP, { cpuMs: 300 })
    const [path, same, other] = ['loop.pdf', 'same-loop.pdf', 'other-loop.pdf'].map(pathOf)
    for (const [file = '', text] of [
      [path, 'one'],
      [same, 'one'],
      [other, 'two'],
    ])
      writeFileSync(file, text ?? '')
    const ask = (owner: string, file = '') => asOwner(owner, () => pool.inspect(inspectRequest(file)))
    const refused = await ask('a', path)
    expect(started()).toHaveLength(1)
    expect(await ask('a', same)).toEqual(refused)
    expect(started()).toHaveLength(1)
    await ask('a', other)
    expect(started()).toHaveLength(2)
    await ask('b', same)
    expect(started()).toHaveLength(3)
  })
})

describe('a child', () => {
  test('that keeps half of its memory limit after a task is replaced', async () => {
    const act = `globalThis.kept = task.request.path === '/large.pdf' ? new Uint8Array(300_000_000).fill(1) : undefined\n ${ECHO}`
    const { tools: pool, started } = openScripted(act, { rssBytes: 500_000_000 })
    await pool.readPageBoxes({ path: '/small.pdf' })
    await pool.readPageBoxes({ path: '/large.pdf' })
    expect(started()).toHaveLength(1)
    await pool.readPageBoxes({ path: '/small.pdf' })
    expect(started()).toHaveLength(2)
    expect(isAlive(started()[0] ?? 0)).toBe(false)
  })

  test('is replaced after five hundred tasks', async () => {
    const { tools: pool, started } = openScripted(ECHO)
    for (let i = 0; i < 500; i++) await pool.readPageBoxes({ path: '/a.pdf' })
    expect(started()).toHaveLength(1)
    await pool.readPageBoxes({ path: '/a.pdf' })
    expect(started()).toHaveLength(2)
  })
})

test('sealing has more memory than inspection, so that no accepted file fails there', async () => {
  const act = `const kept = Array.from({ length: 320 }, () => new Uint8Array(1_000_000).fill(1))
    await new Promise(resolve => setTimeout(resolve, task.kind === 'inspect' ? 60_000 : 300))
    await reply({ value: kept.length })`
  const { tools: pool } = openScripted(act, { rssBytes: 330_000_000 })
  expect(await pool.inspect(inspectRequest(pathOf('none.pdf')))).toMatchObject({
    verdict: 'refused',
    violation: violation('pdf_not_processed', { cause: expect.stringContaining('memory') }),
  })
  expect((await pool.readPageBoxes({ path: pathOf('none.pdf') })) as unknown).toBe(320)
})
