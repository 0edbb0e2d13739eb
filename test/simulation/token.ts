/** The API token of the programs, as the command line makes one. */
import { insertKey } from '../../src/accounts/queries.ts'
import { newApiKey, prefixFor } from '../../src/lib/api-key.ts'
import { sha256Hex } from '../../src/lib/token.ts'
import { type App, SCOPES } from '../../src/ports.ts'

/** It acts for the instance, or for a new member with this id. */
export async function insertToken(app: App, settle: (work: Promise<unknown>) => Promise<void>, member?: string): Promise<string> {
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
