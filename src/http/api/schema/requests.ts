/** The schemas of request bodies and queries. What validates a request also documents it. */
import Type from 'typebox'
import { DEFAULT_EXPIRY_DAYS } from '../../../core/document/create-document.ts'
import { DOCUMENT_STATUSES } from '../../../core/document/document.ts'
import {
  MAX_ACCESS_CODE_LENGTH,
  MAX_FIELDS,
  MAX_FILE_NAME_BYTES,
  MAX_LABEL_LENGTH,
  MAX_LABELS,
  MAX_LOCALE,
  MAX_METADATA,
  MAX_METADATA_NAME,
  MAX_METADATA_VALUE,
  MAX_PERSON_NAME,
  MAX_QUERY_LENGTH,
  MAX_REASON,
  MAX_RECIPIENTS,
  MIN_ACCESS_CODE_LENGTH,
} from '../../../core/document/document-limits.ts'
import { DRAFT_MEMBERS, RECIPIENT_MEMBERS } from '../../../core/document/document-members.ts'
import { PUBLIC_EVENTS } from '../../../core/document/event.ts'
import {
  FIELDS_FROM,
  type NewDocument as NewDocumentValue,
  type NewRecipient as NewRecipientValue,
} from '../../../core/document/new-document.ts'
import { MAX_HOLD_REASON } from '../../../core/document/retention.ts'
import type { DraftEdit as DraftEditValue, RecipientEdit as RecipientEditValue } from '../../../core/draft/edit-draft.ts'
import { LANGUAGES } from '../../../core/language.ts'
import { MAX_WEBHOOK_DESCRIPTION, MAX_WEBHOOK_URL } from '../../../core/service-limits.ts'
import { ROLES, SIGNING_ORDERS } from '../../../core/signing/routing.ts'
import { MAX_EMAIL_LENGTH } from '../../../core/text.ts'
import { MAX_FILES } from '../../../documents/files/store-files.ts'
import { idPattern } from '../../../lib/id.ts'
import { FieldEdit, NewField } from './field-schemas.ts'
import {
  ClientId,
  Cursor,
  createMembers,
  editMembers,
  GivenId,
  oneOf,
  optional,
  orNull,
  PageLimit,
  reminderMembers,
  strict,
  Time,
  text,
} from './schema-parts.ts'

export const Locale = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: MAX_LOCALE,
  description: `BCP 47 language tag, such as \`de\` or \`pt-BR\`. Pages and mails exist in ${LANGUAGES.map(code => `\`${code}\``).join(', ')}; for other languages they are in English.`,
})

const EmailAddress = text(MAX_EMAIL_LENGTH)
const PersonName = text(MAX_PERSON_NAME)

const RECIPIENT_WORDS = {
  role: `Default \`${ROLES[0]}\`.`,
  order: 'For `sequential`; recipients of equal order are invited together.',
  verify:
    'A one-time code of six digits is asked before the document is shown, in place of `accessCode`. `email_code`: mailed to the recipient. `webhook_code`: given to the webhooks that subscribe to `recipient.code_sent` by name, whose program passes it on. `null`: the link is enough.',
  deliverBy:
    'Default `email`. With `link` no invitation, reminder or notice is mailed: your program hands out signing links, for which its token needs the scope `links:create`. Only the sealed copy is mailed.',
  deviceKey:
    'Whether the signer signs in addition with a key of their own device (WebAuthn). `off`, `offered`: as they like, or `required`: nobody signs without a device that asks for a finger, a face or a PIN. Default: as the document says.',
}

const AccessCode = Type.String({
  minLength: MIN_ACCESS_CODE_LENGTH,
  maxLength: MAX_ACCESS_CODE_LENGTH,
  description: 'Asked before the document is shown. Give it to the recipient by another channel than e-mail.',
})

const created = createMembers(RECIPIENT_MEMBERS, RECIPIENT_WORDS)

export const newRecipientMembers = {
  ...created,
  email: EmailAddress,
  name: PersonName,
  locale: optional(Locale),
  accessCode: optional(AccessCode),
  verify: optional(orNull(created.verify)),
  fields: optional(Type.Array(NewField, { maxItems: MAX_FIELDS })),
}

const NewRecipient = Type.Unsafe<NewRecipientValue>(strict(newRecipientMembers, { title: 'NewRecipient' }))

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

const DRAFT_WORDS = {
  message: 'Shown in the invitation.',
  signingOrder: `Default \`${SIGNING_ORDERS[0]}\`.`,
  expiresInDays: `Counted from sending; default ${DEFAULT_EXPIRY_DAYS}.`,
  redirectUrl: 'Offered as a link when the recipient has finished.',
  deviceKey: 'For recipients who have no `deviceKey` of their own. Default: as the organisation says.',
}

const notPlain = {
  locale: optional(Locale),
  reminders: optional(orNull(strict(reminderMembers, { title: 'NewReminders' }))),
  metadata: optional(
    Type.Record(Type.String({ minLength: 1, maxLength: MAX_METADATA_NAME }), Type.String({ maxLength: MAX_METADATA_VALUE }), {
      maxProperties: MAX_METADATA,
    }),
  ),
  labels: optional(Labels),
}

export const newDocumentMembers = {
  ...createMembers(DRAFT_MEMBERS, { ...DRAFT_WORDS, title: 'Default: the name of the first file, without `.pdf`.' }),
  ...notPlain,
  recipients: Type.Array(NewRecipient, { minItems: 1, maxItems: MAX_RECIPIENTS }),
  senderFields: optional(
    Type.Array(NewField, {
      maxItems: MAX_FIELDS,
      description: 'Filled in by the sender before the sending; shown to everybody.',
    }),
  ),
  fieldsFrom: optional(
    Type.Array(oneOf(FIELDS_FROM), {
      maxItems: FIELDS_FROM.length,
      description:
        'Also makes fields of what the PDF contains. `form`: the fields of its form, for the only signer. `tags`: texts such as `{{signature:1}}` and `{{text:2:Label}}`, for the recipient of that number.',
    }),
  ),
  allowDelegation: optional(
    Type.Boolean({ description: 'Recipients may name a colleague who acts in their place.', default: true }),
  ),
}

const send = optional(Type.Boolean({ description: 'Sends the document in the same step.', default: false }))

const FileName = text(MAX_FILE_NAME_BYTES)

/** Of a form, whose other parts are the files. */
export const PartFileName = optional(text(MAX_FILE_NAME_BYTES, 'Of the one file, in place of the name that its part has.'))

export const fileMembers = { fileName: FileName, file: PdfFile }

/** Of several PDFs. */
export const filesMember = {
  files: Type.Array(strict(fileMembers, { title: 'NewFile' }), {
    minItems: 1,
    maxItems: MAX_FILES,
    description: 'In place of `fileName` and `file`: PDFs that are joined in this order into one.',
  }),
}

/** With one file, with several, or as the part of a form. */
export type NewDocumentRequest = NewDocumentValue & { file?: string; send?: boolean }

export const NewDocument = Type.Unsafe<NewDocumentRequest>(
  strict({ ...fileMembers, ...newDocumentMembers, send }, { title: 'NewDocument' }),
)

export const NewDocumentOfFiles = Type.Unsafe<NewDocumentRequest>(
  strict({ ...filesMember, ...newDocumentMembers, send }, { title: 'NewDocumentOfFiles' }),
)

export const NewDocumentPart = Type.Unsafe<NewDocumentRequest>(
  strict({ fileName: PartFileName, ...newDocumentMembers, send }, { title: 'NewDocumentPart' }),
)

export const recipientEditMembers = {
  ...editMembers(RECIPIENT_MEMBERS, RECIPIENT_WORDS),
  id: optional(ClientId('rcp', 'recipient')),
  email: optional(Type.String({ maxLength: MAX_EMAIL_LENGTH, description: 'Empty while it is not known.' })),
  name: optional(Type.String({ maxLength: MAX_PERSON_NAME, description: 'Empty while it is not known.' })),
  locale: optional(orNull(Locale)),
  accessCode: optional(orNull(AccessCode)),
}

const RecipientEdit = Type.Unsafe<RecipientEditValue>(strict(recipientEditMembers, { title: 'RecipientEdit' }))

export const draftEditMembers = {
  ...editMembers(DRAFT_MEMBERS, DRAFT_WORDS),
  ...notPlain,
  recipients: optional(
    Type.Array(RecipientEdit, {
      maxItems: MAX_RECIPIENTS,
      description:
        'All recipients in order. Members left out keep their value. A recipient that is missing is removed with its fields.',
    }),
  ),
  fields: optional(
    // As many as may be removed and added in one edit.
    Type.Array(FieldEdit, {
      maxItems: 2 * MAX_FIELDS,
      description: 'Fields to add, change or remove. Others stay as they are.',
    }),
  ),
  locale: optional(orNull(Locale)),
}

export const DraftEdit = Type.Unsafe<DraftEditValue>(strict(draftEditMembers, { title: 'DraftEdit' }))

export const RecipientCorrection = strict(
  { email: optional(EmailAddress), name: optional(PersonName) },
  { title: 'RecipientCorrection' },
)

export const VoidRequest = strict({ reason: text(MAX_REASON, 'Recorded in the audit trail.') }, { title: 'VoidRequest' })

export const LegalHoldRequest = strict(
  { reason: text(MAX_HOLD_REASON, 'Recorded in the audit log. Recipients do not see it.') },
  { title: 'LegalHoldRequest' },
)

export const VerifyRequest = strict({ file: PdfFile }, { title: 'VerifyRequest' })

/** A proof in a log of 2^63 entries has at most two hashes a level. */
const MAX_PROOF = 128
const MAX_CHECKPOINT_TEXT = 64_000

export const WitnessRequest = strict(
  {
    checkpoint: Type.String({ maxLength: MAX_CHECKPOINT_TEXT, description: 'The S/MIME message, as it was signed.' }),
    from: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The size of the log from which `proof` leads to the checkpoint; 0 if none was seen before.',
    }),
    proof: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
      maxItems: MAX_PROOF,
      description: 'The consistency proof: SHA-256 hashes in lower-case hex.',
    }),
  },
  { title: 'WitnessRequest' },
)

const WebhookUrl = text(MAX_WEBHOOK_URL, 'An `http` or `https` address without credentials.')
const WebhookEvents = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: `\`*\` for all, or any of ${PUBLIC_EVENTS.map(type => `\`${type}\``).join(', ')}.`,
})

const WebhookDescription = Type.String({
  maxLength: MAX_WEBHOOK_DESCRIPTION,
  description: 'What it is for, for people; one line.',
})

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
  limit: PageLimit('Deliveries'),
  cursor: optional(Cursor('dlv')),
})

export const EventQuery = strict({
  limit: PageLimit('Events'),
  cursor: optional(GivenId('evt', 'The id of an event: those after it are listed.')),
  type: optional(oneOf(PUBLIC_EVENTS)),
  documentId: optional(GivenId('doc', '`id` of a document, also of a deleted one.')),
})

const ANY_STATUS = DOCUMENT_STATUSES.join('|')

export const ListQuery = strict({
  limit: PageLimit('Documents'),
  cursor: optional(
    Type.String({ pattern: `^(${idPattern('doc')}|chg_[0-9]{1,15})$`, description: '`nextCursor` of the previous page.' }),
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
  email: optional(text(MAX_EMAIL_LENGTH, 'E-mail address of a recipient.')),
  q: optional(
    text(MAX_QUERY_LENGTH, 'Text in the title, the file name, or the name or e-mail of a recipient; ignores case and accents.'),
  ),
  createdAfter: optional(Time),
  createdBefore: optional(Time),
  updatedAfter: optional(Time),
  label: optional(text(MAX_LABEL_LENGTH, 'A label of the document; ignores case.')),
  metadata: optional(
    Type.Record(Type.String(), Type.String(), { maxProperties: MAX_METADATA, description: 'Written as `metadata[key]=value`.' }),
  ),
})

export const FileQuery = strict({
  version: optional(oneOf(['sealed', 'original'], 'Default: `sealed` once the document is completed.')),
})

export const NoQuery = strict({})
export const NoBody = strict({})
