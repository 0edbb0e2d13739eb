/** Parts of the schemas. A `title` makes a schema a component of the OpenAPI document. */
import Type, { type TProperties } from 'typebox'

/** An object of a request: members it does not name are refused. */
export function strict<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

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

/** Present and required in requests and responses alike. */
export const reminderMembers = {
  firstAfterDays: Type.Integer({ minimum: 1, maximum: 365, description: 'Days from sending to the first reminder.' }),
  everyDays: Type.Integer({ minimum: 1, maximum: 365, description: 'Days between two reminders.' }),
  max: Type.Integer({ minimum: 1, maximum: 50, description: 'Reminders per recipient.' }),
}
