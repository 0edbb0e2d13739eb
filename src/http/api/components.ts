/**
 * The components of the OpenAPI document: headers, parameters and the schemas that have a title.
 */
import type { TSchema } from 'typebox'

interface Shape {
  type?: string
  title?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
}

const HEADERS = {
  'X-Request-Id': 'Identifies the request in the log of the service.',
  RateLimit:
    'What is left of the limit (`r`) and the seconds until it is full again (`t`), as `"default";r=99;t=6` (draft-ietf-httpapi-ratelimit-headers).',
  'RateLimit-Policy': 'Requests (`q`) per window of seconds (`w`), as `"default";q=600;w=60`.',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'WWW-Authenticate': '`Bearer`.',
  'Idempotency-Replayed': '`true` where this is the stored response to an earlier request with the same `Idempotency-Key`.',
  ETag: 'Strong: the SHA-256 of the file.',
  'Accept-Ranges': '`bytes`.',
  'Content-Disposition': '`attachment` with the file name (RFC 6266).',
  'Content-Range': 'The range of bytes in the body and the length of the file; with 416 `bytes */` and the length.',
}
export type HeaderName = keyof typeof HEADERS

const string = { type: 'string' }

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      '1 to 255 printable ASCII characters, bare or in double quotes. The response to a change is stored for 24 hours and repeated for the same request. A refusal is not stored, so the corrected request may use the same key.',
    schema: { ...string, minLength: 1, maxLength: 255 },
  },
  Range: headerParameter('Range', 'One range, such as `bytes=0-1023`.'),
  IfRange: headerParameter('If-Range', 'An ETag. If the file has another, the whole file is sent instead of the range.'),
  IfNoneMatch: headerParameter('If-None-Match', 'ETags of the versions that the client has.'),
}
export type ParameterName = keyof typeof PARAMETERS

function headerParameter(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: string }
}

export function headersOf(...names: HeaderName[]) {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

export function parametersOf(...names: ParameterName[]) {
  return names.map(name => ({ $ref: `#/components/parameters/${name}` }))
}

const acceptsNull = ({ anyOf = [] }: Shape) => anyOf.some(({ type }) => type === 'null')

/** Collects schemas with a title as components, and puts references in their place. */
export class Components {
  readonly #schemas = new Map<string, Shape>()

  responseSchema(schema: TSchema): object {
    return this.#convert(schema as Shape, false)
  }

  /**
   * In a request, `null` for an optional member means that the member is absent: the schema shows
   * it.
   */
  requestSchema(schema: TSchema): object {
    return this.#convert(schema as Shape, true)
  }

  all() {
    return {
      schemas: Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: Object.fromEntries(Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: string }])),
      parameters: PARAMETERS,
    }
  }

  #convert(schema: Shape, isRequest: boolean): Shape {
    const { title, ...plain } = schema
    const converted = this.#convertMembers(plain, isRequest)
    if (title === undefined) return converted
    const known = this.#schemas.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(converted)) throw new Error(`two schemas have the title ${title}`)
    this.#schemas.set(title, converted)
    return { $ref: `#/components/schemas/${title}` } as Shape
  }

  #convertMembers(schema: Shape, isRequest: boolean): Shape {
    const { properties, required = [], items, anyOf } = schema
    const convertMember = ([name, member]: [string, Shape]) => {
      const converted = this.#convert(member, isRequest)
      const isNullable = isRequest && !required.includes(name) && !acceptsNull(member)
      return [name, isNullable ? { anyOf: [converted, { type: 'null' }] } : converted]
    }
    return {
      ...schema,
      ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(convertMember)) } : {}),
      ...(items ? { items: this.#convert(items, isRequest) } : {}),
      ...(anyOf ? { anyOf: anyOf.map(member => this.#convert(member, isRequest)) } : {}),
    }
  }
}
