/**
 * Sample requests and responses of the API reference: one document on its way from creation to the
 * seal.
 */
import { PUBLIC_EVENTS, type PublicEvent } from '../../core/event.ts'
import { ROLES } from '../../core/routing.ts'

/** One empty page. The code samples read a file instead. */
export const EXAMPLE_PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n',
).toString('base64')

const DOCUMENT_ID = 'doc_01kqj4zg4k8w6v2n3r5t7x9y0b'
const RECIPIENT_ID = 'rcp_01kqj4zg4m3c5d7f9h1k2n4q6s'
const WEBHOOK_ID = 'whk_01kqj50b7n2x4z6a8c0e1g3j5m'
const EVENT_ID = 'evt_01kqj6c2p9r1t3v5x7z9b2d4f6'

/** Values for the path parameters, by the first part of the path. */
export const EXAMPLE_IDS: Record<string, string> = { documents: DOCUMENT_ID, webhooks: WEBHOOK_ID }
export const EXAMPLE_REQUEST_ID = 'req_01kqj6d8s0t2v4w6x8y0z1a3b5'

const CREATED_AT = '2026-11-20T17:25:00.000Z'
const SENT_AT = '2026-11-20T17:26:10.000Z'
const VIEWED_AT = '2026-11-21T08:02:41.000Z'
const SIGNED_AT = '2026-11-21T08:04:05.000Z'
const COMPLETED_AT = '2026-11-21T08:04:09.000Z'
const ORIGINAL = '7d4b1f0c9a3e5d2886f1b0a94c7e3d5512f8a6b9c0d4e7f3a1b2c5d8e9f60714'
const SEALED = '0b9e6a7c3f5d1e8842a7c6b5d4e3f20119c8b7a6f5e4d3c2b1a09f8e7d6c5b4a'

const [role] = ROLES
const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' }
const SIGNATURE = { type: 'signature', page: 1, x: 10, y: 70, width: 30, height: 6 } as const

export const newDocument = { fileName: 'agreement.pdf', file: EXAMPLE_PDF, recipients: [{ ...ADA, fields: [SIGNATURE] }] }

export const createdDocument = {
  id: DOCUMENT_ID,
  status: 'draft',
  recipients: [{ id: RECIPIENT_ID, email: ADA.email }],
  warnings: [
    {
      code: 'repaired',
      message: 'The PDF was damaged and has been rewritten; check that every page looks as it should before you send it.',
    },
  ],
}

const recipient = {
  id: RECIPIENT_ID,
  ...ADA,
  role,
  status: 'signed',
  order: 1,
  sentAt: SENT_AT,
  viewedAt: VIEWED_AT,
  signedAt: SIGNED_AT,
  declinedAt: null,
  declineReason: null,
  emailStatus: 'delivered',
}

const field = {
  id: 'fld_01kqj4zg4n5e7g9j1m3p5r7t9v',
  ...SIGNATURE,
  required: true,
  readOnly: false,
  label: null,
  placeholder: null,
  value: null,
  maxLength: null,
}

const documentHead = {
  id: DOCUMENT_ID,
  title: 'agreement',
  fileName: 'agreement.pdf',
  status: 'completed',
  pageCount: 1,
  message: null,
  signingOrder: 'parallel',
  locale: null,
  redirectUrl: null,
  allowDelegation: true,
  reminders: { firstAfterDays: 3, everyDays: 3, max: 5 },
  createdAt: CREATED_AT,
  sentAt: SENT_AT,
  completedAt: COMPLETED_AT,
  expiresAt: '2026-12-20T17:26:10.000Z',
  sealingError: null,
  metadata: {},
  sha256: { original: ORIGINAL, sealed: SEALED },
  sealLevel: 'B-B',
}

const documentSummary = { ...documentHead, recipients: [recipient] }
export const document = { ...documentHead, recipients: [{ ...recipient, fields: [field] }] }
export const documentPage = { data: [documentSummary], nextCursor: null }
export const notificationResult = { ok: true, notified: 1 }
export const voidedDocument = { id: DOCUMENT_ID, status: 'voided' }
export const deletedDocument = { id: DOCUMENT_ID }

export const auditTrail = {
  documentId: DOCUMENT_ID,
  events: [
    {
      sequence: 41,
      id: 'evt_01kqj4zg4q7s9v1x3z5b7d9f1h',
      type: 'document.created',
      at: CREATED_AT,
      actor: 'key:quickstart',
      recipientId: null,
      data: { title: 'agreement' },
      personal: { ip: '192.0.2.10' },
      salt: '5f0c1e9b7a3d48265c4b1a0f9e8d7c6b',
      entry: '{"type":"document.created", … }',
      previousHash: 'c1d5e9f3a7b1c5d9e3f7a1b5c9d3e7f1a5b9c3d7e1f5a9b3c7d1e5f9a3b7c1d5',
      hash: '9a8b7c6d5e4f30211f2e3d4c5b6a79880f1e2d3c4b5a69788796a5b4c3d2e1f0',
    },
  ],
}

export const newWebhookEndpoint = {
  url: 'https://hooks.example.com/signet',
  events: ['document.completed', 'document.declined'],
}

const webhookEndpoint = { id: WEBHOOK_ID, ...newWebhookEndpoint, enabled: true, createdAt: CREATED_AT }
export const createdWebhookEndpoint = { ...webhookEndpoint, secret: 'whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=' }
export const webhookEndpoints = [{ ...webhookEndpoint, secret: 'whsec_…eJA=' }]
export const deletedWebhookEndpoint = { id: WEBHOOK_ID }

export const verificationReport = {
  verdict: 'valid',
  sha256: SEALED,
  bytes: 58_112,
  pageCount: 3,
  revisions: 1,
  signatures: [
    {
      kind: 'signature',
      field: 'Seal',
      subFilter: 'ETSI.CAdES.detached',
      signer: 'Example Ltd',
      certificateSha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      integrity: 'intact',
      trust: 'trusted',
      indication: 'TOTAL-PASSED',
      level: 'B-B',
      levelNotes: ['The signature has no time-stamp.'],
      time: { claimedAt: COMPLETED_AT },
      coversWholeFile: true,
      reasons: [],
    },
  ],
  additions: [],
  reasons: [],
  record: { known: true, documentId: DOCUMENT_ID, completedAt: COMPLETED_AT },
}

export const currentKey = {
  environment: 'test',
  keyName: 'quickstart',
  scopes: ['documents:read', 'documents:write', 'webhooks:read', 'webhooks:write'],
}

const CREATED = { status: 'created', sentAt: null, emailStatus: 'none' }
const DECLINED = { status: 'declined', viewedAt: VIEWED_AT, declinedAt: SIGNED_AT, declineReason: 'The amount is wrong.' }
const SIGNED = { status: 'signed', viewedAt: VIEWED_AT, signedAt: SIGNED_AT }

/**
 * What differs from a sent document and an invited recipient. `about`: the event concerns this
 * recipient.
 */
const AT_EVENT: Record<PublicEvent, { document?: object; recipient?: object; about?: object }> = {
  'document.created': { document: { status: 'draft', sentAt: null, expiresAt: null }, recipient: CREATED },
  'document.sent': { recipient: { emailStatus: 'queued' } },
  'document.viewed': { about: { status: 'viewed', viewedAt: VIEWED_AT } },
  'document.completed': { document: documentHead, recipient },
  'document.declined': { document: { status: 'declined' }, about: DECLINED },
  'document.voided': { document: { status: 'voided' }, recipient: { status: 'voided' } },
  'document.expired': { document: { status: 'expired' }, recipient: { status: 'expired' } },
  'document.sealing_failed': { document: { status: 'sealing', sealingError: 'The disk is full.' }, recipient: SIGNED },
  'recipient.signed': { about: SIGNED },
  'recipient.email_failed': { about: { emailStatus: 'failed' } },
  'recipient.reminded': { about: {} },
  'recipient.delegated': { about: {} },
  'recipient.access_code_locked': { about: {} },
}

/** The body of one delivery for each event type. */
export const EVENTS = Object.fromEntries(PUBLIC_EVENTS.map(type => [type, eventOf(type)])) as Record<PublicEvent, object>

function eventOf(type: PublicEvent): object {
  const { document, recipient: other, about } = AT_EVENT[type]
  const sent = {
    ...documentHead,
    status: 'sent',
    completedAt: null,
    sha256: { original: ORIGINAL, sealed: null },
    sealLevel: null,
  }
  const shown = { ...recipient, status: 'sent', viewedAt: null, signedAt: null, ...other, ...about }
  const data = { document: { ...sent, ...document, recipients: [shown] }, ...(about ? { recipient: shown } : {}) }
  return { id: EVENT_ID, type, timestamp: COMPLETED_AT, data }
}
