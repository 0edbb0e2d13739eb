/** A start that cannot use PostgreSQL says which setting is wrong, and never the password. */
import { expect, test } from 'bun:test'
import { connectPostgresql } from '../../../src/db/postgresql/connect.ts'
import { parseDatabaseUrl } from '../../../src/db/postgresql/url.ts'
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'

test.each([
  ['a server that refuses connections', '', 'ECONNREFUSED'],
  ['a file of trusted roots that is missing', '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', '/nowhere/ca.pem'],
])('%s is named with the setting to correct', async (_, parameters, cause) => {
  const server = parseDatabaseUrl(`postgres://signet:se-cret@127.0.0.1:1/signet${parameters}`)
  const error = await connectPostgresql(server, THIS_MACHINE).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Error)
  const { message } = error as Error
  expect(message).toContain('postgres://127.0.0.1:1/signet')
  expect(message).toContain('correct SIGNET_DATABASE_URL')
  expect(message).toContain(cause)
  expect(message).not.toContain('se-cret')
})
