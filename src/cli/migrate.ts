/** `signet migrate`: updates the database schema without serving. */
import { latestVersion } from '../db/migrate.ts'
import { databaseName } from './data-folder.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const migrate: Verb = {
  name: 'migrate',
  usage: 'signet migrate [--data DIR]',
  summary: 'updates the database schema without serving; of SQLite, a backup is kept in backups/',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const { close } = await io.open(config, 'signet migrate', true)
    await close()
    io.out(`${databaseName(config)} has schema ${latestVersion()}`)
    return 0
  },
}
