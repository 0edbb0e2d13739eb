/** What keeps a draft from being sent, and what its sender should look at before. Pure. */
import type { Document, Recipient } from '../document/document.ts'
import { CONDITION_VIOLATIONS, conditionErrors, ownersOf } from '../field/conditions.ts'
import { areasOfField, type Field, hasOptions, isFilledByService, needsValue } from '../field/field.ts'
import type { PercentBox } from '../field/geometry.ts'
import { nameKey, placedFields, SENDER } from '../field/visibility.ts'
import { errorAt, Refusal, refuseIfInvalid } from '../refusal.ts'
import { maySign, mustAct } from '../signing/routing.ts'
import { emailError, sameMailbox, samePerson } from '../text.ts'
import { type Violation, violation } from '../violation.ts'
import { suggestAddress } from './mailbox.ts'

export const BLOCKING_CODES = [
  'no_signer',
  'name_missing',
  'email_missing',
  'email_invalid',
  'email_in_use',
  'options_missing',
  'value_missing',
  // Found with the page sizes of the file, not by `checkDraft`.
  'text_too_long',
  'name_in_use',
  'condition_invalid',
  'expiry_passed',
] as const
export type BlockingCode = (typeof BLOCKING_CODES)[number]

const WARNING_CODES = ['no_signature_field', 'fields_overlap', 'same_email', 'email_typo', 'leftover_tag', 'tag_in_pdf'] as const
export type WarningCode = (typeof WARNING_CODES)[number]

/** One finding and the place to mend it. */
export interface Finding<Code> {
  code: Code
  /** `expiresAt`, `recipients`, `recipients/rcp_…/email`, `fields/fld_…/options`. */
  path: string
  /** The recipient concerned, or the one whose field it is. */
  recipientId?: string
  fieldId?: string
  /** The field or recipient that it is about besides. */
  otherId?: string
  /** The page of the field. */
  page?: number
  /** The address that was probably meant, or the text of a tag. */
  suggestion?: string
}

export interface DraftCheck {
  blocking: Finding<BlockingCode>[]
  warnings: Finding<WarningCode>[]
}

export function checkDraft(document: Document, now: Date): DraftCheck {
  return {
    blocking: [
      ...(document.recipients.some(mustAct) ? [] : [{ code: 'no_signer' as const, path: 'recipients' }]),
      ...document.senderFields.flatMap(field => blockingOfField(field, SENDER)),
      ...document.recipients.flatMap(r => blockingOf(document, r)),
      ...conditionFindings(document),
      ...(document.expiresAt && document.expiresAt <= now ? [{ code: 'expiry_passed' as const, path: 'expiresAt' }] : []),
    ],
    warnings: [...leftoverTags(document), ...document.recipients.flatMap(r => warningsOf(document, r)), ...overlaps(document)],
  }
}

function blockingOf(document: Document, recipient: Recipient): Finding<BlockingCode>[] {
  const { id, name } = recipient
  const at = (code: BlockingCode, member: string) => ({ code, path: `recipients/${id}/${member}`, recipientId: id })
  const email = emailFinding(document, recipient)
  return [
    ...(name === '' ? [at('name_missing', 'name')] : []),
    ...(email ? [{ ...at(email.code, 'email'), ...(email.otherId === undefined ? {} : { otherId: email.otherId }) }] : []),
    ...recipient.fields.flatMap(field => blockingOfField(field, id)),
  ]
}

function blockingOfField(field: Field, recipientId: string): Finding<BlockingCode>[] {
  const member = missingMember(field, recipientId)
  if (member === undefined) return []
  const { id: fieldId, page } = field
  return [{ code: `${member}_missing` as const, path: `fields/${fieldId}/${member}`, recipientId, fieldId, page }]
}

function conditionFindings(document: Document): Finding<BlockingCode>[] {
  const { recipients } = document
  return conditionErrors(ownersOf(document), document.signingOrder).flatMap(({ owner, field: index, member }) => {
    const recipientId = owner === 0 ? SENDER : recipients[owner - 1]?.id
    const field = (owner === 0 ? document.senderFields : recipients[owner - 1]?.fields)?.[index]
    if (recipientId === undefined || field === undefined) return []
    const code = member === 'name' ? ('name_in_use' as const) : ('condition_invalid' as const)
    return [{ code, path: `fields/${field.id}/${member}`, recipientId, fieldId: field.id, page: field.page }]
  })
}

function emailFinding({ recipients }: Document, recipient: Recipient): { code: BlockingCode; otherId?: string } | undefined {
  const { email } = recipient
  if (email === '') return { code: 'email_missing' }
  if (emailError(email)) return { code: 'email_invalid' }
  if (!mustAct(recipient)) return undefined
  const first = recipients.find(r => mustAct(r) && samePerson(r, recipient))
  return first === undefined || first === recipient ? undefined : { code: 'email_in_use', otherId: first.id }
}

function missingMember(field: Field, ownerId: string): 'options' | 'value' | undefined {
  const { type, options, value } = field
  if (hasOptions(type) && options.length === 0) return 'options'
  const isFilledLater = ownerId !== SENDER && isFilledByService(type)
  return needsValue(field) && value === undefined && !isFilledLater ? 'value' : undefined
}

function warningsOf({ recipients }: Document, recipient: Recipient): Finding<WarningCode>[] {
  const { id, email, fields, role } = recipient
  const findings: Finding<WarningCode>[] = []
  if (maySign(role) && !fields.some(f => f.type === 'signature'))
    findings.push({ code: 'no_signature_field', path: `recipients/${id}`, recipientId: id })
  const path = `recipients/${id}/email`
  const first = email === '' ? undefined : recipients.find(r => sameMailbox(r.email, email))
  if (first && first !== recipient && !(mustAct(first) && mustAct(recipient) && samePerson(first, recipient)))
    findings.push({ code: 'same_email', path, recipientId: id, otherId: first.id })
  const suggestion = suggestAddress(email)
  if (suggestion !== undefined) findings.push({ code: 'email_typo', path, recipientId: id, suggestion })
  return findings
}

/** A text tag such as `{{signature:1}}` that no program has replaced. */
const TAG = /\{\{[^{}]*\}\}/

function leftoverTags(document: Document): Finding<WarningCode>[] {
  const code = 'leftover_tag'
  const { title, message } = document
  const own = Object.entries({ title, message }).flatMap(([path, text]) =>
    TAG.test(text ?? '') ? [{ code, path } as const] : [],
  )
  const inFields = placedFields(document).flatMap(({ field: { id: fieldId, page, label, placeholder, value }, recipientId }) =>
    Object.entries({ label, placeholder, value }).flatMap(([member, text]) =>
      TAG.test(text ?? '') ? [{ code, path: `fields/${fieldId}/${member}`, recipientId, fieldId, page } as const] : [],
    ),
  )
  return [...own, ...inFields]
}

/** Of the smaller field's area. */
const MIN_OVERLAP = 0.4
/** Bounds the work of the one who reads them. */
const MAX_OVERLAPS = 100

function overlaps(document: Document): Finding<WarningCode>[] {
  const all = placedFields(document).flatMap(({ field, recipientId }) =>
    areasOfField(field).map(area => ({ field, area, recipientId })),
  )
  const findings: Finding<WarningCode>[] = []
  for (const [page, placed] of Map.groupBy(all, ({ area }) => area.page)) {
    // From left to right: a field can overlap only those that begin before its right edge.
    const sorted = placed.sort((a, b) => a.area.x - b.area.x)
    for (const [i, one] of sorted.entries()) {
      for (const other of sorted.slice(i + 1)) {
        if (other.area.x >= one.area.x + one.area.width || findings.length >= MAX_OVERLAPS) break
        if (!isOverlap(one, other)) continue
        const { field, recipientId } = other
        findings.push({
          code: 'fields_overlap',
          path: `fields/${field.id}`,
          recipientId,
          fieldId: field.id,
          otherId: one.field.id,
          page,
        })
      }
    }
  }
  return findings
}

interface PlacedArea {
  field: Field
  area: PercentBox
}

/** Fields that are shown at different values of the same field may have the same place. */
function isOverlap(one: PlacedArea, other: PlacedArea): boolean {
  const [a, b] = [one.field.showIf, other.field.showIf]
  const isEither = a !== undefined && b !== undefined && nameKey(a.field) === nameKey(b.field) && a.is !== b.is
  return !isEither && overlapOf(one.area, other.area) >= MIN_OVERLAP
}

/** The common area of two boxes, as a part of the smaller one. */
export function overlapOf(a: PercentBox, b: PercentBox): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  return (width * height) / Math.min(a.width * a.height, b.width * b.height)
}

/** Throws `nothing_to_sign`, or `validation_failed` with everything that blocks the sending. */
export function requireSendable(document: Document, now: Date): void {
  const { blocking } = checkDraft(document, now)
  if (blocking.some(({ code }) => code === 'no_signer')) throw new Refusal('nothing_to_sign', violation('nothing_to_sign'))
  refuseBlocked(blocking)
}

/** Throws `validation_failed` if anything blocks the sending. */
export function refuseBlocked(blocking: readonly Finding<BlockingCode>[]): void {
  refuseIfInvalid(blocking.map(({ code, path }) => errorAt(path, BLOCKING_VIOLATIONS[code])))
}

export const BLOCKING_VIOLATIONS: Record<BlockingCode, Violation> = {
  no_signer: violation('no_signer'),
  name_missing: violation('missing_before_sending'),
  email_missing: violation('missing_before_sending'),
  email_invalid: violation('not_an_email'),
  email_in_use: violation('mailbox_of_signer'),
  options_missing: violation('options_missing'),
  value_missing: violation('value_missing'),
  text_too_long: violation('text_too_long'),
  name_in_use: CONDITION_VIOLATIONS.name_in_use,
  condition_invalid: violation('condition_invalid'),
  expiry_passed: violation('not_in_the_future'),
}
