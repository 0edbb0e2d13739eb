/** Adds the fields that a PDF contains to the request for a document. Pure. */
import { type FieldsFrom, type NewDocument, roleOf } from '../document/new-document.ts'
import { excessMembers } from '../field/field.ts'
import { type NewField, optionsOf } from '../field/new-field.ts'
import { errorAt, errorsIn, refuseIfInvalid, type ValidationError } from '../refusal.ts'
import { maySign } from '../signing/routing.ts'
import { violation } from '../violation.ts'
import type { FoundFields, Proposal, ProposalSource, ProposalWarning } from './proposal.ts'

const SOURCES: Record<FieldsFrom, ProposalSource> = { form: 'form', tags: 'tag' }

export interface FieldsFromDeps {
  pageCount: number
  /** The characters of a text that no embedded font can print. */
  unprintable(text: string): string[]
}

export interface FieldsWarning {
  code: ProposalWarning['code'] | 'no_fields_found'
  message: string
}

/** Fields of the request come first. @throws Refusal `validation_failed` */
export function addFoundFields(
  input: NewDocument,
  found: FoundFields,
  deps: FieldsFromDeps,
): { input: NewDocument; warnings: FieldsWarning[] } {
  const { fieldsFrom = [], recipients } = input
  requireWholeSearch(found, deps)
  const sources = new Set<ProposalSource>(fieldsFrom.map(source => SOURCES[source]))
  const proposals = found.proposals.filter(({ source }) => sources.has(source))
  const owners = new Owners(input, proposals)
  const added = recipients.map((): NewField[] => [])
  for (const proposal of proposals) added[owners.indexOf(proposal)]?.push(fieldOf(proposal, deps))
  refuseIfInvalid(owners.errors)
  const warnings: FieldsWarning[] = sources.has('tag') ? found.warnings.map(({ code, message }) => ({ code, message })) : []
  if (proposals.length === 0) {
    const names = fieldsFrom.map(source => (source === 'form' ? 'form fields' : 'tags')).join(' or ')
    warnings.push({ code: 'no_fields_found', message: `The PDF contains no ${names} that a recipient fills in.` })
  }
  const withFields = recipients.map((recipient, i) => ({
    ...recipient,
    fields: [...(recipient.fields ?? []), ...(added[i] ?? [])],
  }))
  return { input: { ...input, recipients: withFields }, warnings }
}

/** A contract must not be sent without some of its fields because a search ended early. */
function requireWholeSearch({ searchedPages }: FoundFields, { pageCount }: FieldsFromDeps): void {
  if (searchedPages >= pageCount) return
  refuseIfInvalid(errorsIn([['fieldsFrom', violation('search_unfinished', { searched: searchedPages, pages: pageCount })]]))
}

/** A tag names its recipient by number. Fields of a form need one signer, or one signature each. */
class Owners {
  readonly errors: ValidationError[] = []
  readonly #input: NewDocument
  readonly #signers: number[]
  readonly #signatures: Proposal[]
  readonly #isFormClear: boolean

  constructor(input: NewDocument, proposals: readonly Proposal[]) {
    this.#input = input
    this.#signers = input.recipients.flatMap((recipient, i) => (maySign(roleOf(recipient)) ? [i] : []))
    const form = proposals.filter(({ source }) => source === 'form')
    this.#signatures = form.filter(({ type }) => type === 'signature')
    const hasOneEach = this.#signatures.length === form.length && form.length === this.#signers.length
    this.#isFormClear = form.length === 0 || this.#signers.length === 1 || hasOneEach
    if (this.#isFormClear) return
    const counts = { fields: form.length, signers: this.#signers.length }
    this.errors.push(errorAt('fieldsFrom', violation('form_fields_ambiguous', counts)))
  }

  /** -1 without a recipient. */
  indexOf(proposal: Proposal): number {
    if (proposal.source === 'form') return this.#formOwner(proposal)
    const { party = 1, page } = proposal
    const { length } = this.#input.recipients
    if (party <= length) return party - 1
    const tag = proposal.text ?? `{{${proposal.type}:${party}}}`
    this.errors.push(errorAt('fieldsFrom', violation('tag_without_recipient', { tag, page, party, count: length })))
    return -1
  }

  #formOwner(proposal: Proposal): number {
    if (!this.#isFormClear) return -1
    const place = this.#signers.length === 1 ? 0 : this.#signatures.indexOf(proposal)
    return this.#signers[place] ?? -1
  }
}

/** A label that cannot be printed is left out: the sender did not write it. */
function fieldOf(proposal: Proposal, { unprintable }: FieldsFromDeps): NewField {
  const { type, page, x, y, width, height, label, options, boxes, required, maxLength, covers } = proposal
  const field: NewField = boxes ? { type } : { type, page, x, y, width, height }
  if (label !== undefined && unprintable(label).length === 0) field.label = label
  if (options !== undefined) field.options = boxes ? optionsOf({ options, boxes }) : options
  if (required !== undefined) field.required = required
  if (maxLength !== undefined) field.maxLength = maxLength
  if (covers !== undefined) field.covers = covers
  for (const member of excessMembers(field)) delete field[member]
  return field
}
