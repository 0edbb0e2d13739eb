/**
 * Placeholders such as `{{Tenant}}` in the title and message of a template, and the names of its
 * roles. Pure.
 */
import type { Document } from '../document/document.ts'
import type { Field } from '../field/field.ts'
import { errorAt, type ValidationError } from '../refusal.ts'
import { cleanLine, lineError } from '../text.ts'
import { violation } from '../violation.ts'
import { type GivenFields, takesValue, valueName } from './template-values.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const key = (name: string) => cleanLine(name).toLowerCase()

/** Unknown placeholders stay: the check of the template names them. Values are not searched. */
export function fillPlaceholders(text: string, texts: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => texts.get(key(name)) ?? whole)
}

/** What its owner can write in the title and message. Fields of the service have no value yet. */
export function placeholdersOf({ senderFields, recipients }: Document): string[] {
  const roles = recipients.flatMap(({ name }) => (name === '' ? [] : [name, `${name}.email`]))
  const fields = [...senderFields, ...recipients.flatMap(r => r.fields.filter(takesValue))].filter(isNamed).map(valueName)
  return [...new Set([...roles, ...fields])].map(name => `{{${name}}}`)
}

/** Shows placeholders to people: `{{Tenant}}` as `[Tenant]`. */
export function showPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, (_, name: string) => `[${name.trim()}]`)
}

/** The names of the placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** A role goes before a field of the same name. */
export function textsOfUse(
  { senderFields, recipients }: Document,
  people: readonly { role: { name: string }; person: { name: string; email: string } }[],
  given: GivenFields,
): Map<string, string> {
  const fields = [...recipients.flatMap(r => r.fields), ...senderFields].filter(isNamed)
  return new Map([
    ...fields.map((field): [string, string] => [key(valueName(field)), given.shownText(field)]),
    ...people.flatMap(({ role, person }): [string, string][] => [
      [`${key(role.name)}.email`, person.email.trim()],
      [key(role.name), cleanLine(person.name)],
    ]),
  ])
}

/** Those that no role and no field of the template answers. */
export function unknownPlaceholders({ title, message = '', senderFields, recipients }: Document): string[] {
  const roles = recipients.flatMap(({ name }) => [key(name), `${key(name)}.email`])
  const fields = [...senderFields, ...recipients.flatMap(r => r.fields)].filter(isNamed)
  const known = new Set([...roles, ...fields.map(field => key(valueName(field)))])
  return [...placeholdersIn(title), ...placeholdersIn(message)].filter(name => !known.has(key(name)))
}

const isNamed = ({ name, label }: Field) => name !== undefined || label !== undefined

// The names of the roles of a template.

/** The same role has the same name, without regard to case. */
export const roleKey = (name: string): string => cleanLine(name).toLowerCase()

/** With paths of recipients. A name may be missing as long as the template is not finished. */
export function roleNameErrors(roles: readonly { name: string }[]): ValidationError[] {
  const first = new Map<string, number>()
  return roles.flatMap(({ name }, i): ValidationError[] => {
    const path = `recipients[${i}].name`
    if (name === '') return []
    const error = lineError(name)
    if (error) return [{ ...error, path }]
    if (first.has(roleKey(name))) return [errorAt(path, violation('role_name_in_use'))]
    first.set(roleKey(name), i)
    return []
  })
}
