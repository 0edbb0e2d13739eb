/** The files of documents: ranges, HEAD, what people see before the seal, and marks. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileBytes } from '../../../src/files/queries.ts'
import { assetPath } from '../../../src/http/assets.ts'
import { API_PREFIX, buildServer } from '../../../src/http/server.ts'
import { SharedCache } from '../../../src/lib/lru-cache.ts'
import { openForUpdate } from '../../../src/pdf/inspect/open-for-update.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { cookieOf, textOf } from '../../support/browser-less.ts'
import { EVERY_KIND, everyKindPdf, NEVER_ASKED } from '../../support/every-kind.ts'
import type { Labelled } from '../../support/every-kind-story.ts'
import { type FileSigner, openOnceMore } from '../../support/field-files.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'
import { hasQpdf, run } from '../../verify/tools.ts'

const t = useTestApp()

describe('a stored file', () => {
  let path: string
  let whole: Buffer

  beforeEach(async () => {
    const { body } = await t.api('POST', '/documents', await newDocument())
    path = `/documents/${body.id}/file`
    whole = Buffer.from((await t.api('GET', path)).body)
  })

  const ask = (headers: Record<string, string>, method = 'GET') => t.api(method, path, undefined, headers)
  const etagOf = async () => (await ask({})).headers.get('etag') ?? ''

  describe('a range', () => {
    test('that starts beyond the end gets an error response with the length', async () => {
      for (const range of [
        `bytes=${whole.length}-`,
        `bytes=${whole.length}-${whole.length + 9}`,
        'bytes=-0',
        `bytes=${'9'.repeat(400)}-`,
      ]) {
        const { status, headers, body } = await ask({ range })
        expect([range, status, headers.get('content-range')]).toEqual([range, 416, `bytes */${whole.length}`])
        expect(headers.get('content-type')).toBe('application/json')
        expect(body.error).toMatchObject({ code: 'validation_failed', requestId: headers.get('x-request-id') })
        expect(body.error.details).toEqual([
          { path: 'Range', code: 'range_beyond_end', message: expect.stringContaining(String(whole.length)) },
        ])
      }
    })

    test('that starts beyond the end gets a message page from a page, with the length too', async () => {
      const visitor = await newAdministrator(t)
      const cookie = cookieOf(visitor)
      const response = await t.fetch(path, { headers: { cookie, range: `bytes=${whole.length}-` } })
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
      expect(response.headers.get('content-type')).toStartWith('text/html')
      expect(await response.text()).not.toContain('%PDF')
    })

    test('that extends beyond the end gets the existing bytes', async () => {
      const end = whole.length - 1
      const cases: [range: string, first: number][] = [
        [`bytes=${end - 2}-${end + 100}`, end - 2],
        [`bytes=${end - 2}-`, end - 2],
        [`Bytes=${end - 2}-${end}`, end - 2],
        [`bytes=-${whole.length + 1}`, 0],
      ]
      for (const [range, first] of cases) {
        const { status, headers, body } = await ask({ range })
        expect([range, status, headers.get('content-range')]).toEqual([range, 206, `bytes ${first}-${end}/${whole.length}`])
        expect(Buffer.from(body).equals(whole.subarray(first))).toBe(true)
      }
    })

    test.each(['bytes=0-1,4-5', 'bytes=9-3', 'bytes=99999999-3', 'bytes=-', 'bytes=a-b', 'bytes=', 'lines=0-1', 'bytes=0-1;2'])(
      'written as %s is ignored: the response is the whole file',
      async range => {
        const { status, headers, body } = await ask({ range })
        expect([status, headers.get('content-range')]).toEqual([200, null])
        expect(Buffer.from(body).equals(whole)).toBe(true)
      },
    )

    test('with If-Range for another version gets the whole file; only the same ETag gets the range', async () => {
      const etag = await etagOf()
      const range = 'bytes=1-2'
      expect((await ask({ range, 'if-range': etag })).status).toBe(206)
      for (const ifRange of ['"other"', `W/${etag}`, '*', 'Fri, 20 Nov 2026 17:25:00 GMT', etag.slice(1, -1)]) {
        expect([ifRange, (await ask({ range, 'if-range': ifRange })).status]).toEqual([ifRange, 200])
      }
      const behind = { range: `bytes=${whole.length}-` }
      expect((await ask({ ...behind, 'if-range': '"other"' })).status).toBe(200)
      expect((await ask({ ...behind, 'if-range': etag })).status).toBe(416)
    })

    test('is ignored when the client has the file, and for HEAD', async () => {
      const etag = await etagOf()
      const known = await ask({ range: `bytes=${whole.length}-`, 'if-none-match': `"other", W/${etag}` })
      expect([known.status, known.headers.get('etag'), known.body.length]).toEqual([304, etag, 0])
      expect([known.headers.get('content-type'), known.headers.get('content-disposition')]).toEqual([null, null])
      for (const range of ['bytes=0-0', `bytes=${whole.length}-`]) {
        const head = await ask({ range }, 'HEAD')
        expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([200, String(whole.length), 0])
        expect(head.headers.get('content-range')).toBeNull()
      }
    })
  })

  interface ErrorResponse {
    status: number
    length: string | undefined
    isChunked: boolean
    body: string
  }

  /** The bytes on the wire, read from a socket. */
  function overSocket(port: number, method: string, address: string, headers: Record<string, string>): Promise<ErrorResponse> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.setEncoding('latin1')
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('error', reject)
      socket.on('close', () => {
        const [head = '', ...rest] = text.split('\r\n\r\n')
        resolve({
          status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
          length: /^content-length: *(\d+)/im.exec(head)?.[1],
          isChunked: /^transfer-encoding:/im.test(head),
          body: rest.join('\r\n\r\n'),
        })
      })
      const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }).map(
        ([n, v]) => `${n}: ${v}\r\n`,
      )
      socket.write(`${method} ${address} HTTP/1.1\r\n${lines.join('')}\r\n`)
    })
  }

  test('on the wire HEAD has the status and length of GET, and no body', async () => {
    const elysia = buildServer(t.app)
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, fetch: request => elysia.fetch(request) })
    elysia.server = server
    const authorization = `Bearer ${await t.key()}`
    const addresses = [
      `${API_PREFIX}${path}`,
      `${API_PREFIX}${path.slice(0, -5)}`,
      `${API_PREFIX}/documents`,
      `${API_PREFIX}/documents/doc_0`,
      `${API_PREFIX}/documents/doc_0/send`,
      `${API_PREFIX}/openapi.json`,
      `${API_PREFIX}/docs`,
      `${API_PREFIX}/nothing`,
      assetPath('app.css'),
      '/healthz',
      '/readyz',
      '/seal-certificate.pem',
      '/seal-chain.pem',
      '/',
      '/documents?q=a',
      '/sign-in',
      '/s/nothing',
      '/nothing',
    ]
    try {
      for (const address of addresses) {
        const get = await overSocket(server.port ?? 0, 'GET', address, { authorization })
        const head = await overSocket(server.port ?? 0, 'HEAD', address, { authorization })
        expect([address, head.status, head.length, head.isChunked]).toEqual([address, get.status, get.length, false])
        expect([address, head.body]).toEqual([address, ''])
        expect([address, get.length]).toEqual([address, String(get.body.length)])
      }
      const file = await overSocket(server.port ?? 0, 'HEAD', `${API_PREFIX}${path}`, { authorization })
      expect(file.length).toBe(String(whole.length))
    } finally {
      await server.stop(true)
    }
  })
})

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'

const ACTIVE = makePdf({
  pages: [{ more: `/AA << /O ${SCRIPT} >> /Annots [50 0 R]` }],
  catalog: `/OpenAction ${SCRIPT}`,
  objects: {
    50: `<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /Contents (kept) /A ${SCRIPT} >>`,
    // Larger than what is answered without a stream.
    60: `<< /Length 2000000 >>\nstream\n${'x'.repeat(2_000_000)}\nendstream`,
  },
})

const send = (file: string) => sentDocument(t, { file, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
const kindsOf = (file: Uint8Array) => [...openForUpdate(file).activeContentEdits.kinds]

/** Requests as the signer, beyond what a page does. */
async function asAda() {
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const cookie = cookieOf(visitor)
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    t.fetch(`${page.url}/file`, { method, headers: { cookie, ...headers } })
  return { get, page, bytes: async () => Buffer.from(await (await get()).arrayBuffer()) }
}

describe('of an upload with scripts', () => {
  test('the signer gets the upload, byte for byte, and after it an update without anything active', async () => {
    await send(ACTIVE.toString('base64'))
    const { bytes, get } = await asAda()
    const shown = await bytes()
    expect(shown.subarray(0, ACTIVE.length).equals(ACTIVE)).toBe(true)
    expect(shown.length).toBeGreaterThan(ACTIVE.length)
    expect(kindsOf(ACTIVE)).toContain('javascript')
    expect(kindsOf(shown)).toEqual([])
    expect(shown.subarray(ACTIVE.length).toString('latin1')).toContain('(kept)')
    expect((await get({}, 'HEAD')).headers.get('content-length')).toBe(String(shown.length))
    if (!hasQpdf) return
    const path = join(t.folder, 'shown.pdf')
    await Bun.write(path, shown)
    expect(run(['qpdf', '--check', path]).text).toContain('No syntax or stream encoding errors')
  })

  test('ranges and the ETag are those of the whole, and of the same whole after a restart', async () => {
    await send(ACTIVE.toString('base64'))
    const { bytes, get } = await asAda()
    const shown = await bytes()
    const whole = await get()
    const [etag, length] = [whole.headers.get('etag') ?? '', shown.length]
    expect(etag).not.toContain('W/')
    const border = ACTIVE.length
    const spans = [
      [0, 9],
      [border - 5, border - 1],
      [border - 5, border],
      [border - 5, border + 5],
      [border, length - 1],
      [length - 1, length - 1],
      [100, length - 1],
      [100, border - 1],
    ]
    for (const [first = 0, last = 0] of spans) {
      const response = await get({ range: `bytes=${first}-${last}`, 'if-range': etag })
      expect([first, last, response.status, response.headers.get('content-range')]).toEqual([
        first,
        last,
        206,
        `bytes ${first}-${last}/${length}`,
      ])
      expect(Buffer.from(await response.arrayBuffer()).equals(shown.subarray(first, last + 1))).toBe(true)
    }
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    t.app.disablingUpdates = new SharedCache(1, update => update.length)
    expect((await get()).headers.get('etag')).toBe(etag)
    expect((await bytes()).equals(shown)).toBe(true)
  })

  test('the original of the API stays the upload, and it is what is hashed, stored and sealed', async () => {
    const id = await send(ACTIVE.toString('base64'))
    const stored = () => t.app.db.selectFrom('files').select('sha256').execute()
    const before = await stored()
    const { bytes, page } = await asAda()
    await bytes()
    for (const path of [`/documents/${id}/file`, `/documents/${id}/file?version=original`]) {
      expect(Buffer.from((await t.api('GET', path)).body).equals(ACTIVE)).toBe(true)
    }
    expect(await stored()).toEqual(before)
    const { body } = await t.api('GET', `/documents/${id}`)
    expect(await fileBytes(t.app.db, body.sha256.original)).toBe(ACTIVE.length)
    // Who computes the fingerprint of a download learns of how many bytes it is.
    expect(textOf(page)).toContain(body.sha256.original)
    expect(textOf(page)).toContain(`from the first ${ACTIVE.length}`)
    await signAs(t, ADA.email, ADA.name)
    await t.drain()
    const sealed = Buffer.from((await t.api('GET', `/documents/${id}/file?version=sealed`)).body)
    expect(sealed.subarray(0, ACTIVE.length).equals(ACTIVE)).toBe(true)
    expect(kindsOf(sealed)).toEqual([])
    expect((await (await asAda()).bytes()).equals(sealed)).toBe(true)
  })

  test('the sender sees it as the signers do, and downloads the original as it was', async () => {
    const id = await send(ACTIVE.toString('base64'))
    const visitor = await newAdministrator(t)
    const cookie = cookieOf(visitor)
    const get = async (query: string) => {
      return Buffer.from(await (await t.fetch(`/documents/${id}/file${query}`, { headers: { cookie } })).arrayBuffer())
    }
    expect((await get('')).equals(await (await asAda()).bytes())).toBe(true)
    expect((await get('?version=original')).equals(ACTIVE)).toBe(true)
  })
})

test('a large one is sent while it is read, whole and in ranges', async () => {
  const filler = `<< /Length 17000000 >>\nstream\n${'x'.repeat(17_000_000)}\nendstream`
  const large = makePdf({ catalog: `/OpenAction ${SCRIPT}`, objects: { 60: filler } })
  await send(large.toString('base64'))
  const { bytes, get } = await asAda()
  const shown = await bytes()
  expect(shown.subarray(0, large.length).equals(large)).toBe(true)
  expect(kindsOf(shown)).toEqual([])
  const rest = await get({ range: 'bytes=10-' })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 10-${shown.length - 1}/${shown.length}`])
  expect(Buffer.from(await rest.arrayBuffer()).equals(shown.subarray(10))).toBe(true)
})

test('of an upload without active content the signer gets the upload itself, also by its ETag', async () => {
  const file = await samplePdf()
  const id = await send(file)
  const { bytes, get } = await asAda()
  expect((await bytes()).equals(Buffer.from(file, 'base64'))).toBe(true)
  const { body } = await t.api('GET', `/documents/${id}`)
  expect((await get()).headers.get('etag')).toBe(`"${body.sha256.original}"`)
})

test('requests at the same time share one child process, and a failure is not kept', async () => {
  await send(ACTIVE.toString('base64'))
  const { get } = await asAda()
  const real = t.app.pdf.disableActiveContent
  let runs = 0
  t.app.pdf.disableActiveContent = request => {
    if (++runs === 1) throw new Error('the child has died')
    return real(request)
  }
  expect((await get()).status).toBe(500)
  const answers = await Promise.all([get({ range: 'bytes=0-9' }), get({ range: 'bytes=10-19' }), get({}, 'HEAD')])
  expect(answers.map(({ status }) => status)).toEqual([206, 206, 200])
  expect(runs).toBe(2)
  // Nothing of it stays on the disk.
  const names = await Array.fromAsync(new Bun.Glob('**/*').scan(join(t.folder)))
  const contents = await Promise.all(names.map(name => readFile(join(t.folder, name), 'latin1').catch(() => '')))
  expect(contents.filter(content => content.includes('/Prev '))).toEqual([])
})

describe('before anybody has signed', () => {
  let id: string
  let ada: FileSigner

  beforeEach(async () => {
    id = await sentDocument(t, { ...EVERY_KIND, file: Buffer.from(await everyKindPdf()).toString('base64') })
    ada = await openOnceMore(t, id)
  })

  async function drawnFor(signer: FileSigner): Promise<string> {
    const response = await t.fetch(`${signer.base}/marks?page=1`, { headers: { cookie: signer.cookie } })
    expect(response.status).toBe(200)
    return pdfText(await response.bytes())
  }

  async function save(values: Record<string, string>): Promise<void> {
    const { body } = await t.api('GET', `/documents/${id}`)
    const fields: Labelled[] = body.recipients[0].fields
    const members = Object.entries(values).map(([label, value]) => [`fields.${fields.find(f => f.label === label)?.id}`, value])
    const { csrf = '' } = ada.values
    const saved = await ada.visitor.post(`${ada.base}/form-values`, { csrf, ...Object.fromEntries(members) })
    expect(saved.status).toBe(204)
  }

  test('the sender’s values are drawn from the beginning, for the signer and for the sender, but not those of hidden fields', async () => {
    const office = await newAdministrator(t)
    const cookie = cookieOf(office)
    const ofSender = await t.fetch(`/documents/${id}/marks?page=1`, { headers: { cookie } })
    for (const drawn of [await drawnFor(ada), await pdfText(await ofSender.bytes())]) {
      for (const value of ['No 4711', '1250.00', '1 December 2026', 'From 22:00 to 6:00', 'List of 12 May']) {
        expect(drawn).toContain(value)
      }
      expect(drawn).not.toContain(NEVER_ASKED)
    }
  })

  test('a field appears and disappears on the page with the entry that decides about it', async () => {
    await save({ Payment: 'Direct debit', IBAN: 'DE02 1203 0000 0000 2020 51' })
    expect(await drawnFor(ada)).toContain('DE02 1203')
    await save({ Payment: 'Transfer' })
    expect(await drawnFor(ada)).not.toContain('DE02 1203')
  })
})
