/** What a sender gives to make a document from a template. Types only. */
import type { ReminderPlan } from './document.ts'
import type { Delivery } from './routing.ts'
import type { Verification } from './verification.ts'

/** A value for a field, as JSON has it. */
export type PlainValue = string | number | boolean

/** `readOnly`: whether the recipient may change it. Without it, as the template says. */
export type GivenValue = PlainValue | { value: PlainValue; readOnly?: boolean }

/** By the name of a field, else by its label, else by its id. Without regard to case. */
export type GivenValues = Record<string, GivenValue>

/** The person who takes a role. */
export interface RoleUse {
  /** Name or id of the role, without regard to case. */
  role: string
  email: string
  name: string
  locale?: string
  accessCode?: string
  /** In place of the role's; `null`: the link is enough. */
  verify?: Verification | null
  deliverBy?: Delivery
  values?: GivenValues
}

/** What a document says beside its template. Members left out are those of the template. */
export interface TemplateUse {
  /** One for each role. */
  recipients: RoleUse[]
  /** Of the fields of the sender. */
  values?: GivenValues
  title?: string
  message?: string
  /** Added to that of the template. */
  metadata?: Record<string, string>
  /** In place of those of the template. */
  labels?: string[]
  expiresAt?: string
  expiresInDays?: number
  reminders?: ReminderPlan | null
}
