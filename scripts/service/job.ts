/** Inside the container: a document through the proxy, 100 MB, live changes, client address. */
import { readdirSync, readFileSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { openVisitor, textOf } from '../../test/support/browser-less.ts'
import { newDocument } from '../../test/support/sample.ts'

const BASE = 'https://sign.example.com'
const OUTBOX = '/var/lib/signet/outbox'
const PASSWORD = 'four sound words here'
const name = process.argv[2] ?? 'first'
const email = `${name}@example.com`

function verb(args: string[], stdin = ''): string {
  const ran = Bun.spawnSync(['signet', 'service', 'run', ...args], { stdin: Buffer.from(stdin) })
  if (ran.exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${ran.stderr}`)
  return String(ran.stdout).trim()
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`${what} did not come`)
    await Bun.sleep(50)
  }
}

const reach = (path: string, init: RequestInit = {}) => fetch(path.startsWith('http') ? path : BASE + path, init)
await until('the proxy', async () => ((await reach('/healthz')).ok ? true : undefined))

verb(['admin', 'create', '--email', email, '--name', 'Ada', '--password-stdin'], PASSWORD)
const key = verb(['key', 'create', '--name', name])
const api = async (method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await reach(`/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const recipient = { email: `signer-${email}`, name: 'Ada Lovelace' }
const fields = [{ type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 }]
const create = async () => {
  const response = await api('POST', '/documents', await newDocument({ recipients: [{ ...recipient, fields }] }))
  return (await response.json()) as { id: string }
}

async function signedAndSealed(): Promise<void> {
  const { id } = await create()
  await api('POST', `/documents/${id}/send`)
  const link = await until('the mail', async () => {
    for (const file of readdirSync(OUTBOX)) {
      const mail = await PostalMime.parse(readFileSync(`${OUTBOX}/${file}`))
      const found = mail.to?.[0]?.address === recipient.email ? /https:\S+?(\/s\/\S+)/.exec(mail.text ?? '')?.[1] : undefined
      if (found !== undefined) return found
    }
    return undefined
  })
  const signer = openVisitor(reach, BASE)
  const form = await signer.submit(await signer.get(link))
  const done = textOf(await signer.submit(form, { signature: 'Ada Lovelace', consent: 'on' }, '/finish'))
  if (!done.includes('You are done')) throw new Error(done)
  const sealed = await until('the seal', async () => {
    const document = (await (await api('GET', `/documents/${id}`)).json()) as { status: string }
    return document.status === 'completed' ? (await api('GET', `/documents/${id}/file`)).bytes() : undefined
  })
  console.log(`shown: created, mailed, signed and sealed (${sealed.length} bytes)`)
}

/** A valid PDF of nearly 100 MB: the sample, then a comment before its end. */
async function largeUpload(): Promise<void> {
  const small = Buffer.from(String((await newDocument()).file), 'base64')
  const padding = Buffer.alloc(99_000_000, '%pad padding padding padding padding padding padding padding\n')
  const large = Buffer.concat([small, Buffer.from('\n'), padding, small.subarray(small.lastIndexOf('startxref'))])
  const body = new FormData()
  body.set('file', new File([new Uint8Array(large)], 'large.pdf', { type: 'application/pdf' }))
  body.set('document', JSON.stringify({ recipients: [{ ...recipient, fields }] }))
  const beganMs = performance.now()
  const form = await reach('/api/v1/documents', { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  console.log(
    `shown: upload of ${large.length} bytes as a form: ${form.status} after ${Math.round(performance.now() - beganMs)} ms ${form.ok ? '' : await form.text()}`,
  )
  const json = await reach('/api/v1/documents', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fileName: 'large.pdf', file: large.toString('base64'), recipients: [{ ...recipient, fields }] }),
  })
  console.log(`shown: the same as JSON: ${json.status} ${json.ok ? '' : await json.text()}`)
}

/** The time from a change to its event on an open page. */
async function liveChanges(): Promise<void> {
  const visitor = openVisitor(reach, BASE)
  await visitor.submit(await visitor.get('/sign-in'), { email, password: PASSWORD })
  const cookie = [...visitor.cookies].map(pair => pair.join('=')).join('; ')
  const stream = await reach('/documents/live', { headers: { cookie } })
  const reader = stream.body?.getReader()
  if (!stream.ok || reader === undefined) throw new Error(`live: ${stream.status}`)
  const beganMs = performance.now()
  await create()
  const decoder = new TextDecoder()
  for (let text = ''; !text.includes('event: changed'); ) text += decoder.decode((await reader.read()).value)
  console.log(`shown: an open page learned of a new document ${Math.round(performance.now() - beganMs)} ms after its request`)
  await reader.cancel()
}

/** A client with another address, which claims to be a third one. */
async function clientAddress(): Promise<void> {
  const mark = `/healthz?${name}-${Date.now()}`
  Bun.spawnSync([
    'curl',
    '-sk',
    '--interface',
    '127.0.0.5',
    '-H',
    'X-Forwarded-For: 203.0.113.9',
    BASE + mark.replace('healthz', 'sign-in'),
  ])
  const log = await until('the log', async () => {
    const lines = String(Bun.spawnSync(['journalctl', '-u', 'signet', '-n', '20', '-o', 'cat']).stdout).split('\n')
    return lines.findLast(
      line => line.includes('"path":"/sign-in"') && line.includes('"method":"GET"') && line.includes('127.0.0.5'),
    )
  })
  console.log(`shown: the service sees the client's own address, not the one it claims: ${/"ip":"[^"]*"/.exec(log)?.[0]}`)
  const wrong = await reach('/sign-in', { headers: { host: 'evil.example' } })
  const { length } = await wrong.text()
  console.log(`shown: the sign-in page under another name is answered ${wrong.status} with ${length} characters`)
}

await signedAndSealed()
await liveChanges()
await clientAddress()
await largeUpload()
