/** The OpenAPI document, generated from the routes and the very schemas that validate. OpenAPI 3.1.0, whose Schema Object is JSON Schema 2020-12: `type: 'null'` is a type. */
import { registerSchemaPath } from '@elysiajs/swagger/utils'
import { PUBLIC_EVENTS } from '../../core/event.ts'
import type { Reason } from '../../core/refusal.ts'
import type { App } from '../../ports.ts'
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts'
import type { ApiRoute } from '../route.ts'
import { ErrorEnvelope } from './schemas.ts'

/** What any authed route may answer beside its own refusals. */
const COMMON: ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal', 'storage_unavailable']
const WITH_INPUT: ErrorCode[] = ['validation_failed']
const WITH_BODY: ErrorCode[] = ['malformed_json', 'unsupported_media_type', 'payload_too_large', 'overloaded', 'shutting_down']
const WITH_KEY: ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

/** A repeated call would change something again. */
const takesKey = (route: ApiRoute) => route.method === 'POST' && !route.isSafe

function refusalsOf(route: ApiRoute): ErrorCode[] {
  const own: Reason[] = route.refuses
  return [
    ...new Set([
      ...COMMON,
      ...own,
      ...(route.body || route.query ? WITH_INPUT : []),
      ...(route.method === 'POST' ? WITH_BODY : []),
      ...(takesKey(route) ? WITH_KEY : []),
    ]),
  ]
}

const HEADER_WORDS = {
  ETag: 'Strong; the SHA-256 of the file',
  'Accept-Ranges': '`bytes`',
  'Content-Disposition': '`attachment` with the file name (RFC 6266)',
  'Retry-After': 'Seconds after which to try again',
  'Idempotency-Replayed': '`true` for the stored answer of an earlier request with this key',
  'X-Request-Id': 'Names the request in the log',
  'Content-Range': 'Which bytes these are, of how many; with 416 `bytes */` and how many there are',
}

function headersOf(...names: (keyof typeof HEADER_WORDS)[]) {
  return Object.fromEntries(names.map(name => [name, { description: HEADER_WORDS[name], schema: { type: 'string' } }]))
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** A file by RFC 9110 §13 and §14. Bytes have no schema: since 3.1 the media type says all (Media Type Object, on files). */
function fileResponses(type: string, description: string) {
  const headers = headersOf('ETag', 'Accept-Ranges', 'Content-Disposition')
  return {
    200: {
      description: `${description}, whole: also for several ranges, or when If-Range does not match`,
      headers,
      content: { [type]: {} },
    },
    206: {
      description: 'The one range of bytes that was asked for',
      headers: { ...headers, ...headersOf('Content-Range') },
      content: { [type]: {} },
    },
    304: { description: 'The file is the one If-None-Match names', headers: headersOf('ETag') },
    416: {
      description: '`validation_failed`: the range begins behind the end of the file',
      headers: headersOf('Content-Range'),
      content: ERROR_CONTENT,
    },
  }
}

const FILE_PARAMETERS = [
  { name: 'Range', description: 'One range, such as `bytes=0-1023`' },
  { name: 'If-Range', description: 'An ETag: the range of this version, or the whole of another' },
  { name: 'If-None-Match', description: 'ETags of what is there already' },
].map(parameter => ({ ...parameter, in: 'header', required: false, schema: { type: 'string' } }))

const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Printable ASCII, bare or in double quotes. The answer of a change is stored for 24 hours and given again for the same request; a refusal is not stored, so the corrected request may use the same key.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** A request's schema as it is read: `null` for a member that may be absent means absent. */
function withNulls(schema: object): object {
  const {
    properties,
    required = [],
    items,
  } = schema as { properties?: Record<string, object>; required?: string[]; items?: object }
  const member = ([name, inner]: [string, object]) => {
    const read = withNulls(inner)
    return [name, required.includes(name) || acceptsNull(inner) ? read : { anyOf: [read, { type: 'null' }] }]
  }
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(member)) } : {}),
    ...(items ? { items: withNulls(items) } : {}),
  }
}

const acceptsNull = (schema: object) =>
  'anyOf' in schema && Array.isArray(schema.anyOf) && schema.anyOf.some(({ type }) => type === 'null')

function successOf(route: ApiRoute) {
  const { status, description, schema } = route.success
  const headers = headersOf('X-Request-Id', ...(takesKey(route) ? (['Idempotency-Replayed'] as const) : []))
  if (typeof schema !== 'string') return { [status]: { description, headers, content: { 'application/json': { schema } } } }
  if (schema === 'application/pdf') return fileResponses(schema, description)
  return { [status]: { description, headers: headersOf('Content-Disposition'), content: { [schema]: {} } } }
}

function responsesOf(route: ApiRoute) {
  const responses: Record<string, unknown> = successOf(route)
  const byStatus = Map.groupBy(refusalsOf(route), code => ERROR_CODES[code].status)
  for (const [failed, codes] of byStatus) {
    responses[failed] = {
      description: codes.map(code => `\`${code}\``).join(', '),
      headers: headersOf('X-Request-Id', ...(failed === 429 || failed === 503 ? (['Retry-After'] as const) : [])),
      content: ERROR_CONTENT,
    }
  }
  return responses
}

function parametersOf(route: ApiRoute) {
  const path = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const properties = (route.query as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
  const query = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
  }))
  const file = route.success.schema === 'application/pdf' ? FILE_PARAMETERS : []
  return [...path, ...query, ...file, ...(takesKey(route) ? [KEY_PARAMETER] : [])]
}

/** The document for this instance's own address. */
export function openApi(app: App, routes: ApiRoute[]) {
  const paths = {}
  for (const route of routes) {
    const detail = {
      summary: route.summary,
      ...(route.description ? { description: route.description } : {}),
      tags: [route.tag],
      security: [{ key: [] }],
      parameters: parametersOf(route),
      ...(route.body
        ? {
            requestBody: {
              required: 'required' in route.body,
              content: { 'application/json': { schema: withNulls(route.body) } },
            },
          }
        : {}),
      responses: responsesOf(route),
      'x-scope': route.access,
    }
    // The plugin's own types know Elysia's schemas only; what it does with a detail is to copy it.
    registerSchemaPath({ schema: paths, path: route.path, method: route.method, hook: { detail } as never, models: {} })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signet API',
      version: '1',
      description: `Electronic signatures. A body is JSON in UTF-8 without a content coding; members that are not known, or given twice, are refused. Event kinds of webhooks: ${PUBLIC_EVENTS.map(e => `\`${e}\``).join(', ')}.`,
    },
    servers: [{ url: `${app.config.baseUrl}/api/v1` }],
    paths: paths as Record<string, Record<string, Record<string, unknown>>>,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key, `esk_live_…` or `esk_test_…`' } },
      schemas: { Error: ErrorEnvelope },
    },
  }
}
