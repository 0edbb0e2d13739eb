/** Every sample of the reference runs against the service, in the languages that are installed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import examples from '../../../src/http/api/reference/examples.json' with { type: 'json' }
import { EXAMPLE_ETAG } from '../../../src/http/api/reference/examples.ts'
import { API_PREFIX, API_ROUTES } from '../../../src/http/server.ts'
import { sign } from '../../../src/lib/webhook-signature.ts'
import { freePort, until } from '../../support/executable.ts'
import type { Json } from '../../support/openapi.ts'
import { type Given, preparations, runIn, sampleFolder, works } from '../../support/samples.ts'
import { signAs } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const EXAMPLE_BASE = 'http://127.0.0.1:3000'

interface Language {
  name: string
  lang: string
  isHere: boolean
  /** Of its files, with the dot. */
  suffix: string
  command: string
  /** Runs the samples that its arguments name, and says which of them failed and why. */
  runner: string
  toRun(source: string): string
}

const plain = (source: string) => source
const toJavaScript = (source: string) => new Bun.Transpiler({ loader: 'ts', target: 'node' }).transformSync(source)
const JAVASCRIPT = `for (const name of process.argv.slice(2)) {
  try {
    await import('./' + name)
  } catch (error) {
    console.log('FAILED ' + name + ' ' + error.message)
  }
}`
const PYTHON = `import runpy
import sys
for name in sys.argv[1:]:
    try:
        runpy.run_path(name)
    except BaseException as error:
        print("FAILED", name, error)`
const SHELL = 'for name; do answer=$(sh "$name" 2>&1) || echo "FAILED $name" $answer; done'

const typescript = { lang: 'TypeScript', suffix: '.mjs', runner: JAVASCRIPT, toRun: toJavaScript }
const LANGUAGES: Language[] = [
  {
    ...{ name: 'curl', lang: 'Shell', suffix: '.sh', command: 'sh', runner: SHELL, toRun: plain },
    isHere: works('curl', '--version') && works('openssl', 'version'),
  },
  { ...typescript, name: 'TypeScript in Node.js', command: 'node', isHere: works('node', '--version') },
  { ...typescript, name: 'TypeScript in Bun', command: process.execPath, isHere: true },
  {
    ...{ name: 'Python', lang: 'Python', suffix: '.py', command: 'python3', runner: PYTHON, toRun: plain },
    isHere: works('python3', '-c', 'import requests'),
  },
]

let t: TestApp
let server: ReturnType<typeof Bun.serve>
let folder: string
let base: string
let prepare: Record<string, () => Promise<Given>>
let operations: Json[]
let guide: string
let env: Record<string, string>

beforeAll(async () => {
  t = await openTestApp()
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => t.serve(request) })
  base = `http://127.0.0.1:${server.port}`
  folder = await sampleFolder(t.folder)
  const spec = await (await t.fetch(`${API_PREFIX}/openapi.json`)).json()
  operations = Object.values<Json>(spec.paths).flatMap(methods => Object.values<Json>(methods))
  guide = spec.info.description
  prepare = await preparations(t, operationId => (examples.operations as Json)[operationId].body)
  env = {
    SIGNET_API_KEY: await t.key({
      scopes: [
        'documents:read',
        'documents:write',
        'webhooks:read',
        'webhooks:write',
        'templates:read',
        'templates:write',
        'links:create',
      ],
    }),
  }
})
afterAll(async () => {
  await server.stop(true)
  await t.close()
})

const etagOf = async (path: string) => (await t.api('GET', path)).headers.get('etag') ?? ''

const inJson = (value: string) => JSON.stringify(value).slice(1, -1)

/** The sample with the address, ids and versions of this service. */
async function adapted(source: string, given: Given): Promise<string> {
  let text = source.replaceAll(EXAMPLE_BASE, base)
  for (const [resource, id] of Object.entries(examples.ids)) text = text.replaceAll(id, given[resource] ?? id)
  text = text.replaceAll('fld_01kqj7a1c1e3f5g7h9j1k3m5n7', given.senderField ?? '')
  text = text.replaceAll('https://hooks.example.com/signet', given.url ?? '')
  if (given.checkpoint)
    text = text.replaceAll(inJson(examples.operations.witnessCheckpoint.body.checkpoint), inJson(given.checkpoint))
  if (!text.includes(EXAMPLE_ETAG)) return text
  const path = given.templates ? `/templates/${given.templates}` : `/documents/${given.documents}`
  return text.replaceAll(EXAMPLE_ETAG, await etagOf(path))
}

/** The lines in which the runner names the samples that failed, and all that they wrote. */
async function run({ command, suffix, runner, toRun }: Language, samples: Record<string, string>) {
  writeFileSync(join(folder, `runner${suffix}`), runner)
  const names = Object.keys(samples).map(name => name + suffix)
  for (const [name, source] of Object.entries(samples)) writeFileSync(join(folder, name + suffix), toRun(source))
  const { exitCode, output } = await runIn(folder, [command, `runner${suffix}`, ...names], env)
  expect(exitCode).toBe(0)
  return { failed: output.split('\n').filter(line => line.startsWith('FAILED')), output }
}

const sampleOf = (operation: Json, { lang }: Language): string =>
  operation['x-codeSamples'].find((sample: { lang: string }) => sample.lang === lang).source

describe.each(LANGUAGES)('$name', language => {
  const { isHere, name } = language
  if (!isHere) console.log(`samples.test.ts: ${name} is not installed here: its samples are not run.`)

  test.skipIf(!isHere)('every sample succeeds', async () => {
    expect(operations).toHaveLength(API_ROUTES.length)
    const samples: Record<string, string> = {}
    for (const operation of operations) {
      const given = (await prepare[operation.operationId]?.()) ?? {}
      samples[operation.operationId] = await adapted(sampleOf(operation, language), given)
    }
    expect((await run(language, samples)).failed).toEqual([])
    const startOf = (file: string) => readFileSync(join(folder, file)).subarray(0, 4).toString()
    expect(['signed.pdf', 'template.pdf', 'evidence.zip'].map(startOf)).toEqual(['%PDF', '%PDF', 'PK\x03\x04'])
    expect(readdirSync(folder)).toContain('attachment')
  })

  test.skipIf(!isHere)('a refusal ends the sample with its sentence, also of a download', async () => {
    const refused = operations.filter(o => ['getDocument', 'voidDocument', 'getDocumentFile'].includes(o.operationId))
    const samples = await Promise.all(refused.map(async o => [o.operationId, await adapted(sampleOf(o, language), {})]))
    const { failed } = await run(language, Object.fromEntries(samples))
    expect(failed).toHaveLength(3)
    for (const line of failed) expect(line).toContain('Document not found.')
  })
})

/** The code of the guide in one language, in order. */
const codeIn = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code ?? '')

const [CURL] = LANGUAGES as [Language]
const shell = (source: string) => runIn(folder, ['sh', '-c', source], env)
test.skipIf(!CURL.isHere)('the quickstart creates, sends and downloads a document', async () => {
  const [first = '', second = ''] = codeIn('sh').map(code =>
    code.replaceAll(EXAMPLE_BASE, base).replace(/^export SIGNET_API_KEY.*$/m, ''),
  )
  const begin = await shell(`${first}\necho "ID=$ID"`)
  expect([begin.exitCode, begin.output]).toEqual([0, expect.stringContaining('"ok":true')])
  const [head, id] = [`API=${base}${API_PREFIX}\n`, /ID=(doc_\w+)/.exec(begin.output)?.[1]]
  await t.drain()
  await signAs(t, 'ada@example.com', 'Ada')
  await t.drain()
  const ended = await shell(`${head}ID=${id}\n${second}`)
  expect([ended.exitCode, ended.output]).toEqual([0, expect.stringContaining('"status":"completed"')])
  expect(readFileSync(join(folder, 'signed.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
})

describe('the receivers of the guide', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"id":"evt_1","type":"document.completed"}'
  const headersAt = (timestamp: number): Record<string, string> => ({
    ...sign({ id: 'evt_1', timestamp, body, secrets: [secret] }),
  })
  const now = () => Math.floor(Date.now() / 1000)
  const signed = () => ({ method: 'POST', body, headers: headersAt(now()) })
  const forged = () => ({ method: 'POST', body: body.replace('completed', 'voided'), headers: headersAt(now()) })

  test('with the Fetch API accepts a delivery, in Bun and in Node.js, and refuses a forged one', async () => {
    const [fetchSample = ''] = codeIn('typescript')
    const call = (init: object) =>
      `const answer = await POST(new Request('http://receiver/', ${JSON.stringify(init)})); console.log(answer.status)`
    const source = (init: object) => `${toJavaScript(fetchSample)}\n${call(init)}`
    for (const program of [process.execPath, ...(works('node', '--version') ? ['node'] : [])]) {
      const statusOf = async (init: object) => {
        writeFileSync(join(folder, 'receiver.mjs'), source(init))
        return (await runIn(folder, [program, 'receiver.mjs'], { WEBHOOK_SECRET: secret })).output.match(/^\d{3}$/m)?.[0]
      }
      expect([program, await statusOf(signed()), await statusOf(forged())]).toEqual([program, '204', '400'])
    }
  })

  test.skipIf(!works('node', '--version'))('of Node.js accepts a delivery, refuses a forged one and goes on', async () => {
    const [, nodeSample = ''] = codeIn('typescript')
    writeFileSync(join(folder, 'receiver.mjs'), toJavaScript(nodeSample))
    const port = await freePort()
    const child = Bun.spawn(['node', 'receiver.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, PORT: String(port) },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    try {
      const ask = (init: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
      const answer = await until('the receiver answers', () => ask(signed()).catch(() => undefined))
      expect([answer.status, (await ask(forged())).status, (await ask(signed())).status]).toEqual([204, 400, 204])
    } finally {
      child.kill()
      await child.exited
    }
  })

  const hasPython = works('python3', '-c', 'import flask, standardwebhooks')
  if (!hasPython) console.log('samples.test.ts: the Python packages flask and standardwebhooks are not installed here.')
  test.skipIf(!hasPython)('of Python accepts a delivery and refuses a forged one', async () => {
    const [sample = ''] = codeIn('python')
    const call = ({ body, headers }: { body: string; headers: object }) =>
      `print(app.test_client().post("/signet", data=${JSON.stringify(body)}, headers=${JSON.stringify(headers)}).status_code)`
    writeFileSync(join(folder, 'receiver.py'), `${sample}\n${call(signed())}\n${call(forged())}\n`)
    const { exitCode, output } = await runIn(folder, ['python3', 'receiver.py'], { WEBHOOK_SECRET: secret })
    expect([exitCode, output.match(/^\d{3}$/gm)]).toEqual([0, ['204', '400']])
  })
})
