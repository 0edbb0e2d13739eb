/** Signed-in visitors of every role, without a browser. */
import { createAdmin } from '../../src/accounts/people.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import type { Role } from '../../src/ports.ts'
import { openVisitor, type Visitor } from './browser-less.ts'
import type { TestApp } from './test-app.ts'

export const GRACE = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }

/** By e-mail address and password. */
export async function signedIn(t: TestApp, { email, password }: { email: string; password: string } = GRACE): Promise<Visitor> {
  const visitor = openVisitor(t.fetch)
  await visitor.submit(await visitor.get('/sign-in'), { email, password })
  return visitor
}

/** Makes Grace Hopper the administrator. */
export async function newAdministrator(t: TestApp): Promise<Visitor> {
  await createAdmin(t.app, GRACE)
  return signedIn(t)
}

/** Somebody else of this role: `member@example.com`. */
export async function newVisitor(t: TestApp, role: Role): Promise<Visitor> {
  const person = { email: `${role}@example.com`, name: `The ${role}`, password: 'quite other words here' }
  const { password, ...user } = person
  const passwordHash = await t.app.passwords.hash(password)
  await t.app.write(tx => insertUser(tx, { ...user, id: t.app.newId('usr'), role, passwordHash }, t.clock.now))
  return signedIn(t, person)
}
