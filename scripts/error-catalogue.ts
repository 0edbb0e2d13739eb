/** Writes `src/http/api/ERRORS.md` from the table of error codes. */
import { join } from 'node:path'
import { CODES, ERROR_CODES } from '../src/http/error-codes.ts'

export const ERRORS_FILE = join(import.meta.dir, '../src/http/api/ERRORS.md')

export function errorsFile(): string {
  const rows = CODES.map(code => {
    const { status, meaning, remedy, isRetryable } = ERROR_CODES[code]
    return `| \`${code}\` | ${status} | ${meaning} | ${remedy} | ${isRetryable ? 'yes' : 'no'} |`
  })
  return `# Error codes of the API

Made from \`src/http/error-codes.ts\` by \`bun scripts/error-catalogue.ts\`; a test compares both. The last column says
whether the unchanged request can succeed later.

| Code | Status | Meaning | Remedy | Retry |
|---|---|---|---|---|
${rows.join('\n')}
`
}

if (import.meta.main) await Bun.write(ERRORS_FILE, errorsFile())
