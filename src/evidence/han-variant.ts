/** Chooses the form of Han characters by a BCP 47 tag. */
import { primaryTag } from '../core/language.ts'
import type { HanVariant } from '../text/itemize.ts'

/** Undefined if the language does not determine it. */
export function chooseHanVariant(tag: string | undefined): HanVariant | undefined {
  const primary = primaryTag(tag ?? '')
  if (primary === 'ja') return 'Jpan'
  if (primary === 'ko') return 'Kore'
  return primary === 'zh' ? 'Hans' : undefined
}
