/** `signet service run`: runs a verb with the user, settings and master key of the service. */
import { existsSync, readFileSync } from 'node:fs'
import { readPlan } from './service-plan.ts'
import { CREDENTIAL, ENVIRONMENT_PATH, type ServicePlan, UNIT_PATH } from './service-unit.ts'
import { parseFlags, UsageError, type Verb } from './verb.ts'

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
    const command = runCommand(readPlan(parseFlags([], {}), installed), args, `signet-run-${process.pid}`)
    return Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'], env: io.env }).exited
  },
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
