/** Stores mails durably as `.eml` files in a folder while no mail server is configured. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { syncFolder, writeSynced } from '../lib/disk.ts'
import { exists, removeIfExists } from '../lib/files.ts'
import type { FileSystem, Machine } from '../lib/machine.ts'
import { compose, type Mailer, type MailMessage, type MailVerdict } from './message.ts'

export type MailIdentity = Pick<MailMessage, 'messageId' | 'date'>

/** The date sorts the files; a hash instead of an address or subject keeps the name private. */
export function fileNameOf({ messageId, date }: MailIdentity): string {
  return `${date.toISOString().replace(/[:.]/g, '-')}_${hashOf(messageId)}.eml`
}

/** Removes mails and their temporary files from the folder, if they exist. */
export async function eraseMails(fileSystem: FileSystem, folder: string, mails: MailIdentity[]): Promise<void> {
  for (const mail of mails) {
    await removeIfExists(fileSystem, join(folder, fileNameOf(mail)))
    await removeIfExists(fileSystem, join(folder, temporaryNameOf(fileNameOf(mail))))
  }
  if (mails.length > 0 && (await exists(fileSystem, folder))) await syncFolder(fileSystem, folder)
}

/** Removes mails that `findByDates` does not find in the database. Returns their number. */
export async function sweepMails(
  { fileSystem, timers }: Pick<Machine, 'fileSystem' | 'timers'>,
  folder: string,
  findByDates: (dates: Date[]) => Promise<MailIdentity[]>,
): Promise<number> {
  if (!(await exists(fileSystem, folder))) return 0
  let swept = 0
  for await (const names of fileSystem.slicesOfNames(folder)) {
    const mailFiles = names.filter(name => MAIL_FILE_NAME.test(name))
    const known = new Set(mailFiles.length > 0 ? (await findByDates(mailFiles.map(dateOf))).map(fileNameOf) : [])
    for (const name of mailFiles) {
      if (known.has(name)) continue
      await removeIfExists(fileSystem, join(folder, name))
      swept++
    }
    await timers.yield()
  }
  if (swept > 0) await syncFolder(fileSystem, folder)
  return swept
}

const MAIL_FILE_NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z_[0-9a-f]{32}\.eml$/
const dateOf = (name: string) => new Date(name.replace(MAIL_FILE_NAME, '$1:$2:$3.$4Z'))
const temporaryNameOf = (name: string) => `.${name}.tmp`

/** Creates `folder` (0700) with the first mail. Reports a disk error as a temporary refusal. */
export function folderMailer(fileSystem: FileSystem, folder: string): Mailer {
  // One write at a time: two attempts at one mail must not interleave between check and rename.
  let lastWrite: Promise<unknown> = Promise.resolve()
  return {
    async send(message) {
      const { raw } = await compose(message)
      const verdict = lastWrite.then(() => write(fileSystem, folder, message, raw))
      lastWrite = verdict.catch(() => undefined)
      return verdict
    },
    close() {},
  }
}

/** Hashes only the part before the @: the host comes from a setting that may change. */
function hashOf(messageId: string): string {
  const local = messageId.slice(0, messageId.lastIndexOf('@'))
  return createHash('sha256').update(local).digest('hex').slice(0, 32)
}

async function write(fileSystem: FileSystem, folder: string, message: MailMessage, raw: Uint8Array): Promise<MailVerdict> {
  try {
    const firstCreated = await fileSystem.makeFolder(folder)
    if (firstCreated !== undefined) await syncFolder(fileSystem, dirname(firstCreated))
    const name = fileNameOf(message)
    // Sync the folder even if the file exists: an earlier attempt may have crashed between rename
    // and sync.
    if (!(await exists(fileSystem, join(folder, name)))) await writeThenRename(fileSystem, folder, name, raw)
    await syncFolder(fileSystem, folder)
    const reply = `Written to the outbox folder as ${name}; no mail server is set.`
    return { outcome: 'accepted', reply, queueId: name, isWrittenToFolder: true }
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? DISK_CAUSES[String(error.code)] : undefined
    if (cause === undefined) throw error
    return { outcome: 'refused', permanent: false, reply: `The outbox folder cannot be written: ${cause}.` }
  }
}

const DISK_CAUSES: Partial<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
}

async function writeThenRename(fileSystem: FileSystem, folder: string, name: string, raw: Uint8Array): Promise<void> {
  const temporary = join(folder, temporaryNameOf(name))
  // A crash may have left an incomplete file.
  await removeIfExists(fileSystem, temporary)
  await writeSynced(fileSystem, temporary, raw, 'wx')
  await fileSystem.rename(temporary, join(folder, name))
}
