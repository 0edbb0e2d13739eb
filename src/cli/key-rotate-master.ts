/** `signet key rotate-master`: makes a new master key and encrypts every stored secret with it. */
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { counted } from '../lib/counted.ts'
import { secretBox } from '../lib/secret-box.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { loadMasterKey, masterKeyPath, type NewKeyFile, replacingFile, separateFile } from '../master-key.ts'
import { COMMAND_LINE } from '../ports.ts'
import { type Rotation, rotateMasterKey } from '../settings/master-key-rotation.ts'
import { dataFolderError } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, type Verb } from './verb.ts'

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
