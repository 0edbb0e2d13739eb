/** The sender's documents. The pages call the same actions as the API. */
import { DocumentPage } from '../../../views/pages/documents.tsx'
import type { AuditEvent } from '../../audit/log.ts'
import { allowedActions, type Document, type Recipient } from '../../core/document.ts'
import { maySign, ROLE_LABELS } from '../../core/routing.ts'
import { delegateOf, recipientNameAt } from '../../documents/delegation.ts'
import { auditTrail, deleteDocument, fileOf, remindDocument, sendDocument, voidDocument } from '../../documents/lifecycle.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { catalogueOf } from '../../locales/index.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { fileResponse } from '../file-response.ts'
import { type PageRoute, signedInUser, type Visit } from '../page.tsx'
import { actorOf, idOf, originOf } from './sender-visit.ts'

const EVENT_LABELS = catalogueOf('en').evidence.events
const NOTICES: Record<string, string> = {
  sent: 'The document was sent.',
  voided: 'The document was voided.',
}

/** Names the reminded recipients, whose ids are in `to`. */
function remindedText({ app, url }: Visit, { recipients }: Document): string {
  const ids = new Set(url.searchParams.get('to')?.split(',') ?? [])
  const names = recipients.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  if (names.length === 0) return 'No reminder was sent: the recipients whose turn it is were e-mailed within the last hour.'
  const whom = new Intl.ListFormat('en').format(names)
  return app.config.smtpUrl === undefined
    ? `A reminder to ${whom} was written to the outbox folder, because no mail server is set.`
    : `A reminder is being e-mailed to ${whom}.`
}

async function documentPage(visit: Visit) {
  const { app, url } = visit
  const notice = url.searchParams.get('notice') ?? ''
  const { document, events } = await auditTrail(app, actorOf(visit), idOf(visit))
  const { timeZone } = await readOrganisation(app.db)
  const time = (moment: Date | undefined) => (moment ? pageTime(moment, timeZone) : undefined)
  const facts: [label: string, value: string | undefined][] = [
    ['File', `${document.fileName}, ${document.pageCount === 1 ? '1 page' : `${document.pageCount} pages`}`],
    [
      'Signing order',
      document.recipients.length < 2
        ? undefined
        : document.signingOrder === 'parallel'
          ? 'all at the same time'
          : 'one after another',
    ],
    ['Created', time(document.createdAt)],
    ['Sent', time(document.sentAt)],
    ['Expires', document.status === 'sent' ? time(document.expiresAt) : undefined],
    ['Completed', time(document.completedAt)],
  ]
  return {
    html: (
      <DocumentPage
        context={visit.context(document.title)}
        user={signedInUser(visit, '/documents')}
        document={{
          id: document.id,
          title: document.title,
          fileName: document.fileName,
          status: document.status,
          pageCount: document.pageCount,
          message: document.message,
          sealingError: document.sealingError,
          original: document.sha256Original,
          sealed: document.sha256Sealed,
          facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
        }}
        recipients={document.recipients.map(r => recipientRow(r, app.config.smtpUrl !== undefined, time))}
        events={events.map(e => eventRow(document, events, e, timeZone))}
        may={allowedActions(document)}
        notice={notice === 'reminded' ? remindedText(visit, document) : NOTICES[notice]}
      />
    ),
  }
}

/** The state of the latest e-mail. A mail server that accepted it may not have delivered it yet. */
function mailText(r: Recipient, hasServer: boolean): string {
  const texts: Record<Recipient['emailStatus'], string> = {
    none: 'Not e-mailed',
    queued: 'Queued',
    delivered: hasServer ? 'E-mailed' : 'In the outbox folder',
    failed: 'Could not be e-mailed',
  }
  return texts[r.emailStatus]
}

function recipientRow(r: Recipient, hasServer: boolean, time: (moment: Date | undefined) => string | undefined) {
  const times: [string, Date | undefined][] = [
    ['asked', r.sentAt],
    ['opened', r.viewedAt],
    [ROLE_LABELS[r.role].done, r.signedAt],
    ['declined', r.declinedAt],
  ]
  return {
    id: r.id,
    name: r.name,
    email: r.email,
    role: ROLE_LABELS[r.role].noun,
    status: r.status,
    mail: r.emailStatus,
    mailText: mailText(r, hasServer),
    times: times.flatMap(([word, moment]) => (moment ? [`${word} ${time(moment)}`] : [])),
    reason: r.declineReason,
  }
}

/** The actor of an event, unless it is a recipient. */
function actorName({ actor }: AuditEvent): string {
  if (actor === 'system') return 'the service'
  return actor.startsWith('key:') ? 'an API client' : 'the sender'
}

function eventRow(document: Document, events: AuditEvent[], event: AuditEvent, timeZone: string) {
  const actingId = /^recipient:(.*)$/.exec(event.actor)?.[1]
  const acting = document.recipients.find(r => r.id === actingId)
  const concerned = document.recipients.find(r => r.id === event.recipientId)
  // A reply exists only if a mail server gave it.
  const { reply } = event.type === 'recipient.email_written' ? {} : (event.personal ?? {})
  const to = delegateOf(event)
  const subject = concerned ?? acting
  const isApproval = event.type === 'recipient.signed' && subject !== undefined && !maySign(subject.role)
  const who = acting ? recipientNameAt(acting, events, event) : actorName(event)
  return {
    sequence: event.sequence,
    at: pageTime(new Date(event.at), timeZone),
    what: EVENT_LABELS[isApproval ? 'recipient.approved' : event.type],
    detail: typeof reply === 'string' ? reply : to && `to ${to}`,
    who: concerned && !acting ? `${who}, for ${recipientNameAt(concerned, events, event)}` : who,
    hash: `${event.hash.slice(0, 16)}…`,
  }
}

/** A form: runs the action and returns to the document, or to the list without a notice. */
function action(verb: string, notice: string | undefined, run: (visit: Visit) => Promise<unknown>): PageRoute {
  return {
    method: 'POST',
    path: `/documents/:id/${verb}`,
    access: 'session',
    run: async visit => {
      await run(visit)
      return { redirect: notice ? `/documents/${idOf(visit)}?notice=${notice}` : '/documents' }
    },
  }
}

export const documentPages: PageRoute[] = [
  { method: 'GET', path: '/documents/:id', access: 'session', run: documentPage },
  {
    method: 'GET',
    path: '/documents/:id/file',
    access: 'session',
    run: async visit => {
      const asked = visit.url.searchParams.get('version') === 'original' ? 'original' : undefined
      return {
        response: await fileResponse(visit.app, visit.request, await fileOf(visit.app, actorOf(visit), idOf(visit), asked)),
      }
    },
  },
  action('send', 'sent', visit => sendDocument(visit.app, idOf(visit), originOf(visit))),
  {
    method: 'POST',
    path: '/documents/:id/remind',
    access: 'session',
    run: async visit => {
      const reminded = await remindDocument(visit.app, idOf(visit), originOf(visit))
      return { redirect: `/documents/${idOf(visit)}?notice=reminded&to=${reminded.join(',')}` }
    },
  },
  action('void', 'voided', visit =>
    voidDocument(visit.app, idOf(visit), visit.form.reason?.slice(0, 1000) || 'no reason given', originOf(visit)),
  ),
  action('delete', undefined, visit => deleteDocument(visit.app, idOf(visit), originOf(visit))),
]
