/** The schemas of request bodies and queries of templates. */
import Type from 'typebox'
import {
  MAX_FIELDS,
  MAX_MESSAGE,
  MAX_PERSON_NAME,
  MAX_QUERY_LENGTH,
  MAX_RECIPIENTS,
  MAX_TITLE,
} from '../../../core/document/document-limits.ts'
import type { DraftEdit, RecipientEdit, TemplateEdit as TemplateEditValue } from '../../../core/draft/edit-draft.ts'
import { MAX_FIELD_NAME, MAX_VALUE_LENGTH } from '../../../core/field/field.ts'
import type { NewTemplate as NewTemplateValue } from '../../../core/template/create-template.ts'
import type { GivenValue, RoleUse as RoleUseValue, TemplateUse } from '../../../core/template/template-draft.ts'
import {
  draftEditMembers,
  fileMembers,
  filesMember,
  newDocumentMembers,
  newRecipientMembers,
  PartFileName,
  recipientEditMembers,
} from './requests.ts'
import { Cursor, GivenId, optional, PageLimit, strict, text } from './schema-parts.ts'

const { email: _email, accessCode: _code, deliverBy: _delivery, ...roleMembers } = newRecipientMembers
const { order: _order, fields: _fields, ...personMembers } = newRecipientMembers

const roleName = text(MAX_PERSON_NAME, 'Such as `Tenant`. Unique in the template, without regard to case.')
const NewRole = strict({ ...roleMembers, name: roleName }, { title: 'NewRole' })

const { recipients: _, expiresAt, ...documentMembers } = newDocumentMembers

const newTemplateMembers = {
  ...documentMembers,
  title: optional(text(MAX_TITLE, 'Also the title of documents made from it. May contain placeholders such as `{{Tenant}}`.')),
  message: optional(Type.String({ maxLength: MAX_MESSAGE, description: 'Shown in the invitation. May contain placeholders.' })),
  roles: Type.Array(NewRole, { minItems: 1, maxItems: MAX_RECIPIENTS }),
  shared: optional(Type.Boolean({ description: 'Everybody who may send documents may use the template.', default: false })),
}

type NewTemplateRequest = NewTemplateValue & { file?: string }

export const NewTemplate = Type.Unsafe<NewTemplateRequest>(
  strict({ ...fileMembers, ...newTemplateMembers }, { title: 'NewTemplate' }),
)

export const NewTemplateOfFiles = Type.Unsafe<NewTemplateRequest>(
  strict({ ...filesMember, ...newTemplateMembers }, { title: 'NewTemplateOfFiles' }),
)

export const NewTemplatePart = Type.Unsafe<NewTemplateRequest>(
  strict({ fileName: PartFileName, ...newTemplateMembers }, { title: 'NewTemplatePart' }),
)

export const NewTemplateFromDocument = strict(
  {
    documentId: GivenId(
      'doc',
      '`id` of a document in any state. Its people become roles. Of the values only read-only ones of the sender stay.',
    ),
  },
  { title: 'NewTemplateFromDocument' },
)

const { email: _e, accessCode: _c, deliverBy: _d, ...roleEdit } = recipientEditMembers

const RoleId = optional(
  GivenId('rol', '`id` of a role. An unknown one adds a role with this id: `rol_` and a ULID in lower case.'),
)

const RoleEdit = strict({ ...roleEdit, id: RoleId }, { title: 'RoleEdit' })

const { recipients: _recipients, expiresAt: _expiresAt, ...draftEdit } = draftEditMembers

/** Of the scripts of a template's pages, which are those of a draft: its recipients are roles. */
export const TemplateDraftEdit = Type.Unsafe<DraftEdit>(
  strict({
    ...draftEditMembers,
    recipients: optional(Type.Array(strict({ ...recipientEditMembers, id: RoleId }), { maxItems: MAX_RECIPIENTS })),
  }),
)

export const TemplateEdit = Type.Unsafe<Omit<TemplateEditValue, 'recipients'> & { roles?: RecipientEdit[] }>(
  strict(
    {
      ...draftEdit,
      roles: optional(
        Type.Array(RoleEdit, {
          maxItems: MAX_RECIPIENTS,
          description:
            'All roles in order. Members left out keep their value. A role that is missing is removed with its fields.',
        }),
      ),
      shared: optional(Type.Boolean({ description: 'Everybody who may send documents may use the template.' })),
    },
    { title: 'TemplateEdit' },
  ),
)

const PLAIN = ['string', 'number', 'boolean']

/** One schema, not a union: its errors then name all that is accepted. */
const Given = Type.Unsafe<GivenValue>({
  type: [...PLAIN, 'object'],
  maxLength: MAX_VALUE_LENGTH,
  properties: { value: { type: PLAIN, maxLength: MAX_VALUE_LENGTH }, readOnly: { type: 'boolean' } },
  required: ['value'],
  additionalProperties: false,
})

const GivenValues = (what: string) =>
  Type.Record(Type.String({ minLength: 1, maxLength: MAX_FIELD_NAME }), Given, {
    maxProperties: MAX_FIELDS,
    description: `${what}: by the field’s \`name\`, else by its \`label\` or \`id\`. Each is a value, or \`{value, readOnly}\`.`,
  })

const RoleUse = Type.Unsafe<RoleUseValue>(
  strict(
    {
      ...personMembers,
      role: text(MAX_PERSON_NAME, 'Name or `id` of the role, without regard to case.'),
      values: optional(GivenValues('Values of the fields of this role, as a proposal or read-only')),
    },
    { title: 'RoleUse' },
  ),
)

const { message, metadata, labels, expiresInDays, reminders } = newDocumentMembers

/** What a document says beside its template. */
export const templateUseMembers = {
  recipients: Type.Array(RoleUse, { minItems: 1, maxItems: MAX_RECIPIENTS, description: 'One person for each role.' }),
  values: optional(GivenValues('Values of `senderFields`')),
  title: optional(text(MAX_TITLE, 'Default: that of the template with its placeholders filled in.')),
  message,
  metadata,
  labels,
  expiresAt,
  expiresInDays,
  reminders,
}

export const NewDocumentFromTemplate = Type.Unsafe<TemplateUse & { send?: boolean }>(
  strict(
    {
      ...templateUseMembers,
      send: optional(Type.Boolean({ description: 'Sends the document in the same step.', default: false })),
    },
    { title: 'NewDocumentFromTemplate' },
  ),
)

export const TemplateListQuery = strict({
  limit: PageLimit('Templates'),
  cursor: optional(Cursor('tpl')),
  q: optional(text(MAX_QUERY_LENGTH, 'Text in the title, the file name or the name of a role; ignores case and accents.')),
})
