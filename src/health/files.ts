/** Checks of stored files: their bytes, and whether rows and files agree. */
import { filesAfter, referencedFiles } from '../files/queries.ts'
import { counted } from '../lib/counted.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { App } from '../ports.ts'
import { type FileStore, FileStoreUnavailableError, type StoreMachine } from '../storage/file-store.ts'
import { openFolderStore } from '../storage/folder-store.ts'
import { type Finding, failed, passed, warning } from './finding.ts'

const FILES_AT_ONCE = 1000
/** Enough to notice that a bucket lost a hundredth of its objects. */
const SAMPLED_FILES = 500
/** The schedule removes what is older and has no row. */
const MIN_ORPHAN_AGE_MS = 2 * 86_400_000
const SLOW_PING_MS = 2000

/** The problem of a stored file; undefined if it is intact. */
async function checkFile(storage: FileStore, sha256: string): Promise<Finding | undefined> {
  const name = `${sha256}.pdf`
  try {
    const found = await storage.hashOf(sha256)
    if (found === sha256) return undefined
    const problem = found === undefined ? 'is missing' : 'has changed'
    return failed('files', `${name} ${problem}: restore it from a backup`)
  } catch (error) {
    // Then no file can be checked.
    if (error instanceof FileStoreUnavailableError) throw error
    return failed('files', `${name} cannot be read (${errorMessage(error)}): restore it from a backup`)
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

const findings = ({ problems, count }: Checked, which = ''): Finding[] =>
  problems.length > 0 ? problems : [passed('files', `${counted(count, 'file')}${which}, the hash of each matches its name`)]

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
    ...findings(checked, isSample ? ' of a random sample (all with --all-files)' : ''),
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
  const message = `an object was put, read and deleted in ${ms} ms`
  return ms > SLOW_PING_MS ? warning('file store', `${message}: uploads and pages wait for it`) : passed('file store', message)
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
  const message = `${old} old and without a row, of ${objects} looked at`
  return old > 0 ? warning('objects', `${message}: the daily sweep should have removed them`) : passed('objects', message)
}

function checkCopies({ storage }: App): Finding[] {
  const copies = storage.copies()
  if (copies === undefined) return []
  const [bytes, maxBytes] = [copies.bytes, copies.maxBytes].map(each => Math.round(each / 1e6))
  return [passed('copies', `${bytes} MB of at most ${maxBytes} MB in the data folder`)]
}

/** Without a database: the files in the folder. Missing files cannot be found. */
export async function checkFilesByName(folder: string, machine: StoreMachine): Promise<Finding[]> {
  const hashes = (await machine.fileSystem.names(folder)).flatMap(name => /^([0-9a-f]{64})\.pdf$/.exec(name)?.[1] ?? [])
  return findings(await checkEach(await openFolderStore(folder, machine), hashes))
}
