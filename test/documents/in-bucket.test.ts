/** Documents whose files are in an S3 bucket: the whole way, and a store that fails or lies. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { sweepFiles } from '../../src/documents/lifecycle/upkeep.ts'
import { endUnfinishedClaims } from '../../src/files/claims.ts'
import { SharedCache } from '../../src/lib/lru-cache.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { makePdf } from '../support/make-pdf.ts'
import { openS3Server, type S3Server } from '../support/s3-server.ts'
import { ADA, newDocument, ONE, samplePdf } from '../support/sample.ts'
import { openLinkAs, sentDocument, signAs, signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let server: S3Server
let t: TestApp
beforeEach(async () => {
  server = openS3Server()
  t = await openTestApp({ filesUrl: server.url })
  server.now = () => t.app.now()
  await createAdmin(t.app, { email: 'root@example.com', name: 'Root', password: 'four quite ordinary words' })
})
afterEach(async () => {
  await t.close()
  await server.stop()
})

const keyOf = (sha256: string) => `signet/${sha256}.pdf`
const objects = () => [...server.objects.keys()].filter(key => key.endsWith('.pdf')).toSorted()
const rows = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).map(row => keyOf(row.sha256)).toSorted()
const claims = () => t.app.db.selectFrom('file_claims').select('purpose').execute()
const alerts = async () => {
  await t.app.damage.settled()
  return (await listAlerts(t.app.db, 10)).map(({ kind, message }) => `${kind} ${message}`)
}
/** As on a node that has not read these files. */
const forgetCopies = () => rmSync(join(t.folder, 'data/cache/copies'), { recursive: true, force: true })

async function completed(): Promise<{ id: string; sha256: { original: string; sealed: string } }> {
  const id = await signedDocument(t)
  return (await t.api('GET', `/documents/${id}`)).body
}

test('a document is created, signed, sealed, downloaded and deleted; rows and objects are the same', async () => {
  const { id, sha256 } = await completed()
  expect(objects()).toEqual([keyOf(sha256.original), keyOf(sha256.sealed)].toSorted())
  expect([await rows(), await claims()]).toEqual([objects(), []])
  const sealed = await t.api('GET', `/documents/${id}/file`)
  expect(sha256Hex(sealed.body)).toBe(sha256.sealed)
  const range = await t.api('GET', `/documents/${id}/file`, undefined, { range: 'bytes=10-19' })
  expect([range.status, range.body.length, range.headers.get('content-range')]).toEqual([
    206,
    10,
    `bytes 10-19/${sealed.body.length}`,
  ])
  expect((await t.api('HEAD', `/documents/${id}/file`)).headers.get('content-length')).toBe(String(sealed.body.length))
  expect((await t.api('GET', `/documents/${id}/evidence`)).status).toBe(200)
  const deleted = await t.api('DELETE', `/documents/${id}`)
  expect([deleted.status, objects(), await rows(), await claims()]).toEqual([200, [], [], []])
})

test('the signer of an upload with scripts gets it with these disabled, also on a node that has no copy of it', async () => {
  const active = makePdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.beep\\(0\\)) >>' })
  await sentDocument(t, { ...ONE, file: active.toString('base64') })
  const before = objects()
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const shown = async () => {
    forgetCopies()
    t.app.disablingUpdates = new SharedCache(1, update => update.length)
    return Buffer.from(await (await t.fetch(`${page.url}/file`, { headers: { cookie } })).arrayBuffer())
  }
  const first = await shown()
  expect(first.subarray(0, active.length).equals(active)).toBe(true)
  expect(first.length).toBeGreaterThan(active.length)
  expect((await shown()).equals(first)).toBe(true)
  expect(objects()).toEqual(before)
})

test('every redirect or header of a download stays free of addresses of the bucket', async () => {
  const { id } = await completed()
  const { status, headers } = await t.api('GET', `/documents/${id}/file`)
  expect(status).toBe(200)
  expect(JSON.stringify([...headers])).not.toMatch(/X-Amz|127\.0\.0\.1:\d+\/files/)
})

describe('a start', () => {
  const start = () => openTestApp({ filesUrl: server.url }).then(started => started.close())

  test('marks the bucket with the instance, and is refused on that of another', async () => {
    expect(Buffer.from(server.objects.get('signet/.instance')?.bytes ?? []).toString()).toBe(t.app.instance.id)
    await expect(start()).rejects.toThrow('SIGNET_FILES_URL: the bucket holds the files of another instance')
    expect(Buffer.from(server.objects.get('signet/.instance')?.bytes ?? []).toString()).toBe(t.app.instance.id)
  })

  test('on a store that does not work says what to do', async () => {
    server.always = 'no bucket'
    await expect(start()).rejects.toThrow(
      'SIGNET_FILES_URL: the file store answers NoSuchBucket: the bucket does not exist: create it',
    )
  })
})

describe('while the store does not answer', () => {
  beforeEach(() => {
    server.always = 'refuse'
  })

  test('a document is refused with 503 and leaves nothing, neither row nor claim', async () => {
    const refused = await t.api('POST', '/documents', await newDocument())
    expect([refused.status, refused.body.error.code]).toEqual([503, 'storage_unavailable'])
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect([objects(), await rows()]).toEqual([[], []])
    server.always = undefined
    t.clock.pass({ minutes: 6 })
    await endUnfinishedClaims(t.app)
    expect(await claims()).toEqual([])
    expect((await t.api('POST', '/documents', await newDocument())).status).toBe(201)
  })

  test('a download is refused with 503 without an alert, and works again afterwards', async () => {
    server.always = undefined
    const { id } = await completed()
    forgetCopies()
    server.always = 'refuse'
    const refused = await t.api('GET', `/documents/${id}/file`)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'storage_unavailable'])
    expect(await alerts()).toEqual([])
    server.always = undefined
    expect((await t.api('GET', `/documents/${id}/file`)).status).toBe(200)
  })

  test('sealing waits and says why, then completes by itself, once', async () => {
    server.always = undefined
    const id = await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
    server.always = 'refuse'
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}`)
    expect([body.status, body.sealingError]).toEqual(['sealing', expect.stringContaining('could not be reached')])
    server.always = undefined
    t.clock.pass({ hours: 1 })
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    await endUnfinishedClaims(t.app)
    expect(await rows()).toEqual(objects())
    expect(await claims()).toEqual([])
  })

  test('a document is deleted at once, its object as soon as the store answers', async () => {
    server.always = undefined
    const { id } = await completed()
    server.always = 'refuse'
    expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
    expect([await rows(), objects().length]).toEqual([[], 2])
    server.always = undefined
    t.clock.pass({ minutes: 6 })
    await endUnfinishedClaims(t.app)
    expect([objects(), await claims()]).toEqual([[], []])
  })
})

describe('an object that', () => {
  test('was lost is answered with a clear error and an alert that names it; restored, all is well', async () => {
    const { id, sha256 } = await completed()
    const object = server.objects.get(keyOf(sha256.sealed))
    server.objects.delete(keyOf(sha256.sealed))
    forgetCopies()
    const lost = await t.api('GET', `/documents/${id}/file`)
    expect([lost.status, lost.body.error.code]).toEqual([500, 'internal'])
    expect(lost.body.error.message).toContain('damaged or missing')
    expect(await alerts()).toEqual([
      expect.stringContaining(
        `file_damaged The stored file ${sha256.sealed}.pdf of ${id} is missing. Restore it from a backup into the bucket`,
      ),
    ])
    if (object) server.objects.set(keyOf(sha256.sealed), object)
    expect((await t.api('GET', `/documents/${id}/file`)).status).toBe(200)
    await t.app.damage.recheck()
    expect(await alerts()).toEqual([])
  })

  test('has other bytes is never sent, in no form, and raises an alert', async () => {
    const { id, sha256 } = await completed()
    server.always = 'lie'
    forgetCopies()
    for (const path of ['file', 'evidence']) {
      const { status, body } = await t.api('GET', `/documents/${id}/${path}`)
      expect([path, status, body.error.code]).toEqual([path, 500, 'internal'])
    }
    expect(await alerts()).toEqual([expect.stringContaining(`${sha256.sealed}.pdf of ${id} has changed in the bucket`)])
  })

  test('was changed before sealing is never sealed', async () => {
    const id = await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
    server.always = 'lie'
    forgetCopies()
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.sealingError).toBe(
      'The original file has changed: restore it from a backup.',
    )
    server.always = undefined
    t.clock.pass({ hours: 1 })
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
  })

  test('no row tells of is removed after a day, not before', async () => {
    const bytes = Buffer.from(await samplePdf(2), 'base64')
    server.objects.set(keyOf(sha256Hex(bytes)), { bytes, storedAt: t.app.now() })
    t.clock.pass({ hours: 23 })
    expect(await sweepFiles(t.app)).toBe(0)
    t.clock.pass({ hours: 1 })
    expect(await sweepFiles(t.app)).toBe(1)
    expect(objects()).toEqual([])
  })
})
