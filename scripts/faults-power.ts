/**
 * Power failures at every system call of the executable that serves, and of its verbs that change a
 * data folder: what the disk then holds is checked by the executable. Prints figures; exits 1 when
 * a promise is broken.
 */
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentOf, IDENTITY, recipient } from '../test/support/backup-file.ts'
import { BINARY, demandBinary, ROOT, run, serve } from '../test/support/executable.ts'
import { previousRelease } from './cluster/previous-release.ts'
import { replay } from './faults-power/replay.ts'
import { agedFolder, LEFT, remains } from './faults-power/retention.ts'
import { checkPromised, checkServed, journey, type Promised, serveTraced } from './faults-power/serving.ts'
import { record } from './faults-power/trace.ts'
import { exitCode } from './faults-report.ts'

interface Trial {
  name: string
  /** Arguments of the verb, whose paths are in `site`. */
  args: string[]
  /** Why the state breaks a promise. */
  check(site: string): string | undefined | Promise<string | undefined>
}

/** All, or those that the arguments name. */
const wanted = process.argv.slice(2)
const isWanted = (trial: string) => wanted.length === 0 || wanted.includes(trial)

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

const trace = join(work, 'trace')

/** Records the verb on a copy of this folder, and checks every state. */
async function replayVerb({ name, args, check }: Trial, from: string): Promise<void> {
  cpSync(from, site, { recursive: true })
  const { code, err } = record(trace, [BINARY, ...args], work)
  if (code !== 0) throw new Error(`signet ${args[0]}: ${err}`)
  await replay({ name, site, from, trace, check: () => check(site) })
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

async function replayBackups(): Promise<void> {
  await prepare()
  const backupArgs = ['backup', join(site, 'kept/two.age'), '--recipient', await recipient(), '--data', join(site, 'data')]
  const before = contentsOf(join(start, 'data'))
  succeeds('restore', join(start, 'one.age'), '--identity', identity, '--data', join(work, 'restored'))
  const after = contentsOf(join(work, 'restored'))
  if (before === after) throw new Error('both folders are the same: this proves nothing')
  await replayVerb(restoreTrial('signet restore over an instance', before, after), start)
  const empty = join(work, 'empty')
  mkdirSync(empty)
  cpSync(join(start, 'one.age'), join(empty, 'one.age'))
  await replayVerb(restoreTrial('signet restore where nothing was', 'none', after), empty)
  await replayVerb(backupTrial(backupArgs, before), start)
}

const siteData = join(site, 'data')

/** Makes an instance with one key. Returns what its client was promised. */
async function used(folder: string, executable = BINARY): Promise<Promised[]> {
  const data = join(folder, 'data')
  const key = run(work, ['key', 'create', '--name', 'client', '--data', data], { executable }).out.trim()
  const serving = await serve(work, { env: { SIGNET_DATA: data }, executable })
  try {
    return await journey(Object.assign(serving, { answers: 0 }), data, key)
  } finally {
    await serving.end('SIGTERM')
  }
}

async function replayServing(): Promise<void> {
  const from = join(work, 'new')
  mkdirSync(from)
  const key = run(work, ['key', 'create', '--name', 'client', '--data', join(from, 'data')]).out.trim()
  cpSync(from, site, { recursive: true })
  const serving = await serveTraced(trace, siteData)
  const promised = await journey(serving, siteData, key).finally(() => serving.end('SIGTERM'))
  const check = (answers: number) => checkServed(siteData, promised, answers)
  await replay({ name: 'signet serve', site, from, trace, check })
}

/** Whatever is left of a first start, the next one makes an instance. */
async function replayFirstStart(): Promise<void> {
  const args = ['key', 'create', '--name', 'client', '--data', siteData]
  const check = () => {
    const [start, log] = [run(work, args), run(work, ['audit', 'verify', '--data', siteData])]
    if (start.code !== 0) return `the next start fails: ${start.err}`
    return log.code === 0 ? undefined : `the audit log: ${log.err}`
  }
  const from = join(work, 'nothing')
  mkdirSync(from)
  await replayVerb({ name: 'the first start', args, check }, from)
}

const unhealthy = (): string | undefined => {
  const { code, out, err } = run(work, ['doctor', '--data', siteData])
  if (code === 0) return undefined
  return `doctor: ${out
    .split('\n')
    .filter(line => !/^(ok|warning) /.test(line))
    .join(' ')}${err}`
}

/** The verb can be run again, and then nothing that was promised is lost. */
async function replayRepeatable(name: string, args: string[], from: string, promised: readonly Promised[]): Promise<void> {
  const check = () => {
    const { code, err } = run(work, args)
    if (code !== 0) return `the command fails when it is run again: ${err}`
    return unhealthy() ?? checkPromised(siteData, promised, Number.POSITIVE_INFINITY)
  }
  await replayVerb({ name, args, check }, from)
}

async function replayMigration(): Promise<void> {
  const from = join(work, 'older')
  mkdirSync(from)
  const { executable } = await previousRelease()
  const promised = await used(from, executable)
  await replayRepeatable('signet migrate, from the release before', ['migrate', '--data', siteData], from, promised)
}

async function replayRotation(): Promise<void> {
  const from = join(work, 'used')
  mkdirSync(from)
  const promised = await used(from)
  await replayRepeatable('signet key rotate-master', ['key', 'rotate-master', '--data', siteData], from, promised)
}

/** The next night goes on where this one was interrupted. The executable has no verb for it. */
async function replayRetention(): Promise<void> {
  const from = join(work, 'aged')
  mkdirSync(from)
  const night = await agedFolder(join(from, 'data'))
  const command = [process.execPath, join(ROOT, 'scripts/faults-power/erase.ts'), siteData, night.toISOString()]
  const check = (): string | undefined => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT, env: {} })
    if (exitCode !== 0) return `the next night fails: ${stderr}`
    if (String(stdout).trim() !== JSON.stringify(LEFT)) return `these documents are left: ${stdout}`
    const found = remains(siteData)
    if (found.length > 0) return `what was erased is in ${found.join(' and ')}`
    const { code, err } = run(work, ['audit', 'verify', '--data', siteData])
    return code === 0 ? undefined : `the audit log: ${err}`
  }
  cpSync(from, site, { recursive: true })
  const { code, err } = record(trace, command, ROOT)
  if (code !== 0) throw new Error(`the night fails: ${err}`)
  await replay({ name: 'what retention erases', site, from, trace, check })
}

const TRIALS: Record<string, () => Promise<void>> = {
  backups: replayBackups,
  start: replayFirstStart,
  serve: replayServing,
  migration: replayMigration,
  rotation: replayRotation,
  retention: replayRetention,
}

const unknown = wanted.find(name => !(name in TRIALS))
if (unknown !== undefined) throw new Error(`there is no trial ${unknown}: ${Object.keys(TRIALS).join(', ')}`)
try {
  for (const [name, perform] of Object.entries(TRIALS)) if (isWanted(name)) await perform()
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exit(exitCode())
