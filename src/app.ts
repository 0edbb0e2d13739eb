/** Opens a data folder and constructs the App: lock, schema, keys, files, mailer, children. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../package.json'
import { DiskSpaceWatch } from './alerts/disk-watch.ts'
import { forgetRestore, interruptedRestore } from './backups/restored-folder.ts'
import { backupInChild } from './backups/runs.ts'
import type { Config } from './config.ts'
import type { CheckMode } from './db/check.ts'
import { requireKnownLevel } from './db/feature-level.ts'
import { FolderInUseError, lockFolder } from './db/lock.ts'
import { measuredWrite } from './db/measured-write.ts'
import type { SchemaTooNewError } from './db/migrate.ts'
import { moveProblem, readMoveState } from './db/move/state.ts'
import { type OwnNode, openNode } from './db/nodes.ts'
import { type Database, DatabaseUnavailableError, type Tx } from './db/open.ts'
import type { PgConnections } from './db/postgresql/connection.ts'
import { StoredDataWatch } from './documents/files/damage.ts'
import { findEngine, StartError } from './engine.ts'
import { BackgroundChecks } from './health/background-checks.ts'
import { DataClockWatch } from './health/clock-watch.ts'
import { createInMemoryServices } from './in-memory.ts'
import { DATABASE_FILE, databasePath, filesFolder, masterKeyPath } from './lib/data-paths.ts'
import type { DiskSpace } from './lib/disk.ts'
import { builtAt } from './lib/embedded-file.ts'
import { idFactory } from './lib/id.ts'
import { errorMessage, type Log, openLog } from './lib/log.ts'
import type { Machine } from './lib/machine.ts'
import { makePrivate, permissionProblem } from './lib/private-path.ts'
import { type SecretBox, secretBox } from './lib/secret-box.ts'
import { ServiceMetrics } from './lib/service-metrics.ts'
import { THIS_MACHINE } from './lib/this-machine.ts'
import type { Mailer } from './mailer/message.ts'
import { smtpMailer } from './mailer/smtp.ts'
import { loadMasterKey, MasterKeyError } from './master-key.ts'
import { ConfiguredMailer } from './outbox/configured-mailer.ts'
import { releaseLeases } from './outbox/queries.ts'
import type { App, AppHandle, Instance } from './ports.ts'
import { openPdfTools, type PdfTools } from './sandbox/pdf-tools.ts'
import { DEFAULT_LIMITS } from './sandbox/pool.ts'
import { firstFacts, linkKey } from './settings/first-facts.ts'
import { openSecrets, requireSameKey } from './settings/master-key-rotation.ts'
import { createFirstSealCertificate, createSealKeyLoader, hasSealCertificate } from './settings/seal-certificate.ts'
import { FileStoreTakenError, FileStoreUnavailableError, type StoreListeners } from './storage/file-store.ts'
import { parseFilesUrl } from './storage/files-url.ts'
import { openFolderStore } from './storage/folder-store.ts'
import { unprintable } from './text/coverage.ts'
import { openWriting } from './writing.ts'

export { StartError, version }

export interface AppOptions {
  /** Command that starts this program, for its child processes. */
  command: string[]
  /** Serves: it needs the lock of the data folder, and is a node. Other verbs run beside it. */
  exclusive: boolean
  /** Brings the schema up to date. A folder's also by every verb that finds no other process. */
  mayMigrate?: boolean
  lockHolder: string
  /** In place of this machine's, for tests and simulations. */
  machine?: Partial<Machine>
  log?: Log
  mailer?: Mailer
  /** In place of SMTP. */
  connectMail?: App['connectMail']
  pdf?: PdfTools
  /** PostgreSQL of a test. */
  connections?: PgConnections | undefined
  /** Wraps the database, so that tests can make it fail. */
  withDatabase?: (database: Database) => Database
  /** SQLite's check of the database; by default in a child process. */
  checkDatabase?: (mode: CheckMode) => Promise<string[]>
  /** The space of the data folder's disk; `statfs` by default. */
  measureDisk?: () => Promise<DiskSpace>
  /** In place of a backup in a child process. */
  makeBackup?: (app: () => App) => App['makeBackup']
  /** Called when a sync failed: later commits may be lost, too. */
  onSyncError?: () => void
  /** Called when another node changed the schema so that this executable must not write. */
  onSchemaTooNew?: (error: SchemaTooNewError) => void
  /** Called when this process was silent while the master key was replaced. */
  onKeyReplaced?: (error: MasterKeyError) => void
}

/** Opens or creates the data folder. Throws errors whose messages contain the remedy. */
export async function openApp(config: Config, options: AppOptions): Promise<AppHandle> {
  requirePrivateFiles()
  makeFolder(config.dataFolder)
  const unlock = lock(config, options)
  const machine = { ...THIS_MACHINE, ...options.machine }
  const log = options.log ?? openLog(config.logLevel, machine)
  const metrics = new ServiceMetrics()
  const opening = { ...options, machine, log, metrics, isLocked: unlock !== undefined }
  const { engine, database, secrets, instance } = await openDatabase(config, opening)
  const pdf = options.pdf ?? openChildren(options, log)
  const onSyncError = syncErrorHandler(log, options)
  const { db, heartbeats } = database
  const inMemory = createInMemoryServices({ ...machine, db, log, metrics })
  const storage = await openFiles(config, machine, {
    owner: options.exclusive ? instance : undefined,
    ...storeListeners({ log, metrics, onSyncError, app: () => app }),
  })
  if (unlock) await storage.removeTemporaryFiles()
  const write = options.exclusive ? measuredWrite(database, metrics, machine.steadyMs) : watchfulWrite(database, secrets)
  const deps = { log, committed: (tx: Tx) => inMemory.changes.committed(tx), wake: () => app.wake(), onSyncError }
  const anyClock = openWriting({ write }, deps)
  const writing = openWriting({ write: withRightClock(write, () => node) }, deps)
  const itself = { ...identityOf(config), admit: admission(secrets, options), release: releaseLeases }
  const node = openNode({ ...itself, ...machine, log, db, heartbeats, ...anyClock })
  const app: App = {
    config,
    instance,
    node,
    db,
    ...inMemory,
    ...writing,
    writeAtAnyClock: anyClock.write,
    storage,
    ...openMail({ ...machine, config, db, secrets }, options),
    pdf,
    sealKey: () => sealKey(),
    secrets,
    linkKey: await linkKey(database, secrets, machine.random),
    unprintable,
    ...machine,
    now: () => node.now(),
    get clock() {
      return clock
    },
    newId: idFactory(() => node.now().getTime(), machine.random),
    log,
    compact: async () => database.compact?.(),
    get damage() {
      return damage
    },
    get checks() {
      return checks
    },
    get disk() {
      return disk
    },
    makeBackup: options.makeBackup?.(() => app) ?? ((path, to) => backupInChild(config, path, to)),
    wake: () => {},
  }
  const { damage, checks, disk, clock } = watchesOf(app, options, engine.check)
  const sealKey = createSealKeyLoader(app)
  if (!(await hasSealCertificate(app.db))) await createFirstSealCertificate(app)
  // Other verbs run no jobs and hold nothing.
  if (options.exclusive) await node.join()
  return { app, close: () => close(app, database, unlock) }
}

interface Listening {
  log: Log
  metrics: ServiceMetrics
  onSyncError: (error: unknown) => void
  app: () => App
}

function storeListeners({ log, metrics, onSyncError, app }: Listening): StoreListeners {
  return {
    onSyncError,
    onLeftover: error => log('warn', 'a temporary file could not be removed', { error: errorMessage(error) }),
    onDamage: (sha256, damage) => app().damage.noteFile(sha256, damage),
    onUnavailable: () => metrics.fileStoreErrors.of().add(),
  }
}

const identityOf = ({ nodeName, dataFolder }: Config) => ({ name: nodeName, version, bootFile: join(dataFolder, 'signet.boot') })

/** Refuses as if the database were away: the request may be repeated, on another node at once. */
function withRightClock(write: Database['write'], node: () => OwnNode): Database['write'] {
  return async (work, how) => {
    if (node().hasRightClock()) return write(work, how)
    const cause = new Error('the clock of this machine differs from the database’s')
    throw new DatabaseUnavailableError('not-done', { cause })
  }
}

interface DatabaseOptions extends AppOptions {
  machine: Machine
  log: Log
  metrics: ServiceMetrics
  /** No other process has the data folder. */
  isLocked: boolean
}

/** The database, its secrets opened by the master key, and whose it is. */
async function openDatabase(config: Config, options: DatabaseOptions) {
  const { machine, withDatabase, metrics, log, isLocked } = options
  const onUnavailable = () => metrics.databaseErrors.of().add()
  const mayMigrate = options.mayMigrate ?? (isShared(config) ? options.exclusive : isLocked)
  const engine = await findEngine({ ...options, config, mayMigrate, onUnavailable })
  const { filesUrl } = config
  // Other verbs change no schema of a database that is served, and few of them need files.
  if (filesUrl !== undefined && (options.exclusive || options.mayMigrate))
    await lookAtBucket(filesUrl, machine, await engine.instanceId())
  // The key before the schema: a first start that is interrupted between them can be repeated.
  const masterKey = loadMasterKey(config.dataFolder, config.masterKeyFile, engine.isNew && machine.random)
  const found = secretBox(masterKey, machine.random)
  const opened = await engine.open(masterKey)
  const database = withDatabase?.(opened) ?? opened
  await requireNotMoved(database, config)
  await requireKnownLevel(database.db)
  const keyFile = masterKeyPath(config.dataFolder, config.masterKeyFile)
  const secrets = await openSecrets(database, { found, keyFile, mayFinish: isLocked, log, random: machine.random })
  return { engine, database, secrets, instance: await identify(database, config, machine) }
}

function watchesOf(app: App, options: AppOptions, checkDatabase: (mode: CheckMode) => Promise<string[]>) {
  const damage = new StoredDataWatch(app, { checkDatabase: options.checkDatabase ?? checkDatabase })
  app.db.onUnreadable = (documentId, error) => damage.noteDocument(documentId, error)
  return {
    damage,
    checks: new BackgroundChecks(app),
    clock: new DataClockWatch(app, { builtAt }),
    disk: new DiskSpaceWatch(app, options.measureDisk ?? (() => app.fileSystem.space(app.config.dataFolder))),
  }
}

/** `unlock` is undefined for a verb that runs beside a serving instance. */
async function close(app: App, database: Database, unlock: (() => void) | undefined): Promise<void> {
  app.eventStreams.close()
  // A database that cannot be written does not prevent the end.
  await app.node.leave().catch(error => app.log('warn', 'this node could not be removed', { error: errorMessage(error) }))
  await app.damage.close()
  await app.checks.close()
  await app.pdf.close()
  app.mailer.close()
  await database.close()
  unlock?.()
}

/** Earlier versions created them with the umask's mode. */
const DATABASE_FILES = [
  ...['', '-wal', '-shm'].map(end => DATABASE_FILE + end),
  'signet.lock',
  'signet.lock-journal',
  'signet.holder',
]

/** Modes do not protect files there, and nothing else here does. */
function requirePrivateFiles(): void {
  if (process.platform !== 'win32') return
  throw new StartError(
    'Signet keeps no data on Windows, because it cannot close its files to other users there: serve on Linux. signet verify works here.',
  )
}

function makeFolder(folder: string): void {
  const interrupted = existsSync(databasePath(folder)) ? undefined : interruptedRestore(folder)
  if (interrupted !== undefined) throw new StartError(interrupted)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new StartError(
      `The data folder ${folder} cannot be written (${why}): choose another with --data, or give this user the right to write there.`,
    )
  }
  const problem = permissionProblem(folder, 0o700)
  if (problem !== undefined) throw new StartError(`The data folder ${folder} ${problem}`)
  for (const name of DATABASE_FILES) makePrivate(join(folder, name))
}

const isShared = ({ databaseUrl }: Config): boolean => databaseUrl !== undefined

/** Takes the lock; `undefined` for a verb that runs beside a serving instance. */
function lock(config: Config, { exclusive, lockHolder }: AppOptions): (() => void) | undefined {
  // The folder of a node holds nothing that a verb changes.
  if (isShared(config) && !exclusive) return undefined
  try {
    const unlock = lockFolder(config.dataFolder, lockHolder)
    // Under the lock, no restore runs. Other verbs read the former data as they are.
    const interrupted = exclusive ? interruptedRestore(config.dataFolder) : undefined
    if (interrupted === undefined) {
      forgetRestore(config.dataFolder)
      return unlock
    }
    unlock()
    throw new StartError(interrupted)
  } catch (error) {
    if (!exclusive && error instanceof FolderInUseError) return undefined
    throw error
  }
}

/** A verb that runs beside others has no row in `nodes`, which would prevent a rotation. */
function watchfulWrite({ write }: Database, secrets: SecretBox): Database['write'] {
  const watchful =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx) => {
      await requireSameKey(tx, secrets)
      return work(tx)
    }
  return (work, how) => write(watchful(work), how)
}

function admission(secrets: SecretBox, { onKeyReplaced }: AppOptions): (tx: Tx) => Promise<void> {
  return tx =>
    requireSameKey(tx, secrets).catch(error => {
      if (error instanceof MasterKeyError) onKeyReplaced?.(error)
      throw error
    })
}

async function requireNotMoved({ db, engine }: Database, { dataFolder }: Config): Promise<void> {
  const move = await readMoveState(db)
  if (move) throw new StartError(moveProblem(move, engine === 'sqlite' ? dataFolder : 'The database', engine))
}

async function identify(database: Database, config: Config, machine: Machine): Promise<Instance> {
  const { id, environment } = await firstFacts(database, config.environment, machine)
  if (environment !== config.environment) {
    throw new StartError(
      `This ${isShared(config) ? 'database' : 'data folder'} belongs to the environment "${environment}", not "${config.environment}": start it with SIGNET_ENVIRONMENT=${environment}, or use another ${isShared(config) ? 'database' : 'folder with --data'}.`,
    )
  }
  return { id, environment, isProduction: environment === 'production', version }
}

function openChildren({ command, exclusive }: AppOptions, log: Log): PdfTools {
  return openPdfTools({ command, size: 2, isPrewarmed: exclusive, limits: DEFAULT_LIMITS, log })
}

function openMail(deps: Pick<App, 'config' | 'db' | 'secrets' | 'fileSystem' | 'timers'>, { mailer, ...options }: AppOptions) {
  const connectMail = options.connectMail ?? (server => smtpMailer(server, deps.timers))
  return { mailer: mailer ?? new ConfiguredMailer({ ...deps, connectMail }), connectMail }
}

function syncErrorHandler(log: Log, options: AppOptions): (error: unknown) => void {
  return error => {
    log('error', 'sync failed', { error: errorMessage(error) })
    options.onSyncError?.()
  }
}

/** A store that does not answer might be that of another instance: nothing is started on it. */
async function openFiles(
  config: Config,
  machine: Machine,
  { owner, ...listeners }: StoreListeners & { owner: Instance | undefined },
) {
  const { dataFolder, filesUrl, filesCacheBytes } = config
  if (filesUrl === undefined) return openFolderStore(filesFolder(dataFolder), machine, listeners)
  const location = parseFilesUrl(filesUrl)
  // A folder needs nothing of it.
  const { openS3Store } = await import('./storage/s3-store.ts')
  return startWithBucket(async () => {
    const options = { location, folder: join(dataFolder, 'cache'), maxCacheBytes: filesCacheBytes, ...listeners }
    const store = await openS3Store(options, machine)
    if (owner) await store.takeFor(owner.id)
    return store
  })
}

/**
 * Before the schema is changed: a bucket that does not answer, or is that of another instance, ends
 * the start. A new database has no instance: then `takeFor` compares.
 */
async function lookAtBucket(filesUrl: string, machine: Machine, instanceId: string | undefined): Promise<void> {
  const { ownerOf, requireOwner } = await import('./storage/s3-store.ts')
  await startWithBucket(async () => {
    const owner = await ownerOf(parseFilesUrl(filesUrl), machine)
    if (owner !== undefined && instanceId !== undefined) requireOwner(owner, instanceId)
  })
}

async function startWithBucket<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileStoreTakenError || error instanceof FileStoreUnavailableError)) throw error
    throw new StartError(`SIGNET_FILES_URL: ${error.message}.`)
  }
}
