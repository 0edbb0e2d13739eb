/**
 * The executable on a disk that runs full, and on one that becomes read-only, while clients work.
 * Mounts small file systems, so it needs root. Prints figures; exits 1 when a promise is broken.
 */
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demandBinary, emptyFolder, outbox, run, type Serving, serve, until } from '../test/support/executable.ts'
import { ADMIN } from '../test/support/people.ts'
import { type Answer, type ApiClient, apiClient, seconds, sign } from './faults-client.ts'
import { exitCode, report } from './faults-report.ts'

const MIB = 1024 * 1024
const WHOLE_BYTES = 1024 * MIB
const LOW_BYTES = 400 * MIB
const FULL_MS = 15_000
const BACK_WITHIN_MS = 60_000
/** The service looks every 30 s. */
const LOW_MS = 35_000
const ALERT_WITHIN_MS = 240_000
const READ_ONLY_MS = 10_000
const CLIENTS = 4
const SENT = 8
/** As in `src/serving.ts`. */
const EXIT_SYNC_ERROR = 70
const SEAL = { SIGNET_SEAL_KEY: 'ec-p256', SIGNET_RATE_PER_MINUTE: '1000000' }

function command(...args: string[]): { code: number; err: string } {
  const { exitCode, stderr } = Bun.spawnSync(args)
  return { code: exitCode, err: String(stderr).trim() }
}

function demand(...args: string[]): void {
  const { code, err } = command(...args)
  if (code !== 0)
    throw new Error(`${args.join(' ')}: ${err}. This trial mounts file systems: run it as root, outside of a container`)
}

/** Children of a process that was killed end a moment later. */
async function unmount(path: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    if (command('umount', path).code === 0) return
    await Bun.sleep(100)
  }
  throw new Error(`${path} is still in use, and stays mounted`)
}

/** A disk of memory, in the place of the data folder. */
function memoryDisk(path: string) {
  mkdirSync(path)
  demand('mount', '-t', 'tmpfs', '-o', `size=${WHOLE_BYTES},mode=700`, 'tmpfs', path)
  const resize = (bytes: number) => command('mount', '-o', `remount,size=${bytes}`, path).code === 0
  return {
    grow: () => resize(WHOLE_BYTES),
    /** So much is free then, as far as nobody writes at this moment. */
    leave(freeBytes: number): void {
      for (let tries = 0; tries < 100; tries++) {
        const { bsize, blocks, bfree } = statfsSync(path)
        if (resize((blocks - bfree) * bsize + freeBytes)) return
      }
      throw new Error('the disk could not be made smaller')
    },
    remove: () => unmount(path),
  }
}

/** With the seconds after which the same request may succeed. */
const isRefused = ({ status, retryAfter }: Answer) => status === 503 && Number(retryAfter) > 0
const isMadeOrRefused = (answer: Answer) => answer.status === 201 || isRefused(answer)

interface Load {
  creations: Answer[]
  reads: number[]
  /** Requests without an answer. */
  unanswered: number
}

/** Clients that create and read until it is over; what is refused is asked again under its key. */
async function work(api: ApiClient, id: string, isOver: () => boolean): Promise<Load> {
  const load: Load = { creations: [], reads: [], unanswered: 0 }
  const noAnswer = () => void load.unanswered++
  const creating = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver(); ) {
      const answer = await api.create(100, `full-${client}-${n}`).catch(noAnswer)
      if (answer) load.creations.push(answer)
      if (answer?.status === 201) n++
      else await Bun.sleep(100)
    }
  })
  const reading = async () => {
    while (!isOver()) {
      const status = await api.statusOf(id).catch(noAnswer)
      if (status !== undefined) load.reads.push(status)
      await Bun.sleep(20)
    }
  }
  await Promise.all([...creating, reading()])
  return load
}

const countsOf = (statuses: number[]) =>
  [...Map.groupBy(statuses, status => status)].map(([status, { length }]) => `${length} times ${status}`).join(', ')

async function readiness(serving: Serving): Promise<string> {
  const response = await serving.fetch('/readyz')
  const { status, checks } = (await response.json()) as { status: string; checks: { disk: string } }
  return `${response.status} ${status}, disk ${checks.disk}`
}

async function reportAllThere(api: ApiClient, when: string): Promise<void> {
  const there = new Set(await api.ids())
  const lost = api.made.difference(there).size
  const more = there.difference(api.made).size
  report(`${when}: what was answered is there, once`, lost + more === 0, `${api.made.size} answered, ${lost} lost, ${more} more`)
}

function reportDoctor(folder: string): void {
  const { code, out } = run(folder, ['doctor'])
  const findings = out.split('\n').filter(line => !line.startsWith('ok'))
  report('doctor finds nothing', code === 0, findings.join('; ').trim() || 'all ok')
}

async function sealed(api: ApiClient, ids: string[]): Promise<void> {
  const isSealed = async () => {
    const states = await Promise.all(ids.map(api.get))
    return states.every(({ status }) => status === 'completed') ? true : undefined
  }
  const startMs = performance.now()
  const done = await until('the seals', isSealed, BACK_WITHIN_MS).catch(() => false)
  report('what was signed is sealed', done === true, `${ids.length} after ${seconds(performance.now() - startMs)} s`)
}

type Disk = ReturnType<typeof memoryDisk>

/** The mail gathers the alerts of two minutes. On this disk the alert stays open to the end. */
async function reportAlert(data: string, lowSinceMs: number): Promise<void> {
  const find = async () => {
    await Bun.sleep(1_000)
    return (await outbox(data)).find(({ to, subject }) => to === ADMIN.email && subject.includes('disk'))
  }
  const mail = await until('the alert', find, ALERT_WITHIN_MS).catch(() => undefined)
  const figures = `${mail?.subject ?? 'no mail'} (${seconds(performance.now() - lowSinceMs)} s after it began)`
  report('an administrator is mailed', mail !== undefined, figures)
}

/** Below the first limit: uploads are refused, people sign. */
async function runLow(serving: Serving, api: ApiClient, data: string, disk: Disk, ids: string[]): Promise<void> {
  disk.leave(LOW_BYTES)
  const refused = await api.create(100, 'low')
  const retry = `${refused.status}, Retry-After ${refused.retryAfter}`
  report('400 MiB free: a new document is refused', isRefused(refused), retry)
  const signed = await Promise.all([0, 1].map(n => sign(serving, data, n)))
  report(
    '400 MiB free: people sign',
    signed.every(status => status === 200),
    signed.join(', '),
  )
  await sealed(api, ids.slice(0, 2))
  const ready = await readiness(serving)
  report('400 MiB free: /readyz says so', ready === '200 degraded, disk low', ready)
  await Bun.sleep(LOW_MS)
}

/** No byte is left, at once, under load; then there is free space again. */
async function runFull(serving: Serving, api: ApiClient, data: string, disk: Disk, ids: string[]): Promise<void> {
  disk.grow()
  let isOver = false
  const working = work(api, ids[0] ?? '', () => isOver)
  await Bun.sleep(3_000)
  disk.leave(0)
  await Bun.sleep(FULL_MS)
  const ready = await readiness(serving)
  const signed = await sign(serving, data, 2)
  disk.grow()
  const grownMs = performance.now()
  const again = await until(
    'a creation',
    async () => {
      const { status } = await api.create(100, 'again')
      return status === 201 ? true : void (await Bun.sleep(100))
    },
    BACK_WITHIN_MS,
  ).catch(() => false)
  const backMs = performance.now() - grownMs
  await Bun.sleep(3_000)
  isOver = true
  const { creations, reads, unanswered } = await working
  const isClear = creations.every(isMadeOrRefused)
  const statuses = `${countsOf(creations.map(({ status }) => status))}, ${unanswered} without an answer`
  report('no byte free: creations are made or refused with Retry-After', isClear && unanswered === 0, statuses)
  report(
    'no byte free: reads go on',
    reads.every(status => status === 200),
    countsOf(reads),
  )
  report('no byte free: a signature is refused with a sentence', signed === 503, String(signed))
  report('no byte free: /readyz says so', ready === '503 not-ready, disk full', ready)
  report('with free space again it goes on without a restart', again === true, `a creation ${seconds(backMs)} s later`)
  const last = await Promise.all(ids.slice(2).map((_, n) => sign(serving, data, n + 2)))
  report(
    'the refused signature is made, and others',
    last.every(status => status === 200),
    last.join(', '),
  )
  await sealed(api, ids.slice(2))
}

async function tryFull(): Promise<void> {
  const folder = emptyFolder()
  const data = join(folder.path, 'data')
  const disk = memoryDisk(data)
  let serving: Serving | undefined
  try {
    run(folder.path, ['admin', 'create', '--email', ADMIN.email, '--name', ADMIN.name, '--password-stdin'], {
      stdin: ADMIN.password,
    })
    const key = run(folder.path, ['key', 'create', '--name', 'disk']).out.trim()
    serving = await serve(folder.path, { env: SEAL })
    const api = apiClient(serving, key)
    const sent = await Promise.all(Array.from({ length: SENT }, (_, n) => api.create(n, `sent-${n}`, { isSent: true })))
    const ids = sent.map(({ id }) => id ?? '')
    const lowSinceMs = performance.now()
    await runLow(serving, api, data, disk, ids)
    await runFull(serving, api, data, disk, ids)
    await reportAllThere(api, 'afterwards')
    await reportAlert(data, lowSinceMs)
    reportDoctor(folder.path)
    await serving.end('SIGKILL')
    serving = await serve(folder.path, { env: SEAL })
    const restarted = apiClient(serving, key)
    const lost = api.made.difference(new Set(await restarted.ids())).size
    report('after a kill and a start all is there', lost === 0, `${lost} of ${api.made.size} lost`)
  } finally {
    await serving?.end('SIGKILL')
    await disk.remove()
    folder.remove()
  }
}

/** ext4 in a file, in the place of the data folder: an error makes it refuse every change. */
function failingDisk(folder: string) {
  const [path, image] = [join(folder, 'data'), join(folder, 'image')]
  writeFileSync(image, '')
  truncateSync(image, WHOLE_BYTES)
  demand('mkfs.ext4', '-q', image)
  mkdirSync(path)
  const mount = () => demand('mount', '-o', 'loop,errors=remount-ro', image, path)
  mount()
  return {
    path,
    fail: () => demand('mount', '-o', 'remount,abort', path),
    async mend() {
      await unmount(path)
      mount()
    },
    remove: () => unmount(path),
  }
}

/** What the service answers while every change is refused. */
async function reportReadsGoOn(serving: Serving, api: ApiClient, id: string, when: string): Promise<void> {
  const refused = await api.create(0, `refused ${when}`)
  const retry = `${refused.status}, Retry-After ${refused.retryAfter}`
  report(`${when}: a creation is refused`, isRefused(refused), retry)
  const read = await api.statusOf(id)
  report(`${when}: reads go on`, read === 200, String(read))
  // An earlier answer counts for up to 15 s.
  const isSaid = async () => {
    const ready = await readiness(serving)
    return ready === '503 not-ready, disk read-only' ? ready : void (await Bun.sleep(500))
  }
  const said = await until('the readiness', isSaid, BACK_WITHIN_MS).catch(() => undefined)
  report(`${when}: /readyz takes it from a balancer`, said !== undefined, said ?? (await readiness(serving)))
}

/** A disk that fails under load: at a sync, which ends the process, or before one. */
async function failUnderLoad(serving: Serving, api: ApiClient, id: string, fail: () => void): Promise<void> {
  let isOver = false
  const working = work(api, id, () => isOver)
  await Bun.sleep(3_000)
  fail()
  const ended = await Promise.race([serving.ended, Bun.sleep(READ_ONLY_MS)])
  isOver = true
  const { creations, reads, unanswered } = await working
  const isClear = creations.every(isMadeOrRefused)
  const statuses = `${countsOf(creations.map(({ status }) => status))}; reads ${countsOf(reads)}`
  report('a disk that fails under load: what is answered is made or refused with Retry-After', isClear, statuses)
  if (typeof ended === 'number') {
    report('its sync failed: the process ends', ended === EXIT_SYNC_ERROR, `exit ${ended}, ${unanswered} requests found nobody`)
  } else await reportReadsGoOn(serving, api, id, 'no sync failed')
}

async function tryReadOnly(isUnderLoad: boolean): Promise<void> {
  const folder = emptyFolder()
  const disk = failingDisk(folder.path)
  let serving: Serving | undefined
  try {
    const env = { ...SEAL, SIGNET_DATA: join(disk.path, 'signet') }
    const key = run(folder.path, ['key', 'create', '--name', 'disk'], { env }).out.trim()
    serving = await serve(folder.path, { env })
    const api = apiClient(serving, key)
    const { id = '' } = await api.create(0, 'before')
    if (isUnderLoad) await failUnderLoad(serving, api, id, disk.fail)
    else {
      disk.fail()
      await reportReadsGoOn(serving, api, id, 'a disk that fails at rest')
    }
    await serving.end('SIGKILL')
    const { code: refused, err } = run(folder.path, ['serve', '--port', '0'], { env })
    report(
      'on a read-only disk it does not start, and says why',
      refused !== 0 && /cannot be written/.test(err),
      err.split('\n')[0] ?? '',
    )
    await disk.mend()
    serving = await serve(folder.path, { env })
    const mended = apiClient(serving, key)
    const lost = api.made.difference(new Set(await mended.ids())).size
    report('on the mended disk nothing acknowledged is lost', lost === 0, `${lost} of ${api.made.size} lost`)
  } finally {
    await serving?.end('SIGKILL')
    await disk.remove()
    folder.remove()
  }
}

/** From one moment on each sync fails, by strace. */
async function trySyncError(): Promise<void> {
  const folder = emptyFolder()
  let serving: Serving | undefined
  try {
    const key = run(folder.path, ['key', 'create', '--name', 'disk']).out.trim()
    serving = await serve(folder.path, { env: SEAL })
    const api = apiClient(serving, key)
    await api.create(0, 'before')
    const calls = 'fsync,fdatasync'
    const strace = ['strace', '-f', '-p', String(serving.pid), '-o', '/dev/null', '-e', `trace=${calls}`]
    const tracer = Bun.spawn([...strace, '-e', `inject=${calls}:error=EIO`], { stderr: 'pipe' })
    const reader = tracer.stderr.getReader()
    await reader.read()
    const startMs = performance.now()
    const answer = await api.create(1, 'refused').catch(() => undefined)
    report('a sync that fails: the creation is refused', answer?.status === 503, String(answer?.status ?? 'no answer'))
    const ended = await Promise.race([serving.ended, Bun.sleep(READ_ONLY_MS)])
    report(
      'a sync that fails: the process ends',
      ended === EXIT_SYNC_ERROR,
      `exit ${ended} after ${seconds(performance.now() - startMs)} s`,
    )
    tracer.kill()
    await tracer.exited
    await serving.end('SIGKILL')
    serving = await serve(folder.path, { env: SEAL })
    const lost = api.made.difference(new Set(await apiClient(serving, key).ids())).size
    report('a sync that fails: after a start nothing acknowledged is lost', lost === 0, `${lost} of ${api.made.size} lost`)
  } finally {
    await serving?.end('SIGKILL')
    folder.remove()
  }
}

demandBinary()
await tryFull()
await tryReadOnly(false)
await tryReadOnly(true)
await trySyncError()
process.exit(exitCode())
