/**
 * The executable on a machine that has no time for it: its children stopped for 40 s, then all of
 * it under 8 % of a core for a minute. Prints figures; exits 1 when a promise is broken.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demandBinary, emptyFolder, run, type Serving, serve, until } from '../test/support/executable.ts'
import { type Answer, type ApiClient, apiClient, isMadeOrBusy, linkFor, seconds, sign } from './faults-client.ts'
import { exitCode, note, report } from './faults-report.ts'

const STOPPED_MS = 40_000
const STARVED_MS = 60_000
const SHARE = 0.08
const SEALED_WITHIN_MS = 60_000
const CREATIONS = 8
const DOCUMENTS = 8

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

const statusesOf = (answers: Answer[]) => answers.map(({ status, ms }) => `${status} after ${seconds(ms)} s`).join(', ')

/** With the children stopped, creations are made or refused as busy; afterwards each key works. */
async function stopChildren(serving: Serving, { create }: ApiClient): Promise<void> {
  const children = childrenOf(serving.pid)
  for (const pid of children) process.kill(pid, 'SIGSTOP')
  const asked = Array.from({ length: CREATIONS }, (_, n) => create(n, `stopped-${n}`))
  await Bun.sleep(STOPPED_MS)
  for (const pid of children) process.kill(pid, 'SIGCONT')
  const answers = await Promise.all(asked)
  report(`${children.length} children stopped for 40 s, ${CREATIONS} creations`, answers.every(isMadeOrBusy), statusesOf(answers))
  const again = await Promise.all(answers.map((_, n) => create(n, `stopped-${n}`)))
  const isSame = again.every(({ status, id }, n) => status === 201 && (answers[n]?.id === undefined || answers[n]?.id === id))
  report('afterwards every Idempotency-Key works', isSame, statusesOf(again))
}

const CPU_GROUPS = [
  { root: '/sys/fs/cgroup/cpu', limit: 'cpu.cfs_quota_us', text: String(SHARE * 100_000) },
  { root: '/sys/fs/cgroup', limit: 'cpu.max', text: `${SHARE * 100_000} 100000` },
]

/**
 * Puts the service and its children under the share, beside loops that want all of it. The answer
 * ends that.
 */
function starve(serving: Serving, loops: number): () => Promise<void> {
  const found = CPU_GROUPS.find(
    ({ root, limit }) => existsSync(join(root, limit)) || existsSync(join(root, 'cgroup.controllers')),
  )
  if (!found) throw new Error('no cpu controller of control groups is here: run this where one is writable')
  const group = join(found.root, `signet-busy-${process.pid}`)
  mkdirSync(group)
  writeFileSync(join(group, found.limit), found.text)
  const others = Array.from({ length: loops }, () => Bun.spawn(['/bin/sh', '-c', 'while :; do :; done']))
  const pids = [serving.pid, ...childrenOf(serving.pid), ...others.map(({ pid }) => pid)]
  for (const pid of pids) writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return async () => {
    for (const other of others) other.kill('SIGKILL')
    await Promise.all(others.map(({ exited }) => exited))
    const throttled = /nr_throttled (\d+)/.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1]
    note(`the kernel throttled it ${throttled} times`)
    const members = readFileSync(join(group, 'cgroup.procs'), 'utf8').trim().split('\n').filter(Boolean)
    for (const pid of members) writeFileSync(join(found.root, 'cgroup.procs'), pid)
    rmdirSync(group)
  }
}

async function finish(serving: Serving, dataFolder: string, n: number): Promise<void> {
  const status = await sign(serving, dataFolder, n)
  if (status !== 200) throw new Error(`finishing answered ${status}`)
}

/**
 * Under 8 % of a core documents are signed and uploads sent; once that ends, every signed one is
 * sealed.
 */
async function starveAll(serving: Serving, { create, send, get }: ApiClient, dataFolder: string, loops: number): Promise<void> {
  const first = 100 * (1 + loops)
  note(`${SHARE * 100} % of a core, ${loops} loops beside`)
  const ids: string[] = []
  for (let n = 0; n < DOCUMENTS; n++) {
    const { id } = await create(first + n, `starved-${first + n}`)
    if (id === undefined) throw new Error('a document could not be created')
    await send(id)
    ids.push(id)
  }
  for (const n of ids.keys()) await linkFor(dataFolder, first + n)
  const relieve = starve(serving, loops)
  const startMs = performance.now()
  try {
    const signing = Promise.all(ids.map((_, n) => finish(serving, dataFolder, first + n)))
    const creating = Promise.all(Array.from({ length: CREATIONS }, (_, n) => create(first + 50 + n, `meanwhile-${first + n}`)))
    await signing
    note(`all ${DOCUMENTS} signed after ${Math.round((performance.now() - startMs) / 1000)} s under ${SHARE * 100} % of a core`)
    const answers = await creating
    report(`${CREATIONS} creations under ${SHARE * 100} % of a core`, answers.every(isMadeOrBusy), statusesOf(answers))
    await Bun.sleep(Math.max(0, STARVED_MS - (performance.now() - startMs)))
  } finally {
    await relieve()
  }
  const states = async () => Promise.all(ids.map(get))
  const before = await states()
  const errors = before.map(({ sealingError }) => sealingError).filter(error => error !== null)
  report(
    'no sealing error blames a document',
    errors.every(error => error.includes('busy')),
    `${errors.length} said that it is busy`,
  )
  const endMs = performance.now()
  const isSealed = until(
    'the seals',
    async () => {
      await Bun.sleep(500)
      return (await states()).every(({ status }) => status === 'completed') ? true : undefined
    },
    2 * SEALED_WITHIN_MS,
  )
  const sealedBefore = before.filter(({ status }) => status === 'completed').length
  const allSealed = await isSealed.catch(() => false)
  const afterMs = performance.now() - endMs
  const figures = `${sealedBefore} of ${DOCUMENTS} meanwhile, all ${allSealed ? `after ${Math.round(afterMs / 100) / 10} s` : 'never'}`
  report('all signed documents are sealed within 60 s', allSealed && afterMs <= SEALED_WITHIN_MS, figures)
}

demandBinary()
const folder = emptyFolder()
const serving = await serve(folder.path, { env: { SIGNET_SEAL_KEY: 'ec-p256' } })
try {
  const api = apiClient(serving, run(folder.path, ['key', 'create', '--name', 'errors']).out.trim())
  // The children are warm then, and the check of the database has ended.
  await Bun.sleep(3_000)
  await stopChildren(serving, api)
  for (const loops of [0, 2]) await starveAll(serving, api, join(folder.path, 'data'), loops)
} finally {
  await serving.end('SIGKILL')
  folder.remove()
}
process.exit(exitCode())
