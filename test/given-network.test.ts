/** Mails, webhooks, time-stamps and buckets reach only the network that the App was given. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { askAuthorities } from '../src/documents/sealing/test-page.ts'
import type { SendResult } from '../src/lib/fetch-limited.ts'
import type { Machine } from '../src/lib/machine.ts'
import { sha256Hex } from '../src/lib/sha256.ts'
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import type { MailVerdict } from '../src/mailer/message.ts'
import { ConfiguredMailer } from '../src/outbox/configured-mailer.ts'
import { parseFilesUrl } from '../src/storage/files-url.ts'
import { openS3Store } from '../src/storage/s3-store.ts'
import { sentDocument } from './support/story.ts'
import { openTestApp, type TestApp } from './support/test-app.ts'

const TSA = 'http://time.example/tsa'
const HOOK = 'https://hooks.example/in'

let t: TestApp
beforeEach(async () => {
  const mail = { SIGNET_SMTP_URL: 'smtp://mail.example:25?security=none', SIGNET_MAIL_FROM: 'sign@acme.example' }
  t = await openTestApp({ env: { ...mail, SIGNET_TSA_URL: TSA } })
})
afterEach(() => t.close())

test('a mail goes by the given mail server', async () => {
  const mails: string[] = []
  const accepted: MailVerdict = { outcome: 'accepted', reply: '250 queued' }
  t.app.connectMail = options => ({
    async send({ to }) {
      mails.push(`${'host' in options && options.host}: ${to.address}`)
      return accepted
    },
    close() {},
  })
  t.app.mailer = new ConfiguredMailer(t.app)
  await sentDocument(t)
  await t.drain()
  expect(mails).toContain('mail.example: ada@example.com')
})

test('webhooks and time-stamps go by the given HTTP, and names are asked of the given system', async () => {
  const requests: string[] = []
  const names: string[] = []
  const none: SendResult = { outcome: 'failed', reason: 'no such host', latencyMs: 1 }
  t.app.send = async ({ method, url }) => {
    requests.push(`${method} ${url}`)
    return none
  }
  t.app.lookup = async name => {
    names.push(name)
    return [{ address: '93.184.215.14', family: 4 }]
  }
  const { status } = await t.api('POST', '/webhooks', { url: HOOK, events: ['document.sent'] })
  expect([status, names]).toEqual([201, ['hooks.example']])
  await sentDocument(t)
  await t.drain()
  expect(requests).toEqual([`POST ${HOOK}`])
  expect(await askAuthorities(t.app)).toMatchObject([
    { url: TSA, failure: { code: 'authority_unreachable', params: { reason: 'no such host' } } },
  ])
  expect(requests.slice(1)).toEqual([`POST ${TSA}`])
})

test('a bucket is reached by the given requests, signing and lists', async () => {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>()
  const machine: Machine = {
    ...THIS_MACHINE,
    s3Client: () => ({
      presign: key => `https://store.example/${key}`,
      list: async () => ({ contents: [...objects.keys()].map(key => ({ key })) }),
    }),
    async fetch(url, { method, body }) {
      const key = new URL(url).pathname.slice(1)
      if (method === 'PUT') objects.set(key, await new Response(body).bytes())
      const found = objects.get(key)
      return found ? new Response(found) : new Response('<Code>NoSuchKey</Code>', { status: 404 })
    },
  }
  const location = parseFilesUrl('s3://KEY:SECRET@store.example/files/signet')
  const store = await openS3Store({ location, folder: join(t.folder, 'cache'), maxCacheBytes: 1 }, machine)
  const bytes = Buffer.from('a file')
  const { path, synced } = await store.writeTemporary(bytes)
  await synced
  await store.keep(path, sha256Hex(bytes))
  expect([...objects.keys()]).toEqual([`signet/${sha256Hex(bytes)}.pdf`])
  expect(await Array.fromAsync(store.list())).toEqual([[sha256Hex(bytes)]])
  expect(Buffer.from(await store.read(sha256Hex(bytes)))).toEqual(bytes)
})
