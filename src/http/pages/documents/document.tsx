/** The page of one document. */
import { DocumentPage, type DraftFindings, type HandedOutLink } from '../../../../views/documents/document.tsx'
import type { HistoryAct, RecordEntry } from '../../../../views/documents/document-history.tsx'
import type { Correcting } from '../../../../views/documents/document-people.tsx'
import { actWords, isAct, nameOf, titleOf } from '../../../../views/documents/document-words.ts'
import { keyName, userById } from '../../../accounts/queries.ts'
import type { AuditEvent } from '../../../audit/log.ts'
import { attentionOf } from '../../../core/document/attention.ts'
import type { Document, Recipient } from '../../../core/document/document.ts'
import type { DocumentEvent } from '../../../core/document/event.ts'
import { checkDraft } from '../../../core/draft/draft-check.ts'
import { isQuiet } from '../../../core/quiet-hours.ts'
import { isMailed, maySign, recipientsToRemind } from '../../../core/signing/routing.ts'
import { deliveryFindings } from '../../../documents/draft/edit-draft.ts'
import { delegateOf, recipientNameAt, renaming } from '../../../documents/lifecycle/correct-recipient.ts'
import { auditTrail } from '../../../documents/lifecycle/lifecycle.ts'
import { fieldsWithActiveContent } from '../../../documents/signing/form-queries.ts'
import { dateLanguageOf } from '../../../documents/signing/marks.ts'
import { ownTurnIn } from '../../../documents/signing/sign-now.ts'
import { mayHandOutLinks, ownOpenLink } from '../../../documents/signing/signing-link.ts'
import { type AppTexts, appTextsOf } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import type { App } from '../../../ports.ts'
import { signingAssets } from '../../assets.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { findingsInWords } from '../drafting/review-words.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { valuesByOwner } from './field-values.ts'
import { actorOf, idOf } from './sender-visit.ts'

function isQuietNow({ app, organisation: { quietHours, timeZone } }: Visit): boolean {
  return quietHours !== undefined && isQuiet(quietHours, app.now(), timeZone)
}

type Notices = AppTexts['documents']['notices']

async function remindedNotice(visit: Visit, document: Document, people: readonly string[], notices: Notices, language: string) {
  if (people.length === 0) return recipientsToRemind(document).length === 0 ? notices.nobodyMailed : notices.nobodyDue
  const names = new Intl.ListFormat(language).format(people)
  if ((await folderInUse(visit.app)) !== undefined) return notices.remindedInFolder(names)
  return `${notices.reminded(names)}${isQuietNow(visit) ? ` ${notices.quietHours}` : ''}`
}

function correctedNotice(corrected: Recipient, person: string, notices: Notices): string {
  if (!isMailed(corrected)) return notices.correctedByLink(person)
  return corrected.status === 'created' ? notices.correctedBefore(person) : notices.corrected(person)
}

/** What the address says was just done. */
async function noticeOf(visit: Visit, document: Document, texts: AppTexts['documents'], language: string) {
  const asked = visit.query.notice ?? ''
  const ids = new Set(visit.query.to?.split(',') ?? [])
  const people = document.recipients.filter(({ id }) => ids.has(id))
  const names = people.map(each => nameOf(each, texts))
  const [first] = people
  const { notices } = texts
  if (asked === 'reminded') return remindedNotice(visit, document, names, notices, language)
  if (asked === 'corrected') return first && correctedNotice(first, `${names[0]} (${first.email})`, notices)
  if (asked === 'unlocked') return first && notices.unlocked(nameOf(first, texts))
  const plain: Record<string, string> = {
    sent: document.recipients.every(isMailed) ? notices.sent : notices.sentByLink,
    'already-sent': notices.alreadySent,
    voided: notices.voided,
    labels: notices.labels,
    held: notices.held,
    'hold-lifted': notices.holdLifted,
    sealing: notices.sealing,
    unchanged: notices.unchanged,
    duplicated: notices.duplicated,
    duplicatedWithoutCodes: notices.duplicatedWithoutCodes,
  }
  return visit.noticeIn(plain)
}

/** The newest reply of a mail server about each recipient. */
function repliesOf(events: AuditEvent[]): Map<string, string> {
  const replies = new Map<string, string>()
  for (const { type, recipientId, personal } of events) {
    if (recipientId === null) continue
    // A mail that is on its way has no reply yet.
    if (type === 'recipient.notified' || type === 'recipient.reminded') replies.delete(recipientId)
    const isReply = type === 'recipient.email_accepted' || type === 'recipient.email_failed'
    if (isReply && typeof personal?.reply === 'string') replies.set(recipientId, personal.reply)
  }
  return replies
}

function voidedBy(events: AuditEvent[]): { at: Date; reason: string } | undefined {
  const event = events.findLast(({ type }) => type === 'document.voided')
  const reason = event?.personal?.reason
  return event && { at: new Date(event.at), reason: typeof reason === 'string' ? reason : '' }
}

async function draftFindings(app: App, document: Document, texts: AppTexts['sending']): Promise<DraftFindings> {
  const { blocking, warnings } = checkDraft(document, app.now())
  const found = [...blocking, ...(await deliveryFindings(app, document))]
  return { blocking: findingsInWords(document, found, texts), warnings: findingsInWords(document, warnings, texts) }
}

/** The link that was just created for the recipient in the address. */
function linkOf(visit: Visit, { recipients }: Document, events: AuditEvent[]): HandedOutLink | undefined {
  const recipient = recipients.find(({ id }) => id === visit.query.link)
  if (!recipient || isMailed(recipient)) return undefined
  const link = ownOpenLink(visit.app, recipient, { actor: actorOf(visit), events })
  return link && { ...link, recipient }
}

export async function documentPage(visit: Visit, correcting?: Correcting): Promise<PageResponse> {
  const { app } = visit
  const position = await app.changes.position()
  const { document, events } = await auditTrail(app, actorOf(visit), idOf(visit))
  const context = visit.context('')
  const { documents: texts } = context.texts
  const { language } = context
  const notice = await noticeOf(visit, document, texts, language)
  const props = {
    context: { ...context, title: titleOf(document, texts) },
    position,
    document,
    attention: attentionOf(document, app.now()),
    voided: voidedBy(events),
    ownTurn: await ownTurnIn(app, document, sessionOf(visit).user),
    draft: document.status === 'draft' ? await draftFindings(app, document, context.texts.sending) : undefined,
    ...(await historyOf(visit, { document, events, language, texts })),
    replies: repliesOf(events),
    values: valuesByOwner(document, {
      texts: context.texts,
      language,
      dates: await dateLanguageOf(app.db, document),
      activeContent: await fieldsWithActiveContent(app.db, document.id),
    }),
    hasMailServer: (await folderInUse(app)) === undefined,
    correcting,
    mayHandOut: await mayHandOutLinks(app),
    link: linkOf(visit, document, events),
    viewer: { pdfjsUrl: signingAssets().pdfjsUrl, texts: catalogueOf(language).signer.view },
    notice,
    isNothingDone: notice === texts.notices.nobodyDue || notice === texts.notices.nobodyMailed,
    open: visit.query.open,
  }
  return { html: <DocumentPage {...props} />, status: correcting ? 422 : 200, isScripted: true }
}

// The history of a document: the acts in words, and every entry of the audit log.

type Texts = AppTexts['documents']

interface HistoryOptions {
  document: Document
  events: AuditEvent[]
  language: 'en' | 'de'
  texts: Texts
}

/** Newest first. */
async function historyOf(visit: Visit, options: HistoryOptions): Promise<{ acts: HistoryAct[]; record: RecordEntry[] }> {
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
  return type.endsWith('_failed') ? appTextsOf(language).storedText(text) : text
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
