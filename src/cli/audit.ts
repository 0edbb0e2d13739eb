/** `signet audit verify`: verifies the chain of the audit log, also while it is written. */
import { readFile, writeFile } from 'node:fs/promises'
import { verifyChain } from '../audit/log.ts'
import { type ComparedRows, compareWithLog, describeRowProblem } from '../documents/evidence/compare-with-log.ts'
import { CheckpointError, readCheckpoint, type VerifiedCheckpoint } from '../evidence/checkpoint.ts'
import { diagnosisOfChain } from '../health/checks.ts'
import { makeCheckpoint } from '../health/make-checkpoint.ts'
import { counted, entriesText } from '../lib/relative-time.ts'
import { toSafeText } from '../lib/safe-text.ts'
import { englishOfDiagnosis } from '../locales/diagnoses.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { describeSealCertificates } from '../settings/seal-certificate.ts'
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
  usage: 'signet audit verify [--checkpoint FILE] [--data DIR]',
  summary:
    'verifies the audit log, and compares all documents with it: exit 0 intact, 1 changed, 2 not verified. Only an older checkpoint shows that its newest entries are missing, or that all of it was made anew',
  failureCode: UNREADABLE,
  async run(args, io) {
    const parsed = parseFlags(args, { '--checkpoint': 'value', '--data': 'value' })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const missing = dataFolderError(config)
    if (missing !== undefined) {
      io.err(missing)
      return UNREADABLE
    }
    const known = await checkpointIn(parsed.values['--checkpoint'])
    return withApp(config, io, 'audit verify', async app => {
      if (known) requireOwn(app, known)
      const verdict = await verifyChain(app.db, known ? { known: known.checkpoint } : {})
      if (!('head' in verdict)) {
        io.out(`CHANGED: ${englishOfDiagnosis(diagnosisOfChain(verdict))}`)
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
      io.out(known ? await describeCheckpoint(app, known) : NO_CHECKPOINT)
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

async function checkpointIn(file: string | undefined): Promise<VerifiedCheckpoint | undefined> {
  if (file === undefined) return undefined
  try {
    return readCheckpoint(await readFile(file), { timestampTrust: [], now: new Date() })
  } catch (error) {
    if (error instanceof CheckpointError) throw new UsageError(`${file} cannot be used: ${error.message}`)
    throw error
  }
}

function requireOwn({ instance }: App, { checkpoint }: VerifiedCheckpoint): void {
  if (checkpoint.instance !== instance.id)
    throw new UsageError(`the checkpoint is of the instance ${checkpoint.instance}, this one is ${instance.id}`)
}

async function describeCheckpoint(app: App, { checkpoint, signer }: VerifiedCheckpoint): Promise<string> {
  const known = (await describeSealCertificates(app.db)).some(({ sha256 }) => sha256 === signer.sha256)
  const by = `${signer.subject} (SHA-256 ${signer.sha256})`
  return [
    `Nothing up to entry ${checkpoint.sequence} was changed since ${checkpoint.at}, when the checkpoint was signed by ${by}.`,
    known ? 'This certificate sealed here.' : 'This certificate is not among those that sealed here: compare its fingerprint.',
  ].join('\n')
}
