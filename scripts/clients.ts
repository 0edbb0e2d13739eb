/** Lints the OpenAPI document of the service, generates two clients, type-checks and tries them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/executable.ts'
import { samplePdf } from '../test/support/sample.ts'

const ROOT = join(import.meta.dir, '..')
const START_LIMIT_MS = 60_000
const NPM_PACKAGES = ['openapi-typescript@7.13.0', 'typescript@5.9.3', '@types/node@24.10.1']
const LINTERS = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3']
const SPECTRAL_RULES = '{"extends": ["spectral:oas"]}\n'
const PYTHON_PACKAGES = [
  'openapi-spec-validator==0.7.2',
  'openapi-python-client==0.29.1',
  'mypy==1.19.1',
  'types-requests',
  'requests==2.34.2',
  'flask==3.1.3',
  'standardwebhooks==1.1.0',
]

const folder = mkdtempSync(join(tmpdir(), 'signet-clients-'))

function run(what: string, command: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${what}`)
  if (exitCode === 0) return
  console.log(`${stdout}${stderr}`)
  throw new Error(`${what} failed`)
}

interface Operation {
  operationId: string
  'x-codeSamples': { lang: string; source: string }[]
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
}

const data = join(folder, 'data')
const signet = (...words: string[]) => [process.execPath, join(ROOT, 'src/main.ts'), ...words, '--data', data]

/** Runs `check` with the document of a service that runs meanwhile. */
async function withService(check: (document: OpenApi, url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const child = Bun.spawn(signet('serve', '--port', `${port}`), {
    cwd: ROOT,
    env: { ...process.env, SIGNET_LOG: 'warn' },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  try {
    const url = `http://127.0.0.1:${port}/api/v1`
    const endMs = performance.now() + START_LIMIT_MS
    for (;;) {
      const response = await fetch(`${url}/openapi.json`).catch(() => undefined)
      if (response?.ok) return await check((await response.json()) as OpenApi, url)
      if (child.exitCode !== null || performance.now() > endMs) throw new Error('the service does not answer')
      await Bun.sleep(50)
    }
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
}

/** A token of the service, and the id of a document that it has. */
async function documentIn(url: string): Promise<{ key: string; id: string }> {
  const { stdout } = Bun.spawnSync(signet('key', 'create', '--name', 'clients'), { cwd: ROOT, stderr: 'inherit' })
  const key = stdout.toString().trim()
  const body = { fileName: 'a.pdf', file: await samplePdf(), recipients: [{ email: 'ada@example.com', name: 'Ada Lovelace' }] }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/documents`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return { key, id: ((await response.json()) as { id: string }).id }
}

/** Reads names from the generated types: a name that is missing fails the check. */
const TYPESCRIPT_USE = `import type { components, operations, webhooks } from './api.d.ts'
export type Created = operations['createDocument']['responses'][201]['content']['application/json']
export type Completed = webhooks['document.completed']['post']['requestBody']['content']['application/json']
export const status: components['schemas']['Document']['status'] = 'a value added later'
export const error: components['schemas']['Error']['code'] = 'not_found'
// @ts-expect-error: a request takes known values only
export const role: components['schemas']['NewRecipient']['role'] = 'unknown'
`

const PYTHON_USE = `from signet_api_client import AuthenticatedClient
from signet_api_client.api.documents import get_document, send_document
from signet_api_client.models import Document, ErrorResponse, NotificationResult

client = AuthenticatedClient(base_url="http://127.0.0.1", token="key")
document: Document | ErrorResponse | None = get_document.sync("doc", client=client)
sent: NotificationResult | ErrorResponse | None = send_document.sync("doc", client=client)
`

/** With the default settings of the generator. */
const PYTHON_TRY = `import os

from signet_api_client import AuthenticatedClient
from signet_api_client.api.documents import get_document, get_document_file

client = AuthenticatedClient(base_url=os.environ["SIGNET_API"], token=os.environ["SIGNET_API_KEY"])
file = get_document_file.sync(os.environ["DOCUMENT_ID"], client=client)
assert isinstance(file, bytes) and file.startswith(b"%PDF-"), file
document = get_document.sync(os.environ["DOCUMENT_ID"], client=client)
assert document is not None and document.status == "draft", document
`

function lint(): void {
  run('npm install of the linters', [
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    'lint',
    ...LINTERS,
  ])
  run('redocly lint', ['lint/node_modules/.bin/redocly', 'lint', 'openapi.json'])
  writeFileSync(join(folder, 'spectral.json'), SPECTRAL_RULES)
  run('spectral lint', [
    'lint/node_modules/.bin/spectral',
    'lint',
    'openapi.json',
    '-r',
    'spectral.json',
    '--fail-severity',
    'error',
  ])
}

function checkTypeScript(document: OpenApi): void {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  run('npm install', ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...NPM_PACKAGES])
  run('openapi-typescript', ['node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'api.d.ts'])
  writeFileSync(join(folder, 'use.ts'), TYPESCRIPT_USE)
  const samples = samplesOf(document, 'TypeScript', 'sample.ts', source => `${source}\nexport {}\n`)
  const options = '--noEmit --strict --target esnext --module esnext --moduleResolution bundler --allowImportingTsExtensions'
  run('tsc: types, use and samples', ['node_modules/.bin/tsc', ...options.split(' '), 'api.d.ts', 'use.ts', ...samples])
}

/** The generator sends these bodies as files, which OpenAPI 3.0 marks so. */
function withBinaryBodies(mediaType: string, value: unknown): unknown {
  return mediaType === 'text/csv' ? { schema: { type: 'string', format: 'binary' } } : value
}

async function checkPython(document: OpenApi, url: string): Promise<void> {
  const python = (program: string) => join(folder, 'venv/bin', program)
  run('venv', ['python3', '-m', 'venv', 'venv'])
  run('pip install', [python('pip'), 'install', '--quiet', ...PYTHON_PACKAGES])
  run('openapi-spec-validator', [python('openapi-spec-validator'), 'openapi.json'])
  // The generator sends no file of another type.
  const overrides = { 'text/csv': 'application/octet-stream' }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ content_type_overrides: overrides, post_hooks: [] }))
  writeFileSync(join(folder, 'openapi-of-files.json'), JSON.stringify(document, withBinaryBodies))
  const generate = [
    'generate',
    '--path',
    'openapi-of-files.json',
    '--config',
    'config.json',
    '--output-path',
    'client',
    '--fail-on-warning',
  ]
  run('openapi-python-client', [python('openapi-python-client'), ...generate])
  writeFileSync(join(folder, 'client/use.py'), PYTHON_USE)
  run('mypy: client and use', [python('mypy'), 'client'])
  const generateByDefault = ['generate', '--path', 'openapi.json', '--output-path', 'client-by-default']
  run('openapi-python-client with its default settings', [python('openapi-python-client'), ...generateByDefault])
  writeFileSync(join(folder, 'client-by-default/try.py'), PYTHON_TRY)
  const { key, id } = await documentIn(url)
  run('its files are bytes', [
    'env',
    `SIGNET_API=${url}`,
    `SIGNET_API_KEY=${key}`,
    `DOCUMENT_ID=${id}`,
    python('python'),
    'client-by-default/try.py',
  ])
  const samples = samplesOf(document, 'Python', 'sample.py', source => source)
  run('mypy: samples', [python('mypy'), '--scripts-are-modules', '--strict', ...samples])
  // With packages that are rarely installed: the receiver in Python is tested too.
  const tests = [process.execPath, 'test', '--timeout=120000', join(ROOT, 'test/http/api/samples.test.ts')]
  run('samples of the reference', [
    'env',
    `PATH=${join(folder, 'venv/bin')}:${process.env.PATH}`,
    'sh',
    '-c',
    'cd "$1" && shift && "$@"',
    'sh',
    ROOT,
    ...tests,
  ])
}

function checkShell(document: OpenApi): void {
  const samples = samplesOf(document, 'Shell', 'sample.sh', source => `${source}\n`)
  run('sh -n: samples', ['sh', '-c', 'for sample; do sh -n "$sample" || exit 1; done', 'sh', ...samples])
}

/** Writes the code samples of one language to files and returns their names. */
function samplesOf(document: OpenApi, lang: string, suffix: string, text: (source: string) => string): string[] {
  return Object.values(document.paths)
    .flatMap(methods => Object.values(methods))
    .flatMap(({ operationId, 'x-codeSamples': samples }) =>
      samples
        .filter(sample => sample.lang === lang)
        .map(({ source }) => {
          const name = `${operationId}_${suffix}`
          writeFileSync(join(folder, name), text(source))
          return name
        }),
    )
}

try {
  await withService(async (document, url) => {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
    lint()
    checkShell(document)
    checkTypeScript(document)
    await checkPython(document, url)
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
