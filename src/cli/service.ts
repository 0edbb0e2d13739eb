/**
 * The verbs of `signet service`: `install` makes user, folders, executable, environment file and a
 * systemd unit; `print` prints the unit.
 */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { SETUP_MINUTES } from '../core/service-limits.ts'
import { databasePath, masterKeyPath } from '../lib/data-paths.ts'
import { ownCommand } from '../lib/own-command.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { newMasterKey } from '../master-key.ts'
import { differences, readPlan, SERVICE_FLAG_MEANINGS, SERVICE_FLAGS, SERVICE_USAGE, UNIT_FLAGS } from './service-plan.ts'
import { ENVIRONMENT_PATH, environmentText, type ServicePlan, UNIT_PATH, unitText } from './service-unit.ts'
import { type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

// `signet service print`: prints the systemd unit. Needs no rights and changes nothing.

/** The unit does not depend on the address, which only an installation needs. */
const ANY_ADDRESS = 'SIGNET_BASE_URL=https://sign.example.com'

export const servicePrint: Verb = {
  name: 'service print',
  usage: 'signet service print [--data DIR] [--user NAME] [--executable PATH] [--master-key FILE] [--writable DIR]…',
  summary: 'prints the systemd unit that signet service install writes',
  async run(args, io) {
    const parsed = parseFlags(args, UNIT_FLAGS)
    noPositionals(parsed)
    io.out(unitText(readPlan(parsed, { unit: undefined, environment: ANY_ADDRESS })).trimEnd())
    return 0
  },
}

// The steps of an installation as data, from what is found on the machine. Changes nothing.

type Step =
  | { kind: 'run'; command: string[] }
  | { kind: 'write'; path: string; mode: number; text: string }
  /** 32 random bytes, which are not shown. */
  | { kind: 'key'; path: string }
  | { kind: 'copy'; from: string; to: string }

/** What is there before. */
export interface Found {
  /** Of the user of the service; `undefined`: there is none. */
  uid: number | undefined
  unit: string | undefined
  environment: string | undefined
  hasMasterKeyFile: boolean
  /** `undefined`: no such folder, or an empty one. */
  data: { uid: number; hasDatabase: boolean; hasKey: boolean } | undefined
  /** Of the further folders that the service may write. */
  missingFolders: string[]
  /** The program that runs, and whether the target has the same bytes. */
  self: string
  isExecutableCurrent: boolean
}

const CONFIGURATION_FOLDER = ENVIRONMENT_PATH.slice(0, ENVIRONMENT_PATH.lastIndexOf('/'))

/** Why the plan would do harm, with the remedy. */
export function planProblem(
  { user, dataFolder, masterKeyFile }: ServicePlan,
  { uid, data, hasMasterKeyFile }: Found,
): string | undefined {
  if (data === undefined) return undefined
  const inFolder = `${dataFolder}/keys/master.key`
  if (data.uid !== uid) {
    return `${dataFolder} belongs to another user: stop what uses it, then run chown -R ${user}: ${dataFolder}${
      uid === undefined ? `, after useradd --system ${user}` : ''
    }.`
  }
  if (masterKeyFile === undefined) return undefined
  if (data.hasKey && !hasMasterKeyFile) {
    return `The master key of ${dataFolder} is in it: stop the service and run install -m 600 -o root ${inFolder} ${masterKeyFile}, then remove ${inFolder}.`
  }
  if (data.hasDatabase && !hasMasterKeyFile) {
    return `${dataFolder} was made with a master key that is not at ${masterKeyFile}: put it there first.`
  }
  return undefined
}

export function stepsOf(plan: ServicePlan, found: Found): Step[] {
  const { user, dataFolder, executable, masterKeyFile } = plan
  const unit = unitText(plan)
  const steps: Step[] = []
  if (found.uid === undefined) {
    const shell = ['--no-create-home', '--shell', '/usr/sbin/nologin']
    steps.push({ kind: 'run', command: ['useradd', '--system', '--user-group', '--home-dir', dataFolder, ...shell, user] })
  }
  for (const folder of [dataFolder, ...found.missingFolders]) {
    steps.push({ kind: 'run', command: ['install', '-d', '-m', '700', '-o', user, '-g', user, folder] })
  }
  steps.push({ kind: 'run', command: ['install', '-d', '-m', '700', CONFIGURATION_FOLDER] })
  if (masterKeyFile !== undefined && !found.hasMasterKeyFile) steps.push({ kind: 'key', path: masterKeyFile })
  if (found.environment === undefined) {
    steps.push({ kind: 'write', path: ENVIRONMENT_PATH, mode: 0o600, text: environmentText(plan) })
  } else steps.push({ kind: 'run', command: ['chmod', '600', ENVIRONMENT_PATH] })
  if (found.self !== executable && !found.isExecutableCurrent) steps.push({ kind: 'copy', from: found.self, to: executable })
  if (found.unit !== unit) {
    if (found.unit !== undefined) steps.push({ kind: 'write', path: `${UNIT_PATH}.before`, mode: 0o644, text: found.unit })
    steps.push(
      { kind: 'write', path: UNIT_PATH, mode: 0o644, text: unit },
      { kind: 'run', command: ['systemctl', 'daemon-reload'] },
    )
  }
  steps.push({ kind: 'run', command: ['systemctl', 'enable', '--quiet', 'signet'] })
  return steps
}

/** One line for each step, without the text of files. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'run':
      return step.command.join(' ')
    case 'key':
      return `make ${step.path}, mode 600: 32 random bytes`
    case 'copy':
      return `copy ${step.from} to ${step.to}, mode 755`
    case 'write':
      return `write ${step.path}, mode ${step.mode.toString(8)}`
  }
}

// `signet service install`: does the steps.

/** The machine, or the rights on it, do not allow the installation. */
class InstallError extends Error {}

export const serviceInstall: Verb = {
  name: 'service install',
  usage: `signet service install ${SERVICE_USAGE} [--dry-run]`,
  summary:
    'installs or updates the systemd service: user, folders, executable, settings, unit. An existing settings file is kept. --dry-run shows every step',
  flags: { ...SERVICE_FLAG_MEANINGS, '--dry-run': 'shows every step and changes nothing' },
  async run(args, io) {
    const parsed = parseFlags(args, { ...SERVICE_FLAGS, '--dry-run': 'switch' })
    noPositionals(parsed)
    const isDryRun = parsed.switches.has('--dry-run')
    if (!isDryRun) requireMachine()
    const installed = { unit: textAt(UNIT_PATH), environment: textAt(ENVIRONMENT_PATH) }
    const plan = readPlan(parsed, installed)
    const found = { ...installed, ...look(plan) }
    const problem = planProblem(plan, found)
    if (problem !== undefined) throw new InstallError(problem)
    for (const step of stepsOf(plan, found)) {
      io.out(describeStep(step))
      if (isDryRun) showText(step, io)
      else apply(step)
    }
    const kept = installed.environment === undefined ? [] : differences(plan, parsed, installed.environment)
    if (kept.length > 0) io.err(`${ENVIRONMENT_PATH} was kept. To change it, set there: ${kept.join(' ')}`)
    if (!isDryRun) io.out(nextSteps(plan))
    return 0
  },
}

function requireMachine(): void {
  if (!existsSync('/run/systemd/system')) {
    throw new InstallError(
      'This machine is not run by systemd: let your supervisor start signet serve, see signet service print.',
    )
  }
  if (process.getuid?.() !== 0)
    throw new InstallError('Root rights are needed: run it with sudo, or see what it does with --dry-run.')
  if (ownCommand().length > 1)
    throw new InstallError('Signet runs from its source: build the executable first (sh scripts/build).')
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function look({ user, dataFolder, executable, masterKeyFile, writable }: ServicePlan): Omit<Found, 'unit' | 'environment'> {
  const { exitCode, stdout } = Bun.spawnSync(['id', '-u', user], { stderr: 'ignore' })
  const isUsed = existsSync(dataFolder) && readdirSync(dataFolder).length > 0
  return {
    uid: exitCode === 0 ? Number(String(stdout)) : undefined,
    hasMasterKeyFile: masterKeyFile !== undefined && existsSync(masterKeyFile),
    data: isUsed
      ? {
          uid: statSync(dataFolder).uid,
          hasDatabase: existsSync(databasePath(dataFolder)),
          hasKey: existsSync(masterKeyPath(dataFolder)),
        }
      : undefined,
    missingFolders: writable.filter(folder => !existsSync(folder)),
    self: process.execPath,
    isExecutableCurrent: existsSync(executable) && readFileSync(executable).equals(readFileSync(process.execPath)),
  }
}

function showText(step: Step, io: Io): void {
  if (step.kind === 'write') io.out(step.text.trimEnd().replaceAll(/^/gm, '    '))
}

/** Files are written beside their place and renamed: the executable may be in use. */
function apply(step: Step): void {
  switch (step.kind) {
    case 'run': {
      const { exitCode, stderr } = Bun.spawnSync(step.command, { stdout: 'inherit', stderr: 'pipe' })
      if (exitCode !== 0) throw new InstallError(`${step.command.join(' ')} failed: ${String(stderr).trim()}`)
      return
    }
    case 'key':
      write(step.path, 0o600, `${Buffer.from(newMasterKey(THIS_MACHINE.random)).toString('base64')}\n`)
      return
    case 'write':
      write(step.path, step.mode, step.text)
      return
    case 'copy':
      copyFileSync(step.from, `${step.to}.new`)
      place(step.to, 0o755)
  }
}

function write(path: string, mode: number, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  place(path, mode)
}

function place(path: string, mode: number): void {
  chmodSync(`${path}.new`, mode)
  renameSync(`${path}.new`, path)
}

function nextSteps({ dataFolder, executable, masterKeyFile }: ServicePlan): string {
  const isActive = Bun.spawnSync(['systemctl', 'is-active', '--quiet', 'signet']).exitCode === 0
  const key = masterKeyPath(dataFolder, masterKeyFile)
  return `
Installed. Next:
  1. systemctl ${isActive ? 'restart' : 'start'} signet
  2. journalctl -u signet | grep /setup/ | tail -n 1 shows the link for the first administrator. It is valid for
     ${SETUP_MINUTES} minutes; a restart prints a new one until there is an administrator.
  3. Keep a copy of ${key} in another place: without it a backup cannot be read.
  4. ${executable} service run doctor checks the installation.
Settings that are not in the web app: ${ENVIRONMENT_PATH}`
}
