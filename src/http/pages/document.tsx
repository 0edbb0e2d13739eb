/** The page of one document. */
import { DocumentPage, type DraftFindings } from '../../../views/pages/document.tsx'
import type { Correcting } from '../../../views/pages/document-people.tsx'
import { nameOf, titleOf } from '../../../views/pages/document-words.ts'
import type { AuditEvent } from '../../audit/log.ts'
import { attentionOf } from '../../core/attention.ts'
import type { Document } from '../../core/document.ts'
import { checkDraft } from '../../core/draft-check.ts'
import { isQuiet } from '../../core/quiet-hours.ts'
import { fieldsWithActiveContent } from '../../documents/added-queries.ts'
import { auditTrail } from '../../documents/lifecycle.ts'
import { dateLanguageOf } from '../../documents/marks.ts'
import type { AppTexts } from '../../locales/app.ts'
import { catalogueOf } from '../../locales/index.ts'
import { folderInUse } from '../../outbox/configured-mailer.ts'
import type { App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { signingAssets } from '../assets.ts'
import { type PageResponse, signedInUser, type Visit } from '../page.tsx'
import { historyOf } from './document-history.ts'
import { valuesByOwner } from './field-values.ts'
import { findingsInWords } from './review-words.ts'
import { actorOf, clockOf, idOf } from './sender-visit.ts'

async function isQuietNow(app: App): Promise<boolean> {
  const { quietHours, timeZone } = await readOrganisation(app.db)
  return quietHours !== undefined && isQuiet(quietHours, app.now(), timeZone)
}

/** What the address says was just done. */
async function noticeOf({ app, url }: Visit, { recipients }: Document, texts: AppTexts['documents'], language: string) {
  const asked = url.searchParams.get('notice')
  const ids = new Set(url.searchParams.get('to')?.split(',') ?? [])
  const people = recipients.filter(({ id }) => ids.has(id)).map(r => nameOf(r, texts))
  const names = new Intl.ListFormat(language).format(people)
  const { notices } = texts
  if (asked === 'reminded') {
    if (people.length === 0) return notices.nobodyDue
    if ((await folderInUse(app)) !== undefined) return notices.remindedInFolder(names)
    return `${notices.reminded(names)}${(await isQuietNow(app)) ? ` ${notices.quietHours}` : ''}`
  }
  if (asked === 'corrected') {
    const corrected = recipients.find(({ id }) => ids.has(id))
    const person = corrected && `${nameOf(corrected, texts)} (${corrected.email})`
    return person && (corrected.status === 'created' ? notices.correctedBefore(person) : notices.corrected(person))
  }
  const plain: Record<string, string> = {
    sent: notices.sent,
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
  return plain[asked ?? '']
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

function draftFindings(document: Document, now: Date, texts: AppTexts['sending']): DraftFindings {
  const { blocking, warnings } = checkDraft(document, now)
  return { blocking: findingsInWords(document, blocking, texts), warnings: findingsInWords(document, warnings, texts) }
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
    draft: document.status === 'draft' ? draftFindings(document, clock.now, context.texts.sending) : undefined,
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
    viewer: { pdfjsUrl: signingAssets().pdfjsUrl, texts: catalogueOf(language).signer.view },
    notice,
    isNothingDone: notice === texts.notices.nobodyDue,
    open: url.searchParams.get('open') ?? undefined,
  }
  return { html: <DocumentPage {...props} />, status: correcting ? 422 : 200, isScripted: true }
}
