/** The page of one document. */
import { DocumentPage, type DraftFindings, type HandedOutLink } from '../../../../views/documents/document.tsx'
import type { Correcting } from '../../../../views/documents/document-people.tsx'
import { nameOf, titleOf } from '../../../../views/documents/document-words.ts'
import type { AuditEvent } from '../../../audit/log.ts'
import { attentionOf } from '../../../core/document/attention.ts'
import type { Document, Recipient } from '../../../core/document/document.ts'
import { checkDraft } from '../../../core/draft/draft-check.ts'
import { isQuiet } from '../../../core/signing/quiet-hours.ts'
import { isMailed, recipientsToRemind } from '../../../core/signing/routing.ts'
import { deliveryFindings } from '../../../documents/draft/delivery-check.ts'
import { auditTrail } from '../../../documents/lifecycle/lifecycle.ts'
import { fieldsWithActiveContent } from '../../../documents/signing/added-queries.ts'
import { dateLanguageOf } from '../../../documents/signing/marks.ts'
import { ownTurnIn } from '../../../documents/signing/sign-now.ts'
import { mayHandOutLinks, ownOpenLink } from '../../../documents/signing/signing-link.ts'
import type { AppTexts } from '../../../locales/app.ts'
import { catalogueOf } from '../../../locales/index.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import type { App } from '../../../ports.ts'
import { readOrganisation } from '../../../settings/organisation.ts'
import { signingAssets } from '../../assets.ts'
import { type PageResponse, signedInUser, type Visit } from '../../frame/page.tsx'
import { findingsInWords } from '../drafting/review-words.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { historyOf } from './document-history.ts'
import { valuesByOwner } from './field-values.ts'
import { actorOf, clockOf, idOf } from './sender-visit.ts'

async function isQuietNow(app: App): Promise<boolean> {
  const { quietHours, timeZone } = await readOrganisation(app.db)
  return quietHours !== undefined && isQuiet(quietHours, app.now(), timeZone)
}

type Notices = AppTexts['documents']['notices']

async function remindedNotice({ app }: Visit, document: Document, people: readonly string[], notices: Notices, language: string) {
  if (people.length === 0) return recipientsToRemind(document).length === 0 ? notices.nobodyMailed : notices.nobodyDue
  const names = new Intl.ListFormat(language).format(people)
  if ((await folderInUse(app)) !== undefined) return notices.remindedInFolder(names)
  return `${notices.reminded(names)}${(await isQuietNow(app)) ? ` ${notices.quietHours}` : ''}`
}

function correctedNotice(corrected: Recipient, person: string, notices: Notices): string {
  if (!isMailed(corrected)) return notices.correctedByLink(person)
  return corrected.status === 'created' ? notices.correctedBefore(person) : notices.corrected(person)
}

/** What the address says was just done. */
async function noticeOf(visit: Visit, document: Document, texts: AppTexts['documents'], language: string) {
  const { searchParams } = visit.url
  const asked = searchParams.get('notice') ?? ''
  const ids = new Set(searchParams.get('to')?.split(',') ?? [])
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
  return plain[asked]
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
  const recipient = recipients.find(({ id }) => id === visit.url.searchParams.get('link'))
  if (!recipient || isMailed(recipient)) return undefined
  const link = ownOpenLink(visit.app, recipient, { actor: actorOf(visit), events })
  return link && { ...link, recipient }
}

export async function documentPage(visit: Visit, correcting?: Correcting): Promise<PageResponse> {
  const { app, url } = visit
  const position = await app.changes.position()
  const { document, events } = await auditTrail(app, actorOf(visit), idOf(visit))
  const context = visit.context('')
  const { documents: texts } = context.texts
  const { language } = context
  const clock = await clockOf(visit, language)
  const notice = await noticeOf(visit, document, texts, language)
  const props = {
    context: { ...context, title: titleOf(document, texts) },
    user: signedInUser(visit, '/documents'),
    clock,
    position,
    document,
    attention: attentionOf(document, clock.now),
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
    open: url.searchParams.get('open') ?? undefined,
  }
  return { html: <DocumentPage {...props} />, status: correcting ? 422 : 200, isScripted: true }
}
