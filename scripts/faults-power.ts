/**
 * Power failures at every system call of `signet restore` and `signet backup`: what the disk then
 * holds is checked by the executable. Prints figures; exits 1 when a promise is broken.
 */
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentOf, IDENTITY, recipient } from '../test/support/backup-file.ts'
import { BINARY, demandBinary, ROOT, run } from '../test/support/executable.ts'
import { exitCode, note, report } from './faults-report.ts'
import { LOSSES, TracedDisk } from './power/disk.ts'
import { callsIn, record } from './power/trace.ts'

interface Trial {
  name: string
  /** Arguments of the verb, whose paths are in `site`. */
  args: string[]
  /** Why the state breaks a promise. */
  check(site: string): string | undefined
}

demandBinary()
const work = mkdtempSync(join(tmpdir(), 'signet-power-'))
const start = join(work, 'start')
/** Where the verb runs, and where each state is put: the marker of a restore has full paths. */
const site = join(work, 'site')
const identity = join(work, 'identity.txt')

const succeeds = (...args: string[]): void => {
  const { code, err } = run(work, args)
  if (code !== 0) throw new Error(`signet ${args[0]}: ${err}`)
}

/** What a person would miss: stored files, and the keys of programs. */
function contentsOf(data: string): string {
  if (!existsSync(join(data, 'signet.db'))) return 'none'
  const files = Object.entries(contentOf(join(data, 'files')) ?? {}).filter(([name]) => name.endsWith('.pdf'))
  return JSON.stringify([files, keysIn(data)])
}

function keysIn(data: string): string {
  const { code, err } = run(work, ['audit', 'verify', '--data', data])
  if (code !== 0) throw new Error(`audit verify: ${err}`)
  const database = new Database(join(data, 'signet.db'))
  const names = database.query<{ name: string }, []>('SELECT name FROM api_keys').all()
  database.close()
  return names.map(({ name }) => name).join()
}

async function prepare(): Promise<void> {
  mkdirSync(start)
  await Bun.write(identity, `${IDENTITY}\n`)
  const data = join(start, 'data')
  const seeded = Bun.spawnSync([process.execPath, 'scripts/seed.ts', '--data', data], { cwd: ROOT })
  if (seeded.exitCode !== 0) throw new Error(String(seeded.stderr))
  succeeds('key', 'create', '--name', 'in the backup', '--data', data)
  succeeds('backup', join(start, 'one.age'), '--recipient', await recipient(), '--data', data)
  succeeds('key', 'create', '--name', 'since', '--data', data)
  mkdirSync(join(start, 'kept'))
}

function replay({ name, args, check }: Trial, from: string): void {
  cpSync(from, site, { recursive: true })
  const trace = join(work, 'trace')
  const { code, err } = record(trace, [BINARY, ...args], work)
  if (code !== 0) throw new Error(`signet ${args[0]}: ${err}`)
  const disk = new TracedDisk(site, from)
  const seen = new Set<string>()
  const broken = new Map<string, string>()
  for (const call of callsIn(readFileSync(trace, 'utf8'))) {
    const after = disk.apply(call)
    if (after === undefined) continue
    for (const loss of LOSSES) {
      const state = disk.state(loss)
      if (seen.has(state)) continue
      seen.add(state)
      rmSync(site, { recursive: true, force: true })
      disk.writeTo(site, loss)
      const problem = check(site)
      if (problem !== undefined && !broken.has(problem)) broken.set(problem, `${loss}, after ${after.replaceAll(work, '')}`)
    }
  }
  rmSync(site, { recursive: true, force: true })
  report(name, broken.size === 0, `${seen.size} states of the disk`)
  for (const [problem, at] of broken) note(`${problem} (${at})`)
}

/** The data folder is the one of before or the restored one; the command goes on in any case. */
function restoreTrial(name: string, before: string, after: string): Trial {
  const args = ['restore', join(site, 'one.age'), '--identity', identity, '--data', join(site, 'data')]
  const check = (): string | undefined => {
    const found = contentsOf(join(site, 'data'))
    if (found !== before && found !== after)
      return isRefused() ? repeated() : `neither the former nor the restored folder: ${found}`
    if (before !== 'none' && !keeps(before)) return 'the former folder is nowhere'
    if (existsSync(join(site, 'data.restoring')) && !isRefused()) return 'the former data are served though the restore goes on'
    return repeated()
  }
  /** `migrate` takes the folder as `serve` does, and ends. */
  const isRefused = () => run(work, ['migrate', '--data', join(site, 'data')]).err.includes('interrupted')
  const keeps = (wanted: string) =>
    readdirSync(site).some(folder => /^data($|\.before)/.test(folder) && contentsOf(join(site, folder)) === wanted)
  const repeated = (): string | undefined => {
    const again = run(work, args)
    if (again.code !== 0) return `the command fails when it is run again: ${again.err}`
    if (existsSync(join(site, 'data.restoring'))) return 'a folder of the interrupted restore is left'
    return contentsOf(join(site, 'data')) === after ? undefined : 'run again, the command restores something else'
  }
  return { name, args, check }
}

/** What has the name of a backup is whole, and the folder of the instance is as it was. */
function backupTrial(args: string[], before: string): Trial {
  const check = (): string | undefined => {
    if (contentsOf(join(site, 'data')) !== before) return 'the data folder is other than before'
    const path = join(site, 'kept/two.age')
    if (!existsSync(path)) {
      const again = run(work, args)
      if (again.code !== 0) return `the command fails when it is run again: ${again.err}`
    }
    if (readdirSync(join(site, 'kept')).join() !== 'two.age') return 'an incomplete file is left'
    const { code, err } = run(work, ['restore', path, '--identity', identity, '--data', join(site, 'elsewhere')])
    return code === 0 && contentsOf(join(site, 'elsewhere')) === before ? undefined : `the backup is not whole: ${err}`
  }
  return { name: 'signet backup', args, check }
}

try {
  await prepare()
  const backupArgs = ['backup', join(site, 'kept/two.age'), '--recipient', await recipient(), '--data', join(site, 'data')]
  const before = contentsOf(join(start, 'data'))
  succeeds('restore', join(start, 'one.age'), '--identity', identity, '--data', join(work, 'restored'))
  const after = contentsOf(join(work, 'restored'))
  if (before === after) throw new Error('both folders are the same: this proves nothing')
  replay(restoreTrial('signet restore over an instance', before, after), start)
  const empty = join(work, 'empty')
  mkdirSync(empty)
  cpSync(join(start, 'one.age'), join(empty, 'one.age'))
  replay(restoreTrial('signet restore where nothing was', 'none', after), empty)
  replay(backupTrial(backupArgs, before), start)
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exit(exitCode())
