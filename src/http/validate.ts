/** Judges input by the schema that also documents it. Every fault is told with its path, unknown members among them. */
import { isUtf8 } from 'node:buffer'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { type Fault, Refusal, refuseFaults } from '../core/refusal.ts'

/** The library's own bound is eight: a client would meet its faults in handfuls. */
Settings.Set({ maxErrors: 1000 })

const compiled = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema) ?? (Compile(schema) as unknown as Validator)
  compiled.set(schema, known)
  return known
}

interface SchemaError {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** `/recipients/0/email` as `recipients[0].email`. */
function readablePath(pointer: string, member?: string): string {
  const parts = pointer.split('/').slice(1)
  if (member !== undefined) parts.push(member)
  const path = parts
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('')
  return path || 'body'
}

const WORDS: Record<string, (params: Record<string, unknown>) => string> = {
  type: ({ type }) => `must be ${Array.isArray(type) ? type.join(' or ') : `of type ${type}`}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit}`,
  maxItems: ({ limit }) => `must have at most ${limit}`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  maxProperties: ({ limit }) => `must have at most ${limit} members`,
  pattern: () => 'does not have the form that is asked for here',
}

function faultsOf(errors: SchemaError[]): Fault[] {
  return errors.flatMap((error): Fault[] => {
    // The parent says it again, once for all its members, unless they were too many to get that far.
    if (error.keyword === 'additionalProperties') return []
    if (error.keyword === 'boolean') {
      return [{ path: readablePath(error.instancePath), message: 'is not a known member: check its spelling' }]
    }
    if (error.keyword === 'required') {
      const missing = error.params.requiredProperties as string[]
      return missing.map(member => ({ path: readablePath(error.instancePath, member), message: 'is required' }))
    }
    return [{ path: readablePath(error.instancePath), message: WORDS[error.keyword]?.(error.params) ?? error.message }]
  })
}

/** Throws `validation_failed` with every fault unless `value` fits. */
export function validate(schema: TSchema, value: unknown): void {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return
  const faults = faultsOf(validator.Errors(value) as unknown as SchemaError[])
  const unique = [...new Map(faults.map(f => [f.path, f])).values()]
  refuseFaults(unique.length > 0 ? unique : [{ path: 'body', message: 'does not fit the schema' }])
}

const MAX_DEPTH = 32

function depthOf(value: unknown, depth = 0): number {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return depth
  let deepest = depth + 1
  for (const member of Object.values(value)) deepest = Math.max(deepest, depthOf(member, depth + 1))
  return deepest
}

/** JSON text in UTF-8 (RFC 8259). Throws `malformed_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  const malformed = () => new Refusal('malformed_json', 'The request body is not valid JSON in UTF-8.')
  if (!isUtf8(bytes)) throw malformed()
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed()
  }
  if (depthOf(value) > MAX_DEPTH)
    throw new Refusal('malformed_json', `The request body is nested deeper than ${MAX_DEPTH} levels.`)
  return value
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
      if (typeof map !== 'object') refuseFaults([{ path: mapped[1], message: 'must be given once' }])
      if (Object.hasOwn(map, mapped[2])) refuseFaults([{ path: name, message: 'must be given once' }])
      map[mapped[2]] = text
      out[mapped[1]] = map
      continue
    }
    if (Object.hasOwn(out, name)) refuseFaults([{ path: name, message: 'must be given once' }])
    const number = properties[name]?.type === 'integer' && /^-?\d{1,15}$/.test(text)
    out[name] = number ? Number(text) : text
  }
  validate(schema, out)
  return out
}
