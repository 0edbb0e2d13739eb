/** Parts of the schemas. A `title` makes a schema a component of the OpenAPI document. */
import type { TProperties, TSchema } from 'typebox'
import Type from 'typebox'
import { MAX_REMINDER_DAYS, MAX_REMINDERS } from '../../../core/document/document-limits.ts'
import type { Member, Members } from '../../../core/members.ts'
import { type IdPrefix, idPattern } from '../../../lib/id.ts'
import parts from './components.json' with { type: 'json' }

/** An object of a request: members it does not name are refused. */
export function strict<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** A component. Clients must ignore members they do not know, so it is open. */
export function component<P extends TProperties>(title: string, members: P, description?: string) {
  return Type.Object(members, { title, ...(description ? { description } : {}) })
}

export const Id = (prefix: string) => Type.String({ description: `\`${prefix}_\` and 26 characters.` })
export const Sha256 = (what: string) => Type.String({ description: `SHA-256 of ${what}, in lower-case hex.` })
export const described = (description: string) => Type.String({ description })

export const GivenId = (prefix: IdPrefix, description: string) => Type.String({ pattern: `^${idPattern(prefix)}$`, description })

export const Cursor = (prefix: IdPrefix) => GivenId(prefix, '`nextCursor` of the previous page.')

/** Of a recipient or field of a draft. */
export const ClientId = (prefix: 'rcp' | 'fld', what: string) =>
  GivenId(
    prefix,
    `\`id\` of a ${what} of the draft. An unknown one adds a ${what} with this id: \`${prefix}_\` and a ULID in lower case.`,
  )

/** A closed enumeration, for requests. */
export function oneOf<V extends string>(values: readonly V[], description?: string) {
  return Type.Unsafe<V>({ type: 'string', enum: [...values], ...(description ? { description } : {}) })
}

/**
 * An open enumeration, for responses: clients must accept values added within v1.
 * Generators make a string of it; `x-extensible-enum` and the description list the known values.
 */
export function openEnum<V extends string>(values: readonly V[], description = '') {
  const known = `Known values: ${values.map(value => `\`${value}\``).join(', ')}.`
  return Type.Unsafe<V>({ type: 'string', 'x-extensible-enum': [...values], description: `${description} ${known}`.trim() })
}

export const optional = Type.Optional

export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** Text of one character at least. */
export function text(maxLength: number, description?: string) {
  return Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) })
}

export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, with milliseconds.' })

export const DEFAULT_LIMIT = 25

/** Of a query for a page of a list. */
export const PageLimit = (what: string) =>
  optional(Type.Integer({ minimum: 1, maximum: 100, description: `${what} per page; default ${DEFAULT_LIMIT}.` }))

/** Present and required in requests and responses alike. */
export const reminderMembers = {
  firstAfterDays: Type.Integer({
    minimum: 1,
    maximum: MAX_REMINDER_DAYS,
    description: 'Days from sending to the first reminder.',
  }),
  everyDays: Type.Integer({ minimum: 1, maximum: MAX_REMINDER_DAYS, description: 'Days between two reminders.' }),
  max: Type.Integer({ minimum: 1, maximum: MAX_REMINDERS, description: 'Reminders per recipient.' }),
}

/** Descriptions by member. */
export type Words<T> = { readonly [M in keyof T]?: string }

type Plain<T> = { [M in keyof T]: T[M] extends Member<unknown, 'object' | 'list'> ? never : M }[keyof T]
type Schemas<T> = { [M in Plain<T>]: TSchema }

/** Of the plain members. */
function schemasOf<T extends Members>(table: T, schemaOf: (member: Member, name: keyof T) => TSchema | undefined): Schemas<T> {
  const schemas = Object.entries(table).map(([name, member]) => [name, schemaOf(member, name)])
  return Object.fromEntries(schemas.filter(([, schema]) => schema !== undefined)) as Schemas<T>
}

function requestSchema({ is, min, max, values = [] }: Member, description: string | undefined): TSchema | undefined {
  const options = description === undefined ? {} : { description }
  const length = { ...(max === undefined ? {} : { maxLength: max }), ...options }
  const bounds = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }), ...options }
  switch (is) {
    case 'line':
      return Type.String({ minLength: 1, ...length })
    case 'text':
      return Type.String(length)
    case 'flag':
      return Type.Boolean(options)
    case 'number':
      return Type.Number(bounds)
    case 'whole':
      return Type.Integer(bounds)
    case 'one of':
      return oneOf(values, description)
    case 'some of':
      return Type.Array(oneOf(values), { minItems: 1, maxItems: values.length, ...options })
    case 'time':
      return Time
    case 'object':
    case 'list':
      return undefined
  }
}

/** What a request that creates may give. */
export function createMembers<T extends Members>(table: T, words: Words<T>): Schemas<T> {
  return schemasOf(table, (member, name) => {
    const schema = requestSchema(member, words[name])
    return schema && optional(schema)
  })
}

/** What an edit may give. `null` clears what is optional. */
export function editMembers<T extends Members>(table: T, words: Words<T>): Schemas<T> {
  return schemasOf(table, (member, name) => {
    const schema = requestSchema(member, words[name])
    return schema && optional(member.isOptional ? orNull(schema) : schema)
  })
}

function responseSchema({ is, values = [] }: Member, description: string | undefined): TSchema | undefined {
  const options = description === undefined ? {} : { description }
  switch (is) {
    case 'line':
    case 'text':
      return Type.String(options)
    case 'flag':
      return Type.Boolean(options)
    case 'number':
      return Type.Number(options)
    case 'whole':
      return Type.Integer(options)
    case 'one of':
      return openEnum(values, description)
    case 'some of':
      return Type.Array(openEnum(values), options)
    case 'time':
      return Time
    case 'object':
    case 'list':
      return undefined
  }
}

/** What a response has: without bounds, and `null` for what is optional and has no value. */
export function responseMembers<T extends Members>(table: T, words: Words<T>): Schemas<T> {
  return schemasOf(table, (member, name) => {
    const schema = responseSchema(member, words[name])
    return schema && (member.isOptional ? orNull(schema) : schema)
  })
}

// The components of the OpenAPI document: `components.json` and all schemas with a title.

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
