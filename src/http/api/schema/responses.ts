/** The schemas of response bodies. They describe what `present` answers; a test compares both. */
import Type from 'typebox'
import { DOCUMENT_STATUSES } from '../../../core/document/document.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../../../core/document/document-members.ts'
import { SCOPES } from '../../../ports.ts'
import { CODES, errorCatalogue } from '../../error-codes.ts'
import { Field } from './field-schemas.ts'
import {
  component,
  described,
  Id,
  openEnum,
  optional,
  orNull,
  reminderMembers,
  responseMembers,
  Sha256,
  Time,
} from './schema-parts.ts'

const Warning = component('Warning', {
  code: described('Such as `earlier_revisions` or `hidden_content`. Codes may be added within v1.'),
  message: Type.String(),
})

export const Warnings = Type.Array(Warning, {
  description: 'Problems that were found in the PDF. The document can be sent all the same.',
})

export const CreatedDocument = component('CreatedDocument', {
  id: Id('doc'),
  status: openEnum(DOCUMENT_STATUSES),
  recipients: Type.Array(component('CreatedRecipient', { id: Id('rcp'), email: Type.String() })),
  warnings: Warnings,
})

export const answeredRecipient = responseMembers(RECIPIENT_MEMBERS, {
  locale: 'Language of the mails and pages for this recipient; `null`: that of the document.',
  verify: 'The one-time code that is asked before the document is shown.',
  deliverBy: '`link`: by a signing link that your program hands out; only the sealed copy is mailed.',
  deviceKey: 'Whether a key of the device of the signer is asked for; `null`: as the document says.',
})

const recipientMembers = {
  id: Id('rcp'),
  ...answeredRecipient,
  hasAccessCode: Type.Boolean(),
  codeLocked: Type.Boolean({ description: 'Too many wrong codes were entered: `unlockRecipient` gives new tries.' }),
  ...responseMembers(RECIPIENT_STATE, {
    emailStatus: '`delivered`: accepted by the mail server, or written to the outbox folder where none is set.',
  }),
}

export const documentMembers = {
  id: Id('doc'),
  status: openEnum(DOCUMENT_STATUSES),
  ...responseMembers(DRAFT_MEMBERS, { expiresInDays: 'Days from sending to expiry, where a draft has no `expiresAt`.' }),
  reminders: orNull(component('Reminders', reminderMembers)),
  metadata: Type.Record(Type.String(), Type.String()),
  labels: Type.Array(Type.String()),
  ...responseMembers(DOCUMENT_STATE, {
    sealingError: 'Why the document is not sealed yet. Sealing is tried again.',
    sealLevel:
      'PAdES baseline level of the sealed file (EN 319 142-1 §6.2); `null` before, and of a seal with the sub-filter `adbe.pkcs7.detached`.',
  }),
  sha256: component('DocumentHashes', {
    original: Sha256('the PDF that is signed'),
    sealed: orNull(Sha256('the newest sealed version; a later version begins with the bytes of the one before')),
  }),
  heldSince: orNull(
    Type.String({ format: 'date-time', description: 'When the legal hold was set that keeps it from being deleted.' }),
  ),
}

export const Recipient = component('Recipient', { ...recipientMembers, fields: Type.Array(Field) })

export const FileList = Type.Array(
  component('DocumentFile', {
    fileName: Type.String(),
    sha256: Sha256('the file as it was uploaded'),
    pageCount: Type.Integer(),
  }),
  { description: 'The uploads in order. Several are joined into the PDF that is signed.' },
)

export const Document = component('Document', {
  ...documentMembers,
  files: FileList,
  senderFields: Type.Array(Field, { description: 'Filled in by the sender. They are read-only and shown to everybody.' }),
  recipients: Type.Array(Recipient),
})

export const RecipientSummary = component('RecipientSummary', recipientMembers, 'A recipient without fields.')
export const DocumentSummary = component(
  'DocumentSummary',
  { ...documentMembers, recipients: Type.Array(RecipientSummary) },
  'A document whose recipients have no `fields`.',
)

export const DocumentPage = component('DocumentPage', {
  data: Type.Array(DocumentSummary),
  nextCursor: orNull(
    described(
      '`null` on the last page; never with `order=changed`. With a filter that matches rarely, a page may be short or empty before it.',
    ),
  ),
  asOf: Type.String({
    format: 'date-time',
    description:
      'Of the first page: whoever has read all pages and passes it as `updatedAfter` next time misses no change. What changed last may come twice.',
  }),
})

export const DocumentState = component('DocumentState', { id: Id('doc'), status: openEnum(DOCUMENT_STATUSES) })

export const LegalHold = component('LegalHold', {
  id: Id('doc'),
  heldSince: orNull(Time),
})

export const DeletedResource = component('DeletedResource', { id: Type.String() })

const AuditEvent = component('AuditEvent', {
  sequence: Type.Integer({ description: 'Position in the chain of all documents, from 1, without missing numbers.' }),
  id: Id('evt'),
  type: described('Event types of webhooks, and further types that only the audit log has.'),
  at: Time,
  actor: Type.String(),
  recipientId: orNull(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
  personal: orNull(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Personal data, such as the IP address. `null` once erased.' }),
  ),
  salt: orNull(
    described(
      'Hex. `personal` inside `entry` is the SHA-256, in hex, of the bytes of this salt and the canonical JSON of `personal` in UTF-8. `null` once erased.',
    ),
  ),
  entry: described('Canonical JSON (RFC 8785). Hash exactly this text.'),
  previousHash: described('`hash` of the event whose `sequence` is one less, of whichever document; 64 zeros before the first.'),
  hash: Sha256('the byte 0x00, the 32 bytes of `previousHash` and `entry` in UTF-8, in this order'),
})

export const AuditTrail = component('AuditTrail', { documentId: Id('doc'), events: Type.Array(AuditEvent) })

export const CurrentKey = component('CurrentKey', {
  environment: Type.String(),
  keyName: Type.String(),
  scopes: Type.Array(openEnum(SCOPES)),
})

export const ErrorEnvelope = component(
  'ErrorResponse',
  {
    error: component('Error', {
      code: openEnum(CODES, `What failed.\n\n${errorCatalogue()}\n\n`),
      message: described('For people. Its text may change within v1.'),
      requestId: described('The same as the `X-Request-Id` header. The log of the service has it.'),
      details: optional(
        Type.Array(
          component('ErrorDetail', {
            path: described('Path of the member, such as `recipients[0].email`, or the name of a parameter or header.'),
            code: described(
              'Which rule, such as `not_an_email`. A code keeps its meaning within v1; releases may add codes, and give a rule a code of its own.',
            ),
            message: described('For people. Its text may change within v1.'),
          }),
        ),
      ),
    }),
  },
  'The body of every failure.',
)

// The schemas of response bodies of sending: who is mailed, who is not, and signing links.

export const NotificationResult = component('NotificationResult', {
  ok: Type.Boolean(),
  notified: Type.Integer({ description: 'Recipients whose mails were queued now.' }),
})

export const ReminderResult = component('ReminderResult', {
  ok: Type.Boolean(),
  notified: Type.Integer({ description: 'Recipients whose reminders were queued now.' }),
  skipped: Type.Array(
    component('SkippedRecipient', {
      id: Id('rec'),
      reason: openEnum(
        ['deliver_by_link', 'mailed_recently'],
        '`deliver_by_link`: no e-mails, your program hands out signing links. `mailed_recently`: within the last hour.',
      ),
    }),
    { description: 'Recipients whose turn it is too, and who get no reminder now.' },
  ),
})

export const SigningLink = component('SigningLink', {
  url: described('Opens once. Who has it can sign as this recipient: give it to nobody else, and do not store it.'),
  expiresAt: Time,
})

export const WitnessAnswer = component('WitnessAnswer', {
  size: Type.Integer({ description: 'What the witness has seen of this log, before or with this checkpoint.' }),
  statement: orNull(described('The signed statement of the witness, an S/MIME message; null: prove from `size`.')),
})
