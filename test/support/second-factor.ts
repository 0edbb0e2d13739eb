/** An account with an authenticator app, and the codes that the app would show. */
import { Secret } from 'otpauth'
import { userByEmail } from '../../src/accounts/queries.ts'
import { confirmEnrolment, enrolmentSecret, startEnrolment } from '../../src/accounts/second-factor.ts'
import { totpCode } from '../../src/lib/totp.ts'
import { type App, SYSTEM } from '../../src/ports.ts'

export interface Authenticator {
  /** The code at this time; later by so many seconds. */
  code(afterS?: number): string
  recoveryCodes: string[]
}

/** The app that scans the shown key. */
export function authenticatorFor(app: Pick<App, 'now'>, key: string): Pick<Authenticator, 'code'> {
  const secret = Secret.fromBase32(key.replaceAll(' ', '')).bytes
  return { code: (afterS = 0) => totpCode(secret, new Date(app.now().getTime() + afterS * 1000)) }
}

/** Sets the second factor up. The code of the present time step is then used. */
export async function withSecondFactor(app: App, email: string): Promise<Authenticator> {
  const user = await userByEmail(app.db, email)
  if (!user) throw new Error(`there is no account ${email}`)
  await startEnrolment(app, user.id)
  const shown = await enrolmentSecret(app, user)
  const authenticator = authenticatorFor(app, shown?.text ?? '')
  return { ...authenticator, recoveryCodes: await confirmEnrolment(app, user, authenticator.code(), SYSTEM) }
}
