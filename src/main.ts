/** Entry point: runs a command-line verb; failures become a message and an exit code. */
import { writeSync } from 'node:fs'
import type { Io, Verb } from './cli/verb.ts'
import { Refusal } from './core/refusal.ts'
import { DATABASE_CHECK, ownCommand } from './lib/own-command.ts'
import { guardProcess, makeTemporaryFolder } from './lib/process-guard.ts'

/** Hidden verb: runs a child process of the sandbox. */
const PDF_CHILD = '__pdf-child'
const CHILD_COMMAND = [...ownCommand(), PDF_CHILD]

async function loadVerbs(): Promise<Verb[]> {
  const modules = await Promise.all([
    import('./cli/serve.ts').then(m => [m.serve]),
    import('./cli/key-create.ts').then(m => [m.keyCreate]),
    import('./cli/admin-create.ts').then(m => [m.adminCreate]),
    import('./cli/admin-reset.ts').then(m => [m.adminReset]),
    import('./cli/verify.ts').then(m => [m.verify]),
    import('./cli/cert-show.ts').then(m => [m.certShow]),
    import('./cli/cert-renew.ts').then(m => [m.certRenew]),
    import('./cli/cert-import.ts').then(m => [m.certImport]),
    import('./cli/cert-revoke.ts').then(m => [m.certRevoke]),
    import('./cli/doctor.ts').then(m => [m.doctor]),
    import('./cli/health.ts').then(m => [m.health]),
    import('./cli/service-install.ts').then(m => [m.serviceInstall]),
    import('./cli/service-print.ts').then(m => [m.servicePrint]),
    import('./cli/service-run.ts').then(m => [m.serviceRun]),
    import('./cli/audit-verify.ts').then(m => [m.auditVerify]),
    import('./cli/audit-checkpoint.ts').then(m => [m.auditCheckpoint]),
    import('./cli/migrate.ts').then(m => [m.migrate]),
    import('./cli/backup.ts').then(m => [m.backup]),
    import('./cli/restore.ts').then(m => [m.restore]),
    import('./cli/move.ts').then(m => [m.move]),
    import('./cli/help.ts').then(m => [m.version, m.licences, m.helpVerb(() => list)]),
  ])
  const list: Verb[] = modules.flat()
  return list
}

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
    const [{ openApp }, { openLog }] = await Promise.all([import('./app.ts'), import('./lib/log.ts')])
    const exclusive = mayMigrate && config.databaseUrl === undefined
    const migrating = mayMigrate ? { mayMigrate } : {}
    return openApp(config, { command: CHILD_COMMAND, exclusive, ...migrating, lockHolder, log: openLog('warn') })
  },
  async serve(config) {
    const { serveUntilSignal } = await import('./serving.ts')
    await serveUntilSignal(config, CHILD_COMMAND, io.out)
  },
}

/** One sentence for each error: a refused input may have several. */
function sentencesOf(error: Error): string[] {
  const details = error instanceof Refusal ? error.details : []
  return details.length > 0 ? details.map(({ path, message }) => `${path}: ${message}`) : [error.message]
}

/** Exit codes: 2 wrong usage, 3 schema too new, otherwise 1 or the verb's own code. */
async function reportFailure(error: Error, verb: Verb): Promise<number> {
  const [{ UsageError }, { ConfigError }, { SchemaTooNewError }, { BackupError }] = await Promise.all([
    import('./cli/verb.ts'),
    import('./config.ts'),
    import('./db/migrate.ts'),
    import('./backups/error.ts'),
  ])
  for (const sentence of sentencesOf(error)) io.err(`signet ${verb.name}: ${sentence}`)
  if (error instanceof UsageError) io.err(`Usage: ${verb.usage}`)
  // Not one of our own classes: probably a bug, whose stack is needed.
  if (error.constructor === Error || error.constructor === TypeError) io.err(error.stack ?? '')
  if (error instanceof UsageError || error instanceof ConfigError) return 2
  if (error instanceof BackupError && error.kind === 'too-new') return 3
  return error instanceof SchemaTooNewError ? 3 : (verb.failureCode ?? 1)
}

async function explainVerbs(list: Verb[], requested: string | undefined): Promise<number> {
  if (requested !== undefined && requested !== '--help' && requested !== '-h') {
    io.err(`signet: there is no verb "${requested}"; see signet help`)
    return 2
  }
  const { overview } = await import('./cli/help.ts')
  io.out(overview(list))
  return 0
}

async function main(args: string[]): Promise<number> {
  const list = await loadVerbs()
  const verb = list.find(v => v.name === args.slice(0, 2).join(' ')) ?? list.find(v => v.name === args[0])
  if (!verb) return explainVerbs(list, args[0])
  try {
    const help = list.find(v => v.name === 'help')
    if (help && args.includes('--help')) return await help.run(verb.name.split(' '), io)
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
    // The state in memory may be wrong. A supervisor restarts the process; commits are on disk.
    process.exit(70)
  })
  process.exit(await main(process.argv.slice(2)))
}
