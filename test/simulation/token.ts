/** The API token of the programs, as the command line makes one. */
import { insertKey } from '../../src/accounts/queries.ts'
import { newApiKey, prefixFor } from '../../src/lib/api-key.ts'
import { sha256Hex } from '../../src/lib/token.ts'
import { type App, SCOPES } from '../../src/ports.ts'

/** It acts for the instance. */
export async function insertToken(app: App, settle: (work: Promise<unknown>) => Promise<void>): Promise<string> {
  const prefix = prefixFor(app.instance.environment)
  const key = newApiKey(prefix, app.random)
  const row = {
    id: app.newId('key'),
    ownerId: undefined,
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
  await settle(app.write(tx => insertKey(tx, row)))
  return key
}
