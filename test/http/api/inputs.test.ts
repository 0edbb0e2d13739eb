/** Request bodies: null, duplicate members, the file, bounds, and the work for refused bodies. */
import { describe, expect, test } from 'bun:test'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

describe('null', () => {
  const NOTHING = { title: null, message: null, signingOrder: null, expiresAt: null, expiresInDays: null, locale: null }

  test('for an optional member means absent, at every depth', async () => {
    const recipient = { ...ADA, role: null, order: null, locale: null, accessCode: null }
    const field = {
      ...SIGNATURE,
      page: 1,
      required: null,
      label: null,
      value: null,
      options: null,
      maxLength: null,
      fontSize: null,
      dateFormat: null,
      align: null,
    }
    const body = {
      ...NOTHING,
      metadata: null,
      redirectUrl: null,
      allowDelegation: null,
      recipients: [{ ...recipient, fields: [field] }],
    }
    const created = await t.api('POST', '/documents', await newDocument(body))
    expect(created.status).toBe(201)
    const plain = await t.api(
      'POST',
      '/documents',
      await newDocument({ recipients: [{ ...ADA, fields: [{ ...SIGNATURE, page: 1 }] }] }),
    )
    const stored = async (id: string) => {
      const { body } = await t.api('GET', `/documents/${id}`)
      return JSON.parse(JSON.stringify(body, (name, value) => (name === 'id' || name === 'title' ? undefined : value)))
    }
    expect(await stored(created.body.id)).toEqual(await stored(plain.body.id))
    const noFields = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, fields: null }] }))
    expect(noFields.status).toBe(201)
  })

  test('for reminders keeps its meaning: none', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument({ reminders: null }))
    expect((await t.api('GET', `/documents/${body.id}`)).body.reminders).toBeNull()
    const other = await t.api('POST', '/documents', await newDocument())
    expect((await t.api('GET', `/documents/${other.body.id}`)).body.reminders).not.toBeNull()
  })

  test('for a required or unknown member or a map value is an error at its path', async () => {
    const cases: [change: Record<string, unknown>, path: string][] = [
      [{ fileName: null }, 'fileName'],
      [{ file: null }, 'file'],
      [{ recipients: null }, 'recipients'],
      [{ recipients: [null] }, 'recipients[0]'],
      [{ recipients: [{ ...ADA, email: null }] }, 'recipients[0].email'],
      [{ reminders: { firstAfterDays: null, everyDays: 1, max: 1 } }, 'reminders.firstAfterDays'],
      [{ titel: null }, 'titel'],
      [{ metadata: { case: null } }, 'metadata.case'],
    ]
    for (const [change, path] of cases) {
      const { status, body } = await t.api('POST', '/documents', await newDocument(change))
      expect([path, status, body.error.details?.map((d: { path: string }) => d.path)]).toEqual([path, 422, [path]])
    }
  })
})

describe('the file', () => {
  const sent = async (members: string[]) => t.api('POST', '/documents', `{${members.join(',')}}`)

  test('may come before or after the other members, with any JSON escapes', async () => {
    const file = await samplePdf()
    const rest = ['"fileName":"a.pdf"', `"recipients":${JSON.stringify([ADA])}`]
    const spellings = [
      file,
      file.replaceAll('/', '\\/'),
      file.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D'),
      file.replace(/.{76}/g, '$&\\r\\n'),
      `\\t${file} `,
      file.replace(/./g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ]
    const hashes = new Set<string>()
    for (const [i, spelling] of spellings.entries()) {
      const members = i % 2 === 0 ? [`"file":"${spelling}"`, ...rest] : [...rest, `"\\u0066ile" : "${spelling}"`]
      const { status, body } = await sent(members)
      expect([i, status]).toEqual([i, 201])
      hashes.add((await t.api('GET', `/documents/${body.id}`)).body.sha256.original)
    }
    expect(hashes.size).toBe(1)
  })

  test('of another type, or absent, is reported with its path, together with the errors of other members', async () => {
    for (const value of ['1', 'true', '[]', '{}', '["JVBE"]']) {
      const { status, body } = await sent([`"file":${value}`, '"fileName":"a.pdf"', '"recipients":[]', '"titel":1'])
      expect([value, status]).toEqual([value, 422])
      expect(body.error.details.map((d: { path: string }) => d.path).sort()).toEqual(['file', 'recipients', 'titel'])
    }
    const { body } = await sent(['"fileName":"a.pdf"', `"recipients":${JSON.stringify([ADA])}`])
    expect(body.error.details).toEqual([{ path: 'file', code: 'required', message: 'is required' }])
  })

  test('that is not base64 is reported after the errors of other members', async () => {
    const wrong = await newDocument({ file: 'JVBE*', titel: 1 })
    expect((await t.api('POST', '/documents', wrong)).body.error.details[0].path).toBe('titel')
    expect((await t.api('POST', '/documents', await newDocument({ file: 'JVBE*' }))).body.error.code).toBe('invalid_base64')
  })

  test('given twice is refused as a duplicate member', async () => {
    const file = `"file":"${await samplePdf()}"`
    const rest = ['"fileName":"a.pdf"', `"recipients":${JSON.stringify([ADA])}`]
    const twice = [
      [file, file, ...rest],
      [file, ...rest, '"\\u0066ile":null'],
      [file, ...rest, '"fileName":"b.pdf"'],
    ]
    const deep = [file, '"fileName":"a.pdf"', '"recipients":[{"name":"A","email":"a@example.com","name":"B"}]']
    const own = [file, ...rest, '"__proto__":1', '"__proto__":2']
    for (const members of [...twice, deep, own]) {
      const { status, body } = await sent(members)
      expect([status, body.error.code]).toEqual([400, 'malformed_json'])
    }
    expect((await sent([file, ...rest, '"__proto__":1'])).body.error.details[0].path).toBe('__proto__')
  })
})

describe('too much of something', () => {
  const FIELD = { ...SIGNATURE, page: 1 }
  const answered = async (body: unknown) => {
    const { user: before } = process.cpuUsage()
    const answer = await t.api('POST', '/documents', body)
    return { ...answer, cpuMs: (process.cpuUsage().user - before) / 1000 }
  }
  /** Ten times the need. Before the search for errors had a bound, it took seconds. */
  const MAX_CPU_MS = 500

  test('is reported alone, without errors of its entries', async () => {
    const answeredWith = (count: number) => answered({ recipients: [{ fields: Array.from({ length: count }, () => ({})) }] })
    const { status, body, cpuMs } = await answeredWith(5000)
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: 'recipients[0].fields', code: 'too_many_entries', message: 'must have at most 1000' }],
    ])
    const more = await answeredWith(200_000)
    expect([more.status, more.body.error.details.map((d: { path: string }) => d.path)]).toEqual([422, ['body']])
    expect(Math.max(cpuMs, more.cpuMs)).toBeLessThan(MAX_CPU_MS)
  })

  test('counts fields over all recipients too', async () => {
    const fields = Array.from({ length: 600 }, () => ({ type: 'date', page: 1, x: 1, y: 1, width: 1, height: 1 }))
    const recipients = [1, 2].map(i => ({ name: 'A', email: `a${i}@example.com`, fields, accessCode: '      ' }))
    const { status, body } = await answered(await newDocument({ recipients }))
    expect([status, body.error.details.map((d: { path: string }) => d.path)]).toEqual([422, ['recipients']])
    expect(body.error.message).toContain('1000 fields in all, there are 1200')
  })

  test('ends the search for errors', async () => {
    const fields = Array.from({ length: 1000 }, () => ({}))
    const recipients = Array.from({ length: 29 }, () => ({ fields }))
    const { status, body, cpuMs } = await answered(await newDocument({ recipients }))
    expect([status, body.error.details.length]).toEqual([422, 100])
    expect(cpuMs).toBeLessThan(MAX_CPU_MS)
    const unknown = Object.fromEntries(Array.from({ length: 29_000 }, (_, i) => [`m${i}`, 0]))
    for (const change of [
      unknown,
      { reminders: unknown },
      { metadata: unknown },
      { recipients: [{ ...ADA, fields: [{ ...FIELD, ...unknown }] }] },
    ]) {
      const found = await answered(await newDocument(change))
      expect(found.status).toBe(422)
      expect(found.cpuMs).toBeLessThan(MAX_CPU_MS)
    }
  })

  test('in text besides the file is refused with the bound', async () => {
    const { status, body, cpuMs } = await answered(await newDocument({ message: 'x'.repeat(1_000_001) }))
    expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
    expect(body.error.message).toContain('1000000 bytes')
    expect(cpuMs).toBeLessThan(MAX_CPU_MS)
  })
})

test('a body that is refused early is read to its end, so that a client that still sends gets the response', async () => {
  let sent = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const part = sent === 0 ? '[1' : ','.repeat(99_999)
    sent += part.length
    controller.enqueue(Buffer.from(part))
    if (sent > 2_000_000) controller.close()
  }
  const headers = { authorization: `Bearer ${await t.key()}`, 'content-type': 'application/json' }
  const body = new ReadableStream({ pull }, { highWaterMark: 0 })
  const response = await t.fetch('/api/v1/documents', { method: 'POST', headers, body })
  expect([response.status, (await response.json()).error.code, sent > 2_000_000]).toEqual([413, 'payload_too_large', true])
})
