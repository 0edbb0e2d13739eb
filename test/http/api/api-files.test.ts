/** Documents of several files over the API: as JSON and as a form, with equal rules. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createRequestLimits } from '../../../src/http/api/pipeline.ts'
import { withJson } from '../../../src/http/body/receive.ts'
import { API_PREFIX } from '../../../src/http/server.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const filesFolder = () => join(t.folder, 'data', 'files')
const temporaryFiles = () => readdirSync(join(filesFolder(), '.making'))
const storedFiles = () => readdirSync(filesFolder()).filter(name => name.endsWith('.pdf'))

const recipients = [{ ...ADA, fields: [SIGNATURE] }]
const listed = async (pages: number[]) =>
  Promise.all(pages.map(async (count, i) => ({ fileName: `part ${i + 1}.pdf`, file: await samplePdf(count) })))

interface FormParts {
  document?: unknown
  files?: [name: string, bytes: Uint8Array][]
  more?: Record<string, string>
}

async function postForm({ document, files = [], more = {} }: FormParts, headers: Record<string, string> = {}) {
  const body = new FormData()
  if (document !== undefined) body.append('document', new Blob([JSON.stringify(document)], { type: 'application/json' }))
  for (const [name, bytes] of files) body.append('file', new File([new Uint8Array(bytes)], name))
  for (const [name, text] of Object.entries(more)) body.append(name, text)
  const authorization = `Bearer ${await key()}`
  const response = await t.fetch(`${API_PREFIX}/documents`, { method: 'POST', body, headers: { authorization, ...headers } })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

let known: Promise<string> | undefined
beforeEach(() => {
  known = undefined
})
function key(): Promise<string> {
  known ??= t.key()
  return known
}

const pdf = async (pages: number) => Buffer.from(await samplePdf(pages), 'base64')
const pathsOf = ({ body }: { body: { error: { details: { path: string }[] } } }) => body.error.details.map(({ path }) => path)

describe('a list of files in JSON', () => {
  test('is refused with the place of each error, and stores nothing', async () => {
    const [one, two] = (await listed([1, 1])) as [{ fileName: string; file: string }, { fileName: string; file: string }]
    const cases: [body: object, code: string, paths: string[]][] = [
      [{ files: [] }, 'validation_failed', ['files']],
      [{ files: [one, { fileName: 'b.pdf' }] }, 'validation_failed', ['files[1].file']],
      [{ files: [one, { ...two, fileName: '' }] }, 'validation_failed', ['files[1].fileName']],
      [{ files: [{ ...one, fileName: 'a\nb' }] }, 'validation_failed', ['files[0].fileName']],
      [{ files: [one, { ...two, file: 7 }] }, 'validation_failed', ['files[1].file']],
      [{ files: [one], file: two.file, fileName: 'b.pdf' }, 'validation_failed', ['file', 'fileName']],
      [{ files: Array(21).fill(one) }, 'validation_failed', ['files']],
      [{ files: [one, { ...two, file: Buffer.from('no PDF').toString('base64') }] }, 'invalid_pdf', ['files[1].file']],
    ]
    for (const [body, code, paths] of cases) {
      const answer = await t.api('POST', '/documents', { ...body, recipients })
      expect([body, answer.status, answer.body.error?.code]).toEqual([body, 422, code])
      expect(pathsOf(answer).sort()).toEqual(paths)
    }
    const answer = await t.api('POST', '/documents', { files: [one, { ...two, file: 'not base64' }], recipients })
    expect(answer.body.error).toMatchObject({ code: 'invalid_base64', message: expect.stringContaining('files[1].file') })
    expect([storedFiles(), temporaryFiles()]).toEqual([[], []])
  })

  test('is on disk one file after the other, bounded in all', async () => {
    const file = Buffer.alloc(300_000, 'x').toString('base64')
    const body = JSON.stringify({ files: [{ file }, { file }, { file }] })
    const receive = (maxFileBytes: number) =>
      withJson(
        t.app,
        createRequestLimits(t.app),
        new Request('http://127.0.0.1/', { method: 'POST', body }),
        { prefix: '', maxFileBytes, maxFiles: 3 },
        async ({ files }) => files().map(({ upload }) => upload.bytes),
      )
    expect(await receive(900_000)).toEqual([300_000, 300_000, 300_000])
    await expect(receive(899_999)).rejects.toMatchObject({ reason: 'payload_too_large' })
    expect(temporaryFiles()).toEqual([])
  })

  test('whose connection dies in the second file leaves nothing', async () => {
    const failed = Promise.withResolvers<unknown>()
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const expected = { prefix: '', maxFileBytes: 9_000_000, maxFiles: 3 }
        const work = withJson(t.app, createRequestLimits(t.app), request, expected, async () => 'complete')
        failed.resolve(await work.catch(error => error))
        return new Response()
      },
    })
    try {
      const socket = connect(server.port ?? 0, '127.0.0.1')
      const file = Buffer.alloc(300_000, 'x').toString('base64')
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n'
      socket.write(`${head}{"files":[{"file":"${file}"},{"file":"${file}`)
      while (temporaryFiles().length < 2) await new Promise(resolve => setImmediate(resolve))
      socket.destroy()
      expect(await failed.promise).toMatchObject({ reason: 'malformed_json' })
      expect(temporaryFiles()).toEqual([])
    } finally {
      server.stop(true)
    }
  })
})

describe('a form', () => {
  test('names its one file in JSON too, as a body without parts does; several are named in their parts', async () => {
    const document = { fileName: 'Lease.pdf', recipients }
    const one = await postForm({ document, files: [['blob', await pdf(1)]] })
    expect(one.status).toBe(201)
    expect((await t.api('GET', `/documents/${one.body.id}`)).body.fileName).toBe('Lease.pdf')
    const bytes = await pdf(1)
    const two = await postForm({
      document,
      files: [
        ['a.pdf', bytes],
        ['b.pdf', bytes],
      ],
    })
    expect([two.status, pathsOf(two)]).toEqual([422, ['fileName']])
    expect(temporaryFiles()).toEqual([])
  })

  const files = async (): Promise<[string, Uint8Array][]> => [
    ['Lease.pdf', await pdf(1)],
    ['Annex "B".pdf', await pdf(2)],
  ]

  test('makes the same document as JSON', async () => {
    const created = await postForm({ document: { title: 'Lease', recipients }, files: await files() })
    expect(created.status).toBe(201)
    const { body } = await t.api('GET', `/documents/${created.body.id}`)
    expect(body).toMatchObject({ title: 'Lease', fileName: 'Lease.pdf', pageCount: 3 })
    expect(body.files.map((file: { fileName: string }) => file.fileName)).toEqual(['Lease.pdf', 'Annex "B".pdf'])
    const parts = (await files()).map(([fileName, bytes]) => ({ fileName, file: Buffer.from(bytes).toString('base64') }))
    const other = await t.api('POST', '/documents', { title: 'Lease', files: parts, recipients })
    expect((await t.api('GET', `/documents/${other.body.id}`)).body.sha256).toEqual(body.sha256)
    expect(temporaryFiles()).toEqual([])
  })

  test('with one file makes a document of it', async () => {
    const created = await postForm({ document: { recipients }, files: (await files()).slice(0, 1) })
    expect(created.status).toBe(201)
    expect(storedFiles()).toEqual([`${sha256Hex(await pdf(1))}.pdf`])
  })

  test('is refused with the place of the error, and stores nothing', async () => {
    const sent = await files()
    const cases: [parts: FormParts, paths: string[]][] = [
      [{ files: sent }, ['document']],
      [{ document: { recipients } }, ['file']],
      [{ document: { recipients }, files: sent, more: { title: 'Lease' } }, ['title']],
      [{ document: { recipients }, more: { file: 'a text without a file name' } }, ['file']],
      [{ document: { recipients, fileName: 'a.pdf' }, files: sent }, ['fileName']],
      [{ document: { recipients: [{ ...ADA, email: 'nobody' }] }, files: sent }, ['recipients[0].email']],
      [{ document: { recipients }, files: Array(21).fill(sent[0]) }, ['file']],
    ]
    for (const [parts, paths] of cases) {
      const answer = await postForm(parts)
      expect([paths, answer.status, answer.body.error?.code]).toEqual([paths, 422, 'validation_failed'])
      expect(pathsOf(answer)).toEqual(paths)
    }
    expect([storedFiles(), temporaryFiles()]).toEqual([[], []])
  })

  test('whose JSON has a member twice, or is none, is refused as JSON is', async () => {
    for (const json of ['{"title":"a","title":"b"}', 'no JSON', '']) {
      const body = new FormData()
      body.append('document', json)
      for (const [name, bytes] of await files()) body.append('file', new File([new Uint8Array(bytes)], name))
      const headers = { authorization: `Bearer ${await key()}` }
      const response = await t.fetch(`${API_PREFIX}/documents`, { method: 'POST', body, headers })
      expect([json, response.status]).toEqual([json, 400])
    }
  })

  test('is taken by this call alone: another asks for JSON', async () => {
    const body = new FormData()
    body.append('document', '{}')
    const headers = { authorization: `Bearer ${await key()}` }
    expect((await t.fetch(`${API_PREFIX}/webhooks`, { method: 'POST', body, headers })).status).toBe(415)
  })

  test('repeated under its key gives the first answer, whatever its boundary; another content does not', async () => {
    const sent = await files()
    const header = { 'idempotency-key': 'form-1' }
    const first = await postForm({ document: { recipients }, files: sent }, header)
    const again = await postForm({ document: { recipients }, files: sent }, header)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    for (const other of [sent.toReversed(), sent.slice(0, 1), [sent[0], ['C.pdf', sent[1]?.[1]]]] as (typeof sent)[]) {
      const answer = await postForm({ document: { recipients }, files: other }, header)
      expect(answer.body.error.code).toBe('idempotency_key_reused')
    }
  })

  test('needs a key before anything of it is read', async () => {
    const body = new FormData()
    body.append('document', '{}')
    expect((await t.fetch(`${API_PREFIX}/documents`, { method: 'POST', body })).status).toBe(401)
  })
})
