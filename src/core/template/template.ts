/**
 * Makes the request for a document from a template and what its sender gives, and says what keeps a
 * template from being used. Pure.
 */
import type { Document, Recipient } from '../document/document.ts'
import { MAX_PERSON_NAME, MAX_TITLE } from '../document/document-limits.ts'
import { DRAFT_MEMBERS } from '../document/document-members.ts'
import type { NewDocument, NewRecipient } from '../document/new-document.ts'
import { BLOCKING_VIOLATIONS, type BlockingCode, checkDraft, type DraftCheck } from '../draft/draft-check.ts'
import { inputOf, type NewField } from '../field/new-field.ts'
import { givenOf } from '../members.ts'
import { errorAt, Refusal, refuseIfInvalid, type ValidationError } from '../refusal.ts'
import { cleanLine } from '../text.ts'
import { violation } from '../violation.ts'
import type { RoleUse, TemplateUse } from './template-draft.ts'
import { fillPlaceholders, roleKey, textsOfUse, unknownPlaceholders } from './template-texts.ts'
import { type GivenField, GivenFields, valueName } from './template-values.ts'

/**
 * The people of all roles in the order of the template. The rules of every new document are checked
 * by `validateNewDocument`. @throws Refusal `validation_failed` with paths of `use`
 */
export function newDocumentFrom(template: Document, use: TemplateUse): NewDocument {
  const errors: ValidationError[] = []
  const people = peopleOf(template, use, errors)
  const given = new GivenFields(template)
  given.addSender(use.values ?? {}, errors)
  for (const { role, person, path } of people) given.addRole(role, person.values ?? {}, `${path}.values`, errors)
  given.requireAll(people, errors)
  const texts = textsOfUse(template, people, given)
  const title = use.title ?? cleanLine(fillPlaceholders(template.title, texts))
  const message = use.message ?? fillPlaceholders(template.message ?? '', texts)
  if (title.length > MAX_TITLE) errors.push(errorAt('title', violation('too_long_when_filled', { max: MAX_TITLE })))
  refuseIfInvalid(errors)
  const { message: _message, expiresAt: _expiresAt, expiresInDays: _days, ...own } = givenOf(DRAFT_MEMBERS, template)
  return {
    ...own,
    title,
    fileName: template.fileName,
    ...(message === '' ? {} : { message }),
    ...timesOf(template, use),
    metadata: { ...template.metadata, ...use.metadata },
    labels: use.labels ?? [...template.labels],
    senderFields: template.senderFields.map(field => inputWith(field, given)),
    recipients: people.map(({ role, person }) => newRecipient(role, person, given)),
  }
}

/** A person in a role. `path`: of the person in the request. */
export interface PersonInRole {
  role: Recipient
  person: RoleUse
  path: string
}

/** In the order of the roles. */
function peopleOf({ recipients: roles }: Document, { recipients }: TemplateUse, errors: ValidationError[]): PersonInRole[] {
  const byRole = new Map<Recipient, PersonInRole>()
  const names = roles.map(({ name }) => name)
  recipients.forEach((person, i) => {
    const path = `recipients[${i}]`
    const role = roles.find(r => r.id === person.role) ?? roles.find(r => roleKey(r.name) === roleKey(person.role))
    if (role === undefined) errors.push(errorAt(`${path}.role`, violation('unknown_role', { names })))
    else if (byRole.has(role)) errors.push(errorAt(`${path}.role`, violation('role_taken')))
    else byRole.set(role, { role, person, path })
    if (cleanLine(person.name).length > MAX_PERSON_NAME)
      errors.push(errorAt(`${path}.name`, violation('too_long', { max: MAX_PERSON_NAME })))
  })
  for (const role of roles)
    if (!byRole.has(role)) errors.push(errorAt('recipients', violation('role_missing', { name: role.name })))
  return roles.flatMap(role => byRole.get(role) ?? [])
}

function newRecipient(
  { role, order, locale, verify: ofRole, deviceKey: ruleOfRole, fields }: Recipient,
  person: RoleUse,
  given: GivenFields,
): NewRecipient {
  const language = person.locale ?? locale
  // Who is given an access code or a link does not need the code that the role asks for.
  const isProven = person.accessCode !== undefined || person.deliverBy === 'link'
  const verify = person.verify === undefined && !isProven ? ofRole : person.verify
  const deviceKey = person.deviceKey ?? ruleOfRole
  return {
    name: person.name,
    email: person.email.trim(),
    role,
    order,
    ...(language === undefined ? {} : { locale: language }),
    ...(person.accessCode === undefined ? {} : { accessCode: person.accessCode }),
    ...(verify ? { verify } : {}),
    ...(person.deliverBy === undefined ? {} : { deliverBy: person.deliverBy }),
    ...(deviceKey === undefined ? {} : { deviceKey }),
    fields: fields.map(field => inputWith(field, given)),
  }
}

/** The request for a field of the template with its value. */
function inputWith(field: GivenField['field'], given: GivenFields): NewField {
  const { value, readOnly } = given.of(field)
  const { value: _, ...input } = inputOf(field)
  return { ...input, readOnly, ...(value === undefined ? {} : { value }) }
}

function timesOf(
  { reminders, expiresInDays }: Document,
  use: TemplateUse,
): Pick<NewDocument, 'reminders' | 'expiresAt' | 'expiresInDays'> {
  const isTimed = use.expiresAt !== undefined || use.expiresInDays !== undefined
  return {
    reminders: use.reminders === undefined ? (reminders ?? null) : use.reminders,
    ...(use.expiresAt === undefined ? {} : { expiresAt: use.expiresAt }),
    ...(isTimed ? {} : { expiresInDays }),
    ...(use.expiresInDays === undefined ? {} : { expiresInDays: use.expiresInDays }),
  }
}

/** The path in `use` of what the request has at a path such as `recipients[0].fields[2].value`. */
export function pathInUse(template: Document, use: TemplateUse, path: string): string {
  const [, sender, role = '', field, rest = ''] =
    /^(?:senderFields\[(\d+)\]|recipients\[(\d+)\](?:\.fields\[(\d+)\])?)(.*)$/.exec(path) ?? []
  if (sender !== undefined) return `values.${nameOf(template.senderFields, Number(sender))}`
  const recipient = template.recipients[Number(role)]
  if (role === '' || recipient === undefined) return path
  const at = use.recipients.findIndex(person => person.role === recipient.id || roleKey(person.role) === roleKey(recipient.name))
  return `recipients[${at}]${field === undefined ? rest : `.values.${nameOf(recipient.fields, Number(field))}`}`
}

const nameOf = (fields: Document['senderFields'], index: number) => (fields[index] ? valueName(fields[index]) : index)

// What keeps a template from being used, and what its owner should look at.

/** What is given when the template is used. */
const AT_USE: ReadonlySet<BlockingCode> = new Set(['email_missing', 'email_invalid', 'email_in_use', 'value_missing'])

export function checkTemplate(template: Document, now: Date): DraftCheck {
  const { blocking, warnings } = checkDraft(template, now)
  const hasUnknown = unknownPlaceholders(template).length > 0
  const isPlaceholder = (code: string, path: string) => code === 'leftover_tag' && (path === 'title' || path === 'message')
  return {
    blocking: blocking.filter(({ code }) => !AT_USE.has(code)),
    warnings: warnings.filter(({ code, path }) => hasUnknown || !isPlaceholder(code, path)),
  }
}

/** Throws `invalid_state` with everything that blocks the use. */
export function requireUsable(template: Document, now: Date): void {
  const { blocking } = checkTemplate(template, now)
  if (blocking.length === 0) return
  const details = blocking.map(({ code, path }) => errorAt(path, BLOCKING_VIOLATIONS[code]))
  throw new Refusal('invalid_state', violation('template_unfinished'), details)
}
