/** What a sender gives to make a document from a template. Types only. */
import type { RECIPIENT_MEMBERS } from '../document/document-members.ts'
import type { NewDocument } from '../document/new-document.ts'
import type { Given } from '../members.ts'
import type { Verification } from '../signing/verification.ts'

/** A value for a field, as JSON has it. */
export type PlainValue = string | number | boolean

/** `readOnly`: whether the recipient may change it. Without it, as the template says. */
export type GivenValue = PlainValue | { value: PlainValue; readOnly?: boolean }

/** By the name of a field, else by its label, else by its id. Without regard to case. */
export type GivenValues = Record<string, GivenValue>

/** The person who takes a role. */
export interface RoleUse extends Omit<Given<typeof RECIPIENT_MEMBERS>, 'order' | 'role' | 'verify'> {
  /** Name or id of the role, without regard to case. */
  role: string
  email: string
  name: string
  accessCode?: string
  /** In place of the role's; `null`: the link is enough. */
  verify?: Verification | null
  values?: GivenValues
}

/**
 * What a document says beside its template. Members left out are those of the template. Metadata is
 * added to that of the template, labels are in place of it.
 */
export interface TemplateUse extends Pick<NewDocument, 'title' | 'message' | 'metadata' | 'labels' | 'reminders' | Expiry> {
  /** One for each role. */
  recipients: RoleUse[]
  /** Of the fields of the sender. */
  values?: GivenValues
}

type Expiry = 'expiresAt' | 'expiresInDays'
