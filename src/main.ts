/** Entry point: runs a command-line verb; failures become a message and an exit code. */
import { writeSync } from 'node:fs'
import type { Io, Verb } from './cli/verb.ts'
import { findVerb, loadVerbs, VERB_NAMES } from './cli/verbs.ts'
import { Refusal } from './core/refusal.ts'
import { diskErrorSentence } from './lib/disk.ts'
import { DATABASE_CHECK, ownCommand } from './lib/own-command.ts'
import { EXIT_SOFTWARE, guardProcess, makeTemporaryFolder } from './lib/process-guard.ts'
import { englishOf, englishOfRefusal } from './locales/violations.ts'

/** Hidden verb: runs a child process of the sandbox. */
const PDF_CHILD = '__pdf-child'
const CHILD_COMMAND = [...ownCommand(), PDF_CHILD]

/** Writes synchronously: text that a slow reader has not taken yet would be lost at the exit. */
function write(descriptor: 1 | 2, text: string): void {
  for (let rest = Buffer.from(`${text}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // EPIPE: the reader has closed the pipe.
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      Bun.sleepSync(5)
    }
  }
}

const io: Io = {
  out: text => write(1, text),
  err: text => write(2, text),
  env: process.env,
  stdin: () => Bun.stdin.text(),
  command: CHILD_COMMAND,
  async open(config, lockHolder, mayMigrate) {
    const [{ openApp }, { openLog }, { THIS_MACHINE }] = await Promise.all([
      import('./app.ts'),
      import('./lib/log.ts'),
      import('./lib/this-machine.ts'),
    ])
    const exclusive = mayMigrate && config.databaseUrl === undefined
    const migrating = mayMigrate ? { mayMigrate } : {}
    const log = openLog('warn', THIS_MACHINE)
    return openApp(config, { command: CHILD_COMMAND, exclusive, ...migrating, lockHolder, log })
  },
  async serve(config) {
    const { serveUntilSignal } = await import('./serving.ts')
    await serveUntilSignal(config, CHILD_COMMAND, io.out)
  },
}

/** One sentence for each error: a refused input may have several. */
function sentencesOf(error: Error): string[] {
  const details = error instanceof Refusal ? error.details : []
  return details.length > 0
    ? details.map(error => `${error.path}: ${englishOf(error)}`)
    : [error instanceof Refusal ? englishOfRefusal(error) : error.message]
}

/** Exit codes: 2 wrong usage, 3 schema too new, otherwise 1 or the verb's own code. */
async function reportFailure(error: Error, verb: Verb): Promise<number> {
  const [{ UsageError }, { ConfigError }, { SchemaTooNewError }, { BackupError }] = await Promise.all([
    import('./cli/verb.ts'),
    import('./config.ts'),
    import('./db/migrate.ts'),
    import('./backups/error.ts'),
  ])
  const ofDisk = diskErrorSentence(error)
  for (const sentence of ofDisk === undefined ? sentencesOf(error) : [ofDisk]) io.err(`signet ${verb.name}: ${sentence}`)
  if (error instanceof UsageError) io.err(`Usage: ${verb.usage}`)
  // Not one of our own classes: probably a bug, whose stack is needed.
  const isBug = ofDisk === undefined && (error.constructor === Error || error.constructor === TypeError)
  if (isBug) io.err(error.stack ?? '')
  if (error instanceof UsageError || error instanceof ConfigError) return 2
  if (error instanceof BackupError && error.kind === 'too-new') return 3
  return error instanceof SchemaTooNewError ? 3 : (verb.failureCode ?? 1)
}

async function explainVerbs(requested: string | undefined): Promise<number> {
  if (requested !== undefined && requested !== '--help' && requested !== '-h') {
    const group = VERB_NAMES.filter(name => name.startsWith(`${requested} `))
    const words = group.length > 0 ? `say what with "${requested}": ${group.join(', ')}` : `there is no verb "${requested}"`
    io.err(`signet: ${words}; see signet help`)
    return 2
  }
  const { overview } = await import('./cli/help.ts')
  io.out(overview(await loadVerbs()))
  return 0
}

const isVersionFlag = (arg: string | undefined) => arg === '--version' || arg === '-V'

async function main(given: string[]): Promise<number> {
  const args = isVersionFlag(given[0]) ? ['version', ...given.slice(1)] : given
  const verb = await findVerb(args)
  if (!verb) return explainVerbs(args[0])
  try {
    if (args.includes('--help') || args.includes('-h')) {
      const { helpVerb } = await import('./cli/help.ts')
      return await helpVerb(loadVerbs).run(verb.name.split(' '), io)
    }
    return await verb.run(args.slice(verb.name.split(' ').length), io)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return reportFailure(error, verb)
  }
}

function logFailure(what: string, error: unknown): void {
  const text = error instanceof Error ? error.stack : String(error)
  io.err(JSON.stringify({ time: new Date().toISOString(), level: 'error', what, error: text }))
}

guardProcess()
makeTemporaryFolder()
if (process.argv[2] === PDF_CHILD) {
  const { runPdfChild } = await import('./sandbox/main.ts')
  await runPdfChild()
} else if (process.argv[2] === DATABASE_CHECK) {
  const { checkDatabase } = await import('./db/check.ts')
  const [path = '', mode] = process.argv.slice(3)
  io.out(JSON.stringify(checkDatabase(path, mode === 'full' ? 'full' : 'quick')))
} else {
  process.on('unhandledRejection', error => logFailure('unhandled rejection', error))
  process.on('uncaughtException', error => {
    logFailure('uncaught exception', error)
    // The state in memory may be wrong; commits are on disk.
    process.exit(EXIT_SOFTWARE)
  })
  process.exit(await main(process.argv.slice(2)))
}
