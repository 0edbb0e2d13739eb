/** An installation moves to PostgreSQL and S3 and back, killed on the way: all of it is the same. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BINARY } from '../../../test/support/executable.ts'
import { contentsOf, fillFolder } from '../filled-folder.ts'
import { runToEnd } from '../programs.ts'
import { seconds } from '../report.ts'
import type { Trial, TrialContext } from './trial.ts'

const KILLS = 5
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

interface Move {
  env: Record<string, string>
  args: string[]
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

/** Kills the process with -9 after so many milliseconds, unless it ends before. */
async function run({ site }: TrialContext, { env, args }: Move, killAfterMs = Number.POSITIVE_INFINITY): Promise<Run> {
  const startedMs = performance.now()
  const program = site.programs.start('move', [BINARY, 'move', ...args], { env })
  let peakMb = 0
  while (program.isRunning()) {
    peakMb = Math.max(peakMb, peakMbOf(program.pid))
    if (performance.now() - startedMs > killAfterMs) await program.end('SIGKILL')
    else await Promise.race([program.exited, Bun.sleep(10)])
  }
  return { code: await program.exited, tookMs: performance.now() - startedMs, peakMb, out: program.log() }
}

/** The first kill comes anywhere; the later ones early, as what is done already takes no time. */
async function moveUnderKills(context: TrialContext, move: Move, wholeMs: number): Promise<Run> {
  let killed = 0
  let last: Run | undefined
  for (let i = 0; i < KILLS && last === undefined; i++) {
    const share = i === 0 ? 0.2 + 0.7 * Math.random() : 0.05 + 0.25 * Math.random()
    const ran = await run(context, move, wholeMs * share)
    if (ran.code === 0) last = ran
    else killed++
  }
  last ??= await run(context, move)
  const seen = last.code === 0 ? `${killed} times, the last run took ${seconds(last.tookMs)}` : last.out
  context.report.promise('killed with -9 and started again, the move ends', last.code === 0 && killed > 0, seen)
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
  const { site, report, documents } = context
  const source = site.newFolder('source-')
  rmSync(source, { recursive: true })
  const made = join(MEMORY, `signet-fill-${process.pid}`)
  site.atClose(() => rmSync(made, { recursive: true, force: true }))
  const startedMs = performance.now()
  await fillFolder({ folder: made, documents, sealed: Math.min(300, Math.ceil(documents / 10)) })
  cpSync(made, source, { recursive: true })
  report.figure(`${documents} documents made`, seconds(performance.now() - startedMs))
  const before = contentsOf(source)

  const there = await serversOf(context)
  const env = { SIGNET_DATABASE_URL: there.database, SIGNET_FILES_URL: there.files }
  const dry = await run(context, { env, args: ['--data', source, '--dry-run'] })
  report.promise('a dry run checks everything', dry.code === 0, dry.code === 0 ? seconds(dry.tookMs) : dry.out)
  const plain = await run(context, { env, args: ['--data', source] })
  report.promise('there without a disturbance', plain.code === 0, plain.code === 0 ? 'exit 0' : plain.out)
  reportRun(context, 'there', plain)
  const key = join(source, 'keys', 'master.key')
  const backEnv = { ...env, SIGNET_MASTER_KEY_FILE: key }
  const returned = join(site.folder, 'returned')
  const back = await run(context, { env: backEnv, args: ['--to-data', returned] })
  report.promise('back without a disturbance', back.code === 0, back.code === 0 ? 'exit 0' : back.out)
  reportRun(context, 'back', back)
  expectEqual(context, before, returned)
  expectEqual(context, before, source)

  const again = await serversOf(context)
  const killedEnv = { SIGNET_DATABASE_URL: again.database, SIGNET_FILES_URL: again.files, SIGNET_MASTER_KEY_FILE: key }
  reportRun(
    context,
    'there, the last run',
    await moveUnderKills(context, { env: killedEnv, args: ['--data', returned] }, plain.tookMs),
  )
  const second = join(site.folder, 'returned-again')
  reportRun(
    context,
    'back, the last run',
    await moveUnderKills(context, { env: killedEnv, args: ['--to-data', second] }, back.tookMs),
  )
  expectEqual(context, before, second)
  await expectHealthy(context, second, key)
}

async function serversOf({ site }: TrialContext): Promise<{ database: string; files: string }> {
  const name = site.newName('move_')
  await site.postgres.createDatabase(name)
  const bucket = name.replace('_', '-')
  await site.s3.createBucket(bucket)
  return { database: site.postgres.address(name), files: site.s3.address(bucket) }
}

function expectEqual({ report }: TrialContext, before: Record<string, string>, folder: string): void {
  const different = differences(before, contentsOf(folder))
  const seen = different.slice(0, 3).join(', ') || `${Object.keys(before).length} hashes`
  report.promise('every table and every file is as it was', different.length === 0, seen)
}

async function expectHealthy({ report }: TrialContext, folder: string, key: string): Promise<void> {
  const out = await runToEnd([BINARY, 'doctor', '--data', folder], { env: { SIGNET_MASTER_KEY_FILE: key } }).catch(String)
  const lines = out.split('\n').filter(line => /^(ok|error) +(database|files|audit log|seal)/.test(line))
  report.promise(
    'doctor on what returned: files, audit chain, seal',
    !/^error/m.test(out),
    lines.join('; ').replaceAll(/ +/g, ' ') || out,
  )
}

export const move: Trial = {
  name: 'move',
  title: 'Moved to PostgreSQL and S3 and back, and again while killed ten times',
  run: tryMove,
}
