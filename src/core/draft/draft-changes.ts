/** The paths of what differs between two values of a document. Pure. */
import type { Document } from '../document/document.ts'
import { DRAFT_MEMBERS } from '../document/document-members.ts'
import { placedFields } from '../field/visibility.ts'
import { namesOf } from '../members.ts'
import type { DraftEdit } from './edit-draft.ts'

/** Whether an edit that led to this document may have changed what is at the path. */
export function mayHaveChanged({ recipients, fields = [], ...own }: DraftEdit, document: Document, path: string): boolean {
  const [kind, id] = path.split('/')
  if (kind === 'recipients') return recipients !== undefined
  if (kind !== 'fields') return path in own
  if (fields.some(field => field.id === id)) return true
  // Removed with its recipient.
  return recipients !== undefined && !placedFields(document).some(({ field }) => field.id === id)
}

/** Whether two values are equal. A member that is undefined counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every(name => isSame(a[name], b[name]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

const OWN_MEMBERS = [...namesOf(DRAFT_MEMBERS), 'isShared'] as const

/** As the API names it, also of a change that an earlier release noted. */
export const pathOfMember = (member: string) => (member === 'isShared' ? 'shared' : member)

/**
 * The paths of what differs: `title`, `recipients` (their order), `recipients/rcp_…`,
 * `fields/fld_…`. A removed or added recipient or field has its path too.
 */
export function changedPaths(before: Document, after: Document): string[] {
  const paths: string[] = OWN_MEMBERS.filter(member => !isSame(before[member], after[member])).map(pathOfMember)
  if (before.sha256Original !== after.sha256Original) paths.push('file')
  if (before.recipients === after.recipients && before.senderFields === after.senderFields) return paths
  const [old, now] = [before.recipients.map(({ id }) => id), after.recipients.map(({ id }) => id)]
  const isKept = (ids: string[]) => (id: string) => ids.includes(id)
  if (!isSame(old.filter(isKept(now)), now.filter(isKept(old)))) paths.push('recipients')
  return [
    ...paths,
    ...differing('recipients', peopleOf(before), peopleOf(after)),
    ...differing('fields', placedOf(before), placedOf(after)),
  ]
}

const peopleOf = ({ recipients }: Document) => new Map(recipients.map(({ fields: _, ...person }) => [person.id, person]))

/** The fields with their owners. */
const placedOf = (document: Document) => new Map(placedFields(document).map(placed => [placed.field.id, placed] as const))

function differing(name: string, before: Map<string, unknown>, after: Map<string, unknown>): string[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  return [...ids].filter(id => !isSame(before.get(id), after.get(id))).map(id => `${name}/${id}`)
}
