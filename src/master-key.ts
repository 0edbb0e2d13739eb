/** The master key encrypts all stored secrets: 32 bytes in a file that only its owner may read. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { permissionProblem } from './lib/private-path.ts'

export class MasterKeyError extends Error {}

const KEY_BYTES = 32
/** Only systemd creates files there, each for one service alone. */
const CREDENTIALS = '/run/credentials/'

/** `path`: a configured location outside the data folder. The key is never created there. */
export function loadMasterKey(dataFolder: string, path: string | undefined, mayCreate: boolean): Uint8Array {
  const keyPath = path ?? join(dataFolder, 'keys', 'master.key')
  if (!existsSync(keyPath)) {
    if (path) throw new MasterKeyError(`The master key ${path} is missing: put it back, or correct SIGNET_MASTER_KEY_FILE.`)
    if (!mayCreate) {
      throw new MasterKeyError(
        `The master key ${keyPath} is missing although the data folder is in use: restore it from a backup. Without it the secrets cannot be read.`,
      )
    }
    create(keyPath)
  }
  // An access list may give the service its right: the mode shows it as one of the group.
  const problem = keyPath.startsWith(CREDENTIALS) ? undefined : permissionProblem(keyPath, 0o600)
  if (problem !== undefined) throw new MasterKeyError(`The master key ${keyPath} ${problem}`)
  // A folder that the administrator chose may contain other files.
  const folderProblem = path === undefined ? permissionProblem(dirname(keyPath), 0o700) : undefined
  if (folderProblem !== undefined) throw new MasterKeyError(`The folder ${dirname(keyPath)} ${folderProblem}`)
  const key = Buffer.from(readFileSync(keyPath, 'utf8').trim(), 'base64')
  if (key.length !== KEY_BYTES) throw new MasterKeyError(`The master key ${keyPath} is damaged: restore it from a backup.`)
  return key
}

function create(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  // Left by a crash: an incomplete key must never be used.
  rmSync(`${path}.tmp`, { force: true })
  const file = openSync(`${path}.tmp`, 'wx', 0o600)
  writeSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.tmp`, path)
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
