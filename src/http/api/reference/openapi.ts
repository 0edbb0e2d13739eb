/** The OpenAPI 3.1.0 document, generated from the routes and from the schemas that validate. */
import { registerSchemaPath } from '@elysiajs/swagger/utils'
import { PUBLIC_EVENTS } from '../../../core/document/event.ts'
import { MEDIA_TYPES } from '../../../core/field/field.ts'
import type { App } from '../../../ports.ts'
import { ERROR_CODES, type ErrorCode, errorCatalogue } from '../../error-codes.ts'
import { type ApiRoute, hasBody, type Tag, takesIdempotencyKey } from '../../route.ts'
import { ANY_BYTES } from '../pipeline.ts'
import { eventWebhooks } from '../schema/event-responses.ts'
import { ErrorEnvelope } from '../schema/responses.ts'
import { Components, type HeaderName, headersOf, type ParameterName, parametersOf } from '../schema/schema-parts.ts'
import { codeSamples } from './code-samples.ts'
import { EXAMPLE_REQUEST_ID, EXAMPLES, exampleId, withNulls } from './examples.ts'
import text from './guide.md' with { type: 'text' }

/** Every route may answer these, besides its own refusals. */
const COMMON: ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal', 'storage_unavailable']
const WITH_INPUT: ErrorCode[] = ['validation_failed']
const WITH_BODY: ErrorCode[] = ['malformed_json', 'unsupported_media_type', 'payload_too_large', 'overloaded', 'shutting_down']
const WITH_VERSION: ErrorCode[] = ['draft_changed', 'validation_failed']
const WITH_KEY: ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

function codesOf(route: ApiRoute): ErrorCode[] {
  return [
    ...new Set([
      ...COMMON,
      ...(route.refuses ?? []),
      ...(route.body || route.query ? WITH_INPUT : []),
      ...(hasBody(route) ? WITH_BODY : []),
      ...(route.takesIfMatch ? WITH_VERSION : []),
      ...(takesIdempotencyKey(route) ? WITH_KEY : []),
    ]),
  ]
}

const ON_EVERY_RESPONSE: HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
const ON_FILES: HeaderName[] = ['ETag', 'Accept-Ranges', 'Content-Disposition', ...ON_EVERY_RESPONSE]
const ON_STATUS: Partial<Record<number, HeaderName[]>> = {
  401: ['X-Request-Id', 'WWW-Authenticate'],
  429: ['Retry-After', ...ON_EVERY_RESPONSE],
  503: ['Retry-After', ...ON_EVERY_RESPONSE],
}

function errorContent(components: Components, codes: ErrorCode[]) {
  const examples = codes.map(code => {
    const error = { code, message: ERROR_CODES[code].meaning, requestId: EXAMPLE_REQUEST_ID }
    return [code, { value: { error } }]
  })
  return { 'application/json': { schema: components.responseSchema(ErrorEnvelope), examples: Object.fromEntries(examples) } }
}

/** The media types of a stored file, if the route responds with one. */
function storedTypesOf({ success: { schema } }: ApiRoute): readonly string[] | undefined {
  if (schema === 'added file') return MEDIA_TYPES
  return schema === 'application/pdf' ? ['application/pdf'] : undefined
}

/** Of bodies that are bytes. A schema without a type: OpenAPI 3.1 describes bytes so. */
function binaryContent(types: readonly string[]) {
  return Object.fromEntries([...types, ANY_BYTES].map(type => [type, { schema: { contentMediaType: type } }]))
}

/** RFC 9110 §13 and §14. */
function fileResponses(components: Components, description: string, types: readonly string[]) {
  const content = binaryContent(types)
  return {
    200: {
      description: `${description}: the whole file, also for several ranges or when \`If-Range\` does not match`,
      headers: headersOf(...ON_FILES),
      content,
    },
    206: { description: 'The requested range', headers: headersOf('Content-Range', ...ON_FILES), content },
    304: { description: 'The client has this version', headers: headersOf('ETag', ...ON_EVERY_RESPONSE) },
    416: {
      description: '`validation_failed`: the range starts beyond the end of the file',
      headers: headersOf('Content-Range', ...ON_EVERY_RESPONSE),
      content: errorContent(components, ['validation_failed']),
    },
  }
}

function successOf(route: ApiRoute, components: Components) {
  const { status, description, schema } = route.success
  const types = storedTypesOf(route)
  if (types) return fileResponses(components, description, types)
  if (typeof schema === 'string') {
    const headers = headersOf('Content-Disposition', ...ON_EVERY_RESPONSE)
    return { [status]: { description, headers, content: binaryContent([schema]) } }
  }
  const own: HeaderName[] = [
    ...(takesIdempotencyKey(route) ? (['Idempotency-Replayed'] as const) : []),
    ...(route.version ? (['ETag'] as const) : []),
    ...(route.creates ? (['Location'] as const) : []),
  ]
  const example = withNulls(schema, EXAMPLES[route.operationId]?.response)
  const content = { 'application/json': { schema: components.responseSchema(schema), example } }
  const unchanged = { description: 'The client has this version', headers: headersOf('ETag', ...ON_EVERY_RESPONSE) }
  return {
    [status]: { description, headers: headersOf(...ON_EVERY_RESPONSE, ...own), content },
    ...(route.version && route.method === 'GET' ? { 304: unchanged } : {}),
  }
}

function responsesOf(route: ApiRoute, components: Components) {
  const responses: Record<string, unknown> = successOf(route, components)
  const byStatus = Map.groupBy(codesOf(route), code => ERROR_CODES[code].status)
  for (const [status, codes] of byStatus) {
    responses[status] = {
      description: codes.map(code => `\`${code}\``).join(', '),
      headers: headersOf(...(ON_STATUS[status] ?? ON_EVERY_RESPONSE)),
      content: errorContent(components, codes),
    }
  }
  return responses
}

function parametersFor(route: ApiRoute) {
  const path = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleId(route.path, name ?? ''),
  }))
  const properties = (route.query as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
  const examples = EXAMPLES[route.operationId]?.query ?? {}
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    ...(name in examples ? { example: examples[name] } : {}),
  }))
  const ofFiles: ParameterName[] = storedTypesOf(route) ? ['Range', 'IfRange', 'IfNoneMatch'] : []
  const ofKey: ParameterName[] = takesIdempotencyKey(route) ? ['IdempotencyKey'] : []
  const ofVersion: ParameterName[] = [
    ...(route.takesIfMatch ? (['IfMatch'] as const) : []),
    ...(route.version && route.method === 'GET' ? (['IfNoneMatch'] as const) : []),
  ]
  return [...path, ...query, ...parametersOf(...ofFiles, ...ofVersion, ...ofKey)]
}

function requestBodyOf({ body, otherBodies = {}, form, rawBody, operationId }: ApiRoute, components: Components) {
  if (!body) return {}
  const schemas = [body, ...Object.values(otherBodies)].map(each => components.requestSchema(each))
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0]
  const example = EXAMPLES[operationId]?.body
  const media = { schema, ...(example === undefined ? {} : { example }) }
  const raw = rawBody ? { [rawBody.mediaType]: { schema: { type: 'string', description: rawBody.description } } } : {}
  const content = { 'application/json': media, ...raw, ...(form ? { 'multipart/form-data': formMedia(form, components) } : {}) }
  return { requestBody: { required: 'required' in body, content } }
}

/** OpenAPI 3.1: a binary part has no type. */
function formMedia({ part, schema }: NonNullable<ApiRoute['form']>, components: Components) {
  const file = { contentMediaType: 'application/pdf' }
  const files = { type: 'array', items: file, minItems: 1, description: 'The PDFs, each with its file name, in order.' }
  return {
    schema: { type: 'object', required: [part, 'file'], properties: { [part]: components.requestSchema(schema), file: files } },
    encoding: { [part]: { contentType: 'application/json' }, file: { contentType: 'application/pdf' } },
  }
}

function operationOf(route: ApiRoute, components: Components, base: string) {
  const { operationId, summary, description, tag, access } = route
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    security: access === 'anyone' ? [] : [{ apiKey: access === 'any key' ? [] : [access] }],
    parameters: parametersFor(route),
    ...requestBodyOf(route, components),
    responses: responsesOf(route, components),
    'x-codeSamples': codeSamples(route, base, takesIdempotencyKey(route)),
  }
}

export type Operation = ReturnType<typeof operationOf>

/** The document for the address of this instance. */
export function openApi(app: Pick<App, 'config'>, routes: ApiRoute[]) {
  const base = `${app.config.baseUrl}/api/v1`
  const components = new Components()
  const paths = {}
  for (const route of routes) {
    const detail = operationOf(route, components, base)
    // The plugin's types know only Elysia's schemas; it copies a detail as it is.
    registerSchemaPath({ schema: paths, path: route.path, method: route.method, hook: { detail } as never, models: {} })
  }
  const webhooks = eventWebhooks(components)
  return {
    openapi: '3.1.0',
    info: { title: 'Signet API', version: '1', description: guideFor(base) },
    servers: [{ url: base }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name: name as Tag, description })),
    paths: paths as Record<string, Record<string, Operation>>,
    webhooks,
    components: components.all(),
  }
}

// The description of the API: `guide.md` with the lists of errors and events, and the tags.

const TAGS: Record<Tag, string> = {
  Documents: 'Create documents, send them for signature, follow them, and download the sealed PDF and its evidence.',
  Templates: 'Keep a PDF with its fields for roles, and make documents from it with people in those roles.',
  Batches: 'Send a template to many people at once, and follow the progress.',
  Events: 'What happened to documents, in order.',
  Webhooks: 'Register the endpoints to which events are delivered.',
  Verification: 'Verify signed PDFs, of this service and of others.',
  Witness: 'Co-sign checkpoints of the audit logs of other instances.',
  'API token': 'What the calling API token is and may do.',
}

const EVENT_LIST = PUBLIC_EVENTS.map(type => `\`${type}\``).join(', ')

/** CommonMark. `base`: the address of the API of this instance. */
const guideFor = (base: string) =>
  text.trim().replaceAll('{{base}}', base).replace('{{errors}}', errorCatalogue()).replace('{{events}}', EVENT_LIST)
