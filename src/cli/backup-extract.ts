/** `signet backup extract`: writes the PDF of one document that is in a backup. */
import { resolve } from 'node:path'
import { THIS_MACHINE } from '../lib/this-machine.ts'
import { identitiesOf } from './restore.ts'
import { type FlagSpec, parseFlags, UsageError, type Verb } from './verb.ts'

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
