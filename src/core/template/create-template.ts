/** Makes a template from a request, from a document or from another template. Pure. */
import { type CreateDeps, createDraft, type FileFacts } from '../document/create-document.ts'
import type { Document, Recipient, Transition } from '../document/document.ts'
import { MAX_TITLE } from '../document/document-limits.ts'
import { duplicateInput } from '../document/duplicate-document.ts'
import { type NewDocument, type NewRecipient, type ValidationDeps, validateNewRoles } from '../document/new-document.ts'
import { isFilledByService } from '../field/field.ts'
import { inputOf, type NewField } from '../field/new-field.ts'
import { Refusal, validationRefusal } from '../refusal.ts'
import type { Role } from '../signing/routing.ts'
import { roleKey } from './template-texts.ts'

export interface NewTemplateRole extends Omit<NewRecipient, 'email' | 'accessCode'> {}

export interface NewTemplate extends Omit<NewDocument, 'recipients' | 'expiresAt'> {
  roles: NewTemplateRole[]
  shared?: boolean
}

/** Ids of a template and its roles have prefixes of their own. */
const PREFIXES = { doc: 'tpl', rcp: 'rol', fld: 'fld' } as const

export type NewTemplateId = (prefix: 'tpl' | 'rol' | 'fld') => string

export interface CreateTemplateDeps extends Pick<CreateDeps, 'defaults' | 'now'> {
  newId: NewTemplateId
}

/** The request for a document whose recipients are the roles. */
export function requestOf({ roles, shared: _, ...input }: NewTemplate): NewDocument {
  return { ...input, recipients: roles.map(role => ({ ...role, email: '' })) }
}

/** What a template may lack is what a draft may lack. @throws Refusal `validation_failed` */
export function validateNewTemplate(input: NewTemplate, deps: ValidationDeps): void {
  withRolePaths(() => validateNewRoles(requestOf(input), deps))
}

/** `from`: the document or template it is made from. */
export function createTemplate(
  input: NewTemplate,
  ownerId: string | undefined,
  file: FileFacts,
  { newId, ...deps }: CreateTemplateDeps,
  from?: { documentId: string } | { duplicateOf: string },
): Transition {
  return withRolePaths(() => {
    const draft = createDraft(requestOf(input), ownerId, file, {
      ...deps,
      newId: prefix => newId(PREFIXES[prefix]),
      hashAccessCode: () => '',
    })
    const document: Document = { ...draft.document, status: 'template', isShared: input.shared ?? false }
    const { pageCount, sha256Original, title, fileName, recipients } = document
    const data = { pageCount, originalSha256: sha256Original, roleIds: recipients.map(({ id }) => id), ...from }
    const personal = { title, fileName, roles: recipients.map(({ id, name, role }) => ({ id, name, role })) }
    return { document, events: [{ type: 'template.created', data, personal }] }
  })
}

/** The paths of a template have `roles` where those of a document have `recipients`. */
export function withRolePaths<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw inRolePaths(error)
  }
}

export function inRolePaths(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const [first, ...others] = error.details.map(({ path, ...rest }) => ({ ...rest, path: rolePath(path) }))
  if (error.reason === 'validation_failed' && first) return validationRefusal([first, ...others])
  error.details.splice(0, error.details.length, ...(first ? [first, ...others] : []))
  return error
}

export const rolePath = (path: string) => path.replace(/^recipients\b/, 'roles')

/** Names of the roles that people of a document become. */
export type RoleNames = Record<Role, string>

const ROLE_NAMES: RoleNames = { signer: 'Signer', approver: 'Approver', viewer: 'Reader' }

/**
 * People become roles. Of the values only those stay that the sender entered and nobody may change;
 * the sender's own fields are filled in anew.
 */
export function templateInput(document: Document, names = ROLE_NAMES): NewTemplate {
  const { recipients, metadata: _, expiresAt: __, ...input } = duplicateInput(document)
  const { expiresInDays, senderFields } = document
  return {
    ...input,
    expiresInDays,
    senderFields: senderFields.map(field => withoutValue(inputOf(field))),
    roles: document.recipients.map((recipient, i) => {
      const { email: _email, accessCode: _code, ...role } = recipients[i] ?? { email: '', name: '' }
      return { ...role, name: roleNames(document.recipients, names)[i] ?? '', fields: recipient.fields.map(keptInput) }
    }),
  }
}

function keptInput(field: Recipient['fields'][number]): NewField {
  const input = inputOf(field)
  return field.readOnly && !isFilledByService(field.type) ? input : withoutValue(input)
}

const withoutValue = ({ value: _, ...input }: NewField): NewField => input

/** The word for what they do, if one person alone does it, else their own name. */
function roleNames(recipients: readonly Recipient[], names: RoleNames): string[] {
  const used = new Set<string>()
  return recipients.map(({ role, name }) => {
    const isOnly = recipients.filter(other => other.role === role).length === 1
    const base = isOnly || name === '' ? names[role] : name
    const free = [base, ...recipients.map((_, i) => `${base} ${i + 2}`)].find(each => !used.has(roleKey(each))) ?? base
    used.add(roleKey(free))
    return free
  })
}

/** The title of a duplicate, in the language of its maker. */
export type CopyTitle = (title: string) => string

const COPY_TITLE: CopyTitle = title => `${title} (copy)`

/** A template like another, for its new owner alone. A title that would get too long stays. */
export function duplicateTemplateInput(template: Document, copyTitle = COPY_TITLE): NewTemplate {
  const { recipients, expiresAt: _, ...input } = duplicateInput(template)
  const copied = template.title === '' ? '' : copyTitle(template.title)
  const title = copied.length > MAX_TITLE ? template.title : copied
  return { ...input, title, expiresInDays: template.expiresInDays, roles: recipients.map(({ email: __, ...role }) => role) }
}
