/** The components of the OpenAPI document: `components.json` and all schemas with a title. */
import type { TSchema } from 'typebox'
import parts from './components.json' with { type: 'json' }

interface Shape {
  type?: string
  title?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
}

export type HeaderName = keyof typeof parts.headers
export type ParameterName = keyof typeof parts.parameters

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

  /** `null` for an optional member of a request means absent: the schema shows it. */
  requestSchema(schema: TSchema): object {
    return this.#convert(schema as Shape, true)
  }

  all() {
    return { ...parts, schemas: Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1))) }
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
