/** The page of the API reference, made of the OpenAPI document. */
import { type Member, type OperationProps, ReferencePage } from '../../../views/pages/reference.tsx'
import type { openApi } from '../api/openapi.ts'
import { assetPath } from '../assets.ts'
import type { PageRoute } from '../page.tsx'

type OpenApi = ReturnType<typeof openApi>

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  description?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

interface Media {
  schema?: Schema
  example?: unknown
}

interface Response {
  description: string
  content?: Record<string, Media>
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  description?: string
  schema: Schema
}

/** Parts of an OpenAPI document as page props. */
class OpenApiReader {
  readonly #document: OpenApi

  constructor(document: OpenApi) {
    this.#document = document
  }

  operations(): OperationProps[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#operation(method.toUpperCase(), path, operation)),
    )
  }

  #operation(method: string, path: string, operation: OpenApi['paths'][string][string]): OperationProps {
    const { operationId, summary, description, tags, security, parameters, requestBody } = operation
    const responses = Object.entries(operation.responses as Record<string, Response>)
    return {
      id: operationId,
      method,
      path,
      tag: tags[0] ?? '',
      summary,
      description,
      scope: security[0]?.apiKey[0],
      parameters: (parameters as Parameter[]).map(parameter => this.#parameter(parameter)),
      body: this.#members(requestBody?.content['application/json'].schema ?? {}),
      samples: operation['x-codeSamples'],
      successes: responses
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => this.#success(status, response)),
      failures: responses
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => ({ status, description: response.description })),
    }
  }

  #success(status: string, { description, content }: Response) {
    const json = content?.['application/json']
    const example = json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2)
    return { status, description, members: this.#members(json?.schema ?? {}), example }
  }

  #parameter(given: Parameter) {
    const { name, in: location, schema, description } = this.#resolve(given)
    return {
      name,
      location,
      meaning: [this.#typeOf(schema), meaningOf({ ...schema, ...(description ? { description } : {}) })]
        .filter(Boolean)
        .join('. '),
    }
  }

  /** Every member of a schema by its path, nested members after their parent. */
  #members(given: Schema, prefix = ''): Member[] {
    const schema = this.#objectOf(given)
    if (schema.type === 'array' && schema.items) return this.#members(schema.items, `${prefix}[]`)
    return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const path = prefix ? `${prefix}.${name}` : name
      const isRequired = schema.required?.includes(name) ?? false
      return [
        { path, type: this.#typeOf(member), isRequired, meaning: meaningOf(this.#resolve(member)) },
        ...this.#members(member, path),
      ]
    })
  }

  /** The schema beside `null`, without a reference. */
  #objectOf(given: Schema): Schema {
    const schema = this.#resolve(given)
    const inner = schema.anyOf?.map(member => this.#resolve(member)).find(({ type }) => type === 'object' || type === 'array')
    return inner ?? schema
  }

  #typeOf(given: Schema): string {
    const schema = this.#resolve(given)
    if (schema.enum) return schema.enum.map(value => `"${value}"`).join(' | ')
    if (schema.anyOf) return schema.anyOf.map(member => this.#typeOf(member)).join(' | ')
    if (schema.type === 'array') return `array of ${this.#typeOf(schema.items ?? {})}`
    return schema.format ?? schema.type ?? 'any'
  }

  #resolve<T extends { $ref?: string }>(value: T): T {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? '') ?? []
    if (kind === undefined || name === undefined) return value
    const components = this.#document.components as unknown as Record<string, Record<string, T>>
    return components[kind]?.[name] ?? value
  }
}

function meaningOf({ description, anyOf = [], minimum, maximum, maxLength }: Schema): string {
  const parts = [
    description ?? anyOf.map(member => member.description).find(Boolean) ?? '',
    minimum === undefined ? '' : `At least ${minimum}.`,
    maximum === undefined ? '' : `At most ${maximum}.`,
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
  ]
  return parts.filter(Boolean).join(' ')
}

/** `describe` makes the document; called at a visit, not before. */
export function referencePage(describe: () => OpenApi): PageRoute {
  return {
    method: 'GET',
    path: '/api/v1/docs',
    access: 'public',
    run: async visit => {
      const document = describe()
      const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
        type,
        summary: post.summary,
        example: JSON.stringify(post.requestBody.content['application/json'].example, null, 2),
      }))
      return {
        html: (
          <ReferencePage
            context={visit.context('API reference')}
            style={assetPath('reference.css')}
            script={assetPath('reference.js')}
            base={document.servers[0]?.url ?? ''}
            guide={document.info.description}
            tags={document.tags}
            operations={new OpenApiReader(document).operations()}
            events={events}
          />
        ),
      }
    },
  }
}
