/** What the report says of a change that a reader of the document can see or hear. */

/** A permitted change after a signature that a reader of the document can see. */
export interface VisibleChange {
  kind: 'field' | 'comment' | 'signature' | 'property'
  /** The revision that made it, from 1. */
  revision: number
  /** The name of the field, the type of the comment (ISO 32000-2 table 171), or the property. */
  name: string
  /** The text of a field or property before and after; null for others. */
  before: string | null
  after: string | null
  /** From 1; null if no page shows it. */
  page: number | null
}
