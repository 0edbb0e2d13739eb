/** Targets: requests, their headers, addresses, and what providers and authenticators answer. */
import { chooseAppLanguage, chooseLanguage, localeError } from '../../src/core/language.ts'
import type { DeviceKeyProof } from '../../src/core/signing/device-key.ts'
import { deviceKeyProofIn, verifyDeviceKey } from '../../src/evidence/device-key.ts'
import { acceptsGzip } from '../../src/http/compression.ts'
import { matches } from '../../src/http/file-response.ts'
import {
  cookie,
  hasBaseUrlHost,
  hostError,
  ipAddressOf,
  mediaType,
  pathOf,
  searchOf,
  userAgentOf,
} from '../../src/http/request.ts'
import { isWellFormed } from '../../src/lib/api-key.ts'
import type { SendResult } from '../../src/lib/fetch-limited.ts'
import { attachment, cleanFileName } from '../../src/lib/file-names.ts'
import {
  addressRefusal,
  canonicalAddress,
  checkUrl,
  isWithin,
  parseNetworks,
  subscriberNetwork,
} from '../../src/lib/net-guard.ts'
import { type Claims, claimsOf, discover, requestAddress } from '../../src/lib/openid-connect.ts'
import { safeHref } from '../../src/lib/safe-text.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { deviceOfUserAgent } from '../../src/lib/user-agent.ts'
import { namedIn, verifyAssertion, verifyCreation } from '../../src/lib/web-authn.ts'
import { type OwnTask, runTask } from '../../src/sandbox/main.ts'
import { toolsOf } from '../../src/sandbox/pdf-tools.ts'
import type { RequestOf, ResultOf, TaskKind } from '../../src/sandbox/protocol.ts'
import { ORIGIN, openTestApp } from '../support/test-app.ts'
import { CORPUS_TIME, seedsIn } from './corpus.ts'
import { DEVICE_ENTRY, OIDC, PASSKEY_SITE } from './fixed.ts'
import { type Target, ViolationError } from './target.ts'

/** Lines of headers, and a request that has those that HTTP allows. */
function requestOf(text: string): Request {
  const headers = new Headers()
  for (const line of text.split('\n')) {
    const at = line.indexOf(':')
    try {
      if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1))
    } catch {
      // No header can be like this.
    }
  }
  return new Request('https://sign.example.com/a?b=c', { headers })
}

const HEADERS: Target = {
  name: 'headers',
  format: 'text',
  seeds: ['headers'],
  words: [
    ';',
    ',',
    '=',
    'q=',
    '*',
    '"',
    '[::1]',
    ':',
    '%',
    '\u00e9',
    'W/',
    'de-DE',
    '127.0.0.1',
    'x-forwarded-for: ',
    'x-forwarded-host: ',
    '_',
    '\t',
  ],
  refusals: [],
  costUs: 120,
  open() {
    const trusted = parseNetworks('10.0.0.0/8, ::1')
    const config = { baseUrl: 'https://sign.example.com:8443', trustProxy: trusted }
    return {
      read(bytes) {
        const request = requestOf(Buffer.from(bytes).toString('utf8'))
        const header = (name: string) => request.headers.get(name)
        const address = ipAddressOf(request, '10.0.0.1', trusted)
        if (address === undefined || canonicalAddress(address) !== address)
          throw new ViolationError('the address of a client is none')
        chooseLanguage([header('accept-language') ?? undefined], header('accept-language'))
        chooseAppLanguage(undefined, header('accept-language'))
        localeError(header('accept-language')?.slice(0, 40))
        cookie(request, 'signet_session')
        matches(header('if-none-match'), '"a"')
        acceptsGzip(request)
        deviceOfUserAgent(userAgentOf(request))
        isWellFormed(header('authorization') ?? '')
        attachment(cleanFileName(header('cookie') ?? '', ['pdf']))
        pathOf(request)
        searchOf(request)
        mediaType(request)
        const isOurs = hasBaseUrlHost(request, '203.0.113.1', config)
        return hostError(request) ? 'another host' : isOurs ? 'our host' : 'a host'
      },
    }
  },
}

const ADDRESS: Target = {
  name: 'address',
  format: 'text',
  seeds: ['address'],
  words: [
    '::',
    ':',
    '.',
    '/',
    '@',
    '#',
    '[',
    ']',
    '%',
    '0x',
    'ffff',
    '127.0.0.1',
    'http://',
    'https://',
    '\t',
    '\u3002',
    'xn--',
    '１',
  ],
  refusals: [],
  costUs: 120,
  open: () => ({
    read(bytes) {
      for (const line of Buffer.from(bytes).toString('utf8').split('\n').slice(0, 20)) useAddress(line)
      return 'read'
    },
  }),
}

const LOOPBACK = parseNetworks('127.0.0.0/8, ::1/128')

function useAddress(line: string): void {
  const checked = checkUrl(line, [])
  if ('url' in checked) {
    const host = checked.url.hostname.replace(/^\[|\]$/g, '')
    if (isWithin(host, LOOPBACK)) throw new ViolationError('a URL to this host is allowed')
    if (checked.url.username !== '' || checked.url.hash !== '')
      throw new ViolationError('a URL with a user or a fragment is allowed')
  }
  const address = canonicalAddress(line)
  if (address !== undefined && canonicalAddress(address) !== address)
    throw new ViolationError('the canonical form of an address has another one')
  if (address !== undefined && isWithin(address, LOOPBACK) && addressRefusal(address, { allow: [] }) === undefined)
    throw new ViolationError('an address of this host may be called')
  subscriberNetwork(line)
  if (safeHref(line)?.match(/^\s*javascript/i)) throw new ViolationError('a script is a link')
  try {
    parseNetworks(line)
  } catch (error) {
    // Its only error, which names the entry.
    if (!(error instanceof Error) || !error.message.includes('is not a network')) throw error
  }
}

interface ProviderAnswers {
  discovery: unknown
  jwks: unknown
  token: unknown
  userinfo: unknown
  response: unknown
}

/** A provider that answers what the input says, each as JSON. */
function providerAnswering(answers: Partial<ProviderAnswers>) {
  return async ({ url }: { url: string }): Promise<SendResult> => {
    const { pathname } = new URL(url)
    const name = pathname.startsWith('/.well-known/') ? 'discovery' : (pathname.split('/').at(-1) ?? '')
    const body = JSON.stringify(answers[name as keyof ProviderAnswers] ?? null)
    const headers = { 'content-type': 'application/json' }
    return { outcome: 'answered', status: 200, headers, body: Buffer.from(body), truncated: false, latencyMs: 1 }
  }
}

const textsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries((value ?? {}) as object).map(([name, text]) => [name, String(text)]))

const CLAIMS = ['iss', 'aud', 'sub', 'nonce', 'email', 'exp', 'iat'] as const
const signedClaims = (claims: Record<string, unknown>): string => JSON.stringify(CLAIMS.map(name => claims[name]))

/** Only the token that the provider signed is believed. */
const OPENID: Target = {
  name: 'oidc',
  format: 'json',
  seeds: ['oidc'],
  refusals: ['ProviderError'],
  costUs: 1_500,
  open() {
    const [seed] = seedsIn('oidc')
    const genuine = JSON.parse(Buffer.from(seed!.bytes).toString()) as { token: { id_token: string }; jwks: { keys: unknown[] } }
    const payload = Buffer.from(genuine.token.id_token.split('.')[1] ?? '', 'base64url').toString()
    const known = signedClaims(JSON.parse(payload))
    return {
      async read(bytes) {
        let answers: Partial<ProviderAnswers>
        try {
          answers = JSON.parse(Buffer.from(bytes).toString('utf8')) ?? {}
        } catch {
          return 'no JSON'
        }
        const machine = { now: () => CORPUS_TIME, send: providerAnswering(answers) }
        const provider = await discover(OIDC.registration, machine as never)
        await requestAddress(provider, OIDC.secrets, { scopes: [], isAgain: false })
        const claims: Claims = await claimsOf(provider, new URLSearchParams(textsIn(answers.response)), OIDC.secrets, ['name'])
        if (signedClaims(claims) !== known) throw new ViolationError('claims are believed that nobody signed')
        return 'signed in'
      },
    }
  },
}

/** Only what the authenticator signed is believed. */
const PASSKEY: Target = {
  name: 'passkey',
  format: 'json',
  seeds: ['passkey'],
  words: ['AAAA', '-_', '='],
  refusals: [],
  costUs: 700,
  async open() {
    const seed = (name: string) => {
      const found = seedsIn('passkey').find(file => file.name.endsWith(name))
      return Buffer.from(found!.bytes).toString()
    }
    const anyChallenge = async () => true
    const credential = (await verifyCreation(PASSKEY_SITE, seed('creation'), anyChallenge))!
    /** The library reads a padding character within the text as zero bits. */
    const signedOf = (text: string) => {
      const { response } = JSON.parse(text) as { response: Record<string, string> }
      return ['authenticatorData', 'clientDataJSON']
        .map(name => Buffer.from((response[name] ?? '').replace(/=(?=[^=])/g, 'A'), 'base64url').toString('hex'))
        .join()
    }
    const known = signedOf(seed('assertion'))
    return {
      async read(bytes) {
        const text = Buffer.from(bytes).toString('utf8')
        namedIn(text)
        const created = await verifyCreation(PASSKEY_SITE, text, anyChallenge)
        const asserted = await verifyAssertion(PASSKEY_SITE, text, credential, anyChallenge)
        if (asserted && signedOf(text) !== known) throw new ViolationError('a changed assertion verifies')
        return asserted ? 'asserted' : created ? 'created' : 'refused'
      },
    }
  },
}

/** Nothing else than what the device signed is accepted. */
const DEVICE_KEY: Target = {
  name: 'device-key',
  format: 'json',
  seeds: ['device-key'],
  words: ['AAAA', '-_', 'webauthn.get', 'MFkwEwYH'],
  refusals: ['SyntaxError'],
  costUs: 300,
  open() {
    const proofOf = (bytes: Uint8Array) => deviceKeyProofIn({ deviceKey: JSON.parse(Buffer.from(bytes).toString('utf8')) })
    const signedOf = ({ authenticatorData, clientDataJson, publicKey }: DeviceKeyProof) =>
      [authenticatorData, clientDataJson, publicKey].map(text => Buffer.from(text, 'base64url').toString('hex')).join()
    const known = new Set(
      seedsIn('device-key').flatMap(({ name, bytes }) =>
        name.includes('found-') ? [] : [signedOf(proofOf(bytes) as DeviceKeyProof)],
      ),
    )
    return {
      read(bytes) {
        const proof = proofOf(bytes)
        if (proof === undefined || 'problem' in proof) return 'no proof'
        const found = verifyDeviceKey(DEVICE_ENTRY, proof)
        if ('problem' in found) return 'refused'
        if (!known.has(signedOf(proof))) throw new ViolationError('a changed proof verifies')
        return 'right'
      },
    }
  },
}

/** `POST /path`, lines of headers, an empty line, the body. */
function httpRequestOf(bytes: Uint8Array): { path: string; init: RequestInit } | undefined {
  const end = Buffer.from(bytes).indexOf('\n\n')
  const [first = '', ...lines] = Buffer.from(bytes.subarray(0, end < 0 ? bytes.length : end))
    .toString('utf8')
    .split('\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = requestOf(lines.join('\n')).headers
  const init: RequestInit = { method, headers }
  if (end >= 0 && end + 2 < bytes.length) init.body = Uint8Array.from(bytes.subarray(end + 2))
  try {
    const request = new Request(ORIGIN + path, init)
    return request.url.startsWith(`${ORIGIN}/`) ? { path: request.url, init } : undefined
  } catch {
    return undefined
  }
}

/** The PDF code in this process: what children read has targets of its own. */
function ownPdfTools() {
  const run = <K extends TaskKind>(kind: K, request: RequestOf<K>) =>
    runTask({ kind, request } as OwnTask, THIS_MACHINE) as Promise<ResultOf<K>>
  return toolsOf({ run, load: { running: 0, waiting: 0 }, close: async () => {} })
}

/** The whole service. No request is an internal error. */
const REQUEST: Target = {
  name: 'http-request',
  format: 'text',
  seeds: ['http-request'],
  words: [
    ...[
      '/api/v1/',
      'documents/',
      'doc_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '/recipients/',
      'webhooks',
      'templates',
      'batches',
      'events',
      '/evidence',
    ],
    ...[
      'GET ',
      'PATCH ',
      'DELETE ',
      'PUT ',
      'HEAD ',
      '?',
      '&',
      '=',
      '%00',
      '%',
      '"',
      '{}',
      '[]',
      'null',
      '../',
      '\r\n',
      'limit=',
      'cursor=',
    ],
    ...[
      'query=%F0%9F%A7%BE',
      '"title":"x",',
      '"fields":[],',
      '"recipients":[],',
      'content-type: application/json\n',
      '/sign/',
      '/login',
    ],
    ...[
      '/documents',
      '/settings',
      '/verify',
      '/people',
      '/templates',
      '/setup',
      '\u0000',
      '\ud800',
      '1e999',
      '-1',
      'x'.repeat(300),
    ],
  ],
  refusals: [],
  costUs: 2_500,
  maxCpuMs: 10_000,
  async open() {
    const t = await openTestApp({ pdf: ownPdfTools() })
    const key = await t.key()
    return {
      async read(bytes) {
        const asked = httpRequestOf(bytes)
        if (asked === undefined) return 'no request'
        const headers = asked.init.headers as Headers
        if (!headers.has('authorization') && asked.path.includes('/api/')) headers.set('authorization', `Bearer ${key}`)
        t.logged.length = 0
        const { status, body } = await t.fetch(asked.path, asked.init)
        await body?.cancel()
        const bug = t.logged.find(({ level }) => level === 'error')
        if (status >= 500 && status !== 503)
          throw new ViolationError(`answered ${status}: ${JSON.stringify(bug ?? {}).slice(0, 300)}`)
        return `answered ${status}`
      },
      close: () => t.close(),
    }
  },
}

export const REQUEST_TARGETS: readonly Target[] = [HEADERS, ADDRESS, OPENID, PASSKEY, DEVICE_KEY, REQUEST]
