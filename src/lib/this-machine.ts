/** The machine that the process runs on, by Bun and Node.js. Only the composition imports it. */
import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { S3Client } from 'bun'
import { lookup, ownAddresses } from './host-addresses.ts'
import type { Cancel, Machine, Threads, Timers } from './machine.ts'
import { THIS_FILE_SYSTEM } from './this-file-system.ts'

/** The runtime fires a longer timer at once. https://html.spec.whatwg.org/#timers */
const MAX_TIMER_MS = 2 ** 31 - 1

const timers: Timers = {
  after(ms, run): Cancel {
    if (!Number.isFinite(ms)) return () => undefined
    let timer: ReturnType<typeof setTimeout>
    const arm = (leftMs: number) => {
      timer = leftMs > MAX_TIMER_MS ? setTimeout(arm, MAX_TIMER_MS, leftMs - MAX_TIMER_MS) : setTimeout(run, leftMs)
    }
    arm(ms)
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
  fileSystem: THIS_FILE_SYSTEM,
  threads,
  // Loaded with the first request: child processes, of which each pays for its start, send none.
  send: async outgoing => (await import('./fetch-limited.ts')).send(outgoing),
  fetch: (url, init) => fetch(url, init),
  s3Client: options => new S3Client(options),
  lookup,
  ownAddresses,
  exit: code => process.exit(code),
}
