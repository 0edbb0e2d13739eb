/** Receivers and mail servers that never respond do not delay others. Prints the figures. */
import { afterEach, expect, test } from 'bun:test'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { Worker } from '../../src/jobs/worker.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { newSecret } from '../../src/lib/webhook-signature.ts'
import { smtpMailer } from '../../src/mailer/smtp.ts'
import { secretName } from '../../src/settings/sealed.ts'
import { insertWebhook } from '../../src/webhooks/queries.ts'
import { openHttpSink } from '../support/http-sink.ts'
import { ADA, newDocument, SIGNATURE } from '../support/sample.ts'
import { openSmtpSink } from '../support/smtp-sink.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
let worker: Worker
const sinks: { close(): Promise<void> }[] = []

afterEach(async () => {
  // Hanging requests end with their sink.
  t.app.mailer.close()
  await Promise.all(sinks.splice(0).map(sink => sink.close()))
  await worker.stop()
  await t.close()
})

function start(): Promise<void> {
  worker = new Worker(t.app, HANDLERS)
  t.app.wake = worker.wake
  return worker.start()
}

async function addWebhook(url: string): Promise<string> {
  const id = t.app.newId('whk')
  const sealedSecret = t.app.secrets.encrypt(secretName('webhook', id), Buffer.from(newSecret(Buffer.alloc(32, 1))))
  await t.app.write(tx =>
    insertWebhook(tx, {
      id,
      ownerId: undefined,
      url,
      events: ['document.created'],
      enabled: true,
      description: undefined,
      disabledReason: undefined,
      sealedSecret,
      secretLastFour: 'xxxx',
      lastSuccessAt: undefined,
      failuresFrom: undefined,
      createdAt: t.clock.now,
    }),
  )
  return id
}

test('a webhook is delivered although 64 receivers never respond, before the first of them times out', async () => {
  t = await openTestApp()
  let asked = 0
  const allAsked = Promise.withResolvers<void>()
  for (let i = 0; i < 64; i++) {
    const sink = await openHttpSink(() => {
      if (++asked === 64) allAsked.resolve()
    })
    sinks.push(sink)
    await addWebhook(`${sink.url}/hangs`)
  }
  const delivered = Promise.withResolvers<number>()
  const healthy = await openHttpSink((_request, response) => {
    response.end()
    delivered.resolve(performance.now())
  })
  sinks.push(healthy)
  await start()
  await t.api('POST', '/documents', await newDocument())
  await allAsked.promise
  await addWebhook(`${healthy.url}/answers`)
  const orderedMs = performance.now()
  await t.api('POST', '/documents', await newDocument())
  const waitedMs = (await delivered.promise) - orderedMs
  console.info(`64 hanging receivers: the healthy one waited ${Math.round(waitedMs)} ms`)
  const attempts = await t.app.db.selectFrom('delivery_attempts').selectAll().where('error', 'is not', null).execute()
  expect(attempts).toEqual([])
  expect(asked).toBe(64)
}, 60_000)

test('a mail is sent although 16 connections hang after DATA, before the first of them times out', async () => {
  const delivered = Promise.withResolvers<void>()
  const sink = await openSmtpSink({
    isSilentFor: address => address.startsWith('hangs'),
    onMessage: () => delivered.resolve(),
  })
  sinks.push(sink)
  t = await openTestApp({ mailer: smtpMailer({ host: '127.0.0.1', port: sink.port, security: 'none' }, THIS_MACHINE.timers) })
  await start()
  const send = async (email: string) => {
    const recipients = [{ ...ADA, email, fields: [SIGNATURE] }]
    const { body } = await t.api('POST', '/documents', { ...(await newDocument()), recipients })
    await t.api('POST', `/documents/${body.id}/send`)
  }
  for (let i = 0; i < 16; i++) await send(`hangs-${i}@example.com`)
  const orderedMs = performance.now()
  await send('grace@example.com')
  await delivered.promise
  console.info(`16 hanging mails: the healthy one waited ${Math.round(performance.now() - orderedMs)} ms`)
  expect(sink.messages.map(m => m.to)).toEqual([['grace@example.com']])
  const failed = await t.app.db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', 'mail')
    .where('last_error', 'is not', null)
    .execute()
  expect(failed).toEqual([])
}, 60_000)
