/** The copy of a template that a batch keeps, as text and back. */
import type { Document, Recipient } from '../core/document/document.ts'

type TimeMember<T> = { [M in keyof T]-?: Date extends T[M] ? M : never }[keyof T]

const DOCUMENT_TIMES: Record<TimeMember<Document>, true> = {
  createdAt: true,
  updatedAt: true,
  sentAt: true,
  completedAt: true,
  endedAt: true,
  heldAt: true,
  expiresAt: true,
}
const RECIPIENT_TIMES: Record<TimeMember<Recipient>, true> = {
  accessCodeWaitUntil: true,
  sentAt: true,
  viewedAt: true,
  signedAt: true,
  declinedAt: true,
  lastMailedAt: true,
  nextReminderAt: true,
}

export const snapshotText = (template: Document): string => JSON.stringify(template)

/** Members that were `undefined` are missing. */
export function readSnapshot(text: string): Document {
  const template = JSON.parse(text) as Document
  reviveTimes(template, DOCUMENT_TIMES)
  for (const recipient of template.recipients) reviveTimes(recipient, RECIPIENT_TIMES)
  return template
}

function reviveTimes(value: object, names: Record<string, true>): void {
  const members = value as Record<string, unknown>
  for (const name of Object.keys(names)) if (typeof members[name] === 'string') members[name] = new Date(members[name])
}
