/** `signet service run`: runs a verb with the user, settings and master key of the service. */
import { existsSync, lchownSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { syncFolder } from '../lib/disk.ts'
import { fingerprintOf } from '../lib/secret-box.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { loadMasterKey, replacingFile } from '../master-key.ts'
import { BACKUP_FLAGS, backupFile } from './backup.ts'
import { readPlan } from './service-plan.ts'
import { CREDENTIAL, ENVIRONMENT_PATH, readEnvironment, type ServicePlan, UNIT_PATH } from './service-unit.ts'
import { type Io, parseFlags, UsageError, type Verb } from './verb.ts'

export const serviceRun: Verb = {
  name: 'service run',
  usage: 'signet service run VERB …',
  summary: 'runs another verb with the user, the settings and the master key of the installed service; needs root',
  async run(args, io) {
    if (args.length === 0) throw new UsageError('name a verb, such as doctor')
    if (process.getuid?.() !== 0) throw new UsageError('root rights are needed: run it with sudo')
    if (!existsSync(UNIT_PATH) || !existsSync(ENVIRONMENT_PATH)) {
      throw new UsageError('the service is not installed here: run signet service install')
    }
    const installed = { unit: readFileSync(UNIT_PATH, 'utf8'), environment: readFileSync(ENVIRONMENT_PATH, 'utf8') }
    const plan = readPlan(parseFlags([], {}), installed)
    const [verb, ...rest] = args
    if (verb === 'restore') return restoreInstallation(plan, rest, { ...io.env, ...readEnvironment(installed.environment) })
    if (verb === 'backup' && rest[0] === 'extract') {
      throw new UsageError('it needs nothing of the service: run signet backup extract')
    }
    if (verb === 'backup') return backUpInstallation(plan, rest, io)
    return args.join(' ') === 'key rotate-master' && plan.masterKeyFile !== undefined
      ? rotateCredential(plan, plan.masterKeyFile, io)
      : runVerb(plan, args, io)
  },
}

function runVerb(plan: ServicePlan, args: string[], io: Io): Promise<number> {
  const command = runCommand(plan, args, `signet-run-${process.pid}`)
  return Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'], env: io.env }).exited
}

/** As root: the new folder is made beside the data folder, where the service may not write. */
function restoreInstallation(plan: ServicePlan, args: string[], env: Io['env']): Promise<number> {
  const { user, dataFolder, masterKeyFile, executable } = plan
  if (args.some(arg => /^--data(=|$)/.test(arg))) {
    throw new UsageError(`${dataFolder} of the installed service is restored: leave out --data, or call signet restore`)
  }
  // The restored folder gets the owner of this one.
  if (!existsSync(dataFolder)) demand(['install', '-d', '-m', '700', '-o', user, '-g', user, dataFolder])
  const command = [executable, 'restore', ...args]
  const settings = { ...env, SIGNET_DATA: dataFolder, SIGNET_MASTER_KEY_FILE: masterKeyFile }
  return Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'], env: settings }).exited
}

/** Where the unit that makes a backup sees the folder for it. */
const BACKUP_FOLDER = '/run/signet-backup'

/**
 * The service writes into a folder of its own beside the file, wherever root may write. Root then
 * gives the file its name.
 */
async function backUpInstallation(plan: ServicePlan, args: string[], io: Io): Promise<number> {
  const target = resolve(backupFile(parseFlags(args, BACKUP_FLAGS)))
  if (existsSync(target)) throw new UsageError(`${target} exists: name a file that does not`)
  const folder = mkdtempSync(join(dirname(target), '.signet-backup-'))
  try {
    demand(['chown', `${plan.user}:`, folder])
    const seen = join(BACKUP_FOLDER, basename(target))
    const given = backupFile(parseFlags(args, BACKUP_FLAGS))
    const names = args.map(arg => (arg === given ? seen : arg))
    const bind = `--property=BindPaths=${folder}:${BACKUP_FOLDER}`
    const [run = '', ...rest] = runCommand(plan, ['backup', ...names], `signet-run-${process.pid}`)
    const child = Bun.spawn([run, bind, ...rest], { stdio: ['inherit', 'pipe', 'pipe'], env: io.env })
    const shown = (text: string) => text.replaceAll(seen, target).trimEnd()
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    const made = join(folder, basename(target))
    if (existsSync(made)) {
      lchownSync(made, 0, 0)
      renameSync(made, target)
      await syncFolder(THIS_FILE_SYSTEM, dirname(target))
    }
    if (err !== '') io.err(shown(err))
    if (out !== '') io.out(shown(out))
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function demand(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stderr: 'pipe' })
  if (exitCode !== 0) throw new UsageError(`${command.join(' ')} failed: ${String(stderr).trim()}`)
}

/**
 * The service sees only a copy of the key. It writes the new one where it may; root then puts it
 * in its place. Killed in between, the service starts with the former key, and this goes on.
 */
async function rotateCredential(plan: ServicePlan, masterKeyFile: string, io: Io): Promise<number> {
  const made = join(plan.dataFolder, 'new-master.key')
  const code = await runVerb(plan, ['key', 'rotate-master', '--to', made], io)
  if (code !== 0) return code
  const former = fingerprintOf(loadMasterKey(plan.dataFolder, masterKeyFile, false))
  const file = replacingFile(masterKeyFile, loadMasterKey(plan.dataFolder, made, false))
  file.prepare()
  const kept = file.finish(former)
  rmSync(made)
  io.out(`That is done: the new key is in ${masterKeyFile}, the former one in ${kept}. Start the service.`)
  return 0
}

/** Through systemd, which passes the key to this unit alone. */
export function runCommand(plan: ServicePlan, args: string[], unit: string): string[] {
  const { user, dataFolder, executable, masterKeyFile } = plan
  const key =
    masterKeyFile === undefined
      ? []
      : [
          `--property=LoadCredential=${CREDENTIAL}:${masterKeyFile}`,
          `--setenv=SIGNET_MASTER_KEY_FILE=/run/credentials/${unit}.service/${CREDENTIAL}`,
        ]
  return [
    'systemd-run',
    '--quiet',
    '--pipe',
    '--wait',
    '--collect',
    `--unit=${unit}`,
    `--property=User=${user}`,
    `--property=EnvironmentFile=${ENVIRONMENT_PATH}`,
    `--setenv=SIGNET_DATA=${dataFolder}`,
    ...key,
    executable,
    ...args,
  ]
}
