/** `signet doctor`: checks what an instance needs. A failed check does not stop the others. */
import { join } from 'node:path'
import { listAlerts } from '../alerts/queries.ts'
import { verifyChain } from '../audit/log.ts'
import type { Config } from '../config.ts'
import type { ServerReport } from '../db/postgresql/server-report.ts'
import { testSealKey } from '../documents/test-page.ts'
import { diskLevelOf, diskSpaceOf, lowBytesOf } from '../lib/disk.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { App } from '../ports.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { dataFolderError, withApp } from './data-folder.ts'
import { checkFiles, checkFilesByName } from './doctor-files.ts'
import { examineServer } from './doctor-postgresql.ts'
import { type Check, type Finding, failed, passed, runChecks, warning } from './finding.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

const WARN_DAYS = 30
const DAY_MS = 86_400_000

const databasePath = ({ dataFolder }: Config): string => join(dataFolder, 'signet.db')

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
  const database = await checkDatabaseFile(databasePath(config))
  try {
    return await withApp(config, io, 'doctor', async app => {
      const findings = [...database, ...(await runChecks(checksOf(app)))]
      return { findings, sqlite: { synchronous: await synchronousOf(databasePath(config)) } }
    })
  } catch (error) {
    // With a damaged database the app does not open. The checks that need no database still run.
    if (!database.some(({ verdict }) => verdict === 'error')) throw error
    return { findings: [...database, ...(await runChecks(checksWithoutDatabase(config)))] }
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
    const checks: Check[] = [['address', () => [checkAddress(config.baseUrl)]], ...checksOfMachine(config)]
    return { findings: [failed('database', errorMessage(error)), ...(await runChecks(checks))] }
  }
}

function checksOf(app: App, areAllFilesChecked = true): Check[] {
  return [
    ['files', () => checkFiles(app, areAllFilesChecked)],
    ['audit log', () => checkAuditLog(app)],
    ['alerts', () => reportAlerts(app)],
    ['seal certificate', () => checkSealCertificate(app)],
    ['seal', () => checkSeal(app)],
    ['children', () => reportConfinement(app)],
    ['address', async () => [checkAddress(await serviceAddress(app))]],
    ...checksOfMachine(app.config),
  ]
}

const checksWithoutDatabase = (config: Config): Check[] => [
  ['files', () => checkFilesByName(join(config.dataFolder, 'files'))],
  ['address', () => [checkAddress(config.baseUrl)]],
  ...checksOfMachine(config),
]

const checksOfMachine = (config: Config): Check[] => [
  ['master key', () => [checkMasterKey(config)]],
  ['mail', () => [checkMail(config)]],
  ['disk', async () => [await checkDisk(config)]],
]

async function checkDatabaseFile(path: string): Promise<Finding[]> {
  // A dynamic import, so that other verbs start without SQLite.
  const { checkDatabase } = await import('../db/check.ts')
  const problems = checkDatabase(path, 'full')
  if (problems.length === 0) return [passed('database', 'intact')]
  return problems.map(problem =>
    failed('database', `damaged (${problem}): keep a copy of the data folder, then restore a backup`),
  )
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

/** The open alerts. Files are checked again first: one may have been restored since. */
async function reportAlerts({ db, damage }: App): Promise<Finding[]> {
  await damage.recheckFiles()
  return (await listAlerts(db, 100)).map(({ message, since }) => warning('alert', `${message} (since ${since.toISOString()})`))
}

async function checkAuditLog(app: App): Promise<Finding[]> {
  const chain = await verifyChain(app.db)
  return 'firstInvalid' in chain
    ? [failed('audit log', `entry ${chain.firstInvalid} does not follow from the one before: the log was changed`)]
    : [passed('audit log', `${chain.count} entries, head ${chain.head}`)]
}

async function checkSealCertificate(app: App): Promise<Finding[]> {
  const name = 'seal certificate'
  const { subject, notAfter } = await describeSealCertificate(app.db)
  const days = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  if (days < 0) return [failed(name, `${subject} expired on ${notAfter.toISOString()}`)]
  if (days < WARN_DAYS) return [warning(name, `${subject} expires in ${days} days`)]
  return [passed(name, `${subject}, valid until ${notAfter.toISOString().slice(0, 10)}`)]
}

async function checkSeal(app: App): Promise<Finding[]> {
  const problem = await testSealKey(app, await app.sealKey())
  return [problem === undefined ? passed('seal', 'a test page was sealed and is valid') : failed('seal', problem)]
}

/** How the child processes that read PDFs are confined on this machine. */
async function reportConfinement({ pdf }: App): Promise<Finding[]> {
  const { inForce, missing } = await pdf.confinement()
  return [
    ...(inForce.length > 0 ? [passed('children', `processes that read PDFs: ${inForce.join(', ')}`)] : []),
    ...missing.map(({ what, why }) => warning('children', `not in force for processes that read PDFs: ${what} (${why})`)),
  ]
}

function checkMasterKey({ masterKeyFile }: Config): Finding {
  return masterKeyFile
    ? passed('master key', `in ${masterKeyFile}`)
    : warning('master key', 'is in the folder that it protects: keep it elsewhere with SIGNET_MASTER_KEY_FILE')
}

function checkMail({ smtpUrl }: Config): Finding {
  return smtpUrl
    ? passed('mail', 'a mail server is set')
    : warning('mail', 'no mail server is set: mails are written to outbox/ and not sent')
}

function checkAddress(baseUrl: string): Finding {
  return baseUrl.startsWith('https://')
    ? passed('address', baseUrl)
    : warning('address', `${baseUrl} is not https: signing links can be read on the network, and cookies are sent without TLS`)
}

async function checkDisk({ dataFolder }: Config): Promise<Finding> {
  const space = await diskSpaceOf(dataFolder)
  const free = `${Math.round(space.freeBytes / 1e6)} MB free`
  const level = diskLevelOf(space)
  if (level === 'ok') return passed('disk', free)
  const effect = level === 'low' ? 'new documents and pictures are refused' : 'every change is refused'
  return failed('disk', `only ${free}: ${effect} until ${Math.round(lowBytesOf(space) / 1e6)} MB are free`)
}
