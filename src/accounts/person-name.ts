/** The rule for names of people. */
import { cleanLine, lineError, unprintableError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { App } from '../ports.ts'

export const MAX_NAME_LENGTH = 100

export function personNameError(app: Pick<App, 'unprintable'>, name: string): Violation | undefined {
  const tooLong = [...cleanLine(name)].length > MAX_NAME_LENGTH ? violation('too_long', { max: MAX_NAME_LENGTH }) : undefined
  return lineError(name) ?? tooLong ?? unprintableError(name, app)
}
