/** Forms with several files: on disk one by one, bounded, and nothing left of a form that fails. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Refusal } from '../../../src/core/refusal.ts'
import { createRequestLimits } from '../../../src/http/api/pipeline.ts'
import { type SentForm, withFormAndFiles, withMultipart } from '../../../src/http/body/receive-form.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

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
