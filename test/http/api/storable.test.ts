/** Text that PostgreSQL cannot store, NUL and halves of surrogate pairs, from every direction. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isStorable, storable } from '../../../src/core/text.ts'
import { storableValues } from '../../../src/db/row-mapper.ts'
import type { Schema } from '../../../src/db/schema.ts'
import { MessageError } from '../../../src/mailer/message.ts'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { ENGINE } from '../../support/engine.ts'
import { openHttpSink } from '../../support/http-sink.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openedDocument, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const HOSTILE = ['a\0b', '\ud800', 'x\udc00', '\0']
const text = fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\udd8a', 'é', '🦊', '\u0001', '\n'), maxLength: 8 })

const t = useTestApp({ env: { SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8' } })

/** The texts of all rows that a PostgreSQL database could not hold, or not as JSON. */
async function unstorableTexts(): Promise<string[]> {
  const tables = await t.app.db.introspection.getTables()
  // Other tests have schemas of their own on the same server, and tables that only they know.
  const [here] = ENGINE === 'postgresql' ? await t.sql<{ name: string }>('SELECT current_schema() AS name') : []
  const found: string[] = []
  for (const { name, schema, isView } of tables) {
    if (schema !== here?.name || isView || /document_trigrams|^sqlite_/.test(name)) continue
    const rows = await t.app.db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute()
    for (const [column, value] of rows.flatMap(row => Object.entries(row))) {
      if (typeof value === 'string' && (!isStorable(value) || /\\u0000|\\ud[89a-f]/i.test(value))) found.push(`${name}.${column}`)
    }
  }
  return found
}

describe('the last check before the database', () => {
  test('property: what is stored is storable, and what was storable is stored as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.integer(), fc.constant(null))), values => {
        const stored = storableValues(values)
        expect(stored.every(value => typeof value !== 'string' || isStorable(value))).toBe(true)
        for (const [i, value] of values.entries()) {
          if (typeof value !== 'string' || isStorable(value)) expect(stored[i]).toBe(value)
          else expect(stored[i]).toBe(value.toWellFormed().replaceAll('\0', ''))
        }
        expect(stored === values).toBe(values.every(value => typeof value !== 'string' || isStorable(value)))
      }),
    )
  })

  test('property: a text is changed at most once', () => {
    fc.assert(fc.property(text, each => expect(storable(storable(each))).toBe(storable(each))))
  })
})

describe('the API', () => {
  test.each(HOSTILE)('refuses %j at its path, wherever it is in a body, and stores nothing', async hostile => {
    const places: [change: Record<string, unknown>, path: string][] = [
      [{ title: hostile }, 'title'],
      [{ message: `before ${hostile}` }, 'message'],
      [{ fileName: `${hostile}.pdf` }, 'fileName'],
      [{ metadata: { case: hostile } }, 'metadata.case'],
      [{ metadata: { [`k${hostile}`]: 'x' } }, `metadata.k${storable(hostile)}`],
      [{ labels: ['urgent', hostile] }, 'labels[1]'],
      [{ recipients: [{ ...ADA, email: `${hostile}@example.com` }] }, 'recipients[0].email'],
      [{ recipients: [{ ...ADA, fields: [{ ...SIGNATURE, type: 'text', label: hostile }] }] }, 'recipients[0].fields[0].label'],
      [{ [`unknown${hostile}`]: 1 }, `unknown${storable(hostile)}`],
    ]
    for (const [change, path] of places) {
      const { status, body } = await t.api('POST', '/documents', await newDocument(change))
      expect([path, status, body.error.code, body.error.details.map((d: { path: string }) => d.path)]).toEqual([
        path,
        422,
        'validation_failed',
        expect.arrayContaining([path]),
      ])
    }
    expect((await t.api('GET', '/documents')).body.data).toEqual([])
  })

  test('refuses it in a query at its parameter, and finds nothing under such an id', async () => {
    for (const [path, parameter] of [
      ['/documents?q=a%00b', 'q'],
      ['/documents?metadata[case%00]=x', 'metadata[case]'],
    ] as const) {
      const { status, body } = await t.api('GET', path)
      expect([path, status, body.error.details[0].path]).toEqual([path, 422, parameter])
    }
    for (const path of ['/documents/doc_%00', '/documents/%00/audit', '/webhooks/%00']) {
      expect([path, (await t.api('GET', path)).status]).toEqual([path, 404])
    }
  })

  test('property: no body makes it fail, and nothing that cannot be stored is stored', async () => {
    const body = fc.record(
      {
        title: text,
        message: text,
        fileName: text,
        metadata: fc.dictionary(text, text, { maxKeys: 2 }),
        labels: fc.array(text, { maxLength: 2 }),
        redirectUrl: text,
        locale: text,
      },
      { requiredKeys: [] },
    )
    const whole = await newDocument()
    await fc.assert(
      fc.asyncProperty(body, async change => {
        expect([201, 422]).toContain((await t.api('POST', '/documents', { ...whole, ...change })).status)
      }),
      { numRuns: 40 },
    )
    expect(await unstorableTexts()).toEqual([])
  })
})

test('pages refuse a form or an address with such text, in the language of the reader', async () => {
  const { visitor, page } = await openedDocument(t)
  const refused = await visitor.submit(page, { signature: 'Ada\0', consent: 'on' }, '/finish')
  expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('U+0000')])
  const stranger = openVisitor(t.fetch, t.app.config.baseUrl)
  expect((await stranger.get('/s/%00')).status).toBe(404)
  expect((await stranger.get('/sign-in?next=%00')).status).toBe(422)
  expect(t.logged.filter(({ what }) => what === 'request failed')).toEqual([])
})

describe('text from others', () => {
  test('replies of mail servers and webhooks are stored without it', async () => {
    await using sink = await openHttpSink((_request, response) => {
      response.statusCode = 500
      response.end(Buffer.from('no\0 \ud83d more'))
    })
    await t.api('POST', '/webhooks', { url: `${sink.url}/hook`, events: ['*'] })
    t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 no\0such \ud800 user' })
    await sentDocument(t)
    await t.drain()
    expect(await unstorableTexts()).toEqual([])
    const [mail] = await t.app.db.selectFrom('mails').selectAll().where('status', '=', 'failed').execute()
    expect(mail?.reply).toBe('550 nosuch \ufffd user')
    const [attempt] = await t.app.db.selectFrom('delivery_attempts').selectAll().execute()
    expect(attempt?.answer).toStartWith('no ')
  })

  test('errors of jobs are stored without it', async () => {
    const app = t.app
    app.mailer.send = async () => {
      throw new MessageError('a\0b \udc00')
    }
    await sentDocument(t)
    expect(await unstorableTexts()).toEqual([])
  })
})
