/** The JSON of templates in the API. */
import type { Document, Recipient } from '../core/document/document.ts'
import { DRAFT_MEMBERS, RECIPIENT_MEMBERS } from '../core/document/document-members.ts'
import { rolePath } from '../core/template/create-template.ts'
import { checkTemplate } from '../core/template/template.ts'
import { filesOf, presenter, presentField } from '../documents/present.ts'

const { email: _email, deliverBy: _deliverBy, ...ROLE_MEMBERS } = RECIPIENT_MEMBERS
const { expiresAt: _expiresAt, ...TEMPLATE_MEMBERS } = DRAFT_MEMBERS

const addRoleMembers = presenter(ROLE_MEMBERS)
const addMembers = presenter(TEMPLATE_MEMBERS)

const presentRole = (role: Recipient) => addRoleMembers(role, { id: role.id })

function presentHead(template: Document) {
  const { id, fileName, pageCount, createdAt, updatedAt } = template
  return {
    ...addMembers(template, { id, fileName, pageCount }),
    shared: template.isShared,
    sha256: template.sha256Original,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function presentTemplate(template: Document) {
  // A template has no time of expiry, so that what blocks its use does not depend on the clock.
  const { blocking } = checkTemplate(template, template.updatedAt)
  return {
    ...presentHead(template),
    files: filesOf(template),
    senderFields: template.senderFields.map(presentField),
    roles: template.recipients.map(role => ({ ...presentRole(role), fields: role.fields.map(presentField) })),
    problems: blocking.map(({ code, path }) => ({ code, path: rolePath(path) })),
  }
}

/** Without fields: for lists. */
export function presentTemplateSummary(template: Document) {
  return { ...presentHead(template), roles: template.recipients.map(presentRole) }
}
