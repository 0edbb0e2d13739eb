/** Bodies of requests and forms: size, time and memory; files on disk, and none left behind. */
import { describe, expect, spyOn, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Refusal } from '../../../src/core/refusal.ts'
import { createRequestLimits, type RequestLimits } from '../../../src/http/api/pipeline.ts'
import { UploadSlots } from '../../../src/http/body/body-budget.ts'
import { withJson } from '../../../src/http/body/receive.ts'
import { type SentForm, withFormAndFiles, withMultipart } from '../../../src/http/body/receive-form.ts'
import { bodyParts, userAgentOf } from '../../../src/http/request.ts'
import { API_PREFIX, buildServer } from '../../../src/http/server.ts'
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'
import { cookieOf, csrfOf, openVisitor, textOf } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { withMethods } from '../../support/with-methods.ts'

const t = useTestApp()

describe('the body of a request', () => {
  /** Sends `chunk`, then nothing until it is ended. `taken` settles when the reader wants more. */
  function dripping(chunk: Uint8Array) {
    const taken = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    let given = false
    let cancelled = false
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (!given) {
            given = true
            return controller.enqueue(chunk)
          }
          taken.resolve()
          await ended.promise
          if (!cancelled) controller.close()
        },
        cancel() {
          cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    return { body, taken: taken.promise, end: () => ended.resolve(), isCancelled: () => cancelled }
  }

  const posting = async (gate: RequestLimits) => {
    const server = buildServer(t.app, gate)
    const authorization = `Bearer ${await t.key()}`
    return (body: BodyInit, headers: Record<string, string> = {}) => {
      const all = { authorization, 'content-type': 'application/json', ...headers }
      return Promise.resolve(
        server.handle(new Request(`${ORIGIN}${API_PREFIX}/documents`, { method: 'POST', headers: all, body })),
      )
    }
  }

  test('counts by the bytes that have arrived; an announced length alone blocks no other request', async () => {
    const gate = createRequestLimits(t.app)
    const post = await posting(gate)
    const announced = { 'content-length': '130000000' }
    const drips = ['{', '{', `{"message":"${'x'.repeat(500_000)}`].map(text => dripping(Buffer.from(text)))
    const answers = drips.map(d => post(d.body, announced))
    await Promise.all(drips.map(d => d.taken))
    expect(gate.inFlightBytes).toBeGreaterThan(400_000)
    expect(gate.inFlightBytes).toBeLessThan(500_000)
    expect((await post(JSON.stringify(await newDocument()))).status).toBe(201)
    for (const drip of drips) drip.end()
    for (const answer of answers) expect((await answer).status).toBe(400)
    expect(gate.inFlightBytes).toBe(0)
  })

  test('does not count its file, which is on disk until the response and no longer', async () => {
    const gate = createRequestLimits(t.app)
    const post = await posting(gate)
    const drip = dripping(Buffer.from(`{"file":"${'QUJD'.repeat(500_000)}`))
    const answer = post(drip.body)
    await drip.taken
    expect(gate.inFlightBytes).toBeLessThan(1_500_000)
    const names = () => readdirSync(join(t.app.config.dataFolder, 'files'), { recursive: true, encoding: 'utf8' })
    const temporary = () => names().filter(name => name.endsWith('.tmp'))
    expect(temporary()).toHaveLength(1)
    drip.end()
    expect((await answer).status).toBe(400)
    expect([temporary(), gate.inFlightBytes]).toEqual([[], 0])
  })

  test('with much JSON is refused while others use the memory, and frees its own', async () => {
    const gate = createRequestLimits(t.app)
    gate.inFlightBytes = 256 * 1024 * 1024
    const post = await posting(gate)
    const refused = await post(JSON.stringify({ message: 'a'.repeat(500_000) }))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await refused.json()).error.code).toBe('overloaded')
    expect((await post('{}')).status).toBe(422)
    expect((await post(JSON.stringify(await newDocument()))).status).toBe(201)
    expect(gate.inFlightBytes).toBe(256 * 1024 * 1024)
  })

  test('counts also when it is an upload of a page', async () => {
    const gate = createRequestLimits(t.app)
    gate.inFlightBytes = 256 * 1024 * 1024
    const server = buildServer(t.app, gate)
    const post = async (path: string, bytes: number) => {
      const body = new FormData()
      body.set('file', new File([new Uint8Array(bytes)], 'a.pdf'))
      const request = new Request(`${ORIGIN}${path}`, { method: 'POST', headers: { origin: ORIGIN }, body })
      return (await server.handle(request)).status
    }
    for (const path of ['/verify', '/sign/rcp_x/picture']) {
      expect([path, await post(path, 2_000_000)]).toEqual([path, 503])
      expect([path, await post(path, 10_000)]).toEqual([path, 403])
    }
    expect(gate.inFlightBytes).toBe(256 * 1024 * 1024)
  })

  test('that has arrived already lets other work run, whatever it contains', async () => {
    const body = Buffer.from(`{"file":"${'\\n'.repeat(4_000_000)}"}`)
    let given = 0
    const parts = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Uint8Array.from(body.subarray(given, given + 65_536)))
        given += 65_536
        if (given >= body.length) controller.close()
      },
    })
    // A disk without latency: other work runs only if the reader yields.
    const upload = { path: '', bytes: 0, synced: Promise.resolve() }
    const file = { write: async () => {}, finish: () => upload, discard: async () => {} }
    const storage = withMethods(t.app.storage, { openTemporary: async () => file })
    const app = { storage, disk: t.app.disk }
    const request = new Request(ORIGIN, { method: 'POST', body: parts })
    let turns = 0
    let isDone = false
    const counting = (async () => {
      for (; !isDone; turns++) await THIS_MACHINE.timers.yield()
    })()
    await withJson(app, createRequestLimits(t.app), request, { prefix: '', maxFileBytes: 100_000_000 }, async () => {
      isDone = true
    })
    await counting
    expect(turns).toBeGreaterThanOrEqual(body.length / 300_000)
  })

  test('whose connection ends early is a refusal, not an internal error', async () => {
    const post = await posting(createRequestLimits(t.app))
    let isGiven = false
    const cut = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (isGiven) return controller.error(new DOMException('', 'AbortError'))
          isGiven = true
          controller.enqueue(Buffer.from('{"fileName":"a'))
        },
      },
      { highWaterMark: 0 },
    )
    const answer = await post(cut)
    expect({ status: answer.status, ...(await answer.json()) }).toMatchObject({ status: 400, error: { code: 'malformed_json' } })
    expect(t.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('that does not arrive in time is refused', async () => {
    const drip = dripping(Buffer.from('{'))
    const request = new Request(ORIGIN, { method: 'POST', body: drip.body })
    const parts = bodyParts(THIS_MACHINE, request, 1000, 1)
    expect((await parts.next()).value).toEqual(new Uint8Array(Buffer.from('{')))
    const late = await parts.next().catch(error => error)
    expect(late).toBeInstanceOf(Refusal)
    expect([late.reason, late.retryAfterS]).toEqual(['overloaded', 5])
    expect(drip.isCancelled()).toBe(true)
    drip.end()
  })
})

describe('uploads at the same time', () => {
  const asParts = async function* (count: number, wait: () => Promise<void>) {
    for (let i = 0; i < count; i++) {
      await wait()
      yield new Uint8Array(10).fill(i)
    }
  }

  test('are processed four at a time, part by part, and all complete', async () => {
    const slots = new UploadSlots(THIS_MACHINE.timers)
    let working = 0
    let most = 0
    const read = async () => {
      let seen = 0
      for await (const part of slots.limitConcurrency(asParts(5, async () => {}))) {
        most = Math.max(most, ++working)
        expect(part[0]).toBe(seen++)
        await THIS_MACHINE.timers.yield()
        working--
      }
      return seen
    }
    expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array<number>(20).fill(5))
    expect(most).toBe(4)
  })

  test('do not wait for uploads that are slow, fail or are cancelled', async () => {
    const slots = new UploadSlots(THIS_MACHINE.timers)
    const slow = Promise.withResolvers<void>()
    const count = async (parts: AsyncGenerator<Uint8Array>) => {
      let seen = 0
      for await (const _ of parts) seen++
      return seen
    }
    const dripping = Array.from({ length: 8 }, () => count(slots.limitConcurrency(asParts(1, () => slow.promise))))
    const failing = Array.from({ length: 8 }, () =>
      count(slots.limitConcurrency(asParts(1, () => Promise.reject(new Error('gone'))))),
    )
    for (const failure of await Promise.allSettled(failing)) expect(failure.status).toBe('rejected')
    for (let i = 0; i < 8; i++) for await (const _ of slots.limitConcurrency(asParts(3, async () => {}))) break
    expect(await count(slots.limitConcurrency(asParts(3, async () => {})))).toBe(3)
    slow.resolve()
    expect(await Promise.all(dripping)).toEqual(Array<number>(8).fill(1))
  })
})

test('a file on the Verify page is on disk until the response and no longer, whatever the verdict', async () => {
  const gate = createRequestLimits(t.app)
  const server = buildServer(t.app, gate)
  let most = 0
  const { storage } = t.app
  const opened: string[] = []
  const temporary = () =>
    readdirSync(join(t.app.config.dataFolder, 'files'), { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.tmp'),
    )
  Object.defineProperty(t.app, 'storage', {
    value: withMethods(storage, {
      openTemporary: async () => {
        const file = await storage.openTemporary()
        const write = async (bytes: Uint8Array) => {
          most = Math.max(most, bytes.length, gate.inFlightBytes)
          opened.push(...temporary())
          await file.write(bytes)
        }
        return withMethods(file, { write })
      },
    }),
  })
  const body = new FormData()
  body.set('file', new File([new Uint8Array(8_000_000)], 'a.pdf'))
  const request = new Request(`${ORIGIN}/verify`, { method: 'POST', headers: { origin: ORIGIN }, body })
  expect((await server.handle(request)).status).toBe(403)
  expect([new Set(opened).size, temporary(), gate.inFlightBytes]).toEqual([1, [], 0])
  expect(most).toBeLessThan(2_000_000)
})

const EXPECTED = { maxKeptBytes: 1000, maxFileBytes: 1_000_000, maxFiles: 3, isToDisk: true }
const temporaryFiles = () => readdirSync(join(t.folder, 'data', 'files', '.making'))

function formOf(files: [name: string, content: string][]): FormData {
  const form = new FormData()
  form.set('title', 'Lease')
  for (const [name, content] of files) form.append('file', new File([content], name))
  return form
}

const receive = <T>(body: FormData, work: (sent: SentForm) => Promise<T>, expected = EXPECTED) =>
  withMultipart(t.app, createRequestLimits(t.app), new Request(ORIGIN, { method: 'POST', body }), expected, work)

async function refusalOf(form: FormData, expected = EXPECTED): Promise<Refusal> {
  const refusal = await receive(form, async () => undefined, expected).catch(error => error)
  expect(refusal).toBeInstanceOf(Refusal)
  return refusal
}

test('the files of a form are on disk in their order, and removed after the work', async () => {
  const sent: [string, string][] = [
    ['b.pdf', 'x'.repeat(300_000)],
    ['a.pdf', 'y'.repeat(200_000)],
    ['b.pdf', ''],
  ]
  await receive(formOf(sent), async ({ form, files }) => {
    expect(form.title).toBe('Lease')
    expect(files.map(({ name }) => name)).toEqual(['b.pdf', 'a.pdf', 'b.pdf'])
    const contents = await Promise.all(files.map(file => readFile(file.onDisk?.path ?? '', 'utf8')))
    expect(contents).toEqual(sent.map(([, content]) => content))
    expect(temporaryFiles()).toHaveLength(3)
  })
  expect(temporaryFiles()).toEqual([])
})

test('a file input without a chosen file is no file', async () => {
  expect(await receive(formOf([['', '']]), async ({ files }) => files.length)).toBe(0)
})

test('too many files, and too many bytes in all, are refused and leave nothing', async () => {
  const four: [string, string][] = ['a', 'b', 'c', 'd'].map(name => [name, 'x'])
  expect(await refusalOf(formOf(four))).toMatchObject({
    reason: 'validation_failed',
    details: [{ path: 'file', code: 'too_many_files', params: { max: 3 } }],
  })
  const large: [string, string][] = ['a', 'b'].map(name => [name, 'x'.repeat(600_000)])
  expect(await refusalOf(formOf(large))).toMatchObject({ reason: 'payload_too_large' })
  expect(await refusalOf(formOf(large.slice(0, 1)), { ...EXPECTED, maxFiles: 1, maxFileBytes: 599_999 })).toMatchObject({
    reason: 'payload_too_large',
  })
  expect(temporaryFiles()).toEqual([])
})

test('a form whose connection dies in the second file leaves nothing', async () => {
  const failed = Promise.withResolvers<unknown>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const work = withMultipart(t.app, createRequestLimits(t.app), request, EXPECTED, async () => 'complete')
      failed.resolve(await work.catch(error => error))
      return new Response()
    },
  })
  try {
    const part = (name: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}`
    const socket = connect(server.port ?? 0, '127.0.0.1')
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n`
    socket.write(`${head}${part('a.pdf', 'x'.repeat(300_000))}\r\n${part('b.pdf', 'y'.repeat(200_000))}`)
    while (temporaryFiles().length < 2) await new Promise(resolve => setImmediate(resolve))
    socket.destroy()
    expect(await failed.promise).toMatchObject({ reason: 'malformed_json' })
    expect(temporaryFiles()).toEqual([])
  } finally {
    server.stop(true)
  }
})

/** A form whose fields may be files. */
const receiveFields = <T>(body: FormData, work: (sent: SentForm) => Promise<T>) => {
  const files = { isFileField: (name: string) => name.startsWith('fields.'), maxBytesEach: 300_000, maxBytes: 500_000 }
  const request = new Request(ORIGIN, { method: 'POST', body })
  return withFormAndFiles(t.app, createRequestLimits(t.app), request, { maxKeptBytes: 1000, ...files }, work)
}

test('of a form with files in its fields, those that are too large are named, and all else is kept', async () => {
  const form = new FormData()
  form.set('fields.photo', new File(['x'.repeat(300_000)], 'photo.png'))
  form.set('fields.name', 'Ada')
  form.set('fields.film', new File(['y'.repeat(300_001)], 'film.mp4'))
  form.set('fields.none', new File([], ''))
  form.set('fields.empty', new File([], 'empty.pdf'))
  form.set('fields.scan', new File(['z'.repeat(200_000)], 'scan.pdf'))
  form.set('fields.beyond', new File(['!'], 'beyond.pdf'))
  form.set('other', new File(['?'], 'other.pdf'))
  form.set('last', 'kept')
  await receiveFields(form, async ({ form: kept, files }) => {
    expect(kept).toEqual({ 'fields.name': 'Ada', last: 'kept' })
    expect(files.map(({ field, name, dropped, onDisk }) => [field, name, dropped, onDisk?.bytes])).toEqual([
      ['fields.photo', 'photo.png', undefined, 300_000],
      ['fields.film', 'film.mp4', 'too_large', undefined],
      ['fields.empty', 'empty.pdf', undefined, 0],
      ['fields.scan', 'scan.pdf', undefined, 200_000],
      ['fields.beyond', 'beyond.pdf', 'too_large', undefined],
    ])
    expect(temporaryFiles()).toHaveLength(3)
  })
  expect(temporaryFiles()).toEqual([])
})

test('a form with files has as many fields as a document, and no more', async () => {
  const formWith = (count: number) => {
    const form = new FormData()
    for (let i = 0; i < count; i++) form.set(`f${i}`, '')
    return form
  }
  expect(await receiveFields(formWith(1_000), async ({ form }) => Object.keys(form).length)).toBe(1_000)
  expect(await receiveFields(formWith(1_200), async () => 'all').catch(error => error.reason)).toBe('validation_failed')
})

const MAX_MEMBERS = 5_000
const members = (count: number) => Array.from({ length: count }, (_, i) => `m${i}=1`).join('&')

async function signInForm() {
  const visitor = openVisitor(t.fetch)
  const page = await visitor.get('/sign-in')
  const csrf = csrfOf(page)
  const cookie = cookieOf(visitor)
  const post = (body: string) =>
    t.fetch('/sign-in', {
      method: 'POST',
      headers: { origin: ORIGIN, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  return { csrf, post }
}

test('a form without the token of the visitor is not split', async () => {
  const { csrf, post } = await signInForm()
  const entries = spyOn(Object, 'fromEntries')
  try {
    const lengths = () => entries.mock.results.map(({ value }) => Object.keys(value ?? {}).length)
    for (const body of [members(4_000), `csrf=x&${members(4_000)}`, `csrf=${csrf}&${members(4_000)}&csrf=x`]) {
      expect((await post(body)).status).toBe(403)
    }
    expect(Math.max(0, ...lengths())).toBeLessThan(4_000)
    await post(`${members(4_000)}&csrf=${csrf}`)
    expect(Math.max(...lengths())).toBe(4_001)
  } finally {
    entries.mockRestore()
  }
})

test('a form has at most five thousand members', async () => {
  const { csrf, post } = await signInForm()
  const most = await post(`csrf=${csrf}&${members(MAX_MEMBERS - 1)}`)
  expect(most.status).toBe(401)
  const more = await post(`csrf=${csrf}&${members(MAX_MEMBERS)}`)
  const shown = textOf({ status: more.status, html: await more.text(), url: '', headers: more.headers })
  expect([more.status, shown]).toEqual([422, expect.stringContaining('The form has too many fields: please send it again.')])
})

test('the token counts wherever it is in the form', async () => {
  const { csrf, post } = await signInForm()
  for (const body of [`csrf=${csrf}&email=a&password=b`, `email=a&csrf=${csrf}&password=b`, `email=a&password=b&csrf=${csrf}`]) {
    expect((await post(body)).status).toBe(401)
  }
})

const agentOf = (sent: string) => userAgentOf(new Request('http://127.0.0.1', { headers: { 'user-agent': sent } }))

test('the client’s program is one line, so that the audit certificate shows no line that the client made up', () => {
  expect(agentOf('Mozilla/5.0\u0085Signed by Bob\u00a0\u00a0\u00a0\u00a0\u00ad192.0.2.7')).toBe(
    'Mozilla/5.0Signed by Bob 192.0.2.7',
  )
  expect(agentOf('x'.repeat(9000))).toHaveLength(500)
  expect(agentOf('\u00ad')).toBeUndefined()
})
