/** Which form Han characters take for a BCP 47 tag. */
import { primaryTag } from '../core/language.ts'
import type { HanVariant } from '../text/itemize.ts'

/**
 * Whose Han characters a text has that holds no others; nothing where the language does not tell.
 */
export function chooseHanVariant(tag: string | undefined): HanVariant | undefined {
  const primary = primaryTag(tag ?? '')
  if (primary === 'ja') return 'Jpan'
  if (primary === 'ko') return 'Kore'
  return primary === 'zh' ? 'Hans' : undefined
}
