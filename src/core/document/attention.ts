/** Why a sender has to look at a document, and for how long. Pure. */
import { type Document, daysAfter, isCodeLocked, type Recipient } from './document.ts'

const ATTENTION_CAUSES = ['sealing_failed', 'email_failed', 'access_code_locked', 'declined', 'expired', 'expires_soon'] as const
export type AttentionCause = (typeof ATTENTION_CAUSES)[number]

/** Days before the expiry in which the sender can still remind. */
const EXPIRES_SOON_DAYS = 3
/** A declined or expired document needs no act: it is shown for these days, not for ever. */
const ENDED_SHOWN_DAYS = 30

export interface Attention {
  cause: AttentionCause
  recipientId: string | undefined
  /** `undefined`: since it is so. */
  from: Date | undefined
  /** `undefined`: until it changes. */
  until: Date | undefined
}

const isOpen = ({ status }: Recipient) => status === 'sent' || status === 'viewed'

/** All causes, also those whose time is past or still to come. */
function causesOf(document: Document): Attention[] {
  const { status, recipients, expiresAt, sealingError } = document
  const lasting = (cause: AttentionCause, recipientId?: string) => ({ cause, recipientId, from: undefined, until: undefined })
  if (status === 'sealing' && sealingError !== undefined) return [lasting('sealing_failed')]
  if (status === 'declined') {
    const declined = recipients.find(r => r.declinedAt !== undefined)
    return [ended('declined', declined?.declinedAt ?? document.updatedAt, declined?.id)]
  }
  if (status === 'expired') return [ended('expired', expiresAt ?? document.updatedAt)]
  if (status !== 'sent') return []
  const open = recipients.filter(isOpen)
  const soon: Attention[] = expiresAt
    ? [{ cause: 'expires_soon', recipientId: undefined, from: daysAfter(expiresAt, -EXPIRES_SOON_DAYS), until: undefined }]
    : []
  return [
    ...open.filter(r => r.emailStatus === 'failed').map(r => lasting('email_failed', r.id)),
    ...open.filter(isCodeLocked).map(r => lasting('access_code_locked', r.id)),
    ...soon,
  ]
}

function ended(cause: AttentionCause, at: Date, recipientId?: string): Attention {
  return { cause, recipientId, from: at, until: daysAfter(at, ENDED_SHOWN_DAYS) }
}

/** The causes that hold now. */
export function attentionOf(document: Document, now: Date): Attention[] {
  return causesOf(document).filter(({ from, until }) => (!from || from <= now) && (!until || until > now))
}

/** When the document needs attention while it stays as it is; `undefined`: never. */
export function attentionSpan(document: Document): Pick<Attention, 'from' | 'until'> | undefined {
  const causes = causesOf(document)
  // Either one cause, or several without an end: the earliest begins the span.
  const first = causes.find(({ from }) => from === undefined) ?? causes[0]
  return first && { from: first.from, until: first.until }
}
