/** The rule for names of people. */
import { MAX_ACCOUNT_NAME } from '../core/service-limits.ts'
import { cleanLine, lineError, unprintableError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { App } from '../ports.ts'

export function personNameError(app: Pick<App, 'unprintable'>, name: string): Violation | undefined {
  const tooLong = [...cleanLine(name)].length > MAX_ACCOUNT_NAME ? violation('too_long', { max: MAX_ACCOUNT_NAME }) : undefined
  return lineError(name) ?? tooLong ?? unprintableError(name, app)
}
