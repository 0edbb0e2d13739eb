/** The master key encrypts all stored secrets: 32 bytes in a file that only its owner may read. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { masterKeyPath } from './lib/data-paths.ts'
import type { Random } from './lib/machine.ts'
import { permissionProblem } from './lib/private-path.ts'

export class MasterKeyError extends Error {}

const KEY_BYTES = 32
/** Only systemd creates files there, each for one service alone. */
const CREDENTIALS = '/run/credentials/'

export const newMasterKey = (random: Random): Uint8Array => random(KEY_BYTES)

/**
 * `path`: a configured location outside the data folder. The key is never created there.
 * `random`: to create a missing key; false if it may not be.
 */
export function loadMasterKey(dataFolder: string, path: string | undefined, random: Random | false): Uint8Array {
  const keyPath = masterKeyPath(dataFolder, path)
  if (!existsSync(keyPath)) {
    if (path) throw new MasterKeyError(`The master key ${path} is missing: put it back, or correct SIGNET_MASTER_KEY_FILE.`)
    if (!random) {
      throw new MasterKeyError(
        `The master key ${keyPath} is missing although the data folder is in use: restore it from a backup. Without it the secrets cannot be read.`,
      )
    }
    create(keyPath, random)
  }
  // An access list may give the service its right: the mode shows it as one of the group.
  const problem = keyPath.startsWith(CREDENTIALS) ? undefined : permissionProblem(keyPath, 0o600)
  if (problem !== undefined) throw new MasterKeyError(`The master key ${keyPath} ${problem}`)
  // A folder that the administrator chose may contain other files.
  const folderProblem = path === undefined ? permissionProblem(dirname(keyPath), 0o700) : undefined
  if (folderProblem !== undefined) throw new MasterKeyError(`The folder ${dirname(keyPath)} ${folderProblem}`)
  const key = readKey(keyPath)
  if (key.length !== KEY_BYTES) throw new MasterKeyError(`The master key ${keyPath} is damaged: restore it from a backup.`)
  return key
}

function create(path: string, random: Random): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  writeWhole(path, newMasterKey(random), `${path}.tmp`)
}

/** The file has its name only when it is whole: an incomplete key must never be used. */
function writeWhole(path: string, key: Uint8Array, temporary: string): void {
  writeSynced(temporary, key)
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

function writeSynced(path: string, key: Uint8Array): void {
  // Left by a crash.
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, `${Buffer.from(key).toString('base64')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

const readKey = (path: string): Buffer => Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')

/** In groups of four, which a person can copy. */
export const keyText = (key: Uint8Array): string => (Buffer.from(key).toString('base64').match(/.{4}/g) ?? []).join(' ')

/** The key of a copy, with or without blanks; undefined if the text is none. */
export function keyOfText(text: string): Uint8Array | undefined {
  const plain = text.replaceAll(/\s/g, '')
  const key = Buffer.from(plain, 'base64')
  return key.length === KEY_BYTES && key.toString('base64') === plain ? key : undefined
}

/** A file for a new key. The key is on the disk before it is used, and has its name afterwards. */
export interface NewKeyFile {
  /** Where the new key is at the end. */
  readonly path: string
  /** @throws MasterKeyError when the file cannot be made; nothing was changed then */
  prepare(): void
  /** `former`: fingerprint of the key that is replaced. Returns where that key is kept. */
  finish(former: string): string | undefined
  discard(): void
}

/** Replaces the key in its own file, and keeps the former one beside it. */
export function replacingFile(configured: string, key: Uint8Array): NewKeyFile {
  // Of a link the target is replaced: the link may be part of a deployment.
  const path = realpathSync(configured)
  const next = `${path}.new`
  return {
    path,
    prepare() {
      const problem = replacementProblem(path)
      if (problem !== undefined) throw new MasterKeyError(`${problem} Nothing was changed.`)
      orMasterKeyError(path, () => writeSynced(next, key))
    },
    finish(former) {
      const kept = `${path}.former-${former.slice(0, 8)}`
      if (!existsSync(kept)) writeWhole(kept, readKey(path), `${kept}.tmp`)
      renameSync(next, path)
      syncFolder(dirname(path))
      return kept
    },
    discard: () => rmSync(next, { force: true }),
  }
}

/** Where the file of the key is read-only: a person puts the new one in its place. */
export function separateFile(path: string, key: Uint8Array): NewKeyFile {
  return {
    path,
    prepare() {
      if (existsSync(path)) {
        if (readKey(path).equals(key)) return
        throw new MasterKeyError(`${path} exists: name a file that does not, or remove it. Nothing was changed.`)
      }
      orMasterKeyError(path, () => writeWhole(path, key, `${path}.tmp`))
    },
    finish: () => undefined,
    discard: () => rmSync(path, { force: true }),
  }
}

const ELSEWHERE = 'name a file for the new key with --to, and put it in the place of the old one yourself.'

function replacementProblem(path: string): string | undefined {
  if (path.startsWith(CREDENTIALS)) return `The master key ${path} is a copy that systemd made: ${ELSEWHERE}`
  // A rename over the mounted file fails, as in a container with a single file of the host.
  if (isMountPoint(path)) return `The master key ${path} is mounted as a file of its own: ${ELSEWHERE}`
  const { uid } = statSync(path)
  if (uid === process.getuid?.()) return undefined
  return `The master key ${path} belongs to another user (${uid}), who could not read a new one: run this as that user; signet service run does.`
}

function isMountPoint(path: string): boolean {
  if (process.platform !== 'linux') return false
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some(line => line.split(' ')[4] === path)
}

function orMasterKeyError(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const remedy = /^(ENOSPC|EDQUOT)$/.test(code) ? 'free space on its disk first.' : ELSEWHERE
    throw new MasterKeyError(`The new master key cannot be written beside ${path} (${code}): ${remedy} Nothing was changed.`)
  }
}
