/** The checks of an installation: what `signet doctor` prints and the Health page shows. */
import { listAlerts } from '../alerts/queries.ts'
import { type ChainVerdict, type VerifyOptions, verifyChain } from '../audit/log.ts'
import { isBackupMissed } from '../backups/plan.ts'
import { newestVerified } from '../backups/run-queries.ts'
import { type Config, describeUnknown } from '../config.ts'
import { compareWithLog, diagnosisOfRow } from '../documents/evidence/compare-with-log.ts'
import { testSealKey } from '../documents/sealing/test-page.ts'
import { filesAfter, referencedFiles } from '../files/queries.ts'
import { counted } from '../lib/counted.ts'
import { filesFolder, masterKeyPath } from '../lib/data-paths.ts'
import { type DiskSpace, diskLevelOf, lowBytesOf, nearLowBytesOf } from '../lib/disk.ts'
import { DAY_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import { type Diagnosis, diagnosis } from '../locales/diagnoses.ts'
import type { App } from '../ports.ts'
import { isKeyCopyMissing } from '../settings/master-key-match.ts'
import { isRotationUnfinished } from '../settings/master-key-rotation.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { readServiceSetting } from '../settings/service-settings.ts'
import { type FileStore, FileStoreUnavailableError, type StoreMachine, sha256OfName } from '../storage/file-store.ts'
import { openFolderStore } from '../storage/folder-store.ts'
import { keptCheckpoint, newestOfRows } from './checkpoints.ts'
import { CERTIFICATE_WARN_DAYS, type Check, type Finding, failed, passed, warning } from './finding.ts'
import { storedFiles } from './queries.ts'
import { examineServer } from './server.ts'

export function checksOf(app: App, areAllFilesChecked = true): Check[] {
  return [
    ['files', () => checkFiles(app, areAllFilesChecked)],
    ['audit log', () => checkAuditLog(app)],
    ['documents', () => checkDocuments(app)],
    ['alerts', () => reportAlerts(app)],
    ['seal certificate', () => checkSealCertificate(app)],
    ['seal', () => checkSeal(app)],
    ['children', () => reportConfinement(app)],
    ['mail', async () => [await checkMail(app)]],
    ['sending', () => checkSending(app)],
    ['master key', () => checkKeyRotation(app)],
    ['master key', () => checkKeyCopy(app)],
    ['backups', () => checkBackups(app)],
    ['address', async () => [checkAddress(await serviceAddress(app))]],
    ...checksOfMachine(app.config, async () => (await app.disk.measure()).space),
  ]
}

/** Those that read much or seal something: they run when somebody asks. The page shows the rest. */
export const deepChecksOf = (app: App, pace: Pace): Check[] => [
  ['database', () => (app.db.engine === 'sqlite' ? checkDatabase(app) : checkServer(app))],
  ['audit log', () => checkAuditLog(app, pace)],
  ['documents', () => checkDocuments(app, pace)],
  ['files', () => checkFiles(app, false)],
  ['file size', () => sizeOfFiles(app)],
  ['seal', () => checkSeal(app)],
  ['children', () => reportConfinement(app)],
]

async function checkDatabase({ damage }: App): Promise<Finding[]> {
  return databaseFindings(await damage.checkDatabase())
}

const checkServer = async (app: App): Promise<Finding[]> => (await examineServer(app)).findings

/** Of what SQLite reports about the whole database. */
export function databaseFindings(problems: readonly string[]): Finding[] {
  if (problems.length === 0) return [passed('database', diagnosis('database_intact'))]
  return problems.map(problem => failed('database', diagnosis('database_pages_damaged', { problem })))
}

export const checksWithoutDatabase = (config: Config, machine: StoreMachine): Check[] => [
  ['files', () => checkFilesByName(filesFolder(config.dataFolder), machine)],
  ['address', () => [checkAddress(config.baseUrl)]],
  ...checksOfMachine(config, () => machine.fileSystem.space(config.dataFolder)),
]

/** `measureDisk`: as the service itself measures, where there is one. */
export const checksOfMachine = (config: Config, measureDisk: () => Promise<DiskSpace>): Check[] => [
  ['master key', () => [checkMasterKey(config)]],
  ['settings', () => config.unknownVariables.map(unknown => warning('settings', describeUnknown(unknown)))],
  ['disk', async () => [diskFinding(await measureDisk())]],
]

/** The open alerts. Files are checked again first: one may have been restored since. */
async function reportAlerts({ db, damage }: App): Promise<Finding[]> {
  await damage.recheck()
  return (await listAlerts(db, 100)).map(({ message, since }) => warning('alert', `${message} (since ${since.toISOString()})`))
}

/** A finding only after a restore. */
async function checkSending({ db }: App): Promise<Finding[]> {
  const pause = await sendingPause(db)
  if (pause === undefined) return []
  const what = `a backup of ${pause.backupMadeAt.toISOString()} was restored on ${pause.since.toISOString()}`
  return [warning('sending', `is paused: ${what}. Mails and webhooks wait: resume sending in Settings, Backups`)]
}

/** A finding only after a rotation whose new key is not yet in the file of this node. */
async function checkKeyRotation({ db, config }: App): Promise<Finding[]> {
  if (!(await isRotationUnfinished(db))) return []
  const file = masterKeyPath(config.dataFolder, config.masterKeyFile)
  return [warning('master key', `${file} has the former key: put the one there that signet key rotate-master made`)]
}

/** A finding only where backups do not contain the key. */
async function checkKeyCopy(app: App): Promise<Finding[]> {
  if (!(await isKeyCopyMissing(app))) return []
  const remedy = 'print it with signet key print, and test the copy under Settings, Backups'
  return [warning('master key', `backups do not contain it, and nobody has tested a copy of it: ${remedy}`)]
}

/** Of those that the instance makes by itself; alerts tell of one that failed. */
async function checkBackups(app: App): Promise<Finding[]> {
  if (await isBackupMissed(app))
    return [warning('backups', 'none are set up: see Settings, Backups, or run signet backup by a timer')]
  const last = await newestVerified(app.db)
  return last ? [passed('backups', `the last one is of ${last.startedAt.toISOString()}, in ${last.place}`)] : []
}

async function sizeOfFiles({ db }: App): Promise<Finding[]> {
  const { count, bytes } = await storedFiles(db)
  return [passed('file size', diagnosis('files_stored', { count, megabytes: (bytes / 1e6).toFixed(1) }))]
}

/** How the audit log is read while the service goes on. */
export type Pace = Pick<VerifyOptions, 'rowsAtOnce' | 'progress'>

async function checkAuditLog(app: App, pace: Pace = {}): Promise<Finding[]> {
  const known = (await keptCheckpoint(app))?.checkpoint ?? (await newestOfRows(app.db))
  const chain = await verifyChain(app.db, { ...pace, ...(known ? { known } : {}) })
  return [('head' in chain ? passed : failed)('audit log', diagnosisOfChain(chain))]
}

const MAX_NAMED = 20

/** Whether the rows are what the log says of them. */
async function checkDocuments({ db }: App, { progress }: Pace = {}): Promise<Finding[]> {
  const { count, problems, problemCount } = await compareWithLog(db, {
    maxProblems: MAX_NAMED,
    ...(progress ? { documentsAtOnce: 20, progress } : {}),
  })
  if (problemCount === 0) return [passed('documents', diagnosis('documents_agree', { count }))]
  const more = problemCount - problems.length
  const rest = more > 0 ? [failed('documents', diagnosis('more_documents_differ', { count: more }))] : []
  return [...problems.map(problem => failed('documents', diagnosisOfRow(problem))), ...rest]
}

export function diagnosisOfChain(verdict: ChainVerdict): Diagnosis {
  if ('head' in verdict) return diagnosis('log_intact', { count: verdict.count, head: verdict.head })
  if ('firstInvalid' in verdict) return diagnosis('log_entry_changed', { entry: verdict.firstInvalid })
  if ('endsAt' in verdict) return diagnosis('log_shortened', { entry: verdict.endsAt })
  return diagnosis('log_rewritten', { entry: verdict.rewrittenUpTo })
}

async function checkSealCertificate(app: App): Promise<Finding[]> {
  const name = 'seal certificate'
  const { subject, notAfter } = await describeSealCertificate(app.db)
  const days = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  if (days < 0) return [failed(name, `${subject} expired on ${notAfter.toISOString()}`)]
  if (days < CERTIFICATE_WARN_DAYS) return [warning(name, `${subject} expires in ${counted(days, 'day')}`)]
  return [passed(name, `${subject}, valid until ${notAfter.toISOString().slice(0, 10)}`)]
}

async function checkSeal(app: App): Promise<Finding[]> {
  const problem = await testSealKey(app, await app.sealKey())
  return [problem === undefined ? passed('seal', diagnosis('seal_works')) : failed('seal', problem)]
}

/** How the child processes that read PDFs are confined on this machine. */
async function reportConfinement({ pdf }: App): Promise<Finding[]> {
  const { inForce, missing } = await pdf.confinement()
  return [
    ...(inForce.length > 0 ? [passed('children', diagnosis('children_confined', { measures: inForce.join(', ') }))] : []),
    ...missing.map(({ what, why }) => warning('children', diagnosis('child_not_confined', { measures: what, reason: why }))),
  ]
}

function checkMasterKey({ masterKeyFile }: Config): Finding {
  return masterKeyFile
    ? passed('master key', `in ${masterKeyFile}`)
    : warning('master key', 'is in the folder that it protects: keep it elsewhere with SIGNET_MASTER_KEY_FILE')
}

async function checkMail(app: App): Promise<Finding> {
  return (await readServiceSetting(app, 'smtpUrl'))
    ? passed('mail', 'a mail server is set')
    : warning('mail', 'no mail server is set: mails are written to outbox/ and not sent')
}

export function checkAddress(baseUrl: string): Finding {
  return baseUrl.startsWith('https://')
    ? passed('address', baseUrl)
    : warning('address', `${baseUrl} is not https: signing links can be read on the network, and cookies are sent without TLS`)
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

function diskFinding(space: DiskSpace): Finding {
  const free = `${megabytes(space.freeBytes)} free`
  const level = diskLevelOf(space)
  if (level === 'ok') {
    const isNear = space.freeBytes < nearLowBytesOf(space)
    return isNear
      ? warning('disk', `only ${free}: below ${megabytes(lowBytesOf(space))} new documents are refused`)
      : passed('disk', free)
  }
  const effect = level === 'low' ? 'new documents and pictures are refused' : 'every change is refused'
  return failed('disk', `only ${free}: ${effect} until ${megabytes(lowBytesOf(space))} are free`)
}

// Checks of stored files: their bytes, and whether rows and files agree.

const FILES_AT_ONCE = 1000
/** Enough to notice that a bucket lost a hundredth of its objects. */
const SAMPLED_FILES = 500
/** The schedule removes what is older and has no row. */
const MIN_ORPHAN_AGE_MS = 2 * DAY_MS
const SLOW_PING_MS = 2000

/** The problem of a stored file; undefined if it is intact. */
async function checkFile(storage: FileStore, sha256: string): Promise<Finding | undefined> {
  const file = `${sha256}.pdf`
  try {
    const found = await storage.hashOf(sha256)
    if (found === sha256) return undefined
    return failed('files', diagnosis(found === undefined ? 'file_missing' : 'file_changed', { file }))
  } catch (error) {
    // Then no file can be checked.
    if (error instanceof FileStoreUnavailableError) throw error
    return failed('files', diagnosis('file_unreadable', { file, reason: errorMessage(error) }))
  }
}

interface Checked {
  count: number
  problems: Finding[]
}

async function checkEach(storage: FileStore, hashes: AsyncIterable<string> | Iterable<string>): Promise<Checked> {
  const checked: Checked = { count: 0, problems: [] }
  for await (const sha256 of hashes) {
    const problem = await checkFile(storage, sha256)
    if (problem) checked.problems.push(problem)
    checked.count++
  }
  return checked
}

const findings = ({ problems, count }: Checked, intact: 'files_intact' | 'file_sample_intact' = 'files_intact'): Finding[] =>
  problems.length > 0 ? problems : [passed('files', diagnosis(intact, { count }))]

async function* referenced({ db }: App): AsyncIterable<string> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: string[] = await filesAfter(db, after, FILES_AT_ONCE)
    yield* batch
    after = batch.length < FILES_AT_ONCE ? undefined : batch.at(-1)
  }
}

/** Names are hashes: those that follow a random one are a random sample. */
async function sampleOf({ db, random }: App): Promise<Set<string>> {
  const following = await filesAfter(db, random(32).toHex(), SAMPLED_FILES)
  const first = await filesAfter(db, '', SAMPLED_FILES - following.length)
  return new Set([...following, ...first])
}

/** In a folder all files are read. From a store elsewhere each is fetched: a sample, or all. */
export async function checkFiles(app: App, areAllChecked: boolean): Promise<Finding[]> {
  const isElsewhere = app.storage.copies() !== undefined
  if (!isElsewhere) return findings(await checkEach(app.storage, referenced(app)))
  const ping = await pingStore(app)
  if (ping.verdict === 'error') return [ping]
  const checked = await checkEach(app.storage, areAllChecked ? referenced(app) : await sampleOf(app))
  const isSample = !areAllChecked && checked.count === SAMPLED_FILES
  return [
    ping,
    ...findings(checked, isSample ? 'file_sample_intact' : 'files_intact'),
    await checkOrphans(app, areAllChecked),
    ...checkCopies(app),
  ]
}

async function pingStore({ storage, steadyMs }: App): Promise<Finding> {
  const beganMs = steadyMs()
  try {
    await storage.ping()
  } catch (error) {
    return failed('file store', errorMessage(error))
  }
  const ms = Math.round(steadyMs() - beganMs)
  return ms > SLOW_PING_MS
    ? warning('file store', diagnosis('store_answers_slowly', { ms }))
    : passed('file store', diagnosis('store_answers', { ms }))
}

/** Objects without a row: of an upload that goes on, or left by one that failed. */
async function checkOrphans({ storage, db, now }: App, areAllChecked: boolean): Promise<Finding> {
  let objects = 0
  let old = 0
  for await (const page of storage.list()) {
    const rows = page.length > 0 ? await referencedFiles(db, page) : new Set<string>()
    objects += page.length
    for (const sha256 of page.filter(each => !rows.has(each))) {
      const storedAt = await storage.storedAt(sha256)
      if (storedAt !== undefined && now().getTime() - storedAt.getTime() > MIN_ORPHAN_AGE_MS) old++
    }
    if (!areAllChecked) break
  }
  return old > 0
    ? warning('objects', diagnosis('objects_left_behind', { old, objects }))
    : passed('objects', diagnosis('objects_in_order', { old, objects }))
}

function checkCopies({ storage }: App): Finding[] {
  const copies = storage.copies()
  if (copies === undefined) return []
  const inMegabytes = (bytes: number) => Math.round(bytes / 1e6)
  const kept = { megabytes: inMegabytes(copies.bytes), max: inMegabytes(copies.maxBytes) }
  return [passed('copies', diagnosis('copies_kept', kept))]
}

/** Without a database: the files in the folder. Missing files cannot be found. */
async function checkFilesByName(folder: string, machine: StoreMachine): Promise<Finding[]> {
  const hashes = (await machine.fileSystem.names(folder)).flatMap(name => sha256OfName(name) ?? [])
  return findings(await checkEach(await openFolderStore(folder, machine), hashes))
}
