/** Seeds of texts: bodies, lists, headers, addresses, and what providers and browsers send. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { csvRow } from '../../src/core/csv/write.ts'
import { canonicalJson } from '../../src/core/document/audit-chain.ts'
import { deviceKeyStatement } from '../../src/core/signing/device-key.ts'
import { inkText } from '../../src/core/signing/ink.ts'
import { newDocument } from '../support/sample.ts'
import { SoftAuthenticator } from '../support/soft-authenticator.ts'
import { CORPUS_TIME } from './corpus.ts'
import { DEVICE_ENTRY, DEVICE_FACTS, OIDC, PASSKEY_SITE } from './fixed.ts'
import type { Put } from './make-seeds.ts'

const BOUNDARY = '----b'
const part = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

function bodySeeds(put: Put): void {
  put(
    'json-body',
    'document',
    JSON.stringify({
      title: 'A "quoted" \\ name\u00e9',
      recipients: [{ name: 'Ada', fields: [] }],
      document: 'JVBERi0x',
      n: 1.5e3,
    }),
  )
  put('json-body', 'list', '{"files":[{"content":"QUJD","name":"\\u0041"},{"content":"\\n\\ud83d\\ude00"}],"content":"x"}')
  put(
    'multipart',
    'form',
    `${part('csrf', 'abc')}${part('file', '%PDF-', '; filename="x\\"y.pdf"')}${part('document', '{}', '; filename="blob"')}--${BOUNDARY}--\r\n`,
  )
  put('base64', 'usual', Buffer.from('What was sent, with some length to it.').toString('base64'))
  put('base64', 'lines', 'QUJD\r\nRA==\r\n')
  const ink = {
    width: 400,
    height: 100,
    strokes: [
      [10, 10, 255, 200, 80, 100, 390, 20, 0],
      [50, 50, 128, 60, 60, 128],
    ],
  }
  put('ink', 'two', inkText(ink))
}

function listSeeds(put: Put): void {
  const header = ['Name', 'E-Mail', 'Date', 'Amount']
  const rows = [header, ['Ada', 'ada@example.com', '27.11.2026', '1,5'], ['=Bo "x"', 'bo@example.com', '', '\n2']]
  const text = (delimiter: ',' | ';' | '\t') => rows.map(row => csvRow(row, delimiter)).join('')
  put('csv', 'comma.csv', text(','))
  put('csv', 'semicolon.csv', `\ufeff${text(';')}`)
  put('csv', 'wide.csv', Buffer.from(`\ufeff${text('\t')}`, 'utf16le'))
  put('csv', 'sep.csv', `sep=|\r\nName|E-Mail\r\nJosé|j@example.com\r\n`)
  put('csv', 'latin.csv', Buffer.from('Name;E-Mail\nJosé;j@example.com\n', 'latin1'))
  put('mailboxes', 'outlook', 'Li, Bo <bo@example.com>; "Ann, M." <ann@example.com>, mailto:x@example.com\r\n<c@example.com>')
}

function headerSeeds(put: Put): void {
  put(
    'headers',
    'browser',
    [
      'host: sign.example.com:8443',
      'cookie: signet_session=abc; __Host-signet_csrf=def; a=b=c',
      'accept-language: de-DE,de;q=0.9,en;q=0.8,*;q=0.1',
      'x-forwarded-for: 203.0.113.7, [2001:db8::1]:443, 10.0.0.1',
      'x-forwarded-host: sign.example.com',
      'user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'content-type: multipart/form-data; boundary=x',
      'if-none-match: W/"a", "b", *',
      'accept-encoding: br;q=1.0, gzip;q=0.5, *;q=0',
      'authorization: Bearer esk_test_0123456789',
    ].join('\n'),
  )
  put(
    'address',
    'addresses',
    ['10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '[::1]:80', 'fe80::1%eth0', '0x7f.1', '127.1'].join('\n'),
  )
  put(
    'address',
    'urls',
    [
      'https://example.com/hook?x=1',
      'http://[::1]:80/',
      'https://user:p@h/',
      'https://10.0.0.1/a#b',
      '10.0.0.0/8, fd00::/8',
    ].join('\n'),
  )
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** All that a provider answers in one sign-in. */
function providerSeeds(put: Put): void {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const seconds = Math.floor(CORPUS_TIME.getTime() / 1000)
  const { issuer, clientId } = OIDC.registration
  const claims = {
    iss: issuer,
    aud: clientId,
    iat: seconds,
    exp: seconds + 300,
    nonce: OIDC.secrets.nonce,
    sub: 'ada-1',
    email: 'ada@acme.example',
  }
  const text = `${encoded({ alg: 'ES256', kid: '1' })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' })
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
  }
  const jwks = { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'ES256' }] }
  const token = {
    access_token: 'at',
    token_type: 'Bearer',
    expires_in: 60,
    id_token: `${text}.${signature.toString('base64url')}`,
  }
  const userinfo = { sub: 'ada-1', name: 'Ada Lovelace', groups: ['a'] }
  const response = { code: 'c', state: OIDC.secrets.state, iss: issuer }
  put('oidc', 'usual', JSON.stringify({ discovery, jwks, token, userinfo, response }))
  put('besides', 'oidc-key.json', JSON.stringify(jwks))
}

function passkeySeeds(put: Put): void {
  const { origin, host } = PASSKEY_SITE
  const authenticator = new SoftAuthenticator(origin, host)
  const challenge = Buffer.alloc(32, 5).toString('base64url')
  put('passkey', 'creation', authenticator.create({ challenge, user: { id: Buffer.from('usr_1').toString('base64url') } }))
  put('passkey', 'assertion', authenticator.get({ challenge }))
}

export function deviceKeySeeds(put: Put): void {
  const { origin, host } = PASSKEY_SITE
  const device = new SoftAuthenticator(origin, host)
  const statement = canonicalJson(deviceKeyStatement(DEVICE_ENTRY, DEVICE_FACTS))
  const challenge = createHash('sha256').update(statement).digest('base64url')
  const { authenticatorData, clientDataJSON: clientDataJson, signature } = JSON.parse(device.get({ challenge })).response
  const { id: credentialId, publicKey } = device
  const proof = { facts: DEVICE_FACTS, credentialId, publicKey, authenticatorData, clientDataJson, signature }
  put('device-key', 'es256', JSON.stringify(proof))
}

export async function textSeeds(put: Put): Promise<void> {
  deviceKeySeeds(put)
  bodySeeds(put)
  listSeeds(put)
  headerSeeds(put)
  providerSeeds(put)
  passkeySeeds(put)
  const { file: _, ...body } = await newDocument()
  put(
    'http-request',
    'create',
    `POST /api/v1/documents\ncontent-type: application/json\n\n${JSON.stringify({ ...body, file: 'JVBERi0xLjcK' })}`,
  )
  put(
    'http-request',
    'list',
    'GET /api/v1/documents?limit=5&query=ada&status=sent&updatedAfter=2026-01-01T00:00:00Z&cursor=x\n\n',
  )
  put('http-request', 'events', 'GET /api/v1/events?after=evt_01&limit=2\nlast-event-id: 7\n\n')
  put(
    'http-request',
    'webhook',
    'POST /api/v1/webhooks\ncontent-type: application/json\nidempotency-key: k1\n\n{"url":"https://example.com/h","events":["document.completed"]}',
  )
  put(
    'http-request',
    'template',
    'POST /api/v1/templates\ncontent-type: application/json\n\n{"title":"T","roles":[{"name":"A","fields":[]}],"file":"JVBERi0xLjcK"}',
  )
  put(
    'http-request',
    'page',
    'POST /login\ncontent-type: application/x-www-form-urlencoded\norigin: http://127.0.0.1:3000\n\nemail=a%40b.c&password=x&csrf=y',
  )
  put('http-request', 'signing', 'GET /sign/rcp_01ARZ3NDEKTSV4RRFFQ69G5FAV?t=abc\ncookie: signet_session=x\nrange: bytes=0-1\n\n')
  put(
    'http-request',
    'verify',
    `POST /verify\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\norigin: http://127.0.0.1:3000\n\n${part('file', '%PDF-1.7', '; filename="a.pdf"')}--${BOUNDARY}--\r\n`,
  )
}
