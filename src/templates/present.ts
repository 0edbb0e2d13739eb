/** The JSON of templates in the API. */

import { rolePath } from '../core/create-template.ts'
import type { Document, Recipient } from '../core/document.ts'
import { checkTemplate } from '../core/template-check.ts'
import { filesOf, presentField } from '../documents/present.ts'

function presentRole({ id, name, role, order, locale, verify }: Recipient) {
  return { id, name, role, order, locale: locale ?? null, verify: verify ?? null }
}

function presentHead(template: Document) {
  return {
    id: template.id,
    title: template.title,
    fileName: template.fileName,
    pageCount: template.pageCount,
    message: template.message ?? null,
    signingOrder: template.signingOrder,
    locale: template.locale ?? null,
    redirectUrl: template.redirectUrl ?? null,
    allowDelegation: template.allowDelegation,
    reminders: template.reminders ?? null,
    expiresInDays: template.expiresInDays,
    metadata: template.metadata,
    labels: template.labels,
    shared: template.isShared,
    sha256: template.sha256Original,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
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
