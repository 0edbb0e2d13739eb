/** The machine that the process runs on, by Bun and Node.js. Only the composition imports it. */
import { randomBytes, sign } from 'node:crypto'
import { send } from './fetch-limited.ts'
import type { Cancel, Machine, Threads, Timers } from './machine.ts'
import { THIS_FILE_SYSTEM } from './this-file-system.ts'

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

/** The costs of OWASP Password Storage. */
const ARGON2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

const threads: Threads = {
  sign(data, key) {
    return new Promise((resolve, reject) => {
      sign('sha256', data, { key, dsaEncoding: 'der' }, (error, signature) =>
        error ? reject(error) : resolve(new Uint8Array(signature)),
      )
    })
  },
  hashPassword: password => Bun.password.hash(password, ARGON2),
  verifyPassword: (password, hash) => Bun.password.verify(password, hash),
}

export const THIS_MACHINE: Machine = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
  timers,
  random: randomBytes,
  fileSystem: THIS_FILE_SYSTEM,
  threads,
  send,
  exit: code => process.exit(code),
}
