/** `signet migrate`: brings the schema up to date without serving. */
import { openApp } from '../app.ts'
import { latestVersion } from '../db/migrate.ts'
import { openLog } from '../lib/log.ts'
import { configFrom, DATA_FLAG, noPositionals, parseFlags, type Verb } from './verb.ts'

export const migrate: Verb = {
  name: 'migrate',
  usage: 'signet migrate [--data DIR]',
  summary: 'brings the database schema up to date without serving; a snapshot is kept in backups/',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const { close } = await openApp(config, { command: io.command, exclusive: true, who: 'signet migrate', log: openLog('warn') })
    await close()
    io.out(`${config.dataFolder}/signet.db has schema ${latestVersion()}`)
    return 0
  },
}
