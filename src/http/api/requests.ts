/** The schemas of request bodies and queries. What validates a request also documents it. */
import Type from 'typebox'
import { DOCUMENT_STATUSES } from '../../core/document.ts'
import { PUBLIC_EVENTS } from '../../core/event.ts'
import { MAX_LABEL_LENGTH, MAX_LABELS } from '../../core/label.ts'
import { LANGUAGES } from '../../core/language.ts'
import { FIELDS_FROM } from '../../core/new-document.ts'
import { DELIVERIES, ROLES, SIGNING_ORDERS } from '../../core/routing.ts'
import { VERIFICATIONS } from '../../core/verification.ts'
import { MAX_FILES } from '../../documents/store-files.ts'
import { FieldEdit, NewField } from './field-schemas.ts'
import { ClientId, oneOf, optional, orNull, reminderMembers, strict, Time, text } from './schema-parts.ts'

export const Locale = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: `BCP 47 language tag, such as \`de\` or \`pt-BR\`. Pages and mails exist in ${LANGUAGES.map(code => `\`${code}\``).join(', ')}; for other languages they are in English.`,
})

export const Verify = oneOf(
  VERIFICATIONS,
  'A one-time code of six digits is asked before the document is shown, in place of `accessCode`. `email_code`: mailed to the recipient. `webhook_code`: given to the webhooks that subscribe to `recipient.code_sent` by name, whose program passes it on. `null`: the link is enough.',
)

export const NewRecipient = strict(
  {
    email: text(254),
    name: text(200),
    role: optional(oneOf(ROLES, `Default \`${ROLES[0]}\`.`)),
    order: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'For `sequential`; recipients of equal order are invited together.',
      }),
    ),
    locale: optional(Locale),
    accessCode: optional(
      Type.String({
        minLength: 6,
        maxLength: 64,
        description: 'Asked before the document is shown. Give it to the recipient by another channel than e-mail.',
      }),
    ),
    verify: optional(orNull(Verify)),
    deliverBy: optional(
      oneOf(
        DELIVERIES,
        'Default `email`. With `link` no invitation, reminder or notice is mailed: your program hands out signing links, for which its token needs the scope `links:create`. Only the sealed copy is mailed.',
      ),
    ),
    fields: optional(Type.Array(NewField, { maxItems: 1000 })),
  },
  { title: 'NewRecipient' },
)

export const Labels = Type.Array(text(MAX_LABEL_LENGTH), {
  maxItems: MAX_LABELS,
  description: 'Words to find the document by. Recipients do not see them.',
})

/** The pipeline streams it to disk; validation sees an empty string. */
const PdfFile = Type.String({
  contentEncoding: 'base64',
  contentMediaType: 'application/pdf',
  description: 'The PDF, in base64 (RFC 4648 §4).',
})

const newDocumentMembers = {
  title: optional(text(255, 'Default: the name of the first file, without `.pdf`.')),
  recipients: Type.Array(NewRecipient, { minItems: 1, maxItems: 100 }),
  senderFields: optional(
    Type.Array(NewField, { maxItems: 1000, description: 'Filled in by the sender before the sending; shown to everybody.' }),
  ),
  fieldsFrom: optional(
    Type.Array(oneOf(FIELDS_FROM), {
      maxItems: FIELDS_FROM.length,
      description:
        'Also makes fields of what the PDF contains. `form`: the fields of its form, for the only signer. `tags`: texts such as `{{signature:1}}` and `{{text:2:Label}}`, for the recipient of that number.',
    }),
  ),
  message: optional(Type.String({ maxLength: 5000, description: 'Shown in the invitation.' })),
  signingOrder: optional(oneOf(SIGNING_ORDERS, `Default \`${SIGNING_ORDERS[0]}\`.`)),
  expiresAt: optional(Time),
  expiresInDays: optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Counted from sending; default 30.' })),
  reminders: optional(orNull(strict(reminderMembers, { title: 'NewReminders' }))),
  locale: optional(Locale),
  metadata: optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 500 }), { maxProperties: 20 }),
  ),
  labels: optional(Labels),
  allowDelegation: optional(
    Type.Boolean({ description: 'Recipients may name a colleague who acts in their place.', default: true }),
  ),
  redirectUrl: optional(text(2000, 'Offered as a link when the recipient has finished.')),
}

const send = optional(Type.Boolean({ description: 'Sends the document in the same step.', default: false }))

export const NewDocument = strict({ fileName: text(255), file: PdfFile, ...newDocumentMembers, send }, { title: 'NewDocument' })

/** Of several PDFs. */
export const NewDocumentOfFiles = strict(
  {
    files: Type.Array(strict({ fileName: text(255), file: PdfFile }, { title: 'NewFile' }), {
      minItems: 1,
      maxItems: MAX_FILES,
      description: 'In place of `fileName` and `file`: PDFs that are joined in this order into one.',
    }),
    ...newDocumentMembers,
    send,
  },
  { title: 'NewDocumentOfFiles' },
)

/** Of a form, whose other parts are the files. */
export const NewDocumentPart = strict(
  {
    fileName: optional(text(255, 'Of the one file, in place of the name that its part has.')),
    ...newDocumentMembers,
    send,
  },
  { title: 'NewDocumentPart' },
)

export const RecipientEdit = strict(
  {
    id: optional(ClientId('rcp', 'recipient')),
    email: optional(Type.String({ maxLength: 254, description: 'Empty while it is not known.' })),
    name: optional(Type.String({ maxLength: 200, description: 'Empty while it is not known.' })),
    role: NewRecipient.properties.role,
    order: NewRecipient.properties.order,
    locale: optional(orNull(Locale)),
    accessCode: optional(orNull(NewRecipient.properties.accessCode)),
    deliverBy: NewRecipient.properties.deliverBy,
    verify: NewRecipient.properties.verify,
  },
  { title: 'RecipientEdit' },
)

const ownMembers = NewDocument.properties

export const DraftEdit = strict(
  {
    title: optional(text(255)),
    message: optional(orNull(ownMembers.message)),
    recipients: optional(
      Type.Array(RecipientEdit, {
        maxItems: 100,
        description:
          'All recipients in order. Members left out keep their value. A recipient that is missing is removed with its fields.',
      }),
    ),
    fields: optional(
      Type.Array(FieldEdit, { maxItems: 2000, description: 'Fields to add, change or remove. Others stay as they are.' }),
    ),
    signingOrder: ownMembers.signingOrder,
    expiresAt: optional(orNull(Time)),
    expiresInDays: ownMembers.expiresInDays,
    reminders: ownMembers.reminders,
    locale: optional(orNull(Locale)),
    metadata: ownMembers.metadata,
    labels: ownMembers.labels,
    redirectUrl: optional(orNull(ownMembers.redirectUrl)),
    allowDelegation: optional(Type.Boolean()),
  },
  { title: 'DraftEdit' },
)

export const RecipientCorrection = strict(
  { email: optional(text(254)), name: optional(text(200)) },
  { title: 'RecipientCorrection' },
)

export const VoidRequest = strict({ reason: text(1000, 'Recorded in the audit trail.') }, { title: 'VoidRequest' })

export const LegalHoldRequest = strict(
  { reason: text(1000, 'Recorded in the audit log. Recipients do not see it.') },
  { title: 'LegalHoldRequest' },
)

export const VerifyRequest = strict({ file: PdfFile }, { title: 'VerifyRequest' })

const WebhookUrl = text(2000, 'An `http` or `https` address without credentials.')
const WebhookEvents = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: `\`*\` for all, or any of ${PUBLIC_EVENTS.map(type => `\`${type}\``).join(', ')}.`,
})

const WebhookDescription = Type.String({ maxLength: 200, description: 'What it is for, for people; one line.' })

export const NewWebhookEndpoint = strict(
  { url: WebhookUrl, description: optional(WebhookDescription), events: WebhookEvents },
  { title: 'NewWebhookEndpoint' },
)

export const WebhookEndpointUpdate = strict(
  {
    url: optional(WebhookUrl),
    description: optional(WebhookDescription),
    events: optional(WebhookEvents),
    enabled: optional(Type.Boolean({ description: 'While it is `false`, events are not delivered, also not later.' })),
  },
  { title: 'WebhookEndpointUpdate' },
)

export const RedeliveryRequest = strict({ since: Time }, { title: 'RedeliveryRequest' })

export const DeliveryQuery = strict({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Deliveries per page; default 25.' })),
  cursor: optional(Type.String({ pattern: '^dlv_[0-9a-z]{26}$', description: '`nextCursor` of the previous page.' })),
})

export const EventQuery = strict({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Events per page; default 25.' })),
  cursor: optional(Type.String({ pattern: '^evt_[0-9a-z]{26}$', description: 'The id of an event: those after it are listed.' })),
  type: optional(oneOf(PUBLIC_EVENTS)),
  documentId: optional(Type.String({ pattern: '^doc_[0-9a-z]{26}$', description: '`id` of a document, also of a deleted one.' })),
})

const ANY_STATUS = DOCUMENT_STATUSES.join('|')

export const ListQuery = strict({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Documents per page; default 25.' })),
  cursor: optional(
    Type.String({ pattern: '^(doc_[0-9a-z]{26}|chg_[0-9]{1,15})$', description: '`nextCursor` of the previous page.' }),
  ),
  order: optional(
    oneOf(
      ['created', 'changed'],
      'Default: `created`, newest first. `changed`: oldest change first; there is always a `nextCursor`, and the page after it has all that has changed meanwhile.',
    ),
  ),
  status: optional(
    Type.String({
      pattern: `^(${ANY_STATUS})(,(${ANY_STATUS}))*$`,
      description: `One status or several with commas between: ${DOCUMENT_STATUSES.map(s => `\`${s}\``).join(', ')}.`,
    }),
  ),
  email: optional(text(254, 'E-mail address of a recipient.')),
  q: optional(text(200, 'Text in the title, the file name, or the name or e-mail of a recipient; ignores case and accents.')),
  createdAfter: optional(Time),
  createdBefore: optional(Time),
  updatedAfter: optional(Time),
  label: optional(text(MAX_LABEL_LENGTH, 'A label of the document; ignores case.')),
  metadata: optional(
    Type.Record(Type.String(), Type.String(), { maxProperties: 20, description: 'Written as `metadata[key]=value`.' }),
  ),
})

export const FileQuery = strict({
  version: optional(oneOf(['sealed', 'original'], 'Default: `sealed` once the document is completed.')),
})

export const NoQuery = strict({})
export const NoBody = strict({})
