/** The executable in an empty folder: real PDF, two signers, a sealed file that others accept. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDF } from '@libpdf/core'
import { Webhook } from 'standardwebhooks'
import packageJson from '../package.json' with { type: 'json' }
import { openVisitor, textOf } from './support/browser-less.ts'
import { BINARY, emptyFolder, freePort, outbox, ROOT, run, type Serving, until } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'
import { openHttpSink } from './support/http-sink.ts'
import { makePdf } from './support/make-pdf.ts'
import { ADA, BOB, SIGNATURE, samplePdf } from './support/sample.ts'
import { taggedPdf } from './support/tagged-pdf.ts'

const CORPUS = join(ROOT, '../shared/corpus/tracemonkey.pdf')
/** A real PDF of fourteen pages where the corpus lies beside the checkout; else one made here. */
const pdf = async () => (existsSync(CORPUS) ? readFileSync(CORPUS).toString('base64') : samplePdf(14))
if (!existsSync(CORPUS)) console.log(`${CORPUS} is not here: the whole job runs on a PDF made by the test.`)

const folder = folderForEachTest()

function client(serving: Serving, key: string) {
  return async (method: string, path: string, body?: unknown) => {
    const init: RequestInit = { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } }
    if (body !== undefined) init.body = JSON.stringify(body)
    const response = await serving.fetch(`/api/v1${path}`, init)
    const type = response.headers.get('content-type')
    return {
      status: response.status,
      body: type === 'application/json' ? await response.json() : Buffer.from(await response.bytes()),
    }
  }
}

function newKey(): string {
  const { code, out, err } = run(folder.path, ['key', 'create', '--name', 'test'])
  expect([code, err.replace(/^.* had no data: a new instance is made there\.\n$/, '')]).toEqual([0, ''])
  expect(out).toMatch(/^esk_test_[0-9A-Za-z]{38}\n$/)
  return out.trim()
}

const recipients = [
  {
    ...ADA,
    fields: [
      { ...SIGNATURE, page: 1 },
      { type: 'text', page: 2, x: 10, y: 10, width: 40, height: 4, label: 'Place' },
    ],
  },
  {
    ...BOB,
    fields: [
      { ...SIGNATURE, page: 2, x: 55 },
      { type: 'date', page: 2, x: 55, y: 80, width: 20, height: 3 },
    ],
  },
]

async function linkFor(email: string): Promise<string> {
  return until(`the mail to ${email}`, async () => {
    const mail = (await outbox(join(folder.path, 'data'))).find(m => m.to === email && m.text.includes('/s/'))
    return /http\S+?(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
  })
}

async function sign(serving: Serving, email: string, name: string): Promise<string> {
  const visitor = openVisitor(serving.fetch, serving.url)
  const form = await visitor.submit(await visitor.get(await linkFor(email)))
  const place = /name="(fields\.fld_[0-9a-z]+)"/.exec(form.html)?.[1]
  const done = await visitor.submit(form, { signature: name, consent: 'on', ...(place ? { [place]: 'Genève' } : {}) }, '/finish')
  return textOf(done)
}

/** Receives webhooks; `completed` settles with the delivery that tells of the seal. */
async function openReceiver() {
  const { promise: completed, resolve } = Promise.withResolvers<{ body: string; headers: Record<string, string> }>()
  const sink = await openHttpSink((request, response) => {
    response.end()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    if (JSON.parse(String(request.body)).type === 'document.completed') resolve({ body: String(request.body), headers })
  })
  return { sink, completed }
}

function runTool(command: string[]): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { code: exitCode, text: `${stdout}${stderr}` }
}

describe('the whole job', () => {
  test('from an empty folder to a sealed file that pdfsig, qpdf and openssl accept', async () => {
    const running = await folder.serve()
    expect(running.greeting).toContain(running.url)
    await until('the set-up link', async () => /\/setup\/[\w-]{43}/.exec(running.greeting ?? '')?.[0])
    const api = client(running, newKey())
    const { sink, completed } = await openReceiver()
    try {
      const hook = (await api('POST', '/webhooks', { url: sink.url, events: ['document.completed'] })).body
      const created = await api('POST', '/documents', { fileName: 'tracemonkey.pdf', file: await pdf(), recipients })
      expect(created.status).toBe(201)
      const { id } = created.body
      expect((await api('POST', `/documents/${id}/send`)).body).toEqual({ ok: true, notified: 2 })
      expect(await sign(running, ADA.email, 'Ada Lovelace')).toContain('You are done')
      expect(await sign(running, BOB.email, 'Bob Søndergård')).toMatch(/You are done|completed/)

      const delivered = await completed
      const delivery = new Webhook(hook.secret).verify(delivered.body, delivered.headers) as {
        data: { document: { id: string; sha256: { sealed: string } } }
      }
      expect(delivery.data.document.id).toBe(id)
      expect(() => new Webhook(hook.secret).verify(`${delivered.body} `, delivered.headers)).toThrow()

      const sealed = (await api('GET', `/documents/${id}/file`)).body as Buffer
      const original = Buffer.from(await pdf(), 'base64')
      expect(sealed.subarray(0, original.length).equals(original)).toBe(true)
      expect(new Bun.CryptoHasher('sha256').update(sealed).digest('hex')).toBe(delivery.data.document.sha256.sealed)
      await acceptedByAll(sealed, running)
      const { body } = await api('GET', `/documents/${id}`)
      expect(body.pageCount).toBe(14)
      expect(body.recipients.map((r: { emailStatus: string }) => r.emailStatus)).toEqual(['delivered', 'delivered'])
    } finally {
      await sink.close()
    }
    expect(await running.end('SIGTERM')).toBe(0)
    expect(readdirSync(join(folder.path, 'data')).filter(name => name.endsWith('-wal'))).toEqual([])
    const examined = run(folder.path, ['doctor', '--json'])
    const { ok, findings, sqlite } = JSON.parse(examined.out)
    expect(findings.filter((f: { verdict: string }) => f.verdict === 'error')).toEqual([])
    expect([ok, sqlite.synchronous]).toEqual([true, 2])
  }, 120_000)

  async function acceptedByAll(sealed: Buffer, serving: Serving): Promise<void> {
    const path = join(folder.path, 'sealed.pdf')
    const rootPath = join(folder.path, 'seal.pem')
    writeFileSync(path, sealed)
    writeFileSync(rootPath, await (await serving.fetch('/seal-certificate.pem')).text())
    const pdfsig = runTool(['pdfsig', path]).text
    expect(pdfsig).toContain('Signature is Valid')
    expect(pdfsig).toContain('Total document signed')
    expect(runTool(['qpdf', '--check', path])).toMatchObject({ code: 0 })
    const [, a = 0, b = 0, c = 0, d = 0] = (
      /\/ByteRange *\[ *(\d+) +(\d+) +(\d+) +(\d+)/.exec(sealed.subarray(-100_000).toString('latin1')) ?? []
    ).map(Number)
    writeFileSync(join(folder.path, 'signed.bin'), Buffer.concat([sealed.subarray(a, a + b), sealed.subarray(c, c + d)]))
    const hex = sealed
      .subarray(a + b + 1, c - 1)
      .toString('latin1')
      .replace(/(00)+$/, '')
    writeFileSync(join(folder.path, 'cms.der'), Buffer.from(hex.length % 2 ? `${hex}0` : hex, 'hex'))
    const openssl = runTool(
      ['openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', join(folder.path, 'cms.der')].concat([
        '-content',
        join(folder.path, 'signed.bin'),
        '-CAfile',
        rootPath,
        '-partial_chain',
        '-purpose',
        'any',
        '-out',
        '/dev/null',
      ]),
    )
    expect(openssl).toMatchObject({ code: 0, text: expect.stringContaining('Verification successful') })
    const elsewhere = emptyFolder()
    expect(run(folder.path, ['verify', path, '--trust', rootPath])).toMatchObject({ code: 0 })
    // Beside the data folder the certificates are known; elsewhere it says where they are.
    expect(run(folder.path, ['verify', path])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/sealed as doc_\w+, completed/),
    })
    expect(run(elsewhere.path, ['verify', path])).toMatchObject({
      code: 4,
      out: expect.stringContaining('/seal-certificate.pem'),
    })
    elsewhere.remove()
    const changed = Buffer.from(sealed)
    changed[1000] = (changed[1000] ?? 0) ^ 1
    writeFileSync(path, changed)
    expect(run(folder.path, ['verify', path, '--trust', rootPath]).code).not.toBe(0)
    expect(run(folder.path, ['verify', rootPath])).toMatchObject({ code: 2 })
  }

  test('makes fields of the text tags of a PDF: the library that reads them is in the executable', async () => {
    const running = await folder.serve()
    const api = client(running, newKey())
    const file = Buffer.from(await taggedPdf([{ text: '{{signature:1}}', x: 72, y: 500 }])).toString('base64')
    const created = await api('POST', '/documents', { fileName: 'a.pdf', file, recipients: [ADA], fieldsFrom: ['tags'] })
    expect([created.status, created.body.warnings]).toEqual([201, []])
    const { fields } = (await api('GET', `/documents/${created.body.id}`)).body.recipients[0]
    expect(fields.map(({ type }: { type: string }) => type)).toEqual(['signature'])
  })

  test('removes the protection of a PDF: the library that does it is in the executable', async () => {
    const api = client(await folder.serve(), newKey())
    const whole = await PDF.load(makePdf({ pages: [{ content: '0 0 100 100 re f' }] }))
    whole.setProtection({ ownerPassword: 'owner', permissions: { modify: true }, algorithm: 'AES-256' })
    const file = Buffer.from(await whole.save()).toString('base64')
    const created = await api('POST', '/documents', { fileName: 'a.pdf', file, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
    expect(created.status).toBe(201)
    expect(created.body.warnings.map(({ code }: { code: string }) => code)).toEqual(['protection_removed'])
  })

  test('killed between the last signature and the seal, the document completes at the next start, once', async () => {
    const port = await freePort()
    const { sink, completed } = await openReceiver()
    try {
      const running = await folder.serve({ port })
      const key = newKey()
      const api = client(running, key)
      await api('POST', '/webhooks', { url: sink.url, events: ['document.completed'] })
      const [ada] = recipients
      const { body: created } = await api('POST', '/documents', { fileName: 'a.pdf', file: await pdf(), recipients: [ada] })
      await api('POST', `/documents/${created.id}/send`)
      await sign(running, ADA.email, 'Ada Lovelace')
      await running.end('SIGKILL')
      const database = new Database(join(folder.path, 'data/signet.db'))
      const killedAt = database.query('SELECT status FROM documents').get() as { status: string }
      database.close()
      expect(killedAt.status).toBe('sealing')
      expect(sink.requests).toEqual([])

      const again = client(await folder.serve({ port }), key)
      await completed
      const { body: document } = await again('GET', `/documents/${created.id}`)
      expect([document.status, document.sealingError]).toEqual(['completed', null])
      const { body: audit } = await again('GET', `/documents/${created.id}/audit`)
      const kinds = audit.events.map((e: { type: string }) => e.type)
      expect(kinds.filter((k: string) => k === 'document.completed')).toHaveLength(1)
      const files = join(folder.path, 'data/files')
      // Assets of the release are stored there, too.
      const isPdf = (name: string) => name.endsWith('.pdf') && readFileSync(join(files, name), 'latin1').startsWith('%PDF')
      expect(readdirSync(files).filter(isPdf)).toHaveLength(2)
    } finally {
      await sink.close()
    }
  }, 120_000)
})

describe('the command line', () => {
  test('names every library and typeface it carries, with the texts their licences want passed on', () => {
    const { code, out } = run(folder.path, ['licences'])
    expect(code).toBe(0)
    const carried = Object.keys(packageJson.dependencies)
    expect(carried.filter(name => !out.includes(`\n${name} `))).toEqual([])
    for (const text of [
      'Apache License',
      'The MIT License',
      'SIL OPEN FONT LICENSE Version 1.1',
      'Mynerve Project Authors',
      'Lucide Icons and Contributors',
      'The Inter Project Authors',
    ]) {
      expect(out).toContain(text)
    }
  })

  test('explains itself, and refuses what it does not know in one sentence', () => {
    expect(run(folder.path, ['help'])).toMatchObject({ code: 0, out: expect.stringContaining('signet serve') })
    const version = run(folder.path, ['version']).out
    expect(version).toMatch(/^0\.1\.0\ncommit [0-9a-f]{12}\+? of \d{4}-\d\d-\d\d\nschema \d+\nfeature level \d+\n$/)
    expect(run(folder.path, ['--version']).out).toBe(version)
    expect(run(folder.path, ['fly'])).toMatchObject({ code: 2, err: expect.stringContaining('no verb "fly"') })
    expect(run(folder.path, ['serve', '--prot', '1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('unknown flag --prot'),
    })
    expect(run(folder.path, ['serve', '--port', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('--port') })
    expect(run(folder.path, ['key', 'create'])).toMatchObject({ code: 2, err: expect.stringContaining('--name') })
    expect(run(folder.path, ['verify', 'nothing.pdf'])).toMatchObject({ code: 2 })
    expect(run(folder.path, ['help', 'fly'])).toMatchObject({ code: 2, err: expect.stringContaining('no verb "fly"') })
    const onAdmin = run(folder.path, ['help', 'admin'])
    expect([onAdmin.code, onAdmin.out.match(/^signet .*?(?= (--|EMAIL))/gm)]).toEqual([
      0,
      ['signet admin create', 'signet admin reset'],
    ])
    const onServe = run(folder.path, ['serve', '--help'])
    expect([onServe.code, onServe.out]).toEqual([0, run(folder.path, ['help', 'serve']).out])
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('names every error of a new administrator at once', () => {
    const { code, err } = run(folder.path, ['admin', 'create', '--email', 'x', '--name', '', '--password-stdin'], {
      stdin: 'short',
    })
    expect(code).toBe(1)
    for (const member of ['email', 'name', 'password']) expect(err).toContain(`signet admin create: ${member}: `)
  })

  test('names every error of the configuration at once', () => {
    const { code, err } = run(folder.path, ['serve'], {
      env: { SIGNET_PORT: 'x', SIGNET_LOG: 'loud', SIGNET_WEBHOOK_ALLOW: '10.0.0.0/99' },
    })
    expect(code).toBe(2)
    for (const variable of ['SIGNET_PORT', 'SIGNET_LOG', 'SIGNET_WEBHOOK_ALLOW']) expect(err).toContain(variable)
  })

  test('says what to do about a folder that cannot be written', () => {
    writeFileSync(join(folder.path, 'file'), '')
    const { code, err } = run(folder.path, ['serve', '--data', 'file/data'])
    expect(code).toBe(1)
    expect(err).toContain('--data')
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('says what to do about a taken port, without touching the folder', async () => {
    const running = await folder.serve()
    const other = emptyFolder()
    const { code, err } = run(other.path, ['serve', '--port', new URL(running.url).port])
    expect(code).toBe(1)
    expect(err).toContain('--port')
    expect(readdirSync(other.path)).toEqual([])
    other.remove()
  })

  test('lets one instance into a data folder and names it to the second', async () => {
    const running = await folder.serve()
    const { code, err } = run(folder.path, ['serve', '--port', String(await freePort())])
    expect(code).toBe(1)
    expect(err).toContain(running.url)
    expect(newKey()).toStartWith('esk_test_')
  })

  test('keeps a data folder to its environment', () => {
    newKey()
    const { code, err } = run(folder.path, ['key', 'create', '--name', 'x'], { env: { SIGNET_ENVIRONMENT: 'production' } })
    expect(code).toBe(1)
    expect(err).toContain('SIGNET_ENVIRONMENT=test')
  })

  test('refuses a schema that is newer than itself with exit 3, and changes nothing', () => {
    newKey()
    const path = join(folder.path, 'data/signet.db')
    const database = new Database(path)
    database.exec('PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const before = readFileSync(path)
    const { code, err } = run(folder.path, ['serve', '--port', '0'])
    expect(code).toBe(3)
    expect(err).toContain('9999')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('refuses a master key that others can read', () => {
    newKey()
    const key = join(folder.path, 'data/keys/master.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    Bun.spawnSync(['chmod', '644', key])
    expect(run(folder.path, ['key', 'create', '--name', 'x'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('chmod 600'),
    })
  })

  test('makes an administrator who can sign in', async () => {
    const password = 'four sound words here'
    const made = run(folder.path, ['admin', 'create', '--email', 'grace@example.com', '--name', 'Grace', '--password-stdin'], {
      stdin: `${password}\n`,
    })
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('The organisation has no name yet') })
    const running = await folder.serve()
    expect(running.greeting).not.toContain('/setup/')
    const visitor = openVisitor(running.fetch, running.url)
    const page = await visitor.submit(await visitor.get('/sign-in'), { email: 'grace@example.com', password })
    expect(textOf(page)).toContain('Documents')
  })

  test('no secret lies in clear in the data folder', () => {
    const key = newKey()
    const found = runTool(['grep', '-rlE', `PRIVATE KEY|${key.slice(9)}`, join(folder.path, 'data')])
    expect(found.text).toBe('')
  })
})

/** 64 bits, little-endian. https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const ELF = Buffer.from('7f454c46020101', 'hex')
const MACHINE_AT = 18
const OWN_MACHINE = { x64: 62, arm64: 183 }[process.arch as string]

test('the executable has the database module of its own machine alone', () => {
  const bytes = readFileSync(BINARY)
  const machines: number[] = []
  for (let at = bytes.indexOf(ELF); at >= 0; at = bytes.indexOf(ELF, at + 1)) {
    const machine = bytes.readUInt16LE(at + MACHINE_AT)
    // The same bytes are also data of the runtime.
    if (machine === 62 || machine === 183) machines.push(machine)
  }
  // The runtime itself, and the module of SQLite.
  expect(machines).toEqual([OWN_MACHINE ?? 0, OWN_MACHINE ?? 0])
})

test('the executable has at most 65 MB beside its runtime', () => {
  expect(statSync(BINARY).size - statSync(process.execPath).size).toBeLessThan(65_000_000)
})
