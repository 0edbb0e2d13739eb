/** Paths of a document that is being made, as its request has them. Pure. */
import { Refusal, validationRefusal } from '../refusal.ts'
import type { Document } from './document.ts'

/**
 * `recipients/rcp_…/email` as `recipients[0].email`, `fields/fld_…/value` as
 * `senderFields[1].value`: who makes the request does not know these ids.
 */
export function pathInRequest({ recipients, senderFields }: Document, path: string): string {
  const [kind, id, ...rest] = path.split('/')
  const at = (place: string) => [place, ...rest].join('.')
  const person = recipients.findIndex(each => each.id === id)
  if (kind === 'recipients' && person >= 0) return at(`recipients[${person}]`)
  if (kind !== 'fields') return path
  const indexIn = (fields: Document['senderFields']) => fields.findIndex(field => field.id === id)
  const owner = recipients.findIndex(({ fields }) => indexIn(fields) >= 0)
  if (owner >= 0) return at(`recipients[${owner}].fields[${indexIn(recipients[owner]?.fields ?? [])}]`)
  return indexIn(senderFields) >= 0 ? at(`senderFields[${indexIn(senderFields)}]`) : path
}

/** Does the work, and throws its refusals with the paths that `pathOf` makes. */
export function withPaths<T>(pathOf: (path: string) => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'validation_failed') throw error
    const [first, ...others] = error.details.map(detail => ({ ...detail, path: pathOf(detail.path) }))
    throw first ? validationRefusal([first, ...others]) : error
  }
}
