/** The executable: finds the verb, runs it, and turns every failure into one sentence and an exit code. */
import { writeSync } from 'node:fs'
import type { Io, Verb } from './cli/verb.ts'
import type { ValidationError } from './core/refusal.ts'
import { DATABASE_CHECK, ownCommand } from './lib/own-command.ts'
import { guardProcess } from './lib/process-guard.ts'

const CHILD = '__pdf-child'

const CHILD_COMMAND = [...ownCommand(), CHILD]

async function verbs(): Promise<Verb[]> {
  const [
    { serve },
    { keyCreate },
    { adminCreate },
    { adminReset },
    { verify },
    { doctor },
    { migrate },
    { version, licences, helpVerb },
  ] = await Promise.all([
    import('./cli/serve.ts'),
    import('./cli/key-create.ts'),
    import('./cli/admin-create.ts'),
    import('./cli/admin-reset.ts'),
    import('./cli/verify.ts'),
    import('./cli/doctor.ts'),
    import('./cli/migrate.ts'),
    import('./cli/help.ts'),
  ])
  const [{ certShow }, { certRenew }, { certImport }, { certRevoke }] = await Promise.all([
    import('./cli/cert-show.ts'),
    import('./cli/cert-renew.ts'),
    import('./cli/cert-import.ts'),
    import('./cli/cert-revoke.ts'),
  ])
  const certificateVerbs = [certShow, certRenew, certImport, certRevoke]
  const list: Verb[] = [
    serve,
    keyCreate,
    adminCreate,
    adminReset,
    verify,
    ...certificateVerbs,
    doctor,
    migrate,
    version,
    licences,
  ]
  list.push(helpVerb(() => list))
  return list
}

/** Writes all of it before the verb goes on: what a slow reader of a pipe has not taken yet would be lost at the exit. */
function write(descriptor: 1 | 2, text: string): void {
  for (let rest = Buffer.from(`${text}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // EPIPE: the reader has enough.
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
  async open(config, who, exclusive) {
    const [{ openApp }, { openLog }] = await Promise.all([import('./app.ts'), import('./lib/log.ts')])
    return openApp(config, { command: CHILD_COMMAND, exclusive, who, log: openLog('warn') })
  },
  async serve(config) {
    const { serveUntilSignal } = await import('./serving.ts')
    await serveUntilSignal(config, CHILD_COMMAND, io.out)
  },
}

/** Known failures by name: the sentence is in the message. Exit codes: 1 cannot, 2 misused, 3 schema too new. */
const EXIT: Record<string, number> = { UsageError: 2, ConfigError: 2, SchemaTooNewError: 3 }

const helpOn = async (list: Verb[], name: string) => (list.find(v => v.name === 'help') as Verb).run(name.split(' '), io)

/** What is wrong, a sentence each: a refused input may have several errors. */
function sentencesOf(error: Error): string[] {
  const details = 'details' in error && Array.isArray(error.details) ? (error.details as ValidationError[]) : []
  return details.length > 0 ? details.map(({ path, message }) => `${path}: ${message}`) : [error.message]
}

async function main(args: string[]): Promise<number> {
  const list = await verbs()
  const verb = list.find(v => v.name === args.slice(0, 2).join(' ')) ?? list.find(v => v.name === args[0])
  if (!verb) {
    const asked = args[0] === undefined || args[0] === '--help' || args[0] === '-h'
    const { overview } = await import('./cli/help.ts')
    if (asked) io.out(overview(list))
    else io.err(`signet: there is no verb "${args[0]}"; see signet help`)
    return asked ? 0 : 2
  }
  try {
    if (args.includes('--help')) return await helpOn(list, verb.name)
    return await verb.run(args.slice(verb.name.split(' ').length), io)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const known = error.constructor.name
    for (const sentence of sentencesOf(error)) io.err(`signet ${verb.name}: ${sentence}`)
    if (known === 'UsageError') io.err(`Usage: ${verb.usage}`)
    if (known === 'Error' || known === 'TypeError') io.err(error.stack ?? '')
    return EXIT[known] ?? verb.failureCode ?? 1
  }
}

guardProcess()
if (process.argv[2] === CHILD) {
  const { runPdfChild } = await import('./sandbox/main.ts')
  await runPdfChild()
} else if (process.argv[2] === DATABASE_CHECK) {
  const { checkDatabase } = await import('./db/check.ts')
  const [path = '', mode] = process.argv.slice(3)
  io.out(JSON.stringify(checkDatabase(path, mode === 'full' ? 'full' : 'quick')))
} else {
  const tell = (what: string) => (error: unknown) => {
    io.err(
      JSON.stringify({
        time: new Date().toISOString(),
        level: 'error',
        what,
        error: error instanceof Error ? error.stack : String(error),
      }),
    )
  }
  process.on('unhandledRejection', tell('unhandled rejection'))
  process.on('uncaughtException', error => {
    tell('uncaught exception')(error)
    // What the process knows may be wrong now; a supervisor starts it again, and everything acknowledged lies on disk.
    process.exit(70)
  })
  process.exit(await main(process.argv.slice(2)))
}
