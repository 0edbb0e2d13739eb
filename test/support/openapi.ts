/** Reads an OpenAPI document: references resolved, values checked against its schemas. */
import { Compile } from 'typebox/compile'

// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of the document
export type Json = any

/** The document with every reference replaced by its target. Throws when a target is missing. */
export function resolveReferences(document: Json): Json {
  const resolve = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    if (typeof value.$ref !== 'string') {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]))
    }
    const path = value.$ref.replace(/^#\//, '').split('/')
    const target = path.reduce((part: Json, name: string) => part?.[name], document)
    if (target === undefined) throw new Error(`${value.$ref} does not exist`)
    return resolve(target)
  }
  return resolve(document)
}

/** Why a value does not fit a resolved schema. Undocumented members are errors too. */
export function schemaErrors(schema: Json, value: Json): string[] {
  const invalid = [...Compile(schema).Errors(value)].map((error: Json) => `${error.instancePath} ${error.message}`)
  return [...invalid, ...undocumented(schema, value, '')]
}

function undocumented(schema: Json, value: Json, path: string): string[] {
  const schemas = [schema, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  if (Array.isArray(value)) {
    const items = schemas.find(({ items }) => items)?.items
    return items ? value.flatMap((item, i) => undocumented(items, item, `${path}[${i}]`)) : []
  }
  if (value === null || typeof value !== 'object') return []
  const properties = Object.assign({}, ...schemas.map(({ properties = {} }) => properties))
  if (Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([name, member]) =>
    properties[name] ? undocumented(properties[name], member, `${path}.${name}`) : [`${path}.${name} is not documented`],
  )
}
