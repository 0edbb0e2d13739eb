/** `signet key create`: creates an API token for the whole instance and prints only the token. */
import { resolve } from 'node:path'
import { createKey } from '../accounts/keys.ts'
import type { Config } from '../config.ts'
import { counted } from '../lib/counted.ts'
import { masterKeyPath } from '../lib/data-paths.ts'
import { fingerprintOf, secretBox } from '../lib/secret-box.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { keyText, loadMasterKey, type NewKeyFile, replacingFile, separateFile } from '../master-key.ts'
import { COMMAND_LINE, SCOPES, type Scope, SYSTEM } from '../ports.ts'
import { type Rotation, rotateMasterKey } from '../settings/master-key-rotation.ts'
import { dataFolderError, withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet key rotate-master`: makes a new master key and encrypts every stored secret with it.

export const keyRotateMaster: Verb = {
  name: 'key rotate-master',
  usage: 'signet key rotate-master [--to FILE] [--data DIR]',
  summary:
    'makes a new master key and encrypts every stored secret with it; the service must be stopped, on all nodes. The former key is kept beside the new one, for older backups. Killed and started again it goes on. --to: writes the new key to FILE, where the file of the key is read-only',
  async run(args, io) {
    const parsed = parseFlags(args, { '--to': 'value', ...DATA_FLAG })
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const error = dataFolderError(config)
    if (error !== undefined) {
      io.err(error)
      return 1
    }
    const to = parsed.values['--to']
    const keyFile = masterKeyPath(config.dataFolder, config.masterKeyFile)
    const rotation = await rotate(config, io, key =>
      to === undefined ? replacingFile(keyFile, key) : separateFile(resolve(to), key),
    )
    // Opens everything with the new key, and forgets what the former one opens.
    if (to === undefined) await (await openAlone(config, io)).close()
    for (const line of report(rotation, { keyFile, config })) io.out(line)
    return 0
  },
}

/** A data folder is locked. Of a database on a server, the rotation itself finds the nodes. */
function openAlone(config: Config, io: Io) {
  return io.open(config, 'signet key rotate-master', config.databaseUrl === undefined)
}

async function rotate(config: Config, io: Io, fileFor: (key: Uint8Array) => NewKeyFile): Promise<Rotation> {
  const found = secretBox(loadMasterKey(config.dataFolder, config.masterKeyFile, false), THIS_MACHINE.random)
  const { app, close } = await openAlone(config, io)
  try {
    return await rotateMasterKey(app, { found, fileFor, origin: COMMAND_LINE })
  } finally {
    await close()
  }
}

function report(rotation: Rotation, { keyFile, config }: { keyFile: string; config: Config }): string[] {
  const { secrets, from, to, newKeyFile, formerKeyFile } = rotation
  const [old, fresh] = [from.slice(0, 8), to.slice(0, 8)]
  const done =
    secrets === undefined
      ? `An earlier run had encrypted the secrets; the new master key ${fresh} is in ${newKeyFile}.`
      : `${counted(secrets, 'secret is', 'secrets are')} encrypted with the new master key ${fresh}, which is in ${newKeyFile}.`
  if (formerKeyFile === undefined) {
    return [
      done,
      `Now keep ${keyFile} for older backups, as the former key ${old}, and put ${newKeyFile} in its place (mode 600), on every node. Until then the service also starts with the former key, and signet doctor says so.`,
      LEAKED,
    ]
  }
  return [
    done,
    ...(config.databaseUrl === undefined ? [] : [`Copy ${newKeyFile} to every other node (mode 600) before it starts.`]),
    `The former key ${old} is kept in ${formerKeyFile}. ${useOf(config)}`,
    'Make a backup now, and a copy of the new key in another place.',
    LEAKED,
  ]
}

/** Why the former key is kept, and how long. */
function useOf({ masterKeyFile }: Config): string {
  return masterKeyFile === undefined
    ? 'Backups have their key in them; only the snapshots in backups/ need this one. Without them, remove it.'
    : 'Backups made before can be restored only with it: put it where they are, and remove it with the last of them.'
}

const LEAKED =
  'If somebody has seen the former key together with the database or a backup: also change the passwords and tokens in Settings, renew the secrets of webhooks and the seal certificate.'

// `signet key print`: prints the master key for paper. Neither stores nor sends it.

export const keyPrint: Verb = {
  name: 'key print',
  usage: 'signet key print [--data DIR]',
  summary: 'prints the master key, for a copy on paper or in a password manager. Whoever has it and a backup has everything',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    const error = dataFolderError(config)
    if (error !== undefined) {
      io.err(error)
      return 1
    }
    const { dataFolder, masterKeyFile, baseUrl, environment } = config
    const key = loadMasterKey(dataFolder, masterKeyFile, false)
    io.out(`Master key of Signet, ${environment}, ${baseUrl}

    ${keyText(key)}

Its number: ${fingerprintOf(key).slice(0, 8)}. It is case-sensitive; blanks do not count.
To restore a backup on another machine, write it into a file (mode 600) and name that to signet service install
--master-key, or in SIGNET_MASTER_KEY_FILE.
Keep this away from the machine and from the backups. Test the copy under Settings, Backups.`)
    return 0
  },
}

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
