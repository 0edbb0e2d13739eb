/** The OpenAPI document: version 3.1.0, in agreement with routes, responses and address. */
import { expect, test } from 'bun:test'
import { API_PREFIX, API_ROUTES, buildServer } from '../../../src/http/server.ts'
import { textOf } from '../../support/browser-less.ts'
import { resolveReferences } from '../../support/openapi.ts'
import { newDocument } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

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
