/**
 * Fields proposed from the contents of a PDF, and its text tags that no field covers. Bundled for
 * the browser too. Pure.
 */
import type { Document } from '../document/document.ts'
import type { FieldType } from '../field/field.ts'
import type { PageArea, PercentBox } from '../field/geometry.ts'
import { placedFields } from '../field/visibility.ts'
import type { Finding, WarningCode } from './draft-check.ts'

/**
 * `form`: a field of the PDF's own form. `tag`: a text such as `{{signature:1}}`. `line`: an empty
 * line or table cell beside a label such as "Signature".
 */
const PROPOSAL_SOURCES = ['form', 'tag', 'line'] as const
export type ProposalSource = (typeof PROPOSAL_SOURCES)[number]

export interface Proposal extends PercentBox {
  type: FieldType
  /** 1 is the first page. */
  page: number
  label?: string
  /** Of a dropdown or a radio field. */
  options?: string[]
  /** Of a radio field, one for each option; the first is its own place. */
  boxes?: PageArea[]
  /** Form fields and tags; absent if the PDF does not say. */
  required?: boolean
  /** Of a text, from its form field. */
  maxLength?: number
  /** 1 is the first signer: a tag's number, or the place of a signature line from left to right. */
  party?: number
  /** The words beside a signature line that may name its signer, such as "Tenant". */
  partyName?: string
  source: ProposalSource
  /** A line that may be no place to fill in: its sender is asked about it by itself. */
  isDoubtful?: true
  /** Of a tag, as in the PDF. */
  text?: string
  /** The text of a tag: the `covers` of the field that is made from it. */
  covers?: PageArea[]
}

export interface ProposalWarning {
  /** `page_not_searched`: too complex, so tags on it are not found. */
  code: 'unknown_tag' | 'overlapping_tag' | 'page_not_searched'
  page: number
  /** The tag as in the PDF. */
  text?: string
  message: string
}

export interface FoundFields {
  /** By page, then from top to bottom. They do not overlap and lie within their pages. */
  proposals: Proposal[]
  warnings: ProposalWarning[]
  /** Fewer than the document has if a bound was reached. */
  searchedPages: number
}

export const NO_FOUND_FIELDS: FoundFields = { proposals: [], warnings: [], searchedPages: 0 }

// Text tags of the PDF that no field covers: recipients would read them.

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
