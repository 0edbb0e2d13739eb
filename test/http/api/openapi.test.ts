/** The OpenAPI document and its examples agree with routes, responses and errors. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ERRORS_FILE, errorsFile } from '../../../scripts/error-catalogue.ts'
import { sendBatches } from '../../../src/batches/send.ts'
import { PUBLIC_EVENTS, TEST_EVENT } from '../../../src/core/document/event.ts'
import { REASONS } from '../../../src/core/refusal.ts'
import { CODES, ERROR_CODES, errorCatalogue } from '../../../src/http/error-codes.ts'
import { API_PREFIX, API_ROUTES, buildServer } from '../../../src/http/server.ts'
import { textOf } from '../../support/browser-less.ts'
import { openSigner } from '../../support/field-files.ts'
import { JPEG } from '../../support/jpegs.ts'
import { type Json, resolveReferences, schemaErrors } from '../../support/openapi.ts'
import { ownWitnessRequest } from '../../support/own-witness.ts'
import { ADA, BOB, newDocument, samplePdf } from '../../support/sample.ts'
import { locked } from '../../support/samples.ts'
import { configure, sentDocument, signAs } from '../../support/story.ts'
import type { ApiAnswer } from '../../support/test-app.ts'
import { openTestApp } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

/** Every object in a value, with its path. */
function objectsIn(value: Json, path = '#'): { path: string; object: Record<string, Json> }[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((item, i) => objectsIn(item, `${path}/${i}`))
  return [
    { path, object: value },
    ...Object.entries(value).flatMap(([name, member]) => objectsIn(member, `${path}/${name.replaceAll('/', '~1')}`)),
  ]
}

const specOf = async () => (await t.fetch(`${API_PREFIX}/openapi.json`)).json()

/** The document with every reference replaced by what it refers to. */
const resolvedSpec = async () => resolveReferences(await specOf())

test('it is version 3.1.0 and uses no keyword that 3.1 removed', async () => {
  const spec = await specOf()
  expect(spec.openapi).toBe('3.1.0')
  const objects = objectsIn(spec)
  const old = objects.filter(({ object }) => 'nullable' in object || object.format === 'binary' || object.format === 'byte')
  expect(old.map(({ path }) => path)).toEqual([])
  const bounds = objects.filter(
    o => typeof o.object.exclusiveMinimum === 'boolean' || typeof o.object.exclusiveMaximum === 'boolean',
  )
  expect(bounds.map(({ path }) => path)).toEqual([])
  expect(objects.some(({ object }) => object.type === 'null')).toBe(true)
})

test('its references resolve, its operations have unique IDs, its paths declare their parameters', async () => {
  const references = objectsIn(await specOf()).filter(({ object }) => typeof object.$ref === 'string')
  expect(references.length).toBeGreaterThan(100)
  const spec = await resolvedSpec()
  expect(spec.components.schemas.ErrorResponse.type).toBe('object')
  const operations = Object.entries<
    Record<string, { operationId: string; parameters: { name: string; in: string; required: boolean }[] }>
  >(spec.paths).flatMap(([path, methods]) => Object.values(methods).map(operation => ({ path, ...operation })))
  expect(operations).toHaveLength(API_ROUTES.length)
  expect(new Set(operations.map(o => o.operationId)).size).toBe(operations.length)
  for (const { path, parameters } of operations) {
    const declared = [...path.matchAll(/\{(\w+)\}/g)].map(m => m[1])
    expect(parameters.filter(p => p.in === 'path' && p.required).map(p => p.name)).toEqual(declared as string[])
  }
})

test('it describes every route with its success and its refusals, and so does the page', async () => {
  const spec = await specOf()
  for (const route of API_ROUTES) {
    const operation = spec.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()]
    expect(operation.responses[route.success.status]).toBeDefined()
    expect(operation.responses['401'].description).toContain('unauthorized')
    if (route.refuses?.includes('not_found')) expect(operation.responses['404'].description).toContain('not_found')
  }
  const page = await (await t.fetch(`${API_PREFIX}/docs`)).text()
  expect(page).toContain('/documents/{id}/send')
  expect(page).toContain('416')
  expect(page).not.toMatch(/(src|href)="https?:\/\/(?!127\.0\.0\.1)/)
})

test('every response to a file request is described, and is as described', async () => {
  const { responses, parameters } = (await resolvedSpec()).paths['/documents/{id}/file'].get
  const { body } = await t.api('POST', '/documents', await newDocument())
  const ask = (headers: Record<string, string>) => t.api('GET', `/documents/${body.id}/file`, undefined, headers)
  const etag = (await ask({})).headers.get('etag') ?? ''
  const asked: [status: number, headers: Record<string, string>][] = [
    [200, {}],
    [206, { range: 'bytes=0-1', 'if-range': etag }],
    [304, { 'if-none-match': etag }],
    [416, { range: 'bytes=99999999-' }],
  ]
  for (const [status, headers] of asked) {
    const answer = await ask(headers)
    expect(answer.status).toBe(status)
    const described = responses[status]
    expect(described.description).toBeString()
    expect(answer.headers.get('content-type')).toBe(Object.keys(described.content ?? {})[0] ?? null)
    for (const name of Object.keys(described.headers))
      expect([status, name, answer.headers.has(name)]).toEqual([status, name, true])
    const inHeaders = parameters
      .filter((p: { in: string }) => p.in === 'header')
      .map((p: { name: string }) => p.name.toLowerCase())
    for (const name of Object.keys(headers)) expect(inHeaders).toContain(name)
  }
  expect(responses['206'].headers['Content-Range']).toBeDefined()
  expect(responses['416'].description).toContain('validation_failed')
})

test('it is made once, at the first request, so it has a port that was chosen after the routes were built', async () => {
  const config = { ...t.app.config, baseUrl: 'http://127.0.0.1:0' }
  const server = buildServer({ ...t.app, config })
  const ask = async (path: string) => (await server.handle(new Request(`http://127.0.0.1${path}`))).text()
  config.baseUrl = 'http://127.0.0.1:40123'
  const first = await ask(`${API_PREFIX}/openapi.json`)
  expect(JSON.parse(first).servers).toEqual([{ url: 'http://127.0.0.1:40123/api/v1' }])
  expect(await ask(`${API_PREFIX}/docs`)).toContain('http://127.0.0.1:40123/api/v1')
  config.baseUrl = 'http://127.0.0.1:1'
  expect(await ask(`${API_PREFIX}/openapi.json`)).toBe(first)
})

test('the reference calls an API token by one name, and says where to create one', async () => {
  const text = textOf({ status: 200, html: await (await t.fetch(`${API_PREFIX}/docs`)).text(), url: '', headers: new Headers() })
  expect(text).toContain('Send your API token, made in the web app under Settings')
  expect(text).not.toMatch(/\bAPI keys?\b/i)
})

test('null, idempotency keys and headers behave as described', async () => {
  const spec = await resolvedSpec()
  const { requestBody, parameters, responses } = spec.paths['/documents'].post
  const [{ properties, required }] = requestBody.content['application/json'].schema.anyOf
  const sample: Record<string, unknown> = await newDocument()
  for (const [name, schema] of Object.entries<{ anyOf?: { type?: string }[] }>(properties)) {
    const isAccepted = (await t.api('POST', '/documents', { ...sample, [name]: null })).status === 201
    expect([name, isAccepted]).toEqual([name, schema.anyOf?.some(({ type }) => type === 'null') ?? false])
    expect([name, isAccepted]).toEqual([name, !required.includes(name)])
  }
  const key = { 'idempotency-key': 'described' }
  const first = await t.api('POST', '/documents', sample, key)
  const again = await t.api('POST', '/documents', sample, key)
  expect(Object.keys(responses['201'].headers)).toContain('Idempotency-Replayed')
  expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  expect(parameters.map((p: { name: string }) => p.name)).toContain('Idempotency-Key')
  expect(spec.paths['/verify'].post.parameters).toEqual([])
  expect(responses['415'].description).toContain('unsupported_media_type')
  expect(responses['503'].headers['Retry-After']).toBeDefined()
})

test('operations of webhooks have IDs of their own and say that no token protects them, as linters ask', async () => {
  const spec = await specOf()
  const posts = Object.values<{ post: { operationId: string; security: unknown[] } }>(spec.webhooks).map(({ post }) => post)
  for (const { security } of posts) expect(security).toEqual([])
  const paths = Object.values<Record<string, { operationId: string }>>(spec.paths)
  const ids = paths.flatMap(methods => Object.values(methods))
  const all = [...ids, ...posts].map(({ operationId }) => operationId)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toContain('onRecipientAccessCodeLocked')
})

test('bytes are also described as a type that generated clients know, and sent as it to who accepts no other', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const file = `/documents/${body.id}/file`
  const { content } = (await specOf()).paths['/documents/{id}/file'].get.responses[200]
  expect(Object.keys(content)).toEqual(['application/pdf', 'application/octet-stream'])
  const typeFor = async (accept?: string) => {
    const { headers } = await t.api('GET', file, undefined, accept === undefined ? {} : { accept })
    expect(headers.get('vary')).toBe('Accept')
    return headers.get('content-type')
  }
  expect(await typeFor('application/octet-stream')).toBe('application/octet-stream')
  for (const accept of [undefined, '*/*', 'application/pdf', 'application/octet-stream, application/*;q=0.5', 'text/html'])
    expect(await typeFor(accept)).toBe('application/pdf')
})

test('the reference calls required what every form of the body requires, and shows the limits of optional members', async () => {
  const html = await (await t.fetch(`${API_PREFIX}/docs`)).text()
  const start = html.indexOf('id="createDocument"')
  const text = textOf({ html: html.slice(start, html.indexOf('id="listDocuments"', start)) } as never)
  const wordsOf = (path: string) => text.slice(text.indexOf(` ${path} string`), text.indexOf(` ${path} string`) + 250)
  expect(wordsOf('fileName')).toStartWith(' fileName string ')
  for (const path of ['fileName', 'file']) expect(wordsOf(path)).toMatch(/^ \w+ string (?:Not empty|The PDF)/)
  expect(wordsOf('fileName')).toContain('Or files')
  const limits = [
    /title string \| null, optional .{0,120}At most 255 characters/,
    /expiresInDays integer \| null, optional .{0,120}At least 1\. At most 365\./,
    /recipients\[\]\.accessCode string \| null, optional .{0,200}At least 6 characters\. At most 64 characters\./,
  ]
  for (const each of limits) expect(text).toMatch(each)
})

async function operationsOf(): Promise<Json[]> {
  return Object.values<Json>((await resolvedSpec()).paths).flatMap(methods => Object.values<Json>(methods))
}

/** Names of the members of a value, with their paths; items of an array count once. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(item => membersOf(item, `${path}[]`)))]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => [`${path}.${name}`, ...membersOf(member, `${path}.${name}`)])
}

/** Members of maps, and members that only some responses have. */
const NOT_SHOWN = /\.(data|personal|metadata|timestamp)\.|^\.reason$/

describe('every operation', () => {
  test('has an example of each JSON body, which fits the schema', async () => {
    const operations = await operationsOf()
    expect(operations).toHaveLength(API_ROUTES.length)
    for (const { operationId, requestBody, responses } of operations) {
      const isShown = !requestBody?.required || 'example' in requestBody.content['application/json']
      expect([operationId, isShown]).toEqual([operationId, true])
      for (const { content } of [requestBody ?? {}, ...Object.values<Json>(responses)]) {
        const { schema, example, examples = {} } = content?.['application/json'] ?? {}
        const values = Object.values<Json>(examples).map(({ value }) => value)
        for (const value of example === undefined ? values : [example, ...values]) {
          expect([operationId, schemaErrors(schema, value)]).toEqual([operationId, []])
        }
      }
      for (const { content } of Object.values<Json>(responses)) {
        const json = content?.['application/json']
        expect([operationId, !json || 'example' in json || 'examples' in json]).toEqual([operationId, true])
      }
    }
  })

  test('has a sample request in curl, TypeScript and Python', async () => {
    for (const { operationId, 'x-codeSamples': samples } of await operationsOf()) {
      const [curl, typescript, python] = samples.map(({ source }: { source: string }) => source)
      expect([operationId, samples.length]).toEqual([operationId, 3])
      expect(curl).toStartWith('curl ')
      expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(typescript)).not.toThrow()
      expect(python).toContain('requests.')
      expect(python).not.toMatch(/\b(true|false|null)\b/)
      for (const source of [curl, typescript, python]) expect(source).toContain('http://127.0.0.1:3000/api/v1/')
    }
  })
})

test('every event type has a body that fits the schema, and the headers of a signed delivery', async () => {
  const { webhooks } = await resolvedSpec()
  expect(Object.keys(webhooks)).toEqual([...PUBLIC_EVENTS, TEST_EVENT])
  for (const [type, { post }] of Object.entries<Json>(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    expect([type, schemaErrors(schema, example)]).toEqual([type, []])
    expect(example.type).toBe(type)
    const names = post.parameters.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})

test('the running service answers every call as its schema and its example show', async () => {
  const operations = new Map((await operationsOf()).map(operation => [operation.operationId, operation]))
  const called = new Set<string>()
  const check = (operationId: string, { status, body }: ApiAnswer) => {
    const response = operations.get(operationId)?.responses[status]
    called.add(operationId)
    expect([operationId, status, response !== undefined]).toEqual([operationId, status, true])
    const json = response.content['application/json']
    if (!json) return
    expect([operationId, schemaErrors(json.schema, body)]).toEqual([operationId, []])
    const shown = new Set(membersOf(json.example))
    const missing = membersOf(body).filter(member => !shown.has(member) && !NOT_SHOWN.test(member))
    expect([operationId, missing]).toEqual([operationId, []])
  }
  /** A POST is repeated under its key: the stored response must be the one that was sent. */
  let calls = 0
  const call: typeof t.api = async (method, path, body) => {
    const key = { 'idempotency-key': `call ${++calls}` }
    const first = await t.api(method, path, body, key)
    if (method !== 'POST' || path === '/verify' || path === '/witness/checkpoints') return first
    const again = await t.api(method, path, body, key)
    expect([path, again.status, again.body]).toEqual([path, first.status, first.body])
    expect([path, again.headers.get('idempotency-replayed')]).toEqual([path, 'true'])
    return first
  }
  const example = (operationId: string) => operations.get(operationId)?.requestBody.content['application/json'].example

  check('createDocument', await call('POST', '/documents', example('createDocument')))
  const { body: created } = await call('POST', '/documents', await newDocument())
  check('updateDocument', await call('PATCH', `/documents/${created.id}`, { title: 'Lease 2027' }))
  check('duplicateDocument', await call('POST', `/documents/${created.id}/duplicate`))
  check(
    'correctRecipient',
    await call('PATCH', `/documents/${created.id}/recipients/${created.recipients[0].id}`, { name: 'Ada' }),
  )
  const anybody = await locked(t)
  check('unlockRecipient', await call('POST', `/documents/${anybody.documents}/recipients/${anybody.recipients}/unlock`))
  check('sendDocument', await call('POST', `/documents/${created.id}/send`))
  await configure(t, { signingLinks: 'on' })
  check('createSigningLink', await call('POST', `/documents/${created.id}/recipients/${created.recipients[0].id}/signing-link`))
  await t.drain()
  t.clock.pass({ days: 1 })
  check('remindDocument', await call('POST', `/documents/${created.id}/remind`))
  check('setLegalHold', await call('POST', `/documents/${created.id}/legal-hold`, example('setLegalHold')))
  check('liftLegalHold', await call('POST', `/documents/${created.id}/lift-legal-hold`, example('liftLegalHold')))
  check('voidDocument', await call('POST', `/documents/${created.id}/void`, example('voidDocument')))
  check('deleteDocument', await call('DELETE', `/documents/${created.id}`))
  const sealed = await sentDocument(t)
  for (const { email, name } of [ADA, BOB]) await signAs(t, email, name)
  await t.drain()
  check('getDocument', await call('GET', `/documents/${sealed}`))
  check('listDocuments', await call('GET', '/documents?status=completed&limit=10'))
  check('listEvents', await call('GET', '/events?type=recipient.signed'))
  check('getAuditTrail', await call('GET', `/documents/${sealed}/audit`))
  const file = await call('GET', `/documents/${sealed}/file?version=sealed`)
  check('getDocumentFile', file)
  const withFile = await openSigner(t)
  await withFile.upload('Passport', JPEG)
  await withFile.finish()
  check('getFieldFile', await call('GET', `/documents/${withFile.documentId}/fields/${withFile.idOf('Passport')}/file`))
  const pack = await call('GET', `/documents/${sealed}/evidence`)
  check('getEvidencePack', pack)
  const [{ id: who }] = (await call('GET', `/documents/${sealed}`)).body.recipients
  check('getReceipt', await call('GET', `/documents/${sealed}/recipients/${who}/receipt`))
  expect(pack.headers.get('content-type')).toBe('application/zip')
  check('verifyPdf', await call('POST', '/verify', { file: Buffer.from(file.body).toString('base64') }))
  check('verifyPdf', await call('POST', '/verify', { file: await samplePdf() }))
  check('verifyPdf', await call('POST', '/verify', { file: Buffer.from('no PDF').toString('base64') }))
  check('witnessCheckpoint', await call('POST', '/witness/checkpoints', await ownWitnessRequest(t)))
  check('createWebhook', await call('POST', '/webhooks', { ...example('createWebhook'), url: 'http://127.0.0.1:9/x' }))
  const { body: webhooks, ...listed } = await call('GET', '/webhooks')
  check('listWebhooks', { ...listed, body: webhooks })
  const hook = `/webhooks/${webhooks[0].id}`
  check('getWebhook', await call('GET', hook))
  check('updateWebhook', await call('PATCH', hook, example('updateWebhook')))
  check('rotateWebhookSecret', await call('POST', `${hook}/rotate-secret`))
  const tested = await call('POST', `${hook}/test`)
  check('testWebhook', tested)
  await t.drain()
  check('listWebhookDeliveries', await call('GET', `${hook}/deliveries`))
  check('redeliverWebhookDelivery', await call('POST', `${hook}/deliveries/${tested.body.id}/redeliver`))
  check('redeliverWebhookFailures', await call('POST', `${hook}/redeliver`, example('redeliverWebhookFailures')))
  check('deleteWebhook', await call('DELETE', `/webhooks/${webhooks[0].id}`))
  check('createTemplate', await call('POST', '/templates', example('createTemplate')))
  const { body: listedTemplates, ...answered } = await call('GET', '/templates?q=lease&limit=10')
  check('listTemplates', { ...answered, body: listedTemplates })
  const template = `/templates/${listedTemplates.data[0].id}`
  check('getTemplate', await call('GET', template))
  check('updateTemplate', await call('PATCH', template, { title: 'Lease 2027 of {{Tenant}}', shared: true }))
  check('getTemplateFile', await call('GET', `${template}/file`))
  check('createDocumentFromTemplate', await call('POST', `${template}/documents`, example('createDocumentFromTemplate')))
  const started = await call('POST', `${template}/batches`, example('createBatch'))
  check('createBatch', started)
  check('listBatches', await call('GET', '/batches'))
  const batch = `/batches/${started.body.id}`
  await sendBatches(t.app)
  check('getBatch', await call('GET', batch))
  check('listBatchRows', await call('GET', `${batch}/rows`))
  check('stopBatch', await call('POST', `${batch}/stop`))
  check('retryBatch', await call('POST', `${batch}/retry`))
  check('duplicateTemplate', await call('POST', `${template}/duplicate`))
  check('deleteTemplate', await call('DELETE', template))
  check('getMe', await call('GET', '/me'))
  expect([...operations.keys()].filter(operationId => !called.has(operationId))).toEqual([])
})

test('it has every reason of a refusal, and internal', () => {
  expect(new Set<string>(CODES)).toEqual(new Set([...REASONS, 'internal']))
})

test('each code has a failure status, a meaning and a remedy in whole sentences', () => {
  for (const code of CODES) {
    const { status, meaning, remedy } = ERROR_CODES[code]
    expect(status).toBeWithin(400, 600)
    for (const text of [meaning, remedy]) expect([code, text]).toEqual([code, expect.stringMatching(/^[`A-Z].*\.$/)])
  }
})

test('what can succeed later unchanged is a server error, a rate limit or a running request', () => {
  for (const code of CODES) {
    const { status, isRetryable = false } = ERROR_CODES[code]
    expect([code, isRetryable]).toEqual([code, status >= 500 || status === 429 || code === 'idempotency_in_progress'])
  }
})

test('ERRORS.md, the OpenAPI document and the reference page list every code', async () => {
  expect(readFileSync(ERRORS_FILE, 'utf8')).toBe(errorsFile())
  await using t = await openTestApp()
  const { info, components } = await (await t.fetch(`${API_PREFIX}/openapi.json`)).json()
  expect(info.description).toContain(errorCatalogue())
  expect(components.schemas.Error.properties.code.description).toContain(errorCatalogue())
  expect(components.schemas.Error.properties.code['x-extensible-enum']).toEqual(CODES)
  const page = await (await t.fetch(`${API_PREFIX}/docs`)).text()
  for (const code of CODES) expect(page).toContain(`<code>${code}</code> (${ERROR_CODES[code].status}`)
})
