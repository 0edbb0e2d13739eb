/** The schemas of response bodies of templates. */
import Type from 'typebox'
import { DOCUMENT_STATUSES } from '../../../core/document/document.ts'
import { BLOCKING_CODES } from '../../../core/draft/draft-check.ts'
import { DEVICE_KEY_RULES } from '../../../core/signing/device-key.ts'
import { VERIFICATIONS } from '../../../core/signing/verification.ts'
import { Field } from './field-schemas.ts'
import { answeredRecipient, documentMembers, FileList, Warnings } from './responses.ts'
import { component, described, Id, openEnum, orNull, Sha256 } from './schema-parts.ts'

const { id: _id, status: _status, expiresAt, sentAt, completedAt, sealingError, sealLevel, heldSince, ...kept } = documentMembers
const { name, role, order } = answeredRecipient

const roleMembers = {
  id: Id('rol'),
  ...{ name, role, order },
  locale: orNull(described('Language of the mails and pages for the person in this role; `null`: that of the document.')),
  verify: orNull(
    openEnum(VERIFICATIONS, 'The one-time code that the person in this role is asked for; `null`: the link is enough.'),
  ),
  deviceKey: orNull(
    openEnum(DEVICE_KEY_RULES, 'Whether a key of the device of the signer is asked for; `null`: as the template says.'),
  ),
}

const templateMembers = {
  id: Id('tpl'),
  ...kept,
  shared: Type.Boolean({ description: 'Whether everybody who may send documents may use it.' }),
  sha256: Sha256('the PDF'),
}

const Problem = component('TemplateProblem', {
  code: openEnum(BLOCKING_CODES),
  path: described('Such as `fields/fld_…/options` or `roles/rol_…/name`.'),
})

export const Template = component('Template', {
  ...templateMembers,
  files: FileList,
  senderFields: Type.Array(Field),
  roles: Type.Array(component('TemplateRole', { ...roleMembers, fields: Type.Array(Field) })),
  problems: Type.Array(Problem, { description: 'What must be mended before documents can be made from it.' }),
})

const TemplateSummary = component(
  'TemplateSummary',
  { ...templateMembers, roles: Type.Array(component('TemplateRoleSummary', roleMembers, 'A role without fields.')) },
  'A template without fields.',
)

export const TemplatePage = component('TemplatePage', {
  data: Type.Array(TemplateSummary),
  nextCursor: orNull(
    described('`null` on the last page. With a text that matches rarely, a page may be short or empty before it.'),
  ),
})

export const CreatedTemplate = component('CreatedTemplate', {
  id: Id('tpl'),
  roles: Type.Array(component('CreatedRole', { id: Id('rol'), name: Type.String() })),
  warnings: Warnings,
})

export const DeletedTemplate = component('DeletedTemplate', { id: Id('tpl') })

export const DocumentFromTemplate = component('DocumentFromTemplate', {
  id: Id('doc'),
  status: openEnum(DOCUMENT_STATUSES),
  recipients: Type.Array(component('RecipientInRole', { id: Id('rcp'), email: Type.String(), name: Type.String() })),
  notified: Type.Integer({ description: 'Recipients who were invited; their mails are queued. 0 for a draft.' }),
})
