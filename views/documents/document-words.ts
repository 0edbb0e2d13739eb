/**
 * A document's state, people and events in the words of the web app, and what a person may do with
 * it. Pure.
 */
import type { Attention } from '../../src/core/document/attention.ts'
import { allowedActions, type Document, type DocumentStatus, type Recipient } from '../../src/core/document/document.ts'
import { type EventType, isPublicEvent, PUBLIC_EVENTS, type PublicEvent } from '../../src/core/document/event.ts'
import { maySign, mustAct, recipientsToAct, recipientsToRemind } from '../../src/core/signing/routing.ts'
import { type Clock, dayOf } from '../../src/lib/relative-time.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { SignedInPerson } from '../layout.tsx'
import type { Tone } from '../parts/badge.tsx'
import type { IconName } from '../parts/icons.ts'

type Texts = AppTexts['documents']

const STATUS_LOOKS: Record<DocumentStatus, { tone: Tone; icon: IconName }> = {
  draft: { tone: 'neutral', icon: 'file-pen' },
  sent: { tone: 'info', icon: 'clock' },
  sealing: { tone: 'info', icon: 'stamp' },
  completed: { tone: 'good', icon: 'circle-check' },
  declined: { tone: 'bad', icon: 'ban' },
  voided: { tone: 'neutral', icon: 'file-x' },
  expired: { tone: 'warn', icon: 'clock' },
  template: { tone: 'neutral', icon: 'file-pen' },
}

/** The badge of the state. */
export function statusBadge({ status, sealingError }: Document, texts: Texts): { tone: Tone; icon: IconName; text: string } {
  if (sealingError !== undefined) return { tone: 'bad', icon: 'triangle-alert', text: texts.sealingFailed }
  return { ...STATUS_LOOKS[status], text: texts.status[status] }
}

/** What a person is called while parts of the draft are not known. */
export function nameOf({ name, email }: Pick<Recipient, 'name' | 'email'>, texts: Texts): string {
  return name || email || texts.nameless
}

export function titleOf({ title }: Pick<Document, 'title'>, texts: Texts): string {
  return title || texts.untitled
}

export function progressOf({ recipients }: Document): { done: number; all: number } {
  const acting = recipients.filter(mustAct)
  return { done: acting.filter(r => r.status === 'signed').length, all: acting.length }
}

/** Acts of a person, and ends: what webhooks report too. The other events are technical. */
export const isAct = (type: EventType): type is LatestAct | 'recipient.link_created' =>
  isLatestAct(type) || type === 'recipient.link_created'

/** A deleted document has no page. */
type LatestAct = Exclude<PublicEvent, 'document.deleted'>
const isLatestAct = (type: EventType): type is LatestAct => isPublicEvent(type) && type !== 'document.deleted'

/** Without those that belong to the sending: the list shows the act before. */
export const LATEST_ACTS = PUBLIC_EVENTS.filter(type => isLatestAct(type) && type !== 'recipient.notified')

export function actWords(type: EventType, recipient: Recipient | undefined, texts: Texts): string {
  if (!isAct(type)) return ''
  const name = recipient ? nameOf(recipient, texts) : texts.nameless
  if (type === 'recipient.signed' && recipient && !maySign(recipient.role)) return texts.approvedAct(name)
  return texts.acts[type](name)
}

export function attentionWords({ cause, recipientId }: Attention, document: Document, clock: Clock, texts: Texts): string {
  const recipient = document.recipients.find(r => r.id === recipientId)
  const name = recipient ? nameOf(recipient, texts) : texts.nameless
  const { attention } = texts
  switch (cause) {
    case 'sealing_failed':
    case 'expired':
      return attention[cause]
    case 'email_failed':
    case 'access_code_locked':
    case 'declined':
      return attention[cause](name)
    case 'expires_soon':
      return attention[cause](dayOf(document.expiresAt ?? clock.now, clock))
  }
}

const MAX_NAMES = 3

/** Names, or a number where there are many. */
function peopleWords(people: readonly Recipient[], clock: Clock, texts: Texts): string {
  if (people.length > MAX_NAMES) return texts.page.state.people(people.length)
  return new Intl.ListFormat(clock.language).format(people.map(r => nameOf(r, texts)))
}

export interface StateFacts {
  document: Document
  /** When it was voided. */
  voidedAt: Date | undefined
}

/** The state in one sentence, or two. */
export function stateWords({ document, voidedAt }: StateFacts, clock: Clock, texts: Texts): string {
  const { state } = texts.page
  const day = (at: Date | undefined) => dayOf(at ?? document.updatedAt, clock)
  const { recipients } = document
  switch (document.status) {
    case 'draft':
    case 'template':
      return state.draft
    case 'sent': {
      const open = recipientsToAct(document)
      const asked = open.map(r => r.sentAt?.getTime() ?? clock.now.getTime())
      const waiting = state.waitingFor(peopleWords(open, clock, texts), day(new Date(Math.min(...asked))))
      return document.expiresAt ? `${waiting} ${state.expires(day(document.expiresAt))}` : waiting
    }
    case 'sealing':
      return document.sealingError === undefined ? state.sealing : state.sealingFailed
    case 'completed':
      return state.completed(day(document.completedAt))
    case 'declined': {
      const by = recipients.find(r => r.declinedAt !== undefined)
      return state.declined(by ? nameOf(by, texts) : texts.nameless, day(by?.declinedAt))
    }
    case 'voided':
      return state.voided(day(voidedAt))
    case 'expired': {
      const open = recipients.filter(r => mustAct(r) && r.status !== 'signed')
      return state.expired(day(document.expiresAt), peopleWords(open, clock, texts))
    }
  }
}

// What a person may do with a document now: pages offer it, routes and commands enforce it.

/** `edit`: labels, duplicates, corrections. Nothing for those who only read. */
export function actsOn(document: Document, opens: SignedInPerson['opens']) {
  const isSender = opens.includes('sender')
  const allowed = allowedActions(document)
  return {
    edit: isSender,
    hold: opens.includes('admin'),
    send: isSender && allowed.send,
    void: isSender && allowed.void,
    remind: isSender && allowed.remind && recipientsToRemind(document).length > 0,
    delete: isSender && allowed.delete,
    retrySealing: isSender && allowed.retrySealing,
  }
}
