/** Writes `src/http/api/ERRORS.md` from the table of error codes and the catalogue of rules. */
import { join } from 'node:path'
import { codeOf } from '../src/core/refusal.ts'
import { VALUE_MESSAGES } from '../src/core/signing/message.ts'
import type { ViolationCode } from '../src/core/violation.ts'
import { CODES, ERROR_CODES } from '../src/http/error-codes.ts'
import { paramsOf } from '../src/locales/coded-text.ts'
import { sentences } from '../src/locales/en/sentences.ts'
import { violations } from '../src/locales/en/violations.ts'

export const ERRORS_FILE = join(import.meta.dir, '../src/http/api/ERRORS.md')

/** With the names of the parameters in their places. */
function detailRows(): string[] {
  const rules = (Object.keys(violations) as ViolationCode[]).filter(code => !(code in sentences)).sort()
  return rules.map(code => `| \`${code}\` | ${violations[code](paramsOf(name => `{${name}}`, { flag: true, isOne: false }))} |`)
}

function valueCodes(): string {
  const codes = VALUE_MESSAGES.map(key => codeOf({ path: '', message: '', messageRef: { key, args: [] as never } }))
  return codes.map(code => `\`${code}\``).join(', ')
}

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

## Codes of details

\`code\` of each error in \`details\`, with its message. A word in braces is the place of a number or a text. Some occur on the pages
alone. For the value of a field there are also
${valueCodes()}.

| Code | Message |
|---|---|
${detailRows().join('\n')}
`
}

if (import.meta.main) await Bun.write(ERRORS_FILE, errorsFile())
