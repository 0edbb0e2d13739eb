/** The names of the roles of a template. Pure. */
import { errorAt, type ValidationError } from '../refusal.ts'
import { cleanLine, lineError } from '../text.ts'
import { violation } from '../violation.ts'

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
