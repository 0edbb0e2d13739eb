/** The API's shapes, once: what validates a request is what documents it. */
import Type, { type TProperties } from 'typebox'
import { DOCUMENT_STATUSES, EMAIL_STATUSES, RECIPIENT_STATUSES } from '../../core/document.ts'
import { PUBLIC_EVENTS } from '../../core/event.ts'
import { FIELD_TYPES } from '../../core/field.ts'
import { REASONS } from '../../core/refusal.ts'
import { ROLES, SIGNING_ORDERS } from '../../core/routing.ts'
import { SCOPES } from '../../ports.ts'

/** An object that refuses members it does not know. */
export function strict<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

function oneOf<W extends string>(words: readonly W[], description?: string) {
  return Type.Unsafe<W>({ type: 'string', enum: [...words], ...(description ? { description } : {}) })
}

const optional = Type.Optional
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const Id = (prefix: string) => Type.String({ description: `\`${prefix}_\` and 26 characters` })
const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds' })
const Locale = Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47 language tag' })

const percent = (what: string) => Type.Number({ description: `${what}, percent of the page as displayed` })

const NewField = strict({
  type: oneOf(FIELD_TYPES),
  page: Type.Integer({ minimum: 1, description: '1 is the first page' }),
  x: percent('Left edge from the left'),
  y: percent('Top edge from the top'),
  width: percent('Width'),
  height: percent('Height'),
  required: optional(Type.Boolean({ description: 'Default true; for a checkbox false' })),
  label: optional(text(100)),
  value: optional(Type.String({ maxLength: 5000, description: 'Prefilled; a checkbox holds `true` or `false`' })),
  readOnly: optional(Type.Boolean()),
  options: optional(Type.Array(text(200), { minItems: 1, maxItems: 100, description: 'The choices of a dropdown' })),
  placeholder: optional(text(100)),
  maxLength: optional(Type.Integer({ minimum: 1, maximum: 5000 })),
})

const NewRecipient = strict({
  email: text(254),
  name: text(200),
  role: optional(oneOf(ROLES, 'Default `signer`')),
  order: optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'For `sequential`; equal numbers go together' })),
  locale: optional(Locale),
  accessCode: optional(
    Type.String({ minLength: 6, maxLength: 64, description: 'Asked before the document is shown; tell it by other means' }),
  ),
  fields: optional(Type.Array(NewField, { maxItems: 1000 })),
})

const Reminders = strict({
  firstAfterDays: Type.Integer({ minimum: 1, maximum: 365 }),
  everyDays: Type.Integer({ minimum: 1, maximum: 365 }),
  max: Type.Integer({ minimum: 1, maximum: 50 }),
})

/** Read as it arrives: of this member the routes get a file on the disk, and validation an empty string. */
const PdfFile = Type.String({
  contentEncoding: 'base64',
  contentMediaType: 'application/pdf',
  description: 'The PDF, base64 (RFC 4648 §4)',
})

export const NewDocument = strict({
  title: optional(text(255, 'Default: `fileName` without `.pdf`')),
  fileName: text(255),
  file: PdfFile,
  recipients: Type.Array(NewRecipient, { minItems: 1, maxItems: 100 }),
  message: optional(Type.String({ maxLength: 5000 })),
  signingOrder: optional(oneOf(SIGNING_ORDERS, 'Default `parallel`')),
  expiresAt: optional(Time),
  expiresInDays: optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Counted from sending; default 30' })),
  reminders: optional(orNull(Reminders)),
  locale: optional(Locale),
  metadata: optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 500 }), { maxProperties: 20 }),
  ),
  allowDelegation: optional(
    Type.Boolean({ description: 'Recipients may name a colleague who acts in their stead', default: true }),
  ),
  redirectUrl: optional(text(2000, 'Offered as a link when the recipient has finished')),
})

export const VerifyRequest = strict({ file: PdfFile })

const Sentences = Type.Array(Type.String())

const Signature = Type.Object({
  kind: oneOf(['signature', 'document-timestamp']),
  field: Type.String({ description: 'Name of the signature field' }),
  subFilter: Type.String(),
  signer: Type.String({ description: 'Common name; empty where no certificate was found' }),
  certificateSha256: Type.String(),
  integrity: oneOf(
    ['intact', 'broken', 'not-checked'],
    '`broken`: a check failed, or the file was changed in a way the signer did not allow; `not-checked`: a form or algorithm that is not supported',
  ),
  trust: oneOf(['trusted', 'unknown', 'revoked', 'expired'], 'Whether the certificate leads to one that is trusted here'),
  indication: oneOf(['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE'], 'ETSI EN 319 102-1 §5.1.3'),
  subIndication: optional(Type.String({ description: 'ETSI EN 319 102-1 §5.1.3; absent with `TOTAL-PASSED`' })),
  level: optional(
    oneOf(
      ['B-B', 'B-T', 'B-LT', 'B-LTA'],
      'Highest PAdES baseline level whose parts are present and checked with what is trusted; absent for what is none',
    ),
  ),
  levelNotes: Type.Array(Type.String(), { description: 'Why the level is not higher; never against the signature' }),
  time: Type.Object({
    claimedAt: optional(Type.String({ description: 'The signer’s own clock' })),
    provenAt: optional(Type.String({ description: 'Earliest time that a trusted time-stamp authority vouches for' })),
    timestamp: optional(
      Type.Object({ at: Type.String(), authority: Type.String(), trusted: Type.Boolean() }, { description: 'RFC 3161' }),
    ),
  }),
  coversWholeFile: Type.Boolean(),
  reasons: Type.Array(Type.String(), { description: 'What speaks against this signature' }),
})

export const Verification = Type.Object({
  verdict: oneOf(
    ['valid', 'not-valid', 'unreadable', 'signer-unknown', 'not-signed', 'not-checked'],
    '`signer-unknown`: unchanged, but a certificate is not trusted here; `not-signed`: no signature, perhaps a time-stamp; `not-checked`: a part is not supported',
  ),
  reason: optional(
    Type.String({ description: 'Why the file cannot be read; then nothing but `verdict` and `record` stands beside it' }),
  ),
  sha256: optional(Type.String()),
  bytes: optional(Type.Integer()),
  pageCount: optional(Type.Integer()),
  revisions: optional(Type.Integer()),
  signatures: optional(Type.Array(Signature)),
  additions: optional(Sentences),
  reasons: optional(Sentences),
  record: Type.Object(
    { known: Type.Boolean(), documentId: optional(Type.String()), completedAt: optional(Type.String()) },
    { description: 'Whether exactly this file was sealed here' },
  ),
})

export const Warning = Type.Object({ code: Type.String(), message: Type.String() })

export const CreatedDocument = Type.Object({
  id: Id('doc'),
  status: oneOf(DOCUMENT_STATUSES),
  recipients: Type.Array(Type.Object({ id: Id('rcp'), email: Type.String() })),
  warnings: Type.Array(Warning, { description: 'What was found in the PDF' }),
})

const Field = Type.Object({
  id: Id('fld'),
  type: oneOf(FIELD_TYPES),
  page: Type.Integer(),
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
  required: Type.Boolean(),
  readOnly: Type.Boolean(),
  label: orNull(Type.String()),
  placeholder: orNull(Type.String()),
  value: orNull(Type.String()),
  options: optional(Type.Array(Type.String())),
  maxLength: orNull(Type.Integer()),
})

const recipientMembers = {
  id: Id('rcp'),
  email: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
  status: oneOf(RECIPIENT_STATUSES),
  order: Type.Integer(),
  sentAt: orNull(Time),
  viewedAt: orNull(Time),
  signedAt: orNull(Time),
  declinedAt: orNull(Time),
  declineReason: orNull(Type.String()),
  emailStatus: oneOf(
    EMAIL_STATUSES,
    '`delivered`: accepted by the mail server, or written to the outbox folder where none is set',
  ),
}

const documentMembers = {
  id: Id('doc'),
  title: Type.String(),
  fileName: Type.String(),
  status: oneOf(DOCUMENT_STATUSES),
  pageCount: Type.Integer(),
  message: orNull(Type.String()),
  signingOrder: oneOf(SIGNING_ORDERS),
  locale: orNull(Type.String()),
  redirectUrl: orNull(Type.String()),
  allowDelegation: Type.Boolean(),
  reminders: orNull(Reminders),
  createdAt: Time,
  sentAt: orNull(Time),
  completedAt: orNull(Time),
  expiresAt: orNull(Time),
  sealingError: orNull(Type.String({ description: 'Why the seal is not made yet; it is tried again' })),
  metadata: Type.Record(Type.String(), Type.String()),
  sha256: Type.Object({
    original: Type.String(),
    sealed: orNull(Type.String({ description: 'Of the newest version; a later one begins with the bytes of the one before' })),
  }),
  sealLevel: orNull(oneOf(['B-B', 'B-T', 'B-LT', 'B-LTA'], 'PAdES baseline level of the sealed file (EN 319 142-1 §6.2)')),
}

export const Document = Type.Object({
  ...documentMembers,
  recipients: Type.Array(Type.Object({ ...recipientMembers, fields: Type.Array(Field) })),
})

export const DocumentPage = Type.Object({
  data: Type.Array(Type.Object({ ...documentMembers, recipients: Type.Array(Type.Object(recipientMembers)) })),
  nextCursor: orNull(
    Type.String({ description: 'Null on the last page. A page of a rare match may be short, even empty, before it' }),
  ),
})

export const ListQuery = strict({
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 25' })),
  cursor: optional(Type.String({ pattern: '^doc_[0-9a-z]{26}$', description: '`nextCursor` of the page before' })),
  status: optional(oneOf(DOCUMENT_STATUSES)),
  email: optional(text(254, 'Of a recipient')),
  q: optional(text(200, 'In title, file name, or a recipient’s name or e-mail, whatever its case and accents')),
  createdAfter: optional(Time),
  createdBefore: optional(Time),
  metadata: optional(Type.Record(Type.String(), Type.String(), { maxProperties: 20, description: '`metadata[key]=value`' })),
})

export const FileQuery = strict({ version: optional(oneOf(['sealed', 'original'], 'Default: `sealed` once completed')) })
export const NoQuery = strict({})
export const NoBody = strict({})

export const Notified = Type.Object({
  ok: Type.Boolean(),
  notified: Type.Integer({ description: 'Recipients whose mails were queued now' }),
})
export const VoidRequest = strict({ reason: text(1000) })
export const Deleted = Type.Object({ id: Type.String() })
export const StatusOf = Type.Object({ id: Id('doc'), status: oneOf(DOCUMENT_STATUSES) })

export const Audit = Type.Object({
  documentId: Id('doc'),
  events: Type.Array(
    Type.Object({
      sequence: Type.Integer({ description: 'Place in the chain of all documents, from 1, without gaps' }),
      id: Id('evt'),
      type: Type.String(),
      at: Time,
      actor: Type.String(),
      recipientId: orNull(Type.String()),
      data: Type.Record(Type.String(), Type.Unknown()),
      personal: orNull(Type.Record(Type.String(), Type.Unknown())),
      salt: orNull(
        Type.String({
          description:
            'Hex. `personal` inside `entry` is the SHA-256, in hex, of the bytes of this salt and the canonical JSON of the `personal` beside it in UTF-8; both are null once erased',
        }),
      ),
      entry: Type.String({ description: 'Canonical JSON (RFC 8785), to be hashed as it stands here' }),
      previousHash: Type.String({
        description: '`hash` of the event whose `sequence` is one less, of whatever document; 64 zeros before the first',
      }),
      hash: Type.String({
        description: 'SHA-256, in lower-case hex, of one byte 0x00, the 32 bytes of `previousHash` and `entry` in UTF-8',
      }),
    }),
  ),
})

export const NewWebhook = strict({
  url: text(2000),
  events: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    description: `\`*\` or any of ${PUBLIC_EVENTS.join(', ')}`,
  }),
})

export const Webhook = Type.Object({
  id: Id('whk'),
  url: Type.String(),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  secret: Type.String({ description: 'Whole in the answer to the creation, masked afterwards' }),
  createdAt: Time,
})

export const Me = Type.Object({ environment: Type.String(), keyName: Type.String(), scopes: Type.Array(oneOf(SCOPES)) })

export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: oneOf([...REASONS, 'internal']),
    message: Type.String(),
    requestId: Type.String(),
    details: optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  }),
})
