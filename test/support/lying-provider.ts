/** An OpenID Connect provider on loopback that says what a test wants it to say. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type HttpSink, openHttpSink, type SinkRequest } from './http-sink.ts'

export const CLIENT = { id: 'signet', secret: 'a secret of the tests' }

type Claims = Record<string, unknown>

/** What the next responses are; each member replaces what a good provider would do. */
export interface Lies {
  /** Members of the discovery document. */
  metadata?: Claims
  /** Claims of the ID token; undefined leaves one out. */
  claims?: Claims
  /** Of the header of the token. */
  alg?: 'none' | 'HS256'
  /** Signs with a key that is not published. */
  isForeignKey?: boolean
  accessToken?: string
  /** In place of the signature of the token. */
  signature?: string
  /** In place of the answer of the token endpoint. */
  token?: { status: number; body: unknown; headers?: Record<string, string> }
  /** In place of all answers. */
  answer?: (request: SinkRequest, response: ServerResponse) => void
  /** Parameters of the authorization response; undefined leaves one out. */
  response?: Record<string, string | undefined>
}

export interface LyingProvider extends Pick<HttpSink, 'url' | 'requests' | 'close'> {
  lies: Lies
  /** The person who signs in there next. */
  person: Claims
  /** The address that the provider sends the browser back to, for one that it was sent to. */
  signIn(address: string): string
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** One pair for all providers: to make it takes a tenth of a second. */
const published = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** `now`: its clock. */
export async function openLyingProvider(now: () => Date): Promise<LyingProvider> {
  const codes = new Map<string, { nonce: string; challenge: string; person: Claims }>()
  const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const sink = await openHttpSink((request, response) => {
    const { lies } = provider
    if (lies.answer) return lies.answer(request, response)
    const path = request.path.split('?')[0]
    if (path === '/.well-known/openid-configuration') return json(response, { ...metadata(), ...lies.metadata })
    if (path === '/jwks')
      return json(response, { keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }] })
    if (path === '/token') return answerToken(request, response)
    return json(response, { error: 'not_found' }, 404)
  })
  const metadata = () => ({
    issuer: sink.url,
    authorization_endpoint: `${sink.url}/authorize`,
    token_endpoint: `${sink.url}/token`,
    jwks_uri: `${sink.url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  })

  function answerToken({ body }: SinkRequest, response: ServerResponse) {
    const { lies } = provider
    if (lies.token) return json(response, lies.token.body, lies.token.status, lies.token.headers)
    const form = new URLSearchParams(body.toString())
    if (form.get('client_secret') !== CLIENT.secret) return json(response, { error: 'invalid_client' }, 401)
    const granted = codes.get(form.get('code') ?? '')
    const challenge = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    codes.delete(form.get('code') ?? '')
    if (!granted || granted.challenge !== challenge) return json(response, { error: 'invalid_grant' }, 400)
    const seconds = Math.floor(now().getTime() / 1000)
    const claims = {
      iss: sink.url,
      aud: CLIENT.id,
      iat: seconds,
      exp: seconds + 300,
      auth_time: seconds,
      nonce: granted.nonce,
      ...granted.person,
      ...lies.claims,
    }
    return json(response, { access_token: lies.accessToken ?? 'at', token_type: 'Bearer', id_token: tokenOf(claims) })
  }

  function tokenOf(claims: Claims): string {
    const { alg = 'RS256', isForeignKey } = provider.lies
    const text = `${encoded({ alg, kid: '1' })}.${encoded(claims)}`
    const key: KeyObject = isForeignKey ? foreign.privateKey : published.privateKey
    if (alg === 'none') return `${text}.`
    const signature =
      alg === 'HS256' ? createHmac('sha256', CLIENT.secret).update(text).digest() : sign('sha256', Buffer.from(text), key)
    return `${text}.${provider.lies.signature ?? signature.toString('base64url')}`
  }

  const provider: LyingProvider = {
    url: sink.url,
    requests: sink.requests,
    close: sink.close,
    lies: {},
    person: { sub: 'ada-1', email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' },
    signIn(address) {
      const asked = new URL(address).searchParams
      const code = `code-${codes.size}-${provider.requests.length}`
      codes.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        person: { ...provider.person },
      })
      const parameters = { code, state: asked.get('state') ?? '', iss: sink.url, ...provider.lies.response }
      const back = new URL(asked.get('redirect_uri') ?? '')
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) back.searchParams.set(name, value)
      return back.pathname + back.search
    },
  }
  return provider
}

export const settingsOf = (provider: Pick<LyingProvider, 'url'>) => ({
  oidcIssuer: provider.url,
  oidcClientId: CLIENT.id,
  oidcClientSecret: CLIENT.secret,
  oidcName: 'Acme ID',
  oidcDomains: 'acme.example',
})
