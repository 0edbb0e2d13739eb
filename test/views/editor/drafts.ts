/** Small drafts for tests of the editor's model. */
import type { FieldType } from '../../../src/core/field/field.ts'
import { newField } from '../../../views/drafting/editor/commands.ts'
import type { Box, EditorField, EditorState, PageSize, Person } from '../../../views/drafting/editor/model.ts'

export const ANNA: Person = { id: 'rcp_anna', name: 'Anna Berg', email: 'anna@example.com', role: 'signer' }
export const BO: Person = { id: 'rcp_bo', name: 'Bo Lund', email: 'bo@example.com', role: 'signer' }
export const CARA: Person = { id: 'rcp_cara', name: 'Cara Vik', email: 'cara@example.com', role: 'approver' }
export const DAN: Person = { id: 'rcp_dan', name: 'Dan Ek', email: 'dan@example.com', role: 'viewer' }
export const PEOPLE = [ANNA, BO, CARA, DAN]

export const A4: PageSize = [595, 842]

export function stateOf(pages: readonly PageSize[], ...fields: EditorField[]): EditorState {
  return { pages, fields: new Map(fields.map(field => [field.id, field])) }
}

/** A field with this box in points. */
export function fieldAt(
  id: string,
  box: Box,
  about: Partial<EditorField> = {},
  pages: readonly PageSize[] = [A4, A4, A4],
): EditorField {
  const type: FieldType = about.type ?? 'text'
  const place = { id, type, recipientId: ANNA.id, page: about.page ?? 1 }
  return { ...newField(stateOf(pages), place, box), ...about }
}

export function counter(prefix = 'fld_new'): () => string {
  let count = 0
  return () => `${prefix}${++count}`
}
