/** Configuration by flags and `SIGNET_…` variables, from one table; all errors are reported. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { SERVICE_SETTING_NAMES, type ServiceSettingName, serviceRow } from './config/service-rows.ts'
import { parseDatabaseUrl } from './db/postgresql/url.ts'
import { errorMessage, type LogLevel } from './lib/log.ts'
import { MAX_PORT, type Network, parseNetworks } from './lib/net-guard.ts'
import { permissionProblem } from './lib/private-path.ts'
import { parseFilesUrl } from './storage/files-url.ts'

export interface Config {
  dataFolder: string
  host: string
  port: number
  /** Public origin without a trailing slash. */
  baseUrl: string
  environment: string
  /** PostgreSQL, with its password; undefined: SQLite. Both URLs are set, or neither. */
  databaseUrl: string | undefined
  /** An S3 bucket, with its secret; undefined: `files/` in the data folder. */
  filesUrl: string | undefined
  /** Maximum size of the copies of S3's files in the data folder. */
  filesCacheBytes: number
  /** How the other nodes, `doctor` and `/readyz` call this process. */
  nodeName: string
  trustProxy: Network[]
  masterKeyFile: string | undefined
  /** Networks that may read `/metrics`, beside loopback. */
  metricsAllow: Network[]
  sealKeyType: 'rsa-3072' | 'rsa-4096' | 'ec-p256' | 'ec-p384'
  logLevel: LogLevel
  requestsPerMinute: number
  /** Between the signal to stop and the first refused request. */
  stopDelayMs: number
  maxPdfBytes: number
  maxPages: number
  /** Valid texts of the service settings that the environment fixes. */
  fixed: Partial<Record<ServiceSettingName, string>>
  /** Misspelt ones, probably. They have no effect. */
  unknownVariables: UnknownVariable[]
}

export interface SettingRow {
  variable: string
  flag?: string
  fallback?: string
  what: string
  /** The value may be in a file, which the variable with `_FILE` appended names. */
  orFile?: true
}

const ROWS = {
  data: { variable: 'SIGNET_DATA', flag: '--data', fallback: './data', what: 'data folder' },
  host: { variable: 'SIGNET_HOST', flag: '--host', fallback: '127.0.0.1', what: 'address to listen on' },
  port: { variable: 'SIGNET_PORT', flag: '--port', fallback: '3000', what: 'port to listen on' },
  baseUrl: { variable: 'SIGNET_BASE_URL', flag: '--base-url', what: 'public address in links; default http://HOST:PORT' },
  environment: {
    variable: 'SIGNET_ENVIRONMENT',
    fallback: 'test',
    what: '`production` or any other name; fixed at the first start of a data folder',
  },
  databaseUrl: {
    variable: 'SIGNET_DATABASE_URL',
    orFile: true,
    what: 'PostgreSQL (15 or later) in place of SQLite: `postgres://user:password@host:5432/database?sslmode=verify-full`; together with `SIGNET_FILES_URL`',
  },
  filesUrl: {
    variable: 'SIGNET_FILES_URL',
    orFile: true,
    what: 'S3 bucket in place of `files/`: `s3://KEY:SECRET@host/bucket?region=…`; together with `SIGNET_DATABASE_URL`',
  },
  filesCacheMb: {
    variable: 'SIGNET_FILES_CACHE_MB',
    fallback: '2000',
    what: 'maximum size of the copies of files from S3 in the data folder, in MB',
  },
  nodeName: { variable: 'SIGNET_NODE_NAME', what: 'name of this node among several; default host name and port' },
  trustProxy: {
    variable: 'SIGNET_TRUST_PROXY',
    what: 'networks (CIDR, comma separated) whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted',
  },
  masterKeyFile: {
    variable: 'SIGNET_MASTER_KEY_FILE',
    what: 'file with the master key; default `keys/master.key` in the data folder',
  },
  metricsAllow: {
    variable: 'SIGNET_METRICS_ALLOW',
    what: 'networks (CIDR, comma separated) that may read `/metrics`; loopback always may',
  },
  sealKey: {
    variable: 'SIGNET_SEAL_KEY',
    fallback: 'rsa-3072',
    what: 'key type of a new seal certificate: `rsa-3072`, `rsa-4096`, `ec-p256` or `ec-p384`',
  },
  log: { variable: 'SIGNET_LOG', fallback: 'info', what: 'lowest level logged: `debug`, `info`, `warn`, `error`' },
  stopDelay: {
    variable: 'SIGNET_STOP_DELAY',
    fallback: '0',
    what: 'seconds after SIGTERM in which `/readyz` answers 503 and requests are still served, for balancers',
  },
  rate: {
    variable: 'SIGNET_RATE_PER_MINUTE',
    fallback: '600',
    what: 'requests per minute and API token; bursts of a fifth of it',
  },
  maxPdfMb: { variable: 'SIGNET_MAX_PDF_MB', fallback: '100', what: 'maximum size of a PDF in MB' },
  maxPages: { variable: 'SIGNET_MAX_PAGES', fallback: '2000', what: 'maximum number of pages of a PDF' },
} satisfies Record<string, SettingRow>

export type SettingName = keyof typeof ROWS

/** Rows of service settings that have a variable. */
const FIXABLE = SERVICE_SETTING_NAMES.flatMap(name => {
  const { variable, what = '', fallback } = serviceRow(name)
  return variable === undefined ? [] : [[name, { variable, what, ...(fallback === undefined ? {} : { fallback }) }] as const]
})

/** Every variable. Also the source of the help text. */
export const SETTINGS: Record<string, SettingRow> = { ...ROWS, ...Object.fromEntries(FIXABLE) }

const KNOWN_VARIABLES = Object.values(SETTINGS).flatMap(({ variable, orFile }) =>
  orFile ? [variable, `${variable}_FILE`] : [variable],
)

const rowOf = (name: SettingName): SettingRow => ROWS[name]

export class ConfigError extends Error {
  constructor(readonly errors: string[]) {
    super(errors.join('\n'))
  }
}

/** Flags override variables, which override defaults. Throws `ConfigError` with all errors. */
export function readConfig(flags: Partial<Record<SettingName, string>>, env: Record<string, string | undefined>): Config {
  const { values: fromFiles, errors } = readFiles(env)
  const given = (name: SettingName) => flags[name] || env[rowOf(name).variable] || fromFiles[name] || ''
  const read = (name: SettingName) => given(name) || (rowOf(name).fallback ?? '')
  const report = (name: SettingName, message: string) => {
    const { flag, variable } = rowOf(name)
    errors.push(`${flags[name] === undefined ? variable : (flag ?? variable)}: ${message}`)
  }
  const integer = (name: SettingName, min: number, max: number) => {
    const number = /^\d{1,9}$/.test(read(name)) ? Number(read(name)) : Number.NaN
    if (number >= min && number <= max) return number
    report(name, `must be a whole number from ${min} to ${max}, not "${read(name)}"`)
    return min
  }
  const oneOf = <T extends string>(name: SettingName, values: readonly [T, ...T[]]): T => {
    const found = values.find(value => value === read(name))
    if (found === undefined) report(name, `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)
    return found ?? values[0]
  }
  const parsed = <T>(name: SettingName, parse: (text: string) => T): T | undefined => {
    try {
      return parse(read(name))
    } catch (error) {
      report(name, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  const host = read('host')
  const port = integer('port', 0, MAX_PORT)
  const config: Config = {
    dataFolder: resolve(read('data')),
    host,
    port,
    baseUrl: baseUrlOf(read('baseUrl'), host, port, message => report('baseUrl', message)),
    environment: read('environment'),
    databaseUrl: given('databaseUrl') || undefined,
    filesUrl: given('filesUrl') || undefined,
    filesCacheBytes: integer('filesCacheMb', 100, 10_000_000) * 1_000_000,
    nodeName: given('nodeName') || `${hostname()}:${port}`,
    trustProxy: parsed('trustProxy', parseNetworks) ?? [],
    masterKeyFile: read('masterKeyFile') || undefined,
    metricsAllow: parsed('metricsAllow', parseNetworks) ?? [],
    sealKeyType: oneOf('sealKey', ['rsa-3072', 'rsa-4096', 'ec-p256', 'ec-p384']),
    logLevel: oneOf('log', ['debug', 'info', 'warn', 'error']),
    requestsPerMinute: integer('rate', 10, 10_000_000),
    stopDelayMs: integer('stopDelay', 0, 600) * 1000,
    maxPdfBytes: integer('maxPdfMb', 1, 1000) * 1_000_000,
    maxPages: integer('maxPages', 1, 10_000),
    fixed: fixedSettings(env, errors),
    unknownVariables: unknownVariables(env, KNOWN_VARIABLES),
  }
  if (config.databaseUrl !== undefined) parsed('databaseUrl', parseDatabaseUrl)
  if (config.filesUrl !== undefined) parsed('filesUrl', parseFilesUrl)
  checkEngines(given, report)
  if (!/^[\w.:@-]{1,100}$/.test(config.nodeName)) report('nodeName', 'must be at most 100 letters, digits and . : @ _ -')
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(config.environment))
    report('environment', 'must be a short lower-case name such as production or test')
  if (errors.length > 0) throw new ConfigError(errors)
  return config
}

/** The addresses of PostgreSQL and S3 alone, where no node will run. @throws ConfigError */
export function readEngineUrls(env: Record<string, string | undefined>): Partial<Record<'databaseUrl' | 'filesUrl', string>> {
  const { values, errors } = readFiles(env)
  if (errors.length > 0) throw new ConfigError(errors)
  const { SIGNET_DATABASE_URL: databaseUrl, SIGNET_FILES_URL: filesUrl } = env
  return { ...values, ...(databaseUrl ? { databaseUrl } : {}), ...(filesUrl ? { filesUrl } : {}) }
}

/** Reads the settings that files hold. Errors never show what is in a file. */
function readFiles(env: Record<string, string | undefined>) {
  const values: Partial<Record<SettingName, string>> = {}
  const errors: string[] = []
  for (const [name, { variable, orFile }] of Object.entries(ROWS) as [SettingName, SettingRow][]) {
    const path = env[`${variable}_FILE`]
    if (!orFile || !path) continue
    if (env[variable]) errors.push(`${variable}_FILE: ${variable} is set, too: remove one of them`)
    const file = readPrivate(path)
    values[name] = file.text
    if (file.problem !== undefined) errors.push(`${variable}_FILE: ${path} ${file.problem}`)
  }
  return { values, errors }
}

function readPrivate(path: string): { text: string; problem: string | undefined } {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return { text, problem: permissionProblem(path, 0o600) ?? (text === '' ? 'is empty: write the URL into it' : undefined) }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return { text: '', problem: `cannot be read (${why}): correct the path, or the rights of this user` }
  }
}

/** Why several nodes need these settings, which one machine can do without. */
const REQUIRED_OF_NODES: [name: SettingName, message: string][] = [
  ['masterKeyFile', 'all nodes need the same key: name a copy of it'],
  ['baseUrl', 'links lead to the address of the balancer, not of a node: name it'],
]

/** Database and files are both in the data folder, or both elsewhere. */
function checkEngines(given: (name: SettingName) => string, report: (name: SettingName, message: string) => void): void {
  const [database, files] = [given('databaseUrl') !== '', given('filesUrl') !== '']
  if (database && !files) report('filesUrl', 'is required with SIGNET_DATABASE_URL: set both, or neither for one machine')
  if (files && !database) report('databaseUrl', 'is required with SIGNET_FILES_URL: set both, or neither for one machine')
  if (!database && !files) return
  for (const [name, message] of REQUIRED_OF_NODES) {
    if (given(name) === '') report(name, `is required with SIGNET_DATABASE_URL and SIGNET_FILES_URL: ${message}`)
  }
}

/** The texts of service settings in the environment. */
function fixedSettings(env: Record<string, string | undefined>, errors: string[]): Config['fixed'] {
  const fixed: Config['fixed'] = {}
  for (const [name, { variable }] of FIXABLE) {
    const text = env[variable]
    if (!text) continue
    fixed[name] = text
    try {
      serviceRow(name).parse(text)
    } catch (error) {
      errors.push(`${variable}: ${errorMessage(error)}`)
    }
  }
  const { sealLevel, tsaUrl } = fixed
  if (sealLevel && /^B-(T|LTA?)$/.test(sealLevel) && !tsaUrl)
    errors.push(`SIGNET_SEAL_LEVEL: ${sealLevel} needs a time-stamp authority: name one in SIGNET_TSA_URL`)
  return fixed
}

/** The configured public origin, or one made of host and port. */
export function baseUrlOf(named: string, host: string, port: number, report: (message: string) => void): string {
  if (named === '') return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    report(`must be an origin such as https://sign.example.com, not "${named}"`)
    return named
  }
  return url.origin
}

/** Without TLS, as on loopback, cookies cannot be `Secure`. */
export function isHttps(config: Config): boolean {
  return config.baseUrl.startsWith('https://')
}

// Variables of the environment that look like settings and are none: most are misspelt.

interface UnknownVariable {
  variable: string
  /** The known one that was probably meant. */
  meant: string | undefined
}

const PREFIX = 'SIGNET_'
/** Read by the tests, which start the program with them. */
const OF_TESTS = 'SIGNET_TEST_'
/** Of changed letters: more of them make another word. */
const MAX_DISTANCE = 4

/** They are no errors: a settings file may serve a later release, too. */
function unknownVariables(env: Record<string, string | undefined>, known: readonly string[]): UnknownVariable[] {
  return Object.keys(env)
    .filter(variable => variable.startsWith(PREFIX) && !variable.startsWith(OF_TESTS) && !known.includes(variable))
    .sort()
    .map(variable => ({ variable, meant: nearest(variable, known) }))
}

export function describeUnknown({ variable, meant }: UnknownVariable): string {
  const question = meant === undefined ? '' : `: did you mean ${meant}?`
  return `${variable} is not a variable of this release, so it has no effect${question || '.'}`
}

function nearest(variable: string, known: readonly string[]): string | undefined {
  const [first] = known
    .map(name => ({ name, distance: distanceOf(variable, name) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance)
  return first?.name
}

/** Letters to insert, remove or replace (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
