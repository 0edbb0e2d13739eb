/** `signet backup`: writes an encrypted backup of everything, also while the instance serves. */
import { resolve } from 'node:path'
import { counted } from '../lib/counted.ts'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { englishOfViolation } from '../locales/violations.ts'
import type { BackupKeys, MadeBackup } from '../ports.ts'
import { withDataFolder } from './data-folder.ts'
import { identitiesOf } from './restore.ts'
import { DATA_FLAG, type FlagSpec, firstLine, type Io, type ParsedFlags, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet backup extract`: writes the PDF of one document that is in a backup.

const FLAGS: FlagSpec = {
  '--document': 'value',
  '--to': 'value',
  '--passphrase-stdin': 'switch',
  '--identity': 'value',
}

export const backupExtract: Verb = {
  name: 'backup extract',
  usage: 'signet backup extract FILE --document ID --to DIR (--passphrase-stdin | --identity FILE)',
  summary:
    'writes the PDF of one document that is in a backup, sealed if it was, and restores nothing; it needs neither the data folder nor the master key',
  flags: {
    '--document': 'the ID, as the address of the document and the API have it (doc_…)',
    '--to': 'an existing folder; nothing in it is overwritten',
    '--passphrase-stdin': 'the pass-phrase of the backup is the first line of standard input',
    '--identity': 'a file with the age identity (AGE-SECRET-KEY-1…) that opens the backup',
  },
  async run(args, io) {
    const parsed = parseFlags(args, FLAGS)
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name the file of one backup')
    const { '--document': documentId, '--to': folder } = parsed.values
    if (documentId === undefined || folder === undefined) {
      throw new UsageError('name the document with --document ID and the folder with --to DIR')
    }
    const by = await identitiesOf(parsed, io)
    const { extractDocument } = await import('../backups/extract.ts')
    const options = { ...THIS_MACHINE, path: resolve(path), by, documentId, folder: resolve(folder), written: io.out }
    await extractDocument(options)
    return 0
  },
}

export const BACKUP_FLAGS: FlagSpec = {
  '--passphrase-stdin': 'switch',
  '--recipient': 'list',
  '--json': 'switch',
  ...DATA_FLAG,
}

export const backup: Verb = {
  name: 'backup',
  usage: 'signet backup FILE (--passphrase-stdin | --recipient age1…) [--json] [--data DIR]',
  summary:
    'writes an encrypted backup of everything, also while the instance serves, and reads it back; for a pass-phrase from standard input or age recipients (repeat --recipient)',
  async run(args, io) {
    const parsed = parseFlags(args, BACKUP_FLAGS)
    const path = backupFile(parsed)
    const to = await recipientsOf(parsed, io)
    let isWhole = true
    const code = await withDataFolder(parsed, io, 'backup', async app => {
      const { makeBackup } = await import('../backups/write.ts')
      const { manifest, bytes, damaged } = await makeBackup(app, { path: resolve(path), to })
      isWhole = damaged.length === 0
      const { isIncluded: hasMasterKey } = manifest.masterKey
      const made: MadeBackup = { bytes, documents: manifest.documents, hasMasterKey, damaged }
      if (parsed.switches.has('--json')) return io.out(JSON.stringify(made))
      io.out(
        `${path}: ${megabytes(bytes)}, ${counted(manifest.documents, 'document')}, ${counted(manifest.files.count, 'file')}, ${counted(manifest.audit.entries, 'audit entry', 'audit entries')}; read back and checked.`,
      )
      io.out(
        hasMasterKey
          ? 'It contains the master key.'
          : `It does not contain the master key ${manifest.masterKey.fingerprint.slice(0, 8)}: keep a copy of that (signet key print).`,
      )
      for (const sha256 of damaged) io.err(`files/${sha256}.pdf is missing or damaged, and so it is in this backup.`)
    })
    return isWhole ? code : 1
  },
}

/** @throws UsageError */
export function backupFile({ positionals: [path, another] }: ParsedFlags): string {
  if (path === undefined || another !== undefined) throw new UsageError('name one file, which does not exist yet')
  return path
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function recipientsOf(parsed: ParsedFlags, io: Io): Promise<BackupKeys> {
  const recipients = parsed.lists['--recipient'] ?? []
  const byPassphrase = parsed.switches.has('--passphrase-stdin')
  if (byPassphrase === recipients.length > 0) {
    throw new UsageError('a backup is always encrypted: give either --passphrase-stdin or one or more --recipient')
  }
  const { passphraseError, recipientError } = await import('../backups/encryption.ts')
  if (!byPassphrase) {
    for (const recipient of recipients) {
      const error = await recipientError(recipient)
      if (error !== undefined) throw new UsageError(englishOfViolation(error))
    }
    return { recipients }
  }
  const passphrase = firstLine(await io.stdin())
  const error = passphraseError(passphrase)
  if (error !== undefined) throw new UsageError(error)
  return { passphrase }
}
