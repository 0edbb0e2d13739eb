/** Text tags of the PDF that no field covers: recipients would read them. Pure. */
import type { Document } from '../document/document.ts'
import type { PageArea } from '../field/geometry.ts'
import { placedFields } from '../field/placed-fields.ts'
import type { Finding, WarningCode } from './draft-check.ts'
import type { FoundFields } from './proposal.ts'

/** The sender looks at the pages after the first few. */
const MAX_FINDINGS = 10

const keyOf = ({ page, x, y }: PageArea): string => [page, x.toFixed(2), y.toFixed(2)].join(' ')

/** `suggestion`: the tag. */
export function leftoverTags(
  document: Pick<Document, 'recipients' | 'senderFields'>,
  found: FoundFields,
): Finding<WarningCode>[] {
  const covered = new Set(placedFields(document).flatMap(({ field: { covers = [] } }) => covers.map(keyOf)))
  const open = found.proposals.filter(({ covers = [] }) => covers.length > 0 && !covers.some(cover => covered.has(keyOf(cover))))
  const tags = [...open, ...found.warnings].flatMap(({ page, text }) => (text === undefined ? [] : [{ page, text }]))
  return tags
    .sort((a, b) => a.page - b.page)
    .slice(0, MAX_FINDINGS)
    .map(({ page, text }) => ({ code: 'tag_in_pdf', path: 'file', page, suggestion: text }))
}
