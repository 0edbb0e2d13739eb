/** `signet migrate`: updates the database schema without serving. */
import type { Config } from '../config.ts'
import { latestVersion } from '../db/migrate.ts'
import { finishUpgrade } from '../health/upgrade.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { COMMAND_LINE } from '../ports.ts'
import { databaseName } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

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
  const { goBack } = await import('../backups/way-back.ts')
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
