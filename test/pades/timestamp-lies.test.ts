/** Time-stamp tokens with one wrong value, and authorities that hang or flood: all are refused. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { requestTimestamp, TimestampError } from '../../src/pades/timestamp.ts'
import { readTimestampToken, verifyTimestampToken } from '../../src/pades/timestamp-token.ts'
import { der, octetString, oid, readDer, sequence, smallInteger, TAG } from '../../src/pki/der.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { type Behaviour, issue, openTestAuthority, signInfo, useTestAuthority } from '../support/tsa.ts'

const authority = useTestAuthority()
const allow = parseNetworks('127.0.0.0/8')
const { send } = THIS_MACHINE
const digest = new Uint8Array(createHash('sha256').update('the signature value').digest())

async function outcomeOf(behaviour: Behaviour, more: { timeoutMs?: number; now?: () => Date } = {}): Promise<string> {
  authority.behave('/tsa', behaviour)
  const order = {
    digest,
    authority: { url: authority.url, ca: authority.root },
    allow,
    send,
    now: () => new Date(),
    random: THIS_MACHINE.random,
    ...more,
  }
  try {
    await requestTimestamp(order)
    return 'taken'
  } catch (error) {
    // After the name of the authority.
    if (error instanceof TimestampError) return error.message.replace(/^127\.0\.0\.1:\d+ /, '')
    throw error
  }
}

interface Lie {
  imprint?: Uint8Array
  nonce?: Uint8Array
  at?: string
  signer?: string
  beside?: string[]
  /** Further options of `openssl cms`. */
  options?: string[]
}

const digits = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`

function info(nonce: Uint8Array, { imprint = digest, at = digits(new Date()) }: Lie): Uint8Array {
  const algorithm = sequence(oid('2.16.840.1.101.3.4.2.1'))
  const time = der(TAG.generalizedTime, Buffer.from(at))
  return sequence(
    smallInteger(1),
    oid('1.3.6.1.4.1.99999.1'),
    sequence(algorithm, octetString(imprint)),
    smallInteger(7),
    time,
    nonce,
  )
}

/** A correct response except for the lie. */
const lying =
  (lie: Lie): Behaviour =>
  async request => {
    const nonce = readDer(await request.bytes()).children[2]?.encoded ?? new Uint8Array()
    const token = signInfo(authority.folder, info(lie.nonce ?? nonce, lie), lie.signer ?? 'tsa', lie.beside, lie.options)
    return new Response(sequence(sequence(smallInteger(0)), token).slice())
  }

describe('a token with one wrong value', () => {
  test('is accepted if no value is wrong, with any content type', async () => {
    expect(await outcomeOf(lying({}))).toBe('taken')
  })

  test('is refused without its authority’s certificate, with and without configured certificates', async () => {
    const bare = lying({ options: ['-nocerts'] })
    expect(await outcomeOf(bare)).toContain('The certificate of the time-stamp authority is missing.')
    const order = { digest, authority: { url: authority.url }, allow, send, now: () => new Date(), random: THIS_MACHINE.random }
    await expect(requestTimestamp(order)).rejects.toThrow('The certificate of the time-stamp authority is missing.')
  })

  test('is refused with a hash that is too weak', async () => {
    expect(await outcomeOf(lying({ options: ['-md', 'sha1'] }))).toContain('SHA-1 is too weak')
  })

  test('is refused for other bytes, even with the right nonce', async () => {
    expect(await outcomeOf(lying({ imprint: Buffer.alloc(32, 7) }))).toContain('The token is for other bytes')
  })

  test('is refused with another nonce or without one', async () => {
    expect(await outcomeOf(lying({ nonce: smallInteger(9) }))).toContain('(nonce)')
    expect(await outcomeOf(lying({ nonce: new Uint8Array() }))).toContain('(nonce)')
  })

  test('is refused with a time one day before or after', async () => {
    const day = 86_400_000
    const [behind, ahead] = [-day, day].map(ms => digits(new Date(Date.now() + ms)))
    expect(await outcomeOf(lying({ at: behind ?? '' }))).toMatch(/14(39|40) minutes behind/)
    expect(await outcomeOf(lying({ at: ahead ?? '' }))).toMatch(/14(39|40) minutes ahead of/)
    expect(await outcomeOf(lying({ at: '20310304050607.500Z' }))).toContain('genTime is not a time in DER')
  })

  test('is refused if its certificate is not only for time-stamps, and the reason is given', async () => {
    const reason = 'The extended key usage of the time-stamp authority is not timeStamping alone and critical'
    expect(await outcomeOf(lying({ signer: 'other' }))).toContain(reason)
    for (const section of ['not_critical', 'two_purposes']) {
      issue(authority.folder, section, section)
      expect(await outcomeOf(lying({ signer: section }))).toContain(reason)
    }
    issue(authority.folder, 'wrong_usage', 'wrong_usage')
    expect(await outcomeOf(lying({ signer: 'wrong_usage' }))).toContain('allows neither digitalSignature nor nonRepudiation')
  })

  test('is refused if its certificate had expired, even under a trusted root', async () => {
    issue(authority.folder, 'expired', 'bare_tsa', '-startdate', '20200101000000Z', '-enddate', '20210101000000Z')
    expect(await outcomeOf(lying({ signer: 'expired' }))).toContain('CN=expired of tests was not valid at the time of the token')
  })

  test('is refused if its certificate is of another root with the same name', async () => {
    const stranger = openTestAuthority()
    try {
      authority.behave('/tsa', undefined)
      const foreign: Behaviour = async request => {
        const nonce = readDer(await request.bytes()).children[2]?.encoded ?? new Uint8Array()
        return new Response(sequence(sequence(smallInteger(0)), signInfo(stranger.folder, info(nonce, {}), 'tsa')).slice())
      }
      expect(await outcomeOf(foreign)).toContain('no path leads from CN=tsa of tests to a trusted certificate')
    } finally {
      await stranger.close()
    }
  })

  test('is not trusted under an issuer that is not allowed to issue it', async () => {
    const { folder: at } = authority
    issue(at, 'below', 'below')
    issue(at, 'deeper', 'below', '-cert', 'below.pem', '-keyfile', 'below.key')
    issue(at, 'deep', 'bare_tsa', '-cert', 'deeper.pem', '-keyfile', 'deeper.key')
    expect(await outcomeOf(lying({ signer: 'deep', beside: ['deeper', 'below'] }))).toContain(
      'The path below CN=below of tests is longer than it allows',
    )
    issue(at, 'fine', 'bare_tsa', '-cert', 'below.pem', '-keyfile', 'below.key')
    expect(await outcomeOf(lying({ signer: 'fine', beside: ['below'] }))).toBe('taken')
    issue(at, 'usurped', 'bare_tsa', '-cert', 'tsa.pem', '-keyfile', 'tsa.key')
    expect(await outcomeOf(lying({ signer: 'usurped', beside: ['tsa'] }))).toContain(
      'CN=tsa of tests issued another one, but is no certification authority',
    )
  })

  test('is trusted if its own certificate is trusted', () => {
    const [pinned] = certificatesOfPem(readFileSync(join(authority.folder, 'tsa.pem'), 'utf8'))
    if (!pinned) throw new Error('there is no certificate')
    const token = readTimestampToken(signInfo(authority.folder, info(smallInteger(3), {}), 'tsa'))
    const question = { token, digestOf: () => digest, companions: [] }
    expect(verifyTimestampToken({ ...question, trust: [readCertificate(pinned)] })).toMatchObject({ broken: [], trusted: true })
    expect(verifyTimestampToken({ ...question, trust: [] })).toMatchObject({ broken: [], trusted: false })
  })
})

describe('an authority with invalid responses', () => {
  const endless = (chunk: Uint8Array<ArrayBuffer>, made: { bytes: number }, delay: () => Promise<unknown>) =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          await delay()
          made.bytes += chunk.length
          controller.enqueue(chunk)
        },
      }),
    )

  test('that does not respond is abandoned at the time limit', async () => {
    const pending = Promise.withResolvers<Response>()
    expect(await outcomeOf(() => pending.promise, { timeoutMs: 300 })).toMatch(
      /could not be reached: .* gave no answer within 0\.3 s/,
    )
    pending.resolve(new Response())
  })

  test('that responds slowly is abandoned at the time limit', async () => {
    const made = { bytes: 0 }
    const drip: Behaviour = () => endless(new Uint8Array(1), made, () => new Promise(done => void setTimeout(done, 20)))
    expect(await outcomeOf(drip, { timeoutMs: 300 })).toMatch(/did not end within 0\.3 s/)
  })

  test('that sends too much is abandoned at the size limit', async () => {
    const made = { bytes: 0 }
    const chunk = new Uint8Array(64 * 1024)
    // The response ends at 1 GB. A client that read it all would make the server produce all of it.
    const flood: Behaviour = () => endless(chunk, made, () => (made.bytes < 2 ** 30 ? Promise.resolve() : new Promise(() => {})))
    expect(await outcomeOf(flood)).toBe('answered more than 262144 bytes')
    expect(made.bytes).toBeLessThan(64 * 2 ** 20)
  })

  test('that redirects is not followed', async () => {
    const before = authority.requests.length
    const away: Behaviour = () => Response.redirect(authority.url.replace('/tsa', '/root.crl'), 307)
    expect(await outcomeOf(away)).toBe('answered 307')
    expect(authority.requests.slice(before)).toEqual(['/tsa'])
  })

  test('that sends a web page is refused with its content type', async () => {
    const page: Behaviour = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } })
    expect(await outcomeOf(page)).toMatch(/sent an invalid response: .* \(content-type text\/html\)$/)
  })

  test('that grants without a token, or with an invalid status, gives no token', async () => {
    expect(await outcomeOf(() => new Response(Buffer.from('30053003020100', 'hex')))).toBe('gave no token (granted)')
    const odd: Behaviour = async (_request, honest) => {
      const token = readDer(await (await honest()).bytes()).children[1]?.encoded ?? new Uint8Array()
      return new Response(sequence(sequence(der(TAG.integer, Uint8Array.of(1, 0))), token).slice())
    }
    expect(await outcomeOf(odd)).toBe('gave no token (status 256)')
  })
})
