/** People of every role, for tests. */
import { createKey } from '../../src/accounts/keys.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { rightsOf } from '../../src/accounts/rights.ts'
import type { Origin, Role } from '../../src/ports.ts'
import type { TestApp } from './test-app.ts'

export interface TestPerson {
  id: string
  name: string
  email: string
  password: string
  passwordHash: string
  /** Of what this person does. */
  origin: Origin
}

/** `ada@example.com` for Ada. The hash costs time: only with `signsIn` can the person sign in. */
export async function addPerson(
  { app, clock }: Pick<TestApp, 'app' | 'clock'>,
  name: string,
  role: Role,
  { signsIn = false } = {},
): Promise<TestPerson> {
  const id = app.newId('usr')
  const email = `${name.toLowerCase()}@example.com`
  const password = 'four sound words here'
  const passwordHash = signsIn ? await app.passwords.hash(password) : 'none'
  await app.write(tx => insertUser(tx, { id, email, name, role, passwordHash }, clock.now))
  const actor = { label: `user:${id}`, userId: id, idempotencyOwner: id, ...rightsOf(role) }
  return { id, name, email, password, passwordHash, origin: { actor, ip: undefined, userAgent: undefined } }
}

/** The header of an API token of a new person, with the rights that tokens have by default. */
export async function tokenOfNew(t: Pick<TestApp, 'app' | 'clock'>, name: string, role: Role = 'member') {
  const { id } = await addPerson(t, name, role)
  const { key } = await createKey(t.app, { userId: id }, { name, scopes: [], expiresInDays: undefined })
  return { authorization: `Bearer ${key}` }
}
