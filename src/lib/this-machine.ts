/** The machine that the process runs on, by Bun and Node.js. Only the composition imports it. */
import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { link, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Cancel, FileFacts, FileSystem, Machine, Threads, Timers } from './machine.ts'

const timers: Timers = {
  after(ms, run): Cancel {
    if (!Number.isFinite(ms)) return () => undefined
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  every(ms, run): Cancel {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
  sleep: ms => Bun.sleep(ms),
  yield: () => new Promise(resolve => setImmediate(resolve)),
}

async function facts(path: string): Promise<FileFacts> {
  const found = await stat(path, { bigint: true })
  return {
    size: Number(found.size),
    mtime: found.mtime,
    isFile: found.isFile(),
    isFolder: found.isDirectory(),
    state: [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':'),
  }
}

const fileSystem: FileSystem = {
  open,
  facts,
  read: path => Bun.file(path).bytes(),
  names: folder => readdir(folder),
  makeFolder: (path, mode = 0o700) => mkdir(path, { recursive: true, mode }),
  rename,
  link,
  unlink,
  async space(folder) {
    const { bavail, bsize, blocks } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
}

/** The costs of OWASP Password Storage. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

const generate = promisify(generateKeyPair)

const threads: Threads = {
  sign(data, key) {
    return new Promise((resolve, reject) => {
      sign('sha256', data, { key, dsaEncoding: 'der' }, (error, signature) =>
        error ? reject(error) : resolve(new Uint8Array(signature)),
      )
    })
  },
  generateKeyPair: form =>
    'curve' in form
      ? generate('ec', { namedCurve: form.curve })
      : generate('rsa', { modulusLength: form.rsaBits, publicExponent: 65537 }),
  hashPassword: password => Bun.password.hash(password, ARGON2),
  verifyPassword: (password, hash) => Bun.password.verify(password, hash),
}

export const THIS_MACHINE: Machine = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
  timers,
  random: randomBytes,
  fileSystem,
  threads,
  // Loaded with the first request: child processes, of which each pays for its start, send none.
  send: async outgoing => (await import('./fetch-limited.ts')).send(outgoing),
  exit: code => process.exit(code),
}
