/** The history of a document: the acts in words, and every entry of the audit log. */
import type { HistoryAct, RecordEntry } from '../../../../views/documents/document-history.tsx'
import { actWords, isAct, nameOf } from '../../../../views/documents/document-words.ts'
import { keyName, userById } from '../../../accounts/queries.ts'
import type { AuditEvent } from '../../../audit/log.ts'
import type { Document, Recipient } from '../../../core/document/document.ts'
import type { DocumentEvent } from '../../../core/document/event.ts'
import { isMailed, maySign } from '../../../core/signing/routing.ts'
import { delegateOf, recipientNameAt, renaming } from '../../../documents/lifecycle/delegation.ts'
import { type AppTexts, appTextsOf } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import type { Visit } from '../../frame/page.tsx'

type Texts = AppTexts['documents']

export interface HistoryOptions {
  document: Document
  events: AuditEvent[]
  language: 'en' | 'de'
  texts: Texts
}

/** Newest first. */
export async function historyOf(visit: Visit, options: HistoryOptions): Promise<{ acts: HistoryAct[]; record: RecordEntry[] }> {
  const { events } = options
  const names = await actorNames(visit, options)
  const acts = events.flatMap((event, i) => actOf(event, events.slice(0, i), options, names) ?? [])
  return { acts: acts.reverse(), record: events.map(event => entryOf(event, options, names)) }
}

/** The recipients who were asked at once belong to the entry of the sending. */
function isPartOfSending(event: AuditEvent, before: AuditEvent[]): boolean {
  const sent = before.findLast(each => each.type !== 'recipient.notified')
  return event.type === 'recipient.notified' && sent?.type === 'document.sent' && sent.at === event.at
}

/** An invitation after a correction or delegation is part of it. */
function isPartOfRenaming(event: AuditEvent, before: AuditEvent[]): boolean {
  const last = before.at(-1)
  return event.type === 'recipient.notified' && last !== undefined && renaming(last) !== undefined && last.at === event.at
}

function actOf(
  event: AuditEvent,
  before: AuditEvent[],
  options: HistoryOptions,
  names: Map<string, string>,
): HistoryAct | undefined {
  if (!isAct(event.type) || isPartOfSending(event, before) || isPartOfRenaming(event, before)) return undefined
  const isByRecipient = event.actor.startsWith('recipient:')
  return {
    key: event.sequence,
    type: event.type,
    at: new Date(event.at),
    words: wordsOf(event, options),
    who: isByRecipient || event.actor === 'system' ? undefined : names.get(event.actor),
    quote: quoteOf(event, options),
  }
}

function wordsOf(event: AuditEvent, { document, events, texts, language }: HistoryOptions): string {
  const recipient = document.recipients.find(r => r.id === event.recipientId)
  if (event.type === 'document.sent') {
    const sentTo = new Set(
      events.filter(e => e.type === 'recipient.notified' && e.at === event.at).map(({ recipientId }) => recipientId),
    )
    const asked = document.recipients.filter(r => sentTo.has(r.id) && isMailed(r))
    const list = new Intl.ListFormat(language).format(asked.slice(0, MAX_NAMES).map(r => nameAt(r, event, events, texts)))
    if (asked.length > 0) return texts.sentTo(asked.length > MAX_NAMES ? texts.page.state.people(asked.length) : list)
  }
  const people = renaming(event)
  if (people) {
    const { from, to } = people
    if (event.type === 'recipient.delegated') return texts.delegatedFromTo(from.name, to.name)
    if (from.name === to.name) return texts.correctedAddress(to.name, from.email, to.email)
    return texts.correctedFromTo(from.name, to.name)
  }
  const named = recipient && { ...recipient, name: nameAt(recipient, event, events, texts) }
  if (named && event.type === 'recipient.notified' && event.data.deliverBy === 'link') return texts.turnOf(named.name)
  return actWords(event.type, named, texts)
}

const MAX_NAMES = 5

function nameAt(recipient: Recipient, event: AuditEvent, events: AuditEvent[], texts: Texts): string {
  return recipientNameAt(recipient, events, event) || nameOf(recipient, texts)
}

/** What a person or a server said. */
function quoteOf({ type, personal, data }: AuditEvent, { language }: HistoryOptions): string | undefined {
  const text = {
    'document.declined': personal?.reason,
    'document.voided': personal?.reason,
    'recipient.email_failed': personal?.reply,
    'document.sealing_failed': data.cause,
  }[type as string]
  if (typeof text !== 'string' || text === '') return undefined
  // People's own words stay as they are.
  return type.endsWith('_failed') ? appTextsOf(language).errors(text) : text
}

function entryOf(
  event: AuditEvent,
  { document, events, language, texts }: HistoryOptions,
  names: Map<string, string>,
): RecordEntry {
  const recipient = document.recipients.find(r => r.id === event.recipientId)
  const acting = document.recipients.find(r => event.actor === `recipient:${r.id}`)
  const isApproval = event.type === 'recipient.signed' && recipient !== undefined && !maySign(recipient.role)
  const { reply } = event.type === 'recipient.email_written' ? {} : (event.personal ?? {})
  const reason = event.type.startsWith('document.legal_hold') ? event.personal?.reason : undefined
  const about = recipient && recipient !== acting ? nameAt(recipient, event, events, texts) : undefined
  const label = catalogueOf(language).evidence.events[isApproval ? 'recipient.approved' : (event.type as DocumentEvent)]
  const detail = [about, delegateOf(event), reply, reason].filter(part => typeof part === 'string').join(', ')
  return {
    key: event.sequence,
    at: new Date(event.at),
    what: detail === '' ? label : `${label} (${detail})`,
    // The recipient's place may have been handed over since.
    who: acting ? nameAt(acting, event, events, texts) : (names.get(event.actor) ?? texts.actors.unknown),
    hash: event.hash,
  }
}

/** By the label of the actor in the audit log. */
async function actorNames(visit: Visit, options: HistoryOptions): Promise<Map<string, string>> {
  const labels = [...new Set(options.events.map(({ actor }) => actor))]
  return new Map(await Promise.all(labels.map(async label => [label, await actorName(visit, label, options)] as const)))
}

async function actorName({ app, session }: Visit, label: string, { document, texts }: HistoryOptions): Promise<string> {
  const { actors } = texts
  const [kind, id = ''] = label.split(':')
  switch (kind) {
    case 'user':
      return id === session?.user.id ? actors.you : ((await userById(app.db, id))?.name ?? actors.unknown)
    case 'key':
      return actors.apiKey((await keyName(app.db, id)) ?? '…')
    case 'recipient': {
      const recipient = document.recipients.find(r => r.id === id)
      return recipient ? nameOf(recipient, texts) : actors.unknown
    }
    case 'system':
      return actors.system
    default:
      return actors.commandLine
  }
}
