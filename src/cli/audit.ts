/** `signet audit verify`: verifies the chain of the audit log, also while it is written. */
import { readFile, writeFile } from 'node:fs/promises'
import { type Difference, KnownEntries } from '../audit/known-entries.ts'
import { verifyChain } from '../audit/log.ts'
import { type ComparedRows, compareWithLog, describeRowProblem } from '../documents/evidence/compare-with-log.ts'
import { CheckpointError, readCheckpoint, type VerifiedCheckpoint } from '../evidence/checkpoint.ts'
import { findContradiction, type Receipt, receiptIn } from '../evidence/receipt.ts'
import { readStatement, type StatementContext, StatementError, type StatementTimestamp } from '../evidence/signed-statement.ts'
import { diagnosisOfChain } from '../health/checks.ts'
import { keptWords, problemOfTime, type SignedWord, statementContext } from '../health/kept-statements.ts'
import { makeCheckpoint } from '../health/make-checkpoint.ts'
import { counted, entriesText } from '../lib/counted.ts'
import { toSafeText } from '../lib/safe-text.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { englishOfDiagnosis } from '../locales/diagnoses.ts'
import { englishOfRemark } from '../locales/remarks.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { describeSealCertificates } from '../settings/seal-certificate.ts'
import { type GivenWitness, keptWitnessWords, WitnessFileError, witnessWordsIn } from '../witness/words.ts'
import { dataFolderError, withApp, withDataFolder } from './data-folder.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet audit checkpoint`: signs the state of the audit log, to be kept elsewhere.

export const auditCheckpoint: Verb = {
  name: 'audit checkpoint',
  usage: 'signet audit checkpoint [FILE] [--data DIR]',
  summary: 'signs the number and hash of the newest entry of the audit log; keep the file elsewhere. Without FILE it is printed',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    const [file, another] = parsed.positionals
    if (another !== undefined) throw new UsageError('name one file')
    return withDataFolder(parsed, io, 'audit checkpoint', async app => {
      const { text, checkpoint } = await makeCheckpoint(app, COMMAND_LINE)
      if (file === undefined) {
        io.out(text.trimEnd())
        return
      }
      await writeFile(file, text, { flag: 'wx' })
      io.out(`${file}: entry ${checkpoint.sequence}, hash ${checkpoint.hash}`)
    })
  },
}

const UNREADABLE = 2

export const auditVerify: Verb = {
  name: 'audit verify',
  usage: 'signet audit verify [--checkpoint FILE]… [--receipt FILE]… [--witness FILE]… [--data DIR]',
  summary:
    'verifies the audit log, and compares all documents and all kept checkpoints with it: exit 0 intact, 1 changed, 2 not verified. Only what was kept elsewhere shows that its newest entries are missing, or that all of it was made anew',
  failureCode: UNREADABLE,
  async run(args, io) {
    const parsed = parseFlags(args, { '--checkpoint': 'list', '--receipt': 'list', '--witness': 'list', '--data': 'value' })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const missing = dataFolderError(config)
    if (missing !== undefined) {
      io.err(missing)
      return UNREADABLE
    }
    return withApp(config, io, 'audit verify', async app => {
      const given = await readGiven(app, parsed.lists)
      const words = [...(await keptWords(app)), ...(await keptWitnessWords(app)), ...given.words]
      const known = new KnownEntries(words.flatMap(({ entry }) => entry ?? []))
      const verdict = await verifyChain(app.db, { each: known.add })
      if (!('head' in verdict)) {
        io.out(`CHANGED: ${englishOfDiagnosis(diagnosisOfChain(verdict))}`)
        return 1
      }
      const found = compareWords(words, known)
      if (found.different.length > 0) {
        io.out(`CHANGED: each entry follows from the one before (${entriesText(verdict.count)}, hash ${verdict.head}), but`)
        io.out(listOfDifferent(found))
        return 1
      }
      const rows = await compareWithLog(app.db)
      if (rows.problemCount > 0) {
        io.out(`CHANGED: the log is intact (${entriesText(verdict.count)}, hash ${verdict.head}), but documents differ from it:`)
        io.out(listOf(rows))
        return 1
      }
      io.out(
        `INTACT: ${entriesText(verdict.count)}, hash ${verdict.head}; ${counted(rows.count, 'document or template is', 'documents and templates are')} as it says`,
      )
      const places = new Set(given.words.map(({ place }) => place))
      for (const line of linesOfSame({ ...found, same: found.same.filter(({ place }) => !places.has(place)) })) io.out(line)
      for (const text of given.texts) io.out(text)
      return 0
    })
  },
}

function listOf({ problems, problemCount }: ComparedRows): string {
  const more = problemCount - problems.length
  const lines = problems.map(problem => `- ${toSafeText(describeRowProblem(problem))}`)
  return [...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n')
}

const NO_CHECKPOINT =
  'Without --checkpoint, nothing shows whether the newest entries were removed, or the whole log was made anew.'

/** What files say, and what is said of them if they agree. @throws UsageError */
async function readGiven(app: App, lists: Record<string, string[]>): Promise<{ words: SignedWord[]; texts: string[] }> {
  const checkpoints = await checkpointsIn(app, lists['--checkpoint'] ?? [])
  const receipts = await receiptsIn(app, lists['--receipt'] ?? [])
  const witnesses = await witnessesIn(app, lists['--witness'] ?? [])
  const ofWitnesses = witnesses.flatMap(({ words }) => words)
  const words = [...checkpoints.map(wordOfGiven), ...receipts.map(wordOfReceipt), ...ofWitnesses]
  const texts = [
    ...(await Promise.all(checkpoints.map(each => describeCheckpoint(app, each)))),
    ...(await Promise.all(receipts.map(each => describeReceipt(app, each)))),
    ...linesOfSame({ same: ofWitnesses, different: [], replaced: [] }),
    ...witnesses.flatMap(({ signers }) => signers),
  ]
  return { words, texts: words.length === 0 ? [NO_CHECKPOINT] : texts }
}

// What somebody signed, compared with the log.

interface ComparedWords {
  same: SignedWord[]
  different: { word: SignedWord; why: string }[]
  /** Of before a restore: the backup may lack their entries. */
  replaced: SignedWord[]
}

function compareWords(words: readonly SignedWord[], known: KnownEntries): ComparedWords {
  const compared: ComparedWords = { same: [], different: [], replaced: [] }
  for (const word of words) {
    const { entry, problem } = word
    const difference = entry && known.differenceOf(entry)
    if (problem !== undefined) compared.different.push({ word, why: problem })
    else if (entry === undefined || difference === undefined) compared.same.push(word)
    else if (word.isBeforeRestore) compared.replaced.push(word)
    else compared.different.push({ word, why: DIFFERENCES[difference](entry.sequence) })
  }
  return compared
}

const DIFFERENCES: Record<Difference, (sequence: number) => string> = {
  missing: sequence => `the log has no entry ${sequence}: entries were removed`,
  'other entry': sequence => `the log has another entry ${sequence}: it was made anew`,
  'other tree': sequence => `the log has another entry before entry ${sequence}: it was made anew`,
}

const MAX_LISTED = 20

function listOfDifferent(found: ComparedWords): string {
  const more = found.different.length - MAX_LISTED
  const lines = found.different.slice(0, MAX_LISTED).map(({ word, why }) => toSafeText(`- ${word.by}: ${why}`))
  return [...lines, ...(more > 0 ? [`And ${more} more.`] : []), ...linesOfSame(found)].join('\n')
}

/** By place. Of what is kept here, only a time-stamp shows that a key has not signed it anew. */
function linesOfSame({ same, replaced }: ComparedWords): string[] {
  const places = [...new Set(same.map(({ place }) => place))]
  const agree = places.map(place => {
    const there = same.filter(word => word.place === place)
    const stamped = there.filter(word => word.hasTrustedTime).length
    const time = `${stamped} with the time-stamp of a trusted authority`
    return `The log agrees with ${counted(there.length, 'checkpoint', 'checkpoints')} ${place}, ${time}.`
  })
  if (replaced.length === 0) return agree
  const count = counted(replaced.length, 'checkpoint is', 'checkpoints are')
  return [...agree, `${count} of before a backup was restored, and not of this log. If none was, the log was made anew.`]
}

interface GivenCheckpoint extends VerifiedCheckpoint {
  file: string
}

async function checkpointsIn(app: App, files: readonly string[]): Promise<GivenCheckpoint[]> {
  const context = await statementContext(app)
  const given: GivenCheckpoint[] = []
  for (const file of files) {
    try {
      given.push({ file, ...readCheckpoint(await readFile(file), context) })
    } catch (error) {
      if (error instanceof CheckpointError) throw new UsageError(`${file} cannot be used: ${error.message}`)
      throw error
    }
  }
  for (const each of given) requireOwn(app, each)
  return given
}

const placeOf = ({ file }: { file: string }) => `in ${file}`

function wordOfGiven({ file, checkpoint, timestamp }: GivenCheckpoint): SignedWord {
  const problem = problemOfTime(checkpoint, timestamp)
  return {
    ...{
      place: placeOf({ file }),
      by: `the checkpoint of ${checkpoint.at.slice(0, 10)} in ${file}`,
      problem,
      isBeforeRestore: false,
    },
    entry: problem === undefined ? checkpoint : undefined,
    hasTrustedTime: timestamp?.verdict === 'trusted',
  }
}

function requireOwn({ instance }: App, { checkpoint }: VerifiedCheckpoint): void {
  if (checkpoint.instance !== instance.id)
    throw new UsageError(`the checkpoint is of the instance ${checkpoint.instance}, this one is ${instance.id}`)
}

async function describeCheckpoint(app: App, { checkpoint, signer, timestamp }: GivenCheckpoint): Promise<string> {
  const by = toSafeText(`${signer.subject} (SHA-256 ${signer.sha256})`)
  return [
    `Nothing up to entry ${checkpoint.sequence} was changed since ${checkpoint.at}, when the checkpoint was signed by ${by}.`,
    await describeSigner(app, signer.sha256),
    ...(timestamp ? [describeTime(timestamp)] : []),
  ].join('\n')
}

async function describeSigner(app: App, certificateSha256: string): Promise<string> {
  const known = (await describeSealCertificates(app.db)).some(({ sha256 }) => sha256 === certificateSha256)
  return known
    ? 'This certificate sealed here.'
    : 'This certificate is not among those that sealed here: compare its fingerprint.'
}

function describeTime({ at, authority, verdict }: StatementTimestamp): string {
  const trust = verdict === 'trusted' ? 'is trusted here' : 'is not trusted here'
  return toSafeText(`It was time-stamped on ${at} by ${authority}, which ${trust}.`)
}

async function witnessesIn(app: App, files: readonly string[]): Promise<GivenWitness[]> {
  const given: GivenWitness[] = []
  for (const file of files) {
    try {
      given.push(await witnessWordsIn(app, await readFile(file), file))
    } catch (error) {
      if (error instanceof WitnessFileError) throw new UsageError(`${file} cannot be used: ${error.message}`)
      throw error
    }
  }
  return given
}

// Receipts of those who signed: what each of them holds of the log.

interface GivenReceipt {
  file: string
  receipt: Receipt
  certificateSha256: string
  timestamp: StatementTimestamp | undefined
}

/** @throws UsageError for a file that is no receipt, or one of another instance */
async function receiptsIn(app: App, files: readonly string[]): Promise<GivenReceipt[]> {
  const context = await statementContext(app)
  return Promise.all(files.map(async file => ({ file, ...receiptOf(app, file, await readFile(file), context) })))
}

function receiptOf({ instance }: App, file: string, bytes: Uint8Array, context: StatementContext) {
  try {
    const statement = readStatement(bytes, context)
    const receipt = receiptIn(statement)
    if (receipt.instance.id !== instance.id)
      throw new UsageError(toSafeText(`the receipt is of the instance ${receipt.instance.id}, this one is ${instance.id}`))
    return { receipt, certificateSha256: sha256Hex(statement.signer.der), timestamp: statement.timestamp }
  } catch (error) {
    if (error instanceof StatementError) throw new UsageError(`${file} cannot be used: ${error.message}`)
    throw error
  }
}

function wordOfReceipt({ file, receipt, timestamp }: GivenReceipt): SignedWord {
  const contradiction = findContradiction(receipt)
  const isFalse = timestamp?.verdict === 'false'
  const problem = contradiction ? englishOfRemark(contradiction) : isFalse ? 'its time-stamp is not valid' : undefined
  return {
    ...{ place: placeOf({ file }), by: `the receipt of ${receipt.signer.name} in ${file}`, problem, isBeforeRestore: false },
    entry: problem === undefined ? receipt.entry : undefined,
    hasTrustedTime: timestamp?.verdict === 'trusted',
  }
}

async function describeReceipt(app: App, { receipt, certificateSha256, timestamp }: GivenReceipt): Promise<string> {
  const { signer, document, signedAt, entry } = receipt
  const who = toSafeText(`${signer.name}, ${signedAt}, for “${document.title}” (${document.id})`)
  return [
    `The log still contains entry ${entry.sequence} of the receipt of ${who}, unchanged.`,
    await describeSigner(app, certificateSha256),
    ...(timestamp ? [describeTime(timestamp)] : []),
  ].join('\n')
}
