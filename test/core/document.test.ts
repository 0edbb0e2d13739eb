/** Every command in every status, in one table; then what commands change on recipients. */
import { describe, expect, test } from 'bun:test'
import {
  allowedActions,
  DOCUMENT_STATUSES,
  type Document,
  type DocumentStatus,
  daysAfter,
  erase,
  expire,
  isEnded,
  recipientOf,
  recordMailOutcome,
  remind,
  remindDue,
  send,
  type Transition,
  view,
  voidDocument,
} from '../../src/core/document/document.ts'
import { sealed, sealingFailed } from '../../src/core/document/sealed.ts'
import type { Reason } from '../../src/core/refusal.ts'
import { decline, finish } from '../../src/core/signing/signing.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import {
  actOf,
  after,
  CERTIFICATE,
  documentsByStatus,
  draftOf,
  finished,
  frozen,
  hoursAfter,
  NOW,
  ORIGINAL,
  recipient,
  refusalOf,
  SEALED,
  sent,
  viewed,
} from './sample.ts'

const LATER = daysAfter(NOW, 31)

const COMMANDS = {
  send: d => send(d, NOW),
  viewByApprover: d => view(d, 'ben', NOW),
  viewByViewer: d => view(d, 'vera', NOW),
  finishBySigner: d => finish(d, 'ada', actOf(), NOW),
  finishByViewer: d => finish(d, 'vera', actOf(), NOW),
  decline: d => decline(d, 'ben', 'No', NOW),
  declineByViewer: d => decline(d, 'vera', 'No', NOW),
  void: d => voidDocument(d, 'Wrong file'),
  expire: d => expire(d, LATER),
  remind: d => remind(d, hoursAfter(NOW, 2)),
  remindDue: d => remindDue(d, daysAfter(NOW, 3)),
  sealed: d => sealed(d, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, NOW),
  sealingFailed: d => sealingFailed(d, 'The time-stamp service did not answer.'),
  erase: d => ({ document: d, events: erase(d, 'request') }),
} satisfies Record<string, (document: Document) => Transition>

/** The refusal's reason, 'nothing', or the new status and the events. */
type Cell = Reason | 'nothing' | [status: DocumentStatus, ...events: string[]]

const NO: Cell = 'invalid_state'
type Row = Record<DocumentStatus, Cell>
/** The same in every status but those that are named. */
const all = (cell: Cell, but: Partial<Row> = {}): Row => ({
  ...(Object.fromEntries(DOCUMENT_STATUSES.map(status => [status, cell])) as Row),
  ...but,
})

const REMINDED: Cell = ['sent', 'recipient.reminded ada', 'recipient.reminded ben']
const TABLE: Record<keyof typeof COMMANDS, Row> = {
  send: all(NO, {
    draft: ['sent', 'document.sent', 'recipient.notified ada', 'recipient.notified ben', 'recipient.notified vera'],
  }),
  viewByApprover: all('nothing', { sent: ['sent', 'document.viewed ben'] }),
  viewByViewer: all('nothing', {
    sent: ['sent', 'document.viewed vera'],
    sealing: ['sealing', 'document.viewed vera'],
    completed: ['completed', 'document.viewed vera'],
  }),
  // Ada has already signed what is being sealed or completed.
  finishBySigner: all(NO, {
    sent: ['sent', 'recipient.consented ada', 'recipient.signed ada'],
    sealing: 'nothing',
    completed: 'nothing',
  }),
  finishByViewer: all(NO),
  decline: all(NO, { sent: ['declined', 'document.declined ben'] }),
  declineByViewer: all(NO),
  void: all(NO, { draft: ['voided', 'document.voided'], sent: ['voided', 'document.voided'] }),
  expire: all('nothing', { sent: ['expired', 'document.expired'] }),
  remind: all(NO, { sent: REMINDED }),
  remindDue: all('nothing', { sent: REMINDED }),
  sealed: all(NO, { sealing: ['completed', 'document.completed'] }),
  sealingFailed: all('nothing', { sealing: ['sealing', 'document.sealing_failed'] }),
  erase: all(NO, {
    draft: ['draft', 'document.deleted'],
    completed: ['completed', 'document.deleted'],
    declined: ['declined', 'document.deleted'],
    voided: ['voided', 'document.deleted'],
    expired: ['expired', 'document.deleted'],
  }),
}

const DOCUMENTS = documentsByStatus()

describe('every command in every status', () => {
  test('the sample documents have the statuses of the table', () => {
    for (const status of DOCUMENT_STATUSES) expect(DOCUMENTS[status].status).toBe(status)
  })

  for (const [name, row] of Object.entries(TABLE) as [keyof typeof COMMANDS, Row][]) {
    for (const status of DOCUMENT_STATUSES) {
      const cell = row[status]
      const outcome = typeof cell === 'string' ? cell : `${cell[0]} with ${cell.length - 1} events`
      test(`${name} on a document that is ${status}: ${outcome}`, () => {
        const document = DOCUMENTS[status]
        if (cell !== 'nothing' && typeof cell === 'string') {
          const refusal = refusalOf(() => COMMANDS[name](document))
          expect(refusal.reason).toBe(cell)
          expect(refusal.details).toEqual([])
          expect(englishOfRefusal(refusal)).toMatch(/[.]$/)
          return
        }
        const step: Transition = COMMANDS[name](document)
        if (cell === 'nothing') {
          expect(step.document).toBe(document)
          expect(step.events).toEqual([])
          return
        }
        const [after, ...events] = cell
        expect(step.document.status).toBe(after)
        expect(step.events.map(e => [e.type, e.recipientId].filter(part => part !== undefined).join(' '))).toEqual(events)
      })
    }
  }
})

describe('pages offer what the commands allow', () => {
  for (const status of DOCUMENT_STATUSES) {
    test(`on a document that is ${status}`, () => {
      const may = allowedActions(DOCUMENTS[status])
      const accepted = (command: keyof typeof COMMANDS) => TABLE[command][status] !== NO
      expect(may).toEqual({
        send: accepted('send'),
        void: accepted('void'),
        remind: accepted('remind'),
        delete: accepted('erase'),
        retrySealing: status === 'sealing',
      })
      expect(isEnded(DOCUMENTS[status])).toBe(accepted('erase') && status !== 'draft')
    })
  }
})

describe('sending', () => {
  test('sets the expiry, notifies everyone in parallel and plans the first reminders', () => {
    const document = after(draftOf(), sent())
    expect(document.sentAt).toEqual(NOW)
    expect(document.expiresAt).toEqual(daysAfter(NOW, 30))
    expect(document.recipients.map(r => [r.status, r.emailStatus, r.sentAt, r.lastMailedAt])).toEqual(
      Array(3).fill(['sent', 'queued', NOW, NOW]),
    )
    expect(document.recipients[0]?.nextReminderAt).toEqual(daysAfter(NOW, 3))
  })

  test('keeps a given expiry time', () => {
    const expiresAt = daysAfter(NOW, 2)
    expect(after(draftOf({ expiresAt }), sent()).expiresAt).toEqual(expiresAt)
  })

  test('a draft past its expiry time is not sent', () => {
    const refusal = refusalOf(() => send(draftOf({ expiresAt: NOW }), NOW))
    expect(refusal.reason).toBe('validation_failed')
    expect(send(draftOf({ expiresAt: new Date(NOW.getTime() + 1) }), NOW).document.status).toBe('sent')
  })

  test('a document without signers and approvers is not sent', () => {
    const viewersOnly = draftOf({ recipients: [recipient('vera', 'viewer')] })
    expect(refusalOf(() => send(viewersOnly, NOW)).reason).toBe('nothing_to_sign')
    expect(refusalOf(() => send(draftOf({ recipients: [] }), NOW)).reason).toBe('nothing_to_sign')
  })

  test('an approver alone is enough', () => {
    expect(after(draftOf({ recipients: [recipient('ben', 'approver')] }), sent()).status).toBe('sent')
  })
})

describe('viewing', () => {
  test('creates one event', () => {
    const first = view(after(draftOf(), sent()), 'ada', NOW)
    expect(first.events).toEqual([{ type: 'document.viewed', recipientId: 'ada' }])
    expect(recipientOf(first.document, 'ada').viewedAt).toEqual(NOW)
    const second = view(frozen(first.document), 'ada', hoursAfter(NOW, 1))
    expect(second.events).toEqual([])
    expect(recipientOf(second.document, 'ada').viewedAt).toEqual(NOW)
  })

  test('by an unknown recipient is not found', () => {
    expect(refusalOf(() => view(DOCUMENTS.sent, 'eve', NOW)).reason).toBe('not_found')
  })
})

describe('the end of a document', () => {
  test('voiding changes all recipients who had not finished, and keeps signatures', () => {
    const document = after(draftOf(), sent(), viewed('ada'), finished('ada'), d => voidDocument(d, 'Wrong file'))
    expect(document.recipients.map(r => r.status)).toEqual(['signed', 'voided', 'voided'])
    expect(document.recipients.every(r => r.nextReminderAt === undefined)).toBe(true)
  })

  test('the reason of a void or a decline is personal data', () => {
    expect(voidDocument(DOCUMENTS.sent, 'Wrong file').events).toEqual([
      { type: 'document.voided', personal: { reason: 'Wrong file' } },
    ])
    const declined = decline(DOCUMENTS.sent, 'ben', 'Too dear', NOW)
    expect(declined.events).toEqual([{ type: 'document.declined', recipientId: 'ben', personal: { reason: 'Too dear' } }])
    expect(recipientOf(declined.document, 'ben')).toMatchObject({
      status: 'declined',
      declinedAt: NOW,
      declineReason: 'Too dear',
    })
    expect(recipientOf(declined.document, 'ada').status).toBe('viewed')
  })

  test('a recipient who has signed cannot decline', () => {
    const document = after(DOCUMENTS.sent, finished('ada'))
    expect(refusalOf(() => decline(document, 'ada', 'Changed my mind', NOW)).reason).toBe('invalid_state')
  })

  test('a recipient who was not notified cannot decline', () => {
    const document = after(
      draftOf({
        signingOrder: 'sequential',
        recipients: [recipient('ada', 'signer', { order: 1 }), recipient('ben', 'signer', { order: 2 })],
      }),
      sent(),
    )
    expect(refusalOf(() => decline(document, 'ben', 'No', NOW)).reason).toBe('invalid_state')
  })

  test('nothing expires before its time, and everything at that time', () => {
    const moment = DOCUMENTS.sent.expiresAt ?? NOW
    expect(expire(DOCUMENTS.sent, new Date(moment.getTime() - 1))).toEqual({ document: DOCUMENTS.sent, events: [] })
    expect(expire(DOCUMENTS.sent, moment).document.recipients.map(r => r.status)).toEqual(['expired', 'expired', 'expired'])
  })
})

describe('sealing', () => {
  test('completion records both hashes and the certificate, and clears an earlier cause', () => {
    const failed = after(DOCUMENTS.sealing, d => sealingFailed(d, 'The disk was full.'))
    expect(failed.sealingError).toBe('The disk was full.')
    const step = sealed(failed, { sha256: SEALED, level: 'B-B', subFilter: 'ETSI.CAdES.detached' }, CERTIFICATE, NOW)
    expect(step.document).toMatchObject({ status: 'completed', completedAt: NOW, sha256Sealed: SEALED })
    expect(step.document.sealingError).toBeUndefined()
    expect(step.events).toEqual([
      {
        type: 'document.completed',
        data: { originalSha256: ORIGINAL, sealedSha256: SEALED, sealCertificateSha256: CERTIFICATE, sealLevel: 'B-B' },
      },
    ])
  })

  test('the same cause creates one event, another cause a second one', () => {
    const first = sealingFailed(DOCUMENTS.sealing, 'The disk was full.')
    const second = sealingFailed(frozen(first.document), 'The disk was full.')
    const third = sealingFailed(frozen(second.document), 'The time-stamp service did not answer.')
    expect([first, second, third].map(s => s.events.length)).toEqual([1, 0, 1])
    expect(third.document.status).toBe('sealing')
  })
})

describe('the outcome of a mail', () => {
  test('is stored on its recipient only', () => {
    const step = recordMailOutcome(DOCUMENTS.sent, 'ben', 'recipient.email_failed', '550 5.1.1 no such user')
    expect(step.document.recipients.map(r => r.emailStatus)).toEqual(['queued', 'failed', 'queued'])
    expect(step.events).toEqual([
      { type: 'recipient.email_failed', recipientId: 'ben', personal: { reply: '550 5.1.1 no such user' } },
    ])
    const accepted = recordMailOutcome(DOCUMENTS.sent, 'ben', 'recipient.email_accepted', '250 Ok')
    expect(recipientOf(accepted.document, 'ben').emailStatus).toBe('delivered')
    expect(accepted.events.map(e => e.type)).toEqual(['recipient.email_accepted'])
    const written = recordMailOutcome(DOCUMENTS.sent, 'ben', 'recipient.email_written', 'Written to the outbox folder.')
    expect(recipientOf(written.document, 'ben').emailStatus).toBe('delivered')
  })
})

test('the event of a deletion has status and hash, no personal data', () => {
  expect(erase(DOCUMENTS.completed, 'request')).toEqual([
    { type: 'document.deleted', data: { status: 'completed', originalSha256: ORIGINAL } },
  ])
})
