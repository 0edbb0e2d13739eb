/** Passwords: argon2id, two hashes at once so that sign-in cannot starve the rest. OWASP Password Storage: m=19456 KiB, t=2, p=1. */

const PARAMETERS = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const LEAST_LENGTH = 12
const MOST_LENGTH = 256
const AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, PARAMETERS))
}

let decoy: Promise<string> | undefined

/** Takes as long for an unknown user (`hash` undefined) as for a known one. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const against = hash ?? (await decoy)
  const same = await inTurn(() => Bun.password.verify(password, against))
  return same && hash !== undefined
}

/** Why a password is not accepted; `undefined` when it is. The list of common ones holds 49,000 and is read at the first call. */
export async function passwordError(password: string): Promise<string | undefined> {
  const length = [...password].length
  if (length < LEAST_LENGTH) return `must have at least ${LEAST_LENGTH} characters; a sentence of four words is good`
  if (length > MOST_LENGTH) return `must have at most ${MOST_LENGTH} characters`
  const { default: common } = await import('@zxcvbn-ts/language-common/src/passwords.json')
  const known = common.includes(password.toLowerCase()) || /^(.)\1+$/.test(password)
  return known ? 'is one of the most common passwords: choose another' : undefined
}
