/** `signet migrate`: updates the database schema without serving. */
import { type Config, describeUnknown } from '../config.ts'
import { latestVersion } from '../db/migrate.ts'
import { answerClock } from '../health/clock-watch.ts'
import { clockDoubt } from '../health/queries.ts'
import { finishUpgrade } from '../health/upgrade.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { databaseName, withDataFolder } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, SERVE_FLAGS, UsageError, type Verb } from './verb.ts'

// `signet clock`: shows whether the clock is believed, and says that it is right or corrected.

export const clock: Verb = {
  name: 'clock',
  usage: 'signet clock [--right|--corrected] [--data DIR]',
  summary:
    'shows whether the clock is believed; --right: it shows the true time; --corrected: it did not, and does now. Until then no document expires and nothing is erased',
  async run(args, io) {
    const parsed = parseFlags(args, { ...DATA_FLAG, '--right': 'switch', '--corrected': 'switch' })
    const [right, corrected] = ['--right', '--corrected'].map(flag => parsed.switches.has(flag))
    noPositionals(parsed)
    if (right && corrected) throw new UsageError('give --right or --corrected, not both')
    return withDataFolder(parsed, io, 'clock', async app => {
      if (right || corrected) await answerClock(app, right ? 'right' : 'corrected', COMMAND_LINE)
      await show(app, io)
    })
  },
}

async function show(app: App, io: Io): Promise<void> {
  io.out(`The clock shows ${app.now().toISOString()}.`)
  const doubt = await clockDoubt(app.db)
  if (!doubt) return io.out('It is believed.')
  io.out(`It is doubted: it showed ${doubt.shown.toISOString()}, and the data was last used at ${doubt.known.toISOString()}.`)
  io.out(
    'Nothing that cannot be undone happens by itself. If it is right: signet clock --right. If you corrected it: --corrected.',
  )
}

// `signet serve`: runs the service until a signal ends it.

export const serve: Verb = {
  name: 'serve',
  usage: 'signet serve [--data DIR] [--host ADDRESS] [--port N] [--base-url URL]',
  summary: 'runs the service: API, web pages, mail, scheduled jobs, sealing',
  async run(args, io) {
    const parsed = parseFlags(args, SERVE_FLAGS)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    for (const unknown of config.unknownVariables) io.err(`signet serve: ${describeUnknown(unknown)}`)
    await io.serve(config)
    return 0
  },
}

export const migrate: Verb = {
  name: 'migrate',
  usage: 'signet migrate [--finish | --back] [--data DIR]',
  summary:
    'updates the database schema without serving; of SQLite, a backup is kept in backups/. --finish also finishes the upgrade: what is new can be used, and older releases can no longer serve. --back puts the database from before the last migration in its place, for the release before: what came since is lost',
  async run(args, io) {
    const parsed = parseFlags(args, { ...DATA_FLAG, '--finish': 'switch', '--back': 'switch' })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    if (parsed.switches.has('--back')) return back(config, io)
    const { app, close } = await io.open(config, 'signet migrate', true)
    try {
      if (parsed.switches.has('--finish')) await finishUpgrade(app, COMMAND_LINE)
    } finally {
      await close()
    }
    io.out(`${databaseName(config)} has schema ${latestVersion()}`)
    return 0
  },
}

async function back(config: Config, io: Io): Promise<number> {
  const { goBack } = await import('../backups/snapshots.ts')
  if (config.databaseUrl !== undefined) {
    io.err('With PostgreSQL no copy is made before a migration: restore a backup of the server.')
    return 1
  }
  const { at, schema } = goBack(config, THIS_MACHINE)
  io.out(
    `${databaseName(config)} is that of ${at.toISOString()}, with schema ${schema}. What came since is in backups/, encrypted.`,
  )
  io.out('Start the release before now: this one would migrate it again.')
  return 0
}
