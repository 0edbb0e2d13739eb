/** The members of a document and its recipients that clients give or get. Pure. */
import { flag, given, line, list, object, oneOf, optional, text, time, type Values, whole } from '../members.ts'
import { DEVICE_KEY_RULES } from '../signing/device-key.ts'
import { DELIVERIES, ROLES, SIGNING_ORDERS } from '../signing/routing.ts'
import { VERIFICATIONS } from '../signing/verification.ts'
import { MAX_EMAIL_LENGTH } from '../text.ts'
import { EMAIL_STATUSES, RECIPIENT_STATUSES, type ReminderPlan, SEAL_LEVELS } from './document.ts'
import {
  MAX_EXPIRY_DAYS,
  MAX_FILE_NAME_BYTES,
  MAX_LOCALE,
  MAX_MESSAGE,
  MAX_PERSON_NAME,
  MAX_REASON,
  MAX_REDIRECT_URL,
  MAX_TITLE,
} from './document-limits.ts'

/** What the sender gives for a recipient. Deferred, as each of these: see `FIELD_MEMBERS`. */
export const RECIPIENT_MEMBERS = /* @__PURE__ */ (() => ({
  email: given(line(MAX_EMAIL_LENGTH)),
  name: given(line(MAX_PERSON_NAME)),
  role: given(oneOf(ROLES)),
  order: given(whole({ min: 1, max: 1000 })),
  locale: optional(line(MAX_LOCALE)),
  /** Asked beside the link, in place of an access code. */
  verify: optional(oneOf(VERIFICATIONS)),
  deliverBy: given(oneOf(DELIVERIES)),
  /** As the document says, while undefined. */
  deviceKey: optional(oneOf(DEVICE_KEY_RULES)),
}))()

/** How far a recipient is, as clients see it. */
export const RECIPIENT_STATE = /* @__PURE__ */ (() => ({
  status: given(oneOf(RECIPIENT_STATUSES)),
  sentAt: optional(time()),
  viewedAt: optional(time()),
  signedAt: optional(time()),
  declinedAt: optional(time()),
  declineReason: optional(text(MAX_REASON)),
  emailStatus: given(oneOf(EMAIL_STATUSES)),
}))()

/** What the sender gives for a document. */
export const DRAFT_MEMBERS = /* @__PURE__ */ (() => ({
  title: given(line(MAX_TITLE)),
  message: optional(text(MAX_MESSAGE)),
  signingOrder: given(oneOf(SIGNING_ORDERS)),
  expiresAt: optional(time()),
  /** Days from sending to expiry, used while `expiresAt` is undefined. */
  expiresInDays: given(whole({ min: 1, max: MAX_EXPIRY_DAYS })),
  reminders: optional(object<ReminderPlan>()),
  locale: optional(line(MAX_LOCALE)),
  metadata: given(object<Record<string, string>>()),
  /** Words of the sender to find documents by; in any state. */
  labels: given(list<string>()),
  redirectUrl: optional(line(MAX_REDIRECT_URL)),
  /** Whether recipients may delegate to a colleague. */
  allowDelegation: given(flag()),
  /** As the organisation says, while undefined. */
  deviceKey: optional(oneOf(DEVICE_KEY_RULES)),
}))()

/** How far a document is, as clients see it, beside its status. */
export const DOCUMENT_STATE = /* @__PURE__ */ (() => ({
  fileName: given(line(MAX_FILE_NAME_BYTES)),
  pageCount: given(whole({ min: 1 })),
  createdAt: given(time()),
  /** When anything of the document was last changed. */
  updatedAt: given(time()),
  sentAt: optional(time()),
  completedAt: optional(time()),
  sealingError: optional(text(MAX_MESSAGE)),
  sealLevel: optional(oneOf(SEAL_LEVELS)),
}))()

export interface RecipientValues extends Values<typeof RECIPIENT_MEMBERS>, Values<typeof RECIPIENT_STATE> {}
export interface DocumentValues extends Values<typeof DRAFT_MEMBERS>, Values<typeof DOCUMENT_STATE> {}
