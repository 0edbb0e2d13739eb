/** Encrypts and decrypts a backup by age, https://age-encryption.org/v1. */
import type { Decrypter } from 'age-encryption'
import { type Violation, violation } from '../core/violation.ts'
import { partsOf } from '../lib/files.ts'
import { errorMessage } from '../lib/log.ts'
import type { OpenFile } from '../lib/machine.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import type { BackupKeys } from '../ports.ts'
import { BackupError } from './error.ts'

/** What decrypts a backup. */
export type Identities = { passphrase: string } | { identities: readonly string[] }

const MIN_PASSPHRASE_LENGTH = 12
/** That of the age command: about a second, and 256 MiB of memory for that time. */
const SCRYPT_WORK_FACTOR = 18

/** Loaded with the first backup: it takes 20 ms and 14 MB. */
const loadAge = () => import('age-encryption')

/** Why it is no recipient, with what to write; undefined for a valid one. */
export async function recipientError(text: string): Promise<Violation | undefined> {
  const { Encrypter } = await loadAge()
  try {
    new Encrypter().addRecipient(text)
    return undefined
  } catch {
    // Whatever the library says: it knows no other recipients.
    return violation('not_an_age_recipient', { text })
  }
}

export function passphraseError(text: string): string | undefined {
  if ([...text].length >= MIN_PASSPHRASE_LENGTH) return undefined
  return `the pass-phrase needs at least ${MIN_PASSPHRASE_LENGTH} characters: whoever has the file can try pass-phrases for ever`
}

/** The secret keys in a file as `age-keygen` writes it. @throws BackupError */
export async function parseIdentities(text: string): Promise<string[]> {
  const { Decrypter } = await loadAge()
  const lines = text.split(/\r?\n/).map(line => line.trim())
  const keys = lines.filter(line => line !== '' && !line.startsWith('#'))
  const isUsable = keys.length > 0 && keys.every(key => isIdentity(new Decrypter(), key))
  if (!isUsable) throw new BackupError('The identity file holds no age identity: it has lines that begin with AGE-SECRET-KEY-1.')
  return keys
}

function isIdentity(decrypter: Decrypter, text: string): boolean {
  try {
    decrypter.addIdentity(text)
    return true
  } catch {
    // The library's message may repeat the line, which is a secret.
    return false
  }
}

export interface Encryption {
  encrypt(content: ReadableStream<Uint8Array>): Promise<AsyncIterable<Uint8Array>>
  /** Decrypts what was encrypted here, to read it back. */
  readBack: Identities
}

/**
 * For recipients, a further key that is forgotten with this object can decrypt the file, too:
 * otherwise nobody here could read back what was written.
 */
export async function openEncryption(to: BackupKeys): Promise<Encryption> {
  const { Encrypter, generateX25519Identity, identityToRecipient } = await loadAge()
  const encrypter = new Encrypter()
  const encrypt = (content: ReadableStream<Uint8Array>) => encrypter.encrypt(content)
  if ('passphrase' in to) {
    encrypter.setPassphrase(to.passphrase)
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR)
    return { encrypt, readBack: to }
  }
  for (const recipient of to.recipients) encrypter.addRecipient(recipient)
  const identity = await generateX25519Identity()
  encrypter.addRecipient(await identityToRecipient(identity))
  return { encrypt, readBack: { identities: [identity] } }
}

/** The content, in parts. @throws BackupError also while it is read */
export async function* decrypted(backup: Pick<OpenFile, 'read'>, by: Identities): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  if ('passphrase' in by) decrypter.addPassphrase(by.passphrase)
  else for (const identity of by.identities) decrypter.addIdentity(identity)
  try {
    yield* await decrypter.decrypt(streamOf(partsOf(backup)))
  } catch (error) {
    throw decryptionError(error, by)
  }
}

/** Reads a part only when it is asked for. */
export function streamOf(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

function decryptionError(error: unknown, by: Identities): unknown {
  if (error instanceof BackupError) return error
  // An error of the file system names its cause.
  if (error instanceof Error && 'code' in error && 'syscall' in error) return error
  const message = errorMessage(error)
  if (/no identity matched/.test(message)) {
    return 'passphrase' in by
      ? new BackupError('The pass-phrase is wrong, or the backup is encrypted to age recipients: then use --identity.')
      : new BackupError('None of these identities opens the backup: use the right one, or --passphrase-stdin.')
  }
  return new BackupError(diagnosis('backup_not_decrypted', { problem: message }), 'refused', { cause: error })
}
