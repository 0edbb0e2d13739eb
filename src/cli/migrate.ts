/** `signet migrate`: updates the database schema without serving. */
import { latestVersion } from '../db/migrate.ts'
import { finishUpgrade } from '../health/upgrade.ts'
import { COMMAND_LINE } from '../ports.ts'
import { databaseName } from './data-folder.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const migrate: Verb = {
  name: 'migrate',
  usage: 'signet migrate [--finish] [--data DIR]',
  summary:
    'updates the database schema without serving; of SQLite, a backup is kept in backups/. --finish also finishes the upgrade: what is new can be used, and older releases can no longer serve',
  async run(args, io) {
    const parsed = parseFlags(args, { ...DATA_FLAG, '--finish': 'switch' })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
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
