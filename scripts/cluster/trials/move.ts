/** An installation moves to PostgreSQL and S3 and back, killed on the way, and stays the same. */
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BINARY } from '../../../test/support/executable.ts'
import { contentsOf, fillFolder } from '../filled-folder.ts'
import { runToEnd } from '../programs.ts'
import { seconds } from '../report.ts'
import type { Trial, TrialContext } from './trial.ts'

/** With fewer the rows are copied before three kills. */
const MIN_DOCUMENTS = 500
/** 128 and the number of the signal. */
const KILLED = 137
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

interface Move {
  env: Record<string, string>
  args: string[]
  /** How far the rows are at the target, as it records it; empty before the first. */
  position(): Promise<string>
}

interface Run {
  code: number
  tookMs: number
  peakMb: number
  out: string
}

/** Highest resident memory so far; 0 when the process has ended. */
function peakMbOf(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** Resolves when the process is to be killed. */
type Moment = (move: Move) => Promise<unknown>

async function run({ site }: TrialContext, move: Move, moment?: Moment): Promise<Run> {
  const startedMs = performance.now()
  const program = site.programs.start('move', [BINARY, 'move', ...move.args], { env: move.env })
  void moment?.(move).then(() => program.end('SIGKILL'))
  let peakMb = 0
  while (program.isRunning()) {
    peakMb = Math.max(peakMb, peakMbOf(program.pid))
    await Promise.race([program.exited, Bun.sleep(10)])
  }
  return { code: await program.exited, tookMs: performance.now() - startedMs, peakMb, out: program.log() }
}

/** While files are checked and copied. */
const early =
  (wholeMs: number): Moment =>
  () =>
    Bun.sleep(wholeMs * (0.05 + 0.3 * Math.random()))

/** While rows are copied. */
const amongRows =
  (wholeMs: number): Moment =>
  async ({ position }) => {
    const before = await position()
    const giveUpMs = performance.now() + 10 * wholeMs
    while ((await position()) === before && performance.now() < giveUpMs) await Bun.sleep(5)
    await Bun.sleep(0.05 * wholeMs * Math.random())
  }

async function moveUnderKills(context: TrialContext, move: Move, wholeMs: number): Promise<Run> {
  const moments = [early, amongRows, amongRows, early, amongRows]
  let killed = 0
  for (const moment of moments) {
    const { code, out } = await run(context, move, moment(wholeMs))
    if (code === 0) throw new Error(`the move ended before it was killed for the ${killed + 1}. time`)
    if (code !== KILLED) throw new Error(out)
    killed++
  }
  const last = await run(context, move)
  const seen = last.code === 0 ? `${killed} times, the last run took ${seconds(last.tookMs)}` : last.out
  context.report.promise('killed with -9 and started again, the move ends', last.code === 0, seen)
  return last
}

/** The names of what differs. */
function differences(a: Record<string, string>, b: Record<string, string>): string[] {
  return Object.keys({ ...a, ...b }).filter(name => a[name] !== b[name])
}

function reportRun({ report }: TrialContext, what: string, { tookMs, peakMb, out }: Run): void {
  report.figure(`${what}: time, and most memory`, `${seconds(tookMs)}, ${peakMb} MB`)
  for (const line of out.split('\n').filter(text => /^(Installation|Verified)/.test(text))) console.log(`        ${line}`)
}

async function tryMove(context: TrialContext): Promise<void> {
  const { site, report } = context
  const documents = Math.max(MIN_DOCUMENTS, context.documents)
  const source = site.newFolder('source-')
  rmSync(source, { recursive: true })
  const made = join(MEMORY, `signet-fill-${process.pid}`)
  site.atClose(() => rmSync(made, { recursive: true, force: true }))
  const startedMs = performance.now()
  await fillFolder({ folder: made, documents, sealed: Math.min(300, Math.ceil(documents / 10)) })
  cpSync(made, source, { recursive: true })
  report.figure(`${documents} documents made`, seconds(performance.now() - startedMs))
  const before = contentsOf(source)

  const key = join(source, 'keys', 'master.key')
  const first = await serversOf(context, key)
  const dry = await run(context, { ...first.there(source), args: ['--data', source, '--dry-run'] })
  report.promise('a dry run checks everything', dry.code === 0, dry.code === 0 ? seconds(dry.tookMs) : dry.out)
  const plain = await run(context, first.there(source))
  report.promise('there without a disturbance', plain.code === 0, plain.code === 0 ? 'exit 0' : plain.out)
  reportRun(context, 'there', plain)
  const returned = join(site.folder, 'returned')
  const back = await run(context, first.back(returned))
  report.promise('back without a disturbance', back.code === 0, back.code === 0 ? 'exit 0' : back.out)
  reportRun(context, 'back', back)
  expectEqual(context, before, returned)
  expectEqual(context, before, source)

  const second = await serversOf(context, key)
  reportRun(context, 'there, the last run', await moveUnderKills(context, second.there(returned), plain.tookMs))
  const again = join(site.folder, 'returned-again')
  reportRun(context, 'back, the last run', await moveUnderKills(context, second.back(again), back.tookMs))
  expectEqual(context, before, again)
  report.promise('doctor on the folder that returned', ...(await doctor(['--data', again], { SIGNET_MASTER_KEY_FILE: key })))
  await undone(context, second.back(again).env)
}

/** Who changes their mind: the database serves again, with all that it had. */
async function undone({ site, report }: TrialContext, env: Record<string, string>): Promise<void> {
  const others = { SIGNET_SMTP_URL: 'smtp://127.0.0.1:1?security=none', SIGNET_BASE_URL: 'http://signet.test' }
  const node = { ...env, ...others, SIGNET_DATA: site.newFolder('node-') }
  const marked = await doctor([], node)
  report.promise('the database that was moved back refuses a node', marked[1].includes('was moved to'), marked[1])
  await runToEnd([BINARY, 'move', '--undo-mark'], { env })
  report.promise('doctor on the database, without the mark', ...(await doctor([], node)))
}

const POSITION = "SELECT value FROM instance WHERE name = 'move.position'"

async function serversOf({ site }: TrialContext, key: string): Promise<{ there(data: string): Move; back(data: string): Move }> {
  const name = site.newName('move_')
  await site.postgres.createDatabase(name)
  const bucket = name.replace('_', '-')
  await site.s3.createBucket(bucket)
  const env = {
    SIGNET_DATABASE_URL: site.postgres.address(name),
    SIGNET_FILES_URL: site.s3.address(bucket),
    SIGNET_MASTER_KEY_FILE: key,
  }
  return {
    there: data => ({
      env,
      args: ['--data', data],
      // The table comes with the first run.
      position: async () => String((await site.postgres.rows(name, POSITION).catch(() => []))[0]?.value ?? ''),
    }),
    back: data => ({ env, args: ['--to-data', data], position: async () => positionIn(data) }),
  }
}

function positionIn(folder: string): string {
  try {
    const database = new Database(join(folder, 'signet.db'), { readonly: true })
    const row = database.query(POSITION).get() as { value: string } | null
    database.close()
    return row?.value ?? ''
  } catch {
    return ''
  }
}

function expectEqual({ report }: TrialContext, before: Record<string, string>, folder: string): void {
  const different = differences(before, contentsOf(folder))
  const seen = different.slice(0, 3).join(', ') || `${Object.keys(before).length} hashes`
  report.promise('every table and every file is as it was', different.length === 0, seen)
}

/** Whether it is in order, and what was found. */
async function doctor(args: string[], env: Record<string, string>): Promise<[boolean, string]> {
  const out = await runToEnd([BINARY, 'doctor', ...args], { env }).catch(String)
  const lines = out.split('\n').filter(line => /^(ok|error) +(database|files|audit log|seal):/.test(line))
  return [!/^error/m.test(out), lines.join('; ').replaceAll(/ +/g, ' ') || out]
}

export const move: Trial = {
  name: 'move',
  title: 'Moved to PostgreSQL and S3 and back, and again while killed ten times',
  run: tryMove,
}
