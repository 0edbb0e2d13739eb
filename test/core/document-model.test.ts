/** Random commands: the events determine the state, and no other state is reached. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Document,
  type DocumentStatus,
  daysAfter,
  expire,
  type RecipientStatus,
  remind,
  remindDue,
  send,
  type Transition,
  view,
  voidDocument,
} from '../../src/core/document/document.ts'
import type { DomainEvent } from '../../src/core/document/event.ts'
import { sealed, sealingFailed } from '../../src/core/document/sealed.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { ROLES, SIGNING_ORDERS } from '../../src/core/signing/routing.ts'
import { decline, finish } from '../../src/core/signing/signing.ts'
import { actOf, CERTIFICATE, draftOf, frozen, NOW, recipient, SEALED } from './sample.ts'

const EDGES: Record<DocumentStatus, DocumentStatus[]> = {
  draft: ['sent', 'voided'],
  sent: ['sealing', 'declined', 'voided', 'expired'],
  sealing: ['completed'],
  completed: [],
  declined: [],
  voided: [],
  expired: [],
  template: [],
}
const RECIPIENT_EDGES: Record<RecipientStatus, RecipientStatus[]> = {
  created: ['sent', 'voided', 'expired', 'viewed'], // A viewer whose group was never reached, after the seal.
  sent: ['viewed', 'declined', 'voided', 'expired'],
  viewed: ['signed', 'declined', 'voided', 'expired'],
  signed: [],
  declined: [],
  expired: [],
  voided: [],
}

type Command = (document: Document, id: string, now: Date) => Transition
const COMMANDS: Record<string, Command> = {
  send: (d, _, now) => send(d, now),
  view: (d, id, now) => view(d, id, now),
  finish: (d, id, now) => finish(d, id, actOf(), now),
  finishOther: (d, id, now) => finish(d, id, actOf({ shownSha256: 'f'.repeat(64) }), now),
  decline: (d, id, now) => decline(d, id, 'No', now),
  void: d => voidDocument(d, 'Wrong file'),
  expire: (d, _, now) => expire(d, now),
  remind: (d, _, now) => remind(d, now),
  remindDue: (d, _, now) => remindDue(d, now),
  sealed: (d, _, now) => sealed(d, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, now),
  sealingFailed: d => sealingFailed(d, 'The disk was full.'),
}

const STATUS_AFTER: Partial<Record<DomainEvent['type'], DocumentStatus>> = {
  'document.sent': 'sent',
  'document.sealing': 'sealing',
  'document.completed': 'completed',
  'document.declined': 'declined',
  'document.voided': 'voided',
  'document.expired': 'expired',
}

/** The state according to the events alone. */
function stateAfter(events: DomainEvent[]) {
  const of = (type: DomainEvent['type']) => events.filter(e => e.type === type).map(e => e.recipientId)
  const status = events.flatMap(e => STATUS_AFTER[e.type] ?? []).at(-1) ?? 'draft'
  return { status, of }
}

function check(before: Document, step: Transition, events: DomainEvent[]): void {
  const after = step.document
  if (after.status !== before.status) expect(EDGES[before.status]).toContain(after.status)
  for (const [i, r] of after.recipients.entries()) {
    const was = before.recipients[i]?.status ?? 'created'
    if (r.status !== was) expect(RECIPIENT_EDGES[was]).toContain(r.status)
    if (r.role === 'viewer') expect(['signed', 'declined']).not.toContain(r.status)
  }
  if (step.events.length === 0) expect({ ...after, sealingError: null }).toEqual({ ...before, sealingError: null } as never)
  const { status, of } = stateAfter(events)
  expect(after.status).toBe(status)
  for (const r of after.recipients) {
    expect(of('recipient.notified').filter(id => id === r.id)).toHaveLength(r.sentAt ? 1 : 0)
    expect(of('document.viewed').filter(id => id === r.id)).toHaveLength(r.viewedAt ? 1 : 0)
    expect(of('recipient.signed').filter(id => id === r.id)).toHaveLength(r.signedAt ? 1 : 0)
    expect(of('document.declined').filter(id => id === r.id)).toHaveLength(r.declinedAt ? 1 : 0)
    expect(of('recipient.reminded').filter(id => id === r.id)).toHaveLength(r.remindersSent)
    expect(r.status === 'signed').toBe(r.signedAt !== undefined)
  }
  const mustAct = after.recipients.filter(r => r.role !== 'viewer')
  expect(after.status === 'sealing' || after.status === 'completed').toBe(
    mustAct.length > 0 && mustAct.every(r => r.signedAt !== undefined),
  )
  expect(after.status === 'completed').toBe(after.sha256Sealed !== undefined)
}

const IDS = ['r0', 'r1', 'r2', 'r3']

const story = fc.record({
  signingOrder: fc.constantFrom(...SIGNING_ORDERS),
  people: fc.array(fc.record({ role: fc.constantFrom(...ROLES), order: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: IDS.length,
  }),
  steps: fc.array(
    fc.record({
      // The usual commands are more frequent, so that sequences reach the final states.
      name: fc.oneof(
        { weight: 1, arbitrary: fc.constantFrom(...Object.keys(COMMANDS)) },
        { weight: 9, arbitrary: fc.constantFrom('send', 'view', 'view', 'finish', 'finish', 'sealed', 'expire', 'remindDue') },
      ),
      who: fc.constantFrom(...IDS),
      days: fc.integer({ min: 0, max: 4 }),
    }),
    { maxLength: 60, size: 'max' },
  ),
})

test('random commands never lose an event and never leave the machine', () => {
  const reached = new Set<DocumentStatus>()
  fc.assert(
    fc.property(story, ({ signingOrder, people, steps }) => {
      const recipients = people.map(({ role, order }, i) => recipient(IDS[i] ?? '', role, { order }))
      let document = draftOf({ signingOrder, recipients })
      const events: DomainEvent[] = []
      let now = NOW
      for (const { name, who, days } of steps) {
        now = daysAfter(now, days / 3)
        try {
          const step = COMMANDS[name]?.(document, who, now)
          if (!step) continue
          events.push(...step.events)
          check(document, step, events)
          document = frozen(step.document)
          reached.add(document.status)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      }
    }),
    { numRuns: 600, seed: 20261120 },
  )
  expect([...reached].sort()).toEqual(['completed', 'declined', 'draft', 'expired', 'sealing', 'sent', 'voided'])
})
