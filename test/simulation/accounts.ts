/** An administrator and the API tokens of the programs, as the command line makes them. */
import { createAdmin } from '../../src/accounts/people.ts'
import { insertKey } from '../../src/accounts/queries.ts'
import { newApiKey, prefixFor } from '../../src/lib/api-key.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { type App, SCOPES } from '../../src/ports.ts'

type Settle = (work: Promise<unknown>) => Promise<void>

const GRACE = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }
const MEMBER = 'usr_01m8e373j07cgvrn3g0kx11v21'

/** `memberToken` acts for a member of the organisation, to whom no document belongs. */
export async function makeAccounts(app: App, settle: Settle): Promise<{ token: string; memberToken: string }> {
  const token = await insertToken(app, settle)
  await settle(createAdmin(app, GRACE))
  return { token, memberToken: await insertToken(app, settle, MEMBER) }
}

/** It acts for the instance, or for a new member with this id. */
async function insertToken(app: App, settle: Settle, member?: string): Promise<string> {
  const prefix = prefixFor(app.instance.environment)
  const key = newApiKey(prefix, app.random)
  const row = {
    id: app.newId('key'),
    ownerId: member,
    name: 'simulation',
    sha256: sha256Hex(key),
    prefix,
    lastFour: key.slice(-4),
    scopes: [...SCOPES],
    createdAt: app.now(),
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: undefined,
    lastUsedIp: undefined,
    endNotedAt: undefined,
  }
  await settle(
    app.write(async tx => {
      if (member !== undefined) await tx.insertInto('users').values(memberRow(member)).execute()
      await insertKey(tx, row)
    }),
  )
  return key
}

const memberRow = (id: string) => ({
  id,
  email: 'member@example.com',
  name: 'Member',
  role: 'member' as const,
  password_hash: '',
  created_at: '',
})
