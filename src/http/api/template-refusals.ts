/** Refusals of the rules that drafts and templates share, in the words of templates. */
import { type Reason, Refusal } from '../../core/refusal.ts'
import { inRolePaths } from '../../core/template/create-template.ts'
import { RewordedError } from '../errors.ts'

const SHARED: readonly Reason[] = ['validation_failed', 'draft_changed', 'invalid_state']
const WORDS: readonly [pattern: RegExp, word: string][] = [
  [/\b(?:draft|document)\b/g, 'template'],
  [/\brecipient\b/g, 'role'],
  [/\brecipients\b/g, 'roles'],
]

const inWords = (text: string) => WORDS.reduce((said, [pattern, word]) => said.replace(pattern, word), text)

/** Does the work of a route on a template. */
export async function asTemplate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const found = inRolePaths(error)
    throw found instanceof Refusal && SHARED.includes(found.reason) ? new RewordedError(found, inWords) : found
  }
}
