/** The rule for names of people. */
import type { Found } from '../core/refusal.ts'
import { cleanLine, lineError, unprintableError } from '../core/text.ts'
import type { App } from '../ports.ts'

const MAX_NAME_LENGTH = 100

export function personNameError(app: Pick<App, 'unprintable'>, name: string): Found | undefined {
  const tooLong = [...cleanLine(name)].length > MAX_NAME_LENGTH ? `must have at most ${MAX_NAME_LENGTH} characters` : undefined
  return lineError(name) ?? tooLong ?? unprintableError(name, app)
}
