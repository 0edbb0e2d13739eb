/** A draft made from a template: what was entered for it, and its edit for other entries. Pure. */
import type { Document } from '../document/document.ts'
import type { RECIPIENT_MEMBERS } from '../document/document-members.ts'
import type { NewDocument } from '../document/new-document.ts'
import type { DraftEdit } from '../draft/edit-draft.ts'
import type { FieldEdit } from '../draft/edit-fields.ts'
import type { Field } from '../field/field.ts'
import type { NewField } from '../field/new-field.ts'
import type { Given } from '../members.ts'
import { isMailed } from '../signing/routing.ts'
import type { Verification } from '../signing/verification.ts'
import { takesValue } from './template-values.ts'

/** Undefined if the draft no longer has the roles and fields of the template. */
export function useOfDraft(template: Document, draft: Document): TemplateUse | undefined {
  const isSame =
    haveSameFields(template.senderFields, draft.senderFields) &&
    template.recipients.length === draft.recipients.length &&
    template.recipients.every(({ role, fields }, i) => {
      const recipient = draft.recipients[i]
      return recipient?.role === role && haveSameFields(fields, recipient.fields)
    })
  if (!isSame) return undefined
  return {
    values: valuesOf(template.senderFields, draft.senderFields),
    recipients: draft.recipients.map(({ name, email, locale, verify, deliverBy, deviceKey, fields }, i) => {
      const role = template.recipients[i]
      const isOwn = locale !== undefined && locale !== role?.locale
      const proof = verify === role?.verify ? {} : { verify: verify ?? null }
      const delivery = isMailed({ deliverBy }) ? {} : { deliverBy }
      const rule = deviceKey === undefined || deviceKey === role?.deviceKey ? {} : { deviceKey }
      const shared = { role: role?.id ?? '', name, email, ...(isOwn ? { locale } : {}), ...proof, ...delivery, ...rule }
      return { ...shared, values: valuesOf(role?.fields ?? [], fields) }
    }),
  }
}

const haveSameFields = (of: readonly Field[], others: readonly Field[]) =>
  of.length === others.length && of.every(({ type }, i) => type === others[i]?.type)

/** By the ids of the template's fields. Those of the sender are never open to change. */
function valuesOf(of: readonly Field[], filled: readonly Field[]): GivenValues {
  const values: GivenValues = {}
  of.forEach((field, i) => {
    const { value = '', readOnly = true } = filled[i] ?? {}
    if (takesValue(field)) values[field.id] = { value, readOnly }
    else if (value !== '') values[field.id] = value
  })
  return values
}

/**
 * What makes of the draft the document that the template gives. `before`: what it gave for the
 * entries so far; a title or message that somebody wrote since stays.
 */
export function editForUse(draft: Document, before: NewDocument | undefined, after: NewDocument): DraftEdit {
  const { title, message = '' } = after
  return {
    ...(before?.title === draft.title ? { title } : {}),
    ...(before && (before.message ?? '') === (draft.message ?? '') ? { message: message === '' ? null : message } : {}),
    recipients: draft.recipients.map(({ id, accessCodeHash }, i) => {
      const {
        name = '',
        email = '',
        locale,
        accessCode,
        verify,
        deliverBy = 'email',
        deviceKey = null,
      } = after.recipients[i] ?? {}
      // The access code that the draft has takes the place of what the role asks for.
      const proof = accessCode === undefined && accessCodeHash !== undefined ? null : (verify ?? null)
      const shared = { id, name, email, locale: locale ?? null, verify: proof, deliverBy, deviceKey }
      return { ...shared, ...(accessCode === undefined ? {} : { accessCode }) }
    }),
    fields: [
      ...draft.recipients.flatMap(({ fields }, i) => fieldEdits(fields, after.recipients[i]?.fields ?? [])),
      ...fieldEdits(draft.senderFields, after.senderFields ?? []),
    ],
  }
}

/** Of the values that differ. */
function fieldEdits(fields: readonly Field[], inputs: readonly NewField[]): FieldEdit[] {
  return fields.flatMap((field, i): FieldEdit[] => {
    const { value, readOnly = field.readOnly } = inputs[i] ?? {}
    if (value === field.value && readOnly === field.readOnly) return []
    return [{ id: field.id, value: value ?? null, ...(readOnly === field.readOnly ? {} : { readOnly }) }]
  })
}

// What a sender gives to make a document from a template.

/** A value for a field, as JSON has it. */
export type PlainValue = string | number | boolean

/** `readOnly`: whether the recipient may change it. Without it, as the template says. */
export type GivenValue = PlainValue | { value: PlainValue; readOnly?: boolean }

/** By the name of a field, else by its label, else by its id. Without regard to case. */
export type GivenValues = Record<string, GivenValue>

/** The person who takes a role. */
export interface RoleUse extends Omit<Given<typeof RECIPIENT_MEMBERS>, 'order' | 'role' | 'verify'> {
  /** Name or id of the role, without regard to case. */
  role: string
  email: string
  name: string
  accessCode?: string
  /** In place of the role's; `null`: the link is enough. */
  verify?: Verification | null
  values?: GivenValues
}

/**
 * What a document says beside its template. Members left out are those of the template. Metadata is
 * added to that of the template, labels are in place of it.
 */
export interface TemplateUse extends Pick<NewDocument, 'title' | 'message' | 'metadata' | 'labels' | 'reminders' | Expiry> {
  /** One for each role. */
  recipients: RoleUse[]
  /** Of the fields of the sender. */
  values?: GivenValues
}

type Expiry = 'expiresAt' | 'expiresInDays'
