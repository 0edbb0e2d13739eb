/** Two nodes share the jobs. One is stopped, the other repeats its work, the first continues. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { expireDue } from '../../src/documents/lifecycle/upkeep.ts'
import { createRequestLimits } from '../../src/http/api/pipeline.ts'
import { buildServer } from '../../src/http/server.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { Worker } from '../../src/jobs/worker.ts'
import type { MailMessage } from '../../src/mailer/message.ts'
import type { App } from '../../src/ports.ts'
import { openHttpSink } from '../support/http-sink.ts'
import { joinNode, livingNodes, pass, type TestNode, UNTIL_REMOVED_MS } from '../support/nodes.ts'
import { ADA, newDocument } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { ORIGIN, openTestApp, type TestApp } from '../support/test-app.ts'

interface Serving extends TestNode {
  worker: Worker
  mails: MailMessage[]
}

let t: TestApp
let a: Serving
let b: Serving

async function serve(name: string): Promise<Serving> {
  const own = await joinNode(t, name)
  const mails: MailMessage[] = []
  own.app.mailer = {
    async send(message) {
      mails.push(message)
      return { outcome: 'accepted', reply: `250 accepted from ${name}` }
    },
    close() {},
  }
  return { ...own, mails, worker: new Worker(own.app, HANDLERS) }
}

beforeEach(async () => {
  t = await openTestApp()
  await t.app.node.leave()
  a = await serve('a')
  b = await serve('b')
  // Requests of the test and the mails of an invitation are the work of this node.
  t.app.node = b.node
})
afterEach(async () => {
  await Promise.all([a.worker.stop(), b.worker.stop()])
  await t.close()
})

/** A call that waits: `reached` resolves when it has begun, `go` lets it continue. */
class Stop {
  readonly #reached = Promise.withResolvers<void>()
  readonly #gate = Promise.withResolvers<void>()
  readonly reached = this.#reached.promise
  readonly go = this.#gate.resolve

  async wait(): Promise<void> {
    this.#reached.resolve()
    await this.#gate.promise
  }
}

function stopBefore(app: App, tool: 'prepare' | 'inspect'): Stop {
  const stop = new Stop()
  const { [tool]: real } = app.pdf
  const stopped = async (order: never) => {
    await stop.wait()
    return real(order)
  }
  app.pdf = { ...app.pdf, [tool]: stopped }
  return stop
}

function stopAfterVerify(app: App): Stop {
  const stop = new Stop()
  const { verify } = app.pdf
  const stopped: typeof verify = async order => {
    const report = await verify(order)
    await stop.wait()
    return report
  }
  app.pdf = { ...app.pdf, verify: stopped }
  return stop
}

function stopBeforeMail(app: App): Stop {
  const stop = new Stop()
  const { send } = app.mailer
  app.mailer = {
    ...app.mailer,
    async send(message) {
      await stop.wait()
      return send(message)
    },
  }
  return stop
}

/** The node is stopped for so long that the other removes it. */
async function removed(node: Serving, by: Serving): Promise<void> {
  await pass(t, UNTIL_REMOVED_MS, [by])
  expect(await livingNodes(t)).toEqual([by.node.name])
  expect(node.node.name).not.toBe(by.node.name)
}

const typesOf = async (id: string): Promise<string[]> =>
  (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)
const howOften = (list: string[], what: string) => list.filter(each => each === what).length
const lost = () => t.logged.filter(({ what, level }) => level === 'info' && what === 'job not stored: its lease has ended')

async function toBeSealed(): Promise<string> {
  const id = await sentDocument(t, {
    recipients: [{ ...ADA, fields: [{ type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }] }],
  })
  await signAs(t, ADA.email, 'Ada Lovelace')
  return id
}

describe('a node that was stopped and taken for dead', () => {
  test.each(['before it prepares the file', 'after it has checked the sealed file'])(
    '%s: the document is sealed once, by the other',
    async moment => {
      const id = await toBeSealed()
      const { reached, go } = moment.startsWith('before') ? stopBefore(a.app, 'prepare') : stopAfterVerify(a.app)
      const stopped = a.worker.drain()
      await reached
      await b.worker.drain()
      expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sealing')
      await removed(a, b)
      await b.worker.drain()
      const sealed = (await t.api('GET', `/documents/${id}`)).body
      expect(sealed.status).toBe('completed')
      go()
      await stopped
      expect(lost()).toHaveLength(1)
      expect((await t.api('GET', `/documents/${id}`)).body.sha256).toEqual(sealed.sha256)
      expect(howOften(await typesOf(id), 'document.completed')).toBe(1)
      expect(await t.app.db.selectFrom('files').select('sha256').execute()).toHaveLength(2)
      expect(await t.app.db.selectFrom('sealed_versions').select('sha256').execute()).toHaveLength(1)
      await a.node.beat()
      await Promise.all([a.worker.drain(), b.worker.drain()])
      expect(howOften(await typesOf(id), 'document.completed')).toBe(1)
    },
  )

  test('and continues while the other is at work: the seal is that of the other', async () => {
    const id = await toBeSealed()
    const [first, second] = [stopBefore(a.app, 'prepare'), stopBefore(b.app, 'prepare')]
    const stopped = a.worker.drain()
    await first.reached
    await removed(a, b)
    const repeated = b.worker.drain()
    await second.reached
    first.go()
    await stopped
    expect(lost()).toHaveLength(1)
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sealing')
    second.go()
    await repeated
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    expect(howOften(await typesOf(id), 'document.completed')).toBe(1)
  })

  test('and then fails to seal does not report a failure of the document', async () => {
    const id = await toBeSealed()
    a.app.pdf = { ...a.app.pdf, prepare: async () => Promise.reject(new Error('the child process was ended')) }
    const { reached, go } = stopBefore(a.app, 'prepare')
    const stopped = a.worker.drain()
    await reached
    await removed(a, b)
    await b.worker.drain()
    go()
    await stopped
    expect(lost()).toHaveLength(1)
    expect(await typesOf(id)).not.toContain('document.sealing_failed')
    expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
  })

  test('while it sent a mail: the other sends it with the same Message-ID, and one outcome is recorded', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [ADA] }))
    await t.api('POST', `/documents/${body.id}/send`)
    const { reached, go } = stopBeforeMail(a.app)
    const stopped = a.worker.drain()
    await reached
    await removed(a, b)
    await b.worker.drain()
    go()
    await stopped
    expect(a.mails.map(mail => mail.messageId)).toEqual(b.mails.map(mail => mail.messageId))
    expect(lost()).toHaveLength(1)
    expect(howOften(await typesOf(body.id), 'recipient.email_accepted')).toBe(1)
    const [mail] = await t.app.db.selectFrom('mails').select(['status', 'reply']).execute()
    expect(mail).toEqual({ status: 'accepted', reply: '250 accepted from b' })
  })

  test('while it waited for a webhook: the other delivers it with the same id, and one attempt is recorded', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const sink = await openHttpSink(async (_request, response) => {
      if (sink.requests.length === 1) {
        arrived.resolve()
        await held
      }
      response.end()
    })
    await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events: ['document.created'] })
    await t.api('POST', '/documents', await newDocument())
    const stopped = a.worker.drain()
    await arrived.promise
    await removed(a, b)
    await b.worker.drain()
    answer()
    await stopped
    expect(lost()).toHaveLength(1)
    expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(sink.requests).toHaveLength(2)
    expect(await t.app.db.selectFrom('deliveries').select('status').execute()).toEqual([{ status: 'delivered' }])
    expect(await t.app.db.selectFrom('delivery_attempts').select('number').execute()).toEqual([{ number: 2 }])
    await sink.close()
  })

  test('takes no job until it has joined again, and then works as before', async () => {
    await removed(a, b)
    const id = await toBeSealed()
    await a.worker.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sealing')
    await a.node.beat()
    await a.worker.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
  })
})

describe('while both live', () => {
  test('a job that takes a minute stays with its node', async () => {
    await toBeSealed()
    const { reached, go } = stopBefore(a.app, 'prepare')
    const running = a.worker.drain()
    await reached
    await pass(t, 60_000, [a, b])
    await b.worker.drain()
    go()
    await running
    expect(lost()).toEqual([])
    const jobs = await t.app.db.selectFrom('jobs').select(['state', 'attempts']).where('kind', '=', 'seal').execute()
    expect(jobs).toEqual([{ state: 'done', attempts: 1 }])
  })

  test('each of many jobs is done once, and both take part', async () => {
    const people = Array.from({ length: 40 }, (_, i) => ({ email: `p${i}@example.com`, name: `Person ${i}` }))
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: people }))
    await t.api('POST', `/documents/${body.id}/send`)
    await Promise.all([a.worker.drain(), b.worker.drain(), a.worker.drain()])
    await Promise.all([a.worker.drain(), b.worker.drain()])
    const all = [...a.mails, ...b.mails].map(mail => mail.to.address)
    expect(all.sort()).toEqual(people.map(({ email }) => email).sort())
    expect(Math.min(a.mails.length, b.mails.length)).toBeGreaterThan(0)
  })

  test('a job that one queues is found by the other within a second or so, although nobody wakes it', async () => {
    const sent = Promise.withResolvers<string>()
    b.app.mailer = {
      ...b.app.mailer,
      async send({ to }) {
        sent.resolve(to.address)
        return { outcome: 'accepted', reply: '250' }
      },
    }
    await b.worker.start()
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [ADA] }))
    await t.api('POST', `/documents/${body.id}/send`)
    expect(await sent.promise).toBe(ADA.email)
  })

  test('a start of one leaves the running jobs of the other alone', async () => {
    await toBeSealed()
    const { reached, go } = stopBefore(a.app, 'prepare')
    const running = a.worker.drain()
    await reached
    const c = await serve('c')
    await c.worker.start()
    await c.worker.stop()
    go()
    await running
    expect(lost()).toEqual([])
    expect(await t.app.db.selectFrom('jobs').select('attempts').where('kind', '=', 'seal').execute()).toEqual([{ attempts: 1 }])
  })

  test('what is due on both at the same moment happens once', async () => {
    const id = await sentDocument(t, { expiresInDays: 1 })
    t.clock.pass({ days: 2 })
    await Promise.all([expireDue(a.app), expireDue(b.app)])
    expect(howOften(await typesOf(id), 'document.expired')).toBe(1)
  })
})

describe('a request with an Idempotency-Key', () => {
  /** Sent to one node, as a balancer would. */
  async function create(app: App, body: unknown, key: string) {
    const server = buildServer(app, createRequestLimits(app))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
    const request = new Request(`${ORIGIN}/api/v1/documents`, { method: 'POST', headers, body: JSON.stringify(body) })
    const response = await server.handle(request)
    return { status: response.status, replayed: response.headers.get('idempotency-replayed'), body: await response.json() }
  }
  let token: string
  let document: Record<string, unknown>
  beforeEach(async () => {
    token = await t.key({ scopes: ['documents:read', 'documents:write'] })
    document = await newDocument()
  })
  const documents = () => t.app.db.selectFrom('documents').select('id').execute()

  test('that arrives at two nodes makes one document: the second is asked to come again, then gets the answer', async () => {
    const { reached, go } = stopBefore(a.app, 'inspect')
    const first = create(a.app, document, 'k')
    await reached
    const second = await create(b.app, document, 'k')
    expect([second.status, second.body.error.code]).toEqual([409, 'idempotency_in_progress'])
    go()
    const made = await first
    expect(made.status).toBe(201)
    expect(await create(b.app, document, 'k')).toEqual({ ...made, replayed: 'true' })
    expect(await documents()).toHaveLength(1)
  })

  test('six times at once over two nodes makes one document', async () => {
    const nodes = [a, b, a, b, a, b]
    const answers = await Promise.all(nodes.map(({ app }) => create(app, document, 'k')))
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await documents()).toHaveLength(1)
  })

  test('of a node that died is made by the other; when the first continues, nothing of it is stored', async () => {
    const { reached, go } = stopBefore(a.app, 'inspect')
    const first = create(a.app, document, 'k')
    await reached
    await removed(a, b)
    const second = await create(b.app, document, 'k')
    expect(second.status).toBe(201)
    go()
    expect((await first).status).toBeGreaterThanOrEqual(400)
    expect(await documents()).toHaveLength(1)
    expect(await create(b.app, document, 'k')).toEqual({ ...second, replayed: 'true' })
  })

  test('of a node that died and continues while the other runs it: that of the other counts', async () => {
    const [first, second] = [stopBefore(a.app, 'inspect'), stopBefore(b.app, 'inspect')]
    const refused = create(a.app, document, 'k')
    await first.reached
    await removed(a, b)
    const made = create(b.app, document, 'k')
    await second.reached
    first.go()
    expect((await refused).status).toBeGreaterThanOrEqual(400)
    expect(await documents()).toEqual([])
    second.go()
    expect((await made).status).toBe(201)
    expect(await create(b.app, document, 'k')).toEqual({ ...(await made), replayed: 'true' })
  })

  test('of a node that left the others is made by them at once', async () => {
    const { reached, go } = stopBefore(a.app, 'inspect')
    const first = create(a.app, document, 'k')
    await reached
    await a.node.leave()
    expect((await create(b.app, document, 'k')).status).toBe(201)
    go()
    await first
    expect(await documents()).toHaveLength(1)
  })
})
