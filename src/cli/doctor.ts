/** `signet doctor`: checks what an instance needs. A failed check does not stop the others. */
import type { Config } from '../config.ts'
import type { ServerReport } from '../db/postgresql/server-report.ts'
import { checkAddress, checksOf, checksOfMachine, checksWithoutDatabase, databaseFindings } from '../health/checks.ts'
import { type Check, type Finding, failed, passed, runChecks } from '../health/finding.ts'
import { examineServer } from '../health/server.ts'
import { databasePath } from '../lib/data-paths.ts'
import { errorMessage } from '../lib/log.ts'
import { localOrigin, readRunningAddress } from '../lib/running-address.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import type { App } from '../ports.ts'
import { isServing } from '../settings/service-address.ts'
import { dataFolderError, withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

// `signet health`: asks the instance of a data folder, as a container's health check does.

/** Longer than every check of `/readyz`. */
const MAX_WAIT_MS = 5_000

export const health: Verb = {
  name: 'health',
  usage: 'signet health [--live] [--data DIR]',
  summary: 'asks the running service whether it is ready, or with --live whether it answers; exit 1 when not',
  async run(args, io) {
    const parsed = parseFlags(args, { '--live': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const { dataFolder, host, port } = configFrom(parsed, io.env)
    // Without the file the service is starting, was killed, or belongs to a user of its own.
    const origin = (await readRunningAddress(THIS_FILE_SYSTEM, dataFolder))?.local ?? localOrigin(host, port)
    const { isWell, message } = await ask(`${origin}${parsed.switches.has('--live') ? '/healthz' : '/readyz'}`)
    const say = isWell ? io.out : io.err
    say(message)
    return isWell ? 0 : 1
  },
}

async function ask(url: string): Promise<{ isWell: boolean; message: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MAX_WAIT_MS), redirect: 'error' })
    const body = (await response.json()) as { status?: unknown; checks?: Record<string, unknown> }
    const state = typeof body.status === 'string' ? body.status : `status ${response.status}`
    return { isWell: response.ok, message: [state, ...deviations(body.checks ?? {})].join(', ') }
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? `no answer within ${MAX_WAIT_MS / 1000} s` : 'no answer'
    return { isWell: false, message: `${why} from ${url}: signet serve does not run there, or is starting` }
  }
}

/** The checks that are not as they should be, such as `disk low`. */
function deviations(checks: Record<string, unknown>): string[] {
  const bad = Object.entries(checks).filter(([, value]) => value !== 'ok' && value !== 0 && value !== false)
  return bad.map(([name, value]) => `${name} ${String(value)}`)
}

export const doctor: Verb = {
  name: 'doctor',
  usage: 'signet doctor [--json] [--all-files] [--data DIR]',
  summary:
    'checks data folder, database, files, audit log, keys and seal; exit 1 when a check fails. Of files in S3 it reads a sample, all with --all-files',
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--all-files': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const missing = dataFolderError(config)
    if (missing !== undefined) {
      io.err(missing)
      return 1
    }
    const { findings, ...engine } = await (config.databaseUrl === undefined
      ? examineFolder(config, io)
      : examineCluster(config, io, parsed.switches.has('--all-files')))
    const ok = findings.every(({ verdict }) => verdict !== 'error')
    if (parsed.switches.has('--json')) io.out(JSON.stringify({ ok, findings, ...engine }))
    else for (const { verdict, name, message } of findings) io.out(`${verdict.padEnd(7)}  ${name}: ${message}`)
    return ok ? 0 : 1
  },
}

interface Examination {
  findings: Finding[]
  /** Undefined if the database cannot be opened. */
  sqlite?: { synchronous: number }
  postgresql?: ServerReport
}

async function examineFolder(config: Config, io: Io): Promise<Examination> {
  const database = await checkDatabaseFile(databasePath(config.dataFolder))
  try {
    return await withApp(config, io, 'doctor', async app => {
      const findings = [...database, ...(await runChecks(checksOf(app))), await reportService(app)]
      return { findings, sqlite: { synchronous: await synchronousOf(databasePath(config.dataFolder)) } }
    })
  } catch (error) {
    // With a damaged database the app does not open. The checks that need no database still run.
    if (!database.some(({ verdict }) => verdict === 'error')) throw error
    return { findings: [...database, ...(await runChecks(checksWithoutDatabase(config, THIS_MACHINE)))] }
  }
}

async function examineCluster(config: Config, io: Io, areAllFilesChecked: boolean): Promise<Examination> {
  const { SchemaTooNewError } = await import('../db/migrate.ts')
  try {
    return await withApp(config, io, 'doctor', async app => {
      const { findings, report } = await examineServer(app)
      return { findings: [...findings, ...(await runChecks(checksOf(app, areAllFilesChecked)))], postgresql: report }
    })
  } catch (error) {
    // The exit code says that another executable is needed.
    if (error instanceof SchemaTooNewError) throw error
    const ofMachine = checksOfMachine(config, () => THIS_FILE_SYSTEM.space(config.dataFolder))
    const checks: Check[] = [['address', () => [checkAddress(config.baseUrl)]], ...ofMachine]
    return { findings: [failed('database', errorMessage(error)), ...(await runChecks(checks))] }
  }
}

async function checkDatabaseFile(path: string): Promise<Finding[]> {
  // A dynamic import, so that other verbs start without SQLite.
  const [{ checkDatabase }, { requireKnownSchema }, { storedVersion }] = await Promise.all([
    import('../db/check.ts'),
    import('../db/migrate.ts'),
    import('../db/stored-version.ts'),
  ])
  // Of a newer release, nothing is touched.
  requireKnownSchema(storedVersion(path))
  return databaseFindings(checkDatabase(path, 'full'))
}

async function synchronousOf(path: string): Promise<number> {
  const { openRaw } = await import('../db/sqlite.ts')
  const raw = openRaw(path)
  try {
    return Number(raw.pragma('synchronous', { simple: true }))
  } finally {
    raw.close()
  }
}

async function reportService(app: App): Promise<Finding> {
  const state = (await isServing(app)) ? 'runs' : 'does not run; its address is that of the last start, or of the configuration'
  return passed('service', state)
}
