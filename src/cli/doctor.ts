/** `signet doctor`: checks everything that a start needs and says what to do. A check that fails keeps no other from running. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listAlerts } from '../alerts/queries.ts'
import { verifyChain } from '../audit/log.ts'
import type { Config } from '../config.ts'
import { testSealKey } from '../documents/test-page.ts'
import { filesAfter } from '../files/queries.ts'
import { diskLevelOf, diskSpaceOf, lowBytesOf } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { type FileStore, openFileStore } from '../storage/files.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

interface Finding {
  name: string
  verdict: 'ok' | 'warning' | 'fault'
  says: string
}

const WARN_DAYS = 30
const DAY_MS = 86_400_000

export const doctor: Verb = {
  name: 'doctor',
  usage: 'signet doctor [--json] [--data DIR]',
  summary: 'checks data folder, database, files, audit log, keys and seal; exit 1 when something is wrong',
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    if (!existsSync(join(config.dataFolder, 'signet.db'))) {
      io.err(`${config.dataFolder} holds no signet.db: start signet serve once, or name the folder with --data.`)
      return 1
    }
    const { findings, sqlite } = await examination(config, io)
    const sound = findings.every(f => f.verdict !== 'fault')
    if (parsed.switches.has('--json')) io.out(JSON.stringify({ sound, findings, sqlite }))
    else for (const f of findings) io.out(`${f.verdict.padEnd(7)}  ${f.name}: ${f.says}`)
    return sound ? 0 : 1
  },
}

interface Examination {
  findings: Finding[]
  /** Undefined when the database cannot be opened. */
  sqlite: { synchronous: number } | undefined
}

async function examination(config: Config, io: Io): Promise<Examination> {
  const path = join(config.dataFolder, 'signet.db')
  const database = await databaseFindings(path)
  try {
    const { app, close } = await io.open(config, 'signet doctor', false)
    try {
      return { findings: [...database, ...(await inOrder(checksOf(app)))], sqlite: { synchronous: await synchronousOf(path) } }
    } finally {
      await close()
    }
  } catch (error) {
    // With a damaged database nothing opens; what does not need it is checked all the same.
    if (!database.some(({ verdict }) => verdict === 'fault')) throw error
    return { findings: [...database, ...(await inOrder(checksWithoutDatabase(config)))], sqlite: undefined }
  }
}

type Check = [name: string, run: () => Finding[] | Promise<Finding[]>]

function checksOf(app: App): Check[] {
  const { config } = app
  return [
    ['files', () => files(app)],
    ['audit log', async () => [await chain(app)]],
    ['alerts', () => alerts(app)],
    ['seal certificate', async () => [await certificate(app)]],
    ['seal', async () => [await seal(app)]],
    ['children', () => children(app)],
    ['address', async () => [address(await serviceAddress(app))]],
    ...checksOfMachine(config),
  ]
}

const checksWithoutDatabase = (config: Config): Check[] => [
  ['files', () => filesByName(join(config.dataFolder, 'files'))],
  ['address', () => [address(config.baseUrl)]],
  ...checksOfMachine(config),
]

const checksOfMachine = (config: Config): Check[] => [
  ['master key', () => [masterKey(config)]],
  ['mail', () => [mail(config)]],
  ['disk', async () => [await disk(config)]],
]

/** Runs every check; one that fails is a fault and keeps none behind it from running. */
async function inOrder(checks: Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, run] of checks) {
    try {
      findings.push(...(await run()))
    } catch (error) {
      findings.push(fault(name, `could not be checked: ${error instanceof Error ? error.message : String(error)}`))
    }
  }
  return findings
}

async function databaseFindings(path: string): Promise<Finding[]> {
  // Loaded here, so that other verbs start without SQLite.
  const { checkDatabase } = await import('../db/check.ts')
  const problems = checkDatabase(path, 'full')
  if (problems.length === 0) return [fine('database', 'intact')]
  return problems.map(problem => fault('database', `damaged (${problem}): keep a copy of the data folder, then restore a backup`))
}

async function synchronousOf(path: string): Promise<number> {
  const { openRaw } = await import('../db/open.ts')
  const raw = openRaw(path)
  try {
    return Number(raw.pragma('synchronous', { simple: true }))
  } finally {
    raw.close()
  }
}

const fine = (name: string, says: string): Finding => ({ name, verdict: 'ok', says })
const warning = (name: string, says: string): Finding => ({ name, verdict: 'warning', says })
const fault = (name: string, says: string): Finding => ({ name, verdict: 'fault', says })

const FILES_AT_ONCE = 1000

/** What is wrong with a stored file; undefined when it is intact. */
async function problemOf(storage: FileStore, sha256: string): Promise<Finding | undefined> {
  const name = `${sha256}.pdf`
  try {
    const found = await storage.hashOf(sha256)
    if (found === sha256) return undefined
    const what = found === undefined ? 'is missing in files/' : 'has changed on disk'
    return fault('files', `${name} ${what}: restore it from a backup`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fault('files', `${name} cannot be read (${why}): restore it from a backup`)
  }
}

/** Every file that a row refers to. */
async function files({ db, storage }: App): Promise<Finding[]> {
  const errors: Finding[] = []
  let count = 0
  for (let after = ''; ; ) {
    const some = await filesAfter(db, after, FILES_AT_ONCE)
    for (const sha256 of some) {
      const problem = await problemOf(storage, sha256)
      if (problem) errors.push(problem)
    }
    count += some.length
    after = some.at(-1) ?? ''
    if (some.length < FILES_AT_ONCE) break
  }
  return errors.length > 0 ? errors : [fine('files', `${count} files, every one with the hash of its name`)]
}

/** Without a database: every file that is there. Which ones are missing cannot be known. */
async function filesByName(folder: string): Promise<Finding[]> {
  const storage = await openFileStore(folder)
  const names = (await readdir(folder)).flatMap(name => /^([0-9a-f]{64})\.pdf$/.exec(name)?.[1] ?? [])
  const errors: Finding[] = []
  for (const sha256 of names) {
    const problem = await problemOf(storage, sha256)
    if (problem) errors.push(problem)
  }
  return errors.length > 0 ? errors : [fine('files', `${names.length} files, every one with the hash of its name`)]
}

/** A file that was restored a minute ago needs nobody any more. */
async function alerts({ db, damage }: App): Promise<Finding[]> {
  await damage.recheckFiles()
  return (await listAlerts(db, 100)).map(({ message, since }) => warning('alert', `${message} (since ${since.toISOString()})`))
}

async function chain(app: App): Promise<Finding> {
  const walked = await verifyChain(app.db)
  if ('firstInvalid' in walked)
    return fault('audit log', `entry ${walked.firstInvalid} does not follow from the one before: the log was changed`)
  return fine('audit log', `${walked.count} entries, head ${walked.head}`)
}

async function certificate(app: App): Promise<Finding> {
  const { subject, notAfter } = await describeSealCertificate(app.db)
  const days = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  if (days < 0) return fault('seal certificate', `${subject} ended on ${notAfter.toISOString()}`)
  if (days < WARN_DAYS) return warning('seal certificate', `${subject} ends in ${days} days`)
  return fine('seal certificate', `${subject}, valid until ${notAfter.toISOString().slice(0, 10)}`)
}

async function seal(app: App): Promise<Finding> {
  const problem = await testSealKey(app, await app.sealKey())
  return problem === undefined ? fine('seal', 'a test page was sealed and is valid') : fault('seal', problem)
}

/** How the child processes that read PDFs are confined on this machine. */
async function children({ pdf }: App): Promise<Finding[]> {
  const { inForce, missing } = await pdf.confinement()
  return [
    ...(inForce.length > 0 ? [fine('children', `those that read PDFs: ${inForce.join(', ')}`)] : []),
    ...missing.map(({ what, why }) => warning('children', `not in force for those that read PDFs: ${what} (${why})`)),
  ]
}

function masterKey(config: Config): Finding {
  return config.masterKeyFile
    ? fine('master key', `in ${config.masterKeyFile}`)
    : warning('master key', 'lies beside the data it protects: keep it elsewhere with SIGNET_MASTER_KEY_FILE')
}

function mail(config: Config): Finding {
  return config.smtpUrl ? fine('mail', 'a mail server is set') : warning('mail', 'no mail server is set: mails lie in outbox/')
}

function address(baseUrl: string): Finding {
  return baseUrl.startsWith('https://')
    ? fine('address', baseUrl)
    : warning('address', `${baseUrl} is not https: signing links can be read on the way, cookies are not bound to https`)
}

async function disk(config: Config): Promise<Finding> {
  const space = await diskSpaceOf(config.dataFolder)
  const free = `${Math.round(space.freeBytes / 1e6)} MB free`
  const level = diskLevelOf(space)
  if (level === 'ok') return fine('disk', free)
  const effect = level === 'low' ? 'new documents and pictures are refused' : 'every change is refused'
  return fault('disk', `only ${free}: ${effect} until ${Math.round(lowBytesOf(space) / 1e6)} MB are`)
}
