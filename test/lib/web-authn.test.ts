/** Responses of browsers that are right but for a member that nothing signs. */
import { expect, test } from 'bun:test'
import { verifyCreation } from '../../src/lib/web-authn.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'

const SITE = { host: 'sign.example.com', origin: 'https://sign.example.com' }

test('a passkey whose transports are no list is made without them', async () => {
  const challenge = Buffer.alloc(32, 5).toString('base64url')
  const text = new SoftAuthenticator(SITE.origin, SITE.host).create({ challenge, user: { id: 'dXNy' } })
  const made = async (transports: unknown) => {
    const response = JSON.parse(text)
    response.response.transports = transports
    return (await verifyCreation(SITE, JSON.stringify(response), async () => true))?.transports
  }
  expect(await made(['internal', 1])).toEqual(['internal'])
  for (const transports of [{}, 1, 'usb', true]) expect(await made(transports)).toEqual([])
})
