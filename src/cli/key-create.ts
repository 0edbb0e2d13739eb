/** `signet key create`: creates an API token for the whole instance and prints only the token. */
import { createKey } from '../accounts/keys.ts'
import { SCOPES, type Scope, SYSTEM } from '../ports.ts'
import { dataFolderError, withApp } from './data-folder.ts'
import { configFrom, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

function scopesFrom(names: string[]): Scope[] {
  return names.map(name => {
    const scope = SCOPES.find(s => s === name)
    if (!scope) throw new UsageError(`unknown scope ${name}; known are ${SCOPES.join(', ')}`)
    return scope
  })
}

function daysFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > 3650)
    throw new UsageError('--expires-in-days must be from 1 to 3650')
  return Number(text)
}

export const keyCreate: Verb = {
  name: 'key create',
  usage: 'signet key create --name NAME [--scope SCOPE]… [--expires-in-days DAYS] [--data DIR]',
  summary: 'creates an API token and prints only the token',
  async run(args, io) {
    const parsed = parseFlags(args, { '--name': 'value', '--scope': 'list', '--expires-in-days': 'value', '--data': 'value' })
    noPositionals(parsed)
    const name = parsed.values['--name']
    if (name === undefined) throw new UsageError('--name is needed: what uses the token')
    const scopes = scopesFrom(parsed.lists['--scope'] ?? [])
    const expiresInDays = daysFrom(parsed.values['--expires-in-days'])
    const config = configFrom(parsed, io.env)
    if (dataFolderError(config) !== undefined) io.err(`${config.dataFolder} had no data: a new instance is made there.`)
    await withApp(config, io, 'key create', async app => {
      io.out((await createKey(app, SYSTEM.actor, { name, scopes, expiresInDays })).key)
    })
    return 0
  },
}
