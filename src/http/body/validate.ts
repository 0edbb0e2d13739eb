/** Validates input by the schema that also documents it, and names every error by its path. */
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { errorAt, errorsIn, Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { isStorable, storable } from '../../core/text.ts'
import { type Violation, violation } from '../../core/violation.ts'

/**
 * One more than a response lists, so that it can say that more exist.
 * Collecting all of them would let one body block the event loop for seconds.
 */
const MAX_ERRORS = 101

/** The keywords of JSON Schema that are evaluated here. The library evaluates all others. */
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
  pattern?: string
  description?: string
}

const compiled = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const validator = compiled.get(schema) ?? (Compile(schema) as unknown as Validator)
  compiled.set(schema, validator)
  return validator
}

const fits = (schema: TSchema, value: unknown): boolean => validatorOf(schema).Check(value)

interface SchemaError {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** `recipients[0].email`. */
function joinPath(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`
  return path === '' ? member : `${path}.${member}`
}

/** Appends a JSON Pointer of the library (RFC 6901) to a path. */
function joinPointer(path: string, pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, part) => joinPath(parent, /^\d+$/.test(part) ? Number(part) : part), path)
}

const VIOLATIONS: Record<string, (params: Record<string, unknown>, schema: Shape) => Violation> = {
  type: ({ type }) => violation('wrong_type', { types: [type].flat() as string[] }),
  enum: ({ allowedValues }) => violation('not_one_of', { values: allowedValues as string[] }),
  minLength: ({ limit }) => (limit === 1 ? violation('empty') : violation('too_short', { min: limit as number })),
  maxLength: ({ limit }) => violation('too_long', { max: limit as number }),
  minimum: ({ limit }) => violation('too_small', { min: limit as number }),
  maximum: ({ limit }) => violation('too_large', { max: limit as number }),
  // The description of a schema with a pattern says what is expected.
  pattern: (_, { pattern, description = '' }) => violation('wrong_form', { form: pattern === undefined ? '' : description }),
  // Of a member that no schema allows, inside a map.
  boolean: () => violation('unknown_member'),
}

const found = ({ keyword, params, message }: SchemaError, schema: Shape): Violation =>
  VIOLATIONS[keyword]?.(params, schema) ?? violation('schema_mismatch', { words: message })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ignores the prototype: a member may be called `constructor`. */
const propertyOf = ({ properties = {} }: Shape, name: string): Shape | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

/** The one schema beside `null`. Where several exist, the library evaluates the union. */
function withoutNull(schema: Shape): Shape {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 && others[0] ? others[0] : schema
}

/** Collects errors up to the bound, one for each path. */
class ErrorCollector {
  readonly #byPath = new Map<string, ValidationError>()

  /** Throws `validation_failed` if there are errors. */
  refuseIfAny(): void {
    refuseIfInvalid([...this.#byPath.values()])
  }

  get #isFull(): boolean {
    return this.#byPath.size >= MAX_ERRORS
  }

  #add(path: string, found: Violation): void {
    const shown = path || 'body'
    if (!this.#isFull && !this.#byPath.has(shown)) this.#byPath.set(shown, errorAt(shown, found))
  }

  /** Arrays and maps with more entries than the schema allows. Their entries are not visited. */
  collectSizes(given: Shape, value: unknown, path: string): void {
    const schema = withoutNull(given)
    if (this.#isFull) return
    if (Array.isArray(value)) this.#collectArraySizes(schema, value, path)
    else if (isObject(value)) this.#collectObjectSizes(schema, value, path)
  }

  #collectArraySizes({ items, maxItems }: Shape, value: unknown[], path: string): void {
    if (maxItems !== undefined && value.length > maxItems) this.#add(path, violation('too_many_entries', { max: maxItems }))
    else if (items) for (let i = 0; i < value.length; i++) this.collectSizes(items, value[i], joinPath(path, i))
  }

  #collectObjectSizes(schema: Shape, value: Record<string, unknown>, path: string): void {
    const { maxProperties = Number.POSITIVE_INFINITY } = schema
    if (Object.keys(value).length > maxProperties) this.#add(path, violation('too_many_members', { max: maxProperties }))
    for (const name of Object.keys(value)) {
      const property = propertyOf(schema, name)
      if (property) this.collectSizes(property, value[name], joinPath(path, name))
    }
  }

  /** Texts and names that no database can store. */
  collectTexts(value: unknown, path: string): void {
    if (this.#isFull) return
    if (typeof value === 'string') {
      if (!isStorable(value)) this.#add(path, violation('not_storable'))
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.collectTexts(value[i], joinPath(path, i))
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        this.collectTexts(name, joinPath(path, storable(name)))
        this.collectTexts(value[name], joinPath(path, storable(name)))
      }
    }
  }

  /** Visits arrays and objects here, to stop at the bound; the library evaluates single values. */
  collect(given: Shape, value: unknown, path: string): void {
    if (this.#isFull || fits(given, value)) return
    const schema = withoutNull(given)
    if (schema.items && Array.isArray(value)) this.#collectItems(schema, schema.items, value, path)
    else if (schema.properties && isObject(value)) this.#collectMembers(schema, value, path)
    else
      for (const error of validatorOf(schema).Errors(value) as unknown as SchemaError[])
        this.#add(joinPointer(path, error.instancePath), found(error, schema))
  }

  #collectItems({ minItems = 0 }: Shape, items: Shape, value: unknown[], path: string): void {
    if (value.length < minItems) this.#add(path, violation('too_few_entries', { min: minItems }))
    for (let i = 0; i < value.length && !this.#isFull; i++) this.collect(items, value[i], joinPath(path, i))
  }

  #collectMembers(schema: Shape, value: Record<string, unknown>, path: string): void {
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name)) this.#add(joinPath(path, name), violation('required'))
    for (const name of Object.keys(value)) {
      if (this.#isFull) return
      const property = propertyOf(schema, name)
      if (property) this.collect(property, value[name], joinPath(path, name))
      else if (schema.additionalProperties === false) this.#add(joinPath(path, name), violation('unknown_member'))
    }
  }
}

/**
 * Throws `validation_failed` for arrays and maps with more entries than the schema allows.
 * Called before `validate`: their entries must not be visited.
 */
function requireSizes(schema: TSchema, value: unknown): void {
  const errors = new ErrorCollector()
  errors.collectSizes(schema as Shape, value, '')
  errors.refuseIfAny()
}

/** Throws `validation_failed`. I-JSON (RFC 7493 §2.1) forbids halves of surrogate pairs, too. */
function requireStorable(value: unknown): void {
  const errors = new ErrorCollector()
  errors.collectTexts(value, '')
  errors.refuseIfAny()
}

/** Throws `validation_failed` with the errors unless `value` fits. */
function validate(schema: TSchema, value: unknown): void {
  if (fits(schema, value)) return
  const errors = new ErrorCollector()
  errors.collect(schema as Shape, value, '')
  errors.refuseIfAny()
  throw new Refusal('validation_failed', violation('input_unfit'))
}

/** Removes `null` from optional members that do not accept it. Changes `value`. */
function dropNulls(schema: TSchema, value: unknown): void {
  const shape = withoutNull(schema as Shape)
  const { items, required = [] } = shape
  if (items && Array.isArray(value)) for (const item of value) dropNulls(items, item)
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    const property = propertyOf(shape, name)
    if (!property) continue
    if (value[name] === null && !required.includes(name) && !fits(property, null)) delete value[name]
    else dropNulls(property, value[name])
  }
}

/** Drops members that are `null` for absent. Throws `validation_failed`. Changes `value`. */
export function parseInput<S extends TSchema>(schema: S, value: unknown): Static<S> {
  requireSizes(schema, value)
  requireStorable(value)
  dropNulls(schema, value)
  validate(schema, value)
  return value as Static<S>
}

type QueryValues = Record<string, unknown>

function setOnce(values: QueryValues, name: string, value: unknown, path = name): void {
  if (Object.hasOwn(values, name)) refuseIfInvalid(errorsIn([[path, violation('given_more_than_once')]]))
  values[name] = value
}

/** Converts `name[key]=v` to a map and integers to numbers. Refuses repeated parameters. */
export function parseQuery(schema: TSchema, params: URLSearchParams): unknown {
  if (params.size > 0) requireStorable(Object.fromEntries(params))
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  // Without a prototype: a parameter may be called `constructor`.
  const values: QueryValues = Object.create(null)
  for (const [name, text] of params) {
    const [, mapName, key] = /^([A-Za-z]+)\[(.+)\]$/s.exec(name) ?? []
    if (mapName && key && properties[mapName]?.type === 'object') {
      values[mapName] ??= Object.create(null)
      if (!isObject(values[mapName])) refuseIfInvalid(errorsIn([[mapName, violation('given_more_than_once')]]))
      setOnce(values[mapName] as QueryValues, key, text, name)
    } else {
      const isNumber = properties[name]?.type === 'integer' && /^-?\d{1,15}$/.test(text)
      setOnce(values, name, isNumber ? Number(text) : text)
    }
  }
  validate(schema, values)
  return values
}
