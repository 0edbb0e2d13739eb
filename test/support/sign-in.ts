/** Sign-in by password alone, and sessions, without pages. */
import { openSession, type SessionTokens, type SignIn, verifySignIn } from '../../src/accounts/people.ts'
import { userByEmail } from '../../src/accounts/queries.ts'
import type { App, Client } from '../../src/ports.ts'

export async function signIn(app: App, input: SignIn, client: Client): Promise<SessionTokens> {
  return openSession(app, await verifySignIn(app, input, client), ['password'], client)
}

/** The cookie of a new session of this person, at a service with this address. */
export async function sessionCookie(app: App, email: string, url: string) {
  const user = await userByEmail(app.db, email)
  if (!user) throw new Error(`${email} has no account`)
  const { token } = await openSession(app, user, ['password'], { ip: '127.0.0.1', userAgent: 'test' })
  return { name: 'signet_session', value: token, url }
}
