/** The schemas of request bodies and queries of templates. */
import Type from 'typebox'
import type { GivenValue } from '../../core/template.ts'
import { DraftEdit, Labels, Locale, NewDocument, NewDocumentOfFiles, NewRecipient, RecipientEdit } from './requests.ts'
import { optional, strict, text } from './schema-parts.ts'

const { order, role, locale, fields, accessCode, deliverBy, verify } = NewRecipient.properties

const NewRole = strict(
  { name: text(200, 'Such as `Tenant`. Unique in the template, without regard to case.'), role, order, locale, verify, fields },
  { title: 'NewRole' },
)

const { recipients: _, send: _send, expiresAt, file, fileName, ...documentMembers } = NewDocument.properties

const newTemplateMembers = {
  ...documentMembers,
  title: optional(text(255, 'Also the title of documents made from it. May contain placeholders such as `{{Tenant}}`.')),
  message: optional(Type.String({ maxLength: 5000, description: 'Shown in the invitation. May contain placeholders.' })),
  roles: Type.Array(NewRole, { minItems: 1, maxItems: 100 }),
  shared: optional(Type.Boolean({ description: 'Everybody who may send documents may use the template.', default: false })),
}

export const NewTemplate = strict({ fileName, file, ...newTemplateMembers }, { title: 'NewTemplate' })

/** Of several PDFs. */
export const NewTemplateOfFiles = strict(
  { files: NewDocumentOfFiles.properties.files, ...newTemplateMembers },
  { title: 'NewTemplateOfFiles' },
)

/** Of a form, whose other parts are the files. */
export const NewTemplatePart = strict(
  { fileName: optional(text(255, 'Of the one file, in place of the name that its part has.')), ...newTemplateMembers },
  { title: 'NewTemplatePart' },
)

export const NewTemplateFromDocument = strict(
  {
    documentId: Type.String({
      pattern: '^doc_[0-9a-z]{26}$',
      description:
        '`id` of a document in any state. Its people become roles. Of the values only read-only ones of the sender stay.',
    }),
  },
  { title: 'NewTemplateFromDocument' },
)

const { email: _email, accessCode: _code, deliverBy: _delivery, id: _id, ...roleEdit } = RecipientEdit.properties

const RoleEdit = strict(
  {
    id: optional(
      Type.String({
        pattern: '^rol_[0-9a-z]{26}$',
        description: '`id` of a role. An unknown one adds a role with this id: `rol_` and a ULID in lower case.',
      }),
    ),
    ...roleEdit,
  },
  { title: 'RoleEdit' },
)

const { recipients: _recipients, expiresAt: _expiresAt, ...draftEdit } = DraftEdit.properties

/** Of the scripts of a template's pages, which are those of a draft: its recipients are roles. */
export const TemplateDraftEdit = strict({
  ...DraftEdit.properties,
  recipients: optional(Type.Array(strict({ ...RecipientEdit.properties, id: RoleEdit.properties.id }), { maxItems: 100 })),
})

export const TemplateEdit = strict(
  {
    ...draftEdit,
    roles: optional(
      Type.Array(RoleEdit, {
        maxItems: 100,
        description: 'All roles in order. Members left out keep their value. A role that is missing is removed with its fields.',
      }),
    ),
    shared: optional(Type.Boolean({ description: 'Everybody who may send documents may use the template.' })),
  },
  { title: 'TemplateEdit' },
)

const PLAIN = ['string', 'number', 'boolean']

/** One schema, not a union: its errors then name all that is accepted. */
const Given = Type.Unsafe<GivenValue>({
  type: [...PLAIN, 'object'],
  maxLength: 5000,
  properties: { value: { type: PLAIN, maxLength: 5000 }, readOnly: { type: 'boolean' } },
  required: ['value'],
  additionalProperties: false,
})

const GivenValues = (what: string) =>
  Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Given, {
    maxProperties: 1000,
    description: `${what}: by the field’s \`name\`, else by its \`label\` or \`id\`. Each is a value, or \`{value, readOnly}\`.`,
  })

const RoleUse = strict(
  {
    role: text(200, 'Name or `id` of the role, without regard to case.'),
    email: text(254),
    name: text(200),
    locale: optional(Locale),
    accessCode,
    deliverBy,
    verify,
    values: optional(GivenValues('Values of the fields of this role, as a proposal or read-only')),
  },
  { title: 'RoleUse' },
)

const { message, metadata, expiresInDays, reminders } = NewDocument.properties

/** What a document says beside its template. */
export const templateUseMembers = {
  recipients: Type.Array(RoleUse, { minItems: 1, maxItems: 100, description: 'One person for each role.' }),
  values: optional(GivenValues('Values of `senderFields`')),
  title: optional(text(255, 'Default: that of the template with its placeholders filled in.')),
  message,
  metadata,
  labels: optional(Labels),
  expiresAt,
  expiresInDays,
  reminders,
}

export const NewDocumentFromTemplate = strict(
  {
    ...templateUseMembers,
    send: optional(Type.Boolean({ description: 'Sends the document in the same step.', default: false })),
  },
  { title: 'NewDocumentFromTemplate' },
)

export const TemplateListQuery = strict({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Templates per page; default 25.' })),
  cursor: optional(Type.String({ pattern: '^tpl_[0-9a-z]{26}$', description: '`nextCursor` of the previous page.' })),
  q: optional(text(200, 'Text in the title, the file name or the name of a role; ignores case and accents.')),
})
