/** What keeps a template from being used, and what its owner should look at. Pure. */
import type { Document } from '../document/document.ts'
import { BLOCKING_VIOLATIONS, type BlockingCode, checkDraft, type DraftCheck } from '../draft/draft-check.ts'
import { errorAt, Refusal } from '../refusal.ts'
import { violation } from '../violation.ts'
import { unknownPlaceholders } from './template-texts.ts'

/** What is given when the template is used. */
const AT_USE: ReadonlySet<BlockingCode> = new Set(['email_missing', 'email_invalid', 'email_in_use', 'value_missing'])

export function checkTemplate(template: Document, now: Date): DraftCheck {
  const { blocking, warnings } = checkDraft(template, now)
  const hasUnknown = unknownPlaceholders(template).length > 0
  const isPlaceholder = (code: string, path: string) => code === 'leftover_tag' && (path === 'title' || path === 'message')
  return {
    blocking: blocking.filter(({ code }) => !AT_USE.has(code)),
    warnings: warnings.filter(({ code, path }) => hasUnknown || !isPlaceholder(code, path)),
  }
}

/** Throws `invalid_state` with everything that blocks the use. */
export function requireUsable(template: Document, now: Date): void {
  const { blocking } = checkTemplate(template, now)
  if (blocking.length === 0) return
  const details = blocking.map(({ code, path }) => errorAt(path, BLOCKING_VIOLATIONS[code]))
  throw new Refusal('invalid_state', violation('template_unfinished'), details)
}
