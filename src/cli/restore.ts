/** `signet restore`: replaces a data folder by what a backup contains, after every check. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Identities } from '../backups/encryption.ts'
import { configFrom, firstLine, type Io, type ParsedFlags, parseFlags, UsageError, type Verb } from './verb.ts'

export const restore: Verb = {
  name: 'restore',
  usage: 'signet restore FILE (--passphrase-stdin | --identity FILE) [--data DIR]',
  summary:
    'restores a backup: checks everything before it replaces the data folder, which it keeps under another name. Mails and webhooks then wait until an administrator resumes sending',
  async run(args, io) {
    const parsed = parseFlags(args, { '--passphrase-stdin': 'switch', '--identity': 'value', '--data': 'value' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name the file of one backup')
    const config = configFrom(parsed, io.env)
    const [{ restoreBackup }, { ENGINES_OWN }] = await Promise.all([
      import('../backups/restore.ts'),
      import('../backups/write.ts'),
    ])
    if (config.databaseUrl !== undefined) {
      io.err(ENGINES_OWN)
      return 1
    }
    const by = await identitiesOf(parsed, io)
    const options = { path: resolve(path), by, config, now: () => new Date(), say: io.err }
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

async function identitiesOf(parsed: ParsedFlags, io: Io): Promise<Identities> {
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
