/** `signet restore`: replaces a data folder by what a backup contains, after every check. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Identities } from '../backups/encryption.ts'
import type { Config } from '../config.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { DEFAULT_FOLDER, UNIT_FLAGS } from './service-plan.ts'
import { flagsOfUnit, UNIT_PATH } from './service-unit.ts'
import { configFrom, type FlagSpec, firstLine, type Io, type ParsedFlags, parseFlags, UsageError, type Verb } from './verb.ts'

const FLAGS: FlagSpec = { '--passphrase-stdin': 'switch', '--identity': 'value', '--drop': 'switch', '--data': 'value' }

export const restore: Verb = {
  name: 'restore',
  usage: 'signet restore (FILE (--passphrase-stdin | --identity FILE) | --drop) [--data DIR]',
  summary:
    'restores a backup: checks everything before it replaces the data folder, which it keeps under another name. Mails and webhooks then wait until an administrator resumes sending. --drop ends a restore that was interrupted, and keeps the former data',
  async run(args, io) {
    const parsed = parseFlags(args, FLAGS)
    requireNamedFolder(parsed, io.env, existsSync(UNIT_PATH) ? readFileSync(UNIT_PATH, 'utf8') : undefined)
    const [path, another] = parsed.positionals
    const config = configFrom(parsed, io.env)
    if (parsed.switches.has('--drop')) return drop(parsed, config, io)
    if (path === undefined || another !== undefined) throw new UsageError('name the file of one backup')
    const [{ restoreBackup }, { ENGINES_OWN }] = await Promise.all([
      import('../backups/restore.ts'),
      import('../backups/write.ts'),
    ])
    if (config.databaseUrl !== undefined) {
      io.err(ENGINES_OWN)
      return 1
    }
    const by = await identitiesOf(parsed, io)
    const options = { ...THIS_MACHINE, path: resolve(path), by, config, say: io.err }
    const { contents, keptAs } = await restoreBackup(options)
    if (contents === undefined) io.out('An earlier run had checked everything; its last step was repeated.')
    for (const sha256 of contents?.damaged ?? [])
      io.err(`files/${sha256}.pdf was damaged before the backup was made: it is missing.`)
    io.out(`${config.dataFolder} is restored. Every file, the database, the audit log and the master key were checked.`)
    if (keptAs !== undefined) io.out(`The former folder is ${keptAs}: remove it when it is not needed any more.`)
    io.out('Nothing is sent yet: start signet serve, sign in as an administrator and resume sending (Settings, Backups).')
    return 0
  },
}

/**
 * On a machine with an installed service, the folder is never a default: `./data` would be restored
 * and nobody would serve it. @throws UsageError
 */
export function requireNamedFolder(parsed: ParsedFlags, env: Io['env'], unit: string | undefined): void {
  if (unit === undefined || parsed.values['--data'] || env.SIGNET_DATA) return
  const { '--data': folder = DEFAULT_FOLDER } = parseFlags(flagsOfUnit(unit), UNIT_FLAGS).values
  throw new UsageError(
    `a service is installed here, with its data in ${folder}: to restore that, run signet service run restore with the same arguments, as root; to restore elsewhere, name the folder with --data`,
  )
}

async function drop(parsed: ParsedFlags, { dataFolder }: Config, io: Io): Promise<number> {
  if (parsed.positionals.length > 0 || parsed.switches.size > 1 || parsed.values['--identity'] !== undefined) {
    throw new UsageError('--drop takes no backup: it ends a restore that was interrupted')
  }
  const { dropInterrupted } = await import('../backups/restore.ts')
  const isDropped = await dropInterrupted(THIS_FILE_SYSTEM, dataFolder)
  io.out(
    isDropped
      ? `The interrupted restore of ${dataFolder} is dropped. The former data are in their place.`
      : `No restore of ${dataFolder} was interrupted: there is nothing to drop.`,
  )
  return 0
}

/** What opens a backup. @throws UsageError */
export async function identitiesOf(parsed: ParsedFlags, io: Io): Promise<Identities> {
  const file = parsed.values['--identity']
  if (parsed.switches.has('--passphrase-stdin') === (file !== undefined)) {
    throw new UsageError('give either --passphrase-stdin or --identity FILE, as the backup is encrypted')
  }
  if (file === undefined) return { passphrase: firstLine(await io.stdin()) }
  const text = await readFile(file, 'utf8').catch(error => {
    throw new UsageError(`${file} cannot be read (${error.code})`)
  })
  const { parseIdentities } = await import('../backups/encryption.ts')
  return { identities: await parseIdentities(text) }
}
