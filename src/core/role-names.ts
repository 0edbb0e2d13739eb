/** The names of the roles of a template. Pure. */
import type { ValidationError } from './refusal.ts'
import { cleanLine, lineError } from './text.ts'

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
    if (first.has(roleKey(name))) return [{ path, message: 'is the name of another role already: give each a name of its own' }]
    first.set(roleKey(name), i)
    return []
  })
}
