/** Makes a backup in a child process: deriving a key and encrypting would block this one. */
import { setPriority } from 'node:os'
import type { Config } from '../config.ts'
import { ownCommand } from '../lib/own-command.ts'
import type { BackupKeys, MadeBackup } from '../ports.ts'
import { BackupError } from './error.ts'

/** As `nice`: people who wait come first. */
const PRIORITY = 10

/** By the verb of the command line. The pass-phrase is in no argument. @throws BackupError */
export async function backupInChild({ dataFolder }: Config, path: string, to: BackupKeys): Promise<MadeBackup> {
  const flags = 'passphrase' in to ? ['--passphrase-stdin'] : to.recipients.flatMap(recipient => ['--recipient', recipient])
  const child = Bun.spawn([...ownCommand(), 'backup', path, '--json', '--data', dataFolder, ...flags], {
    stdin: Buffer.from('passphrase' in to ? to.passphrase : ''),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  setPriority(child.pid, PRIORITY)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (out.startsWith('{')) return JSON.parse(out) as MadeBackup
  throw new BackupError(sentenceIn(err) ?? `The process that makes backups ended with exit code ${child.exitCode}.`)
}

/** Other lines are of the log. */
const sentenceIn = (text: string): string | undefined => /^signet backup: (.*)$/m.exec(text)?.[1]
