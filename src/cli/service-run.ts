/** `signet service run`: runs a verb with the user, settings and master key of the service. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { secretBox } from '../lib/secret-box.ts'
import { loadMasterKey, replacingFile } from '../master-key.ts'
import { readPlan } from './service-plan.ts'
import { CREDENTIAL, ENVIRONMENT_PATH, type ServicePlan, UNIT_PATH } from './service-unit.ts'
import { type Io, parseFlags, UsageError, type Verb } from './verb.ts'

export const serviceRun: Verb = {
  name: 'service run',
  usage: 'signet service run VERB …',
  summary: 'runs another verb with the user, the settings and the master key of the installed service; needs root',
  async run(args, io) {
    if (args.length === 0) throw new UsageError('name a verb, such as doctor')
    if (!existsSync(UNIT_PATH) || !existsSync(ENVIRONMENT_PATH)) {
      throw new UsageError('the service is not installed here: run signet service install')
    }
    const installed = { unit: readFileSync(UNIT_PATH, 'utf8'), environment: readFileSync(ENVIRONMENT_PATH, 'utf8') }
    const plan = readPlan(parseFlags([], {}), installed)
    return args.join(' ') === 'key rotate-master' && plan.masterKeyFile !== undefined
      ? rotateCredential(plan, plan.masterKeyFile, io)
      : runVerb(plan, args, io)
  },
}

function runVerb(plan: ServicePlan, args: string[], io: Io): Promise<number> {
  const command = runCommand(plan, args, `signet-run-${process.pid}`)
  return Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'], env: io.env }).exited
}

/**
 * The service sees only a copy of the key. It writes the new one where it may; root then puts it
 * in its place. Killed in between, the service starts with the former key, and this goes on.
 */
async function rotateCredential(plan: ServicePlan, masterKeyFile: string, io: Io): Promise<number> {
  const made = join(plan.dataFolder, 'new-master.key')
  const code = await runVerb(plan, ['key', 'rotate-master', '--to', made], io)
  if (code !== 0) return code
  const former = secretBox(loadMasterKey(plan.dataFolder, masterKeyFile, false)).fingerprint
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
