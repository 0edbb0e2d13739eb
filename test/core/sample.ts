/** Sample documents, made by the commands and frozen, so that no command changes its input. */
import {
  type Document,
  daysAfter,
  expire,
  type Recipient,
  send,
  type Transition,
  view,
  voidDocument,
} from '../../src/core/document/document.ts'
import { DOCUMENT_STATE, DRAFT_MEMBERS, RECIPIENT_MEMBERS, RECIPIENT_STATE } from '../../src/core/document/document-members.ts'
import { sealed } from '../../src/core/document/sealed.ts'
import { FIELD_MEMBERS, type Field } from '../../src/core/field/field.ts'
import { blankOf } from '../../src/core/members.ts'
import { Refusal } from '../../src/core/refusal.ts'
import type { Role } from '../../src/core/signing/routing.ts'
import type { PersonalMark } from '../../src/core/signing/signature-mark.ts'
import { decline, finish, type SigningInput } from '../../src/core/signing/signing.ts'

export const NOW = new Date('2026-11-20T17:25:00.000Z')
export const ORIGINAL = 'a'.repeat(64)
export const SEALED = 'b'.repeat(64)
export const CERTIFICATE = 'c'.repeat(64)

export function hoursAfter(moment: Date, hours: number): Date {
  return new Date(moment.getTime() + hours * 3_600_000)
}

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !(value instanceof Date) && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}

export function field(overrides: Partial<Field> & Pick<Field, 'type'>): Field {
  const { type } = overrides
  return {
    id: `fld_${type}`,
    ...blankOf(FIELD_MEMBERS),
    ...{ x: 10, y: 10, width: 20, height: 5, required: true },
    rule: type === 'signature' || type === 'initials' ? false : undefined,
    ...overrides,
  }
}

export function recipient(id: string, role: Role, overrides: Partial<Recipient> = {}): Recipient {
  return {
    id,
    ...blankOf(RECIPIENT_MEMBERS),
    ...blankOf(RECIPIENT_STATE),
    email: `${id}@example.com`,
    name: id,
    role,
    accessCodeHash: undefined,
    accessCodeAttempts: 0,
    accessCodeWaitUntil: undefined,
    pendingLink: undefined,
    linkVersion: 1,
    signature: undefined,
    initials: undefined,
    consentVersion: undefined,
    consentSha256: undefined,
    remindersSent: 0,
    lastMailedAt: undefined,
    nextReminderAt: undefined,
    fields: [],
    ...overrides,
  }
}

/** A draft for a signer, an approver and a viewer, unless overridden. */
export function draftOf(overrides: Partial<Document> = {}): Document {
  return frozen({
    id: 'doc_1',
    ownerId: undefined,
    status: 'draft',
    ...blankOf(DRAFT_MEMBERS),
    ...blankOf(DOCUMENT_STATE),
    title: 'Lease',
    fileName: 'lease.pdf',
    pageCount: 2,
    allowDelegation: true,
    metadata: {},
    reminders: { firstAfterDays: 3, everyDays: 3, max: 5 },
    expiresInDays: 30,
    createdAt: NOW,
    updatedAt: NOW,
    endedAt: undefined,
    heldAt: undefined,
    holdReason: undefined,
    sha256Original: ORIGINAL,
    sha256Uploaded: undefined,
    files: undefined,
    sha256Sealed: undefined,
    senderFields: [],
    isShared: false,
    recipients: [recipient('ada', 'signer'), recipient('ben', 'approver'), recipient('vera', 'viewer')],
    ...overrides,
  } satisfies Document)
}

export function typed(text: string): PersonalMark {
  return { kind: 'typed', text }
}

export function actOf(overrides: Partial<SigningInput> = {}): SigningInput {
  return {
    values: {},
    files: {},
    marks: { signature: typed('Ada Lovelace'), initials: typed('AL') },
    consent: { version: '1', sha256: 'd'.repeat(64), text: 'I agree.', given: true },
    shownSha256: ORIGINAL,
    day: '2026-11-20',
    intent: 'By pressing Finish I sign.',
    language: 'en',
    ...overrides,
  }
}

/** Applies commands in order. */
export function after(document: Document, ...commands: ((document: Document) => Transition)[]): Document {
  return frozen(commands.reduce((current, command) => frozen(command(current).document), document))
}

export const sent =
  (now = NOW) =>
  (d: Document) =>
    send(d, now)
export const viewed =
  (id: string, now = NOW) =>
  (d: Document) =>
    view(d, id, now)
export const finished =
  (id: string, now = NOW, act = actOf()) =>
  (d: Document) =>
    finish(d, id, act, now)

/** One document per status; in `sent`, ada has opened it and ben has not. */
export function documentsByStatus(): Record<Document['status'], Document> {
  const draft = draftOf()
  const open = after(draft, sent(), viewed('ada'))
  const sealing = after(open, finished('ada'), viewed('ben'), finished('ben'))
  return {
    draft,
    sent: open,
    sealing,
    completed: after(sealing, d =>
      sealed(d, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, NOW),
    ),
    declined: after(open, d => decline(d, 'ben', 'No', NOW)),
    voided: after(open, d => voidDocument(d, 'Wrong file')),
    expired: after(open, d => expire(d, daysAfter(NOW, 31))),
    template: draftOf({ id: 'tpl_1', status: 'template' }),
  }
}

export function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

export function pathsOf(work: () => unknown): string[] {
  return refusalOf(work).details.map(f => f.path)
}
