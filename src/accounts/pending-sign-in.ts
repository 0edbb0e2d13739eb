/** Sign-ins that wait for the second factor, each bound to a browser by a token. */
import { Refusal, validationRefusal } from '../core/refusal.ts'
import { SIGN_IN_CODE_MINUTES } from '../core/service-limits.ts'
import { violation } from '../core/violation.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { randomToken } from '../lib/token.ts'
import type { App, Client } from '../ports.ts'
import * as queries from './factor-queries.ts'
import { openSession, requireSamePassword, type SessionTokens } from './people.ts'
import { type SignInMethod, type User, userById } from './queries.ts'
import { actorOfUser } from './rights.ts'
import { verifySecondFactor } from './second-factor.ts'
import { deviceOf } from './throttle.ts'

export const PENDING_S = SIGN_IN_CODE_MINUTES * 60

/** Returns the token. Only its hash is stored, so that a restart or another node can continue. */
export async function holdSignIn(app: App, user: User, method: SignInMethod, next: string): Promise<string> {
  const token = randomToken(app.random)
  const expiresAt = new Date(app.now().getTime() + PENDING_S * 1000)
  const pending = { userId: user.id, method, next, expiresAt }
  await app.write(
    async tx => {
      await requireSamePassword(tx, user)
      await queries.insertPendingSignIn(tx, sha256Hex(token), pending)
    },
    { wake: false },
  )
  return token
}

export interface HeldSignIn {
  user: User
  method: SignInMethod
  next: string
}

/** @throws Refusal `invalid_state` when it has expired, or ended with the password */
export async function heldSignIn(app: App, token: string | undefined): Promise<HeldSignIn> {
  const pending = token === undefined ? undefined : await queries.findPendingSignIn(app.db, sha256Hex(token), app.now())
  const user = pending && (await userById(app.db, pending.userId))
  if (!pending || !user) throw pendingRefusal()
  return { user, method: pending.method, next: pending.next }
}

const pendingRefusal = () => new Refusal('invalid_state', violation('code_entered_late', { minutes: SIGN_IN_CODE_MINUTES }))

/** When the person has signed in by other means. */
export async function endHeldSignIn(app: App, token = ''): Promise<void> {
  await app.write(tx => queries.dropPendingSignIn(tx, sha256Hex(token)), { wake: false })
}

interface SecondStep {
  token: string
  entered: string
  deviceToken: string | undefined
}

export interface FinishedSignIn extends SessionTokens {
  next: string
  /** Undefined after a code of the app. */
  recoveryCodesLeft: number | undefined
}

/** Opens the session by a code of either kind. @throws Refusal with an error at `code` */
export async function finishHeldSignIn(app: App, step: SecondStep, client: Client): Promise<FinishedSignIn> {
  const { user, method, next } = await heldSignIn(app, step.token)
  const device = deviceOf(app, user, step.deviceToken)
  const source = device === undefined ? { address: client.ip } : { device }
  const origin = { actor: actorOfUser(user), ...client }
  const second = await verifySecondFactor(app, user, { entered: step.entered, source, origin })
  if (!second) {
    app.log('warn', 'second factor failed', { ip: client.ip, userId: user.id })
    throw validationRefusal([{ path: 'code', ...violation('code_used_or_wrong') }])
  }
  // It ends when the password is changed, even while the code is being verified.
  if (!(await app.write(tx => queries.dropPendingSignIn(tx, sha256Hex(step.token)), { wake: false }))) throw pendingRefusal()
  const opened = await openSession(app, user, [method, second], client)
  const left = second === 'recovery_code' ? await queries.countRecoveryCodes(app.db, user.id) : undefined
  return { ...opened, next, recoveryCodesLeft: left }
}
