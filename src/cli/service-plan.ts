/** The plan of `signet service`, from flags, the unit of an earlier installation and defaults. */
import { ConfigError, readConfig } from '../config.ts'
import { environmentText, flagsOfUnit, readEnvironment, type ServicePlan } from './service-unit.ts'
import { type FlagSpec, type ParsedFlags, parseFlags, UsageError } from './verb.ts'

/** Each goes into the environment file under this variable. */
const SETTING_FLAGS = {
  '--base-url': 'SIGNET_BASE_URL',
  '--environment': 'SIGNET_ENVIRONMENT',
  '--trust-proxy': 'SIGNET_TRUST_PROXY',
  '--host': 'SIGNET_HOST',
  '--port': 'SIGNET_PORT',
} as const

export const UNIT_FLAGS: FlagSpec = {
  '--user': 'value',
  '--data': 'value',
  '--executable': 'value',
  '--master-key': 'value',
  '--writable': 'list',
}

export const SERVICE_FLAGS: FlagSpec = {
  ...Object.fromEntries(Object.keys(SETTING_FLAGS).map(flag => [flag, 'value'] as const)),
  ...UNIT_FLAGS,
}

export const SERVICE_FLAG_MEANINGS = {
  '--base-url': 'the public address, such as https://sign.example.com; needed at the first installation',
  '--environment': 'production by default; any other name makes a trial that says so',
  '--trust-proxy': 'networks (CIDR) of the proxy, whose X-Forwarded-For is believed; this machine by default with https',
  '--host': 'address to listen on; 127.0.0.1 by default',
  '--port': 'port to listen on, from 1024; 3000 by default',
  '--data': 'data folder; /var/lib/signet by default',
  '--user': 'system user that the service runs as, made where it is missing; signet by default',
  '--executable': 'where the program is copied to; /usr/local/bin/signet by default',
  '--master-key': 'file outside the data folder with the master key, made where it is missing; without it, in the data folder',
  '--writable': 'a further folder that the service may write, as for backups; may be repeated',
}

export const SERVICE_USAGE =
  '[--base-url URL] [--environment NAME] [--trust-proxy NETWORKS] [--host ADDRESS] [--port N] [--data DIR] [--user NAME] [--executable PATH] [--master-key FILE] [--writable DIR]…'

export const DEFAULT_FOLDER = '/var/lib/signet'

const DEFAULTS = { '--user': 'signet', '--data': DEFAULT_FOLDER, '--executable': '/usr/local/bin/signet' }

/** The unit hides these from the service, or gives it empty ones. */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp|dev|proc|sys)(\/|$)/

/** What an earlier installation left. */
export interface Installed {
  unit: string | undefined
  environment: string | undefined
}

/** Flags win over those of the installed unit. @throws UsageError, ConfigError */
export function readPlan(given: ParsedFlags, { unit, environment }: Installed): ServicePlan {
  const earlier = parseFlags(flagsOfUnit(unit ?? ''), UNIT_FLAGS)
  const value = (flag: keyof typeof DEFAULTS) => given.values[flag] ?? earlier.values[flag] ?? DEFAULTS[flag]
  const masterKeyFile = given.values['--master-key'] ?? earlier.values['--master-key']
  const plan: ServicePlan = {
    user: value('--user'),
    dataFolder: value('--data'),
    executable: value('--executable'),
    masterKeyFile,
    writable: given.lists['--writable'] ?? earlier.lists['--writable'] ?? [],
    settings: settingsOf(given),
  }
  if (!/^[a-z_][a-z0-9_-]{0,30}$/.test(plan.user)) throw new UsageError('--user must be the name of a system user')
  if (plan.user === 'root') throw new UsageError('--user: the service does not run as root')
  for (const [flag, path] of pathsOf(plan)) requirePath(flag, path)
  requireSettings(environment ?? environmentText(plan), masterKeyFile)
  return plan
}

function pathsOf({ dataFolder, executable, masterKeyFile, writable }: ServicePlan): [flag: string, path: string][] {
  const key: [string, string][] = masterKeyFile === undefined ? [] : [['--master-key', masterKeyFile]]
  const folders = writable.map(folder => ['--writable', folder] as [string, string])
  return [['--data', dataFolder], ['--executable', executable], ...folders, ...key]
}

function requirePath(flag: string, path: string): void {
  if (!/^\/[\w.@+-][\w.@+/-]*$/.test(path) || path.includes('//') || path.includes('/..')) {
    throw new UsageError(`${flag} must be an absolute path of letters, digits and . _ - @ +, not "${path}"`)
  }
  // systemd reads the key itself, outside what the service sees.
  if (flag !== '--master-key' && HIDDEN.test(path)) {
    throw new UsageError(
      `${flag}: the service cannot see ${path}, because the unit hides that folder: choose one such as /var/lib`,
    )
  }
}

function settingsOf({ values }: ParsedFlags): ServicePlan['settings'] {
  const isHttps = values['--base-url']?.startsWith('https://')
  // TLS ends in a proxy, by default on this machine.
  const defaults: Record<string, string> = {
    '--environment': 'production',
    ...(isHttps ? { '--trust-proxy': '127.0.0.1/32' } : {}),
  }
  return Object.entries(SETTING_FLAGS).flatMap(([flag, variable]) => {
    const value = values[flag] ?? defaults[flag]
    // systemd.exec(5), EnvironmentFile=: such a character would begin another line, or be dropped.
    if (value !== undefined && /[\p{Cc}"'\\]/u.test(value)) {
      throw new UsageError(`${flag} must be one line without quotation marks and backslashes`)
    }
    return value === undefined ? [] : [[variable, value] as [string, string]]
  })
}

/** Checks the file as `signet serve` will read it, before anything is changed. */
function requireSettings(environment: string, masterKeyFile: string | undefined): void {
  const variables = readEnvironment(environment)
  if (!variables.SIGNET_BASE_URL) {
    throw new UsageError('--base-url is needed: the public address, such as https://sign.example.com')
  }
  const { port } = readConfig({}, { ...variables, SIGNET_MASTER_KEY_FILE: masterKeyFile })
  if (port < 1024)
    throw new ConfigError([`SIGNET_PORT: ${port} needs rights that the service does not have: choose one from 1024`])
}

/** Settings of flags that an existing file has otherwise: it is never overwritten. */
export function differences({ settings }: ServicePlan, given: ParsedFlags, environment: string): string[] {
  const found = readEnvironment(environment)
  const named = new Set(
    Object.entries(SETTING_FLAGS).flatMap(([flag, variable]) => (flag in given.values ? [variable as string] : [])),
  )
  return settings
    .filter(([variable, value]) => named.has(variable) && found[variable] !== value)
    .map(([variable, value]) => `${variable}=${value}`)
}
