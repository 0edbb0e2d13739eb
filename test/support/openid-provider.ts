/** A real OpenID Connect provider (`oidc-provider`) on loopback, with a plain sign-in page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'
import { CLIENT } from './lying-provider.ts'

export interface OpenidProvider {
  url: string
  close(): Promise<void>
}

const PAGE = `<!DOCTYPE html><html lang="en"><title>Acme ID</title><h1>Acme ID</h1><form method="post">
<label>User <input name="user"></label><button>Continue</button><button name="cancel" value="1">Cancel</button></form></html>`

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Whoever enters `ada` has the address `ada@acme.example`. Scopes need no consent. */
export async function openOpenidProvider(redirectUri: string): Promise<OpenidProvider> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'], openid: ['sub', 'auth_time'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['keys of the tests'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@acme.example`, email_verified: true, name: id === 'ada' ? 'Ada Lovelace' : id }),
    }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    const form = await formOf(request)
    const result = form.has('cancel') ? { error: 'access_denied' } : { login: { accountId: form.get('user') ?? '' } }
    return provider.interactionFinished(request, response, result)
  })
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
