/** Addresses that administrators name on pages: in any network, but never those of metadata. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { askAuthorities } from '../../src/documents/sealing/test-page.ts'
import { send } from '../../src/lib/fetch-limited.ts'
import { type Lookup, METADATA_ADDRESSES } from '../../src/lib/net-guard.ts'
import { discover } from '../../src/lib/openid-connect.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'
import { S3Bucket } from '../../src/storage/s3-bucket.ts'
import { textOf, type Visitor } from '../support/browser-less.ts'
import { useTestApp } from '../support/use-app.ts'
import { newAdministrator } from '../support/visitors.ts'

/** Notations that the URL parser or the address inside of IPv6 turns into one. */
const NOTATIONS = [
  '169.254.169.254',
  '2852039166',
  '0xa9.0xfe.0xa9.0xfe',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[fd00:ec2::254]',
]

const rebound: Lookup = async () => [{ address: '169.254.169.254', family: 4 }]

const t = useTestApp()
let visitor: Visitor
/** Hosts that somebody began to connect to past the guard. */
let reached: string[]
beforeEach(async () => {
  reached = []
  visitor = await newAdministrator(t)
})

describe('a time-stamp authority', () => {
  const HERE = '/settings/seal/time-stamps'
  const save = async (url1: string) => visitor.upload(await visitor.get(HERE), HERE, undefined, { url1 })

  test.each(NOTATIONS)('at http://%s is not asked', async host => {
    await save(`http://${host}/latest/`)
    const reason = expect.stringMatching(/metadata address|private address/)
    expect(await askAuthorities(t.app)).toMatchObject([{ failure: { code: 'authority_unreachable', params: { reason } } }])
  })

  test('whose name resolves to a metadata address later is not asked', async () => {
    await save('http://time.example/tsa')
    t.app.send = request => send({ ...request, lookup: rebound })
    const reason = expect.stringContaining('time.example resolves to 169.254.169.254')
    expect(await askAuthorities(t.app)).toMatchObject([{ failure: { code: 'authority_unreachable', params: { reason } } }])
  })
})

describe('an identity provider', () => {
  const registration = (issuer: string) => ({
    issuer,
    clientId: 'c',
    clientSecret: 's',
    redirectUri: 'https://sign.example/oidc',
  })

  test.each(NOTATIONS)('at https://%s is not asked', async host => {
    const asked = discover(registration(`https://${host}`), { now: () => t.clock.now, send })
    expect(asked).rejects.toMatchObject({
      failure: 'unreachable',
      detail: expect.stringMatching(/metadata address|private address/),
    })
  })

  test('whose name resolves to a metadata address later is not asked', async () => {
    const asked = discover(registration('https://login.example'), {
      now: () => t.clock.now,
      send: request => send({ ...request, lookup: rebound }),
    })
    expect(asked).rejects.toMatchObject({ detail: expect.stringContaining('resolves to 169.254.169.254') })
  })
})

describe('a bucket for backups', () => {
  const HERE = '/settings/backups'
  const save = async (host: string) => {
    t.app.fetch = (async (url: string | URL | Request) => {
      reached.push(String(url))
      return new Response('', { status: 404 })
    }) as typeof fetch
    const s3 = `s3://KEY:SECRET@${host}/latest/meta-data?tls=off`
    const values = { frequency: 'off', time: '02:30', keep: '7', place: 's3', s3, encryption: 'passphrase' }
    return visitor.submit(await visitor.get(HERE), values, HERE)
  }

  test.each(NOTATIONS.filter(host => !/^(\d+|0x.*)$/.test(host)))('at %s is refused before it is asked', async host => {
    const page = await save(host)
    expect([page.status, reached]).toEqual([422, []])
    expect(textOf(page)).toMatch(/metadata address|private address/)
  })

  test('whose name resolves to a metadata address is refused before it is asked', async () => {
    t.app.lookup = rebound
    const page = await save('store.example')
    expect([page.status, reached]).toEqual([422, []])
    expect(textOf(page)).toContain('store.example resolves to 169.254.169.254')
  })

  test('that redirects a read leads nowhere', async () => {
    const canary: string[] = []
    const inside = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        canary.push(url)
        return new Response('secret')
      },
    })
    const bucket = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.redirect(inside.url.href, 307) })
    try {
      const location = parseFilesUrl(`s3://KEY:SECRET@127.0.0.1:${bucket.port}/bucket?tls=off`)
      const limits = { pausesMs: [], retryWithinMs: 0 }
      await expect(new S3Bucket(location, t.app, limits).find('key')).rejects.toThrow('the file store answers 307')
      expect(canary).toEqual([])
    } finally {
      await Promise.all([inside.stop(true), bucket.stop(true)])
    }
  })
})

describe('a mail server', () => {
  const HERE = '/settings/email'
  const save = async (host: string) => {
    const values = { host, port: '80', security: 'none', user: '', smtpPassword: '', ca: '', senderAddress: 'sign@acme.example' }
    return visitor.submit(await visitor.get(HERE), values, HERE)
  }

  test.each([...NOTATIONS, ...METADATA_ADDRESSES])('at %s is refused', async host => {
    const page = await save(host)
    expect([host, page.status]).toEqual([host, 422])
    expect(textOf(page)).toContain('must not be the metadata address of a cloud')
  })

  test('in a private network is usual', async () => {
    expect((await save('10.0.0.25')).status).toBe(200)
  })
})
