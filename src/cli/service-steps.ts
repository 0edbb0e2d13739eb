/** The steps of an installation as data, from what is found on the machine. Changes nothing. */
import { ENVIRONMENT_PATH, environmentText, type ServicePlan, UNIT_PATH, unitText } from './service-unit.ts'

export type Step =
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
