/** Judges input by the schema that also documents it. ValidationErrors are told with their paths, unknown members among them. */
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'

/** One more than is told: then there are more, whatever their number. Looking for all of them would let a body buy seconds of the event loop. */
const MAX_FAULTS = 101

/** The keywords of JSON Schema that requests use and that are looked at here. All others are the library's. */
interface Shape extends TSchema {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean
  items?: Shape
  minItems?: number
  maxItems?: number
  maxProperties?: number
  anyOf?: Shape[]
}

const compiled = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema) ?? (Compile(schema) as unknown as Validator)
  compiled.set(schema, known)
  return known
}

const fits = (schema: TSchema, value: unknown): boolean => validatorOf(schema).Check(value)

interface SchemaError {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** `recipients[0].email`. */
function joined(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`
  return path === '' ? member : `${path}.${member}`
}

/** What a pointer of the library's (RFC 6901) adds to a path. */
function below(path: string, pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((above, part) => joined(above, /^\d+$/.test(part) ? Number(part) : part), path)
}

const WORDS: Record<string, (params: Record<string, unknown>) => string> = {
  type: ({ type }) => `must be ${Array.isArray(type) ? type.join(' or ') : `of type ${type}`}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  pattern: () => 'does not have the form that is asked for here',
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Not what every object has from its prototype: a member may be called `constructor`. */
const ownOf = (properties: Record<string, Shape>, name: string): Shape | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

/** Collects errors, each path once, up to the bound. */
class ValidationErrors {
  readonly byPath = new Map<string, ValidationError>()

  get isFull(): boolean {
    return this.byPath.size >= MAX_FAULTS
  }

  add(path: string, message: string): void {
    const told = path || 'body'
    if (!this.isFull && !this.byPath.has(told)) this.byPath.set(told, { path: told, message })
  }
}

/** The one schema beside `null`; what has a meaning as `null` is judged by it otherwise. */
function withoutNull(schema: Shape): Shape {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 && others[0] ? others[0] : schema
}

/** Arrays and maps with more than the schema allows. Their members are not looked at. */
function collectSizes(schema: Shape, value: unknown, path: string, errors: ValidationErrors): void {
  const { items, maxItems, properties = {}, maxProperties } = withoutNull(schema)
  if (errors.isFull) return
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems) errors.add(path, `must have at most ${maxItems}`)
    else if (items) for (let i = 0; i < value.length; i++) collectSizes(items, value[i], joined(path, i), errors)
  } else if (isObject(value)) {
    if (maxProperties !== undefined && Object.keys(value).length > maxProperties)
      errors.add(path, `must have at most ${maxProperties} members`)
    for (const name of Object.keys(value)) {
      const property = ownOf(properties, name)
      if (property) collectSizes(property, value[name], joined(path, name), errors)
    }
  }
}

/** What does not fit. Arrays and objects are walked here, so that it ends at the bound; single values are judged by the library. */
function collect(asked: Shape, value: unknown, path: string, errors: ValidationErrors): void {
  if (errors.isFull || fits(asked, value)) return
  const schema = withoutNull(asked)
  const { items, minItems = 0, properties, required = [] } = schema
  if (items && Array.isArray(value)) {
    if (value.length < minItems) errors.add(path, `must have at least ${minItems}`)
    for (let i = 0; i < value.length && !errors.isFull; i++) collect(items, value[i], joined(path, i), errors)
  } else if (properties && isObject(value)) {
    for (const name of required) if (!Object.hasOwn(value, name)) errors.add(joined(path, name), 'is required')
    for (const name of Object.keys(value)) {
      if (errors.isFull) return
      const property = ownOf(properties, name)
      if (property) collect(property, value[name], joined(path, name), errors)
      else if (schema.additionalProperties === false) errors.add(joined(path, name), 'is not a known member: check its spelling')
    }
  } else {
    for (const error of validatorOf(schema).Errors(value) as unknown as SchemaError[])
      errors.add(below(path, error.instancePath), WORDS[error.keyword]?.(error.params) ?? error.message)
  }
}

function refuse({ byPath }: ValidationErrors): void {
  refuseIfInvalid([...byPath.values()])
}

/** Throws `validation_failed` for arrays and maps with more than the schema allows. Asked first: of those nothing else is looked at. */
export function requireSizes(schema: TSchema, value: unknown): void {
  const errors = new ValidationErrors()
  collectSizes(schema as Shape, value, '', errors)
  refuse(errors)
}

/** Throws `validation_failed` with the errors unless `value` fits. */
export function validate(schema: TSchema, value: unknown): void {
  if (fits(schema, value)) return
  const errors = new ValidationErrors()
  collect(schema as Shape, value, '', errors)
  refuse(errors)
  throw new Refusal('validation_failed', 'The input does not fit the schema.')
}

/** Removes `null` where a member may be absent and `null` has no meaning of its own: answers are written with it. Changes `value`. */
export function dropNulls(schema: TSchema, value: unknown): void {
  const { items, properties = {}, required = [] } = withoutNull(schema as Shape)
  if (items && Array.isArray(value)) for (const item of value) dropNulls(items, item)
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    const property = ownOf(properties, name)
    if (!property) continue
    if (value[name] === null && !required.includes(name) && !fits(property, null)) delete value[name]
    else dropNulls(property, value[name])
  }
}

/** Query parameters as the schema's types: numbers where it says so. `name[key]=v` becomes a map. Repeated parameters are refused. */
export function parseQuery(schema: TSchema, params: URLSearchParams): unknown {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  // Without a prototype: a parameter may be called `constructor`.
  const out: Record<string, unknown> = Object.create(null)
  for (const [name, text] of params) {
    const mapped = /^([A-Za-z]+)\[([^\]]+)\]$/.exec(name)
    if (mapped?.[1] && mapped[2] && properties[mapped[1]]?.type === 'object') {
      const map = (out[mapped[1]] ?? Object.create(null)) as Record<string, string>
      if (typeof map !== 'object') refuseIfInvalid([{ path: mapped[1], message: 'must be given once' }])
      if (Object.hasOwn(map, mapped[2])) refuseIfInvalid([{ path: name, message: 'must be given once' }])
      map[mapped[2]] = text
      out[mapped[1]] = map
      continue
    }
    if (Object.hasOwn(out, name)) refuseIfInvalid([{ path: name, message: 'must be given once' }])
    const number = properties[name]?.type === 'integer' && /^-?\d{1,15}$/.test(text)
    out[name] = number ? Number(text) : text
  }
  validate(schema, out)
  return out
}
