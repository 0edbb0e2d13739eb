/** Time-stamps made by openssl behind a loopback server. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { englishOfRemark } from '../../src/locales/remarks.ts'
import { createSignedData, signatureValueOf, withTimestamp } from '../../src/pades/cms.ts'
import { readSignedData } from '../../src/pades/signed-data.ts'
import { firstTimestamp, requestTimestamp, TimestampError } from '../../src/pades/timestamp.ts'
import { readTimestampToken, verifyTimestampToken } from '../../src/pades/timestamp-token.ts'
import { DerError, readDer, readOid } from '../../src/pki/der.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { testCertificate } from '../support/test-certificate.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { type Behaviour, useTestAuthority } from '../support/tsa.ts'

const authority = useTestAuthority()
const allow = parseNetworks('127.0.0.0/8')
const { send } = THIS_MACHINE
const digest = new Uint8Array(createHash('sha256').update('the signature value').digest())
const sha256 = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())

const order = (more: { ca?: string; now?: () => Date } = {}) => ({
  digest,
  authority: { url: authority.url, ca: more.ca ?? authority.root },
  allow,
  send,
  now: more.now ?? (() => new Date()),
  random: THIS_MACHINE.random,
})

async function refusalOf(behaviour: Behaviour | undefined, more: Parameters<typeof order>[0] = {}): Promise<string> {
  authority.behave('/tsa', behaviour)
  const outcome = await requestTimestamp(order(more)).then(
    () => 'a token was taken',
    error => error as Error,
  )
  // After the name of the authority.
  if (outcome instanceof TimestampError) return outcome.message.replace(/^127\.0\.0\.1:\d+ /, '')
  throw outcome
}

describe('a valid token', () => {
  test('is accepted: for the digest, with the current time, under the trusted root', async () => {
    const before = Date.now()
    const { token, at, path } = await requestTimestamp(order())
    expect(Math.abs(at.getTime() - before)).toBeLessThan(10_000)
    expect(path).toHaveLength(2)
    const verified = verifyTimestampToken({
      token: readTimestampToken(token),
      digestOf: () => digest,
      trust: certificatesOfPem(authority.root).map(readCertificate),
      companions: [],
    })
    expect(verified).toMatchObject({ broken: [], reasons: [], trusted: true })
  })

  test('is accepted by openssl', async () => {
    const { token } = await requestTimestamp(order())
    writeFileSync(join(authority.folder, 'token'), token)
    const args = ['-digest', Buffer.from(digest).toString('hex'), '-in', 'token', '-token_in', '-CAfile', 'root.pem']
    const { stdout } = Bun.spawnSync(['openssl', 'ts', '-verify', ...args], { cwd: authority.folder })
    expect(String(stdout)).toContain('Verification: OK')
  })

  test('is requested with the login and with certReq', async () => {
    const authorization: (string | null)[] = []
    authority.behave('/tsa', (request, honest) => {
      authorization.push(request.headers.get('authorization'))
      return honest()
    })
    await requestTimestamp({ ...order(), authority: { url: authority.url, user: 'ada', password: 'p@ss:wörd' } })
    expect(authorization).toEqual([`Basic ${Buffer.from('ada:p@ss:wörd').toString('base64')}`])
  })

  test('is intact but not trusted under another root', async () => {
    const { token } = await requestTimestamp(order())
    const verified = verifyTimestampToken({ token: readTimestampToken(token), digestOf: () => digest, trust: [], companions: [] })
    expect(verified.broken).toEqual([])
    expect(verified.trusted).toBe(false)
    expect(verified.reasons.map(englishOfRemark)[0]).toContain('not trusted')
  })

  test('is not valid for other bytes', async () => {
    const { token } = await requestTimestamp(order())
    const verified = verifyTimestampToken({
      token: readTimestampToken(token),
      digestOf: () => sha256('others'),
      trust: [],
      companions: [],
    })
    expect(verified.broken.map(englishOfRemark)).toEqual(['The token is for other bytes (messageImprint).'])
  })

  test('with any changed byte is refused or not trusted, except in its copy of the root, which is not used', async () => {
    const { token } = await requestTimestamp(order())
    const trust = certificatesOfPem(authority.root).map(readCertificate)
    const root = Buffer.from(token).indexOf(readFileSync(join(authority.folder, 'root.der')))
    const rootBytes = readFileSync(join(authority.folder, 'root.der')).length
    let taken = 0
    for (let at = 0; at < token.length; at += 3) {
      if (at >= root && at < root + rootBytes) continue
      const changed = token.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x01
      try {
        const verified = verifyTimestampToken({
          token: readTimestampToken(changed),
          digestOf: () => digest,
          trust,
          companions: [],
        })
        if (verified.trusted) taken++
      } catch (error) {
        expect(error).toBeInstanceOf(DerError)
      }
    }
    expect(taken).toBe(0)
  })
})

test('an authority with a private TLS certificate is called only if that is trusted', async () => {
  const { cert, key } = testCertificate('IP:127.0.0.1')
  const fetch = async (request: Request) => globalThis.fetch(authority.url, { method: 'POST', body: await request.bytes() })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls: { cert, key }, fetch })
  const secure = { url: `https://127.0.0.1:${server.port}/tsa`, ca: authority.root }
  try {
    await expect(requestTimestamp({ ...order(), authority: secure })).rejects.toThrow('could not be reached')
    const { path } = await requestTimestamp({ ...order(), authority: { ...secure, tlsCa: cert } })
    expect(path).toHaveLength(2)
  } finally {
    await server.stop(true)
  }
})

test('a token becomes the only unsigned attribute of a CMS, which openssl still verifies', async () => {
  const { key } = await sharedAuthority()
  const bytes = Buffer.from('the document')
  const cms = await createSignedData({ digest: new Uint8Array(createHash('sha256').update(bytes).digest()), key })
  const over = new Uint8Array(createHash('sha256').update(signatureValueOf(cms)).digest())
  const { token } = await requestTimestamp({ ...order(), digest: over })
  const stamped = withTimestamp(cms, token)
  expect(signatureValueOf(stamped)).toEqual(signatureValueOf(cms))
  expect(() => withTimestamp(stamped, token)).toThrow('unsigned attributes already')
  const { signer } = readSignedData({ node: readDer(stamped), isDer: true }, '1.2.840.113549.1.7.1')
  expect(signer.unsignedAttributes.map(node => readOid(node.children[0], 'its type'))).toEqual(['1.2.840.113549.1.9.16.2.14'])
  const value = signer.unsignedAttributes[0]?.children[1]?.children[0]?.encoded
  expect(Buffer.compare(value ?? new Uint8Array(), token)).toBe(0)
  writeFileSync(join(authority.folder, 'stamped'), stamped)
  writeFileSync(join(authority.folder, 'document'), bytes)
  const args = ['-verify', '-binary', '-inform', 'DER', '-in', 'stamped', '-content', 'document', '-noverify', '-out', 'out']
  const { exitCode } = Bun.spawnSync(['openssl', 'cms', ...args], { cwd: authority.folder })
  expect(exitCode).toBe(0)
})

describe('refused with the reason:', () => {
  test('an HTTP error, and an invalid, truncated or oversized response', async () => {
    expect(await refusalOf(() => new Response('busy', { status: 503 }))).toBe('answered 503')
    expect(await refusalOf(() => new Response('<html>'))).toContain('sent an invalid response')
    expect(await refusalOf(async (_r, honest) => new Response((await (await honest()).bytes()).slice(0, -9)))).toContain(
      'sent an invalid response',
    )
    expect(await refusalOf(() => new Response(new Uint8Array(1 << 20)))).toContain('more than')
    expect(await refusalOf(() => Response.redirect('http://127.0.0.1:1/', 302))).toBe('answered 302')
  })

  test('a rejection, with its message', async () => {
    // PKIStatusInfo: rejection, "not today", badRequest.
    const rejection = Buffer.from('3016301402010230 0b0c096e6f742074 6f646179 0302 0520'.replaceAll(' ', ''), 'hex')
    expect(await refusalOf(() => new Response(rejection))).toBe(
      'gave no token (rejection: the request is not permitted; its message: not today)',
    )
  })

  test('a token for another request', async () => {
    const replay = await requestOnce()
    expect(await refusalOf(() => new Response(replay))).toContain('another request (nonce)')
  })

  test('a token of an authority under another root', async () => {
    const outcome = await refusalOf(undefined, { ca: readFileSync(join(authority.folder, 'other.pem'), 'utf8') })
    expect(outcome).toContain('no path leads from')
  })

  test('a clock that is a day off, with the difference', async () => {
    const tomorrow = () => new Date(Date.now() + 86_400_000)
    expect(await refusalOf(undefined, { now: tomorrow })).toContain("1440 minutes behind this machine's clock")
  })

  test('no server', async () => {
    const unreachable = { ...order(), authority: { url: 'http://127.0.0.1:9/tsa' } }
    await expect(requestTimestamp(unreachable)).rejects.toThrow('could not be reached')
  })

  test('a private address that was not allowed', async () => {
    await expect(requestTimestamp({ ...order(), allow: [] })).rejects.toThrow('could not be reached')
  })
})

test('invalid certificates of an authority are refused before any request', async () => {
  const before = authority.requests.length
  for (const ca of ['', 'no PEM', '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----'])
    await expect(requestTimestamp(order({ ca }))).rejects.toThrow('was not asked: ')
  expect(authority.requests.length).toBe(before)
  const basics = { digest, allow, send, now: () => new Date(), random: THIS_MACHINE.random }
  await expect(firstTimestamp([], basics)).rejects.toThrow('no time-stamp authority is configured')
  const nowhere = [{ url: 'nowhere' }]
  await expect(firstTimestamp(nowhere, basics)).rejects.toThrow('an authority with an invalid address')
})

test('the next authority is asked after a failure, and all failures are named if all fail', async () => {
  const authorities = [{ url: 'http://127.0.0.1:9/' }, { url: authority.url, ca: authority.root }]
  const basics = { digest, allow, send, now: () => new Date(), random: THIS_MACHINE.random }
  const { at } = await firstTimestamp(authorities, basics)
  expect(at).toBeInstanceOf(Date)
  authority.behave('/tsa', () => new Response('', { status: 500 }))
  await expect(firstTimestamp(authorities, basics)).rejects.toThrow(
    /^127\.0\.0\.1:9 could not be reached: .*; 127\.0\.0\.1:\d+ answered 500$/,
  )
})

async function requestOnce(): Promise<Uint8Array<ArrayBuffer>> {
  let kept = new Uint8Array()
  authority.behave('/tsa', async (_request, honest) => {
    kept = await (await honest()).bytes()
    return new Response(kept)
  })
  await requestTimestamp(order())
  return kept
}
