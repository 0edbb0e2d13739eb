/** Sign-in by password alone, without pages. */
import { openSession, type SessionTokens, type SignIn, verifySignIn } from '../../src/accounts/people.ts'
import type { App, Client } from '../../src/ports.ts'

export async function signIn(app: App, input: SignIn, client: Client): Promise<SessionTokens> {
  return openSession(app, await verifySignIn(app, input, client), ['password'], client)
}
